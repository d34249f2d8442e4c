import SchemaKit

extension FindingsReport {
  /// JUnit's XML, which most CI systems show: a test case for each finding, and for each statement that nothing speaks
  /// against. A test case fails if its finding fails the check.
  package func junit() -> String {
    let suite = Markup.escaped("\(program) \(title)")
    var cases: [String] = []
    var seen: [String: Int] = [:]
    for question in questions {
      if question.findings.isEmpty {
        cases.append("    <testcase classname=\"\(suite)\" name=\"\(Markup.escaped(question.statement))\"/>")
      }
      for finding in question.findings {
        var name = [finding.code, finding.object].compactMap { $0 }.joined(separator: " ") + ": " + question.statement
        // Systems that compare two runs take cases of one name for the same.
        seen[name, default: 0] += 1
        if let count = seen[name], count > 1 { name += " (\(count))" }
        let text = Markup.escaped(Self.line(finding))
        cases += [
          "    <testcase classname=\"\(suite)\" name=\"\(Markup.escaped(name))\">",
          failOn.fails(finding.level)
            ? "      <failure type=\"\(Markup.escaped(finding.code))\" message=\"\(Markup.escaped(finding.message))\">\(text)</failure>"
            : "      <system-out>\(text)</system-out>",
          "    </testcase>",
        ]
      }
    }
    let count = questions.reduce(0) { $0 + max(1, $1.findings.count) }
    let failed = findings.count { failOn.fails($0.level) }
    let lines =
      [
        #"<?xml version="1.0" encoding="UTF-8"?>"#,
        "<testsuites tests=\"\(count)\" failures=\"\(failed)\">",
        "  <testsuite name=\"\(suite)\" tests=\"\(count)\" failures=\"\(failed)\" errors=\"0\">",
      ] + cases + ["  </testsuite>", "</testsuites>"]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func line(_ finding: ReportFinding) -> String {
    let place = [finding.file, finding.line.map(String.init)].compactMap { $0 }.joined(separator: ":")
    return (place.isEmpty ? "" : place + ": ") + "\(finding.code) \(finding.message)"
  }
}

import SchemaKit

extension FindingsReport {
  /// The questions as test cases of JUnit's XML, which most CI systems show; errors fail them.
  package func junit() -> String {
    let failed = questions.count { !$0.holds }
    let suite = "\(program) \(title)"
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      "<testsuites tests=\"\(questions.count)\" failures=\"\(failed)\">",
      "  <testsuite name=\"\(Markup.escaped(suite))\" tests=\"\(questions.count)\" failures=\"\(failed)\" errors=\"0\">",
    ]
    for question in questions {
      let head = "    <testcase classname=\"\(Markup.escaped(suite))\" name=\"\(Markup.escaped(question.statement))\""
      guard !question.findings.isEmpty else {
        lines.append(head + "/>")
        continue
      }
      lines.append(head + ">")
      let errors = question.findings.filter { $0.level == .error }
      if let first = errors.first {
        let text = errors.map(Self.line).joined(separator: "\n")
        lines.append(
          "      <failure type=\"\(Markup.escaped(first.code))\" message=\"\(Markup.escaped(first.message))\">"
            + Markup.escaped(text) + "</failure>")
      }
      let others = question.findings.filter { $0.level != .error }
      if !others.isEmpty {
        lines.append(
          "      <system-out>" + Markup.escaped(others.map(Self.line).joined(separator: "\n")) + "</system-out>")
      }
      lines.append("    </testcase>")
    }
    return (lines + ["  </testsuite>", "</testsuites>"]).joined(separator: "\n") + "\n"
  }

  private static func line(_ finding: ReportFinding) -> String {
    let place = [finding.file, finding.line.map(String.init)].compactMap { $0 }.joined(separator: ":")
    return (place.isEmpty ? "" : place + ": ") + "\(finding.code) \(finding.message)"
  }
}

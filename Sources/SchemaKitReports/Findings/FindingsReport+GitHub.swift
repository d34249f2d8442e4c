import SchemaKit

extension FindingsReport {
  /// Annotations for GitHub Actions, a line each.
  ///
  /// See [workflow commands](https://docs.github.com/actions/reference/workflow-commands-for-github-actions).
  package func github() -> String {
    findings.map { finding in
      let command = finding.level == .note ? "notice" : finding.level.rawValue
      var properties: [String] = []
      if let file = finding.file { properties.append("file=\(Self.property(file))") }
      if let line = finding.line { properties.append("line=\(line)") }
      if let column = finding.column { properties.append("col=\(column)") }
      properties.append("title=\(Self.property("\(finding.code) \(finding.title)"))")
      return "::\(command) \(properties.joined(separator: ","))::\(Self.data(finding.message))\n"
    }.joined()
  }

  private static func data(_ text: String) -> String {
    text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
  }

  private static func property(_ text: String) -> String {
    data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}

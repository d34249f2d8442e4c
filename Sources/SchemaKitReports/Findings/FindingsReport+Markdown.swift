import SchemaKit

extension FindingsReport {
  /// The questions and findings as a comment for a pull request.
  package func markdown() -> String {
    var lines = ["### \(MarkdownText.escaped(program)) \(title)", ""]
    lines += questions.map { "- \($0.holds ? "✅" : "❌") \(MarkdownText.escaped($0.answer))" }
    if !findings.isEmpty {
      lines += ["", "| | Code | Where | What |", "| --- | --- | --- | --- |"]
      lines += findings.map { finding in
        let mark =
          switch finding.level {
          case .error: "❌"
          case .warning: "⚠️"
          case .note: "ℹ️"
          }
        let place = [finding.file, finding.line.map(String.init)].compactMap { $0 }.joined(separator: ":")
        return
          "| \(mark) | \(finding.code) | \(place.isEmpty ? "" : "`\(MarkdownText.code(place))`") | \(MarkdownText.escaped(finding.message)) |"
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

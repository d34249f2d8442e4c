import SchemaKit

extension FindingsReport {
  /// The questions and findings as a comment for a pull request, as many of them as it may hold.
  package func markdown() -> String {
    var lines = ["### \(MarkdownText.escaped(program)) \(title)", ""]
    lines += questions.map { question in
      let answer = holds(question) ? question.statement : question.denial ?? question.statement
      return "- \(holds(question) ? "✅" : "❌") \(MarkdownText.escaped(answer))"
    }
    if !findings.isEmpty {
      lines += ["", "| | Code | Where | What |", "| --- | --- | --- | --- |"]
      let rows = findings.map { finding in
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
      lines += MarkdownText.fitting(rows, after: lines) { count in
        ["", "\(Wording.counted(count, "finding")) more: the list is longer than a comment may be."]
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

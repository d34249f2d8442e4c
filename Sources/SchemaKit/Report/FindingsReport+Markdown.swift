extension FindingsReport {
  /// The questions and findings as a comment for a pull request.
  package func markdown() -> String {
    var lines = ["### \(Self.escaped(program)) \(title)", ""]
    lines += questions.map { "- \($0.holds ? "✅" : "❌") \(Self.escaped($0.statement))" }
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
          "| \(mark) | \(finding.code) | \(place.isEmpty ? "" : "`\(Self.code(place))`") | \(Self.escaped(finding.message)) |"
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// A text in which Markdown sees no mark of its own, on one line.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      if character.isNewline {
        result += "<br>"
      } else if character == "<" {
        result += "&lt;"
      } else if character == "&" {
        result += "&amp;"
      } else {
        if #"\`*_[]|#@~"#.contains(character) { result += "\\" }
        result.append(character)
      }
    }
    return result
  }

  private static func code(_ text: String) -> String {
    text.replacing("`", with: "'").replacing("|", with: "\\|").split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}

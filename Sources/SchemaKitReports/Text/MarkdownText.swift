import SchemaKit

/// Escapes text for Markdown.
enum MarkdownText {
  /// A text in which Markdown sees no mark of its own, on one line.
  static func escaped(_ text: String) -> String {
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

  /// A text for a span of code in a table.
  static func code(_ text: String) -> String {
    text.replacing("`", with: "'").replacing("|", with: "\\|").split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  /// A block of code whose fence is longer than every run of backticks inside.
  static func block(_ text: String, language: String) -> String {
    var (longest, run) = (2, 0)
    for byte in text.utf8 {
      run = byte == UInt8(ascii: "`") ? run + 1 : 0
      longest = max(longest, run)
    }
    let fence = String(repeating: "`", count: longest + 1)
    return "\(fence)\(language)\n\(text)\n\(fence)"
  }
}

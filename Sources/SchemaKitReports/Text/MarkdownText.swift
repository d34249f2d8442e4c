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

  /// The maximum number of bytes in a comment on GitHub, with room for the text that an action puts before it.
  ///
  /// It refuses a body of more than 65,536 characters.
  static let limit = 65_000

  /// As many lines as there is room for after others; where some have to go, with words about how many.
  static func fitting(_ lines: [String], after others: [String], limit: Int = limit, words: (Int) -> [String])
    -> [String]
  {
    let size = { (lines: [String]) in lines.reduce(0) { $0 + $1.utf8.count + 1 } }
    if size(others) + size(lines) <= limit { return lines }
    var room = limit - size(others) - size(words(lines.count))
    let kept = lines.prefix { line in
      room -= line.utf8.count + 1
      return room >= 0
    }
    return kept + words(lines.count - kept.count)
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

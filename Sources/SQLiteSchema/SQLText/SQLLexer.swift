/// A comment with the place where it stands.
package struct SQLComment: Sendable, Hashable {
  /// The comment with its marks: `--` up to the end of the line without the line break, or `/* */`.
  package var text: String
  package var span: Span
}

/// Cuts SQL text into tokens as SQLite's own tokenizer does.
///
/// Works on UTF-8 bytes. Every byte from 0x80 on counts as part of a word, as it does in SQLite.
package struct SQLLexer {
  /// The next element of the text; white space is skipped.
  package enum Lexeme {
    case token(SQLToken)
    case comment(SQLComment)
  }

  package let bytes: [UInt8]
  package private(set) var position = 0

  package init(_ text: String) { bytes = Array(text.utf8) }

  /// The tokens of a text, without comments.
  package static func tokens(of text: String) throws(SQLSyntaxError) -> [SQLToken] {
    try tokensAndComments(of: text).tokens
  }

  /// The tokens and the comments of a text, each in the order of the text.
  package static func tokensAndComments(
    of text: String
  ) throws(SQLSyntaxError) -> (tokens: [SQLToken], comments: [SQLComment]) {
    var lexer = SQLLexer(text)
    return try lexer.remainder()
  }

  /// A text with each comment that ends its line replaced by a space; the text as it is where it cannot be read.
  package static func withoutRemarks(_ text: String) -> String {
    guard let comments = try? tokensAndComments(of: text).comments.filter({ $0.text.hasPrefix("--") }),
      !comments.isEmpty
    else { return text }
    var bytes = Array(text.utf8)
    for comment in comments.reversed() { bytes.replaceSubrange(comment.span.start..<comment.span.end, with: [0x20]) }
    return String(String(decoding: bytes, as: UTF8.self)[...].trimmed)
  }

  /// Everything from the current position on.
  package mutating func remainder() throws(SQLSyntaxError) -> (tokens: [SQLToken], comments: [SQLComment]) {
    var tokens: [SQLToken] = []
    tokens.reserveCapacity(bytes.count / 5)
    var comments: [SQLComment] = []
    while let lexeme = try next() {
      switch lexeme {
      case .token(let token): tokens.append(token)
      case .comment(let comment): comments.append(comment)
      }
    }
    return (tokens, comments)
  }

  /// Reads one token or comment; nil at the end of the text.
  package mutating func next() throws(SQLSyntaxError) -> Lexeme? {
    skipWhiteSpace()
    guard position < bytes.count else { return nil }
    let start = position
    let byte = bytes[start]
    if byte == UInt8(ascii: "-"), self[start + 1] == UInt8(ascii: "-") {
      let end = bytes[start...].firstIndex { $0 == UInt8(ascii: "\n") } ?? bytes.count
      return .comment(comment(to: end))
    }
    if byte == UInt8(ascii: "/"), self[start + 1] == UInt8(ascii: "*"), start + 2 < bytes.count {
      return .comment(comment(to: endOfBlockComment(from: start + 2)))
    }
    let (kind, end) = try scan(from: start, byte: byte)
    position = end
    return .token(SQLToken(kind: kind, text: text(start, end), span: Span(start: start, end: end)))
  }

  /// Steps over white space, so that `position` is where the next token or comment starts.
  package mutating func skipWhiteSpace() {
    while true {
      if Self.isSpace(self[position]) {
        position += 1
        // SQLite takes a vertical tab for white space only behind other white space.
        while Self.isSpace(self[position]) || self[position] == 0x0B { position += 1 }
      } else if self[position] == 0xEF, self[position + 1] == 0xBB, self[position + 2] == 0xBF {
        position += 3
      } else {
        return
      }
    }
  }

  /// Steps over the rest of the line.
  package mutating func skipLine() {
    position = bytes[position...].firstIndex { $0 == UInt8(ascii: "\n") } ?? bytes.count
  }

  /// The byte at an index, or 0 behind the end.
  package subscript(index: Int) -> UInt8 { index < bytes.count ? bytes[index] : 0 }

  private func text(_ start: Int, _ end: Int) -> String { String(decoding: bytes[start..<end], as: UTF8.self) }

  private mutating func comment(to end: Int) -> SQLComment {
    defer { position = end }
    return SQLComment(text: text(position, end), span: Span(start: position, end: end))
  }

  private func endOfBlockComment(from start: Int) -> Int {
    var index = start
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "*"), self[index + 1] == UInt8(ascii: "/") { return index + 2 }
      index += 1
    }
    return bytes.count
  }
}

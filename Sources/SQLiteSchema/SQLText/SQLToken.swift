/// A stretch of a text, in UTF-8 bytes from its start.
package struct Span: Sendable, Hashable {
  package var start: Int
  package var end: Int

  package init(start: Int, end: Int) {
    self.start = start
    self.end = end
  }
}

/// One token of SQL text.
package struct SQLToken: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    /// A bare word: a keyword or an unquoted name. SQLite decides by position which of the two.
    case word
    /// A name in double quotes, backticks or brackets.
    case quotedName
    /// A text in single quotes.
    case string
    /// A blob literal such as X'00FF'.
    case blob
    case integer
    case float
    /// A parameter: ?, ?1, :name, @name, $name.
    case variable
    /// Punctuation or an operator, such as ( , ; || <> ->>.
    case symbol
  }
  package var kind: Kind
  /// The token as written in the source.
  package var text: String
  package var span: Span
}

extension SQLToken {
  /// True if this is a bare word equal to a keyword, which must be given in capitals.
  package func isKeyword(_ keyword: String) -> Bool {
    guard kind == .word, text.utf8.count == keyword.utf8.count else { return false }
    return zip(text.utf8, keyword.utf8).allSatisfy { $0 == $1 || ($0 >= 97 && $0 <= 122 && $0 - 32 == $1) }
  }

  /// Where each parenthesis that opens among the tokens is closed, by the indexes of both.
  package static func closers(in tokens: ArraySlice<SQLToken>) -> [Int: Int] {
    var closers: [Int: Int] = [:]
    var open: [Int] = []
    for index in tokens.indices {
      if tokens[index].isSymbol("(") { open.append(index) }
      if tokens[index].isSymbol(")"), let start = open.popLast() { closers[start] = index }
    }
    return closers
  }

  /// True if this is the given punctuation or operator.
  package func isSymbol(_ symbol: String) -> Bool { kind == .symbol && text == symbol }

  /// The name that this token spells when it stands where a name is wanted: the word itself, or what the quotes
  /// enclose with doubled quotes undone. SQLite takes a text in single quotes for a name there as well.
  package var name: SQLName? {
    switch kind {
    case .word: SQLName(text)
    case .quotedName, .string: SQLName(unquotedText)
    default: nil
    }
  }

  /// The text between the quotes, doubled quotes undone; the text itself when there are none.
  package var unquotedText: String {
    guard kind == .quotedName || kind == .string, let mark = text.unicodeScalars.first else { return text }
    let inner = text.unicodeScalars.dropFirst().dropLast()
    guard mark != "[" else { return String(String.UnicodeScalarView(inner)) }
    var result = String.UnicodeScalarView()
    var skipsNext = false
    for scalar in inner {
      if skipsNext {
        skipsNext = false
        continue
      }
      result.append(scalar)
      skipsNext = scalar == mark
    }
    return String(result)
  }
}

/// A piece of SQL that SchemaKit keeps whole: an expression, a query, the body of a trigger.
package struct SQLExpression: Sendable, Hashable {
  package var tokens: [SQLToken]
  /// The text from the first token to the last, comments inside included.
  package var text: String
  package var span: Span
}

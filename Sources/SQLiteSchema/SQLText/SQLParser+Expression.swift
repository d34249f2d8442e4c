extension SQLParser {
  /// The tokens from one index up to another as an expression.
  package func expression(_ range: Range<Int>) -> SQLExpression {
    guard let first = tokens[range].first, let last = tokens[range].last else {
      let place = range.lowerBound < tokens.count ? tokens[range.lowerBound].span.start : bytes.count
      return SQLExpression(tokens: [], text: "", span: Span(start: place, end: place))
    }
    let span = Span(start: first.span.start, end: last.span.end)
    let text = String(decoding: bytes[span.start..<span.end], as: UTF8.self)
    return SQLExpression(tokens: Array(tokens[range]), text: text, span: span)
  }

  /// Reads an expression in parentheses, without them.
  package mutating func parenthesized() throws(SQLSyntaxError) -> SQLExpression {
    try expect(symbol: "(")
    let first = position
    try skipBalanced { token, _ in token.isSymbol(")") }
    guard position > first else { throw unexpected("an expression") }
    defer { position += 1 }
    return expression(first..<position)
  }

  /// Steps to the next token outside parentheses that ends the stretch, and fails at the end of the text.
  ///
  /// The closure is given each token and the one before it.
  package mutating func skipBalanced(
    expecting expected: String = "\")\"", endsAtSemicolon: Bool = true,
    until isEnd: (SQLToken, SQLToken) -> Bool
  ) throws(SQLSyntaxError) {
    var depth = 0
    while position < tokens.count {
      if depth == 0, isEnd(tokens[position], tokens[position - 1]) { return }
      if tokens[position].isSymbol("(") { depth += 1 }
      if tokens[position].isSymbol(")") {
        depth -= 1
        guard depth >= 0 else { throw unexpected(expected) }
      }
      if endsAtSemicolon, tokens[position].isSymbol(";") { throw unexpected(depth > 0 ? "\")\"" : expected) }
      position += 1
    }
    throw unexpected(depth > 0 ? "\")\"" : expected)
  }

  /// Steps over everything up to a semicolon or the end, which must leave no parenthesis open.
  package mutating func skipToEnd() throws(SQLSyntaxError) {
    var depth = 0
    while let token = current, !token.isSymbol(";") {
      if token.isSymbol("(") { depth += 1 }
      if token.isSymbol(")") { depth -= 1 }
      guard depth >= 0 else { throw unexpected("the end of the statement") }
      position += 1
    }
    guard depth == 0 else { throw unexpected("\")\"") }
  }

  /// True if an operand can start behind this token, so that a word there is a name and not a keyword.
  package static func expectsOperand(after token: SQLToken) -> Bool {
    switch token.kind {
    case .symbol: token.text != ")"
    case .word: operators.contains(SQLName.fold(token.text))
    default: false
    }
  }

  private static let operators: Set<String> = [
    "and", "or", "not", "is", "in", "like", "glob", "match", "regexp", "between", "escape", "collate", "case", "when",
    "then", "else", "distinct", "from", "select", "where", "as",
  ]
}

extension ColumnSchema {
  /// What SQLite says of a row that does not store the column, because ALTER TABLE ADD COLUMN came after the row.
  package enum AbsentValue: Sendable {
    /// The very value that INSERT would store for the default.
    case asStored
    /// NULL.
    case null
    /// Another value, or one that depends on the version.
    case other
  }

  /// What SQLite says of a row that does not store the column.
  ///
  /// It works that out from the text of the default, not by running it: `DEFAULT 1.10` reads '1.10' in a TEXT column, where
  /// INSERT stores '1.1', and what is computed reads NULL. No page of SQLite's says so; tests ask it.
  package var absentValue: AbsentValue {
    guard let value = defaultValue, !value.isNull else { return .asStored }
    switch value.form {
    case .text, .blob, .integer: return .asStored
    case .largeInteger: return affinity == .real ? .other : .asStored
    case .number: return affinity == .text || affinity == .blob ? .other : .asStored
    case .computed: return .null
    case .other: return .other
    }
  }
}

extension ColumnSchema.DefaultValue {
  /// What kind of value a default is, as far as it decides how SQLite reads rows that do not store it.
  package enum Form: Sendable, Hashable {
    case text
    case blob
    /// A whole number as SQLite writes it.
    case integer
    /// One that no REAL is exactly.
    case largeInteger
    /// A number that has other spellings, or TRUE or FALSE.
    case number
    /// What is known when a row is inserted.
    case computed
    /// Anything else.
    case other

    /// - Parameter tokens: The default without parentheses around it.
    fileprivate init(_ tokens: ArraySlice<SQLToken>) {
      let isNegative = tokens.first?.isSymbol("-") == true
      let isSigned = isNegative || tokens.first?.isSymbol("+") == true
      let values = isSigned ? tokens.dropFirst() : tokens
      guard values.count == 1, let token = values.first else {
        self = Self.isComputed(tokens) ? .computed : .other
        return
      }
      switch token.kind {
      case .integer:
        guard let number = Int64(token.text) else { fallthrough }
        let isPlain = String(number) == token.text && !(isNegative && number == 0)
        self = !isPlain ? .number : number.magnitude >> 53 == 0 ? .integer : .largeInteger
      case .float:
        // Hexadecimal digits and numbers beyond 64 bits are read from their text in several ways.
        let isDecimal = token.text.utf8.allSatisfy { "0123456789.eE+-".utf8.contains($0) }
        self = token.kind == .float && isDecimal ? .number : .other
      case .string where !isSigned: self = .text
      case .blob where !isSigned: self = .blob
      case .word where !isSigned:
        self = token.isKeyword("TRUE") || token.isKeyword("FALSE") ? .number : .computed
      default: self = .other
      }
    }

    /// Whether a function is called, and nothing that SQLite works out without running it.
    private static func isComputed(_ tokens: ArraySlice<SQLToken>) -> Bool {
      let calls = zip(tokens, tokens.dropFirst()).contains { $0.kind == .word && $1.isSymbol("(") }
      return calls && !tokens.contains { $0.isKeyword("CAST") }
    }
  }
}

extension ColumnSchema.DefaultValue {
  init(_ expression: SQLExpression) {
    value = CanonicalSQL(text: expression.text, tokens: expression.defaultCanonical())
    let inner = expression.withoutOuterParentheses
    let words: Set<String> = ["NULL", "TRUE", "FALSE", "CURRENT_TIME", "CURRENT_DATE", "CURRENT_TIMESTAMP"]
    let token = inner.count == 1 ? inner.first : nil
    let isParenthesized = inner.count < expression.tokens.count
    let isKeyword = token.map { $0.kind == .word && words.contains($0.text.uppercased()) } ?? false
    if let token, !isParenthesized, !isKeyword, token.kind == .word || token.kind == .quotedName {
      // A bare word or a double-quoted name after DEFAULT is a text.
      self.expression = SQLQuoting.literal(token.unquotedText)
      isConstant = true
      isNull = false
      form = .text
      return
    }
    self.expression = "(\(expression.text))"
    isNull = token?.isKeyword("NULL") ?? false
    let isSigned = inner.count == 2 && (inner.first?.isSymbol("-") == true || inner.first?.isSymbol("+") == true)
    let last = inner.last
    let isLiteral = [.integer, .float, .string, .blob].contains(last?.kind) && (inner.count == 1 || isSigned)
    isConstant = isLiteral || isNull || (token.map { $0.isKeyword("TRUE") || $0.isKeyword("FALSE") } ?? false)
    form = Form(inner)
  }
}

extension SQLExpression {
  /// The tokens without parentheses that enclose all of them.
  var withoutOuterParentheses: ArraySlice<SQLToken> {
    var inner = tokens[...]
    while let first = inner.first, first.isSymbol("("), inner.closesAtEnd { inner = inner.dropFirst().dropLast() }
    return inner
  }
}

extension ArraySlice<SQLToken> {
  /// Whether the parenthesis that opens first closes last.
  fileprivate var closesAtEnd: Bool {
    var depth = 0
    for index in indices {
      if self[index].isSymbol("(") { depth += 1 }
      if self[index].isSymbol(")") { depth -= 1 }
      if depth == 0 { return index == endIndex - 1 }
    }
    return false
  }
}

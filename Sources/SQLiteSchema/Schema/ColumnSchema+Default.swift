extension ColumnSchema {
  /// The value that SQLite reads from a row that does not store the column, because ALTER TABLE ADD COLUMN came after the row.
  package enum AbsentValue: Sendable {
    /// The same value that INSERT would store for the default.
    case asStored
    /// NULL.
    case null
    /// Another value, or one that depends on the version.
    case other
  }

  /// The value that SQLite reads from a row that does not store the column.
  ///
  /// It is worked out from the text of the default, not by running it: `DEFAULT 1.10` reads '1.10' in a TEXT column,
  /// where INSERT stores '1.1', and a computed default reads NULL. SQLite's documentation does not say so; tests ask
  /// SQLite.
  package var absentValue: AbsentValue {
    guard let value = defaultValue, !value.isNull else { return .asStored }
    switch value.form {
    case .text, .blob, .integer: return .asStored
    case .manyDigits: return affinity == .real ? .other : .asStored
    case .decimal(let isWhole): return affinity == .blob && isWhole ? .other : .asStored
    case .truth: return affinity == .text ? .other : .asStored
    case .number: return affinity == .text || affinity == .blob ? .other : .asStored
    case .computed: return .null
    case .other: return .other
    }
  }
}

extension ColumnSchema {
  /// True if rows that do not store the column may read a number, of which a copy stores the text.
  ///
  /// SQLite before 3.46 reads TRUE so in a column of texts. An index holds what is read, and an UPDATE of such a row leaves
  /// its entry there.
  package var isStoredOtherwise: Bool {
    guard affinity == .text, absentValue == .other, let form = defaultValue?.form else { return false }
    switch form {
    case .truth, .other: return true
    default: return false
    }
  }
}

extension ColumnSchema.DefaultValue {
  /// The kind of a default value, as far as it determines how SQLite reads rows that do not store it.
  package enum Form: Sendable, Hashable {
    case text
    case blob
    /// An integer as SQLite writes it.
    case integer
    /// A whole number, or a text that may be one, with more digits than every REAL has.
    case manyDigits
    /// A number with a fraction, as SQLite writes it.
    case decimal(isWhole: Bool)
    /// TRUE or FALSE.
    case truth(Bool)
    /// A number in another spelling.
    case number
    /// A time, or a single function call: known when a row is inserted, and not before.
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
      case .integer: self = Self.integer(token.text, isNegative: isNegative)
      case .float: self = Self.real(token.text, isNegative: isNegative)
      case .string where !isSigned: self = Self.text(token.unquotedText)
      case .blob where !isSigned: self = .blob
      case .word where !isSigned:
        let isTime = ["CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP"].contains { token.isKeyword($0) }
        let isTrue = token.isKeyword("TRUE")
        self = isTrue || token.isKeyword("FALSE") ? .truth(isTrue) : isTime ? .computed : .other
      default: self = .other
      }
    }

    /// Hexadecimal digits and numbers beyond 64 bits are read from their text in several ways.
    private static func integer(_ text: String, isNegative: Bool) -> Form {
      guard let number = Int64(text) else { return .other }
      guard String(number) == text, !(isNegative && number == 0) else { return .number }
      return number.magnitude >> 53 == 0 ? .integer : .manyDigits
    }

    private static func real(_ text: String, isNegative: Bool) -> Form {
      guard text.utf8.allSatisfy({ "0123456789.eE+-".utf8.contains($0) }) else { return .other }
      guard let value = Double(text), text.wholeMatch(of: /\d+\.\d+/) != nil, text.utf8.count <= 15, "\(value)" == text,
        !(isNegative && value == 0)
      else { return .number }
      return .decimal(isWhole: value == value.rounded())
    }

    fileprivate static func text(_ text: String) -> Form {
      text.utf8.count { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } > 15 ? .manyDigits : .text
    }

    /// True if the whole default is a single call: SQLite evaluates some operators without their operands.
    private static func isComputed(_ tokens: ArraySlice<SQLToken>) -> Bool {
      guard let name = tokens.first, name.kind == .word, tokens.count > 2 else { return false }
      let isOperator = ["CAST", "NOT", "CASE", "EXISTS", "SELECT", "RAISE"].contains { name.isKeyword($0) }
      let arguments = tokens.dropFirst()
      return !isOperator && arguments.first?.isSymbol("(") == true && arguments.closesAtEnd
    }
  }
}

extension ColumnSchema.DefaultValue {
  package init(_ expression: SQLExpression) {
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
      form = Form.text(token.unquotedText)
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
  package var withoutOuterParentheses: ArraySlice<SQLToken> {
    var inner = tokens[...]
    while let first = inner.first, first.isSymbol("("), inner.closesAtEnd { inner = inner.dropFirst().dropLast() }
    return inner
  }
}

extension ArraySlice<SQLToken> {
  /// True if the first opening parenthesis is closed last.
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

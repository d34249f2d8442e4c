extension SQLExpression {
  /// The expression as tokens that are equal for texts which mean the same.
  ///
  /// White space, comments, the case of words, the quoting of names, parentheses around the whole, the spelling of
  /// numbers and blobs, `==` and `<>` make no difference. A name in quotes stays apart from a bare keyword.
  /// - Parameters:
  ///   - table: A table whose name in front of a column name is left out.
  ///   - columns: The columns that the expression can name. When they are known, any other name in double quotes is
  ///     the text that SQLite takes it for.
  ///   - hasRowID: False in a table WITHOUT ROWID, where the names of the rowid name nothing.
  package func canonical(
    droppingQualifier table: SQLName? = nil, columns: Set<SQLName>? = nil, hasRowID: Bool = true
  ) -> [String] {
    let tokens = Self.withoutOuterParentheses(tokens[...])
    var result: [String] = []
    result.reserveCapacity(tokens.count)
    var index = tokens.startIndex
    while index < tokens.endIndex {
      let token = tokens[index]
      let previous = index > tokens.startIndex ? tokens[index - 1] : nil
      let next = index + 1 < tokens.endIndex ? tokens[index + 1] : nil
      if let table, let count = Self.qualifierLength(of: table, in: tokens, at: index), index + count < tokens.endIndex,
        tokens[index + count].name != nil
      {
        index += count
        continue
      }
      result.append(token.canonical(after: previous, before: next, columns: columns, hasRowID: hasRowID))
      index += 1
    }
    return result
  }

  /// The value of a DEFAULT clause as tokens that are equal for texts which give the same default.
  ///
  /// A bare word or a name in quotes is the text that SQLite takes it for; TRUE and FALSE are 1 and 0; signs are part
  /// of their numbers.
  package func defaultCanonical() -> [String] {
    var tokens = Self.withoutOuterParentheses(tokens[...])
    var isNegative = false
    while tokens.count == 2 || (tokens.count > 2 && tokens.dropFirst().allSatisfy(\.isSignOrNumber)),
      let sign = tokens.first, sign.isSymbol("+") || sign.isSymbol("-")
    {
      if sign.isSymbol("-") { isNegative.toggle() }
      tokens = tokens.dropFirst()
    }
    guard tokens.count == 1, let token = tokens.first else { return canonical() }
    let value = token.canonicalDefault
    guard isNegative else { return [value] }
    guard token.kind == .integer || token.kind == .float else { return ["-", value] }
    if value == "0" { return ["0"] }
    return [value.hasPrefix("-") ? String(value.dropFirst()) : "-" + value]
  }

  /// The text with `table.` in place of `main.table.`, for rows that are read under the name of their table.
  package func text(withoutSchemaOf table: SQLName) -> String {
    let edits = tokens.indices.filter { Self.qualifierLength(of: table, in: tokens[...], at: $0) == 4 }.map { index in
      let (start, end) = (tokens[index].span.start - span.start, tokens[index + 1].span.end - span.start)
      return SQLEditing.Edit(span: Span(start: start, end: end), replacement: "")
    }
    return edits.isEmpty ? text : SQLEditing.applying(edits, to: text)
  }

  /// The number of tokens, from one on, that are `table.` or `main.table.` before a column; nil if they are not.
  static func qualifierLength(of table: SQLName, in tokens: ArraySlice<SQLToken>, at index: Int) -> Int? {
    func names(_ index: Int, _ name: SQLName) -> Bool {
      index + 1 < tokens.endIndex && tokens[index].kind != .string && tokens[index].name == name
        && tokens[index + 1].isSymbol(".")
    }
    if index > tokens.startIndex, tokens[index - 1].isSymbol(".") { return nil }
    if names(index, "main"), names(index + 2, table) { return 4 }
    return names(index, table) ? 2 : nil
  }

  private static func withoutOuterParentheses(_ tokens: ArraySlice<SQLToken>) -> ArraySlice<SQLToken> {
    guard tokens.first?.isSymbol("(") == true else { return tokens }
    let closers = SQLToken.closers(in: tokens)
    var tokens = tokens
    while tokens.count > 2, closers[tokens.startIndex] == tokens.endIndex - 1 { tokens = tokens.dropFirst().dropLast() }
    return tokens
  }
}

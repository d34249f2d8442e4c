extension SQLExpression {
  /// The expression as tokens that are equal for texts which mean the same.
  ///
  /// White space, comments, the case of words, the quoting of names, parentheses around the whole, the spelling of
  /// numbers and blobs, `==` and `<>` make no difference. A name in quotes stays apart from a bare keyword.
  /// - Parameters:
  ///   - table: A table whose name in front of a column name is left out.
  ///   - columns: The columns that the expression can name. When they are known, any other name in double quotes is
  ///     the text that SQLite takes it for.
  package func canonical(droppingQualifier table: SQLName? = nil, columns: Set<SQLName>? = nil) -> [String] {
    let tokens = Self.withoutOuterParentheses(tokens[...])
    var result: [String] = []
    result.reserveCapacity(tokens.count)
    var index = tokens.startIndex
    while index < tokens.endIndex {
      let token = tokens[index]
      let previous = index > tokens.startIndex ? tokens[index - 1] : nil
      let next = index + 1 < tokens.endIndex ? tokens[index + 1] : nil
      if let table, token.name == table, next?.isSymbol(".") == true, previous?.isSymbol(".") != true,
        index + 2 < tokens.endIndex, tokens[index + 2].name != nil
      {
        index += 2
        continue
      }
      result.append(token.canonical(after: previous, before: next, columns: columns))
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

  private static func withoutOuterParentheses(_ tokens: ArraySlice<SQLToken>) -> ArraySlice<SQLToken> {
    guard tokens.first?.isSymbol("(") == true else { return tokens }
    let closers = SQLToken.closers(in: tokens)
    var tokens = tokens
    while tokens.count > 2, closers[tokens.startIndex] == tokens.endIndex - 1 { tokens = tokens.dropFirst().dropLast() }
    return tokens
  }
}

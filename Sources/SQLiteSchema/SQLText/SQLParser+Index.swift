extension SQLParser {
  /// Reads a CREATE INDEX statement from its name on.
  package mutating func createIndex(isUnique: Bool) throws(SQLSyntaxError) -> CreateIndexStatement {
    try skipIfNotExists()
    let index = try objectName("a name for the index")
    try expect("ON")
    let table = try name("the table of the index")
    let columns = try indexedColumns().columns
    var predicate: SQLExpression?
    if take("WHERE") {
      let first = position
      try skipToEnd()
      guard position > first else { throw unexpected("an expression") }
      predicate = expression(first..<position)
    }
    return CreateIndexStatement(
      name: index.name,
      nameSpan: index.span,
      qualifiedNameSpan: index.qualifiedSpan,
      table: table.name,
      tableSpan: table.span,
      isUnique: isUnique,
      columns: columns,
      predicate: predicate
    )
  }

  /// Reads the terms of an index or a key in parentheses, and AUTOINCREMENT behind the last one.
  package mutating func indexedColumns() throws(SQLSyntaxError) -> (columns: [IndexedColumn], isAutoincrement: Bool) {
    try expect(symbol: "(")
    var columns: [IndexedColumn] = []
    var isAutoincrement = false
    repeat {
      let first = position
      try skipBalanced { token, _ in
        token.isSymbol(",") || token.isSymbol(")") || token.isKeyword("AUTOINCREMENT")
      }
      guard position > first else { throw unexpected("a column or an expression") }
      columns.append(indexedColumn(first..<position))
      isAutoincrement = take("AUTOINCREMENT")
    } while !isAutoincrement && take(symbol: ",")
    try expect(symbol: ")")
    return (columns, isAutoincrement)
  }

  private func indexedColumn(_ range: Range<Int>) -> IndexedColumn {
    var term = range
    var order: SortDirection?
    if term.count > 1, !Self.expectsOperand(after: tokens[term.upperBound - 2]) {
      order = sortOrder(tokens[term.upperBound - 1])
      if order != nil { term = term.dropLast() }
    }
    let (core, collation) = withoutCollation(term)
    let column = core.count == 1 ? columnName(tokens[core.lowerBound]) : nil
    let expression = expression(collation != nil || column != nil ? core : term)
    return IndexedColumn(expression: expression, column: column, collation: collation, order: order)
  }

  private func sortOrder(_ token: SQLToken) -> SortDirection? {
    if token.isKeyword("ASC") { return .ascending }
    return token.isKeyword("DESC") ? .descending : nil
  }

  /// The column that a single token names; the words that stand for values name none.
  private func columnName(_ token: SQLToken) -> SQLName? {
    guard token.isName else { return nil }
    let isValue =
      token.isKeyword("CURRENT_DATE") || token.isKeyword("CURRENT_TIME") || token.isKeyword("CURRENT_TIMESTAMP")
    return isValue ? nil : token.name
  }

  /// Takes parentheses and COLLATE off a term as far as COLLATE is its outermost operator; the last one counts.
  private func withoutCollation(_ term: Range<Int>) -> (core: Range<Int>, collation: SQLName?) {
    let closers = SQLToken.closers(in: tokens[term])
    var core = term
    var collation: SQLName?
    while core.count > 2 {
      if closers[core.lowerBound] == core.upperBound - 1 {
        core = (core.lowerBound + 1)..<(core.upperBound - 1)
        continue
      }
      let operand = withoutTrailingCollations(core)
      guard operand != core, isOperand(operand, closers: closers) else { break }
      collation = collation ?? tokens[core.upperBound - 1].name
      core = operand
    }
    return (core, collation)
  }

  private func withoutTrailingCollations(_ term: Range<Int>) -> Range<Int> {
    var term = term
    while term.count > 2, tokens[term.upperBound - 2].isKeyword("COLLATE"), tokens[term.upperBound - 1].name != nil {
      term = term.dropLast(2)
    }
    return term
  }

  /// True if the tokens are one operand, to which a COLLATE behind them applies as a whole.
  ///
  /// In `a || b COLLATE x` it belongs to `b` alone. Signs bind closer than COLLATE.
  private func isOperand(_ range: Range<Int>, closers: [Int: Int]) -> Bool {
    func endOfGroup(_ start: Int) -> Int { closers[start].map { $0 + 1 } ?? range.upperBound }
    var index = range.lowerBound
    while index < range.upperBound, ["+", "-", "~"].contains(where: tokens[index].isSymbol) { index += 1 }
    guard index < range.upperBound else { return false }
    if tokens[index].isSymbol("(") {
      index = endOfGroup(index)
    } else if tokens[index].isKeyword("CASE") {
      index = endOfCase(index, in: range)
    } else {
      index += 1
      while index + 1 < range.upperBound, tokens[index].isSymbol(".") { index += 2 }
      if index < range.upperBound, tokens[index].isSymbol("(") { index = endOfGroup(index) }
    }
    return index == range.upperBound
  }

  private func endOfCase(_ start: Int, in range: Range<Int>) -> Int {
    var depth = 0
    for index in start..<range.upperBound {
      if tokens[index].isKeyword("CASE") { depth += 1 }
      if tokens[index].isKeyword("END") { depth -= 1 }
      if depth == 0 { return index + 1 }
    }
    return range.upperBound
  }
}

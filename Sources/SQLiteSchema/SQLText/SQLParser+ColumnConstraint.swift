extension SQLParser {
  /// Reads the constraints of the table's last column.
  package mutating func readColumnConstraints(into table: inout CreateTableStatement) throws(SQLSyntaxError) {
    let column = table.columns.count - 1
    var constraintName: SQLName?
    var first: Int?
    while let token = current, token.kind == .word {
      if token.isKeyword("CONSTRAINT") {
        // A name with nothing to name is tolerated by SQLite, and the next one takes its place.
        first = position
        position += 1
        constraintName = try name("a constraint name").name
      } else if let deferral = try deferral() {
        apply(deferral, to: &table)
      } else if let kind = try columnConstraintKind(from: &first) {
        table.columns[column].constraints.append(
          ColumnConstraint(name: constraintName, kind: kind, span: span(from: first ?? position - 1))
        )
        constraintName = nil
        first = nil
      } else {
        return
      }
    }
  }

  /// Reads one constraint without its name; nil when none follows.
  private mutating func columnConstraintKind(
    from first: inout Int?
  ) throws(SQLSyntaxError) -> ColumnConstraint.Kind? {
    first = first ?? position
    if take("NOT", "NULL") { return .notNull(conflict: try conflictClause()) }
    if take("NULL") { return .null(conflict: try conflictClause()) }
    if take("DEFAULT") { return .defaultValue(try defaultValue()) }
    if take("UNIQUE") { return .unique(conflict: try conflictClause()) }
    if take("CHECK") { return .check(try parenthesized(), conflict: try conflictClause()) }
    if take("COLLATE") { return .collate(try name("a collation").name) }
    if take("REFERENCES") { return .references(try foreignKeyClause()) }
    if take("PRIMARY") {
      try expect("KEY")
      let order: SortDirection? = take("ASC") ? .ascending : take("DESC") ? .descending : nil
      let conflict = try conflictClause()
      return .primaryKey(order: order, conflict: conflict, isAutoincrement: take("AUTOINCREMENT"))
    }
    if take("GENERATED") {
      try expect("ALWAYS")
      try expect("AS")
      return try generated()
    }
    return take("AS") ? try generated() : nil
  }

  private mutating func generated() throws(SQLSyntaxError) -> ColumnConstraint.Kind {
    let expression = try parenthesized()
    let isStored = take("STORED")
    if !isStored { _ = take("VIRTUAL") }
    return .generated(expression, isStored: isStored)
  }

  /// Reads what follows DEFAULT: an expression in parentheses, a value with or without a sign, or a bare word.
  private mutating func defaultValue() throws(SQLSyntaxError) -> SQLExpression {
    let first = position
    if at(symbol: "(") {
      _ = try parenthesized()
    } else {
      let isSigned = take(symbol: "+") || take(symbol: "-")
      guard let token = current, isDefault(token, isSigned: isSigned) else { throw unexpected("a default value") }
      position += 1
    }
    return expression(first..<position)
  }

  private func isDefault(_ token: SQLToken, isSigned: Bool) -> Bool {
    switch token.kind {
    case .integer, .float, .string, .blob: true
    case .quotedName: !isSigned
    case .word: token.isKeyword("NULL") || token.isTypeWord || token.isKeyword("INDEXED")
    case .symbol, .variable: false
    }
  }

  /// Reads ON CONFLICT, if it follows.
  package mutating func conflictClause() throws(SQLSyntaxError) -> ConflictClause? {
    guard take("ON", "CONFLICT") else { return nil }
    guard let word = current, word.kind == .word, let clause = ConflictClause(rawValue: word.text.uppercased()) else {
      throw unexpected("ROLLBACK, ABORT, FAIL, IGNORE or REPLACE")
    }
    position += 1
    return clause
  }

  /// Gives a DEFERRABLE clause that stands apart to the last foreign key before it, as SQLite does.
  private func apply(_ deferral: Deferral, to table: inout CreateTableStatement) {
    for column in table.columns.indices.reversed() {
      for index in table.columns[column].constraints.indices.reversed() {
        guard case .references(var clause) = table.columns[column].constraints[index].kind else { continue }
        clause.deferral = deferral
        table.columns[column].constraints[index].kind = .references(clause)
        return
      }
    }
  }
}

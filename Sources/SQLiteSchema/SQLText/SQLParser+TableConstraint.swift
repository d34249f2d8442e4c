extension SQLParser {
  /// True if a table constraint follows and not one more column.
  package var startsTableConstraint: Bool {
    ["CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"].contains { at($0) }
  }

  /// Reads table constraints up to the closing parenthesis. The commas between them may be missing.
  package mutating func readTableConstraints(into table: inout CreateTableStatement) throws(SQLSyntaxError) {
    var constraintName: SQLName?
    var first = position
    repeat {
      first = position
      constraintName = nil
      guard startsTableConstraint else { throw unexpected("a table constraint") }
      while startsTableConstraint {
        if take("CONSTRAINT") {
          first = position - 1
          constraintName = try name("a constraint name").name
        } else {
          let kind = try tableConstraintKind()
          table.constraints.append(TableConstraint(name: constraintName, kind: kind, span: span(from: first)))
          first = position
          constraintName = nil
        }
      }
    } while take(symbol: ",")
  }

  private mutating func tableConstraintKind() throws(SQLSyntaxError) -> TableConstraint.Kind {
    if take("PRIMARY") {
      try expect("KEY")
      let (columns, isAutoincrement) = try indexedColumns()
      return .primaryKey(columns, conflict: try conflictClause(), isAutoincrement: isAutoincrement)
    }
    if take("UNIQUE") {
      let columns = try indexedColumns().columns
      return .unique(columns, conflict: try conflictClause())
    }
    if take("CHECK") { return .check(try parenthesized(), conflict: try conflictClause()) }
    try expect("FOREIGN")
    try expect("KEY")
    let columns = try nameList()
    try expect("REFERENCES")
    return .foreignKey(columns, try foreignKeyClause())
  }

  /// Reads a REFERENCES clause behind that word. Of clauses that repeat, the last one counts.
  package mutating func foreignKeyClause() throws(SQLSyntaxError) -> ForeignKeyClause {
    let table = try name("the table that the foreign key refers to")
    var clause = ForeignKeyClause(table: table.name, tableSpan: table.span, columns: [])
    if at(symbol: "(") { clause.columns = try nameList() }
    while true {
      if take("MATCH") {
        clause.match = try name("MATCH and its kind").name
      } else if take("ON", "DELETE") {
        clause.onDelete = try foreignKeyAction()
      } else if take("ON", "UPDATE") {
        clause.onUpdate = try foreignKeyAction()
      } else if take("ON", "INSERT") {
        // SQLite reads this and does nothing with it.
        _ = try foreignKeyAction()
      } else {
        break
      }
    }
    clause.deferral = try deferral()
    return clause
  }

  private mutating func foreignKeyAction() throws(SQLSyntaxError) -> ForeignKeyAction {
    if take("CASCADE") { return .cascade }
    if take("RESTRICT") { return .restrict }
    if take("NO", "ACTION") { return .noAction }
    if take("SET", "NULL") { return .setNull }
    if take("SET", "DEFAULT") { return .setDefault }
    throw unexpected("CASCADE, RESTRICT, SET NULL, SET DEFAULT or NO ACTION")
  }

  /// Reads a DEFERRABLE or NOT DEFERRABLE clause, if one follows.
  package mutating func deferral() throws(SQLSyntaxError) -> Deferral? {
    var deferral = Deferral(isDeferrable: true)
    if take("NOT", "DEFERRABLE") {
      deferral.isDeferrable = false
    } else if !take("DEFERRABLE") {
      return nil
    }
    if take("INITIALLY") {
      if take("DEFERRED") {
        deferral.isInitiallyDeferred = true
      } else {
        try expect("IMMEDIATE")
        deferral.isInitiallyDeferred = false
      }
    }
    return deferral
  }
}

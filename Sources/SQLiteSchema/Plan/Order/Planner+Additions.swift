// The steps that create tables, and those that keep rows of what is dropped.
extension Planner {
  func additionSteps(of tables: [TableSchema]) throws(SQLSyntaxError) -> [MigrationStep] {
    var steps: [MigrationStep] = []
    for table in tables {
      let kept = hints.keptTables[table.name]
      var statements = [PlannedStatement(try TableDDL(table).create())]
      if let kept {
        let isBare =
          copiesBare && !hasRefused(creating: table.name) && KeepRule.isWhole(kept, of: table)
        statements =
          isBare ? try KeepRule.recreating(kept, table) : statements + KeepRule.restoring(kept, into: table)
      }
      steps.append(
        .creating(
          ObjectReference(.table, table.name),
          [.columns(count: table.columns.count)] + (kept.map { [.restoreRows(count: $0.rowCount)] } ?? []),
          statements, rows: kept?.rowCount))
    }
    return steps
  }

  /// New tables that refer to changed ones, and so need their new keys first. The tables that a changed table refers to
  /// cannot wait, and a program that works on the rows sees all of them.
  var lateAdditions: Set<SQLName> {
    guard keepsForeignKeysOn, dataSteps.isEmpty else { return [] }
    let changed = diff.changedTables.map(\.to)
    return Set(
      diff.addedTables.filter { table in
        changed.contains { table.refers(to: $0.name) } && !changed.contains { $0.refers(to: table.name) }
      }.map(\.name))
  }

  func keepSteps() -> [MigrationStep] {
    let rule = KeepRule(source: source, firstNumber: 0)
    return keptValues.map { kept in
      let found = checkResults[renames.newTable(kept.table)]?.findings.first {
        kept.column == nil ? $0.kind == .droppedTable : $0.kind == .droppedColumn && $0.column == kept.column
      }
      return rule.step(for: kept, rowCount: found?.isCounted == false ? nil : found?.count ?? 0)
    }
  }
}

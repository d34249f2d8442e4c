/// SK107: rows fail a new CHECK, or an expression cannot be evaluated on them.
///
/// Applies to a [CHECK](https://sqlite.org/lang_createtable.html#check_constraints) that is new or reads a converted
/// column, where NULL passes, and to any expression of the plan that fails with an error on some row. Engines before
/// 3.37 do not test the rows when [ADD COLUMN](https://sqlite.org/lang_altertable.html#alter_table_add_column) adds the
/// CHECK. Blocked. The remedy is to fix the rows or the expression; in a column that the change adds, rows have nothing
/// to fix yet, and the remedy is different.
package enum FailingCheckHazard: HazardRule {
  /// The expression is false for rows.
  case failing(String)
  /// The condition could not be evaluated, with SQLite's error.
  case unprovable(String, problem: String)

  package static let code = HazardCode.failingCheck

  package func counted(_ rows: ConcernedRows) -> Hazard? {
    switch self {
    case .failing(let expression):
      guard rows.count > 0 else { return nil }
      return found(
        rows, "\(rows.inWords) of \(rows.table) \(rows.verb("fail")) the new CHECK (\(expression)).",
        remedy(for: expression, rows))
    case .unprovable(let condition, let problem):
      if let limit = SQLiteLimit.words(for: problem) {
        return Hazard(
          Self.code, table: rows.table, column: rows.column,
          message:
            "\(condition) cannot be examined on the rows of \(rows.table): that exceeds a limit of SQLite, \(limit).",
          remedy: SQLiteLimit.remedy)
      }
      return Hazard(
        Self.code, table: rows.table, column: rows.column,
        message: "\(condition) cannot be evaluated on the rows of \(rows.table): \(problem).",
        remedy: newColumn(in: problem, rows).map { column in
          "\(column) comes with this change, and its rows have none yet: write the expression with the columns that are there."
        } ?? "Fix the expression in the declared schema, or the rows that it fails on.")
    }
  }

  private func remedy(for expression: String, _ rows: ConcernedRows) -> String {
    let mending = "Fix these rows first."
    let check = rows.change?.addedChecks.first { $0.expression.text == expression }?.expression
    guard let check, let change = rows.change, !rows.rules.isUndo else { return mending }
    let new = change.addedColumns.filter { $0.generation == nil }.map(\.name).filter(check.mentions)
    guard !new.isEmpty else { return mending }
    let readsOld = change.from.columns.contains { column in
      change.to.column(column.name) != nil && check.mentions(column.name)
    }
    return
      "\(Wording.list(new.map(\.text))) \(new.count == 1 ? "comes" : "come") with this change: declare another DEFAULT, or "
      + "what the rows get: \"-- schemakit: fill EXPR\" on the line of the column, backfill(sql:) in a model."
      + (readsOld ? " Or fix these rows first." : "")
  }

  /// The column that an expression reads and that only the new table has.
  private func newColumn(in problem: String, _ rows: ConcernedRows) -> SQLName? {
    guard let name = problem.firstMatch(of: /^no such column: (\w+)$/)?.output.1 else { return nil }
    return rows.change?.addedColumns.first { $0.name == SQLName(String(name)) }?.name
  }

  package func uncounted(_ rows: ConcernedRows) -> Hazard? {
    guard case .failing(let expression) = self else { return nil }
    return refused(
      rows, "Whether the rows of \(rows.table) pass the new CHECK (\(expression)) was not examined.",
      isNoticed: rows.rules.engineChecksRows)
  }
}

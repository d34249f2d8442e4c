/// SK107: rows fail a new CHECK, or an expression cannot be evaluated on them.
///
/// Applies to a [CHECK](https://sqlite.org/lang_createtable.html#check_constraints) that is new or reads a converted
/// column, where NULL passes, and to any expression of the plan that ends in an error on some row. Engines before 3.37
/// do not test the rows when [ADD COLUMN](https://sqlite.org/lang_altertable.html#alter_table_add_column) brings the
/// CHECK. Blocked. The way out is to mend the rows or the expression.
enum FailingCheckHazard: HazardRule {
  /// The expression is false for rows.
  case failing(String)
  /// The condition could not be evaluated, with what SQLite said.
  case unprovable(String, problem: String)

  static let code = HazardCode.failingCheck

  func counted(_ rows: ConcernedRows) -> Hazard? {
    switch self {
    case .failing(let expression):
      guard rows.count > 0 else { return nil }
      return found(
        rows, "\(rows.inWords) of \(rows.table) \(rows.verb("fail")) the new CHECK (\(expression)).",
        "Mend these rows first.")
    case .unprovable(let condition, let problem):
      return Hazard(
        Self.code, table: rows.table, column: rows.column,
        message: "\(condition) cannot be evaluated on the rows of \(rows.table): \(problem).",
        remedy: "Mend the expression in the declared schema, or the rows that it fails on.")
    }
  }

  func uncounted(_ rows: ConcernedRows) -> Hazard? {
    guard case .failing(let expression) = self else { return nil }
    return refused(
      rows, "Whether the rows of \(rows.table) pass the new CHECK (\(expression)) was not examined.",
      isNoticed: rows.rules.engineChecksRows)
  }
}

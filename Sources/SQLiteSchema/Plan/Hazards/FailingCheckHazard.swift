/// SK107: rows fail a new CHECK, or an expression cannot be evaluated on them.
///
/// Applies to a [CHECK](https://sqlite.org/lang_createtable.html#check_constraints) that is new or reads a converted
/// column, where NULL passes, and to any expression of the plan that fails with an error on some row. Engines before
/// 3.37 do not test the rows when [ADD COLUMN](https://sqlite.org/lang_altertable.html#alter_table_add_column) adds the
/// CHECK. Blocked. The remedy is to fix the rows or the expression; in a column that the change adds, rows have nothing
/// to fix yet, and the remedy is different.
package enum FailingCheckHazard: HazardRule {
  /// The expression is false for rows. It may read columns that the change adds, and others beside them. A CHECK that is not
  /// new reads other values than before.
  case failing(expression: String, newColumns: [SQLName], readsOld: Bool, isNew: Bool = true)
  /// The condition could not be evaluated, with SQLite's error, which may name a column that the change adds.
  case unprovable(condition: String, problem: String, newColumn: SQLName?)

  package static let code = HazardCode.failingCheck

  package static func rule(for kind: RowCheckResults.Finding.Kind) -> (any HazardRule)? {
    switch kind {
    case .failingCheck(let expression): Self.failing(expression: expression, newColumns: [], readsOld: true)
    case .unprovable(let condition, let problem):
      Self.unprovable(condition: condition, problem: problem, newColumn: nil)
    default: nil
    }
  }

  package func counted(_ rows: ConcernedRows) -> Hazard? {
    switch self {
    case .failing(let expression, _, _, _): return rows.count > 0 ? Self.failing(expression, rows).found(rows) : nil
    case .unprovable(let condition, let problem, _):
      let rule = Self.unprovable(condition: condition, problem: problem, newColumn: Self.newColumn(in: problem, rows))
      return Hazard(Self.code, table: rows.table, column: rows.column, cause: rule.cause)
    }
  }

  package func uncounted(_ rows: ConcernedRows) -> Hazard? {
    guard case .failing = self else { return nil }
    return refused(rows, isNoticed: rows.rules.engineChecksRows)
  }

  /// The rule with the columns that the expression reads.
  private static func failing(_ expression: String, _ rows: ConcernedRows) -> FailingCheckHazard {
    let check = rows.change?.addedChecks.first { $0.expression.text == expression }?.expression
    guard let check, let change = rows.change, !rows.rules.isUndo else {
      let isNew = check != nil || rows.change == nil
      return .failing(expression: expression, newColumns: [], readsOld: true, isNew: isNew)
    }
    let new = change.addedColumns.filter { $0.generation == nil }.map(\.name).filter(check.mentions)
    let readsOld = change.from.columns.contains { column in
      change.to.column(column.name) != nil && check.mentions(column.name)
    }
    return .failing(expression: expression, newColumns: new, readsOld: readsOld)
  }

  /// The column that an expression reads and that only the new table has.
  private static func newColumn(in problem: String, _ rows: ConcernedRows) -> SQLName? {
    guard let name = SQLiteMessage.missingColumn(in: problem) else { return nil }
    return rows.change?.addedColumns.first { $0.name == name }?.name
  }
}

// MARK: - Sentences

extension FailingCheckHazard {
  package func message(for hazard: Hazard) -> String {
    switch self {
    case .failing(let expression, _, _, let isNew):
      let check = "\(isNew ? "the new " : "")CHECK (\(expression))\(isNew ? "" : ", which reads other values then")"
      return hazard.isCounted
        ? "\(hazard.rowCount) of \(hazard.table) \(hazard.verb("fail")) \(check)."
        : "Whether the rows of \(hazard.table) pass \(check)\(isNew ? "" : ",") was not examined."
    case .unprovable(let condition, let problem, _):
      if let limit = SQLiteLimit.words(for: problem) {
        return
          "\(condition) cannot be examined on the rows of \(hazard.table): that exceeds a limit of SQLite, \(limit)."
      }
      return "\(condition) cannot be evaluated on the rows of \(hazard.table): \(problem)."
    }
  }

  package func remedy(for hazard: Hazard) -> Remedy? {
    guard hazard.isCounted else { return remedyOfRefusal(hazard) }
    switch self {
    case .failing(_, let new, _, let isNew) where new.isEmpty:
      return isNew ? "Fix these rows first." : "Fix these rows first, or change the CHECK."
    case .failing(_, let new, let readsOld, _):
      return
        "\(Wording.list(new.map(\.text))) \(new.count == 1 ? "comes" : "come") with this change: declare another DEFAULT, or "
        + "what the rows get: \(.fill)."
        + (readsOld ? " Or fix these rows first." : "")
    case .unprovable(_, let problem, _) where SQLiteLimit.words(for: problem) != nil: return SQLiteLimit.remedy
    case .unprovable(_, _, let column?):
      return
        "\(column) comes with this change, and its rows have none yet: write the expression with the columns that are there."
    case .unprovable: return "Fix the expression in the declared schema, or the rows that it fails on."
    }
  }
}

extension HazardCode {
  /// Rows fail a new CHECK.
  public static let failingCheck = Self("SK107", .blocked, "rows failing a new CHECK")
}

/// SK102: values are lost with a dropped column.
///
/// Applies to columns that the declared table no longer has and that hold values other than NULL.
/// [DROP COLUMN](https://sqlite.org/lang_altertable.html#alter_table_drop_column) purges the values, and a copy leaves
/// them out. Destructive; a note if no row holds a value. The remedy is a rename hint, a declared removal, or consent.
package struct DroppedColumnHazard: HazardRule {
  package static let code = HazardCode.droppedColumn

  package static func rule(for kind: RowCheckResults.Finding.Kind) -> (any HazardRule)? {
    if case .droppedColumn = kind { Self() } else { nil }
  }

  /// The author's likely intention.
  package var hint: DropHint?
  /// The newer name of the column, beside which it was there for an older program: only rows that differ count.
  package var newerName: SQLName?

  package init(hint: DropHint? = nil, newerName: SQLName? = nil) {
    self.hint = hint
    self.newerName = newerName
  }

  package func counted(_ rows: ConcernedRows) -> Hazard? {
    var hazard = hinted(rows).found(rows)
    hazard.isPotential = rows.count == 0
    hazard.isConsentedByDeclaration = isDeclared(rows)
    return hazard
  }

  package func uncounted(_ rows: ConcernedRows) -> Hazard? {
    var hazard = hinted(rows).lost(rows)
    hazard.isConsentedByDeclaration = isDeclared(rows)
    return hazard
  }

  private func hinted(_ rows: ConcernedRows) -> DroppedColumnHazard {
    guard let column = rows.column, !rows.rules.isUndo else { return self }
    if let hints = rows.rules.hints.tables[rows.table], hints.renamedFrom.contains(column) {
      return DroppedColumnHazard(hint: .atTable)
    }
    let hint =
      newName(of: column, rows).map { DropHint.taken(by: $0) }
      ?? RenameGuess.column(column, of: rows.table, in: rows.rules.diff).map { .rename($0) }
    return DroppedColumnHazard(hint: hint)
  }

  /// Another column that is declared as the new name of this one, and exists in the file beside it.
  private func newName(of column: SQLName, _ rows: ConcernedRows) -> SQLName? {
    guard let change = rows.rules.diff.changedTables.first(where: { $0.to.name == rows.table }),
      let hints = rows.rules.hints.tables[rows.table]
    else { return nil }
    // An older name may have been listed after a newer one.
    return change.to.columns.first { declared in
      hints.columns[declared.name]?.renamedFrom.first == column
        && !change.addedColumns.contains { $0.name == declared.name }
    }?.name
  }

  private func isDeclared(_ rows: ConcernedRows) -> Bool {
    rows.column.map { rows.rules.hints.tables[rows.table]?.removedColumns.contains($0) ?? false } ?? false
  }

  package func message(for hazard: Hazard) -> String {
    if let newerName {
      return "\(hazard.rowCount) \(hazard.count == 1 ? "differs" : "differ") under the two names of a column: "
        + "\(hazard.object) is dropped with its values, and \(newerName) keeps its own."
    }
    guard hazard.isCounted else { return "Column \(hazard.object) is dropped; its values were not counted." }
    return hazard.count == 0
      ? "Column \(hazard.object) is dropped; it holds no value here\(hazard.isUndo ? " but its default" : "")."
      : "Column \(hazard.object) is dropped with its values in \(hazard.rowCount)."
  }

  package func remedy(for hazard: Hazard) -> Remedy? {
    if let newerName, let column = hazard.column {
      let name = SQLName(column).quotedIfNeeded
      return "Give both names the right value, such as UPDATE \(SQLName(hazard.table).quotedIfNeeded) SET \(name) = "
        + "\(newerName.quotedIfNeeded) to keep the newer program's. Or allow the drop with \(consent(hazard))."
    }
    let hint = hint?.sentence(for: hazard) ?? ""
    return hazard.isCounted
      ? "\(hint)Allow the drop with \(consent(hazard)).\(.keepUndeclared)" : remedyOfLoss(hazard, hint: hint)
  }
}

extension HazardCode {
  /// Values are lost with a dropped column.
  public static let droppedColumn = Self("SK102", .destructive, "values dropped with a column")
}

/// SK102: values are lost with a dropped column.
///
/// Applies to columns that the declared table no longer has and that hold values other than NULL.
/// [DROP COLUMN](https://sqlite.org/lang_altertable.html#alter_table_drop_column) purges the values, and a copy leaves
/// them out. Destructive; a note if no row holds a value. The remedy is a rename hint, a declared removal, or consent.
/// removal, or consent.
package struct DroppedColumnHazard: HazardRule {
  package static let code = HazardCode.droppedColumn

  package func counted(_ rows: ConcernedRows) -> Hazard? {
    var hazard = found(
      rows,
      rows.count == 0
        ? "Column \(rows.object) is dropped; it holds no value here\(rows.rules.isUndo ? " but its default" : "")."
        : "Column \(rows.object) is dropped with its values in \(rows.inWords).",
      guess(rows) + "Allow the drop with \(consent(rows)).", consented: isDeclared(rows))
    hazard.isPotential = rows.count == 0
    return hazard
  }

  package func uncounted(_ rows: ConcernedRows) -> Hazard? {
    lost(
      rows, "Column \(rows.object) is dropped; its values were not counted.", hint: guess(rows),
      consented: isDeclared(rows))
  }

  private func guess(_ rows: ConcernedRows) -> String {
    guard let column = rows.column, !rows.rules.isUndo else { return "" }
    if let hints = rows.rules.hints.tables[rows.table], hints.renamedFrom.contains(column) {
      return "The hint \"renamed from \(column)\" stands for table \(rows.table); for a column it must stand on the "
        + "line on which the column begins. "
    }
    return idleRename(of: column, rows)
      ?? RenameGuess.column(column, of: rows.table, in: rows.rules.diff).asRemedy
  }

  /// The message if another column is declared as the new name of this one, and exists in the file beside it.
  private func idleRename(of column: SQLName, _ rows: ConcernedRows) -> String? {
    guard let change = rows.rules.diff.changedTables.first(where: { $0.to.name == rows.table }),
      let hints = rows.rules.hints.tables[rows.table]
    else { return nil }
    // An older name may have been listed after a newer one.
    let new = change.to.columns.first { declared in
      hints.columns[declared.name]?.renamedFrom.first == column
        && !change.addedColumns.contains { $0.name == declared.name }
    }
    return new.map {
      "\($0.name) is declared as renamed from \(column), but \($0.name) is there already, so nothing is renamed. To have "
        + "the values of \(column) in \($0.name), drop \($0.name) first, in a change of its own, or copy them with UPDATE. "
    }
  }

  private func isDeclared(_ rows: ConcernedRows) -> Bool {
    rows.column.map { rows.rules.hints.tables[rows.table]?.removedColumns.contains($0) ?? false } ?? false
  }
}

/// SK101: rows are lost with a dropped table.
///
/// Applies to every table that the declared schema no longer has. [DROP TABLE](https://sqlite.org/lang_droptable.html)
/// deletes the rows for good. Destructive; a note if the table is empty. The remedy is a rename hint, a declared
/// removal, or consent.
package struct DroppedTableHazard: HazardRule {
  package static let code = HazardCode.droppedTable

  package func counted(_ rows: ConcernedRows) -> Hazard? {
    var hazard = found(
      rows,
      rows.count == 0
        ? "Table \(rows.table) is dropped; it is empty here." : "Table \(rows.table) is dropped with \(rows.inWords).",
      guess(rows) + "Allow the drop with \(consent(rows)).", consented: isDeclared(rows))
    hazard.isPotential = rows.count == 0
    return hazard
  }

  package func uncounted(_ rows: ConcernedRows) -> Hazard? {
    lost(
      rows, "Table \(rows.table) is dropped with all rows; they were not counted.", hint: guess(rows),
      consented: isDeclared(rows))
  }

  private func guess(_ rows: ConcernedRows) -> String {
    guard !rows.rules.isUndo else { return "" }
    return idleRename(rows) ?? RenameGuess.table(rows.table, in: rows.rules.diff).asRemedy
  }

  /// The message if another table is declared as the new name of this one, and exists in the file beside it.
  private func idleRename(_ rows: ConcernedRows) -> String? {
    let added = Set(rows.rules.diff.addedTables.map(\.name))
    // An older name may have been listed after a newer one.
    let names = rows.rules.hints.tables.filter { $0.value.renamedFrom.first == rows.table && !added.contains($0.key) }
    return names.keys.min().map {
      "\($0) is declared as renamed from \(rows.table), but \($0) is there already, so nothing is renamed. To have the "
        + "rows of \(rows.table) in \($0), drop \($0) first, in a change of its own, or copy them with INSERT. "
    }
  }

  private func isDeclared(_ rows: ConcernedRows) -> Bool { rows.rules.hints.removedTables.contains(rows.table) }
}

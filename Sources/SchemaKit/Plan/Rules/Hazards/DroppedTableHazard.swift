/// SK101: rows go with a dropped table.
///
/// Applies to every table that the declared schema has no more. [DROP TABLE](https://sqlite.org/lang_droptable.html)
/// takes the rows for good. Destructive; a note where the table is empty. The way out is the hint of a rename, a
/// declared removal, or consent.
struct DroppedTableHazard: HazardRule {
  static let code = HazardCode.droppedTable

  func counted(_ rows: ConcernedRows) -> Hazard? {
    var hazard = found(
      rows,
      rows.count == 0
        ? "Table \(rows.table) is dropped; it is empty here." : "Table \(rows.table) is dropped with \(rows.inWords).",
      guess(rows) + "Allow the drop with \(consent(rows)).", consented: isDeclared(rows))
    hazard.isPotential = rows.count == 0
    return hazard
  }

  func uncounted(_ rows: ConcernedRows) -> Hazard? {
    lost(
      rows, "Table \(rows.table) is dropped with all rows; they were not counted.", hint: guess(rows),
      consented: isDeclared(rows))
  }

  private func guess(_ rows: ConcernedRows) -> String {
    rows.rules.isUndo ? "" : RenameGuess.table(rows.table, in: rows.rules.diff).asRemedy
  }

  private func isDeclared(_ rows: ConcernedRows) -> Bool { rows.rules.hints.removedTables.contains(rows.table) }
}

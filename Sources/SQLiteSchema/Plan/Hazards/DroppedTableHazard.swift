/// SK101: rows are lost with a dropped table.
///
/// Applies to every table that the declared schema no longer has. [DROP TABLE](https://sqlite.org/lang_droptable.html)
/// deletes the rows for good. Destructive; a note if the table is empty. The remedy is a rename hint, a declared
/// removal, or consent.
package struct DroppedTableHazard: HazardRule {
  package static let code = HazardCode.droppedTable

  package static func rule(for kind: RowCheckResults.Finding.Kind) -> (any HazardRule)? {
    if case .droppedTable = kind { Self() } else { nil }
  }

  /// The author's likely intention.
  package var hint: DropHint?

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

  private func hinted(_ rows: ConcernedRows) -> DroppedTableHazard {
    guard !rows.rules.isUndo else { return self }
    let hint =
      newName(of: rows).map { DropHint.taken(by: $0) }
      ?? RenameGuess.table(rows.table, in: rows.rules.diff).map { .rename($0) }
    return DroppedTableHazard(hint: hint)
  }

  /// Another table that is declared as the new name of this one, and exists in the file beside it.
  private func newName(of rows: ConcernedRows) -> SQLName? {
    let added = Set(rows.rules.diff.addedTables.map(\.name))
    // An older name may have been listed after a newer one.
    let names = rows.rules.hints.tables.filter { $0.value.renamedFrom.first == rows.table && !added.contains($0.key) }
    return names.keys.min()
  }

  private func isDeclared(_ rows: ConcernedRows) -> Bool { rows.rules.hints.removedTables.contains(rows.table) }

  package func message(for hazard: Hazard) -> String {
    guard hazard.isCounted else { return "Table \(hazard.table) is dropped with all rows; they were not counted." }
    return hazard.count == 0
      ? "Table \(hazard.table) is dropped; it is empty here."
      : "Table \(hazard.table) is dropped with \(hazard.rowCount)."
  }

  package func remedy(for hazard: Hazard) -> Remedy? {
    let hint = hint?.sentence(for: hazard) ?? ""
    return hazard.isCounted ? "\(hint)Allow the drop with \(consent(hazard))." : remedyOfLoss(hazard, hint: hint)
  }
}

/// A likely intention of the author where something is dropped.
package enum DropHint: Sendable, Hashable {
  /// It was renamed to something that was added.
  case rename(RenameOption)
  /// It is declared as the former name of something that is there already.
  case taken(by: SQLName)
  /// The former name of the column stands where it counts for the table.
  case atTable
}

extension DropHint {
  /// The beginning of a remedy, with a space at its end.
  package func sentence(for hazard: Hazard) -> Remedy {
    let old = hazard.column ?? hazard.table
    return switch self {
    case .rename(let rename): "If it was renamed, say so: \(.rename(hint: rename.hint, option: rename.text)). "
    case .atTable:
      "The hint \"renamed from \(old)\" stands for table \(hazard.table); for a column it must stand on the "
        + "line on which the column begins. "
    case .taken(let new):
      "\(new) is declared as renamed from \(old), but \(new) is there already, so nothing is renamed. To have the "
        + "\(hazard.column == nil ? "rows" : "values") of \(old) in \(new), drop \(new) first, in a change of its own, "
        + "or copy them with \(hazard.column == nil ? "INSERT" : "UPDATE"). "
    }
  }
}

extension HazardCode {
  /// Rows are lost with a dropped table.
  public static let droppedTable = Self("SK101", .destructive, "rows dropped with a table")
}

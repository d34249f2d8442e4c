/// SK104: rows would hold NULL where the declared schema rejects it.
///
/// Applies to columns that get [NOT NULL](https://sqlite.org/lang_createtable.html#not_null_constraints), explicitly or
/// as part of a key, and to the column that becomes the [rowid](https://sqlite.org/lang_createtable.html#rowid), where
/// SQLite would not reject NULL but assign a number. Blocked. The remedy is a default or a backfill, or to fix the
/// rows.
package struct NullsUnderNotNullHazard: HazardRule {
  package static let code = HazardCode.nullsUnderNotNull

  package func counted(_ rows: ConcernedRows) -> Hazard? {
    guard rows.count > 0 else { return nil }
    return found(
      rows, "\(rows.object) becomes NOT NULL, but \(rows.inWords) would have NULL there.",
      rows.rules.isUndo ? wayBack(rows) : remedy(rows))
  }

  private func remedy(_ rows: ConcernedRows) -> String {
    if rows.hasFill {
      return "The fill of \(rows.object) gives NULL for them: let it give a value, or give these rows one first."
    }
    return
      "Declare a DEFAULT, or what they get: \"-- schemakit: fill EXPR\" on the line of the column, backfill(sql:) in a "
      + "model. Or give these rows a value first."
  }

  /// Undoing has no declaration that could say more: rows added since have no value from before.
  private func wayBack(_ rows: ConcernedRows) -> String {
    let kept = rows.rules.hints.keptColumns.first { $0.table == rows.table && $0.column == rows.column }
    guard let kept else { return "Give these rows a value first, or delete them." }
    let values = kept.columns.map { $0 == kept.column ? "VALUE" : $0.quotedIfNeeded }.joined(separator: ", ")
    return
      "Give each a value among what was kept: INSERT INTO \(kept.storage) VALUES (\(values)). Or delete these rows."
  }

  package func uncounted(_ rows: ConcernedRows) -> Hazard? {
    if rows.isFilledByDefault { return nil }
    return refused(
      rows, "\(rows.object) becomes NOT NULL; whether rows would have NULL there was not examined.",
      isNoticed: !rows.isRowID && (rows.rules.engineChecksRows || !rows.isGenerated))
  }
}

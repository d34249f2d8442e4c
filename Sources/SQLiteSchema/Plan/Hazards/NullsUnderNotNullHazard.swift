/// SK104: rows would hold NULL where the declared schema rejects it.
///
/// Applies to columns that get [NOT NULL](https://sqlite.org/lang_createtable.html#not_null_constraints), explicitly or
/// as part of a key, and to the column that becomes the [rowid](https://sqlite.org/lang_createtable.html#rowid), where
/// SQLite would not reject NULL but assign a number. Blocked. The remedy is a default or a backfill, or to fix the
/// rows.
package struct NullsUnderNotNullHazard: HazardRule {
  package static let code = HazardCode.nullsUnderNotNull

  package static func rule(for kind: RowCheckResults.Finding.Kind) -> (any HazardRule)? {
    if case .nulls = kind { Self() } else { nil }
  }

  /// True if a declared fill gives NULL for the rows.
  package var hasFill = false
  /// True if an expression gives the value.
  package var isGenerated = false
  /// Where undo finds what was kept of the column.
  package var kept: Kept?

  /// The values that a dropped column held, by keys.
  package struct Kept: Sendable, Hashable {
    package var storage: SQLName
    package var column: SQLName
    package var columns: [SQLName]
  }

  package init(hasFill: Bool = false, isGenerated: Bool = false, kept: Kept? = nil) {
    self.hasFill = hasFill
    self.isGenerated = isGenerated
    self.kept = kept
  }

  package func counted(_ rows: ConcernedRows) -> Hazard? {
    guard rows.count > 0 else { return nil }
    let kept = rows.rules.hints.keptColumns.first { $0.table == rows.table && $0.column == rows.column }
    return NullsUnderNotNullHazard(
      hasFill: rows.hasFill, isGenerated: rows.isGenerated,
      kept: kept.flatMap { kept in
        kept.column.map { Kept(storage: kept.storage, column: $0, columns: kept.columns) }
      }
    ).found(rows)
  }

  package func uncounted(_ rows: ConcernedRows) -> Hazard? {
    if rows.isFilledByDefault { return nil }
    return refused(rows, isNoticed: !rows.isRowID && (rows.rules.engineChecksRows || !rows.isGenerated))
  }

  package func message(for hazard: Hazard) -> String {
    hazard.isCounted
      ? "\(hazard.object) becomes NOT NULL, but \(hazard.rowCount) would have NULL there."
      : "\(hazard.object) becomes NOT NULL; whether rows would have NULL there was not examined."
  }

  package func remedy(for hazard: Hazard) -> Remedy? {
    guard hazard.isCounted else { return remedyOfRefusal(hazard) }
    if hazard.isUndo { return Remedy(wayBack) }
    if isGenerated {
      return
        "Let the expression of \(hazard.object) give a value for them, or give the columns that it reads one first."
    }
    if hasFill {
      return "The fill of \(hazard.object) gives NULL for them: let it give a value, or give these rows one first."
    }
    return
      "Declare a DEFAULT, or what they get: \(.fill). Or give these rows a value first."
  }

  /// Undoing has no declaration that could say more: rows added since have no value from before.
  private var wayBack: String {
    guard let kept else { return "Give these rows a value first, or delete them." }
    let values = kept.columns.map { $0 == kept.column ? "VALUE" : $0.quotedIfNeeded }.joined(separator: ", ")
    return
      "Give each a value among what was kept: INSERT INTO \(kept.storage) VALUES (\(values)). Or delete these rows."
  }
}

extension HazardCode {
  /// Rows hold NULL where the new schema rejects it.
  public static let nullsUnderNotNull = Self("SK104", .blocked, "NULL under a new NOT NULL")
}

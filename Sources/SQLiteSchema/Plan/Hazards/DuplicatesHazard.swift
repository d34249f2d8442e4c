/// SK105: rows are equal where the declared schema requires them to be distinct.
///
/// Applies to what becomes [UNIQUE](https://sqlite.org/lang_createtable.html#unique_constraints), a unique index or a
/// primary key, or gets another collation there; NULL is distinct from NULL. Blocked. The remedy is to make the rows
/// distinct.
package struct DuplicatesHazard: HazardRule {
  package static let code = HazardCode.duplicates

  /// The constraint, as text.
  package let columns: String

  package init(columns: String) { self.columns = columns }

  package var cause: HazardCause { .duplicates(self) }

  package func counted(_ rows: ConcernedRows) -> Hazard? { rows.count > 0 ? found(rows) : nil }

  package func uncounted(_ rows: ConcernedRows) -> Hazard? { refused(rows) }

  package func message(for hazard: Hazard) -> String {
    hazard.isCounted
      ? "\(hazard.rowCount) of \(hazard.table) are not distinct in \(columns)."
      : "Whether the rows of \(hazard.table) are distinct in \(columns) was not examined."
  }

  package func remedy(for hazard: Hazard) -> String? {
    hazard.isCounted ? "Make them distinct first." : remedyOfRefusal(hazard)
  }
}

/// SK105: rows are equal where the declared schema requires them to be distinct.
///
/// Applies to what becomes [UNIQUE](https://sqlite.org/lang_createtable.html#unique_constraints), a unique index or a
/// primary key, or gets another collation there; NULL is distinct from NULL. Blocked. The remedy is to make the rows
/// distinct.
package struct DuplicatesHazard: HazardRule {
  package static let code = HazardCode.duplicates

  /// The constraint, as text.
  package let columns: String

  package func counted(_ rows: ConcernedRows) -> Hazard? {
    guard rows.count > 0 else { return nil }
    return found(rows, "\(rows.inWords) of \(rows.table) are not distinct in \(columns).", "Make them distinct first.")
  }

  package func uncounted(_ rows: ConcernedRows) -> Hazard? {
    refused(rows, "Whether the rows of \(rows.table) are distinct in \(columns) was not examined.")
  }
}

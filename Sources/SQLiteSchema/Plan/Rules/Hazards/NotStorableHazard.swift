/// SK108: the new type of a column cannot store existing values.
///
/// Applies to columns of tables that are or become [STRICT](https://sqlite.org/stricttables.html), and to the column
/// that becomes the [rowid](https://sqlite.org/lang_createtable.html#rowid), which holds integers only. SQLite does not
/// test computed columns in a copy. Blocked. The remedy is a conversion, or to fix the rows.
package struct NotStorableHazard: HazardRule {
  package static let code = HazardCode.notStorable

  /// The new type, as text.
  package let type: String

  package func counted(_ rows: ConcernedRows) -> Hazard? {
    guard rows.count > 0 else { return nil }
    return found(
      rows, "\(rows.inWords) of \(rows.object) \(rows.verb("hold")) a value that \(type) cannot store.",
      "Declare a conversion for the column, or fix these rows first.")
  }

  package func uncounted(_ rows: ConcernedRows) -> Hazard? {
    refused(
      rows, "Whether \(type) can store every value of \(rows.object) was not examined.", isNoticed: !rows.isGenerated)
  }
}

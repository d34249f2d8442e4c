/// SK108: the new type of a column cannot store existing values.
///
/// Applies to columns of tables that are or become [STRICT](https://sqlite.org/stricttables.html), and to the column
/// that becomes the [rowid](https://sqlite.org/lang_createtable.html#rowid), which holds integers only. SQLite does not
/// test computed columns in a copy. Blocked. The remedy is a conversion, or to fix the rows.
package struct NotStorableHazard: HazardRule {
  package static let code = HazardCode.notStorable

  package static func rule(for kind: RowCheckResults.Finding.Kind) -> (any HazardRule)? {
    if case .notStorable(let type) = kind { Self(type: type.typeName) } else { nil }
  }

  /// The new type, as text.
  package let type: String

  package func counted(_ rows: ConcernedRows) -> Hazard? { rows.count > 0 ? found(rows) : nil }

  package func uncounted(_ rows: ConcernedRows) -> Hazard? { refused(rows, isNoticed: !rows.isGenerated) }

  package func message(for hazard: Hazard) -> String {
    hazard.isCounted
      ? "\(hazard.rowCount) of \(hazard.object) \(hazard.verb("hold")) a value that \(type) cannot store."
      : "Whether \(type) can store every value of \(hazard.object) was not examined."
  }

  package func remedy(for hazard: Hazard) -> Remedy? {
    hazard.isCounted
      ? "Declare a conversion for the column, or fix these rows first." : remedyOfRefusal(hazard)
  }
}

extension HazardCode {
  /// Values cannot be stored under the column's new type.
  public static let notStorable = Self("SK108", .blocked, "values not storable in the new type")
}

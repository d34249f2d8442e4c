/// SK105: rows are equal where the declared schema requires them to be distinct.
///
/// Applies to what becomes [UNIQUE](https://sqlite.org/lang_createtable.html#unique_constraints), a unique index or a
/// primary key, or gets another collation there; NULL is distinct from NULL. Blocked. The remedy is to make the rows
/// distinct.
package struct DuplicatesHazard: HazardRule {
  package static let code = HazardCode.duplicates

  package static func rule(for kind: RowCheckResults.Finding.Kind) -> (any HazardRule)? {
    if case .duplicates(let columns, let names) = kind { Self(columns: columns, newColumns: names) } else { nil }
  }

  /// The constraint, as text.
  package let columns: String
  /// The columns among those that it reads that come with the change; before the rows are known, all that it reads.
  package let newColumns: [SQLName]

  package init(columns: String, newColumns: [SQLName] = []) {
    self.columns = columns
    self.newColumns = newColumns
  }

  package func counted(_ rows: ConcernedRows) -> Hazard? { rows.count > 0 ? among(rows).found(rows) : nil }

  package func uncounted(_ rows: ConcernedRows) -> Hazard? { among(rows).refused(rows) }

  /// The rule with the new columns of the table.
  private func among(_ rows: ConcernedRows) -> DuplicatesHazard {
    let added = rows.rules.isUndo ? [] : rows.change?.addedColumns.filter { $0.generation == nil }.map(\.name) ?? []
    return DuplicatesHazard(columns: columns, newColumns: newColumns.filter(added.contains))
  }

  package func message(for hazard: Hazard) -> String {
    hazard.isCounted
      ? "\(hazard.rowCount) of \(hazard.table) are not distinct in \(columns)."
      : "Whether the rows of \(hazard.table) are distinct in \(columns) was not examined."
  }

  package func remedy(for hazard: Hazard) -> Remedy? {
    guard hazard.isCounted else { return remedyOfRefusal(hazard) }
    guard !newColumns.isEmpty else { return "Make them distinct first." }
    return
      "\(Wording.list(newColumns.map(\.text))) \(newColumns.count == 1 ? "comes" : "come") with this change: say what "
      + "each row gets, with \(.fill), or leave "
      + "DEFAULT and NOT NULL out: NULLs are distinct."
  }
}

extension HazardCode {
  /// Rows are equal where the new schema requires them to be distinct.
  public static let duplicates = Self("SK105", .blocked, "duplicates under a new UNIQUE")
}

/// Decides whether a table can be dropped and created with foreign keys on although rows refer to it.
///
/// Applies if no foreign key to the table has an action on delete: then deleting the rows only violates the keys, and
/// that is settled when they are back. `PRAGMA defer_foreign_keys` defers RESTRICT as well
/// ([PRAGMA defer_foreign_keys](https://sqlite.org/pragma.html#pragma_defer_foreign_keys)).
enum SettleRule {
  /// The reason why it cannot; nil if it can.
  static func rejection(of table: ReferencedTable) -> Rejection? {
    table.inbound.first(where: \.hasDeleteAction).map {
      Rejection(.deleteAction, $0.child.name.text, $0.key.onDelete.rawValue)
    }
  }

  static func statements(for table: ReferencedTable) throws(SQLSyntaxError) -> [PlannedStatement] {
    try table.statements()
  }
}

extension MigrationStep.Strategy {
  /// With foreign keys on: rows are put aside while the table is dropped and created. No foreign key to it has an action on delete.
  public static let settle = Self(
    "settle", .copy, refusal: "nor can the references be left alone",
    rejections: [.deleteAction, .referenceTypes, .checksCannotBeIgnored, .dearer], motives: [.referencesSettle]
  ) {
    $0.remakesTable = true
    $0.hasAlternative = true
  }
}

extension Rejection.Code {
  package static let deleteAction = Self("deleteAction") { "a foreign key of \($0[0]) says ON DELETE \($0[1])" }
  package static let referenceTypes = Self("referenceTypes") {
    "column \($0[1]) of \($0[0]) has another type than the key it refers to, and SQLite would miscount its values"
  }
  package static let checksCannotBeIgnored = Self(
    "checksCannotBeIgnored", "a CHECK of the table would see rows that are half done, and cannot be suspended here")
  package static let dearer = Self("dearer") {
    "it would read or write about \($0.counted(0, "row")), against \($0[1]) in the way chosen"
  }
}

extension Motive.Code {
  package static let referencesSettle = Self("referencesSettle") {
    "foreign keys stay on: no row of \($0.counted(0, "table")) that \($0.word(0, "refers", "refer")) to it changes, and all keys are "
      + "checked at the end"
  }
}

extension Planner {
  func settle(_ table: ReferencedTable) -> ReferencedCandidate {
    let rows = rowCount(of: table.name)
    var way = ReferencedCandidate(strategy: .settle, rejection: SettleRule.rejection(of: table))
    (way.cost, way.rows) = ((2 + table.inbound.count) * rows, rows)
    way.createdIndexes = table.keyIndexes.map(\.name)
    if !table.inbound.isEmpty { way.motive = Motive(.referencesSettle, Set(table.inbound.map(\.child.name)).count) }
    way.statements = { () throws(SQLSyntaxError) in try SettleRule.statements(for: table) }
    return way
  }
}

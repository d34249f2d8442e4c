/// Decides whether a table can be dropped and created with foreign keys on although rows refer to it.
///
/// Applies if no foreign key to the table has an action on delete: then deleting the rows only violates the keys, and
/// that is settled when they are back. `PRAGMA defer_foreign_keys` defers RESTRICT as well
/// ([PRAGMA defer_foreign_keys](https://sqlite.org/pragma.html#pragma_defer_foreign_keys)).
enum SettleRule {
  /// Why it cannot; nil if it can.
  static func rejection(of table: ReferencedTable) -> Rejection? {
    table.inbound.first(where: \.hasDeleteAction).map {
      Rejection(.deleteAction, $0.child.name.text, $0.key.onDelete.rawValue)
    }
  }

  static func statements(for table: ReferencedTable) throws(SQLSyntaxError) -> [PlannedStatement] {
    try table.statements()
  }
}

import SchemaKit

/// Finds foreign keys whose action would store NULL where it is not allowed.
struct ForeignKeyNullRule: LintRule {
  let code = LintCode.foreignKeyNull
  let severity = Finding.Severity.warning
  let title = "foreign key action that can only fail"
  let reason =
    "SET NULL on a column that is NOT NULL, or SET DEFAULT where the default is NULL, makes the delete or update of the parent fail"
  let remedy = "choose CASCADE or RESTRICT, or allow NULL"
  let page = "https://sqlite.org/foreignkeys.html#fk_actions"

  func findings(in subject: LintSubject) -> [Finding] {
    subject.tables.flatMap { table in
      table.foreignKeys.flatMap { key in
        [("ON DELETE", key.onDelete, "deleted"), ("ON UPDATE", key.onUpdate, "given another key")].compactMap {
          event, action, verb in
          guard let column = key.columns.compactMap({ table.column($0) }).first(where: { fails(action, $0, of: table) })
          else { return nil }
          let cause = action == .setNull ? "refuses NULL" : "refuses NULL and has no other default"
          return finding(
            on: .column, column.name, of: table.name, at: subject.offset(of: key, in: table.name),
            message:
              "\(table.name.dotted(column.name)) \(cause), and its foreign key says \(event) \(action.rawValue): a "
              + "row of \(key.parent.quotedIfNeeded) that has children cannot be \(verb).",
            fix: "Say CASCADE or RESTRICT instead, or let \(column.name.quotedIfNeeded) be NULL.")
        }
      }
    }
  }

  private func fails(_ action: ForeignKeyAction, _ column: ColumnSchema, of table: TableSchema) -> Bool {
    guard column.isNotNull || table.rowIDAlias?.name == column.name else { return false }
    switch action {
    case .setNull: return true
    case .setDefault: return column.defaultValue?.isNull ?? true
    case .cascade, .noAction, .restrict: return false
    }
  }
}

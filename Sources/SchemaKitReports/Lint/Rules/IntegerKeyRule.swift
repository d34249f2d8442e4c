import SchemaKit

/// Finds keys that were meant to be the rowid and are not.
struct IntegerKeyRule: LintRule {
  let code = LintCode.integerKey
  let severity = Finding.Severity.warning
  let title = "integer key that is not the rowid"
  let reason =
    "only `INTEGER PRIMARY KEY`, spelled exactly so, is an alias for the rowid; `INT` or `BIGINT` keys need an index of their own and get no number by themselves"
  let remedy = "write `INTEGER PRIMARY KEY`, or declare the table WITHOUT ROWID"
  let page = "https://sqlite.org/lang_createtable.html#rowid"

  func findings(in subject: LintSubject) -> [Finding] {
    subject.tables.compactMap { table in
      guard let column = Self.column(of: table) else { return nil }
      let isInteger = column.comparableType == "INTEGER"
      let declared = isInteger ? "INTEGER PRIMARY KEY DESC" : "\(column.type ?? "") PRIMARY KEY"
      let nulls = column.isNotNull ? "" : ", and every row may have NULL for a key"
      return finding(
        on: .column, column.name, of: table.name, at: subject.offset(of: column.name, in: table.name),
        message:
          "\(table.name.dotted(column.name)) is \(declared), which is not an alias for the rowid: it takes an "
          + "index of its own, new rows get no number by themselves\(nulls).",
        fix: "Declare it INTEGER PRIMARY KEY.")
    }
  }

  /// The column of such a key, if a table has one.
  static func column(of table: TableSchema) -> ColumnSchema? {
    guard !table.isWithoutRowID, let key = table.primaryKey, !key.isRowIDAlias, key.columns.count == 1,
      let column = table.column(key.columns[0].name), column.affinity == .integer
    else { return nil }
    return column
  }
}

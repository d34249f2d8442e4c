/// An ordinary table, as its CREATE TABLE statement declares it.
package struct TableSchema: Sendable, Hashable {
  package var name: SQLName
  package var columns: [ColumnSchema]
  package var primaryKey: PrimaryKeySchema?
  package var uniques: [UniqueSchema]
  package var checks: [CheckSchema]
  package var foreignKeys: [ForeignKeySchema]
  package var isStrict: Bool
  package var isWithoutRowID: Bool
  /// The CREATE TABLE statement.
  package var sql: String
}

extension TableSchema {
  /// The column of a name, or nil.
  package func column(_ name: SQLName) -> ColumnSchema? { columns.first { $0.name == name } }

  /// The columns that rows store or compute when read, but that nobody writes.
  package var generatedColumns: [ColumnSchema] { columns.filter { $0.generation != nil } }

  /// The columns that an INSERT may name.
  package var writableColumns: [ColumnSchema] { columns.filter { $0.generation == nil } }

  /// The column that is another name of the rowid, if there is one.
  package var rowIDAlias: ColumnSchema? {
    guard let primaryKey, primaryKey.isRowIDAlias else { return nil }
    return column(primaryKey.columns[0].name)
  }

  /// A name by which a query can reach the rowid: nil for WITHOUT ROWID tables, and when columns took all three names.
  package var rowIDName: String? {
    if isWithoutRowID { return nil }
    return ["rowid", "oid", "_rowid_"].first { column(SQLName($0)) == nil }
  }

  /// A name of the rowid, or of the column that is the rowid.
  package var rowKey: String? { rowIDAlias?.name.quoted ?? rowIDName }
}

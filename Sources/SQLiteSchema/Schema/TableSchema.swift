/// An ordinary table, as its CREATE TABLE statement declares it.
package struct TableSchema: Sendable, Hashable {
  package var name: SQLName
  package var columns: [ColumnSchema] { didSet { positions = ColumnPositions(columns) } }
  package var primaryKey: PrimaryKeySchema?
  package var uniques: [UniqueSchema]
  package var checks: [CheckSchema]
  package var foreignKeys: [ForeignKeySchema]
  package var isStrict: Bool
  package var isWithoutRowID: Bool
  /// The CREATE TABLE statement.
  package var sql: String
  /// The index of each column; derived from `columns`, which is therefore best changed as a whole.
  package private(set) var positions: ColumnPositions

  /// A table without constraints.
  package init(name: SQLName, columns: [ColumnSchema], isStrict: Bool, isWithoutRowID: Bool, sql: String) {
    self.name = name
    self.columns = columns
    self.isStrict = isStrict
    self.isWithoutRowID = isWithoutRowID
    self.sql = sql
    positions = ColumnPositions(columns)
    uniques = []
    checks = []
    foreignKeys = []
  }
}

/// Finds the columns of a table by name. Derived from the columns alone, so all values compare as equal.
package struct ColumnPositions: Sendable, Hashable {
  private let indexes: [SQLName: Int]

  package init(_ columns: [ColumnSchema]) {
    indexes = Dictionary(
      columns.enumerated().map { ($0.element.name, $0.offset) }, uniquingKeysWith: { first, _ in first })
  }

  package subscript(name: SQLName) -> Int? { indexes[name] }

  package static func == (left: ColumnPositions, right: ColumnPositions) -> Bool { true }
  package func hash(into hasher: inout Hasher) {}
}

extension TableSchema {
  /// The column with a name; nil if it does not exist.
  package func column(_ name: SQLName) -> ColumnSchema? { positions[name].map { columns[$0] } }

  /// The index of the column with a name; nil if it does not exist.
  package func position(of name: SQLName) -> Int? { positions[name] }

  /// The columns that rows store or compute when read, but that nobody writes.
  package var generatedColumns: [ColumnSchema] { columns.filter { $0.generation != nil } }

  /// The columns of the primary key and of the UNIQUE constraints.
  package var keyColumns: [SQLName] {
    (primaryKey?.columns ?? []).map(\.name) + uniques.flatMap { $0.columns.map(\.name) }
  }

  /// The columns that an INSERT may name.
  package var writableColumns: [ColumnSchema] { columns.filter { $0.generation == nil } }

  /// True if no row can have NULL in a column: by NOT NULL, or as the key by which rows are stored.
  ///
  /// See [The PRIMARY KEY](https://sqlite.org/lang_createtable.html#the_primary_key).
  package func refusesNull(in column: ColumnSchema) -> Bool {
    column.isNotNull || rowIDAlias?.name == column.name
      || (isWithoutRowID && primaryKey?.columns.contains { $0.name == column.name } == true)
  }

  /// The column that is an alias of the rowid, if there is one.
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

  /// True if rows keep the rowid or primary key that identifies them when one version of the table replaces another. A
  /// key of another type may have other values: 22 is stored as 22.0 in a REAL column, and a conversion takes any value.
  ///
  /// - Parameter formerName: The former name of a column of this version.
  package func keepsRowKeys(of former: TableSchema, formerName: (SQLName) -> SQLName) -> Bool {
    guard former.isWithoutRowID == isWithoutRowID else { return false }
    if isWithoutRowID {
      let key = primaryKey?.columns.map(\.name) ?? []
      return key.map(formerName) == former.primaryKey?.columns.map(\.name)
        && key.allSatisfy { name in
          former.column(formerName(name)).flatMap { column(name)?.hasSameType(as: $0) } ?? false
        }
    }
    guard former.rowKey != nil, rowKey != nil else { return false }
    return rowIDAlias.map { formerName($0.name) == former.rowIDAlias?.name } ?? true
  }
}

extension TableSchema {
  /// The table as if its columns had other names, for comparison only: the statement is unchanged.
  ///
  /// - Parameter former: The former names, by the new ones.
  package func renamingColumns(_ former: [SQLName: SQLName]) -> TableSchema {
    let new = Dictionary(former.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    func name(_ old: SQLName) -> SQLName { new[old] ?? old }
    var table = self
    table.columns = columns.map { column in
      var column = column
      column.name = name(column.name)
      return column
    }
    if let key = primaryKey {
      table.primaryKey?.columns = key.columns.map {
        KeyColumn(name: name($0.name), collation: $0.collation, isDescending: $0.isDescending)
      }
    }
    table.uniques = uniques.map { unique in
      UniqueSchema(
        columns: unique.columns.map {
          KeyColumn(name: name($0.name), collation: $0.collation, isDescending: $0.isDescending)
        },
        conflict: unique.conflict)
    }
    table.foreignKeys = foreignKeys.map { key in
      var key = key
      key.columns = key.columns.map(name)
      return key
    }
    return table
  }
}

import OrderedCollections

extension RecordReader {
  /// Reads what the database declares.
  ///
  /// *Cost:* reads the catalog; no rows.
  ///
  /// - Throws: `SQLiteError` if the catalog cannot be read.
  public func storedSchema() throws -> StoredSchema { try StoredSchema(of: connection) }
}

extension SchemaInspector {
  /// Reads what the database declares.
  ///
  /// *Cost:* reads the catalog; no rows.
  public func storedSchema() throws -> StoredSchema { try StoredSchema(of: connection) }
}

extension StoredSchema {
  init(of connection: SQLiteConnection) throws {
    let schema = try SchemaReader.read(connection)
    tables =
      try schema.tables.values.map { try Table($0, in: schema, columns: Column.all(of: $0.name, $0, connection)) }
      + schema.virtualTables.values.map { try Table($0, columns: Column.all(of: $0.name, nil, connection)) }
    views = schema.views.values.map { view in
      View(
        name: view.name.text, columns: (try? Column.all(of: view.name, nil, connection)) ?? [], sql: view.sql)
    }
    triggers = schema.triggers.values.map(Trigger.init)
  }
}

extension StoredSchema.Table {
  fileprivate init(_ table: TableSchema, in schema: DatabaseSchema, columns: [StoredSchema.Column]) {
    name = table.name.text
    self.columns = columns
    primaryKey = table.primaryKey?.columns.map { table.spelling($0.name) } ?? []
    isAutoincrement = table.primaryKey?.isAutoincrement ?? false
    uniqueConstraints = table.uniques.map { unique in
      StoredSchema.UniqueConstraint(columns: unique.columns.map { table.spelling($0.name) })
    }
    checks = table.checks.map { StoredSchema.Check(name: $0.name?.text, expression: $0.expression.text) }
    foreignKeys = table.foreignKeys.map { key in
      let parent = schema.tables[key.parent]
      let implied = key.parentColumns.isEmpty ? parent?.primaryKey?.columns.map(\.name) : nil
      return StoredSchema.ForeignKey(
        columns: key.columns.map(table.spelling), parentTable: parent?.name.text ?? key.parent.text,
        parentColumns: (implied ?? key.parentColumns).map { parent?.spelling($0) ?? $0.text },
        onDelete: key.onDelete, onUpdate: key.onUpdate, isDeferred: key.isDeferrable && key.isInitiallyDeferred)
    }
    indexes = schema.indexes(on: table.name).map { StoredSchema.Index($0, on: table) }
    isStrict = table.isStrict
    isWithoutRowID = table.isWithoutRowID
    module = nil
    sql = table.sql
  }

  fileprivate init(_ table: VirtualTableSchema, columns: [StoredSchema.Column]) {
    name = table.name.text
    self.columns = columns
    (primaryKey, isAutoincrement, uniqueConstraints) = ([], false, [])
    (checks, foreignKeys, indexes) = ([], [], [])
    (isStrict, isWithoutRowID) = (false, false)
    module = table.module.text
    sql = table.sql
  }
}

extension StoredSchema.Column {
  /// The columns of a table, virtual table or view.
  ///
  /// - Parameter table: The table as its statement declares it; nil if it is not an ordinary table.
  fileprivate static func all(
    of name: SQLName, _ table: TableSchema?, _ connection: SQLiteConnection
  ) throws -> [StoredSchema.Column] {
    // cid, name, type, notnull, dflt_value, pk, hidden
    try connection.rows("PRAGMA main.table_xinfo(\(name.quoted))").map { row in
      let name = row[1].text ?? ""
      let column = table?.column(SQLName(name))
      let position = row[5].integer ?? 0
      return StoredSchema.Column(
        name: name, type: column.map { $0.type ?? "" } ?? row[2].text ?? "", isNotNull: row[3].integer != 0,
        defaultValue: row[4].text, primaryKeyPosition: position == 0 ? nil : Int(position),
        collation: column?.collation?.text ?? "BINARY",
        generated: column?.generation.map {
          StoredSchema.Generated(expression: $0.expression.text, isStored: $0.isStored)
        }, isHidden: row[6].integer == 1)
    }
  }
}

extension StoredSchema.Index {
  fileprivate init(_ index: IndexSchema, on table: TableSchema) {
    name = index.name.text
    isUnique = index.isUnique
    terms = index.terms.map { term in
      Term(
        column: term.column.map(table.spelling), expression: term.expression.text,
        collation: term.collation?.text ?? "BINARY", isDescending: term.isDescending)
    }
    condition = index.predicate?.text
    sql = index.sql
  }
}

extension StoredSchema.Trigger {
  fileprivate init(_ trigger: TriggerSchema) {
    name = trigger.name.text
    table = trigger.table.text
    event = trigger.event
    updateColumns = trigger.updateColumns.map(\.text)
    sql = trigger.sql
    let statement = try? SQLParser.create(trigger.sql)
    timing = if case .trigger(let read)? = statement { (read.timing ?? .before).rawValue } else { "BEFORE" }
  }
}

extension TableSchema {
  /// A column's name as its definition spells it.
  fileprivate func spelling(_ name: SQLName) -> String { column(name)?.name.text ?? name.text }
}

// Rows of Codable types, without a model. Nothing verified their tables when the database was opened, so each call looks
// at the columns.

extension RecordReader {
  /// Runs an SQL query and decodes its rows into a `Decodable` type, by the names of the columns.
  ///
  /// ```swift
  /// struct Total: Decodable { let author: String; let notes: Int }
  /// let totals = try session.query("SELECT author, count(*) AS notes FROM notes GROUP BY author", as: Total.self)
  /// let titles = try session.query("SELECT title FROM notes", as: String.self)
  /// ```
  ///
  /// Values are read as their types store them in a column of a model: see ``ColumnValue``. A property of another
  /// Codable type is read from JSON text. NULL is nil; columns that the type does not have are passed over. A column that a
  /// model stores by a coding, such as `.scaled(digits:)`, is an error for the model's type, where SQLite tells from which
  /// column a value comes; not in an expression: read the stored number or text there.
  ///
  /// - Parameter type: A type with a property for each column, or, for a result of one column, the type of its values.
  /// - Throws: ``RecordError`` for a property without a column, also an optional one, and ``ColumnValueError`` with the
  ///   column for a value that does not fit.
  public func query<Row: Decodable>(
    _ sql: SQL, _ values: [(any ColumnValue)?] = [], as type: Row.Type
  ) throws -> [Row] {
    let sql = try bound(sql, values)
    return try connection.withStatement(sql.text) { statement in
      try statement.checkCount(of: sql.values)
      try statement.bind(sql.values)
      var decoder: SQLRowDecoder<Row>?
      var names: [String] = []
      var rows: [Row] = []
      try connection.run(statement) { row in
        if decoder == nil {
          names = row.columnNames
          decoder = SQLRowDecoder(type, columnNames: names, of: row, codedColumns: store.codedColumns)
        }
        if let object = try decoder?.object(row.exactRow(names)) { rows.append(object) }
      }
      return rows
    }
  }
}

extension RecordWriter {
  /// Inserts a row with the values of an `Encodable` type, by the names of the columns.
  ///
  /// A property that is nil is stored as NULL, or as the default of a column that is NOT NULL and has one. Columns that
  /// the type does not have get their defaults. A column that a model stores by a coding takes only the stored form.
  ///
  /// ```swift
  /// struct Entry: Encodable { let title: String; let tags: [String] }
  /// try session.insert(Entry(title: "Shopping", tags: []), into: "notes")
  /// ```
  ///
  /// - Throws: ``RecordError`` if the table or a column does not exist, if a required column has no value, or if a
  ///   constraint is violated. Nothing is written then.
  @discardableResult
  public func insert<Row: Encodable>(_ row: Row, into table: String) throws -> WriteResult {
    let table = try PlainTable(table, in: store)
    let before = connection.totalChanges
    connection.forgetInsertedRowID()
    try table.insert(row, connection)
    return WriteResult(
      changes: connection.totalChanges == before ? 0 : connection.changes, lastInsertedID: connection.insertedRowID)
  }

  /// Inserts a row for each of some values: all of them or none.
  public func insert<Row: Encodable>(contentsOf rows: some Sequence<Row>, into table: String) throws {
    try transaction {
      let table = try PlainTable(table, in: store)
      for row in rows { try table.insert(row, connection) }
    }
  }

  /// Updates the row with the primary key that an `Encodable` type has, by the names of the columns.
  ///
  /// A property that is nil becomes NULL; columns that the type does not have keep their values.
  ///
  /// - Throws: ``RecordError`` as for ``insert(_:into:)``, and if the type lacks the key or no row has it.
  public func update<Row: Encodable>(_ row: Row, in table: String) throws {
    let table = try PlainTable(table, in: store)
    let values = try table.columns(of: row)
    guard !table.key.isEmpty else { throw RecordError(.noPrimaryKey(table: table.name)) }
    let key = try table.key.map { name in
      guard let value = values.first(where: { SQLName($0.name) == SQLName(name) })?.value else {
        throw RecordError(.noValue(type: "\(Row.self)", table: table.name, column: name))
      }
      guard !value.isNull else { throw RecordError(.noKey(table: table.name)) }
      return value
    }
    let others = values.filter { value in !table.key.contains { SQLName($0) == SQLName(value.name) } }
    let changes = others.isEmpty ? Array(zip(table.key, key).map { (name: $0, value: $1) }) : others
    let assignments = changes.map { "\(SQLQuoting.identifier($0.name)) = ?" }.joined(separator: ", ")
    let condition = table.key.map { "\(SQLQuoting.identifier($0)) = ?" }.joined(separator: " AND ")
    try table.run(
      "UPDATE \(table.source) SET \(assignments) WHERE \(condition)", changes.map(\.value) + key, of: row, connection)
    guard connection.changes > 0 else { throw RecordError(.notFound(table: table.name, key: RecordKey(key))) }
  }
}

/// A table or view as its rows are written without a model.
private struct PlainTable {
  private struct Column {
    let name: String
    /// True if a default stands for NULL.
    let replacesNull: Bool
    let isGenerated: Bool
    let keyPosition: Int64
  }

  let name: String
  private let columns: [SQLName: Column]
  /// The columns of the primary key, in its order.
  let key: [String]

  private let codedColumns: [SQLName: CodedColumns.Column]

  var source: String { "\"main\".\(SQLQuoting.identifier(name))" }

  init(_ name: String, in store: RecordStore) throws {
    self.name = name
    codedColumns = store.codedColumns[name]
    // cid, name, type, notnull, dflt_value, pk, hidden
    let rows = try store.connection.rows("PRAGMA main.table_xinfo(\(SQLQuoting.identifier(name)))")
    guard !rows.isEmpty else { throw RecordError(.noTable(name)) }
    let columns = rows.map { row in
      Column(
        name: row[1].text ?? "", replacesNull: row[3].integer != 0 && !row[4].isNull,
        isGenerated: (2...3).contains(row[6].integer ?? 0), keyPosition: row[5].integer ?? 0)
    }
    key = columns.filter { $0.keyPosition > 0 }.sorted { $0.keyPosition < $1.keyPosition }.map(\.name)
    self.columns = Dictionary(columns.map { (SQLName($0.name), $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The values of a row, each with a column that can be written.
  func columns<Row: Encodable>(of row: Row) throws -> [(name: String, value: SQLValue)] {
    try SQLRowEncoder.columns(of: row).map { value in
      guard let column = columns[SQLName(value.name)] else {
        throw RecordError(
          .unknownColumn(
            type: "\(Row.self)", table: name, column: value.name, available: columns.values.map(\.name).sorted()))
      }
      guard !column.isGenerated else { throw RecordError(.generatedColumn(table: name, column: column.name)) }
      if !codedColumns.isEmpty {
        try codedColumns[SQLName(column.name)]?.check(value.type, table: name, column: column.name)
      }
      return (column.name, value.value)
    }
  }

  func insert<Row: Encodable>(_ row: Row, _ connection: SQLiteConnection) throws {
    let values = try columns(of: row).filter { value in
      !value.value.isNull || columns[SQLName(value.name)]?.replacesNull != true
    }
    let names = values.map { SQLQuoting.identifier($0.name) }.joined(separator: ", ")
    let marks = values.map { _ in "?" }.joined(separator: ", ")
    let list = values.isEmpty ? "DEFAULT VALUES" : "(\(names)) VALUES (\(marks))"
    try run("INSERT INTO \(source) \(list)", values.map(\.value), of: row, connection)
  }

  /// Runs a statement that writes a row.
  func run<Row: Encodable>(
    _ sql: String, _ values: [SQLValue], of row: Row, _ connection: SQLiteConnection
  ) throws {
    do {
      try connection.run(sql, values)
    } catch let error as SQLiteError where error.isConstraint {
      let named = error.columnsOfConstraint
      let table = named.first?.table ?? name
      let written = try SQLRowEncoder.columns(of: row).map { SQLName($0.name) }
      if error.constraintKind == .notNull, SQLName(table) == SQLName(name), let column = named.first?.column,
        !written.contains(SQLName(column))
      {
        throw RecordError(.noValue(type: "\(Row.self)", table: name, column: column))
      }
      throw RecordError(
        .constraint(error.constraintKind, table: table, columns: named.map(\.column), cause: error))
    }
  }
}

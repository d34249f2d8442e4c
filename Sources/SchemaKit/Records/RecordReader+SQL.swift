import SchemaKitFoundation

extension RecordReader {
  /// Runs an SQL query and returns its rows.
  ///
  /// ```swift
  /// try session.query("SELECT title FROM notes WHERE id = \(5)")
  /// try session.query("SELECT title FROM notes WHERE id = ?", [5])
  /// ```
  ///
  /// - Throws: ``RecordError`` for a wrong number of values, `SQLiteError` if SQLite rejects the statement.
  public func query(_ sql: SQL, _ values: [(any ColumnValue)?] = []) throws -> [SQLRow] {
    try rows(bound(sql, values))
  }

  /// Runs an SQL query with named values, for parameters such as `:id`, `@id` or `$id`, and returns its rows.
  public func query(_ sql: SQL, _ values: [String: (any ColumnValue)?]) throws -> [SQLRow] {
    try rows(named(sql, values))
  }

  /// Runs an SQL query and decodes its rows into objects, by the names of the columns.
  ///
  /// - Throws: ``RecordError`` if a column of the model is missing or a value does not fit.
  public func query<M: Model>(_ type: M.Type, _ sql: SQL, _ values: [(any ColumnValue)?] = []) throws -> [M] {
    let mapping = try store.mapping(of: type)
    let sql = try bound(sql, values)
    return try connection.withStatement(sql.text) { statement in
      try statement.checkCount(of: sql.values)
      try statement.bind(sql.values)
      var objects: [M] = []
      var reader: RowReader?
      try connection.run(statement) { row in
        var known = try reader ?? mapping.reader(of: row)
        objects.append(try mapping.object(&known))
        reader = known
      }
      return objects
    }
  }

  /// True if the database has a table or a view with that name.
  public func hasTable(_ name: String) throws -> Bool {
    try connection.integer(
      "SELECT 1 FROM main.sqlite_master WHERE type IN ('table', 'view') AND name = ?1 COLLATE NOCASE", [.text(name)])
      != nil
  }

  /// The names of the tables, in alphabetical order, excluding those of SQLite and SchemaKit.
  public func tableNames() throws -> [String] {
    try connection.texts(
      """
      SELECT name FROM main.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' \
      AND name NOT LIKE '\\_schemakit\\_%' ESCAPE '\\' ORDER BY name COLLATE NOCASE
      """)
  }

  /// The names of the columns of a table or view, in order, including computed ones; empty if it does not exist.
  public func columnNames(of table: String) throws -> [String] {
    // cid, name, type, notnull, dflt_value, pk, hidden
    try connection.rows("PRAGMA main.table_xinfo(\(SQLQuoting.identifier(table)))").compactMap { row in
      row[6].integer == 1 ? nil : row[1].text
    }
  }

  /// The names of a table's indexes, in alphabetical order, including those that SQLite creates for constraints.
  public func indexNames(of table: String) throws -> [String] {
    try connection.rows("PRAGMA main.index_list(\(SQLQuoting.identifier(table)))").compactMap { $0[1].text }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private func rows(_ sql: SQL) throws -> [SQLRow] {
    try connection.withStatement(sql.text) { statement in
      try statement.checkCount(of: sql.values)
      try statement.bind(sql.values)
      var names: [String]?
      var rows: [SQLRow] = []
      try connection.run(statement) { row in
        // The names may change with the first step, when SQLite recompiles the statement.
        let known = names ?? row.columnNames
        names = known
        rows.append(SQLRow(columnNames: known, values: try row.exactRow(known)))
      }
      return rows
    }
  }

  func bound(_ sql: SQL, _ values: [(any ColumnValue)?]) throws -> SQL {
    guard !values.isEmpty else { return try sql.checked() }
    // It would be unclear which question mark belongs to whom.
    guard sql.values.isEmpty else {
      throw RecordError(
        .parameters(expected: "values inside the text or behind it", found: "values in both places"))
    }
    return try SQL(sql.text, values).checked(with: sql)
  }

  /// Puts named values in the order of the statement's parameters.
  func named(_ sql: SQL, _ values: [String: (any ColumnValue)?]) throws -> SQL {
    let names = try connection.withStatement(sql.text) { $0.parameterNames }
    guard sql.values.isEmpty else { throw SQL.mismatch(values, with: names) }
    return try SQL(sql.text, SQL.ordered(values, for: names)).checked(with: sql)
  }
}

extension Statement {
  /// The values of the current row, without repairing text.
  func exactRow(_ names: [String]) throws -> [SQLValue] {
    var values: [SQLValue] = []
    values.reserveCapacity(names.count)
    for (index, name) in names.enumerated() {
      do {
        values.append(try sqlValue(at: index))
      } catch var error as ColumnValueError {
        error.column = name
        throw error
      }
    }
    return values
  }

  /// Throws if the number of parameters is different.
  func checkCount(of values: [SQLValue]) throws {
    guard parameterCount == values.count else {
      throw RecordError(
        .parameters(
          expected: "\(parameterCount) value\(parameterCount == 1 ? "" : "s")",
          found: values.isEmpty ? "none" : "\(values.count)"))
    }
  }
}

extension SQL {
  /// Puts named values in the order of a statement's parameters.
  static func ordered(
    _ values: [String: (any ColumnValue)?], for names: [String?]
  ) throws -> [(any ColumnValue)?] {
    let known = Set(names.compactMap { $0 }.flatMap { [$0, String($0.dropFirst())] })
    guard values.keys.allSatisfy({ known.contains($0) }) else { throw mismatch(values, with: names) }
    return try names.map { name in
      guard let name, let value = values[name] ?? values[String(name.dropFirst())] else {
        throw mismatch(values, with: names)
      }
      return value
    }
  }

  fileprivate static func mismatch(_ values: [String: (any ColumnValue)?], with names: [String?]) -> RecordError {
    let expected = names.map { $0 ?? "?" }.joined(separator: ", ")
    return RecordError(
      .parameters(
        expected: expected.isEmpty ? "no values" : "the values \(expected)",
        found: values.isEmpty ? "none" : values.keys.sorted().joined(separator: ", ")))
  }

  /// Throws the flaw of either.
  fileprivate func checked(with other: SQL) throws -> SQL {
    _ = try other.checked()
    return try checked()
  }
}

extension ModelMapping {
  /// A reader for rows whose columns are in any order, matched by name.
  fileprivate func reader(of statement: Statement) throws -> RowReader {
    let names = statement.columnNames.map { SQLName($0) }
    let places = try shape.columns.map { column in
      guard let place = names.firstIndex(of: SQLName(column.name)) else {
        throw RecordError(.missingColumn(model: shape.model, column: column.name))
      }
      return place
    }
    return RowReader(owning: ReorderedRow(statement, places), count: places.count, codings: shape.codings)
  }
}

/// The row of a statement with its columns in another order. It has identity as every source of rows has.
private final class ReorderedRow: RowSource {
  private let row: Statement
  private let places: [Int]

  init(_ row: Statement, _ places: [Int]) {
    self.row = row
    self.places = places
  }

  override func isNull(at index: Int) -> Bool { row.isNull(at: places[index]) }
  override func integer(at index: Int) -> Int64? { row.integer(at: places[index]) }
  override func real(at index: Int) -> Double? { row.real(at: places[index]) }
  override func text(at index: Int) throws -> String? { try row.text(at: places[index]) }

  override func withBlob(at index: Int, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
    row.withBlob(at: places[index], body)
  }

  override func data(at index: Int) -> Data? { row.data(at: places[index]) }

  override func sqlValue(at index: Int) throws -> SQLValue {
    guard places.indices.contains(index) else {
      throw ColumnValueError(expected: "a row of more than \(places.count) columns", found: "its end")
    }
    return try row.sqlValue(at: places[index])
  }
}

extension RecordReader {
  /// Runs a query in SQL and returns its rows.
  ///
  /// ```swift
  /// try session.query("SELECT title FROM notes WHERE id = \(5)")
  /// try session.query("SELECT title FROM notes WHERE id = ?", [5])
  /// ```
  ///
  /// - Throws: ``RecordError`` for a wrong number of values, `SQLiteError` for what SQLite says against the statement.
  public func query(_ sql: SQL, _ values: [(any ColumnValue)?] = []) throws -> [SQLRow] {
    try rows(bound(sql, values))
  }

  /// Runs a query in SQL with values by name, for parameters such as `:id`, `@id` or `$id`, and returns its rows.
  public func query(_ sql: SQL, _ values: [String: (any ColumnValue)?]) throws -> [SQLRow] {
    try rows(named(sql, values))
  }

  /// Runs a query in SQL and makes its rows into objects, by the names of the columns.
  ///
  /// - Throws: ``RecordError`` when a column of the model is missing or a value does not fit.
  public func query<M: Model>(_ type: M.Type, _ sql: SQL, _ values: [(any ColumnValue)?] = []) throws -> [M] {
    let mapping = try store.mapping(of: type)
    return try rows(bound(sql, values)).map { row in
      let stored = try mapping.shape.columns.map { column in
        guard let value = row[column.name] else {
          throw RecordError(.missingColumn(model: mapping.shape.model, column: column.name))
        }
        return value
      }
      return try mapping.checkedObject(from: stored)
    }
  }

  /// Whether the database has a table or a view with a name.
  public func hasTable(_ name: String) throws -> Bool {
    try connection.integer(
      "SELECT 1 FROM main.sqlite_master WHERE type IN ('table', 'view') AND name = ?1 COLLATE NOCASE", [.text(name)])
      != nil
  }

  /// The names of the tables, in alphabetical order, without those of SQLite and of SchemaKit.
  public func tableNames() throws -> [String] {
    try connection.texts(
      """
      SELECT name FROM main.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' \
      AND name NOT LIKE '\\_schemakit\\_%' ESCAPE '\\' ORDER BY name COLLATE NOCASE
      """)
  }

  /// The names of the columns of a table or view, in their order, computed ones included; empty without such a table.
  public func columnNames(of table: String) throws -> [String] {
    try connection.texts(
      "SELECT name FROM pragma_table_xinfo(?1, 'main') WHERE hidden <> 1 ORDER BY cid", [.text(table)])
  }

  /// The names of a table's indexes, in alphabetical order, those that SQLite makes for constraints included.
  public func indexNames(of table: String) throws -> [String] {
    try connection.texts("SELECT name FROM pragma_index_list(?1, 'main') ORDER BY name", [.text(table)])
  }

  private func rows(_ sql: SQL) throws -> [SQLRow] {
    try connection.withStatement(sql.text) { statement in
      try statement.bind(sql.values)
      var names: [String]?
      var rows: [SQLRow] = []
      try connection.run(statement) { row in
        // The names may change with the first step, when SQLite compiles the statement anew.
        let known = names ?? row.columnNames
        names = known
        rows.append(SQLRow(columnNames: known, values: row.row()))
      }
      return rows
    }
  }

  func bound(_ sql: SQL, _ values: [(any ColumnValue)?]) throws -> SQL {
    let given = SQL("", values)
    return try (SQL(raw: sql.text, stored: sql.values) + given).checked(with: sql)
  }

  /// Puts values by name in the order of the statement's parameters.
  func named(_ sql: SQL, _ values: [String: (any ColumnValue)?]) throws -> SQL {
    let names = try connection.withStatement(sql.text) { $0.parameterNames }
    var missing: [String] = []
    var ordered: [(any ColumnValue)?] = []
    for name in names {
      if let name, let value = values[name] ?? values[String(name.dropFirst())] {
        ordered.append(value)
      } else {
        missing.append(name ?? "a parameter without a name")
      }
    }
    let known = Set(names.compactMap { $0 }.flatMap { [$0, String($0.dropFirst())] })
    let unknown = values.keys.filter { !known.contains($0) }.sorted()
    guard missing.isEmpty, unknown.isEmpty, sql.values.isEmpty else {
      let expected = names.map { $0 ?? "?" }.joined(separator: ", ")
      throw RecordError(
        .parameters(
          expected: expected.isEmpty ? "no values" : "the values \(expected)",
          found: values.isEmpty ? "none" : values.keys.sorted().joined(separator: ", ")))
    }
    return try SQL(sql.text, ordered).checked(with: sql)
  }
}

extension SQL {
  /// Throws the flaw of either.
  fileprivate func checked(with other: SQL) throws -> SQL {
    _ = try other.checked()
    return try checked()
  }
}

extension ModelMapping {
  /// The object that values make; an error names the column.
  func checkedObject(from values: [SQLValue]) throws -> M {
    var row = RowReader(ValueRow(values), count: values.count, codings: shape.codings)
    do {
      return try group.make(&row)
    } catch let error as ColumnValueError {
      let index = row.position - 1
      let column = shape.columns.indices.contains(index) ? shape.columns[index].name : "?"
      let key = shape.keyIndexes.isEmpty ? nil : RecordKey(shape.keyIndexes.map { values[$0] })
      throw RecordError(
        .value(
          table: shape.name, column: column, row: key, expected: error.expected, found: error.found,
          problem: error.problem))
    }
  }
}

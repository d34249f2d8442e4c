extension RecordWriter {
  /// Updates the row with the object's primary key with the object's values: all of them, or those of some columns.
  ///
  /// - Throws: ``RecordError`` if there is no such row, with nothing written.
  public func update<M: Model>(_ object: M, _ columns: (any PartialKeyPath<M> & Sendable)...) throws {
    try update(object, columns: columns)
  }

  func update<M: Model>(_ object: M, columns: [any PartialKeyPath<M> & Sendable]) throws {
    let mapping = try store.mapping(of: M.self)
    let shape = mapping.shape
    guard !shape.keyIndexes.isEmpty else { throw RecordError(.noPrimaryKey(table: shape.name)) }
    if columns.isEmpty {
      try connection.withStatement(mapping.updateSlot) { try mapping.changeRow(of: object, $0, in: store) }
    } else {
      let sql = InsertText(shape).update(columns: try shape.indexes(of: columns))
      try connection.withStatement(sql) { try mapping.changeRow(of: object, $0, in: store) }
    }
  }

  /// Updates the rows that meet a condition, and returns their number.
  ///
  /// ```swift
  /// try session.update(Note.self, set: { [$0.isRead.set(true), $0.views.increase(by: 1)] }, where: { $0.id == 5 })
  /// ```
  @discardableResult
  public func update<M: Model>(
    _ type: M.Type, set assignments: (Fields<M>) -> [Assignment], where filter: (Fields<M>) -> Filter
  ) throws -> Int {
    try change(type, assignments, filter)
  }

  /// Updates all rows of a table, and returns their number.
  @discardableResult
  public func updateAll<M: Model>(_ type: M.Type, set assignments: (Fields<M>) -> [Assignment]) throws -> Int {
    try change(type, assignments, { _ in nil })
  }

  private func change<M: Model>(
    _ type: M.Type, _ assignments: (Fields<M>) -> [Assignment], _ filter: (Fields<M>) -> Filter?
  ) throws -> Int {
    let mapping = try store.mapping(of: type)
    let fields = fields(of: mapping)
    let changes = assignments(fields)
    guard !changes.isEmpty else { return 0 }
    var assigned: Set<String> = []
    for change in changes {
      // SQLite would use the last of two. https://sqlite.org/lang_update.html
      guard assigned.insert(change.column).inserted || change.column.isEmpty else {
        throw RecordError(.assignedTwice(table: mapping.shape.name, column: change.column))
      }
      if let column = mapping.shape.columns.first(where: { $0.name == change.column }), column.isGenerated {
        throw RecordError(.generatedColumn(table: mapping.shape.name, column: column.name))
      }
    }
    var sql = SQL(raw: "UPDATE \(mapping.shape.source) SET ")
    sql += SQL.joined(
      try changes.map { try SQL(raw: SQLQuoting.identifier($0.column) + " = ") + $0.value.ofOneRow() }, by: ", ")
    if let filter = filter(fields) { sql += SQL(raw: " WHERE ") + (try filter.sql.ofOneRow()) }
    return try run(sql, on: mapping.shape)
  }

  /// Deletes the row with the object's primary key.
  ///
  /// ```swift
  /// try session.delete(note)
  /// ```
  ///
  /// - Returns: True if the row existed.
  @discardableResult
  public func delete<M: Model>(_ object: M) throws -> Bool {
    let mapping = try store.mapping(of: M.self)
    guard !mapping.shape.keyIndexes.isEmpty else { throw RecordError(.noPrimaryKey(table: mapping.shape.name)) }
    return try connection.withStatement(mapping.deleteSlot) { statement in
      try mapping.runOnRow(of: object, statement, in: store, isDelete: true).count > 0
    }
  }

  /// Deletes the row with a primary key.
  ///
  /// - Returns: True if the row existed.
  @discardableResult
  public func delete<M: Model, First: ColumnValue, each Other: ColumnValue>(
    _ type: M.Type, key first: First, _ others: repeat each Other
  ) throws -> Bool {
    let shape = try store.mapping(of: type).shape
    let values = try shape.storedKey(first, repeat each others)
    let condition = shape.keyCondition { _ in "?" }
    let sql = SQL(raw: "DELETE FROM \(shape.source) WHERE \(condition)", stored: values)
    return try run(sql, on: shape, isDelete: true) > 0
  }

  /// Deletes the rows that meet a condition, and returns their number.
  ///
  /// ```swift
  /// let count = try session.delete(Note.self, where: { $0.stars < 2 })
  /// ```
  @discardableResult
  public func delete<M: Model>(_ type: M.Type, where filter: (Fields<M>) -> Filter) throws -> Int {
    let mapping = try store.mapping(of: type)
    let condition = try filter(fields(of: mapping)).sql.ofOneRow()
    return try run(
      SQL(raw: "DELETE FROM \(mapping.shape.source) WHERE ") + condition, on: mapping.shape, isDelete: true)
  }

  /// Deletes all rows of a table, and returns their number.
  @discardableResult
  public func deleteAll<M: Model>(_ type: M.Type) throws -> Int {
    let shape = try store.mapping(of: type).shape
    return try run(SQL(raw: "DELETE FROM \(shape.source)"), on: shape, isDelete: true)
  }

  private func run(_ sql: SQL, on shape: ModelShape, isDelete: Bool = false) throws -> Int {
    let sql = try sql.checked()
    return try store.explained(shape, isDelete: isDelete) { try connection.run(sql.text, sql.values) }
  }
}

extension ModelMapping {
  fileprivate func changeRow(of object: M, _ statement: Statement, in store: RecordStore) throws {
    let (count, key) = try runOnRow(of: object, statement, in: store)
    guard count > 0 else { throw RecordError(.notFound(table: shape.name, key: RecordKey(inKeyOrder(key)))) }
  }

  /// Runs a statement with an object's values, and returns the number of rows it changed and the object's key.
  fileprivate func runOnRow(
    of object: M, _ statement: Statement, in store: RecordStore, isDelete: Bool = false
  ) throws -> (count: Int, key: [SQLValue]) {
    let binder = statement.binder(keyColumns: shape.keyIndexes)
    var row = RowWriter(binder, codings: shape.codings)
    try write(object, to: &row)
    try binder.check()
    guard !binder.key.contains(.null) else { throw RecordError(.noKey(table: shape.name)) }
    try store.explained(shape, isDelete: isDelete) { try connection.run(statement) { _ in } }
    return (connection.changes, binder.key)
  }
}

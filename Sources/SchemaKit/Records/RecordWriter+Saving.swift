extension RecordWriter {
  /// Saves an object: inserts its row, or updates the row with its primary key.
  ///
  /// - Parameter policy: The action to take if the row already exists.
  /// - Returns: The object as stored: with the key that SQLite assigned, and with values that defaults, computed
  ///   columns and triggers changed. With `.ignore` and a conflicting row, the row that has the object's key, or the
  ///   object itself if the conflict is not about the key.
  /// - Throws: ``RecordError`` for a violated constraint, with nothing written.
  @discardableResult
  public func save<M: Model>(_ object: M, _ policy: SavePolicy<M> = .upsert) throws -> M {
    let mapping = try store.mapping(of: M.self)
    let kind = try mapping.shape.insertKind(policy)
    // If the stored row must be read back, or the object be recreated with its key, a failure to do so rolls the row
    // back.
    let isPlain = mapping.readBack == .none && !mapping.shape.mayAssignKey && mapping.shape.isWhole(kind)
    if isPlain { return try mapping.save(object, kind, in: store) }
    // A deferred foreign key is checked by COMMIT.
    return try store.explained(mapping.shape) { try atomically { try mapping.save(object, kind, in: store) } }
  }

  /// Saves many objects with one statement and in one transaction: all of them or none.
  ///
  /// - Returns: The primary keys in the order of the objects; for a table without one, the rowids. For a row that
  ///   `.ignore` skipped, and whose object has no key, NULL.
  @discardableResult
  public func save<M: Model>(_ objects: some Sequence<M>, _ policy: SavePolicy<M> = .upsert) throws -> RecordKeys {
    let mapping = try store.mapping(of: M.self)
    let kind = try mapping.shape.insertKind(policy)
    return try store.explained(mapping.shape) { try atomically { try mapping.saveAll(objects, kind, in: store) } }
  }

  /// Saves several objects in one transaction.
  @discardableResult
  public func save<M: Model>(_ first: M, _ second: M, _ others: M...) throws -> RecordKeys {
    try save([first, second] + others)
  }

  /// Runs work that is done completely or not at all, inside the open transaction or in one of its own.
  func atomically<Result>(_ body: () throws -> Result) throws -> Result {
    try connection.isInTransaction ? connection.savepoint(body) : connection.transaction(.immediate, body)
  }
}

extension ModelMapping {
  func insertSlot(_ kind: InsertKind) -> StatementSlot {
    if let slot = insertSlots[kind] { return slot }
    let slot = StatementSlot(InsertText(shape).insert(kind, returning: isReturning))
    insertSlots[kind] = slot
    return slot
  }

  /// Saves one object and returns it as stored.
  fileprivate func save(_ object: M, _ kind: InsertKind, in store: RecordStore) throws -> M {
    if case .unique(let columns, _) = kind { return try save(object, kind, over: uniqueRow(columns), in: store) }
    var returned: M?
    var key: [SQLValue] = []
    // Created before the row is written, so that nothing is written if it fails.
    let kept = shape.isExact || readBack != .none ? object : try asStored(object)
    try connection.withStatement(insertSlot(kind)) { statement in
      let binder = statement.binder(keyColumns: shape.keyIndexes)
      var row = RowWriter(binder, codings: shape.codings)
      var reader = reader(statement)
      try insert(object, statement, binder, &row, in: store) { row in
        if readBack == .returning { returned = try self.object(&reader) }
        key = try shape.keyIndexes.map { try row.sqlValue(at: $0) }
      }
      if key.isEmpty { key = inKeyOrder(binder.key) }
    }
    if let returned { return returned }
    // SQLite counts the rows of this statement alone, not those of its triggers.
    let isWritten = connection.changes > 0
    if readBack == .none, isWritten, shape.isWhole(kind) || key.contains(.null) {
      guard let index = shape.rowIDIndex, key.contains(.null) else { return kept }
      var values = try values(of: object)
      values[index] = .integer(connection.lastInsertRowID)
      return try self.object(from: values)
    }
    return try reread(key, isWritten: isWritten) ?? object
  }

  /// The object as it will be read back from its row.
  private func asStored(_ object: M) throws -> M {
    let sink = ValueSink(capacity: shape.columns.count)
    var row = RowWriter(sink, codings: shape.codings)
    try write(object, to: &row)
    do {
      return try self.object(from: sink.values)
    } catch let error as ColumnValueError {
      throw RecordError(.unstorable(error.description))
    }
  }

  /// Binds one object and runs the INSERT.
  func insert(
    _ object: M, _ statement: Statement, _ binder: StatementBinder, _ row: inout RowWriter, in store: RecordStore,
    onReturn: (Statement) throws -> Void
  ) throws {
    binder.begin()
    try write(object, to: &row)
    try binder.check()
    try checkKey(inKeyOrder(binder.key))
    if fillsKeys { try fillKey(binder) }
    try store.explained(shape) { try connection.run(statement, eachRow: onReturn) }
  }

  /// Has SQLite compute the defaults for the missing parts of the key.
  private func fillKey(_ binder: StatementBinder) throws {
    for (place, column) in shape.keyIndexes.sorted().enumerated() where binder.key[place].isNull {
      guard let substitute = shape.columns[column].substitute else { continue }
      binder.replace(key: place, at: column, with: try connection.value("SELECT \(substitute)") ?? .null)
    }
    try binder.check()
  }

  /// Fetches the row that was just written, or that conflicted.
  func reread(_ key: [SQLValue], isWritten: Bool) throws -> M? {
    if !key.isEmpty, !key.contains(.null) { return try find(key) }
    let name = shape.rowIDIndex.map { shape.columns[$0].quoted } ?? shape.hiddenRowID
    guard isWritten, let name else { return nil }
    return try connection.withStatement("\(allSlot.sql) WHERE \(name) = ?1") { statement in
      try statement.bind(.integer(connection.lastInsertRowID), at: 1)
      return try first(statement)
    }
  }

  /// Values captured in column order, rearranged into the order of the key.
  func inKeyOrder(_ captured: [SQLValue]) -> [SQLValue] {
    guard captured.count > 1 else { return captured }
    let columns = shape.keyIndexes.sorted()
    return shape.keyIndexes.compactMap { index in columns.firstIndex(of: index).map { captured[$0] } }
  }

  /// Only the rowid, or a key with a default, is assigned automatically. In any other key SQLite would store NULL,
  /// again and again: https://sqlite.org/quirks.html#primary_keys_can_sometimes_contain_nulls
  private func checkKey(_ key: [SQLValue]) throws {
    guard shape.rowIDIndex == nil, key.contains(.null) else { return }
    for (index, value) in zip(shape.keyIndexes, key) where value.isNull && shape.columns[index].substitute == nil {
      throw RecordError(.noKey(table: shape.name))
    }
  }

  /// Saves all objects of a sequence and returns their keys.
  fileprivate func saveAll(
    _ objects: some Sequence<M>, _ kind: InsertKind, in store: RecordStore
  ) throws -> RecordKeys {
    let unique: UniqueRow? = if case .unique(let columns, _) = kind { try uniqueRow(columns) } else { nil }
    var keys = RecordKeys(width: Swift.max(1, shape.keyIndexes.count))
    keys.values.reserveCapacity(objects.underestimatedCount * keys.width)
    try connection.withStatement(insertSlot(kind)) { statement in
      let binder = statement.binder(keyColumns: shape.keyIndexes)
      var row = RowWriter(binder, codings: shape.codings)
      var returned: [SQLValue] = []
      for object in objects {
        if isReturning { returned = [] }
        if unique != nil { connection.forgetInsertedRowID() }
        try insert(object, statement, binder, &row, in: store) { row in
          returned = try shape.keyIndexes.map { try row.sqlValue(at: $0) }
        }
        if let unique { returned = try key(of: object, in: unique, bound: binder.key) }
        keys.values += returned.isEmpty ? keyAfter(binder.key) : returned
        statement.rewind()
      }
    }
    return keys
  }

  func keyAfter(_ bound: [SQLValue]) -> [SQLValue] {
    let takesRowID = shape.keyIndexes.isEmpty || shape.rowIDIndex != nil && bound == [.null]
    guard takesRowID else { return inKeyOrder(bound) }
    return [connection.changes > 0 ? .integer(connection.lastInsertRowID) : .null]
  }
}

extension RecordWriter {
  /// Saves an object: adds its row, or gives the row with its primary key the object's values.
  ///
  /// - Parameter policy: What to do when the row is there already.
  /// - Returns: The object as it is stored: with the key that SQLite assigned, and with values that defaults, computed
  ///   columns and triggers changed. With `.ignore` and a row in the way, the row that has the object's key, or the
  ///   object itself when the key is not what is in the way.
  /// - Throws: ``RecordError`` for a violated constraint, with nothing written.
  @discardableResult
  public func save<M: Model>(_ object: M, _ policy: SavePolicy<M> = .upsert) throws -> M {
    let mapping = try store.mapping(of: M.self)
    let kind = try mapping.shape.insertKind(policy)
    if mapping.readBack != .select { return try mapping.save(object, kind, in: store) }
    return try atomically { try mapping.save(object, kind, in: store) }
  }

  /// Saves many objects with one statement and in one transaction: all of them or none.
  ///
  /// - Returns: The primary keys in the order of the objects; for a table without one, the rowids. A row that `.ignore`
  ///   left out, and whose object has no key, has NULL there.
  @discardableResult
  public func save<M: Model>(_ objects: some Sequence<M>, _ policy: SavePolicy<M> = .upsert) throws -> RecordKeys {
    let mapping = try store.mapping(of: M.self)
    let kind = try mapping.shape.insertKind(policy)
    return try atomically { try mapping.saveAll(objects, kind, in: store) }
  }

  /// Saves several objects in one transaction.
  @discardableResult
  public func save<M: Model>(_ first: M, _ second: M, _ others: M...) throws -> RecordKeys {
    try save([first, second] + others)
  }

  /// Runs work that is done as a whole or not at all, inside the transaction that is open or in one of its own.
  func atomically<Result>(_ body: () throws -> Result) throws -> Result {
    try connection.isInTransaction ? connection.savepoint(body) : connection.transaction(.immediate, body)
  }
}

extension ModelMapping {
  private func insertSlot(_ kind: InsertKind, returning: Bool) -> StatementSlot {
    if let slot = insertSlots[kind] { return slot }
    let slot = StatementSlot(InsertText(shape).insert(kind, returning: returning))
    insertSlots[kind] = slot
    return slot
  }

  /// Saves one object and says how it is stored.
  func save(_ object: M, _ kind: InsertKind, in store: RecordStore) throws -> M {
    let slot = insertSlot(kind, returning: readBack == .returning)
    let (returned, key, isWritten) = try connection.withStatement(slot) { statement in
      let binder = StatementBinder(statement, keyColumns: shape.keyIndexes)
      var row = RowWriter(binder, codings: shape.codings)
      try write(object, to: &row)
      try binder.check()
      try checkKey(binder.key)
      var returned: M?
      let before = connection.totalChanges
      try store.explained(shape) {
        if readBack == .returning { returned = try first(statement) } else { try connection.run(statement) { _ in } }
      }
      return (returned, binder.key, connection.totalChanges != before)
    }
    if let returned { return returned }
    let isAssigned = key.contains(.null) && isWritten
    if readBack == .none, isWritten {
      guard isAssigned, let index = shape.rowIDIndex else { return object }
      var values = try values(of: object)
      values[index] = .integer(connection.lastInsertRowID)
      return try self.object(from: values)
    }
    return try reread(key, isAssigned: isAssigned || shape.keyIndexes.isEmpty && isWritten) ?? object
  }

  /// Loads the row that was just written, or that was in the way.
  private func reread(_ key: [SQLValue], isAssigned: Bool) throws -> M? {
    if isAssigned {
      let name = shape.rowIDIndex.map { shape.columns[$0].quoted } ?? shape.hiddenRowID
      guard let name else { return nil }
      return try connection.withStatement("\(allSlot.sql) WHERE \(name) = ?1") { statement in
        try statement.bind(.integer(connection.lastInsertRowID), at: 1)
        return try first(statement)
      }
    }
    guard !key.isEmpty, !key.contains(.null) else { return nil }
    return try connection.withStatement(findSlot) { statement in
      try statement.bind(inKeyOrder(key))
      return try first(statement)
    }
  }

  /// Values captured in the order of the columns, in the order of the key.
  func inKeyOrder(_ captured: [SQLValue]) -> [SQLValue] {
    guard captured.count > 1 else { return captured }
    let columns = shape.keyIndexes.sorted()
    return shape.keyIndexes.compactMap { index in columns.firstIndex(of: index).map { captured[$0] } }
  }

  /// Only the rowid, or a key with a default, fills itself in. In any other key SQLite would store NULL, again and
  /// again: https://sqlite.org/quirks.html#primary_keys_can_sometimes_contain_nulls
  private func checkKey(_ key: [SQLValue]) throws {
    guard shape.rowIDIndex == nil, key.contains(.null) else { return }
    let columns = shape.keyIndexes.map { shape.columns[$0] }
    guard columns.allSatisfy({ $0.substitute != nil }) else { throw RecordError(.noKey(table: shape.name)) }
  }

  /// Saves all objects of a sequence and says their keys.
  func saveAll(_ objects: some Sequence<M>, _ kind: InsertKind, in store: RecordStore) throws -> RecordKeys {
    var keys = RecordKeys(width: Swift.max(1, shape.keyIndexes.count))
    keys.values.reserveCapacity(objects.underestimatedCount * keys.width)
    try connection.withStatement(insertSlot(kind, returning: readBack == .returning)) { statement in
      let binder = StatementBinder(statement, keyColumns: shape.keyIndexes)
      var row = RowWriter(binder, codings: shape.codings)
      for object in objects {
        binder.begin()
        try write(object, to: &row)
        try binder.check()
        try checkKey(binder.key)
        var assigned: [SQLValue] = []
        let before = kind == .ignore ? connection.totalChanges : 0
        try store.explained(shape) {
          try connection.run(statement) { row in
            if readBack == .returning {
              assigned = shape.keyIndexes.map { row.value(at: Int32(truncatingIfNeeded: $0)) }
            }
          }
        }
        let isWritten = kind != .ignore || connection.totalChanges != before
        keys.values += keyAfter(binder.key, assigned: assigned, isWritten: isWritten)
        statement.rewind()
      }
    }
    return keys
  }

  private func keyAfter(_ bound: [SQLValue], assigned: [SQLValue], isWritten: Bool) -> [SQLValue] {
    if !assigned.isEmpty { return assigned }
    let takesRowID = shape.keyIndexes.isEmpty || shape.rowIDIndex != nil && bound == [.null]
    guard takesRowID else { return inKeyOrder(bound) }
    return [isWritten ? .integer(connection.lastInsertRowID) : .null]
  }
}

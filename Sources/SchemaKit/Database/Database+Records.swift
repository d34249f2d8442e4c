// Each function calls its counterpart in `Session`, in one hop. Reads use a separate reader if there are any.

extension Database {
  /// Saves an object, and returns it as stored. See `Session.save`.
  @discardableResult
  public func save<M: Model>(_ object: M, _ policy: SavePolicy<M> = .upsert) throws -> M {
    try run { try $0.save(object, policy) }
  }

  /// Saves many objects, all of them or none, and returns their keys.
  @discardableResult
  public func save<M: Model>(
    _ objects: some Sequence<M> & Sendable, _ policy: SavePolicy<M> = .upsert
  ) throws -> RecordKeys {
    try run { try $0.save(objects, policy) }
  }

  /// Saves several objects, all of them or none, and returns their keys.
  @discardableResult
  public func save<M: Model>(_ first: M, _ second: M, _ others: M...) throws -> RecordKeys {
    try run { try $0.save([first, second] + others) }
  }

  /// Updates the row with the object's primary key with the object's values: all of them, or those of some columns.
  public func update<M: Model>(_ object: M, _ columns: (any PartialKeyPath<M> & Sendable)...) throws {
    try run { try $0.update(object, columns: columns) }
  }

  /// Updates the rows that meet a condition, and returns their number.
  @discardableResult
  public func update<M: Model>(
    _ type: M.Type, set assignments: @Sendable (Fields<M>) -> [Assignment],
    where filter: @Sendable (Fields<M>) -> Filter
  ) throws -> Int {
    try run { try $0.update(type, set: assignments, where: filter) }
  }

  /// Updates all rows of a table, and returns their number.
  @discardableResult
  public func updateAll<M: Model>(_ type: M.Type, set assignments: @Sendable (Fields<M>) -> [Assignment]) throws -> Int
  {
    try run { try $0.updateAll(type, set: assignments) }
  }

  /// Deletes the row with the object's primary key, and returns whether it existed.
  ///
  /// ```swift
  /// try await db.delete(note)
  /// ```
  @discardableResult
  public func delete<M: Model>(_ object: M) throws -> Bool { try run { try $0.delete(object) } }

  /// Deletes the row with a primary key, and returns whether it existed.
  ///
  /// ```swift
  /// let existed = try await db.delete(Note.self, key: 7)
  /// ```
  @discardableResult
  public func delete<M: Model, First: ColumnValue & Sendable, each Other: ColumnValue & Sendable>(
    _ type: M.Type, key first: First, _ others: repeat each Other
  ) throws -> Bool {
    try run { try $0.delete(type, key: first, repeat each others) }
  }

  /// Deletes the rows that meet a condition, and returns their number.
  ///
  /// ```swift
  /// let count = try await db.delete(Note.self, where: { $0.stars < 2 })
  /// ```
  @discardableResult
  public func delete<M: Model>(_ type: M.Type, where filter: @Sendable (Fields<M>) -> Filter) throws -> Int {
    try run { try $0.delete(type, where: filter) }
  }

  /// Deletes all rows of a table, and returns their number.
  @discardableResult
  public func deleteAll<M: Model>(_ type: M.Type) throws -> Int { try run { try $0.deleteAll(type) } }

  /// Runs SQL: one statement with values, or a script without any.
  @discardableResult
  public func execute(_ sql: SQL) throws -> WriteResult { try run { try $0.execute(sql) } }

  /// Copies the whole database into a file that does not exist yet.
  public func backup(to path: String) throws { try run { try $0.backup(to: path) } }
}

extension Database {
  /// Fetches the object with a primary key; nil if it does not exist.
  public nonisolated(nonsending) func find<M: Model, First: ColumnValue & Sendable, each Other: ColumnValue & Sendable>(
    _ type: M.Type, _ first: First, _ others: repeat each Other
  ) async throws -> M? {
    try await readOnce { try $0.find(type, first, repeat each others) }
  }

  /// Fetches the objects that meet a condition. See `Session.all`.
  public nonisolated(nonsending) func all<M: Model>(
    _ type: M.Type, where filter: @Sendable (Fields<M>) -> Filter? = { _ in nil },
    orderBy orderings: @Sendable (Fields<M>) -> [Ordering] = { _ in [] }, limit: Int? = nil, offset: Int? = nil
  ) async throws -> [M] {
    try await readOnce { try $0.all(type, where: filter, orderBy: orderings, limit: limit, offset: offset) }
  }

  /// Fetches the first object that meets a condition; nil if none does.
  public nonisolated(nonsending) func first<M: Model>(
    _ type: M.Type, where filter: @Sendable (Fields<M>) -> Filter? = { _ in nil },
    orderBy orderings: @Sendable (Fields<M>) -> [Ordering] = { _ in [] }
  ) async throws -> M? {
    try await readOnce { try $0.first(type, where: filter, orderBy: orderings) }
  }

  /// Fetches the objects whose texts have some words, the best match first. See `Session.search`.
  public nonisolated(nonsending) func search<M: Model>(
    _ type: M.Type, _ text: SearchText, in index: String,
    where filter: @Sendable (Fields<M>) -> Filter? = { _ in nil }, limit: Int? = nil, offset: Int? = nil
  ) async throws -> [M] {
    try await readOnce { try $0.search(type, text, in: index, where: filter, limit: limit, offset: offset) }
  }

  /// Counts the objects that meet a condition.
  public nonisolated(nonsending) func count<M: Model>(
    _ type: M.Type, where filter: @Sendable (Fields<M>) -> Filter? = { _ in nil }
  ) async throws -> Int {
    try await readOnce { try $0.count(type, where: filter) }
  }

  /// True if any object meets a condition.
  public nonisolated(nonsending) func exists<M: Model>(
    _ type: M.Type, where filter: @Sendable (Fields<M>) -> Filter? = { _ in nil }
  ) async throws -> Bool {
    try await readOnce { try $0.exists(type, where: filter) }
  }

  /// Fetches the next objects of a list, starting where an earlier page ended. See `Session.page`.
  public nonisolated(nonsending) func page<M: Model>(
    _ type: M.Type, size: Int, after cursor: PageCursor? = nil,
    where filter: @Sendable (Fields<M>) -> Filter? = { _ in nil },
    orderBy orderings: @Sendable (Fields<M>) -> [Ordering] = { _ in [] }
  ) async throws -> Page<M> {
    try await readOnce { try $0.page(type, size: size, after: cursor, where: filter, orderBy: orderings) }
  }

  /// Runs a query in SQL and returns its rows.
  public nonisolated(nonsending) func query(_ sql: SQL) async throws -> [SQLRow] {
    try await read { try $0.query(sql) }
  }
}

// Each function calls its counterpart in `Session`, in one hop.

extension Database {
  /// Saves an object together with those of another model that refer to it: all of them or none. See
  /// `Session.save(_:with:via:_:)`.
  ///
  /// ```swift
  /// let (customer, sites) = try await db.save(customer, with: sites, .replacing)
  /// ```
  @discardableResult
  public func save<Parent: Model, Child: Model>(
    _ parent: Parent, with children: some Sequence<Child> & Sendable,
    via path: (any PartialKeyPath<Child> & Sendable)? = nil, _ policy: ChildPolicy = .adding
  ) throws -> (Parent, [Child]) {
    try run { try $0.save(parent, with: children, via: path, policy) }
  }

  /// Saves an object together with its children and theirs: all of them or none. See
  /// `Session.save(_:with:via:grandchildrenVia:_:)`.
  @discardableResult
  public func save<Parent: Model, Child: Model, Grandchild: Model>(
    _ parent: Parent, with children: some Sequence<(Child, [Grandchild])> & Sendable,
    via path: (any PartialKeyPath<Child> & Sendable)? = nil,
    grandchildrenVia grandchildPath: (any PartialKeyPath<Grandchild> & Sendable)? = nil,
    _ policy: ChildPolicy = .adding
  ) throws -> (Parent, [(Child, [Grandchild])]) {
    try run { try $0.save(parent, with: children, via: path, grandchildrenVia: grandchildPath, policy) }
  }
}

extension Database {
  /// Runs an SQL query and decodes its rows into a `Decodable` type. See `Session.query(_:_:as:)`.
  public nonisolated(nonsending) func query<Row: Decodable & Sendable>(_ sql: SQL, as type: Row.Type) async throws
    -> [Row]
  {
    try await read { try $0.query(sql, as: type) }
  }

  /// Inserts a row with the values of an `Encodable` type. See `Session.insert(_:into:)`.
  @discardableResult
  public func insert<Row: Encodable & Sendable>(_ row: Row, into table: String) throws -> WriteResult {
    try run { try $0.insert(row, into: table) }
  }

  /// Inserts a row for each of some values: all of them or none.
  public func insert<Row: Encodable & Sendable>(contentsOf rows: some Sequence<Row> & Sendable, into table: String)
    throws
  {
    try run { try $0.insert(contentsOf: rows, into: table) }
  }

  /// Updates the row with the primary key that an `Encodable` type has. See `Session.update(_:in:)`.
  public func update<Row: Encodable & Sendable>(_ row: Row, in table: String) throws {
    try run { try $0.update(row, in: table) }
  }
}

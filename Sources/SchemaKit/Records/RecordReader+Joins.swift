/// A join of some tables, before its conditions are known.
private struct Join {
  let tables: JoinedTables
  let isLeft: Bool
  let store: RecordStore

  init<each M: Model>(
    _ word: String, _ types: repeat (each M).Type, via paths: [AnyKeyPath], in store: RecordStore
  ) throws {
    var shapes: [ModelShape] = []
    for type in repeat each types { shapes.append(try store.mapping(of: type).shape) }
    tables = try JoinedTables(word, shapes, via: paths)
    isLeft = word == "LEFT JOIN"
    self.store = store
  }

  func table<M: Model>(_ type: M.Type, _ index: Int) throws -> JoinedTable<M> {
    JoinedTable(
      try store.mapping(of: type), index, of: tables, mayBeMissing: isLeft && index > 0, in: store)
  }

  func rows<Row>(_ query: RowQuery, _ row: (Statement) throws -> Row) throws -> [Row] {
    let clauses = try query.clauses()
    let sql = "SELECT \(tables.selection) \(tables.source)\(clauses.text)"
    return try store.connection.withStatement(sql) { statement in
      try statement.bind(clauses.values)
      var rows: [Row] = []
      try store.connection.run(statement) { rows.append(try row($0)) }
      return rows
    }
  }
}

// Overloads in place of a parameter pack: Swift 6.3 crashes at default values that are closures over packs.

extension RecordReader {
  /// Fetches pairs of objects related by a foreign key of either model to the other.
  ///
  /// ```swift
  /// let pairs = try session.join(Note.self, Author.self, where: { note, author in author.name == "Ada" })
  /// ```
  ///
  /// If each has one, it is that of the first model. *Cost:* a search for each row, where an index has the foreign key
  /// or the key that it refers to.
  ///
  /// - Parameter path: The property with the foreign key, if there are several.
  public func join<First: Model, Second: Model>(
    _ first: First.Type, _ second: Second.Type, via path: PartialKeyPath<First>? = nil,
    where filter: (Fields<First>, Fields<Second>) -> Filter? = { _, _ in nil },
    orderBy orderings: (Fields<First>, Fields<Second>) -> [Ordering] = { _, _ in [] }, limit: Int? = nil
  ) throws -> [(First, Second)] {
    try pairs("JOIN", first, second, path.map { [$0] } ?? [], filter, orderings, limit) {
      (try $0.object($2), try $1.object($2))
    }
  }

  /// Fetches pairs of objects related by a foreign key of the second model.
  @_disfavoredOverload
  public func join<First: Model, Second: Model>(
    _ first: First.Type, _ second: Second.Type, via path: PartialKeyPath<Second>,
    where filter: (Fields<First>, Fields<Second>) -> Filter? = { _, _ in nil },
    orderBy orderings: (Fields<First>, Fields<Second>) -> [Ordering] = { _, _ in [] }, limit: Int? = nil
  ) throws -> [(First, Second)] {
    try pairs("JOIN", first, second, [path], filter, orderings, limit) { (try $0.object($2), try $1.object($2)) }
  }

  /// Fetches pairs of objects like `join(_:_:via:where:orderBy:limit:)`, and those without a partner with nil.
  public func leftJoin<First: Model, Second: Model>(
    _ first: First.Type, _ second: Second.Type, via path: PartialKeyPath<First>? = nil,
    where filter: (Fields<First>, Fields<Second>) -> Filter? = { _, _ in nil },
    orderBy orderings: (Fields<First>, Fields<Second>) -> [Ordering] = { _, _ in [] }, limit: Int? = nil
  ) throws -> [(First, Second?)] {
    try pairs("LEFT JOIN", first, second, path.map { [$0] } ?? [], filter, orderings, limit) {
      (try $0.object($2), try $1.objectIfFound($2))
    }
  }

  /// Fetches pairs of objects related by a foreign key of the second model, and those without a partner with nil.
  @_disfavoredOverload
  public func leftJoin<First: Model, Second: Model>(
    _ first: First.Type, _ second: Second.Type, via path: PartialKeyPath<Second>,
    where filter: (Fields<First>, Fields<Second>) -> Filter? = { _, _ in nil },
    orderBy orderings: (Fields<First>, Fields<Second>) -> [Ordering] = { _, _ in [] }, limit: Int? = nil
  ) throws -> [(First, Second?)] {
    try pairs("LEFT JOIN", first, second, [path], filter, orderings, limit) {
      (try $0.object($2), try $1.objectIfFound($2))
    }
  }

  private func pairs<First: Model, Second: Model, Row>(
    _ word: String, _ first: First.Type, _ second: Second.Type, _ paths: [AnyKeyPath],
    _ filter: (Fields<First>, Fields<Second>) -> Filter?, _ orderings: (Fields<First>, Fields<Second>) -> [Ordering],
    _ limit: Int?, _ row: (JoinedTable<First>, JoinedTable<Second>, Statement) throws -> Row
  ) throws -> [Row] {
    let join = try Join(word, first, second, via: paths, in: store)
    let (a, b) = (try join.table(first, 0), try join.table(second, 1))
    let query = RowQuery(filter: filter(a.fields, b.fields), orderings: orderings(a.fields, b.fields), limit: limit)
    return try join.rows(query) { try row(a, b, $0) }
  }
}

extension RecordReader {
  /// Fetches objects of three models, each related to one before it, in either direction.
  ///
  /// - Parameter paths: The properties with the foreign keys, where there are several: `[\Order.customer]`.
  public func join<First: Model, Second: Model, Third: Model>(
    _ first: First.Type, _ second: Second.Type, _ third: Third.Type, via paths: [AnyKeyPath] = [],
    where filter: (Fields<First>, Fields<Second>, Fields<Third>) -> Filter? = { _, _, _ in nil },
    orderBy orderings: (Fields<First>, Fields<Second>, Fields<Third>) -> [Ordering] = { _, _, _ in [] },
    limit: Int? = nil
  ) throws -> [(First, Second, Third)] {
    let join = try Join("JOIN", first, second, third, via: paths, in: store)
    let (a, b, c) = (try join.table(first, 0), try join.table(second, 1), try join.table(third, 2))
    let query = RowQuery(
      filter: filter(a.fields, b.fields, c.fields), orderings: orderings(a.fields, b.fields, c.fields), limit: limit)
    return try join.rows(query) { (try a.object($0), try b.object($0), try c.object($0)) }
  }

  /// Fetches objects of three models like ``join(_:_:_:via:where:orderBy:limit:)``, with nil for what is missing.
  public func leftJoin<First: Model, Second: Model, Third: Model>(
    _ first: First.Type, _ second: Second.Type, _ third: Third.Type, via paths: [AnyKeyPath] = [],
    where filter: (Fields<First>, Fields<Second>, Fields<Third>) -> Filter? = { _, _, _ in nil },
    orderBy orderings: (Fields<First>, Fields<Second>, Fields<Third>) -> [Ordering] = { _, _, _ in [] },
    limit: Int? = nil
  ) throws -> [(First, Second?, Third?)] {
    let join = try Join("LEFT JOIN", first, second, third, via: paths, in: store)
    let (a, b, c) = (try join.table(first, 0), try join.table(second, 1), try join.table(third, 2))
    let query = RowQuery(
      filter: filter(a.fields, b.fields, c.fields), orderings: orderings(a.fields, b.fields, c.fields), limit: limit)
    return try join.rows(query) { (try a.object($0), try b.objectIfFound($0), try c.objectIfFound($0)) }
  }

  /// Fetches objects of four models, each related to one before it, in either direction.
  public func join<First: Model, Second: Model, Third: Model, Fourth: Model>(
    _ first: First.Type, _ second: Second.Type, _ third: Third.Type, _ fourth: Fourth.Type,
    via paths: [AnyKeyPath] = [],
    where filter: (Fields<First>, Fields<Second>, Fields<Third>, Fields<Fourth>) -> Filter? = { _, _, _, _ in nil },
    orderBy orderings: (Fields<First>, Fields<Second>, Fields<Third>, Fields<Fourth>) -> [Ordering] = { _, _, _, _ in []
    }, limit: Int? = nil
  ) throws -> [(First, Second, Third, Fourth)] {
    let join = try Join("JOIN", first, second, third, fourth, via: paths, in: store)
    let (a, b, c, d) = (
      try join.table(first, 0), try join.table(second, 1), try join.table(third, 2), try join.table(fourth, 3)
    )
    let query = RowQuery(
      filter: filter(a.fields, b.fields, c.fields, d.fields),
      orderings: orderings(a.fields, b.fields, c.fields, d.fields), limit: limit)
    return try join.rows(query) { (try a.object($0), try b.object($0), try c.object($0), try d.object($0)) }
  }

  /// Fetches objects of four models, each related to one before it, with nil for what is missing.
  public func leftJoin<First: Model, Second: Model, Third: Model, Fourth: Model>(
    _ first: First.Type, _ second: Second.Type, _ third: Third.Type, _ fourth: Fourth.Type,
    via paths: [AnyKeyPath] = [],
    where filter: (Fields<First>, Fields<Second>, Fields<Third>, Fields<Fourth>) -> Filter? = { _, _, _, _ in nil },
    orderBy orderings: (Fields<First>, Fields<Second>, Fields<Third>, Fields<Fourth>) -> [Ordering] = { _, _, _, _ in []
    }, limit: Int? = nil
  ) throws -> [(First, Second?, Third?, Fourth?)] {
    let join = try Join("LEFT JOIN", first, second, third, fourth, via: paths, in: store)
    let (a, b, c, d) = (
      try join.table(first, 0), try join.table(second, 1), try join.table(third, 2), try join.table(fourth, 3)
    )
    let query = RowQuery(
      filter: filter(a.fields, b.fields, c.fields, d.fields),
      orderings: orderings(a.fields, b.fields, c.fields, d.fields), limit: limit)
    return try join.rows(query) {
      (try a.object($0), try b.objectIfFound($0), try c.objectIfFound($0), try d.objectIfFound($0))
    }
  }
}

extension RecordReader {
  /// Fetches the object with a primary key; nil if it does not exist.
  ///
  /// *Cost:* one search in the table or its index.
  ///
  /// - Throws: ``RecordError`` for a key of a different type than the table's, or a stored value that does not fit.
  public func find<M: Model, Key: ColumnValue>(_ type: M.Type, _ key: Key) throws -> M? {
    let mapping = try store.mapping(of: type)
    if mapping.shape.plainKey == Key.columnType.name { return try mapping.find(key.sqlValue()) }
    try mapping.shape.checkKey(width: 1)
    return try mapping.find(mapping.shape.storedKey(key, at: 0))
  }

  /// Fetches the object with a primary key of several columns; nil if it does not exist.
  public func find<M: Model, First: ColumnValue, each Other: ColumnValue>(
    _ type: M.Type, _ first: First, _ others: repeat each Other
  ) throws -> M? {
    let mapping = try store.mapping(of: type)
    return try mapping.find(mapping.shape.storedKey(first, repeat each others))
  }

  /// Fetches the objects that meet a condition.
  ///
  /// - Parameters:
  ///   - filter: The condition; without one, all objects are fetched.
  ///   - orderings: The terms to sort by, the most significant first. Without any, the order is up to SQLite.
  ///   - limit: The maximum number of objects.
  ///   - offset: The number of objects to skip. SQLite reads those as well; ``page(_:size:after:where:orderBy:)`` does not.
  public func all<M: Model>(
    _ type: M.Type, where filter: (Fields<M>) -> Filter? = { _ in nil },
    orderBy orderings: (Fields<M>) -> [Ordering] = { _ in [] }, limit: Int? = nil, offset: Int? = nil
  ) throws -> [M] {
    let mapping = try store.mapping(of: type)
    let fields = fields(of: mapping)
    let query = RowQuery(filter: filter(fields), orderings: orderings(fields), limit: limit, offset: offset)
    return try self.query(mapping, query) { try mapping.all($0) }
  }

  /// Passes the objects that meet a condition to the body one by one, with only one in memory at a time.
  public func forEach<M: Model>(
    _ type: M.Type, where filter: (Fields<M>) -> Filter? = { _ in nil },
    orderBy orderings: (Fields<M>) -> [Ordering] = { _ in [] }, limit: Int? = nil, offset: Int? = nil,
    _ body: (M) throws -> Void
  ) throws {
    let mapping = try store.mapping(of: type)
    let fields = fields(of: mapping)
    let query = RowQuery(filter: filter(fields), orderings: orderings(fields), limit: limit, offset: offset)
    try self.query(mapping, query) { try mapping.forEach($0, body) }
  }

  /// Fetches the first object that meets a condition; nil if none does.
  public func first<M: Model>(
    _ type: M.Type, where filter: (Fields<M>) -> Filter? = { _ in nil },
    orderBy orderings: (Fields<M>) -> [Ordering] = { _ in [] }
  ) throws -> M? {
    try all(type, where: filter, orderBy: orderings, limit: 1).first
  }

  /// Counts the objects that meet a condition.
  public func count<M: Model>(_ type: M.Type, where filter: (Fields<M>) -> Filter? = { _ in nil }) throws -> Int {
    let mapping = try store.mapping(of: type)
    let query = RowQuery(filter: filter(fields(of: mapping)))
    return try self.query(mapping, selecting: "count(*)", query) { statement in
      var count = 0
      try connection.run(statement) { count = Int($0.integer(at: 0) ?? 0) }
      return count
    }
  }

  /// True if any object meets a condition.
  public func exists<M: Model>(_ type: M.Type, where filter: (Fields<M>) -> Filter? = { _ in nil }) throws -> Bool {
    let mapping = try store.mapping(of: type)
    let query = RowQuery(filter: filter(fields(of: mapping)), limit: 1)
    return try self.query(mapping, selecting: "1", query) { statement in
      var exists = false
      try connection.run(statement) { _ in exists = true }
      return exists
    }
  }

  /// True if an object with a primary key exists.
  public func exists<M: Model, First: ColumnValue, each Other: ColumnValue>(
    _ type: M.Type, key first: First, _ others: repeat each Other
  ) throws -> Bool {
    let shape = try store.mapping(of: type).shape
    let values = try shape.storedKey(first, repeat each others)
    return try connection.integer(
      "SELECT 1 FROM \(shape.source) WHERE \(shape.keyCondition { _ in "?" })", values) != nil
  }
}

extension ModelShape {
  /// The stored values of a key.
  func storedKey<each Key: ColumnValue>(_ key: repeat each Key) throws -> [SQLValue] {
    var width = 0
    for _ in repeat (each Key).self { width += 1 }
    try checkKey(width: width)
    var values: [SQLValue] = []
    for value in repeat each key { values.append(try storedKey(value, at: values.count)) }
    return values
  }

  func checkKey(width: Int) throws {
    guard !keyIndexes.isEmpty else { throw RecordError(.noPrimaryKey(table: name)) }
    guard width == keyIndexes.count else {
      throw wrongKey("\(width) value\(width == 1 ? "" : "s")")
    }
  }

  /// The stored value of the key's nth column.
  func storedKey<Key: ColumnValue>(_ key: Key, at position: Int) throws -> SQLValue {
    let index = keyIndexes[position]
    if let coding = columns[index].coding {
      guard let stored = try coding.stored(key) else { throw wrongKey("a \(Key.self) for \(columns[index].name)") }
      return stored
    }
    // An Int is accepted for an Int64, but text never matches an integer: that is a mistake and not a missing row.
    guard Key.columnType.name == columns[index].storage else {
      throw wrongKey("a \(Key.self) for \(columns[index].name)")
    }
    return try key.sqlValue()
  }

  private func wrongKey(_ found: String) -> RecordError {
    let expected = keyIndexes.map { "\(columns[$0].name) \(columns[$0].storage)" }.joined(separator: ", ")
    return RecordError(.wrongKey(table: name, expected: expected, found: found))
  }
}

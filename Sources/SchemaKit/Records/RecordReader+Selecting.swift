extension RecordReader {
  /// Fetches some columns, or expressions over them, of the rows that meet a condition.
  ///
  /// ```swift
  /// let list = try session.select(Note.self, { ($0.id, $0.title) }, orderBy: { [$0.modified.descending] })
  /// let perAuthor = try session.select(
  ///   Note.self, { ($0.author, $0.id.count) }, groupBy: { [$0.author.grouped] }, having: { $0.id.count > 3 })
  /// ```
  ///
  /// *Cost:* only these columns are read; an index that holds all of them is read instead of the table.
  ///
  /// - Parameters:
  ///   - selection: The fields, as a tuple or a single one.
  ///   - distinct: True if duplicate results are removed.
  ///   - groups: The fields to group rows by, for aggregates.
  ///   - having: The condition that a group must meet, over its aggregates and the fields it is grouped by.
  public func select<M: Model, each Value: ColumnValue>(
    _ type: M.Type, _ selection: (Fields<M>) -> (repeat Field<each Value>),
    where filter: (Fields<M>) -> Filter? = { _ in nil }, groupBy groups: (Fields<M>) -> [Grouping] = { _ in [] },
    having: (Fields<M>) -> Filter? = { _ in nil },
    orderBy orderings: (Fields<M>) -> [Ordering] = { _ in [] }, distinct: Bool = false, limit: Int? = nil,
    offset: Int? = nil
  ) throws -> [(repeat each Value)] {
    let mapping = try store.mapping(of: type)
    let fields = fields(of: mapping)
    let selected = selection(fields)
    var terms: [SQL] = []
    for field in repeat each selected { terms.append(field.term) }
    let query = RowQuery(
      filter: filter(fields), orderings: orderings(fields), limit: limit, offset: offset,
      groups: groups(fields).map(\.term), having: having(fields))
    var results: [(repeat each Value)] = []
    try select(terms, isDistinct: distinct, from: mapping.shape, query) { row in
      var column = 0
      results.append((repeat try (each selected).read(row, &column)))
    }
    return results
  }

  /// Fetches objects with values that SQLite computes beside each, such as the number of its children.
  ///
  /// ```swift
  /// let authors = try session.all(
  ///   Author.self, selecting: { ($0.counting(Book.self), $0.computing(Book.self, { $0.pages.sum })) })
  /// for (author, books, pages) in authors { … }
  /// ```
  ///
  /// - Parameter selection: The fields, as a tuple or a single one.
  public func all<M: Model, each Value: ColumnValue>(
    _ type: M.Type, selecting selection: (Fields<M>) -> (repeat Field<each Value>),
    where filter: (Fields<M>) -> Filter? = { _ in nil },
    orderBy orderings: (Fields<M>) -> [Ordering] = { _ in [] }, limit: Int? = nil, offset: Int? = nil
  ) throws -> [(M, repeat each Value)] {
    let mapping = try store.mapping(of: type)
    let fields = fields(of: mapping)
    let selected = selection(fields)
    var terms = [SQL(raw: mapping.shape.selection(qualifier: mapping.shape.quotedName))]
    for field in repeat each selected { terms.append(try field.term.ofOneRow()) }
    let query = RowQuery(filter: filter(fields), orderings: orderings(fields), limit: limit, offset: offset)
    let list = SQL(raw: "SELECT ") + SQL.joined(terms, by: ", ")
    let sql = try list + SQL(raw: " FROM \(mapping.shape.source)") + query.clauses()
    var results: [(M, repeat each Value)] = []
    try mapping.forEach(sql, on: connection) { row, object in
      var column = mapping.shape.selectionWidth
      results.append((object, repeat try (each selected).read(row, &column)))
    }
    return results
  }

  /// Fetches objects with the number of those of another model that refer to each.
  ///
  /// ```swift
  /// for (author, books) in try session.all(Author.self, counting: \Book.authorID) { … }
  /// ```
  ///
  /// *Cost:* a search for each object; the foreign key should have an index.
  ///
  /// - Parameter path: The property with the foreign key.
  public func all<M: Model, Child: Model, Key>(
    _ type: M.Type, counting path: KeyPath<Child, Key>, where filter: (Fields<M>) -> Filter? = { _ in nil },
    orderBy orderings: (Fields<M>) -> [Ordering] = { _ in [] }, limit: Int? = nil, offset: Int? = nil
  ) throws -> [(M, Int)] {
    try all(
      type, selecting: { $0.counting(Child.self, via: path) }, where: filter, orderBy: orderings, limit: limit,
      offset: offset)
  }

  private func select(
    _ terms: [SQL], isDistinct: Bool, from shape: ModelShape, _ query: RowQuery, _ body: (Statement) throws -> Void
  ) throws {
    let list = SQL(raw: isDistinct ? "SELECT DISTINCT " : "SELECT ") + SQL.joined(terms, by: ", ")
    let sql = try (list + SQL(raw: " FROM \(shape.source)") + query.clauses()).checked()
    try connection.withStatement(sql.text) { statement in
      try statement.bind(sql.values)
      try connection.run(statement, eachRow: body)
    }
  }

  /// Fetches one value that SQLite computes over the rows that meet a condition: an aggregate, or the first row's
  /// value.
  ///
  /// ```swift
  /// let size = try session.value(Note.self, { $0.size.sum })
  /// ```
  public func value<M: Model, Value: ColumnValue>(
    _ type: M.Type, _ selection: (Fields<M>) -> Field<Value>, where filter: (Fields<M>) -> Filter? = { _ in nil },
    orderBy orderings: (Fields<M>) -> [Ordering] = { _ in [] }
  ) throws -> Value.Unwrapped? {
    let mapping = try store.mapping(of: type)
    let fields = fields(of: mapping)
    let selected = selection(fields)
    let query = RowQuery(filter: filter(fields), orderings: orderings(fields), limit: 1)
    var result: Value?
    try select([selected.term], isDistinct: false, from: mapping.shape, query) { row in
      var column = 0
      result = try selected.read(row, &column)
    }
    return result.flatMap { $0.unwrapped }
  }

  /// Fetches rows as they are stored, with their columns by name.
  public func rows<M: Model>(
    _ type: M.Type, where filter: (Fields<M>) -> Filter? = { _ in nil },
    orderBy orderings: (Fields<M>) -> [Ordering] = { _ in [] }, limit: Int? = nil, offset: Int? = nil
  ) throws -> [SQLRow] {
    let mapping = try store.mapping(of: type)
    let fields = fields(of: mapping)
    let query = RowQuery(filter: filter(fields), orderings: orderings(fields), limit: limit, offset: offset)
    let names = mapping.shape.columns.map(\.name)
    let list = FieldScope(mapping.shape, in: store).list
    return try self.query(mapping, selecting: list, query) { statement in
      var rows: [SQLRow] = []
      try connection.run(statement) { rows.append(SQLRow(columnNames: names, values: try $0.exactRow(names))) }
      return rows
    }
  }
}

/// A term to group rows by.
public struct Grouping: Sendable, Hashable {
  let term: SQL
}

extension Field {
  /// This field, as a term to group rows by.
  public var grouped: Grouping { Grouping(term: term) }

  /// Reads this field's value from the next column of a row.
  func read(_ row: Statement, _ column: inout Int) throws -> Value {
    defer { column += 1 }
    do {
      return try value(from: row.sqlValue(at: column))
    } catch var error as ColumnValueError {
      error.column = error.column ?? self.column ?? term.text
      throw error
    }
  }
}

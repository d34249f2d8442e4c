/// Which rows of a table to fetch, in which order, and how many of them.
struct RowQuery {
  var filter: Filter?
  var orderings: [Ordering] = []
  var limit: Int?
  var offset: Int?
  /// The terms to group rows by.
  var groups: [SQL] = []
  /// The condition on groups.
  var having: Filter?

  /// The clauses after the FROM of a statement, each preceded by a space.
  func clauses() throws -> SQL {
    var sql = SQL(raw: "", capacity: filter.map { $0.sql.text.utf8.count + 50 } ?? 0)
    if let filter {
      sql += " WHERE "
      sql += try filter.sql.ofOneRow()
    }
    if !groups.isEmpty { sql += SQL(raw: " GROUP BY ") + SQL.joined(try groups.map { try $0.ofOneRow() }, by: ", ") }
    if let having {
      guard !groups.isEmpty else { throw RecordError(.noGroups) }
      sql += SQL(raw: " HAVING ") + having.sql
    }
    if !orderings.isEmpty { sql += SQL(raw: " ORDER BY ") + SQL.joined(orderings.map(\.sql), by: ", ") }
    if limit != nil || offset != nil {
      // SQLite would take a negative limit for none, and a negative offset for zero; an OFFSET requires a LIMIT.
      if let limit, limit < 0 { throw RecordError(.count("limit", limit, least: 0)) }
      if let offset, offset < 0 { throw RecordError(.count("offset", offset, least: 0)) }
      sql += SQL(raw: " LIMIT ?", stored: [.integer(limit.map(Int64.init) ?? -1)])
      if let offset { sql += SQL(raw: " OFFSET ?", stored: [.integer(Int64(offset))]) }
    }
    return try sql.checked()
  }
}

extension RecordReader {
  /// Runs a query on a model's table.
  func query<M: Model, Result>(
    _ mapping: ModelMapping<M>, selecting: String? = nil, _ query: RowQuery, _ body: (Statement) throws -> Result
  ) throws -> Result {
    let clauses = try query.clauses()
    let shape = mapping.shape
    if clauses.text.isEmpty, selecting == nil { return try connection.withStatement(mapping.allSlot, body) }
    let sql = selecting.map { "SELECT \($0) FROM \(shape.source)" } ?? mapping.allSlot.sql
    return try connection.withStatement(sql + clauses.text) { statement in
      try statement.bind(clauses.values)
      return try body(statement)
    }
  }

  func fields<M: Model>(of mapping: ModelMapping<M>) -> Fields<M> {
    Fields<M>(scope: FieldScope(mapping.shape, in: store))
  }
}

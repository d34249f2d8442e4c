extension RecordReader {
  /// Fetches objects together with those of another model that refer to them: in two queries, however many there are.
  ///
  /// *Cost:* with a limit, one more query for every 400 objects whose primary key has several columns.
  ///
  /// - Parameters:
  ///   - children: The model with the foreign key.
  ///   - path: The property with the foreign key, if there are several.
  ///   - childOrderings: The order of the children of each object.
  public func all<Parent: Model, Child: Model>(
    _ type: Parent.Type, with children: Child.Type, via path: PartialKeyPath<Child>? = nil,
    where filter: (Fields<Parent>) -> Filter? = { _ in nil },
    orderBy orderings: (Fields<Parent>) -> [Ordering] = { _ in [] }, limit: Int? = nil, offset: Int? = nil,
    childrenOrderBy childOrderings: (Fields<Child>) -> [Ordering] = { _ in [] }
  ) throws -> [(Parent, [Child])] {
    let query = FamilyQuery(
      parent: try store.mapping(of: type), child: try store.mapping(of: children),
      relation: try ModelRelation(
        from: store.mapping(of: children).shape, to: store.mapping(of: type).shape, via: path), connection: connection)
    let parents = Fields<Parent>(scope: FieldScope(query.parent.shape, alias: "_p", in: store))
    let rows = RowQuery(filter: filter(parents), orderings: orderings(parents), limit: limit, offset: offset)
    let order = RowQuery(
      orderings: childOrderings(Fields<Child>(scope: FieldScope(query.child.shape, alias: "_c", in: store))))
    return try snapshot { try query.families(rows, childOrder: order) }
  }

  /// Runs several queries that see the same state of the database.
  func snapshot<Result>(_ body: () throws -> Result) throws -> Result {
    try connection.isInTransaction ? body() : connection.transaction(.deferred, body)
  }
}

/// Fetches parents, and then all their children.
private struct FamilyQuery<Parent: Model, Child: Model> {
  let parent: ModelMapping<Parent>
  let child: ModelMapping<Child>
  let relation: ModelRelation
  let connection: SQLiteConnection

  /// The columns that distinguish the parents from each other: the primary key, or the rowid.
  private var identity: [String] {
    let key = parent.shape.keyIndexes.map { parent.shape.columns[$0].quoted }
    return (key.isEmpty ? [parent.shape.hiddenRowID ?? "rowid"] : key).map { "_p.\($0)" }
  }

  func families(_ query: RowQuery, childOrder: RowQuery) throws -> [(Parent, [Child])] {
    let clauses = try query.clauses()
    var families: [(Parent, [Child])] = []
    var places: [[SQLValue]: Int] = [:]
    let list = "\(parent.shape.selection(qualifier: "_p")), \(identity.joined(separator: ", "))"
    try forEach("SELECT \(list) FROM \(parent.shape.source) AS _p\(clauses.text)", clauses.values, parent) {
      row, object in
      places[try identity.indices.map { try row.sqlValue(at: parent.shape.selectionWidth + $0) }] = families.count
      families.append((object, []))
    }
    // A limit must not be applied twice: two statements may choose differently among equal or unordered rows.
    let isWhole = query.limit == nil && query.offset == nil
    let conditions = isWhole ? [query.filter.map(whole)] : places.isEmpty ? [] : self.conditions(on: Array(places.keys))
    for condition in conditions {
      // The database itself matches children to parents, by its own rules for equal values.
      var sql = SQL(
        raw: """
          SELECT \(child.shape.selection(qualifier: "_c")), \(identity.joined(separator: ", ")) \
          FROM \(parent.shape.source) AS _p JOIN \(child.shape.source) AS _c \
          ON \(relation.condition(child: "_c", parent: "_p"))
          """)
      if let condition { sql += SQL(raw: " WHERE ") + condition }
      sql += try childOrder.clauses()
      try forEach(sql.text, sql.checked().values, child) { row, object in
        let key = try identity.indices.map { try row.sqlValue(at: child.shape.selectionWidth + $0) }
        if let place = places[key] { families[place].1.append(object) }
      }
    }
    return families
  }

  /// The parents' own condition in a separate subquery, where it may use unqualified column names.
  private func whole(_ filter: Filter) -> SQL {
    let columns = identity.joined(separator: ", ")
    return SQL(raw: "(\(columns)) IN (SELECT \(columns) FROM \(parent.shape.source) AS _p WHERE ") + filter.sql
      + SQL(raw: ")")
  }

  /// The conditions that a row is one of the parents, split according to the engine's limit of parameters.
  private func conditions(on keys: [[SQLValue]]) -> [SQL?] {
    if identity.count == 1 {
      return [MembershipCondition(term: SQL(raw: identity[0]), values: keys.compactMap(\.first)).filter.sql]
    }
    let marks = "(" + identity.map { _ in "?" }.joined(separator: ", ") + ")"
    return stride(from: 0, to: keys.count, by: 400).map { start in
      let part = keys[start..<min(start + 400, keys.count)]
      let list = part.map { _ in marks }.joined(separator: ", ")
      return SQL(
        raw: "(\(identity.joined(separator: ", "))) IN (VALUES \(list))", stored: part.flatMap { $0 })
    }
  }

  private func forEach<M: Model>(
    _ sql: String, _ values: [SQLValue], _ mapping: ModelMapping<M>, _ body: (Statement, M) throws -> Void
  ) throws {
    try connection.withStatement(sql) { statement in
      try statement.bind(values)
      var reader = mapping.reader(statement)
      try connection.run(statement) { try body($0, mapping.object(&reader)) }
    }
  }
}

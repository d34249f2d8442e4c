/// A foreign key between two models, in the direction in which a statement follows it.
struct ModelRelation {
  /// The columns of the child and of the parent, in pairs.
  let child: [String]
  let parent: [String]

  /// Finds the only foreign key from one table to another, or the one on a column.
  init(from child: ModelShape, to parent: ModelShape, via path: AnyKeyPath? = nil) throws {
    var references = child.references.filter { SQLName($0.parent) == SQLName(parent.name) }
    if let path {
      guard let index = child.indexes[path] else {
        throw RecordError(.unknownField(model: child.model, field: "\(path)"))
      }
      references = references.filter { $0.columns.contains(child.columns[index].name) }
    }
    guard let reference = references.first, references.count == 1 else {
      let columns = path.flatMap { child.indexes[$0] }.map { [child.columns[$0].name] }
      throw RecordError(
        .noRelation(
          from: child.model, to: parent.model, count: references.count,
          columns: columns ?? references.map { $0.columns.joined(separator: " and ") }))
    }
    self.child = reference.columns
    self.parent =
      reference.parentColumns.isEmpty ? parent.keyIndexes.map { parent.columns[$0].name } : reference.parentColumns
    guard self.parent.count == self.child.count else {
      throw RecordError(.noRelation(from: child.model, to: parent.model, count: 0))
    }
  }

  /// The condition that rows belong together.
  func condition(child: String, parent: String) -> String {
    zip(self.child, self.parent).map { own, other in
      "\(child).\(SQLQuoting.identifier(own)) = \(parent).\(SQLQuoting.identifier(other))"
    }.joined(separator: " AND ")
  }
}

extension ModelShape {
  /// Whether any foreign key of this table leads to another.
  fileprivate func refers(to other: ModelShape) -> Bool {
    references.contains { SQLName($0.parent) == SQLName(other.name) }
  }
}

extension Fields {
  /// Whether a row of a full-text table with the same rowid matches a query.
  ///
  /// The full-text table is declared beside the models, such as
  /// `VirtualTable("book_search", using: "fts5", "title", "content='books'")`. See [FTS5](https://sqlite.org/fts5.html).
  public func matches(_ query: String, in table: String) -> Filter {
    let rowID = scope.shape.rowIDIndex.map { scope.shape.columns[$0].quoted } ?? scope.shape.hiddenRowID
    guard let rowID else { return Filter(SQL(flaw: .notAColumn("\(scope.shape.name).rowid"))) }
    let name = SQLQuoting.identifier(table)
    return Filter(
      SQL(
        raw: "\(scope.qualifier).\(rowID) IN (SELECT rowid FROM \"main\".\(name) WHERE \(name) MATCH ?)",
        stored: [.text(query)]))
  }

  /// Whether any object of another model that is related to this one meets a condition.
  ///
  /// The foreign key may be declared in either model. Negated with `!`, it matches objects without such a related
  /// object:
  ///
  /// ```swift
  /// try session.all(Note.self, where: { $0.any(NoteImage.self) { $0.width > 100 } })
  /// ```
  ///
  /// - Parameter path: The property with the foreign key, in either model, if there are several.
  public func any<Other: Model>(
    _ type: Other.Type, via path: AnyKeyPath? = nil, where condition: (Fields<Other>) -> Filter? = { _ in nil }
  ) -> Filter {
    do {
      let other = try scope.store.mapping(of: type).shape
      let alias = "_t\(scope.depth + 1)"
      let link: String
      let isOurs =
        path.map { scope.shape.indexes[$0] != nil && scope.shape !== other } ?? !other.refers(to: scope.shape)
      if isOurs {
        link = try ModelRelation(from: scope.shape, to: other, via: path)
          .condition(child: scope.qualifier, parent: alias)
      } else {
        link = try ModelRelation(from: other, to: scope.shape, via: path)
          .condition(child: alias, parent: scope.qualifier)
      }
      let inner = FieldScope(other, alias: alias, depth: scope.depth + 1, in: scope.store)
      var sql = SQL(raw: "EXISTS (SELECT 1 FROM \(other.source) AS \(alias) WHERE \(link)")
      if let filter = condition(Fields<Other>(scope: inner)) { sql += SQL(raw: " AND ") + filter.sql }
      return Filter(sql + SQL(raw: ")"))
    } catch let error as RecordError {
      return Filter(SQL(flaw: error.reason))
    } catch {
      return Filter(SQL(flaw: .unstorable("\(error)")))
    }
  }
}

extension RecordReader {
  /// Fetches pairs of objects related by the foreign key from the first model to the second.
  ///
  /// - Parameter path: The property with the foreign key, if there are several.
  public func join<Child: Model, Parent: Model>(
    _ child: Child.Type, _ parent: Parent.Type, via path: PartialKeyPath<Child>? = nil,
    where filter: (Fields<Child>, Fields<Parent>) -> Filter? = { _, _ in nil },
    orderBy orderings: (Fields<Child>, Fields<Parent>) -> [Ordering] = { _, _ in [] }, limit: Int? = nil
  ) throws -> [(Child, Parent)] {
    try joined("JOIN", child, parent, path, filter, orderings, limit).compactMap { pair in
      pair.1.map { (pair.0, $0) }
    }
  }

  /// Fetches pairs of objects like ``join(_:_:via:where:orderBy:limit:)``, and those without a partner with nil.
  public func leftJoin<Child: Model, Parent: Model>(
    _ child: Child.Type, _ parent: Parent.Type, via path: PartialKeyPath<Child>? = nil,
    where filter: (Fields<Child>, Fields<Parent>) -> Filter? = { _, _ in nil },
    orderBy orderings: (Fields<Child>, Fields<Parent>) -> [Ordering] = { _, _ in [] }, limit: Int? = nil
  ) throws -> [(Child, Parent?)] {
    try joined("LEFT JOIN", child, parent, path, filter, orderings, limit)
  }

  private func joined<Child: Model, Parent: Model>(
    _ word: String, _ childType: Child.Type, _ parentType: Parent.Type, _ path: PartialKeyPath<Child>?,
    _ filter: (Fields<Child>, Fields<Parent>) -> Filter?,
    _ orderings: (Fields<Child>, Fields<Parent>) -> [Ordering], _ limit: Int?
  ) throws -> [(Child, Parent?)] {
    let (child, parent) = (try store.mapping(of: childType), try store.mapping(of: parentType))
    let relation = try ModelRelation(from: child.shape, to: parent.shape, via: path)
    let childFields = Fields<Child>(scope: FieldScope(child.shape, alias: "_a", in: store))
    var parentScope = FieldScope(parent.shape, alias: "_b", in: store)
    parentScope.mayBeMissing = word == "LEFT JOIN"
    let parentFields = Fields<Parent>(scope: parentScope)
    let query = RowQuery(
      filter: filter(childFields, parentFields), orderings: orderings(childFields, parentFields), limit: limit)
    let clauses = try query.clauses()
    // A column of the relation is never NULL in a parent that was found.
    let sql = """
      SELECT \(child.shape.selection(qualifier: "_a")), _b.\(SQLQuoting.identifier(relation.parent[0])), \
      \(parent.shape.selection(qualifier: "_b")) FROM \(child.shape.source) AS _a \(word) \(parent.shape.source) AS _b \
      ON \(relation.condition(child: "_a", parent: "_b"))\(clauses.text)
      """
    return try connection.withStatement(sql) { statement in
      try statement.bind(clauses.values)
      let width = child.shape.selectionWidth
      var (childReader, parentReader) = (child.reader(statement), parent.reader(statement, from: width + 1))
      var pairs: [(Child, Parent?)] = []
      try connection.run(statement) { row in
        let first = try child.object(&childReader)
        pairs.append((first, row.isNull(at: width) ? nil : try parent.object(&parentReader)))
      }
      return pairs
    }
  }
}

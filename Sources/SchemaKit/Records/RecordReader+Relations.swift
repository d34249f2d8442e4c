/// A foreign key between two models, in the direction in which a statement goes along it.
struct ModelRelation {
  /// The columns of the child and of the parent, in pairs.
  let child: [String]
  let parent: [String]

  /// The only foreign key from one table to another, or the one over a column.
  init(from child: ModelShape, to parent: ModelShape, via path: AnyKeyPath? = nil) throws {
    var references = child.references.filter { SQLName($0.parent) == SQLName(parent.name) }
    if let path {
      guard let index = child.indexes[path] else {
        throw RecordError(.unknownField(model: child.model, field: "\(path)"))
      }
      references = references.filter { $0.columns.contains(child.columns[index].name) }
    }
    guard let reference = references.first, references.count == 1 else {
      throw RecordError(.noRelation(from: child.model, to: parent.model, count: references.count))
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

  /// Whether any object of another model that belongs to this one meets a condition.
  ///
  /// The foreign key may be declared in either model. Negated with `!`, it asks for objects without such a one:
  ///
  /// ```swift
  /// try session.all(Note.self, where: { $0.any(NoteImage.self) { $0.width > 100 } })
  /// ```
  public func any<Other: Model>(
    _ type: Other.Type, where condition: (Fields<Other>) -> Filter? = { _ in nil }
  ) -> Filter {
    do {
      let other = try scope.store.mapping(of: type).shape
      let alias = "_t\(scope.depth + 1)"
      let link: String
      if let relation = try? ModelRelation(from: other, to: scope.shape) {
        link = relation.condition(child: alias, parent: scope.qualifier)
      } else {
        link = try ModelRelation(from: scope.shape, to: other).condition(child: scope.qualifier, parent: alias)
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
  /// Loads pairs of objects that belong together along the foreign key from the first model to the second.
  ///
  /// - Parameter path: The property with the foreign key, where there are several.
  public func join<Child: Model, Parent: Model>(
    _ child: Child.Type, _ parent: Parent.Type, via path: PartialKeyPath<Child>? = nil,
    where filter: (Fields<Child>, Fields<Parent>) -> Filter? = { _, _ in nil },
    orderBy orderings: (Fields<Child>, Fields<Parent>) -> [Ordering] = { _, _ in [] }, limit: Int? = nil
  ) throws -> [(Child, Parent)] {
    try joined("JOIN", child, parent, path, filter, orderings, limit).compactMap { pair in
      pair.1.map { (pair.0, $0) }
    }
  }

  /// Loads pairs of objects like ``join(_:_:via:where:orderBy:limit:)``, and those without a partner with nil.
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
    let childFields = Fields<Child>(scope: FieldScope(child.shape, alias: "a", in: store))
    let parentFields = Fields<Parent>(scope: FieldScope(parent.shape, alias: "b", in: store))
    let query = RowQuery(
      filter: filter(childFields, parentFields), orderings: orderings(childFields, parentFields), limit: limit)
    let clauses = try query.clauses()
    let width = child.shape.columns.count
    // A column of the relation that is never NULL in the parent tells whether there is one.
    let sql = """
      SELECT \(childFields.scope.list), b.\(SQLQuoting.identifier(relation.parent[0])), \(parentFields.scope.list) \
      FROM \(child.shape.source) AS a \(word) \(parent.shape.source) AS b \
      ON \(relation.condition(child: "a", parent: "b"))\(clauses.text)
      """
    return try connection.withStatement(sql) { statement in
      try statement.bind(clauses.values)
      var pairs: [(Child, Parent?)] = []
      try connection.run(statement) { row in
        let values = row.row()
        let first = try child.checkedObject(from: Array(values[..<width]))
        let hasParent = !values[width].isNull
        pairs.append((first, hasParent ? try parent.checkedObject(from: Array(values[(width + 1)...])) : nil))
      }
      return pairs
    }
  }

  /// Loads objects together with those of another model that refer to them, in two queries however many there are.
  ///
  /// - Parameters:
  ///   - children: The model with the foreign key.
  ///   - path: The property with the foreign key, where there are several.
  ///   - childOrderings: What to sort the children of each object by.
  public func all<Parent: Model, Child: Model>(
    _ type: Parent.Type, with children: Child.Type, via path: PartialKeyPath<Child>? = nil,
    where filter: (Fields<Parent>) -> Filter? = { _ in nil },
    orderBy orderings: (Fields<Parent>) -> [Ordering] = { _ in [] }, limit: Int? = nil, offset: Int? = nil,
    childrenOrderBy childOrderings: (Fields<Child>) -> [Ordering] = { _ in [] }
  ) throws -> [(Parent, [Child])] {
    let (parent, child) = (try store.mapping(of: type), try store.mapping(of: children))
    let relation = try ModelRelation(from: child.shape, to: parent.shape, via: path)
    let parentFields = fields(of: parent)
    let query = RowQuery(
      filter: filter(parentFields), orderings: orderings(parentFields), limit: limit, offset: offset)
    let clauses = try query.clauses()
    let keys = relation.parent.map { "\(parent.shape.quotedName).\(SQLQuoting.identifier($0))" }
    let childFields = Fields<Child>(scope: FieldScope(child.shape, alias: "c", in: store))
    let order = try RowQuery(orderings: childOrderings(childFields)).clauses()
    let links = relation.child.map { "c.\(SQLQuoting.identifier($0))" }.joined(separator: ", ")
    let subject = relation.child.count == 1 ? links : "(\(links))"
    let parents = "SELECT \(keys.joined(separator: ", ")) FROM \(parent.shape.source)\(clauses.text)"
    let childSQL = """
      SELECT \(childFields.scope.list), \(links) FROM \(child.shape.source) AS c WHERE \(subject) IN (\(parents))\
      \(order.text)
      """
    return try snapshot {
      var families: [(Parent, [Child])] = []
      var places: [[SQLValue]: [Int]] = [:]
      let list = FieldScope(parent.shape, in: store).list
      try connection.forEachRow(
        "SELECT \(list), \(keys.joined(separator: ", ")) FROM \(parent.shape.source)\(clauses.text)", clauses.values
      ) { row in
        let width = parent.shape.columns.count
        places[Array(row[width...]), default: []].append(families.count)
        families.append((try parent.checkedObject(from: Array(row[..<width])), []))
      }
      try connection.forEachRow(childSQL, clauses.values + order.values) { row in
        let width = child.shape.columns.count
        let object = try child.checkedObject(from: Array(row[..<width]))
        for place in places[Array(row[width...])] ?? [] { families[place].1.append(object) }
      }
      return families
    }
  }

  /// Runs several queries that see the same state of the database.
  func snapshot<Result>(_ body: () throws -> Result) throws -> Result {
    try connection.isInTransaction ? body() : connection.transaction(.deferred, body)
  }
}

/// The treatment of rows that refer to an object and are not among the children that it is saved with.
public enum ChildPolicy: Sendable, Hashable {
  /// They stay.
  case adding
  /// They are deleted, with what their foreign keys say about rows that refer to them in turn.
  case replacing
}

extension RecordWriter {
  /// Saves an object together with those of another model that refer to it: all of them or none.
  ///
  /// The object comes first; then each child gets its key as the value of the foreign key. It is the reverse of
  /// `all(_:with:)`:
  ///
  /// ```swift
  /// let (customer, sites) = try session.save(customer, with: sites, .replacing)
  /// ```
  ///
  /// *Cost:* one statement for each object, as `save(_:)` has; `.replacing` adds one that reads the rows which refer to
  /// the object.
  ///
  /// - Parameters:
  ///   - children: The objects of the model with the foreign key, whatever it holds so far.
  ///   - path: The property with the foreign key, if there are several.
  ///   - policy: The treatment of other rows that refer to the object.
  /// - Returns: The objects as stored, the children in their order.
  /// - Throws: ``RecordError`` if the children's model has no foreign key to the object, or several, if a constraint is
  ///   violated, or if replacing others would delete the row of an object to save. Nothing is written then.
  @discardableResult
  public func save<Parent: Model, Child: Model>(
    _ parent: Parent, with children: some Sequence<Child>, via path: PartialKeyPath<Child>? = nil,
    _ policy: ChildPolicy = .adding
  ) throws -> (Parent, [Child]) {
    let link = try FamilyLink(Child.self, to: Parent.self, via: path, in: store)
    return try family(link.child.shape) {
      let parent = try save(parent)
      let linked = try link.linked(children, to: parent)
      var rows = FamilyRows(connection)
      if policy == .replacing {
        try rows.add([parent], link.parent)
        try rows.add(linked, link.child)
      }
      return (parent, try save(linked, by: link, of: parent, policy, besides: linked, rows))
    }
  }

  /// Saves an object together with its children and theirs: all of them or none.
  ///
  /// For more levels, or several models of children, save each family in one ``transaction(_:_:)``.
  ///
  /// - Parameters:
  ///   - children: The children, each with its own.
  ///   - path: The property of a child with the foreign key, if there are several.
  ///   - grandchildPath: The property of a child's child with the foreign key, if there are several.
  ///   - policy: The treatment of other rows that refer to the object or to one of its children.
  /// - Returns: The objects as stored, in their order.
  @discardableResult
  public func save<Parent: Model, Child: Model, Grandchild: Model>(
    _ parent: Parent, with children: some Sequence<(Child, [Grandchild])>, via path: PartialKeyPath<Child>? = nil,
    grandchildrenVia grandchildPath: PartialKeyPath<Grandchild>? = nil, _ policy: ChildPolicy = .adding
  ) throws -> (Parent, [(Child, [Grandchild])]) {
    let link = try FamilyLink(Child.self, to: Parent.self, via: path, in: store)
    let below = try FamilyLink(Grandchild.self, to: Child.self, via: grandchildPath, in: store)
    let families = Array(children)
    return try family(below.child.shape) {
      let parent = try save(parent)
      let linked = try link.linked(families.map(\.0), to: parent)
      // One that moves from one child to another is nobody's to delete.
      let all = try zip(linked, families).flatMap { try below.linked($1.1, ifKnown: $0) }
      var rows = FamilyRows(connection)
      if policy == .replacing {
        try rows.add([parent], link.parent)
        try rows.add(linked, link.child)
        try rows.add(all, below.child)
      }
      let saved = try save(linked, by: link, of: parent, policy, besides: linked, rows)
      return (
        parent,
        try zip(saved, families).map { child, family in
          (child, try save(below.linked(family.1, to: child), by: below, of: child, policy, besides: all, rows))
        }
      )
    }
  }

  /// Runs work in one transaction. A deferred foreign key is checked by COMMIT.
  private func family<Result>(_ shape: ModelShape, _ body: () throws -> Result) throws -> Result {
    try store.explained(shape) { try transaction { try body() } }
  }

  private func save<Parent: Model, Child: Model>(
    _ children: [Child], by link: FamilyLink<Parent, Child>, of parent: Parent, _ policy: ChildPolicy,
    besides kept: [Child], _ rows: FamilyRows
  ) throws -> [Child] {
    if policy == .replacing {
      // Before the children are saved, which may have the values of the rows that go.
      let sql = try link.deletion(ofAllBut: kept, of: parent).checked()
      let changes = try store.explained(link.child.shape, isDelete: true) { try connection.run(sql.text, sql.values) }
      if changes > 0 { try rows.check() }
    }
    return try children.map { try save($0) }
  }
}

/// The rows that objects of a family have before others are deleted, which must not take them along: what refers to them
/// would go too, or lose its reference, although they are saved again.
private struct FamilyRows {
  private let connection: SQLiteConnection
  private var rows: [(shape: ModelShape, key: [SQLValue])] = []

  init(_ connection: SQLiteConnection) { self.connection = connection }

  mutating func add<M: Model>(_ objects: [M], _ mapping: ModelMapping<M>) throws {
    let shape = mapping.shape
    guard !shape.keyIndexes.isEmpty else { return }
    for object in objects {
      let values = try mapping.values(of: object)
      let key = shape.keyIndexes.map { values[$0] }
      if !key.contains(.null), try exists(shape, key) { rows.append((shape, key)) }
    }
  }

  /// Throws if one of them has been deleted.
  func check() throws {
    for (shape, key) in rows where try !exists(shape, key) {
      throw RecordError(.deletedWithOthers(table: shape.name, key: RecordKey(key)))
    }
  }

  private func exists(_ shape: ModelShape, _ key: [SQLValue]) throws -> Bool {
    try connection.integer("SELECT 1 FROM \(shape.source) WHERE \(shape.keyCondition { _ in "?" })", key) != nil
  }
}

/// A foreign key by which objects are saved as the children of others.
private struct FamilyLink<Parent: Model, Child: Model> {
  let parent: ModelMapping<Parent>
  let child: ModelMapping<Child>
  /// The columns of the foreign key among those of the child, and those of the parent that they refer to.
  private let columns: [(child: Int, parent: Int)]

  init(_ type: Child.Type, to owner: Parent.Type, via path: PartialKeyPath<Child>?, in store: RecordStore) throws {
    let (parent, child) = (try store.mapping(of: owner), try store.mapping(of: type))
    let relation = try ModelRelation(from: child.shape, to: parent.shape, via: path)
    columns = try zip(relation.child, relation.parent).map { own, other in
      guard let own = child.shape.index(of: own), let other = parent.shape.index(of: other) else {
        throw RecordError(.noRelation(from: child.shape.model, to: parent.shape.model, count: 0))
      }
      return (own, other)
    }
    (self.parent, self.child) = (parent, child)
  }

  /// Returns the values that the children of an object have in their foreign key.
  private func key(of object: Parent) throws -> [SQLValue] {
    let values = try parent.values(of: object)
    return try columns.map { column in
      guard !values[column.parent].isNull else {
        throw RecordError(
          .noParentKey(model: parent.shape.model, column: parent.shape.columns[column.parent].name))
      }
      return values[column.parent]
    }
  }

  /// The children as they refer to an object, if it has a key already.
  func linked(_ children: [Child], ifKnown object: Parent) throws -> [Child] {
    let values = try parent.values(of: object)
    return columns.contains { values[$0.parent].isNull } ? children : try linked(children, to: object)
  }

  /// The children as they refer to an object.
  func linked(_ children: some Sequence<Child>, to object: Parent) throws -> [Child] {
    let key = try key(of: object)
    return try children.map { object in
      var values = try child.values(of: object)
      let isLinked = zip(columns, key).allSatisfy { values[$0.child] == $1 }
      if isLinked { return object }
      for (column, value) in zip(columns, key) { values[column.child] = value }
      do {
        return try child.object(from: values)
      } catch var error as ColumnValueError {
        let names = columns.map { child.shape.columns[$0.child].name }.joined(separator: ", ")
        error.column = "\(child.shape.name).\(names)"
        throw RecordError(.unstorable(error.description))
      }
    }
  }

  /// The statement that deletes the rows which refer to an object and are not among its children.
  func deletion(ofAllBut children: [Child], of object: Parent) throws -> SQL {
    let shape = child.shape
    guard !shape.keyIndexes.isEmpty else { throw RecordError(.noPrimaryKey(table: shape.name)) }
    let conditions = zip(columns, try key(of: object)).map { column, value in
      SQL(raw: "\(shape.columns[column.child].quoted) = ?", stored: [value])
    }
    var sql = SQL(raw: "DELETE FROM \(shape.source) WHERE ") + SQL.joined(conditions, by: " AND ")
    var keys = try children.map { object in
      let values = try child.values(of: object)
      return shape.keyIndexes.map { values[$0] }
    }.filter { !$0.contains(.null) }
    if shape.name == parent.shape.name {
      // An object that refers to itself.
      let values = try parent.values(of: object)
      keys.append(shape.keyIndexes.map { values[$0] })
    }
    let names = shape.keyIndexes.map { shape.columns[$0].quoted }.joined(separator: ", ")
    if shape.keyIndexes.count == 1 {
      guard !keys.isEmpty else { return sql }
      return sql + SQL(raw: " AND NOT ")
        + MembershipCondition(term: SQL(raw: names), values: keys.compactMap(\.first)).filter.sql
    }
    // SQLite itself compares the keys, by its own rules for equal values.
    let marks = "(" + shape.keyIndexes.map { _ in "?" }.joined(separator: ", ") + ")"
    for start in stride(from: 0, to: keys.count, by: 400) {
      let part = keys[start..<min(start + 400, keys.count)]
      let list = part.map { _ in marks }.joined(separator: ", ")
      sql += SQL(raw: " AND (\(names)) NOT IN (VALUES \(list))", stored: part.flatMap { $0 })
    }
    return sql
  }
}

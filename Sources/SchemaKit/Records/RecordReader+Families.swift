extension RecordReader {
  /// Fetches objects together with those that belong to them, in one query a level. See ``Association``.
  ///
  /// ```swift
  /// let authors = try session.all(Author.self, with: .children(Book.self, orderBy: { [$0.title.ascending] }))
  /// ```
  public func all<Parent: Model, Element>(
    _ type: Parent.Type, with association: Association<Parent, Element>,
    where filter: (Fields<Parent>) -> Filter? = { _ in nil },
    orderBy orderings: (Fields<Parent>) -> [Ordering] = { _ in [] }, limit: Int? = nil, offset: Int? = nil
  ) throws -> [(Parent, [Element])] {
    let mapping = try store.mapping(of: type)
    let fields = Fields<Parent>(scope: FieldScope(mapping.shape, alias: "_p", in: store))
    let query = RowQuery(filter: filter(fields), orderings: orderings(fields), limit: limit, offset: offset)
    return try connection.snapshot {
      let parents = try keyed(mapping, query)
      // A limit must not be applied twice: two statements may choose differently among equal or unordered rows.
      let isWhole = query.limit == nil && query.offset == nil
      let related = try association.fetch(store, isWhole ? .matching(query.filter) : .keys(parents.map(\.key)))
      return parents.map { ($0.object, related[$0.key] ?? []) }
    }
  }

  /// Fetches objects together with those of another model that refer to them: in two queries, however many there are.
  ///
  /// The same as `with: .children(Book.self)`.
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
    try withoutActuallyEscaping(childOrderings) { childOrderings in
      try all(
        type, with: .children(children, via: path, orderBy: childOrderings), where: filter, orderBy: orderings,
        limit: limit, offset: offset)
    }
  }

  /// Fetches the objects of a model that refers to itself, each with those below it, in one query a level.
  ///
  /// ```swift
  /// let threads = try session.trees(Comment.self, via: \.parentID, orderBy: { [$0.created.ascending] })
  /// ```
  ///
  /// An object that is above itself by its references is given once. More than 1,000 levels are an error.
  ///
  /// - Parameters:
  ///   - path: The property that refers to the object above, if there are several foreign keys.
  ///   - filter: The condition for the objects at the top; without one, those that refer to none.
  ///   - orderings: The order at each level.
  public func trees<M: Model>(
    _ type: M.Type, via path: PartialKeyPath<M>? = nil, where filter: (Fields<M>) -> Filter? = { _ in nil },
    orderBy orderings: (Fields<M>) -> [Ordering] = { _ in [] }
  ) throws -> [ModelTree<M>] {
    let mapping = try store.mapping(of: type)
    let relation = try ModelRelation(from: mapping.shape, to: mapping.shape, via: path)
    let below = try RelatedQuery<M, M>(in: store, via: path)
    let fields = Fields<M>(scope: FieldScope(mapping.shape, alias: "_p", in: store))
    let isTop = Filter(relation.child.map { "_p.\(SQLQuoting.identifier($0)) IS NULL" }.joined(separator: " OR "))
    return try connection.snapshot {
      let tops = try keyed(mapping, RowQuery(filter: filter(fields) ?? isTop, orderings: orderings(fields)))
      var seen = Set(tops.map(\.key))
      var children: [[SQLValue]: [KeyedObject<M>]] = [:]
      var level = tops.map(\.key)
      var depth = 0
      while !level.isEmpty {
        depth += 1
        // Whoever walks through a tree goes as deep.
        guard depth <= 1_000 else { throw RecordError(.tooDeep(model: mapping.shape.model)) }
        var next: [[SQLValue]] = []
        for (key, objects) in try below.rows(of: .keys(level), { _ in nil }, orderings) {
          children[key] = objects.filter { seen.insert($0.key).inserted }
          next += children[key, default: []].map(\.key)
        }
        level = next
      }
      return tops.map { ModelTree($0, children) }
    }
  }

  private func keyed<M: Model>(_ mapping: ModelMapping<M>, _ query: RowQuery) throws -> [KeyedObject<M>] {
    let (shape, identity) = (mapping.shape, mapping.shape.identity(as: "_p"))
    let columns = ([shape.selection(qualifier: "_p")] + identity).joined(separator: ", ")
    var objects: [KeyedObject<M>] = []
    let sql = try SQL(raw: "SELECT \(columns) FROM \(shape.source) AS _p") + query.clauses()
    try mapping.forEach(sql, on: connection) { row, object in
      let key = try identity.indices.map { try row.sqlValue(at: shape.selectionWidth + $0) }
      objects.append(KeyedObject(object: object, key: key))
    }
    return objects
  }
}

/// An object of a model that refers to itself, with those below it. See `Session.trees`.
public struct ModelTree<M: Model> {
  /// The object.
  public let object: M
  /// The objects that refer to it, with those below them.
  public let children: [ModelTree]

  fileprivate init(_ keyed: KeyedObject<M>, _ below: [[SQLValue]: [KeyedObject<M>]]) {
    object = keyed.object
    children = (below[keyed.key] ?? []).map { ModelTree($0, below) }
  }
}

extension ModelTree: Sendable where M: Sendable {}

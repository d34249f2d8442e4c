/// The objects that belong to those of a model, fetched beside them: those that refer to them, or that a third model
/// connects with them.
///
/// ```swift
/// let authors = try session.all(Author.self, with: .children(Book.self, with: .children(Chapter.self)))
/// for (author, books) in authors { for (book, chapters) in books { … } }
/// let notes = try session.all(Note.self, with: .children(Tag.self, through: NoteTag.self))
/// ```
///
/// *Cost:* one query a level, however many objects there are, and whatever the depth; one for every 400 objects where their
/// primary key has several columns.
public struct Association<Parent: Model, Element> {
  /// The objects by the keys of those that they belong to.
  let fetch: (RecordStore, ParentRows) throws -> [[SQLValue]: [Element]]
}

/// The rows whose relatives are fetched.
enum ParentRows {
  case keys([[SQLValue]])
  /// The rows that meet a condition; nil for all rows.
  case matching(Filter?)
}

extension Association {
  /// The objects that refer to each object by a foreign key.
  ///
  /// - Parameters:
  ///   - type: The model with the foreign key.
  ///   - path: The property with the foreign key, if there are several.
  ///   - filter: The condition for the objects that are fetched. In SQL of your own, put a column in by its field.
  ///   - orderings: The order of the objects that belong to the same one.
  public static func children(
    _ type: Element.Type, via path: PartialKeyPath<Element>? = nil,
    where filter: @escaping (Fields<Element>) -> Filter? = { _ in nil },
    orderBy orderings: @escaping (Fields<Element>) -> [Ordering] = { _ in [] }
  ) -> Association where Element: Model {
    Association { store, parents in
      let query = try RelatedQuery<Parent, Element>(in: store, via: path)
      return try query.rows(of: parents, filter, orderings).mapValues { $0.map(\.object) }
    }
  }

  /// The objects that refer to each object by a foreign key, with those that belong to them.
  ///
  /// - Parameter association: The objects that belong to each of these.
  public static func children<Child: Model, Inner>(
    _ type: Child.Type, via path: PartialKeyPath<Child>? = nil,
    where filter: @escaping (Fields<Child>) -> Filter? = { _ in nil },
    orderBy orderings: @escaping (Fields<Child>) -> [Ordering] = { _ in [] },
    with association: Association<Child, Inner>
  ) -> Association where Element == (Child, [Inner]) {
    Association { store, parents in
      let query = try RelatedQuery<Parent, Child>(in: store, via: path)
      return try query.rows(of: parents, filter, orderings).with(association, in: store)
    }
  }

  /// The objects that a third model connects with each object, which has a foreign key to both: many to many.
  ///
  /// - Parameters:
  ///   - type: The model of the objects.
  ///   - link: The model that refers to both. An object is given once for each of its links.
  ///   - filter: The condition for the objects that are fetched. In SQL of your own, put a column in by its field.
  ///   - orderings: The order of the objects that belong to the same one.
  public static func children<Link: Model>(
    _ type: Element.Type, through link: Link.Type,
    where filter: @escaping (Fields<Element>) -> Filter? = { _ in nil },
    orderBy orderings: @escaping (Fields<Element>) -> [Ordering] = { _ in [] }
  ) -> Association where Element: Model {
    Association { store, parents in
      let query = try RelatedQuery<Parent, Element>(in: store, through: link)
      return try query.rows(of: parents, filter, orderings).mapValues { $0.map(\.object) }
    }
  }

  /// The objects that a third model connects with each object, with those that belong to them.
  public static func children<Child: Model, Link: Model, Inner>(
    _ type: Child.Type, through link: Link.Type,
    where filter: @escaping (Fields<Child>) -> Filter? = { _ in nil },
    orderBy orderings: @escaping (Fields<Child>) -> [Ordering] = { _ in [] },
    with association: Association<Child, Inner>
  ) -> Association where Element == (Child, [Inner]) {
    Association { store, parents in
      let query = try RelatedQuery<Parent, Child>(in: store, through: link)
      return try query.rows(of: parents, filter, orderings).with(association, in: store)
    }
  }
}

/// An object with its key, as the next level asks for it.
struct KeyedObject<M: Model> {
  let object: M
  let key: [SQLValue]
}

extension Dictionary where Key == [SQLValue] {
  /// The objects with those that belong to them, fetched in one query.
  fileprivate func with<Child: Model, Inner>(
    _ association: Association<Child, Inner>, in store: RecordStore
  ) throws -> [[SQLValue]: [(Child, [Inner])]] where Value == [KeyedObject<Child>] {
    let inner = try association.fetch(store, .keys(Array(Set(values.joined().map(\.key)))))
    return mapValues { $0.map { ($0.object, inner[$0.key] ?? []) } }
  }
}

/// Fetches the objects that belong to others.
struct RelatedQuery<Parent: Model, Child: Model> {
  let parent: ModelMapping<Parent>
  let child: ModelMapping<Child>
  private let joins: String
  private let store: RecordStore

  init(in store: RecordStore, via path: PartialKeyPath<Child>?) throws {
    (parent, child, self.store) = (try store.mapping(of: Parent.self), try store.mapping(of: Child.self), store)
    let relation = try ModelRelation(from: child.shape, to: parent.shape, via: path)
    joins = "JOIN \(child.shape.source) AS _c ON \(relation.condition(child: "_c", parent: "_p"))"
  }

  init<Link: Model>(in store: RecordStore, through link: Link.Type) throws {
    (parent, child, self.store) = (try store.mapping(of: Parent.self), try store.mapping(of: Child.self), store)
    let link = try store.mapping(of: link).shape
    let toParent = try ModelRelation(from: link, to: parent.shape).condition(child: "_l", parent: "_p")
    let toChild = try ModelRelation(from: link, to: child.shape).condition(child: "_l", parent: "_c")
    joins = "JOIN \(link.source) AS _l ON \(toParent) JOIN \(child.shape.source) AS _c ON \(toChild)"
  }

  /// The objects by the keys of their parents, each with its own key.
  func rows(
    of parents: ParentRows, _ filter: (Fields<Child>) -> Filter?, _ orderings: (Fields<Child>) -> [Ordering]
  ) throws -> [[SQLValue]: [KeyedObject<Child>]] {
    let (parentKey, childKey) = (parent.shape.identity(as: "_p"), child.shape.identity(as: "_c"))
    let fields = Fields<Child>(scope: FieldScope(child.shape, alias: "_c", in: store))
    let columns = ([child.shape.selection(qualifier: "_c")] + parentKey + childKey).joined(separator: ", ")
    let start = child.shape.selectionWidth
    var rows: [[SQLValue]: [KeyedObject<Child>]] = [:]
    for condition in try conditions(on: parents, parentKey) {
      // The database itself matches children to parents, by its own rules for equal values.
      var sql = SQL(raw: "SELECT \(columns) FROM \(parent.shape.source) AS _p \(joins)")
      let conditions = [condition, try filter(fields)?.sql.ofOneRow()].compactMap { $0 }
      if !conditions.isEmpty { sql += SQL(raw: " WHERE ") + SQL.joined(conditions, by: " AND ") }
      sql += try RowQuery(orderings: orderings(fields)).clauses()
      try child.forEach(sql, on: store.connection) { row, object in
        let place = try parentKey.indices.map { try row.sqlValue(at: start + $0) }
        let key = try childKey.indices.map { try row.sqlValue(at: start + parentKey.count + $0) }
        rows[place, default: []].append(KeyedObject(object: object, key: key))
      }
    }
    return rows
  }

  /// The conditions that a row is one of the parents, split according to the engine's limit of parameters.
  private func conditions(on parents: ParentRows, _ identity: [String]) throws -> [SQL?] {
    let columns = identity.joined(separator: ", ")
    switch parents {
    case .matching(nil): return [nil]
    case .matching(let filter?):
      // In a subquery of its own, where it may use unqualified column names.
      let rows = SQL(raw: "(\(columns)) IN (SELECT \(columns) FROM \(parent.shape.source) AS _p WHERE ")
      return [rows + filter.sql + SQL(raw: ")")]
    case .keys(let keys) where keys.isEmpty: return []
    case .keys(let keys) where identity.count == 1:
      return [MembershipCondition(term: SQL(raw: columns), values: keys.compactMap(\.first)).filter.sql]
    case .keys(let keys):
      let marks = "(" + identity.map { _ in "?" }.joined(separator: ", ") + ")"
      return stride(from: 0, to: keys.count, by: 400).map { start in
        let part = keys[start..<min(start + 400, keys.count)]
        let list = part.map { _ in marks }.joined(separator: ", ")
        return SQL(raw: "(\(columns)) IN (VALUES \(list))", stored: part.flatMap { $0 })
      }
    }
  }
}

extension ModelShape {
  /// The columns that distinguish rows from each other: the primary key, or the rowid.
  func identity(as alias: String) -> [String] {
    let key = keyIndexes.map { columns[$0].quoted }
    return (key.isEmpty ? [hiddenRowID ?? "rowid"] : key).map { "\(alias).\($0)" }
  }
}

extension ModelMapping {
  /// Passes each object of a query to the body, with the row behind its columns.
  func forEach(_ sql: SQL, on connection: SQLiteConnection, _ body: (Statement, M) throws -> Void) throws {
    try connection.withStatement(sql.checked().text) { statement in
      try statement.bind(sql.values)
      var reader = reader(statement)
      try connection.run(statement) { try body($0, object(&reader)) }
    }
  }
}

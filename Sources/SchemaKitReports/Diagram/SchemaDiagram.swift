import OrderedCollections
import SchemaKit

/// The tables of a schema with their relations, ready to be drawn.
///
/// A pure function of the schema. A parent that the schema lacks is a node too, so that every foreign key has two ends.
struct SchemaDiagram: Sendable {
  /// The kind of object that a node represents.
  enum Kind: Sendable, Hashable {
    case table
    case virtualTable(module: SQLName)
    case view
    /// The parent of a foreign key that the schema does not have.
    case missing
  }

  /// The role of a column in the keys of its table.
  enum Mark: String, Sendable {
    case primaryKey = "PK"
    case foreignKey = "FK"
    case unique = "UK"
  }

  /// One line of a node.
  struct Line: Sendable {
    var name: SQLName
    var type: String?
    var marks: [Mark]
    var isNotNull: Bool
  }

  /// A table or view.
  struct Node: Sendable {
    var name: SQLName
    var kind: Kind
    var lines: [Line] = []
  }

  /// A foreign key, with how many rows may be at either end.
  struct Relation: Sendable {
    /// The node that has the foreign key.
    var child: Int
    /// The node that it refers to.
    var parent: Int
    var columns: [SQLName]
    var parentColumns: [SQLName]
    var onDelete: ForeignKeyAction
    /// True if a row of the child may refer to nothing.
    var isParentOptional: Bool
    /// True if at most one row of the child can refer to a row of the parent.
    var isChildSingle: Bool
  }

  private(set) var nodes: [Node] = []
  private(set) var relations: [Relation] = []
  private var positions: [SQLName: Int] = [:]

  init(_ schema: DatabaseSchema) {
    for table in schema.tables.values { add(Node(table, uniqueKeys: Self.uniqueKeys(of: table, in: schema))) }
    for table in schema.virtualTables.values { add(Node(name: table.name, kind: .virtualTable(module: table.module))) }
    for view in schema.views.values { add(Node(name: view.name, kind: .view)) }
    for table in schema.tables.values {
      let keys = Self.uniqueKeys(of: table, in: schema)
      for key in table.foreignKeys { add(key, of: table, uniqueKeys: keys, parent: schema.table(key.parent)) }
    }
  }

  /// The number of tables and of views, as text; a missing parent does not count.
  var counts: [String] {
    let tables = nodes.count { $0.kind != .view && $0.kind != .missing }
    let views = nodes.count { $0.kind == .view }
    return [Wording.counted(tables, "table")] + (views > 0 ? [Wording.counted(views, "view")] : [])
  }

  /// The nodes with these names and those that a foreign key connects with one of them, in the same order.
  func neighbourhood(of names: Set<SQLName>) -> SchemaDiagram {
    var kept = Set(names.compactMap { positions[$0] })
    for relation in relations where names.contains(nodes[relation.child].name) { kept.insert(relation.parent) }
    for relation in relations where names.contains(nodes[relation.parent].name) { kept.insert(relation.child) }
    var result = SchemaDiagram(DatabaseSchema())
    for position in kept.sorted() { result.add(nodes[position]) }
    result.relations = relations.compactMap { relation in
      guard let child = result.positions[nodes[relation.child].name],
        let parent = result.positions[nodes[relation.parent].name]
      else { return nil }
      var relation = relation
      (relation.child, relation.parent) = (child, parent)
      return relation
    }
    return result
  }

  /// The node with a name; nil if it does not exist.
  func position(of name: SQLName) -> Int? { positions[name] }

  @discardableResult
  private mutating func add(_ node: Node) -> Int {
    if let position = positions[node.name] { return position }
    nodes.append(node)
    positions[node.name] = nodes.count - 1
    return nodes.count - 1
  }

  private mutating func add(
    _ key: ForeignKeySchema, of table: TableSchema, uniqueKeys: [[KeyColumn]], parent: TableSchema?
  ) {
    guard let child = positions[table.name] else { return }
    var parentColumns = key.parentColumns
    if parentColumns.isEmpty { parentColumns = parent?.primaryKey?.columns.map(\.name) ?? [] }
    // The parent's collating sequence decides which rows match; a key that is finer than it allows several children.
    var sequences: [SQLName: SQLName] = [:]
    for (column, other) in zip(key.columns, parentColumns) { sequences[column] = parent?.column(other)?.collation }
    let columns = Set(key.columns)
    relations.append(
      Relation(
        child: child, parent: add(Node(name: key.parent, kind: .missing)), columns: key.columns,
        parentColumns: parentColumns, onDelete: key.onDelete,
        isParentOptional: key.columns.contains { !table.refusesNull(in: $0) },
        isChildSingle: uniqueKeys.contains { unique in
          !unique.isEmpty
            && unique.allSatisfy { column in
              columns.contains(column.name)
                && (sequences[column.name].map { $0 == column.collation } ?? true)
            }
        }))
  }

  /// Every set of columns that can hold the same values only once: keys, constraints, and indexes of whole tables.
  private static func uniqueKeys(of table: TableSchema, in schema: DatabaseSchema) -> [[KeyColumn]] {
    let indexed = schema.indexes(on: table.name).filter { $0.isUnique && $0.predicate == nil }
      .compactMap { index -> [KeyColumn]? in
        let columns = index.terms.compactMap { term in
          term.column.map { KeyColumn(name: $0, collation: term.collation, isDescending: term.isDescending) }
        }
        return columns.count == index.terms.count ? columns : nil
      }
    return [table.primaryKey?.columns].compactMap { $0 } + table.uniques.map(\.columns) + indexed
  }
}

extension SchemaDiagram.Node {
  fileprivate init(_ table: TableSchema, uniqueKeys: [[KeyColumn]]) {
    let primary = Set(table.primaryKey?.columns.map(\.name) ?? [])
    let foreign = Set(table.foreignKeys.flatMap(\.columns))
    let unique = Set(uniqueKeys.filter { $0.count == 1 }.flatMap { $0.map(\.name) })
    self.init(
      name: table.name, kind: .table,
      lines: table.columns.map { column in
        var marks: [SchemaDiagram.Mark] = []
        if primary.contains(column.name) { marks.append(.primaryKey) }
        if foreign.contains(column.name) { marks.append(.foreignKey) }
        // A primary key of one column is unique anyway.
        if unique.contains(column.name), primary != [column.name] { marks.append(.unique) }
        return SchemaDiagram.Line(
          name: column.name, type: column.type, marks: marks, isNotNull: table.refusesNull(in: column.name))
      })
  }
}

extension SchemaDiagram.Relation {
  /// The columns at both ends and the action on deletion, as text: author → id, ON DELETE CASCADE.
  var words: String {
    var words = columns.map(\.text).joined(separator: ", ")
    if !parentColumns.isEmpty { words += " → " + parentColumns.map(\.text).joined(separator: ", ") }
    return onDelete == .noAction ? words : words + ", ON DELETE \(onDelete.rawValue)"
  }
}

extension TableSchema {
  /// True if no row has NULL in a column: it is declared so, or the column is the rowid.
  fileprivate func refusesNull(in name: SQLName) -> Bool {
    column(name)?.isNotNull == true || rowIDAlias?.name == name
  }
}

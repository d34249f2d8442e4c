/// The tables of a join, each related by a foreign key to one before it.
struct JoinedTables {
  /// The clause that begins with FROM.
  private(set) var source: String
  /// For each table but the first, its column that is never NULL in a row that was found.
  private(set) var markers: [String] = []
  private let shapes: [ModelShape]

  /// - Parameters:
  ///   - word: JOIN or LEFT JOIN.
  ///   - paths: The properties with the foreign keys to follow, where there are several.
  init(_ word: String, _ shapes: [ModelShape], via paths: [AnyKeyPath]) throws {
    self.shapes = shapes
    source = "FROM \(shapes[0].source) AS \(Self.alias(0))"
    try Self.check(paths, shapes)
    for (index, shape) in shapes.enumerated().dropFirst() {
      let link = try Self.link(of: shape, to: Array(shapes[..<index]), via: paths)
      let (own, other) = (Self.alias(index), Self.alias(link.place))
      let condition =
        link.isOwn
        ? link.relation.condition(child: own, parent: other)
        : link.relation.condition(child: other, parent: own)
      source += " \(word) \(shape.source) AS \(own) ON \(condition)"
      markers.append("\(own).\(SQLQuoting.identifier((link.isOwn ? link.relation.child : link.relation.parent)[0]))")
    }
  }

  /// The name of a table in the statement.
  static func alias(_ index: Int) -> String { "_j\(index)" }

  /// The columns to select: those of each table, preceded by its marker.
  var selection: String {
    shapes.enumerated().map { index, shape in
      let columns = shape.selection(qualifier: Self.alias(index))
      return index == 0 ? columns : "\(markers[index - 1]), \(columns)"
    }.joined(separator: ", ")
  }

  /// The position of a table's first column in the selection; its marker is the column before it.
  func offset(of index: Int) -> Int { shapes[..<index].reduce(index) { $0 + $1.selectionWidth } }
}

extension JoinedTables {
  /// A foreign key between a table and one of those before it.
  private struct Link {
    /// The position of the other table.
    let place: Int
    /// True if the foreign key is the table's own.
    let isOwn: Bool
    let child: ModelShape
    let parent: ModelShape
    let reference: ModelShape.Reference

    var columns: String { reference.columns.map { "\(child.name).\($0)" }.joined(separator: ", ") }

    /// True if a property has the foreign key, or a part of it.
    func isMeant(by path: AnyKeyPath) -> Bool {
      child.indexes[path].map { reference.columns.contains(child.columns[$0].name) } ?? false
    }
  }

  /// The only foreign key that leads from an earlier table to this one, or if none does, the other way round.
  private static func link(
    of table: ModelShape, to earlier: [ModelShape], via paths: [AnyKeyPath]
  ) throws -> (place: Int, isOwn: Bool, relation: ModelRelation) {
    let all = links(of: table, to: earlier)
    let named = all.filter { link in paths.contains { link.isMeant(by: $0) } }
    let possible = named.isEmpty ? all : named
    let forward = possible.filter { !$0.isOwn }
    let links = forward.isEmpty ? possible : forward
    guard let link = links.first else {
      throw RecordError(.unrelated(model: table.model, others: earlier.map(\.model)))
    }
    guard links.count == 1 else {
      guard links.allSatisfy({ $0.child === link.child && $0.parent === link.parent }) else {
        throw RecordError(.severalRelations(model: table.model, columns: links.map(\.columns)))
      }
      throw RecordError(.noRelation(from: link.child.model, to: link.parent.model, count: links.count))
    }
    return (link.place, link.isOwn, try ModelRelation(link.reference, from: link.child, to: link.parent))
  }

  /// The foreign keys between a table and those before it; of several of one model, to the last.
  private static func links(of table: ModelShape, to earlier: [ModelShape]) -> [Link] {
    earlier.enumerated().filter { place, other in !earlier[(place + 1)...].contains { $0 === other } }
      .flatMap { place, other in
        let theirs = other.references.filter { SQLName($0.parent) == SQLName(table.name) }
          .map { Link(place: place, isOwn: false, child: other, parent: table, reference: $0) }
        guard other !== table else { return theirs }
        return theirs
          + table.references.filter { SQLName($0.parent) == SQLName(other.name) }
          .map { Link(place: place, isOwn: true, child: table, parent: other, reference: $0) }
      }
  }

  /// Throws for a property that is not a foreign key between the tables.
  private static func check(_ paths: [AnyKeyPath], _ shapes: [ModelShape]) throws {
    let links =
      paths.isEmpty
      ? [] : shapes.indices.flatMap { Self.links(of: shapes[$0], to: Array(shapes[..<$0])) }
    for path in paths where !links.contains(where: { $0.isMeant(by: path) }) {
      guard let shape = shapes.first(where: { $0.indexes[path] != nil }) else {
        throw RecordError(.unknownField(model: shapes.map(\.model).joined(separator: " or "), field: "\(path)"))
      }
      let others = shapes.filter { $0 !== shape }.map(\.model)
      throw RecordError(.noRelation(from: shape.model, to: others.joined(separator: " or "), count: 0))
    }
  }
}

/// One table of a join: reads its objects out of the rows. It has identity because its reader moves on.
final class JoinedTable<M: Model> {
  let fields: Fields<M>
  private let mapping: ModelMapping<M>
  private let offset: Int
  private var reader: RowReader?

  init(_ mapping: ModelMapping<M>, _ index: Int, of tables: JoinedTables, mayBeMissing: Bool, in store: RecordStore) {
    self.mapping = mapping
    offset = tables.offset(of: index)
    var scope = FieldScope(mapping.shape, alias: JoinedTables.alias(index), in: store)
    scope.mayBeMissing = mayBeMissing
    fields = Fields(scope: scope)
  }

  /// The object in the current row of a statement.
  func object(_ row: Statement) throws -> M {
    var reader = self.reader ?? mapping.reader(row, from: offset)
    defer { self.reader = reader }
    return try mapping.object(&reader)
  }

  /// The object in the current row; nil if no row of this table was found.
  func objectIfFound(_ row: Statement) throws -> M? { row.isNull(at: offset - 1) ? nil : try object(row) }
}

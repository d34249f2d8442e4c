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
    try self.init(reference, from: child, to: parent)
  }

  init(_ reference: ModelShape.Reference, from child: ModelShape, to parent: ModelShape) throws {
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

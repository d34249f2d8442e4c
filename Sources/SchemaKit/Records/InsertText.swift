/// The action of an INSERT if the row already exists.
enum InsertKind: Hashable {
  case insert
  case ignore
  /// Updates the columns with these indexes.
  case update([Int])
  /// Updates columns of the row that has the same values in some unique columns.
  case unique([Int], changing: [Int])
}

/// Writes the statements that save a model's rows: parameter `?n` is the nth column.
struct InsertText {
  let shape: ModelShape

  init(_ shape: ModelShape) { self.shape = shape }

  /// The INSERT for a kind. `returning` adds the stored row.
  func insert(_ kind: InsertKind, returning: Bool) -> String {
    let columns = shape.writableIndexes
    var sql =
      "INSERT INTO \(shape.source) (\(names(columns))) VALUES (\(columns.map(parameter).joined(separator: ", ")))"
    switch kind {
    case .insert: break
    case .ignore: sql += " ON CONFLICT DO NOTHING"
    case .update(let changed): sql += conflict(on: shape.keyIndexes, changing: changed)
    case .unique(let columns, let changed): sql += conflict(on: columns, changing: changed)
    }
    return returning ? "\(sql) RETURNING \(shape.columns.map(\.quoted).joined(separator: ", "))" : sql
  }

  private func conflict(on columns: [Int], changing changed: [Int]) -> String {
    let target = " ON CONFLICT (\(names(columns))) DO "
    guard !changed.isEmpty else { return target + "NOTHING" }
    let assignments = changed.map { "\(shape.columns[$0].quoted) = excluded.\(shape.columns[$0].quoted)" }
    return target + "UPDATE SET \(assignments.joined(separator: ", "))"
  }

  /// The UPDATE of columns of the row with the object's key.
  func update(columns: [Int]) -> String {
    let key = shape.keyCondition { "?\(shape.keyIndexes[$0] + 1)" }
    let assignments = columns.map { "\(shape.columns[$0].quoted) = \(parameter($0))" }
    // Even with nothing to change, the row must be looked up.
    let list =
      assignments.isEmpty ? shape.keyIndexes.map { "\(shape.columns[$0].quoted) = \(parameter($0))" } : assignments
    return "UPDATE \(shape.source) SET \(list.joined(separator: ", ")) WHERE \(key)"
  }

  private func names(_ columns: [Int]) -> String { columns.map { shape.columns[$0].quoted }.joined(separator: ", ") }

  /// The value of a column, bound to a parameter.
  func parameter(_ index: Int) -> String { parameter(index, number: index + 1) }

  /// The value of a column, bound to a parameter with another number.
  func parameter(_ index: Int, number: Int) -> String {
    shape.columns[index].substitute.map { "coalesce(?\(number), \($0))" } ?? "?\(number)"
  }
}

extension ModelShape {
  /// The columns that can be written.
  var writableIndexes: [Int] { columns.indices.filter { !columns[$0].isGenerated } }
}

/// What an INSERT does if the row already exists.
enum InsertKind: Hashable {
  case insert
  case ignore
  /// Updates the columns with these indexes.
  case update([Int])
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
    case .update(let changed) where changed.isEmpty: sql += " ON CONFLICT (\(names(shape.keyIndexes))) DO NOTHING"
    case .update(let changed):
      let assignments = changed.map { "\(shape.columns[$0].quoted) = excluded.\(shape.columns[$0].quoted)" }
      sql += " ON CONFLICT (\(names(shape.keyIndexes))) DO UPDATE SET \(assignments.joined(separator: ", "))"
    }
    return returning ? "\(sql) RETURNING \(shape.columns.map(\.quoted).joined(separator: ", "))" : sql
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

  private func parameter(_ index: Int) -> String {
    shape.columns[index].substitute.map { "coalesce(?\(index + 1), \($0))" } ?? "?\(index + 1)"
  }
}

extension ModelShape {
  /// The columns that can be written.
  var writableIndexes: [Int] { columns.indices.filter { !columns[$0].isGenerated } }
}

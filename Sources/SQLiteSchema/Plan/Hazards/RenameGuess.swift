/// Guesses that something dropped and something added are the same thing renamed, only to suggest it and never to act
/// on it.
package enum RenameGuess {
  /// The hint that would make a dropped column the former name of an added one, or nil.
  package static func column(_ column: SQLName, of table: SQLName, in diff: SchemaDiff) -> RenameOption? {
    guard let change = diff.changedTables.first(where: { $0.to.name == table }) else { return nil }
    // No new column is the guess for two dropped ones: each takes the first that is left for it.
    var left = change.addedColumns.filter { $0.generation == nil }
    for dropped in change.droppedColumns {
      let index = left.firstIndex { $0.affinity == dropped.affinity }
      let added = index.map { left.remove(at: $0) }
      guard dropped.name == column else { continue }
      return added.map { RenameOption(oldTable: table, oldColumn: column, newTable: table, newColumn: $0.name) }
    }
    return nil
  }

  /// The hint that would make a dropped table the former name of an added one, or nil.
  package static func table(_ table: SQLName, in diff: SchemaDiff) -> RenameOption? {
    guard let dropped = diff.droppedTables.first(where: { $0.name == table }) else { return nil }
    let names = Set(dropped.columns.map(\.name))
    let likely = diff.addedTables.max { left, right in
      names.intersection(left.columns.map(\.name)).count < names.intersection(right.columns.map(\.name)).count
    }
    guard let likely, names.intersection(likely.columns.map(\.name)).count * 2 >= max(names.count, 1) else {
      return nil
    }
    return RenameOption(oldTable: table, oldColumn: nil, newTable: likely.name, newColumn: nil)
  }
}

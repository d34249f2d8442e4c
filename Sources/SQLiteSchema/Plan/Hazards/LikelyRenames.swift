import OrderedCollections

extension MigrationPlan {
  /// The likely new names of a dropped table or column, as options of `--rename`. They are additions without a hint:
  /// for a column those of the same affinity in the same table, for a table those that share half of its columns. The
  /// most likely come first.
  ///
  /// - Parameters:
  ///   - hazard: The hazard of the drop.
  ///   - source: The schema of the file.
  ///   - target: The declared schema.
  package func likelyRenames(
    behind hazard: Hazard, from source: DatabaseSchema, to target: DatabaseSchema
  ) -> [RenameOption] {
    let table = SQLName(hazard.table)
    switch hazard.code {
    case .droppedColumn: return columns(hazard.column.map { SQLName($0) }, of: table, from: source, to: target)
    case .droppedTable: return tables(table, from: source, to: target)
    default: return []
    }
  }

  private func columns(
    _ column: SQLName?, of table: SQLName, from source: DatabaseSchema, to target: DatabaseSchema
  ) -> [RenameOption] {
    let former = renames.formerTable(table)
    guard let column, let old = source.table(former), let new = target.table(table),
      let dropped = old.column(column)
    else { return [] }
    let added = new.columns.filter {
      $0.affinity == dropped.affinity && $0.generation == nil && old.column($0.name) == nil
        && renames.formerColumns[table]?[$0.name] == nil
    }
    return Self.likeliest(added.map { ($0.name, $0.differences(from: dropped).count) }).map {
      RenameOption(oldTable: former, oldColumn: column, newTable: table, newColumn: $0)
    }
  }

  private func tables(_ table: SQLName, from source: DatabaseSchema, to target: DatabaseSchema) -> [RenameOption] {
    guard let dropped = source.table(table) else { return [] }
    let names = Set(dropped.columns.map(\.name))
    let added = target.tables.values.filter { source.table($0.name) == nil && renames.formerTables[$0.name] == nil }
    let shared = added.map { ($0.name, names.intersection($0.columns.map(\.name)).count) }
    return Self.likeliest(shared.filter { $0.1 * 2 >= max(names.count, 1) }.map { ($0.0, -$0.1) }).map {
      RenameOption(oldTable: table, oldColumn: nil, newTable: $0, newColumn: nil)
    }
  }

  /// The names with the smallest distances first; if equal, in declared order.
  private static func likeliest(_ names: [(name: SQLName, distance: Int)]) -> [SQLName] {
    names.enumerated().sorted { ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset) }
      .map(\.element.name)
  }
}

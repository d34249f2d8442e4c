import OrderedCollections

// The values and names of copies of tables.
extension Planner {
  package func projection(for change: TableChange, hints: TableHints) -> RowProjection {
    if let sources = columnSources[change.to.name], let source = renamed.tables[change.to.name] {
      let claimed = Set(sources.values)
      return RowProjection(
        source: source, target: change.to, hints: hints,
        sourceName: { sources[$0] ?? (claimed.contains($0) ? "" : $0) },
        names: source.columns.map { (name: $0.name, column: $0.name) }
          + sources.map { (name: $0.key, column: $0.value) }.sorted { $0.name < $1.name })
    }
    let former = renames.formerColumns[change.to.name] ?? [:]
    return RowProjection(
      source: change.from, target: change.to, hints: hints, sourceName: { $0 },
      names: former.map { (name: $0.value, column: $0.key) }.sorted { $0.name < $1.name }
        + change.from.columns.map { (name: $0.name, column: $0.name) })
  }

  /// A name for the new version of a table while both exist.
  package func temporaryName(for table: SQLName) -> SQLName {
    let base = "_schemakit_new_\(table.text)"
    var name = SQLName(base)
    var number = 1
    while source.ownTables.contains(name) || source.hasObject(name) {
      number += 1
      name = SQLName("\(base)_\(number)")
    }
    return name
  }
}

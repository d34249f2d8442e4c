import OrderedCollections

// The schema of a file after the renames, as SQLite itself makes it.
extension PlanBuilder {
  /// The result of the renames on a clone.
  enum Renaming {
    case renamed(DatabaseSchema)
    case again(Lesson)
  }

  /// The schema as SQLite itself rewrites it, or what must be known to try again.
  func schema(of source: DatabaseSchema, after renames: SchemaRenames, knowledge: Knowledge) throws -> Renaming {
    guard !renames.isEmpty else { return .renamed(source) }
    let suspended = knowledge.suspendedObjects
    let clone = try CatalogClone(of: connection, schema: source)
    if let lesson = try rename(on: clone, source: source, renames: renames, suspendedObjects: suspended) {
      return .again(lesson)
    }
    var renamed = try SchemaReader.read(clone.connection, known: source)
    // A new name that a table already has is not that of a view or index: only its case changes, or two tables swap names.
    let takenOver = renames.tables.map(\.new).filter { source.tables[$0] == nil }
    renamed.restore(views: suspended.union(takenOver), triggers: suspended, from: source)
    renamed.keepMissing(Set(clone.missing.keys).subtracting(renames.replacedTables.values), from: source)
    renamed.systemTables = source.systemTables
    for (name, former) in renames.replacedTables.sorted(by: { $0.key < $1.key }) {
      renamed.tables[name] = source.tables[former]
      renamed.tables[name]?.name = name
      renamed.virtualTables[name] = source.virtualTables[former]
      renamed.virtualTables[name]?.name = name
    }
    return .renamed(renamed)
  }

  func canRenameInCatalog(_ renames: SchemaRenames) -> Bool {
    profileOfSteps.canEditCatalog && !request.isForRecording && renames.tables.isEmpty && renames.columns.count == 1
  }
}

extension DatabaseSchema {
  /// Restores what was suspended while others were renamed.
  ///
  /// - Parameter views: The names of views and indexes. With a view its triggers come back.
  fileprivate mutating func restore(
    views names: Set<SQLName>, triggers triggerNames: Set<SQLName>, from source: DatabaseSchema
  ) {
    for (name, view) in source.views where names.contains(name) { views[name] = view }
    for (name, index) in source.indexes where names.contains(name) { indexes[name] = index }
    for trigger in source.triggers.values {
      let isOfView = names.contains(trigger.table) && source.views[trigger.table] != nil
      if isOfView || triggerNames.contains(trigger.name) { triggers[trigger.name] = trigger }
    }
  }

  /// Puts back what the clone could not hold.
  fileprivate mutating func keepMissing(_ names: Set<SQLName>, from source: DatabaseSchema) {
    for (name, table) in source.virtualTables where names.contains(name) { virtualTables[name] = table }
  }
}

import OrderedCollections

/// A declared schema as SQLite reads it, with its migration hints.
package struct TargetSchema: Sendable {
  /// The name of the schema in the ledger.
  package var name: String
  /// The declared objects, read back from an in-memory database, or a part of them.
  package var schema: DatabaseSchema
  /// The fingerprint of the whole declared schema.
  package let fingerprint: String
  package var hints: MigrationHints
  /// True if undeclared objects of the file are dropped.
  package var ownsWholeFile: Bool
  /// A digest of the declaration's text, for the warm open.
  package var digest: String
  /// Objects that are ignored on either side.
  package var ignores: @Sendable (SQLName) -> Bool
  /// True if columns of declared tables that are neither declared nor removed by the declaration stay in the file.
  package var keepsUndeclaredColumns = false
  /// The SQLite that wrote the file last whose schema this is; nil where it is of none, or the file does not say.
  package var lastWriter: SQLiteVersion?
  /// The title of the recorded step whose schema this is; nil if it is declared as a whole.
  package var step: String?

  package init(
    name: String, schema: DatabaseSchema, hints: MigrationHints = MigrationHints(), ownsWholeFile: Bool,
    digest: String = "", ignores: @escaping @Sendable (SQLName) -> Bool = { _ in false }
  ) {
    self.name = name
    self.schema = schema
    fingerprint = Fingerprint.of(schema)
    self.hints = hints
    self.ownsWholeFile = ownsWholeFile
    self.digest = digest
    self.ignores = ignores
  }

  /// True if a stored fingerprint is that of the declared schema, or the one that an older version wrote for it.
  package func isKnown(as stored: String) -> Bool { isKnown(asOneOf: [stored]) }

  /// True if one of some stored fingerprints is that of the declared schema.
  package func isKnown(asOneOf stored: [String]) -> Bool {
    stored.contains(fingerprint) || (!stored.isEmpty && Fingerprint.former(of: schema).map(stored.contains) ?? false)
  }

  /// The names of all declared objects.
  package var objectNames: Set<SQLName> {
    Set(schema.tables.keys).union(schema.virtualTables.keys).union(schema.indexes.keys).union(schema.views.keys)
      .union(schema.triggers.keys)
  }
}

extension TargetSchema {
  /// Reads from a file's ledger which hints that swap names have been used there.
  package mutating func settleNames(on connection: any SQLConnection) throws {
    guard !hints.exchangedNames(in: schema).isEmpty else { return }
    hints.settle(try Ledger(connection: connection).formerNames(of: name), in: schema, step: step)
  }

  /// The objects that this schema may drop: those that it declared before, according to the ledger, and those declared as
  /// removed.
  func droppableObjects(in ledger: Ledger) throws -> Set<SQLName> {
    try ledger.droppableObjects(of: name).union(hints.removedTables)
  }

  /// The schema that the file will have: the declared objects, and those of the file that this schema may not drop.
  ///
  /// - Parameters:
  ///   - file: The file's schema after the renames.
  ///   - owned: The objects that this schema declared before, according to the ledger.
  ///
  /// - Throws: `PlanError.cannotKeep`.
  func effectiveSchema(
    over file: DatabaseSchema, owned: Set<SQLName>, isRenamed: Bool = true
  ) throws(PlanError) -> (schema: DatabaseSchema, unmanaged: [SQLName]) {
    var effective = schema.removing(ignores)
    var unmanaged: [SQLName] = []
    func keeps(_ name: SQLName) -> Bool { ignores(name) || (!ownsWholeFile && !owned.contains(name)) }
    for table in file.tables.values where effective.tables[table.name] == nil && keeps(table.name) {
      effective.tables[table.name] = table
      unmanaged.append(table.name)
    }
    for table in file.virtualTables.values where effective.virtualTables[table.name] == nil && keeps(table.name) {
      effective.virtualTables[table.name] = table
      unmanaged.append(table.name)
    }
    for view in file.views.values where effective.views[view.name] == nil && keeps(view.name) {
      effective.views[view.name] = view
      unmanaged.append(view.name)
    }
    for index in file.indexes.values
    where effective.indexes[index.name] == nil && (keeps(index.name) || ignores(index.table))
      && effective.tables[index.table] != nil
    {
      effective.indexes[index.name] = effective.tables[index.table].map { index.read(on: $0) } ?? index
      unmanaged.append(index.name)
    }
    // The ledger only keeps names; a name shared with an object that is not a trigger belongs to that object.
    for trigger in file.triggers.values
    where effective.triggers[trigger.name] == nil
      && (keeps(trigger.name) || ignores(trigger.table) || (!ownsWholeFile && file.hasObject(trigger.name)))
      && (effective.tables[trigger.table] != nil || effective.views[trigger.table] != nil)
    {
      effective.triggers[trigger.name] = trigger
      unmanaged.append(trigger.name)
    }
    if keepsUndeclaredColumns { try keepColumns(of: file, in: &effective, isRenamed: isRenamed) }
    effective.systemTables = file.systemTables
    return (effective, unmanaged)
  }
}

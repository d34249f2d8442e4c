package import OrderedCollections

/// Everything a database file declares, as plain values in the order of its catalog.
package struct DatabaseSchema: Sendable, Hashable {
  package var tables: OrderedDictionary<SQLName, TableSchema> = [:]
  package var virtualTables: OrderedDictionary<SQLName, VirtualTableSchema> = [:]
  package var indexes: OrderedDictionary<SQLName, IndexSchema> = [:]
  package var views: OrderedDictionary<SQLName, ViewSchema> = [:]
  package var triggers: OrderedDictionary<SQLName, TriggerSchema> = [:]
  /// The tables that SQLite keeps for itself, such as `sqlite_sequence` and `sqlite_stat1`.
  package var systemTables: Set<SQLName> = []
  /// The names of SchemaKit's own tables that are present.
  package var ownTables: Set<SQLName> = []
  /// The shadow tables of virtual tables.
  package var shadowTables: Set<SQLName> = []

  package init() {}
}

extension DatabaseSchema {
  /// True if there are no objects at all.
  package var isEmpty: Bool {
    tables.isEmpty && virtualTables.isEmpty && indexes.isEmpty && views.isEmpty && triggers.isEmpty
  }

  /// The number of objects.
  package var objectCount: Int {
    tables.count + virtualTables.count + indexes.count + views.count + triggers.count
  }

  /// The table with a name; nil if it does not exist.
  package func table(_ name: SQLName) -> TableSchema? { tables[name] }

  /// True if a table, view or index has a name. Triggers have their own namespace.
  package func hasObject(_ name: SQLName) -> Bool {
    tables[name] != nil || virtualTables[name] != nil || views[name] != nil || indexes[name] != nil
  }

  /// The virtual table with a name; nil if there is none.
  package func virtualTable(_ name: SQLName) -> VirtualTableSchema? { virtualTables[name] }

  /// The indexes of one table.
  package func indexes(on table: SQLName) -> [IndexSchema] { indexes.values.filter { $0.table == table } }

  /// True if an index or expression of a table reads a word that means a column as soon as one has that name.
  package func reads(word: SQLName, in table: SQLName) -> Bool {
    guard word.isMeantOtherwise, let table = tables[table], table.column(word) == nil else { return false }
    let own = table.checks.map(\.expression) + table.columns.compactMap { $0.generation?.expression }
    let indexed = indexes(on: table.name).flatMap { index in
      index.terms.map(\.expression) + [index.predicate].compactMap { $0 }
    }
    return (own + indexed).contains { $0.mentions(word) }
  }

  /// The triggers of one table or view.
  package func triggers(on table: SQLName) -> [TriggerSchema] { triggers.values.filter { $0.table == table } }

  /// The statements that create this schema in an empty database, in a valid order.
  package var creationStatements: [String] {
    tables.values.map(\.sql) + virtualTables.values.map(\.sql) + indexes.values.map(\.sql)
      + views.values.map(\.sql) + triggers.values.map(\.sql)
  }

  /// The same schema without the objects whose names match one of the patterns.
  package func removing(_ isIgnored: (SQLName) -> Bool) -> DatabaseSchema {
    var kept = self
    kept.tables.removeAll { isIgnored($0.key) }
    kept.virtualTables.removeAll { isIgnored($0.key) }
    kept.views.removeAll { isIgnored($0.key) }
    kept.indexes.removeAll { isIgnored($0.key) || isIgnored($0.value.table) }
    kept.triggers.removeAll { isIgnored($0.key) || isIgnored($0.value.table) }
    return kept
  }
}

extension SQLName {
  /// The reason why SQLite 3.54 and later refuse ALTER TABLE for such a column.
  package static func refusalOfRowIDName(_ name: SQLName) -> String {
    "SQLite 3.54 and later refuse to change column \(name), since it has a name of the rowid"
  }

  /// The reason why a column is not given such a name in place.
  package static func otherMeaning(of word: SQLName, in table: SQLName) -> String {
    "\(word) has another meaning in an index or expression of \(table) until a column has that name"
  }

  /// True if a name belongs to SQLite.
  package var isOfSQLite: Bool { folded.hasPrefix("sqlite_") }

  /// True if a name belongs to SchemaKit.
  package var isReserved: Bool { folded.hasPrefix("_schemakit_") }

  /// The prefix of the objects by which a file serves two programs.
  package static let expansionPrefix = "_schemakit_expand"
  /// True if a name belongs to SchemaKit and to no schema. The objects that serve two programs are part of their schema.
  package var isOutsideSchemas: Bool { isReserved && !folded.hasPrefix(Self.expansionPrefix) }

  /// The prefix of the names of all objects that an online copy has in a database while it runs.
  package static let onlinePrefix = "_schemakit_online"
  /// True if an online copy has an object of this name while it runs.
  package var isOfOnlineCopy: Bool { folded.hasPrefix(Self.onlinePrefix) }
}

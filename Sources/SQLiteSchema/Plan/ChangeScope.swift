import OrderedCollections

/// The part of a file that a change can touch: the tables and views that change, those that name them, and those that they name.
///
/// SQLite reads all views and triggers again when it renames something or drops a column
/// ([ALTER TABLE](https://sqlite.org/lang_altertable.html)), so they belong to every change, with the tables that they
/// name. A foreign key belongs to its child; a change of the parent reaches the children, since a write of the parent
/// compiles their actions ([Foreign Keys](https://sqlite.org/foreignkeys.html)). The rest of the file neither changes
/// nor is named by anything that does.
///
/// *Cost:* reads the text of each view and trigger, and the foreign keys of each table; no rows.
package struct ChangeScope {
  private let schemas: [DatabaseSchema]
  /// The tables that refer to a name.
  private var children: [SQLName: Set<SQLName>] = [:]
  /// The names of tables and views that belong to the change.
  package private(set) var names: Set<SQLName> = []
  /// The tables and views among them that the change, or a trigger, may write.
  private var written: Set<SQLName> = []
  /// The names that were reached and not looked at.
  private var waiting: [(name: SQLName, isWritten: Bool)] = []

  /// - Parameters:
  ///   - changed: The names of what differs: tables, views, indexes and triggers, before and after renames.
  ///   - others: Tables that belong to any change.
  ///   - expressions: The declared expressions that give values, which may read other tables.
  ///   - schemas: The schema of the file and the one that it shall have.
  package init(
    of changed: Set<SQLName>, besides others: Set<SQLName>, expressions: [String] = [], in schemas: [DatabaseSchema]
  ) {
    self.schemas = schemas
    for table in schemas.flatMap(\.tables.values) {
      for key in table.foreignKeys { children[key.parent, default: []].insert(table.name) }
    }
    reach(changed, isWritten: true)
    reach(others, isWritten: false)
    for expression in expressions { reach(named(in: expression), isWritten: false) }
    for schema in schemas {
      reach(changed.compactMap { schema.indexes[$0]?.table }, isWritten: true)
      reach(schema.views.keys, isWritten: false)
      for view in schema.views.values { reach(named(in: view.sql), isWritten: false) }
      // A module has tables of its own, and may read and write those that its arguments name.
      reach(schema.virtualTables.keys, isWritten: true)
      for table in schema.virtualTables.values { reach(named(in: table.sql), isWritten: true) }
      for trigger in schema.triggers.values { reach(named(in: trigger.sql) + [trigger.table], isWritten: true) }
    }
    while let next = waiting.popLast() {
      reach(schemas.flatMap { $0.tables[next.name]?.foreignKeys ?? [] }.map(\.parent), isWritten: false)
      if next.isWritten { reach(children[next.name] ?? [], isWritten: true) }
    }
  }

  private mutating func reach(_ found: some Sequence<SQLName>, isWritten: Bool) {
    for name in found {
      let isNew = names.insert(name).inserted
      let isWrittenNow = isWritten && written.insert(name).inserted
      if isNew || isWrittenNow { waiting.append((name, isWritten)) }
    }
  }

  /// The tables and views that a text may name. SQLite takes a text in single quotes for a name too.
  private func named(in sql: String) -> [SQLName] {
    guard let tokens = try? SQLLexer.tokens(of: sql) else { return schemas.flatMap(\.relations) }
    return tokens.compactMap(\.name).filter { name in schemas.contains { $0.hasRelation(name) } }
  }
}

extension DatabaseSchema {
  /// The names of tables, virtual tables and views.
  fileprivate var relations: [SQLName] { Array(tables.keys) + Array(virtualTables.keys) + Array(views.keys) }

  /// True if a table, virtual table or view has a name.
  package func hasRelation(_ name: SQLName) -> Bool {
    tables[name] != nil || virtualTables[name] != nil || views[name] != nil
  }

  /// The schema with no other tables and views than those of a scope, and with their indexes and triggers.
  package func limited(to scope: ChangeScope) -> DatabaseSchema {
    var part = self
    part.tables.removeAll { !scope.names.contains($0.key) }
    part.virtualTables.removeAll { !scope.names.contains($0.key) }
    part.views.removeAll { !scope.names.contains($0.key) }
    part.indexes.removeAll { !scope.names.contains($0.value.table) }
    part.triggers.removeAll { !scope.names.contains($0.value.table) }
    return part
  }
}

import OrderedCollections

/// Fills a full-text index from the table or view whose text it indexes.
///
/// An FTS5 or FTS4 table with `content=` holds no text of its own: it is an index, which SQLite does not update when
/// the rows of its content change, and creates empty. Its command
/// [rebuild](https://sqlite.org/fts5.html#the_rebuild_command) rebuilds it from the content. Applies to such a table
/// that is created or declared anew, and to one whose content gets different values, row numbers, column names or
/// another query in the migration. [Contentless](https://sqlite.org/fts5.html#contentless_tables) ones have nothing to
/// be filled from.
package struct FullTextRule {
  package var diff: SchemaDiff
  package var renames: SchemaRenames
  package var target: DatabaseSchema
  /// The tables that get different values or row numbers.
  package var rewritten: Set<SQLName>
  package var checkResults: [SQLName: RowCheckResults]

  /// A step for each index that has to be filled.
  package var steps: [MigrationStep] {
    target.virtualTables.values.compactMap { table in
      guard table.isModuleLoaded, let content = table.externalContent else { return nil }
      let isNew = diff.virtualTables.contains { $0.new?.name == table.name }
      guard isNew || changes(content, as: table) else { return nil }
      let checked = checkResults[content]
      return MigrationStep(
        strategy: .create, object: ObjectReference(.table, table.name),
        edits: [.fillIndex(content: content, isNew: isNew)],
        motive: isNew ? nil : Motive(.indexedTextChanges),
        statements: [
          PlannedStatement(
            "INSERT INTO \"main\".\(table.name.quoted) (\(table.name.quoted)) VALUES ('rebuild')", role: .copy)
        ], rows: checked?.isCounted == true ? checked?.countedRows : nil
      ).onBehalf(of: isNew ? table.name : content)
    }
  }

  /// Whether the content of an index changes in the migration.
  private func changes(_ content: SQLName, as index: VirtualTableSchema) -> Bool {
    let sources = sources(of: content)
    if sources.contains(where: { name in rewritten.contains(name) || diff.views.contains { $0.new?.name == name } }) {
      return true
    }
    let isView = target.views[content] != nil
    return sources.contains { name in
      columnsChanged(in: name).contains { isView || index.mentions($0) }
    }
  }

  /// The columns of a table that are new, renamed, or computed differently.
  private func columnsChanged(in table: SQLName) -> [SQLName] {
    let former = renames.formerColumns[table] ?? [:]
    let change = diff.changedTables.first { $0.to.name == table }
    return Array(former.keys) + Array(former.values) + (change?.addedColumns.map(\.name) ?? [])
      + (change?.changedColumns.filter { $0.kinds.contains(.generation) }.map(\.to.name) ?? [])
  }

  /// A table or view, and everything that its query mentions.
  private func sources(of content: SQLName) -> Set<SQLName> {
    var found: Set<SQLName> = []
    var open = [content]
    while let name = open.popLast() {
      guard found.insert(name).inserted, let view = target.views[name] else { continue }
      let words = (try? SQLLexer.tokens(of: view.sql))?.compactMap(\.name) ?? []
      open += words.filter { target.views[$0] != nil || target.tables[$0] != nil }
    }
    return found
  }
}

extension MigrationStep {
  /// Whether the step fills an existing index, and creates nothing.
  package var fillsIndex: Bool { strategy == .create && statements.allSatisfy { $0.role == .copy } }
}

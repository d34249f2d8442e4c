import OrderedCollections

/// Fills a full-text index from the table or view whose text it indexes.
///
/// An FTS5 or FTS4 table with `content=` holds no text of its own: it is an index, which SQLite does not update when
/// the rows of its content change, and creates empty. Its command
/// [rebuild](https://sqlite.org/fts5.html#the_rebuild_command) fills it from all rows of the content, and so does this, also
/// from those that its triggers leave out. Applies to such a table that is created or declared anew, and to one whose content gets different
/// texts, row numbers or another query in the migration; not to one whose entries can stay.
/// [Contentless](https://sqlite.org/fts5.html#contentless_tables) ones have nothing to be filled from.
package struct FullTextRule {
  package var changes: FullTextChanges
  /// The indexes that get another declaration and keep their entries.
  package var redeclared: Set<SQLName>
  /// The number of rows of each table whose rows were counted.
  package var rowCounts: [SQLName: Int]

  /// A step for each index that has to be filled.
  package var steps: [MigrationStep] {
    changes.target.virtualTables.values.compactMap { table in
      guard let content = table.externalContent, let fate = changes.fate(of: table), fate != .kept,
        !redeclared.contains(table.name)
      else { return nil }
      let isNew = changes.diff.virtualTables.contains { $0.new?.name == table.name }
      return MigrationStep.creating(
        ObjectReference(.table, table.name), [.fillIndex(content: content, isNew: isNew)],
        statements(filling: table, isNew: isNew).map { PlannedStatement($0, role: .copy) },
        motive: isNew ? nil : Motive(.indexedTextChanges), rows: rowCounts[content]
      ).onBehalf(of: isNew ? table.name : content)
    }
  }

  /// The command `rebuild` reads the content as SQLite likes best, which may be through an index that lacks rows. So rows of a
  /// table are read from the table itself, where the index can be emptied by a command.
  private func statements(filling table: VirtualTableSchema, isNew: Bool) -> [String] {
    let name = table.name.quoted
    let rebuild = "INSERT INTO \"main\".\(name) (\(name)) VALUES ('rebuild')"
    let isFTS5 = table.module.folded == "fts5"
    guard isNew || isFTS5, let index = table.fullTextIndex, let content = changes.target.tables[index.content],
      let key = index.rowID?.quoted ?? content.rowKey, !index.columns.isEmpty,
      index.columns.allSatisfy({ content.column($0.name) != nil })
    else { return [rebuild] }
    let columns = index.columns.map(\.name.quoted).joined(separator: ", ")
    return (isNew ? [] : ["INSERT INTO \"main\".\(name) (\(name)) VALUES ('delete-all')"]) + [
      """
      INSERT INTO "main".\(name) (\(isFTS5 ? "rowid" : "docid"), \(columns)) \
      SELECT \(key), \(columns) FROM "main".\(content.name.quoted) \(content.rowOrder)
      """
    ]
  }
}

extension MigrationStep {
  /// True if the step fills an existing index, and creates nothing.
  package var fillsIndex: Bool { strategy.creates && statements.allSatisfy { $0.role == .copy } }
}

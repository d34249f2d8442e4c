import OrderedCollections

/// Fills a full-text index from the table or view whose text it indexes.
///
/// An FTS5 or FTS4 table with `content=` holds no text of its own: it is an index, which SQLite does not update when
/// the rows of its content change, and creates empty. Its command
/// [rebuild](https://sqlite.org/fts5.html#the_rebuild_command) fills it from all rows of the content, also those that its
/// triggers leave out. Applies to such a table that is created or declared anew, and to one whose content gets different
/// texts, row numbers or another query in the migration; not to one whose entries can stay.
/// [Contentless](https://sqlite.org/fts5.html#contentless_tables) ones have nothing to be filled from.
package struct FullTextRule {
  package var changes: FullTextChanges
  /// The indexes that get another declaration and keep their entries.
  package var redeclared: Set<SQLName>
  /// How many rows tables have, where they were counted.
  package var rowCounts: [SQLName: Int]

  /// A step for each index that has to be filled.
  package var steps: [MigrationStep] {
    changes.target.virtualTables.values.compactMap { table in
      guard let content = table.externalContent, let fate = changes.fate(of: table), fate != .kept,
        !redeclared.contains(table.name)
      else { return nil }
      let isNew = changes.diff.virtualTables.contains { $0.new?.name == table.name }
      return MigrationStep(
        strategy: .create, object: ObjectReference(.table, table.name),
        edits: [.fillIndex(content: content, isNew: isNew)],
        motive: isNew ? nil : Motive(.indexedTextChanges),
        statements: [
          PlannedStatement(
            "INSERT INTO \"main\".\(table.name.quoted) (\(table.name.quoted)) VALUES ('rebuild')", role: .copy)
        ], rows: rowCounts[content]
      ).onBehalf(of: isNew ? table.name : content)
    }
  }
}

extension MigrationStep {
  /// Whether the step fills an existing index, and creates nothing.
  package var fillsIndex: Bool { strategy == .create && statements.allSatisfy { $0.role == .copy } }
}

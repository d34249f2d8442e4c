import OrderedCollections

/// Fills a full-text index from the table or view whose texts it finds.
///
/// An FTS5 or FTS4 table with `content=` holds no texts of its own: it is an index, which SQLite leaves as it is while
/// the rows of its content change, and creates empty. Its command
/// [rebuild](https://sqlite.org/fts5.html#the_rebuild_command) makes it anew from the content. Applies to such a table
/// that is created or declared anew, and to one whose content gets other values or row numbers on the way.
/// [Contentless](https://sqlite.org/fts5.html#contentless_tables) ones have nothing to be filled from.
struct FullTextRule {
  var diff: SchemaDiff
  var target: DatabaseSchema
  /// The tables that get other values or row numbers.
  var rewritten: Set<SQLName>
  var facts: [SQLName: TableFacts]

  /// A step for each index that has to be filled.
  var steps: [MigrationStep] {
    target.virtualTables.values.compactMap { table in
      guard table.isModuleLoaded, let content = table.externalContent else { return nil }
      let isNew = diff.virtualTables.contains { $0.new?.name == table.name }
      guard isNew || rewritten.contains(where: { reads($0, content) }) else { return nil }
      let fact = facts[content]
      return MigrationStep(
        strategy: .create, kind: "table", object: table.name.text,
        changes: [isNew ? "fill it from \(content)" : "fill it anew from \(content)"],
        reason: isNew ? nil : "what it finds changes",
        statements: [
          PlannedStatement(
            "INSERT INTO \"main\".\(table.name.quoted) (\(table.name.quoted)) VALUES ('rebuild')", role: .copy)
        ], rows: fact?.isCounted == true ? fact?.countedRows : nil, upkeepOf: isNew ? table.name.text : content.text)
    }
  }

  /// Whether the content of an index is a table, or a view that mentions it.
  private func reads(_ table: SQLName, _ content: SQLName) -> Bool {
    if table == content { return true }
    guard let view = target.views[content] else { return false }
    // What cannot be read may mention anything.
    return (try? SQLLexer.tokens(of: view.sql))?.contains { $0.name == table } ?? true
  }
}

extension VirtualTableSchema {
  /// The table or view that a full-text index finds texts of; nil for any other virtual table, and for one that holds its
  /// texts itself or none at all.
  ///
  /// See [External Content Tables](https://sqlite.org/fts5.html#external_content_tables) and
  /// [FTS4](https://sqlite.org/fts3.html#_external_content_fts4_tables_).
  package var externalContent: SQLName? { content.flatMap { $0.text.isEmpty ? nil : $0 } }

  /// Whether the table keeps no texts at all, and finds none anywhere.
  package var isContentless: Bool { content?.text.isEmpty ?? false }

  /// What stands behind `content=`; nil where that is not said.
  private var content: SQLName? {
    guard ["fts5", "fts4"].contains(module.folded) else { return nil }
    return arguments.lazy.compactMap { argument -> SQLName? in
      guard let tokens = try? SQLLexer.tokens(of: argument), (2...3).contains(tokens.count), tokens[1].isSymbol("="),
        tokens[0].name == "content"
      else { return nil }
      return tokens.count == 3 ? tokens[2].name : ""
    }.first
  }
}

extension MigrationStep {
  /// Whether the step fills an index that is there, and creates nothing.
  package var fillsIndex: Bool { strategy == .create && statements.allSatisfy { $0.role == .copy } }
}

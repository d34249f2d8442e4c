import OrderedCollections

extension SQLiteConnection {
  /// Runs a statement of a declared or recorded schema, stubbing the functions that it lacks.
  ///
  /// - Throws: `SQLiteError`, also for a RENAME COLUMN that changes other tables, as that of SQLite 3.33 does.
  package func runOfSchema(_ sql: String) throws {
    let version = EngineProfile(versionOf: self).version
    guard version < SQLiteVersion(3, 40), let tokens = try? SQLLexer.tokens(of: sql),
      tokens.first?.isKeyword("ALTER") == true, let verb = tokens.firstIndex(where: { $0.isKeyword("RENAME") }),
      tokens[(verb + 1)...].first?.isKeyword("TO") != true
    else { return try runStubbing(sql) }
    let before = try SchemaReader.read(self)
    try runStubbing(sql)
    let named = Set(tokens.compactMap(\.name))
    guard let damaged = try SchemaReader.read(self).tablesDamaged(since: before, besides: named).first else { return }
    throw SQLiteError.misuse(
      "SQLite \(version) would change an expression of table \(damaged.name) with this rename; a newer one does not",
      sql: sql)
  }
}

extension DatabaseSchema {
  /// The tables, as they were before a rename, whose columns or CHECK constraints are other ones now.
  ///
  /// - Parameter concerned: The tables that the rename is about.
  func tablesDamaged(since source: DatabaseSchema, besides concerned: Set<SQLName>) -> [TableSchema] {
    source.tables.values.filter { table in
      guard !concerned.contains(table.name), let now = tables[table.name] else { return false }
      return now.columns != table.columns || now.checks != table.checks
    }
  }
}

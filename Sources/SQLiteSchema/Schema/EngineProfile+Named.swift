extension EngineProfile {
  /// An engine, or a place, that a plan can be made for without a connection to it.
  package enum Name: String, Sendable, Hashable, Codable, CaseIterable {
    /// A transaction that the program has begun on a local file.
    case inTransaction = "in-transaction"
    /// [Cloudflare D1](https://developers.cloudflare.com/d1/), and the SQLite of Durable Objects.
    case d1
    /// [rqlite](https://rqlite.io), which takes a change as one request.
    case rqlite
    /// A libSQL server, such as [Turso](https://turso.tech).
    case libsql
    /// [dqlite](https://dqlite.io), over its wire protocol.
    case dqlite

    /// True if foreign keys can be switched off there.
    package var canSuspendForeignKeys: Bool { self == .dqlite }

    /// Patterns of the names of the engine's own tables.
    package var ignoredNames: [String] { self == .d1 ? ["_cf_*"] : [] }
  }

  /// The profile of a named engine, as far as the SQLite here can prove it: the features are those that both have.
  ///
  /// docs/profiles.md has the source of each value.
  package func limited(to name: Name) -> EngineProfile {
    var profile = self
    profile.name = name
    profile.canEditCatalog = false
    profile.canSuspendForeignKeys = canSuspendForeignKeys && name.canSuspendForeignKeys
    profile.hasTransactions = name == .libsql || name == .dqlite
    profile.protectsShadowTables = name == .inTransaction || name == .d1
    switch name {
    case .inTransaction, .dqlite: break
    case .rqlite: profile.replicatesStatements = true
    case .d1:
      profile.version = min(version, SQLiteVersion(3, 47))
      profile.maximumColumns = min(maximumColumns, 100)
      profile.maximumStatementBytes = 100_000
      profile.limits = StatementLimits(
        expressionDepth: 100, compoundSelects: 5, instructions: 25_000, functionArguments: 32, patternBytes: 50)
    case .libsql:
      profile.version = min(version, SQLiteVersion(3, 45))
      profile.canLeaveReferences = false
      profile.canIgnoreChecks = false
    }
    return profile
  }
}

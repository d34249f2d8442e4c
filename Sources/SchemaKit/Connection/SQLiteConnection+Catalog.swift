import CSQLite

extension SQLiteConnection {
  /// Takes of a statement what another engine does.
  package func limit(expressionDepth: Int, compoundSelects: Int, instructions: Int, functionArguments: Int) {
    for (limit, value) in [
      (SQLITE_LIMIT_EXPR_DEPTH, expressionDepth), (SQLITE_LIMIT_COMPOUND_SELECT, compoundSelects),
      (SQLITE_LIMIT_VDBE_OP, instructions), (SQLITE_LIMIT_FUNCTION_ARG, functionArguments),
    ] {
      sqlite3_limit(handle, limit, Int32(value))
    }
  }
}

extension SQLiteConnection: LocalEngine {
  /// See [sqlite3_limit()](https://sqlite.org/c3ref/limit.html).
  package var maximumColumns: Int { Int(sqlite3_limit(handle, SQLITE_LIMIT_COLUMN, -1)) }

  /// True if this connection lets the catalog be edited. A connection in defensive mode refuses it, and says so only
  /// when such a statement is compiled.
  ///
  /// See [SQLITE_DBCONFIG_DEFENSIVE](https://sqlite.org/c3ref/c_dbconfig_defensive.html).
  package var canEditCatalog: Bool {
    (try? withWritableCatalog("OFF") { try prepareOnly("UPDATE main.sqlite_master SET sql = sql WHERE 0") }) != nil
  }

  /// Runs work while the catalog is writable, and then has SQLite read the schema again.
  ///
  /// Defensive mode is turned off meanwhile on a connection of our own; on a borrowed one it is the owner's decision.
  /// See [PRAGMA writable_schema](https://sqlite.org/pragma.html#pragma_writable_schema).
  ///
  /// - Parameter ending: RESET has the schema read again, OFF does not.
  package func withWritableCatalog<T>(_ ending: String = "RESET", _ body: () throws -> T) throws -> T {
    let wasDefensive = isBorrowed ? nil : Self.defensive(of: handle, setting: -1)
    if wasDefensive == true { _ = Self.defensive(of: handle, setting: 0) }
    defer { if wasDefensive == true { _ = Self.defensive(of: handle, setting: 1) } }
    try execute("PRAGMA writable_schema = ON")
    do {
      let result = try body()
      try execute("PRAGMA writable_schema = \(ending)")
      return result
    } catch {
      try? execute("PRAGMA writable_schema = RESET")
      throw error
    }
  }

  /// Reads or sets defensive mode; nil if this SQLite does not know it.
  private static func defensive(of handle: OpaquePointer, setting: Int32) -> Bool? {
    // SQLITE_DBCONFIG_DEFENSIVE, by number, since older headers lack it.
    var now: Int32 = 0
    return schemakit_db_config(handle, 1010, setting, &now) == SQLITE_OK ? now != 0 : nil
  }
}

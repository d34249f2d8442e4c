import CSQLite

extension SQLiteConnection {
  /// Chooses whether a double-quoted name that matches nothing is a string literal, as in old schemas, or an error.
  ///
  /// See [Double-quoted String Literals Are Accepted](https://sqlite.org/quirks.html#dblquote).
  package func setAllowsDoubleQuotedText(_ isAllowed: Bool) throws {
    // SQLITE_DBCONFIG_DQS_DML and SQLITE_DBCONFIG_DQS_DDL, by number, since older headers lack them.
    try setAllowsDoubleQuotedQueries(isAllowed)
    try setConfiguration(1014, to: isAllowed ? 1 : 0)
  }

  /// The same for queries and changes of rows alone, which views and triggers count as when SQLite rewrites them.
  package func setAllowsDoubleQuotedQueries(_ isAllowed: Bool) throws {
    try setConfiguration(1013, to: isAllowed ? 1 : 0)
  }

  /// True if queries currently accept such a name as a string literal.
  package var allowsDoubleQuotedQueries: Bool {
    get throws {
      var now: Int32 = 0
      let code = schemakit_db_config(handle, 1013, -1, &now)
      guard code == SQLITE_OK else { throw SQLiteError(code, on: handle) }
      return now != 0
    }
  }

  /// Reads a setting of `sqlite3_db_config` by its operation code, since older headers lack the names; nil if this SQLite
  /// does not know it.
  package func configuration(_ operation: Int32) -> Int64? {
    var now: Int32 = 0
    return schemakit_db_config(handle, operation, -1, &now) == SQLITE_OK ? Int64(now) : nil
  }

  /// Makes such a setting.
  package func setConfiguration(_ operation: Int32, to value: Int64) throws {
    var now: Int32 = 0
    let code = schemakit_db_config(handle, operation, Int32(value), &now)
    guard code == SQLITE_OK else { throw SQLiteError(code, on: handle) }
  }
}

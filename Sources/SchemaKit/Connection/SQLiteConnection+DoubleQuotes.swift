import CSQLite

extension SQLiteConnection {
  /// Chooses whether a double-quoted name that matches nothing is a string literal, as in old schemas, or an error.
  ///
  /// See [Double-quoted String Literals Are Accepted](https://sqlite.org/quirks.html#dblquote).
  func setAllowsDoubleQuotedText(_ isAllowed: Bool) throws {
    // SQLITE_DBCONFIG_DQS_DML and SQLITE_DBCONFIG_DQS_DDL, by number, since older headers lack them.
    try setAllowsDoubleQuotedQueries(isAllowed)
    try configure(1014, isAllowed)
  }

  /// The same for queries and changes of rows alone, which views and triggers count as when SQLite rewrites them.
  func setAllowsDoubleQuotedQueries(_ isAllowed: Bool) throws { try configure(1013, isAllowed) }

  /// Whether queries currently accept such a name as a string literal.
  var allowsDoubleQuotedQueries: Bool {
    get throws {
      var now: Int32 = 0
      let code = schemakit_db_config(handle, 1013, -1, &now)
      guard code == SQLITE_OK else { throw SQLiteError(code, on: handle) }
      return now != 0
    }
  }

  private func configure(_ operation: Int32, _ isOn: Bool) throws {
    var now: Int32 = 0
    let code = schemakit_db_config(handle, operation, isOn ? 1 : 0, &now)
    guard code == SQLITE_OK else { throw SQLiteError(code, on: handle) }
  }
}

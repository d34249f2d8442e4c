import CSQLite

extension SQLiteConnection {
  /// Chooses whether a name in double quotes that names nothing is a text, as old schemas have it, or an error.
  ///
  /// See [Double-quoted String Literals Are Accepted](https://sqlite.org/quirks.html#dblquote).
  func setAllowsDoubleQuotedText(_ isAllowed: Bool) throws {
    // SQLITE_DBCONFIG_DQS_DML and SQLITE_DBCONFIG_DQS_DDL, by number so that older headers do.
    for operation: Int32 in [1013, 1014] {
      var now: Int32 = 0
      let code = schemakit_db_config(handle, operation, isAllowed ? 1 : 0, &now)
      guard code == SQLITE_OK else { throw SQLiteError(code, on: handle) }
    }
  }
}

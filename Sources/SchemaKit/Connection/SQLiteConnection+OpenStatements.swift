import CSQLite

extension SQLiteConnection {
  /// The statements on this handle that have begun and not ended, whoever started them.
  ///
  /// SQLite refuses to drop a table while a statement reads it on the same connection.
  package var openStatements: [String] {
    var statements: [String] = []
    var next = sqlite3_next_stmt(handle, nil)
    while let statement = next {
      if sqlite3_stmt_busy(statement) != 0 {
        statements.append(sqlite3_sql(statement).map { String(cString: $0) } ?? "")
      }
      next = sqlite3_next_stmt(handle, statement)
    }
    return statements
  }
}

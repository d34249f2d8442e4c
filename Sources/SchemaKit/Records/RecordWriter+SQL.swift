extension RecordWriter {
  /// Runs SQL: one statement with values, or a script without any.
  ///
  /// - Returns: The number of rows that the last statement changed, and the rowid of the last row inserted.
  @discardableResult
  public func execute(_ sql: SQL, _ values: [(any ColumnValue)?] = []) throws -> WriteResult {
    try execute(bound(sql, values))
  }

  /// Runs one SQL statement with named values, for parameters such as `:id`, `@id` or `$id`.
  @discardableResult
  public func execute(_ sql: SQL, _ values: [String: (any ColumnValue)?]) throws -> WriteResult {
    try execute(named(sql, values))
  }

  private func execute(_ sql: SQL) throws -> WriteResult {
    try connection.result {
      if sql.values.isEmpty { try connection.execute(sql.text) } else { try connection.run(sql.text, sql.values) }
    }
  }

  /// Runs work in a transaction: committed when the body returns, rolled back when it throws.
  ///
  /// Inside another transaction it is a savepoint, so that it can be rolled back on its own. Afterwards the connection
  /// is usable, whatever happened. If SQLite rolls back the whole transaction by itself, as after a full disk, the body
  /// can write nothing more, even if it ignores that error.
  ///
  /// ```swift
  /// try session.transaction {
  ///   try session.deleteAll(Note.self)
  ///   try session.save(notes)
  /// }
  /// ```
  @discardableResult
  public func transaction<Result>(
    _ kind: TransactionKind = .immediate, _ body: () throws -> Result
  ) throws -> Result {
    try store.keepingFiles {
      try connection.isInTransaction ? connection.savepoint(body) : connection.transaction(kind, body)
    }
  }

  /// Runs work in a savepoint: if it throws, its changes are rolled back, and nothing else of the transaction is.
  @discardableResult
  public func savepoint<Result>(_ body: () throws -> Result) throws -> Result {
    try store.keepingFiles { try connection.savepoint(body) }
  }

  /// Copies the whole database into a file, which then equals it, while others may continue to write.
  ///
  /// See [Backup API](https://sqlite.org/backup.html). Attachments are files of their own and are not part of it.
  ///
  /// - Parameter path: A file that does not exist yet. After a failure it does not exist either.
  public func backup(to path: String, progress: (BackupProgress) throws -> Void = { _ in }) throws {
    try connection.backup(toNewFile: path, progress: progress)
  }
}

extension SQLiteConnection {
  /// Returns the result of the statements that the body runs.
  func result(of body: () throws -> Void) throws -> WriteResult {
    let before = totalChanges
    forgetInsertedRowID()
    try body()
    return WriteResult(changes: totalChanges == before ? 0 : changes, lastInsertedID: insertedRowID)
  }
}

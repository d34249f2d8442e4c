extension SQLiteConnection {
  /// Runs work in the open transaction, and lets it write no more once SQLite has rolled the transaction back by
  /// itself.
  ///
  /// After some errors, such as a full disk, SQLite rolls back the whole transaction and continues in autocommit mode:
  /// what a body that ignores the error writes next would be final at once. See
  /// [Response To Errors Within A Transaction](https://sqlite.org/lang_transaction.html#response_to_errors_within_a_transaction).
  ///
  /// - Throws: The error that the body throws; otherwise the error that made SQLite roll the transaction back.
  public func guardingTransaction<T>(_ body: () throws -> T) throws -> T {
    let isOutermost = !isGuardingTransaction
    isGuardingTransaction = true
    defer {
      if isOutermost {
        isGuardingTransaction = false
        rollbackCause = nil
      }
    }
    let result = try body()
    if let rollbackCause { throw rollbackCause }
    return result
  }

  /// Makes SQLite play back a hot journal.
  ///
  /// After a failed write, SQLite no longer touches the file, and the next connection that reads it plays the journal
  /// back. Until then the file on the disk is half-written, and a copy of it alone is not a valid database. See
  /// [Hot Rollback Journals](https://sqlite.org/lockingv3.html#hot_journals).
  public func finishRollback() {
    guard hasDiskFailed, !isInMemory, !isInTransaction else { return }
    // Without waiting: whoever has the file locked plays the journal back too.
    hooks.suspendingCancellation {
      hooks.withoutWaiting {
        hasDiskFailed = false
        try? probe()
      }
    }
  }
}

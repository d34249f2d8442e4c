extension SQLiteConnection {
  /// Runs work in the open transaction, and lets it write no more once SQLite has taken the transaction back by itself.
  ///
  /// After some errors, such as a full disk, SQLite rolls back the whole transaction and goes on in autocommit: what a
  /// body that passes over the error writes next would be final at once. See
  /// [Response To Errors Within A Transaction](https://sqlite.org/lang_transaction.html#response_to_errors_within_a_transaction).
  ///
  /// - Throws: What the body throws; otherwise the error with which SQLite took the transaction back.
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

  /// Has SQLite play a hot journal back.
  ///
  /// After a write that failed, SQLite touches the file no more, and the next one that reads it plays the journal back.
  /// Until then the file is half-written on the disk, and a copy of it alone is no database. See
  /// [Hot Rollback Journals](https://sqlite.org/lockingv3.html#hot_journals).
  public func finishRollback() {
    guard hasDiskFailed, !isInMemory, !isInTransaction else { return }
    // Without waiting: who has the file locked plays the journal back too.
    hooks.suspendingCancellation {
      hooks.withoutWaiting {
        hasDiskFailed = false
        try? probe()
      }
    }
  }
}

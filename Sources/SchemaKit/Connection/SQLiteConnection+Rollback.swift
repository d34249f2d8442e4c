extension SQLiteConnection {
  /// Throws what made SQLite take the open transaction back by itself, after a body that went on all the same.
  public func checkTransaction() throws {
    guard !isInTransaction, let cause = rollbackCause else { return }
    rollbackCause = nil
    throw cause
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

/// The lock that a transaction takes when it begins.
///
/// See [Transaction](https://sqlite.org/lang_transaction.html).
public enum TransactionKind: String, Sendable, Hashable {
  /// No lock until the first read or write.
  case deferred = "DEFERRED"
  /// The write lock, so that the transaction never has to fail half-way for want of it.
  case immediate = "IMMEDIATE"
  /// An exclusive lock; outside WAL mode nobody else can read meanwhile.
  case exclusive = "EXCLUSIVE"
}

extension SQLConnection {
  /// Runs work in a transaction: commits it when the body returns, and rolls it back if anything throws.
  ///
  /// After any failure, including that of COMMIT, no transaction is open. The first error is the one thrown.
  @discardableResult
  public func transaction<T>(_ kind: TransactionKind = .immediate, _ body: () throws -> T) throws -> T {
    try run("BEGIN \(kind.rawValue)", [])
    do {
      let result = try guardingTransaction(body)
      try run("COMMIT", [])
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  /// Runs queries that see one state of the database: in the open transaction, or in one of their own.
  package func snapshot<T>(_ body: () throws -> T) throws -> T {
    try isInTransaction ? body() : transaction(.deferred, body)
  }

  /// Runs work in a transaction that is rolled back at the end, whatever the body does.
  package func rehearsal<T>(_ body: () throws -> T) throws -> T {
    try execute("BEGIN IMMEDIATE")
    defer { rollBack() }
    return try guardingTransaction(body)
  }

  /// Rolls back the open transaction, in the file as well.
  func rollBack() {
    // SQLite has rolled back by itself after some errors, such as a full disk.
    if isInTransaction { suspendingCancellation { try? execute("ROLLBACK") } }
    finishRollback()
  }

  /// Runs work in a savepoint, which can be rolled back on its own inside a transaction or another savepoint.
  ///
  /// Outside a transaction, the savepoint is a deferred transaction.
  @discardableResult
  public func savepoint<T>(_ body: () throws -> T) throws -> T {
    let isOutermost = !isInTransaction
    // A nested savepoint may have the same name: SQLite always means the innermost.
    try execute("SAVEPOINT schemakit")
    do {
      let result = try guardingTransaction(body)
      try execute("RELEASE schemakit")
      return result
    } catch {
      if isOutermost {
        rollBack()
      } else if isInTransaction {
        suspendingCancellation { try? execute("ROLLBACK TO schemakit; RELEASE schemakit") }
      }
      throw error
    }
  }
}

/// How much a transaction locks when it begins.
///
/// See [Transaction](https://sqlite.org/lang_transaction.html).
public enum TransactionKind: String, Sendable, Hashable {
  /// Nothing until the first read or write.
  case deferred = "DEFERRED"
  /// The right to write, so that the transaction never has to give up half-way for a lock.
  case immediate = "IMMEDIATE"
  /// Everything; outside WAL mode nobody else can read meanwhile.
  case exclusive = "EXCLUSIVE"
}

extension SQLConnection {
  /// Runs work in a transaction: commits it when the body returns, and takes all of it back when anything throws.
  ///
  /// After any failure, that of COMMIT included, no transaction is open. The first error is the one thrown.
  @discardableResult
  public func transaction<T>(_ kind: TransactionKind = .immediate, _ body: () throws -> T) throws -> T {
    try execute("BEGIN \(kind.rawValue)")
    do {
      let result = try guardingTransaction(body)
      try execute("COMMIT")
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  /// Runs work in a transaction that is rolled back at the end, whatever the body does.
  func rehearsal<T>(_ body: () throws -> T) throws -> T {
    try execute("BEGIN IMMEDIATE")
    defer { rollBack() }
    return try guardingTransaction(body)
  }

  /// Takes the open transaction back, in the file as well.
  func rollBack() {
    // SQLite has rolled back by itself after some errors, such as a full disk.
    if isInTransaction { try? execute("ROLLBACK") }
    finishRollback()
  }

  /// Runs work in a savepoint: inside a transaction or another savepoint it can be rolled back on its own.
  ///
  /// Outside a transaction it is one, which takes its locks when they are first needed.
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
        try? execute("ROLLBACK TO schemakit; RELEASE schemakit")
      }
      throw error
    }
  }
}

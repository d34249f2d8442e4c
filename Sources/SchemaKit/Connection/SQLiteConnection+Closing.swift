import CSQLite

/// The compiled statements of a connection. It has identity because they report to it when they are let go of.
final class StatementRegistry {
  /// The number of statements that are lent right now.
  var lent = 0
  private var handles: Set<OpaquePointer> = []

  func add(_ handle: OpaquePointer) { handles.insert(handle) }

  /// Finalizes a statement, unless that has been done.
  func finalize(_ handle: OpaquePointer) {
    if handles.remove(handle) != nil { sqlite3_finalize(handle) }
  }

  func finalizeAll() {
    for handle in handles { sqlite3_finalize(handle) }
    handles = []
  }
}

extension SQLiteConnection {
  /// Closes the connection; closing it again does nothing.
  ///
  /// Statements are finalized, and a file that nobody else has open is checkpointed. Afterwards every call that needs the
  /// database throws ``SQLiteConnectionError/closed(path:)``. A borrowed handle stays open, without statements of ours. See
  /// [Closing A Database Connection](https://sqlite.org/c3ref/close.html).
  ///
  /// - Throws: ``SQLiteConnectionError/inUse(_:)`` inside a transaction, or inside a call that uses the connection.
  public func close() throws {
    guard !isClosed else { return }
    if let use { throw SQLiteConnectionError.inUse(use) }
    let replacement = try ClosedHandle.shared.get().pointer
    let old = handle
    closedPath = filePath
    server?.connection.close()
    interruptHandle.invalidate()
    onIdle = nil
    (changesBeforeIdle, changesWhileIdle) = (nil, 0)
    cache.removeAll()
    statements.finalizeAll()
    isClosed = true
    handle = replacement
    // Not at once where an extension has left a statement open.
    if !isBorrowed { sqlite3_close_v2(old) }
  }

  /// Throws if the connection was closed.
  func requireOpen() throws {
    if isClosed { throw SQLiteConnectionError.closed(path: closedPath) }
  }

  /// The current use of the connection; nil if it is not in use.
  var use: SQLiteConnectionError.Use? {
    // A lender's transaction is the lender's.
    if isBorrowed ? isGuardingTransaction : isInTransaction { return .transaction }
    return statements.lent > 0 || hooks.isWorking || authorizers.isWorking ? .call : nil
  }
}

/// The handle that a closed connection has in place of its own, so that no call reaches freed memory: an empty database,
/// on which nothing is ever run.
///
/// SQLite's mutex of the handle (SQLITE_OPEN_FULLMUTEX) guards `pointer`.
private struct ClosedHandle: @unchecked Sendable {
  let pointer: OpaquePointer

  static let shared = Result<ClosedHandle, SQLiteError> { () throws(SQLiteError) in
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(
      ":memory:", &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_FULLMUTEX, nil)
    guard let opened, code == SQLITE_OK else {
      sqlite3_close_v2(opened)
      throw SQLiteError(code: SQLITE_NOMEM, message: "there is not enough memory to close the database")
    }
    return ClosedHandle(pointer: opened)
  }
}

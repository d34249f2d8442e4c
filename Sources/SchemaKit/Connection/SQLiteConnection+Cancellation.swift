extension SQLiteConnection {
  /// Runs work that stops, with an error that is `isInterrupted`, soon after a check returns true.
  ///
  /// The check runs every so many operations of SQLite's virtual machine and while waiting for a lock; on a borrowed
  /// handle, where no handler may be set, before each statement that writes and between rows.
  @discardableResult
  public func withCancellation<T>(
    every operations: Int32 = 4_000, check: @escaping () -> Bool, _ body: () throws -> T
  ) throws -> T {
    if check() { throw SQLiteError.cancelled(sql: nil) }
    let owned = isBorrowed ? nil : handle
    hooks.push(check, on: owned, every: operations)
    defer { hooks.pop(on: owned) }
    return try body()
  }

  /// Reports how many operations of SQLite's virtual machine were executed since the last call, while a body runs; on a
  /// borrowed handle nothing is reported. The callback must not use the connection.
  package func metering<T>(_ meter: @escaping (Int) -> Void, _ body: () throws -> T) rethrows -> T {
    try hooks.metering(on: isBorrowed ? nil : handle, meter, body)
  }

  /// Runs work that must be done even after a cancellation, such as restoring settings.
  package func suspendingCancellation<T>(_ body: () throws -> T) rethrows -> T {
    try hooks.suspendingCancellation(body)
  }
}

import CSQLite
import SchemaKitFoundation

/// The state of a connection that SQLite's callbacks need: how long to wait for locks and when to stop.
///
/// It has identity because C callbacks hold its address; the connection that owns it outlives the callbacks.
final class ConnectionHooks {
  private let busyTimeout: Double
  /// Decides in the place of the timeout.
  var busyHandler: (@Sendable (_ attempt: Int) -> Bool)?
  private let interruptHandle: InterruptHandle
  private var checks: [() -> Bool] = []
  private var meter: ((Int) -> Void)?
  private var interval: Int32 = 4_000
  private var waitingSince: ContinuousClock.Instant?
  private var isSuspended = false
  private var gaveUpWaiting = false
  private var mayWait = true
  /// The handle that waits; nil for a borrowed one, whose busy handler belongs to its owner.
  private var handle: OpaquePointer?
  /// True if the current write transaction has already waited for readers in vain.
  private var hasWaitedInVain = false

  init(_ options: ConnectionOptions, interruptHandle: InterruptHandle) {
    busyTimeout = options.busyTimeout
    busyHandler = options.busyHandler
    self.interruptHandle = interruptHandle
  }

  private var address: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  private static func at(_ address: UnsafeMutableRawPointer?) -> ConnectionHooks? {
    address.map { Unmanaged<ConnectionHooks>.fromOpaque($0).takeUnretainedValue() }
  }
}

extension ConnectionHooks {
  /// True if the work in progress is to stop.
  var isCancelled: Bool { !isSuspended && checks.contains { $0() } }

  /// True if work is in progress that can be stopped or is metered.
  var isWorking: Bool { !checks.isEmpty || meter != nil }

  /// Throws when the work in progress is to stop.
  func checkCancellation(_ sql: String) throws(SQLiteError) {
    if isCancelled { throw SQLiteError.cancelled(sql: sql) }
  }

  /// Adds a reason to stop; any one of several suffices.
  func push(_ check: @escaping () -> Bool, on handle: OpaquePointer?, every operations: Int32) {
    checks.append(check)
    interval = max(1, operations)
    installProgressHandler(on: handle)
  }

  /// Removes the latest reason to stop.
  func pop(on handle: OpaquePointer?) {
    checks.removeLast()
    installProgressHandler(on: handle)
  }

  /// Reports virtual machine operations while a body runs: about how many were executed since the last call.
  ///
  /// The callback must not use the connection.
  func metering<T>(on handle: OpaquePointer?, _ meter: @escaping (Int) -> Void, _ body: () throws -> T) rethrows -> T {
    let before = self.meter
    self.meter = meter
    installProgressHandler(on: handle)
    defer {
      self.meter = before
      installProgressHandler(on: handle)
    }
    return try body()
  }

  /// Makes SQLite call back every so many operations while there is a check or a meter.
  private func installProgressHandler(on handle: OpaquePointer?) {
    guard let handle else { return }
    guard !checks.isEmpty || meter != nil else { return sqlite3_progress_handler(handle, 0, nil, nil) }
    sqlite3_progress_handler(
      handle, interval, { ConnectionHooks.at($0)?.passBy() == true ? 1 : 0 }, address)
  }

  /// Returns whether the work is to stop.
  private func passBy() -> Bool {
    meter?(Int(interval))
    return isCancelled
  }

  /// Runs work that must be done even after a cancellation, such as restoring settings.
  func suspendingCancellation<T>(_ body: () throws -> T) rethrows -> T {
    let before = isSuspended
    isSuspended = true
    defer { isSuspended = before }
    return try body()
  }
}

extension ConnectionHooks {
  /// Makes SQLite ask this object whether to go on waiting for a lock.
  ///
  /// SQLite's own timeout would not let a waiting connection be cancelled.
  func installBusyHandler(on handle: OpaquePointer) {
    self.handle = handle
    sqlite3_busy_handler(
      handle, { address, count in ConnectionHooks.at(address)?.waitForLock(attempt: count) == true ? 1 : 0 }, address)
  }

  /// Sleeps a little and returns true, or returns false at once when it is time to give up.
  func waitForLock(attempt: Int32) -> Bool {
    let now = WorkClock.now
    // Each statement that writes more than the cache holds would wait for the same readers in vain. SQLite takes more
    // memory instead, and COMMIT waits once more.
    if !isWriting { hasWaitedInVain = false }
    if hasWaitedInVain { return false }
    if attempt == 0 {
      waitingSince = now
      gaveUpWaiting = false
      interruptHandle.forgetRequest()
    }
    if isCancelled || interruptHandle.isRequested {
      gaveUpWaiting = true
      return false
    }
    guard mayWait else { return false }
    if let busyHandler {
      guard busyHandler(Int(attempt)) else {
        hasWaitedInVain = isWriting
        return false
      }
      return true
    }
    let waited = Self.seconds((waitingSince ?? now).duration(to: now))
    guard waited < busyTimeout else {
      hasWaitedInVain = isWriting
      return false
    }
    WorkClock.pause(.seconds(min(busyTimeout - waited, Self.pause(after: waited) * (0.5 + WorkClock.randomFraction()))))
    return true
  }

  /// The average number of seconds to sleep before the next attempt.
  ///
  /// Without WAL, a writer that commits one transaction after the other lets others in for some 50 microseconds each time. So a
  /// young wait tries often, and an old one rarely: 10 seconds are 3,000 attempts, or 0.7 % of a core. By chance each
  /// sleep is shorter or longer, so as not to run in step with the writer.
  static func pause(after waited: Double) -> Double { min(max(waited / 500, 0.00005), 0.025) }

  /// True if a transaction has begun to write and is not being committed.
  private var isWriting: Bool {
    guard let handle, sqlite3_get_autocommit(handle) == 0 else { return false }
    // SQLITE_TXN_WRITE
    return schemakit_txn_state(handle, "main") == 2
  }

  /// Runs work that takes a lock immediately or not at all.
  func withoutWaiting<T>(_ body: () throws -> T) rethrows -> T {
    let before = mayWait
    mayWait = false
    defer { mayWait = before }
    return try body()
  }

  /// True if waiting for a lock ended because the work is to stop rather than because time ran out; resets the answer.
  func takeGivingUp() -> Bool {
    defer { gaveUpWaiting = false }
    return gaveUpWaiting
  }

  private static func seconds(_ duration: Duration) -> Double {
    Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
  }
}

extension SQLiteConnection {
  /// True if the work on this connection is to stop.
  package var isCancelled: Bool { hooks.isCancelled }

  /// Runs work that takes a lock immediately or not at all.
  package func withoutWaiting<T>(_ body: () throws -> T) rethrows -> T { try hooks.withoutWaiting(body) }
}

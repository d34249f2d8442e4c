import CSQLite
import SchemaKitFoundation

/// Stops what a connection is doing, from any thread; if it outlives the connection, it does nothing.
public final class InterruptHandle: @unchecked Sendable {
  // `lock` guards both variables, so that no handle is interrupted while or after it is closed.
  private let lock = Lock()
  private var handle: OpaquePointer?
  private var wasRequested = false

  init(_ handle: OpaquePointer) { self.handle = handle }

  /// Stops the running statement, or a wait for a lock; otherwise it has no effect.
  public func interrupt() {
    lock.withLock {
      guard let handle else { return }
      wasRequested = true
      sqlite3_interrupt(handle)
    }
  }

  /// True if an interrupt has been requested since requests were last forgotten.
  var isRequested: Bool { lock.withLock { wasRequested } }

  /// Forgets an interrupt of earlier work.
  func forgetRequest() { lock.withLock { wasRequested = false } }

  /// Detaches the handle from a connection that is about to be closed.
  func invalidate() { lock.withLock { handle = nil } }
}

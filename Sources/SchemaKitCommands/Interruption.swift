import Dispatch
import Foundation
import SchemaKit

/// Notices Ctrl-C while work goes on that must be taken back properly, or that ends with a sentence.
///
/// It has identity because a signal sets what the work asks for.
final class Interruption: @unchecked Sendable {
  // `lock` guards the flag and the handle.
  private let lock = NSLock()
  private var hasCome = false
  private var handle: InterruptHandle?

  /// Takes Ctrl-C over from the system, which would end the process at once.
  init() { InterruptSignal.shared.tell(self) }

  deinit { InterruptSignal.shared.leave(self) }

  /// Works on a connection until Ctrl-C is pressed, which ends the work with an error.
  static func ending<T>(_ connection: SQLiteConnection, _ body: () throws -> T) throws -> T {
    let interruption = Interruption()
    interruption.stop(connection.interruptHandle)
    let result = try connection.withCancellation(check: { interruption.isRequested }, body)
    // A key that was pressed in the last moment is not forgotten.
    if interruption.isRequested { throw ApplyError(reason: .cancelled) }
    return result
  }

  /// Stops what a connection is doing as soon as Ctrl-C is pressed, even where SQLite does not ask whether to go on.
  func stop(_ handle: InterruptHandle) { lock.withLock { self.handle = handle } }

  /// Whether Ctrl-C was pressed.
  var isRequested: Bool { lock.withLock { hasCome } }

  fileprivate func come() {
    let handle = lock.withLock {
      hasCome = true
      return self.handle
    }
    handle?.interrupt()
  }
}

/// The one listener for Ctrl-C in this process: a second source for the same signal hears nothing on Linux once the
/// first was cancelled.
private final class InterruptSignal: @unchecked Sendable {
  static let shared = InterruptSignal()

  // `lock` guards the list.
  private let lock = NSLock()
  private var listeners: [ObjectIdentifier: WeakListener] = [:]
  private let source: any DispatchSourceSignal

  private struct WeakListener {
    weak var interruption: Interruption?
  }

  private init() {
    signal(SIGINT, SIG_IGN)
    source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
    source.setEventHandler { [weak self] in self?.come() }
    source.resume()
  }

  func tell(_ interruption: Interruption) {
    lock.withLock { listeners[ObjectIdentifier(interruption)] = WeakListener(interruption: interruption) }
  }

  func leave(_ interruption: Interruption) {
    lock.withLock { listeners[ObjectIdentifier(interruption)] = nil }
  }

  private func come() {
    let listeners = lock.withLock { self.listeners.values.compactMap(\.interruption) }
    for listener in listeners { listener.come() }
    guard listeners.isEmpty else { return }
    // Nothing has to be taken back: as without a listener, which keeps the signal from all threads.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGINT)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    signal(SIGINT, SIG_DFL)
    raise(SIGINT)
  }
}

import Dispatch
import SchemaKit
import SchemaKitFoundation

/// Notices Ctrl-C, SIGTERM and SIGHUP while work goes on that must be rolled back cleanly, or that ends with a message.
///
/// It has identity because a signal sets what the work asks for.
final class Interruption: @unchecked Sendable {
  // `lock` guards the flag and the handle.
  private let lock = Lock()
  private var hasCome = false
  private var handle: InterruptHandle?

  /// Takes these signals over from the system, which would end the process at once.
  init() { SignalListener.shared.tell(self) }

  deinit { SignalListener.shared.leave(self) }

  /// Works on a connection until a signal comes, which ends the work with an error.
  static func ending<T>(_ connection: SQLiteConnection, _ body: () throws -> T) throws -> T {
    let interruption = Interruption()
    interruption.stop(connection.interruptHandle)
    let result = try connection.withCancellation(check: { interruption.isRequested }, body)
    // One that came in the last moment is not forgotten.
    if interruption.isRequested { throw ApplyError(reason: .cancelled) }
    return result
  }

  /// Stops what a connection is doing as soon as a signal comes, even where SQLite does not ask whether to go on.
  func stop(_ handle: InterruptHandle) { lock.withLock { self.handle = handle } }

  /// True if a signal came.
  var isRequested: Bool { lock.withLock { hasCome } }

  fileprivate func come() {
    let handle = lock.withLock {
      hasCome = true
      return self.handle
    }
    handle?.interrupt()
  }
}

/// A way in which the program is told to stop.
enum StopSignal: CaseIterable {
  /// Ctrl-C.
  case interrupt
  /// The signal that service managers, containers and CI systems send to end a program.
  case terminate
  /// The terminal is gone.
  case hangUp

  var number: Int32 {
    switch self {
    case .interrupt: SIGINT
    case .terminate: SIGTERM
    case .hangUp: SIGHUP
    }
  }

  var outcome: Outcome {
    switch self {
    case .interrupt: .interrupted
    case .terminate: .terminated
    case .hangUp: .hungUp
    }
  }

  /// A description of the signal.
  var words: String {
    switch self {
    case .interrupt: "interrupted"
    case .terminate: "ended from outside (SIGTERM)"
    case .hangUp: "the terminal was closed (SIGHUP)"
    }
  }

  /// The signal that came first; Ctrl-C if none came, as when a test interrupts the work.
  static var current: StopSignal { SignalListener.shared.first ?? .interrupt }
}

/// The one listener for signals in this process: a second source for the same signal hears nothing on Linux once the
/// first was cancelled.
private final class SignalListener: @unchecked Sendable {
  static let shared = SignalListener()

  // `lock` guards the list and the signal.
  private let lock = Lock()
  private var listeners: [ObjectIdentifier: WeakListener] = [:]
  private var received: StopSignal?
  private var sources: [any DispatchSourceSignal] = []

  private struct WeakListener {
    weak var interruption: Interruption?
  }

  /// Returns when the signals are listened to: one that comes before ends the program, while nothing was begun.
  private init() {
    let isListening = DispatchGroup()
    let heard = StopSignal.allCases.filter { $0 == .interrupt || !Self.isIgnored($0.number) }
    for stop in heard {
      let source = DispatchSource.makeSignalSource(signal: stop.number, queue: .global())
      source.setEventHandler { [weak self] in self?.come(stop) }
      isListening.enter()
      source.setRegistrationHandler { isListening.leave() }
      source.resume()
      sources.append(source)
    }
    isListening.wait()
    #if canImport(Darwin)
      // Elsewhere the sources replace what signals do, and would not hear of ignored ones.
      for stop in heard { signal(stop.number, SIG_IGN) }
    #endif
  }

  /// True if whoever started the program wants it not to be ended by a signal, as nohup does.
  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    #if canImport(Darwin)
      return unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self) == 1
    #else
      return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    #endif
  }

  /// The signal that came first.
  var first: StopSignal? { lock.withLock { received } }

  func tell(_ interruption: Interruption) {
    lock.withLock { listeners[ObjectIdentifier(interruption)] = WeakListener(interruption: interruption) }
  }

  func leave(_ interruption: Interruption) {
    lock.withLock { listeners[ObjectIdentifier(interruption)] = nil }
  }

  private func come(_ stop: StopSignal) {
    let listeners = lock.withLock {
      received = received ?? stop
      return self.listeners.values.compactMap(\.interruption)
    }
    for listener in listeners { listener.come() }
    guard listeners.isEmpty else { return }
    // Nothing has to be rolled back: as without a listener, which keeps the signal from all threads.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, stop.number)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    signal(stop.number, SIG_DFL)
    raise(stop.number)
  }
}

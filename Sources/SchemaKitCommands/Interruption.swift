import Dispatch
import Foundation
import SchemaKit

/// Notices Ctrl-C while work goes on that must be taken back properly.
///
/// It has identity because a signal source sets what the work asks for.
final class Interruption: @unchecked Sendable {
  // `lock` guards the flag and the handle.
  private let lock = NSLock()
  private var hasCome = false
  private var handle: InterruptHandle?
  private let source: any DispatchSourceSignal

  /// Takes Ctrl-C over from the system, which would end the process at once.
  init() {
    signal(SIGINT, SIG_IGN)
    source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
    source.setEventHandler { [weak self] in
      guard let self else { return }
      let handle = lock.withLock {
        hasCome = true
        return self.handle
      }
      handle?.interrupt()
    }
    source.resume()
  }

  deinit {
    source.cancel()
    signal(SIGINT, SIG_DFL)
  }

  /// Stops what a connection is doing as soon as Ctrl-C is pressed, even where SQLite does not ask whether to go on.
  func stop(_ handle: InterruptHandle) { lock.withLock { self.handle = handle } }

  /// Whether Ctrl-C was pressed.
  var isRequested: Bool { lock.withLock { hasCome } }
}

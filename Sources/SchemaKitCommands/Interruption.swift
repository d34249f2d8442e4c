import Dispatch
import Foundation

/// Notices Ctrl-C while work goes on that must be taken back properly.
///
/// It has identity because a signal source sets what the work asks for.
final class Interruption: @unchecked Sendable {
  // `lock` guards the flag.
  private let lock = NSLock()
  private var hasCome = false
  private let source: any DispatchSourceSignal

  /// Takes Ctrl-C over from the system, which would end the process at once.
  init() {
    signal(SIGINT, SIG_IGN)
    source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
    source.setEventHandler { [weak self] in
      guard let self else { return }
      lock.withLock { hasCome = true }
    }
    source.resume()
  }

  deinit {
    source.cancel()
    signal(SIGINT, SIG_DFL)
  }

  /// Whether Ctrl-C was pressed.
  var isRequested: Bool { lock.withLock { hasCome } }
}

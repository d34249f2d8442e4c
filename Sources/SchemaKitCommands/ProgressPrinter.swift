import Dispatch
import Foundation
import SchemaKit

/// Says on standard error which rows are being copied, once the work has taken a second.
///
/// It has identity because a timer speaks when the work itself cannot.
final class ProgressPrinter: @unchecked Sendable {
  // `lock` guards the variables below it.
  private let lock = NSLock()
  private var waiting: String?
  private var isSlow = false
  private var isOver = false
  private let console: Console

  init(console: Console) {
    self.console = console
    DispatchQueue.global().asyncAfter(deadline: .now() + 1) { [weak self] in self?.becomeSlow() }
  }

  /// To be called as each step begins.
  func begin(_ progress: ApplyProgress) {
    guard let rows = progress.step.rows, rows > 0 else { return }
    let verb = progress.step.strategy == .rebuild ? "copying" : "rewriting"
    let place = "step \(progress.stepIndex + 1) of \(progress.stepCount)"
    let text = "\(place): \(verb) \(Wording.counted(rows, "row")) of \(progress.step.object) …"
    lock.withLock {
      if isSlow { console.progress(text) } else { waiting = text }
    }
  }

  /// To be called when nothing more is to be said.
  func end() { lock.withLock { isOver = true } }

  private func becomeSlow() {
    lock.withLock {
      isSlow = true
      guard !isOver, let text = waiting else { return }
      console.progress(text)
    }
  }
}

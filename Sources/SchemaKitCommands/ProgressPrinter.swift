import Dispatch
import Foundation
import SchemaKit

/// Says on standard error what goes on, once the work has taken a second.
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

  /// To be called as each step begins, and before the file is checked.
  func begin(_ progress: ApplyProgress) {
    guard let text = Self.text(for: progress) else { return }
    begin(text)
  }

  /// To be called before work that can take long, with what is said of it.
  func begin(_ text: String) {
    lock.withLock {
      if isSlow { console.progress(text) } else { waiting = text }
    }
  }

  /// What is worth saying; nil for a step that rows have no part in.
  static func text(for progress: ApplyProgress) -> String? {
    if progress.activity == .fileCheck { return "checking the file for damage …" }
    guard let rows = progress.step.rows, rows > 0 else { return nil }
    let verb = progress.step.strategy.copiesRows ? "copying" : "rewriting"
    let place = "step \(progress.stepIndex + 1) of \(progress.stepCount)"
    return "\(place): \(verb) \(Wording.counted(rows, "row")) of \(progress.step.object) …"
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

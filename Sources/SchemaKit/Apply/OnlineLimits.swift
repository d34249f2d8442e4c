/// How far a table that is copied while others write it may disturb them.
package struct OnlineLimits: Sendable, Hashable {
  /// How long a transaction should hold the lock for writing; batches are sized by what it takes.
  package var lock = Duration.milliseconds(10)
  /// How many bytes of the write-ahead log may be waiting for a checkpoint. Above three quarters of it no batch is written.
  package var log = Int64(OnlineCopy.usualLog)
  /// How long readers that prevent a checkpoint are waited for, and programs that keep the lock for writing.
  package var logWait = Duration.seconds(60)

  package init() {}
}

/// Sizes batches so that each holds the lock for a given time.
struct BatchSize {
  private(set) var rows: Int
  let time: Duration

  init(_ time: Duration, rows: Int = 200) {
    self.time = time
    self.rows = rows
  }

  /// Takes in how long a batch took.
  mutating func adapt(to took: Duration) {
    let factor = min(2, max(0.4, time / max(took, .microseconds(50))))
    rows = min(100_000, max(10, Int(Double(rows) * factor)))
  }
}

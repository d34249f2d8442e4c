import SchemaKitFoundation

/// The limits on how a table that is copied while others write it may disturb them.
package struct OnlineLimits: Sendable, Hashable {
  /// The time for which a transaction should hold the lock for writing; batches are sized by what it takes.
  package var lock = Duration.milliseconds(10)
  /// The number of bytes of the write-ahead log that may wait for a checkpoint. Above three quarters of it no batch is written.
  package var log = Int64(OnlineCopy.usualLog)
  /// The time to wait for readers that prevent a checkpoint, and for programs that keep the lock for writing.
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

/// Lets others write between batches, and does not rest at all where nobody writes.
///
/// A writer that waits for the lock asks for it every 25 ms, or more often, before it has waited for long
/// ([sqlite3_busy_timeout](https://sqlite.org/c3ref/busy_timeout.html)). One rest that is longer than that lets everybody in;
/// several short ones may all be missed. It has identity because all parts of a run share it: who is kept from writing by one
/// is let in by the next.
final class Pace {
  /// For how long batches follow each other before a rest.
  private static let stretch = Duration.milliseconds(40)

  private let connection: any SQLConnection
  private var version: Int64?
  /// When others were last seen to have written; nil if they were not.
  private var heard: ContinuousClock.Instant?
  private var worked = Duration.zero

  init(_ connection: any SQLConnection) throws {
    self.connection = connection
    version = try Self.version(connection)
  }

  /// - Parameter took: The time for which the last batch held the lock.
  func rest(_ took: Duration) throws {
    worked += took
    guard worked >= Self.stretch else { return }
    let now = try Self.version(connection)
    if now != version { (version, heard) = (now, WorkClock.now) }
    // Whoever waits for the lock has not written for a while.
    if let heard, WorkClock.now - heard < .seconds(1) {
      WorkClock.pause(min(worked * 2 / 3, .milliseconds(100)))
    }
    worked = .zero
  }

  private static func version(_ connection: any SQLConnection) throws -> Int64? {
    try connection.integer("PRAGMA main.data_version")
  }
}

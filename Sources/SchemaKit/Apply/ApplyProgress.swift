/// The progress of a migration.
///
/// Each step is reported as it begins; long-running work within a step, up to ten times a second.
public struct ApplyProgress: Sendable {
  /// The kinds of work that are reported.
  public enum Activity: String, Sendable, Hashable {
    /// The file is checked for damage, before the first step touches rows.
    case fileCheck
    /// A step of the plan begins.
    case step
    /// Rows are copied to their new table.
    case copying
    /// Rows are rewritten in place.
    case rewriting
    /// Copied rows are compared with the originals, or rows are checked against a constraint.
    case comparing
    /// An index is built.
    case indexing
    /// The program works on the rows.
    case dataStep
    /// Foreign keys are checked, after the last step.
    case references
    /// A copy beside other programs waits for readers that keep the write-ahead log, or for whoever keeps the lock.
    case waiting
  }

  /// The activity in progress.
  public var activity: Activity
  /// The number of the step, from 0; during the file check, that of the step that follows it.
  public var stepIndex: Int
  /// The number of steps.
  public var stepCount: Int
  /// The step; during the file check, the step that follows it.
  public var step: MigrationStep
  /// The number of rows that the activity concerns; nil if unknown.
  public var rows: Int?
  /// About how many of these rows are done; nil if unknown.
  ///
  /// It is estimated from the number of virtual machine operations that SQLite has executed and the number that its
  /// program has for each row ([EXPLAIN](https://sqlite.org/lang_explain.html)), since SQLite counts rows only when a
  /// statement ends.
  public var rowsDone: Int?
  /// The time for which the activity has been running.
  public var elapsed = Duration.zero
  /// While it waits: the other processes that have the file open, by name and number, as far as the system tells.
  public var processes: [String] = []

  /// The fraction of the activity that is done, from 0 to 1; nil if unknown.
  public var fraction: Double? {
    guard let rows, let rowsDone, rows > 0 else { return nil }
    return Double(rowsDone) / Double(rows)
  }

  /// About how long the activity will still take at the current pace; nil if that cannot be estimated, or not yet.
  public var remaining: Duration? {
    guard let fraction, fraction >= 0.02, elapsed >= .milliseconds(500) else { return nil }
    return elapsed * ((1 - fraction) / fraction)
  }

  /// The number of rows per second that have been processed so far; nil if unknown.
  public var rowsPerSecond: Int? {
    guard let rowsDone, rowsDone > 0, elapsed > .zero else { return nil }
    return Int(Double(rowsDone) / (elapsed / .seconds(1)))
  }
}

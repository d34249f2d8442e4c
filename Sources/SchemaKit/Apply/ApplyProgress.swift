/// How far an apply has come.
///
/// A step is told of as it begins; what takes long in it, up to ten times a second.
public struct ApplyProgress: Sendable {
  /// What can go on.
  public enum Activity: String, Sendable, Hashable {
    /// The file is checked for damage, before the first step touches rows.
    case fileCheck
    /// A step of the plan begins.
    case step
    /// Rows are copied to where they shall be.
    case copying
    /// Rows are written anew where they are.
    case rewriting
    /// What was copied is compared with what it was copied from, or rows are held against a constraint.
    case comparing
    /// An index is made.
    case indexing
    /// The program works on the rows.
    case dataStep
    /// Foreign keys are checked, after the last step.
    case references
  }

  /// What goes on.
  public var activity: Activity
  /// The number of the step, or of the one that comes after the check of the file, from 0.
  public var stepIndex: Int
  /// How many steps there are.
  public var stepCount: Int
  /// The step, or the one that comes after the check of the file.
  public var step: MigrationStep
  /// How many rows the activity has to do with; nil where that is not known.
  public var rows: Int?
  /// About how many of these rows are done; nil where that is not known.
  ///
  /// It is estimated from the operations that SQLite has done and those that its program has for each row
  /// ([EXPLAIN](https://sqlite.org/lang_explain.html)), since SQLite counts rows only when a statement ends.
  public var rowsDone: Int?
  /// How long the activity has been going on.
  public var elapsed = Duration.zero

  /// How much of the activity is done, from 0 to 1; nil where that is not known.
  public var fraction: Double? {
    guard let rows, let rowsDone, rows > 0 else { return nil }
    return Double(rowsDone) / Double(rows)
  }

  /// About how long the activity still takes at the pace so far; nil where that cannot be said, or not yet.
  public var remaining: Duration? {
    guard let fraction, fraction >= 0.02, elapsed >= .milliseconds(500) else { return nil }
    return elapsed * ((1 - fraction) / fraction)
  }

  /// How many rows were done in a second so far; nil where that is not known.
  public var rowsPerSecond: Int? {
    guard let rowsDone, rowsDone > 0, elapsed > .zero else { return nil }
    return Int(Double(rowsDone) / (elapsed / .seconds(1)))
  }
}

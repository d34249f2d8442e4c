/// The functions of a caller that watch, and may stop, the making and carrying out of a plan.
///
/// A function that throws ends the work there, with everything as it was.
package struct ChangeObserver {
  /// Called before the rows of each table are examined: the table, its number and how many there are.
  package var onRowCheck: (String, Int, Int) -> Void = { _, _, _ in }
  /// Called with the plan before anything is written.
  package var onPlan: (MigrationPlan) throws -> Void = { _ in }
  /// Called when the file is locked, before anything is decided there.
  package var onLocked: () throws -> Void = {}
  /// Called under the lock before the first change.
  package var onChange: () throws -> Void = {}
  package var onProgress: (ApplyProgress) -> Void = { _ in }
  /// Called before each statement with its number.
  package var onStatement: (Int) -> Void = { _ in }
  /// True if the work is to stop.
  package var isCancelled: () -> Bool = { false }

  package init() {}
}

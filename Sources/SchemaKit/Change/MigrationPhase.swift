/// The extent of a migration, where older programs may use the same file.
public enum MigrationPhase: Sendable, Hashable {
  /// All the way to the declared schema.
  case complete
  /// To a schema that serves an older program and this one: with the tables and columns of both, and both names of what
  /// was renamed.
  ///
  /// Each program reads and writes the file as if it had its own schema. Where that cannot be exact, opening throws
  /// `PlanError` with ``ExpandObstacle``s. A file that serves both already is left as it is.
  case expand
  /// From there to the declared schema: what the file had for the older program is removed.
  ///
  /// Triggers notice when an older program writes what only it knows. One that only reads, or only writes what both
  /// know, cannot be seen.
  ///
  /// - Parameter quietFor: For how long, in seconds, no older program may have been seen to write; nil if somebody knows that none is left.
  case contract(quietFor: Int?)
  /// To a schema that serves this program, by what takes no time: no column is dropped and no index is made that rows
  /// need not be unique for. The rest is done by whoever contracts the file, such as ``Contraction``.
  ///
  /// Where this program needs more than that at once, the migration goes all the way.
  case prepare
}

/// The results of a ``CrashMatrix``.
public struct CrashReport: Sendable, Hashable {
  /// A point after which the database was not in a valid state.
  public struct Violation: Sendable, Hashable {
    /// Where it happened: the operation and the kind of interruption.
    public let point: String
    /// A description of the problem.
    public let problem: String
  }

  /// The number of file operations in an undisturbed migration, including opening and closing.
  public internal(set) var operations = 0
  /// The number of crash points: one before the first operation, and one after each.
  public internal(set) var crashPoints = 0
  /// The number of different disk states that the crash points left, depending on which unsynced writes had arrived.
  public internal(set) var diskStates = 0
  /// The number of faults: each operation fails in each way that makes sense for it.
  public internal(set) var faultPoints = 0
  /// The number of faults after which the migration completed anyway.
  public internal(set) var survivedFaults = 0
  /// The number of states and faults that left the old file.
  public internal(set) var leftOld = 0
  /// The number of states and faults that left the new file.
  public internal(set) var leftNew = 0
  /// The number of different files that recovery produced from all of these.
  public internal(set) var recoveredFiles = 0
  /// Every violation, in the order in which they were found.
  public internal(set) var violations: [Violation] = []
}

extension CrashReport: CustomStringConvertible {
  /// The numbers, and every violation on a line.
  public var description: String {
    let numbers = """
      \(crashPoints) crash points in \(operations) operations, \(diskStates) states of the disk
      \(faultPoints) fault points, \(survivedFaults) survived
      \(leftOld) left the old file, \(leftNew) the new one, in \(recoveredFiles) different files
      \(violations.count) violations
      """
    return ([numbers] + violations.map(\.description)).joined(separator: "\n")
  }
}

extension CrashReport.Violation: CustomStringConvertible {
  public var description: String { "\(point): \(problem)" }
}

/// The reason why a ``CrashMatrix`` does not pass.
public enum CrashMatrixError: Error, Sendable, Hashable {
  /// The database was not in a valid state after some of the points.
  case violated(CrashReport)
  /// The migration wrote nothing through the connection that it was given, so there was nothing to interrupt.
  case nothingWritten
  /// SQLite did not accept the recording file system.
  case noFileSystem
}

extension CrashMatrixError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .violated(let report): "The migration is not all or nothing. \(report)"
    case .nothingWritten:
      """
      The migration wrote nothing through its connection, so nothing could be interrupted: the file has the new schema \
      already, or the migration opened a connection of its own.
      """
    case .noFileSystem: "SQLite did not accept the file system that records, so nothing was tested."
    }
  }
}

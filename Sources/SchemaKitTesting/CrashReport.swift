/// What a ``CrashMatrix`` visited, and what it found wrong.
public struct CrashReport: Sendable, Hashable {
  /// A point after which the database was not as it must be.
  public struct Violation: Sendable, Hashable {
    /// Where: the operation, and what happened there.
    public let point: String
    /// What is wrong.
    public let problem: String
  }

  /// How many operations on files the migration takes when nothing disturbs it, opening and closing included.
  public internal(set) var operations = 0
  /// How many crash points were visited: one before the first operation, and one after each.
  public internal(set) var crashPoints = 0
  /// How many different states of the disk the crash points left, by what had arrived of the writes that were not synced.
  public internal(set) var diskStates = 0
  /// How many operations were made to fail, each in each way that makes sense for it.
  public internal(set) var faultPoints = 0
  /// After how many faults the migration completed all the same.
  public internal(set) var survivedFaults = 0
  /// How many states and faults left the old file.
  public internal(set) var leftOld = 0
  /// How many states and faults left the new file.
  public internal(set) var leftNew = 0
  /// How many different files recovery made of all these.
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

/// Why a ``CrashMatrix`` does not pass.
public enum CrashMatrixError: Error, Sendable, Hashable {
  /// The database was not as it must be after some of the points.
  case violated(CrashReport)
  /// The migration wrote nothing through the connection that it was given, so there was nothing to interrupt.
  case nothingWritten
  /// SQLite did not accept the file system that records.
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

import SchemaKitFoundation

/// The options for work on the files of a fleet.
public struct FleetOptions: Sendable {
  /// The number of files that are worked on at once.
  public var jobs = FleetOptions.defaultJobs
  /// The time to wait for a lock of a file, in seconds. A file that stays locked is tried once more at the end.
  public var busyTimeout = 1.0
  /// True if the schemas of the files may call any function, as `Configuration.trustsSchema` has it.
  public var trustsSchema = true
  /// The level at which the rows of copied tables are verified.
  public var verification = VerificationLevel.full
  /// When a file is copied before it is changed.
  public var backup = BackupPolicy.beforeLoss
  /// The name of the program, recorded in the history of each file.
  public var program = ""
  /// Asked before each file; true ends the work once those that have begun are done.
  public var isCancelled: @Sendable () -> Bool = { false }
  /// Called after each file, from any thread, with how many are done and how many there are.
  public var onProgress: @Sendable (Int, Int) -> Void = { _, _ in }
  /// The sentence for an error about a file.
  package var describe: @Sendable (any Error, String) -> String = { error, _ in "\(error)" }

  public init() {}

  /// Twice the number of processors, at most 8: more files at once were no faster.
  package static let defaultJobs = min(8, max(2, 2 * ProcessInfo.processInfo.activeProcessorCount))
}

extension FleetOptions {
  /// Opens a file to look at it.
  func openedForInspection(_ path: String) throws -> SQLiteConnection {
    try checked(.openedForInspection(path: path, busyTimeout: busyTimeout, trustsSchema: trustsSchema))
  }

  /// Opens a file to change it.
  func openedForChange(_ path: String) throws -> SQLiteConnection {
    try checked(.probed(path: path, busyTimeout: busyTimeout, trustsSchema: trustsSchema))
  }

  /// Refuses the journal of a run, whatever its name.
  private func checked(_ connection: SQLiteConnection) throws -> SQLiteConnection {
    let mark = try connection.integer("PRAGMA main.application_id")
    guard mark != FleetJournal.applicationID else { throw FleetRefusal(reason: .journal) }
    return connection
  }

  /// Returns the problem that an error means for a file.
  ///
  /// - Parameter isNamed: True if a list has the file, so that it has to be a database.
  func problem(_ path: String, _ error: any Error, isNamed: Bool) -> FleetProblem {
    // With a key, a file that cannot be read has another one.
    let isOther = (error as? SQLiteError)?.isNotADatabase == true && !isNamed && !SQLiteConnection.hasInheritedKey
    return FleetProblem(
      path: path, state: isOther ? .skipped : FleetState(of: error), message: describe(error, path))
  }
}

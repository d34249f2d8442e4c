import Logging

/// Recorded migrations that a program ships, for opening files with `Configuration.Migration.recorded`.
///
/// ```swift
/// let folder = Bundle.module.path(forResource: "migrations", ofType: nil) ?? "migrations"
/// let migrations = try RecordedMigrations(folder: folder)
/// let db = try await Database(at: path, schema: schema) { $0.migration = .recorded(migrations) }
/// ```
///
/// Opening a file then applies the steps that it lacks, in order, each planned for the existing rows, verified and
/// committed separately, and checks that they lead to the models. Nothing is changed beyond what the steps say.
///
/// *Cost:* the folder is read once. Opening a file that has every step reads a row of the ledger for each; if one is
/// missing, all steps are first run on an empty in-memory database.
public struct RecordedMigrations: Sendable {
  let folder: MigrationFolder
  let ignored: [String]
  private let checksums: [String: String]

  /// Reads the folder that `schemactl migrations new` writes.
  ///
  /// - Parameters:
  ///   - path: The folder.
  ///   - ignored: Patterns of names such as `grdb_*`: objects of other libraries in the same files.
  /// - Throws: `SchemaError` if a file cannot be read, `MigrationFolderError` if one differs from what was recorded.
  public init(folder path: String, ignoring ignored: [String] = []) throws {
    folder = try MigrationFolder(reading: path)
    guard folder.problems.isEmpty else { throw MigrationFolderError(problems: folder.problems) }
    self.ignored = ignored
    checksums = Dictionary(folder.steps.map { ($0.name, MigrationChecksums.own(of: $0)) }) { $1 }
  }

  /// The names of the steps, in order.
  public var steps: [String] { folder.steps.map(\.name) }

  /// True if a file has exactly these steps, unmodified.
  func areApplied(to connection: SQLiteConnection) throws -> Bool {
    let recorded = try Ledger(connection: connection).recordedMigrations(of: MigrationRunner.schemaName)
    return recorded.count == checksums.count && recorded.allSatisfy { checksums[$0.name] == $0.checksum }
  }
}

/// A recorded step that was applied when a file was opened.
public struct RecordedMigrationReport: Sendable {
  /// The name of the step.
  public let name: String
  /// The report on the step.
  public let report: ApplyReport
}

extension Session {
  /// Applies the recorded steps that a file lacks.
  ///
  /// - Throws: `MigrationError` for a file that the steps were not made for; what `Change.apply()` throws. The
  ///   steps before the one that failed stay applied.
  static func catchUp(
    _ connection: SQLiteConnection, with migrations: RecordedMigrations, _ schema: ModelSchema,
    _ configuration: Configuration
  ) throws -> [RecordedMigrationReport] {
    guard try !migrations.areApplied(to: connection) else { return [] }
    var runner = try MigrationRunner(migrations.folder)
    runner.ignores = NamePatterns.matcher(migrations.ignored)
    let status = try runner.status(of: connection)
    if case .openAsIs = configuration.newerFile, !status.unknown.isEmpty, status.missing.isEmpty { return [] }
    runner = try runner.following(status)
    try runner.check(status, of: connection)
    guard !configuration.isReadOnly else {
      if status.missing.isEmpty { return [] }
      throw MigrationError(.isReadOnly(missing: status.missing))
    }
    try runner.settle(connection)
    let copy = configuration.copy(of: connection)
    return try runner.folder.steps.filter { status.missing.contains($0.name) }.compactMap { step in
      try apply(step, with: runner, on: connection, schema, configuration, copy)
    }
  }

  /// Applies one step; nil if another program has applied it meanwhile.
  private static func apply(
    _ step: Migration, with runner: MigrationRunner, on connection: SQLiteConnection, _ schema: ModelSchema,
    _ configuration: Configuration, _ copy: FileCopy
  ) throws -> RecordedMigrationReport? {
    var request = configuration.request
    request.plan.isQuick = false
    request.phase = configuration.phase
    request.work = schema.recordedWork(over: connection, configuration: configuration)
    request.copy = copy
    request.observer.onPlan = configuration.onPlan
    do {
      let report = try connection.withCancellation(check: configuration.isCancelled) {
        try schema.withRowFunctions(on: connection) { try runner.apply(step, on: connection, request) }
      }
      configuration.logger.notice("Recorded step \(step.name) was applied in \(report.milliseconds) ms.")
      return RecordedMigrationReport(name: step.name, report: report)
    } catch let error as MigrationError where error.reason == .overtaken(step.name) {
      guard try !runner.status(of: connection).missing.contains(step.name) else { throw error }
      copy.discardIfIdle()
      return nil
    }
  }
}

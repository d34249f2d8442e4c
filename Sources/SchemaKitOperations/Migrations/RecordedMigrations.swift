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

extension Configuration.Migration {
  /// The recorded steps that a file lacks are applied, and nothing else: if they do not lead to the declared schema,
  /// opening throws `MigrationError`.
  public static func recorded(_ migrations: RecordedMigrations) -> Self {
    Self(RecordedMigrationPermission(migrations: migrations))
  }
}

/// Allows the recorded steps that a file lacks.
private struct RecordedMigrationPermission: MigrationPermission {
  let migrations: RecordedMigrations

  var localWork: RemoteError.LocalWork? { .recordedMigrations }

  func grant(_ request: inout ChangeRequest, for target: TargetSchema) -> Bool {
    request.plan.policy = .lossless
    return true
  }

  func check(_ plan: MigrationPlan, on connection: any SQLConnection) throws {
    let objects = plan.steps.filter { !$0.strategy.isProgramWork && $0.onBehalfOf == nil }.map(\.object.name.text)
    guard !objects.isEmpty else { return }
    throw MigrationError(.otherModels(last: migrations.steps.last ?? "", objects: objects.sorted()))
  }

  /// Applies the steps that a file lacks. Those before one that fails stay applied.
  ///
  /// - Throws: `MigrationError` for a file that the steps were not made for; what `Change.apply()` throws.
  func applySteps(
    to connection: SQLiteConnection, for schema: ModelSchema, _ configuration: Configuration
  ) throws -> [RecordedMigrationReport] {
    guard try !migrations.areApplied(to: connection) else { return [] }
    var runner = try MigrationRunner(migrations.folder)
    runner.ignores = NamePatterns.matcher(migrations.ignored)
    if case .openAsIs = configuration.newerFile {
      let status = try runner.status(of: connection)
      if !status.unknown.isEmpty, status.missing.isEmpty { return [] }
    }
    let status: MigrationRunner.Status
    (runner, status) = try runner.fitted(to: connection, checkingResult: false)
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
  private func apply(
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

package import SchemaKit
import SchemaKitFoundation
package import SchemaKitOperations

/// Tries one file of an older version in every way: to the newest schema, interrupted, and back.
package struct UpgradeTrial {
  /// Makes the file at a path.
  package var make: @Sendable (String) throws -> Void
  /// The later versions in their order; the last is the newest.
  package var stops: [UpgradeStop]
  /// The consent of every migration.
  package var policy = PlanPolicy.lossless
  package var expectations: [Expectation] = []
  /// The number that chooses the moments of the interruptions.
  package var seed: UInt64 = 0
  /// True if the schemas of files may call any function.
  package var trustsSchema = true
  /// Puts an error into words.
  package var describe: @Sendable (any Error) -> String = { "\($0)" }
  /// True if the work is to stop.
  package var isCancelled: () -> Bool = { false }

  package init(stops: [UpgradeStop], make: @escaping @Sendable (String) throws -> Void) {
    self.stops = stops
    self.make = make
  }

  /// The number of moments at which the migration in one go is stopped.
  private static let interruptions = 5

  /// Tries everything.
  ///
  /// - Throws: What creating the newest schema in an empty file throws; `CancellationError`.
  package func run() throws -> UpgradeOutcome {
    guard let newest = stops.last else { return UpgradeOutcome() }
    let folder = try TestFolder()
    var outcome = UpgradeOutcome()
    outcome.expectations = expectations.count
    var paths = UpgradePaths(
      make: make, stops: stops, policy: policy, fresh: try UpgradePaths.fresh(of: newest), trustsSchema: trustsSchema,
      describe: describe)
    paths.examine = { connection, way in expectations.compactMap { $0.finding(on: connection, way) } }
    paths.isCancelled = isCancelled
    let original = folder.path(of: "original.db")
    do {
      try make(original)
      _ = try paths.connect(to: original) { try DatabaseDump($0) }
    } catch {
      outcome.findings = [UpgradeFinding(.unmadeFile, .creation, describe(error))]
      return outcome
    }
    let result = try paths.run(in: folder, named: "file")
    outcome.findings = result.findings
    outcome.ways = result.ways
    outcome.migrations = result.migrations
    outcome.rows = result.rows
    if let direct = result.direct {
      try interrupt(newest, original: original, &outcome)
      let migrated = folder.path(of: "file-\(UpgradeWay.direct.rawValue).db")
      let undo = UndoTrial(paths: paths, newest: newest, original: original, direct: direct)
      do {
        try undo.run(migrated, &outcome)
      } catch {
        outcome.findings.append(UpgradeFinding(.undo, .undone, "the undo fails: \(describe(error))"))
      }
    }
    outcome.findings = outcome.findings.withoutRepetitions
    return outcome
  }

  /// Works with the path of a file that is not there yet, and removes what comes of it.
  package static func withScratchFile<Value>(_ body: (String) throws -> Value) throws -> Value {
    let folder = try TestFolder()
    return try withExtendedLifetime(folder) { try body(folder.path(of: "scratch.db")) }
  }

  // MARK: - Interrupted

  /// Stops the migration in one go at a few moments; the file must then be the old one or the new one, and the migration
  /// must arrive when it runs again.
  private func interrupt(_ newest: UpgradeStop, original: String, _ outcome: inout UpgradeOutcome) throws {
    if isCancelled() { throw CancellationError() }
    let (policy, seed, trusts) = (policy, seed, trustsSchema)
    let isWAL = try SQLiteConnection(path: original, mode: .readOnly).value("PRAGMA journal_mode")?.text == "wal"
    // Recorded steps have a transaction each, so one of them is stopped.
    if let (before, step) = try newest.schema.missingStep(for: original, seed: seed) {
      return try crash(
        isWAL: isWAL, &outcome,
        prepare: { connection in
          try Self.copy(original, to: connection, isWAL: isWAL, trustsSchema: trusts)
          try before.bring(connection, allowing: policy)
        }, migrate: { try step.bring($0, allowing: policy) })
    }
    try crash(
      isWAL: isWAL, &outcome,
      prepare: { try Self.copy(original, to: $0, isWAL: isWAL, trustsSchema: trusts) },
      migrate: { try newest.schema.bring($0, allowing: policy) })
  }

  private func crash(
    isWAL: Bool, _ outcome: inout UpgradeOutcome,
    prepare: @escaping @Sendable (SQLiteConnection) throws -> Void,
    migrate: @escaping @Sendable (SQLiteConnection) throws -> Void
  ) throws {
    // A small cache has SQLite write to the file before the commit, as it would in a large one.
    var matrix = CrashMatrix(
      journal: isWAL ? .wal : .rollback, pragmas: ["PRAGMA cache_size = 4"], faults: [], prepare: prepare,
      migrate: migrate)
    matrix.sample = CrashSample(seed: seed, count: Self.interruptions)
    do {
      let run = try CrashRun(matrix, onProgress: { _ in }, isCancelled: isCancelled)
      outcome.interruptions = try run.report().crashPoints
      outcome.ways.append(.interrupted)
    } catch let error as CancellationError {
      throw error
    } catch CrashMatrixError.nothingWritten {
      // The file has the schema already.
    } catch CrashMatrixError.violated(let report) {
      outcome.interruptions = report.crashPoints
      outcome.findings += report.violations.map { UpgradeFinding(.interruption, .interrupted, $0.description) }
    } catch {
      outcome.findings.append(UpgradeFinding(.interruption, .interrupted, describe(error)))
    }
  }

  private static func copy(_ path: String, to target: SQLiteConnection, isWAL: Bool, trustsSchema: Bool) throws {
    let source = try SQLiteConnection(path: path, mode: .readWrite, trustsSchema: trustsSchema)
    try SQLiteConnection.backup(from: source, to: target)
    _ = try target.value("PRAGMA journal_mode = \(isWAL ? "WAL" : "DELETE")")
  }
}

extension [UpgradeFinding] {
  /// The findings, of several ways that have the same one the first.
  fileprivate var withoutRepetitions: [UpgradeFinding] {
    reduce(into: []) { kept, finding in
      if !kept.contains(where: { finding.isSame(as: $0) }) { kept.append(finding) }
    }
  }
}

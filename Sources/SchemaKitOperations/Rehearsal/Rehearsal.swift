import SchemaKitFoundation

/// Runs a plan for real on a copy of the database, and measures the cost.
///
/// *Cost:* a copy of the whole file in addition to the cost of the migration itself.
package struct Rehearsal {
  /// The measurements.
  package struct Result: Sendable {
    package var report: ApplyReport
    /// The journal mode of the copy, as named by `PRAGMA journal_mode`.
    package var journalMode: String
    /// The size that the rollback journal or the write-ahead log reached, in bytes.
    package var peakJournalBytes: Int
    package var bytesBefore: Int
    package var bytesAfter: Int
    /// The result of `PRAGMA integrity_check` on the changed copy: ok, or the problems.
    package var integrity: [String]
    package var queries: [QueryComparison]

    package var isSound: Bool { integrity == ["ok"] }
  }

  /// The folder in which a folder for the copy is created.
  package var folder: String
  /// The file name of the database, which the copy has too.
  package var name: String
  package var busyTimeout: Double
  package var queries: QueryScript?
  /// Called while the database is copied and while the plan runs; returning true stops and removes everything.
  package var isCancelled: () -> Bool = { false }

  package init(folder: String, name: String, busyTimeout: Double, queries: QueryScript? = nil) {
    self.folder = folder
    self.name = name
    self.busyTimeout = busyTimeout
    self.queries = queries
  }

  /// About how many bytes a rehearsal needs: the copy, the new versions of its tables with their indexes, and a journal
  /// of the pages that the old versions leave.
  package static func neededBytes(for plan: MigrationPlan, databaseBytes: Int) -> Int {
    let isKnown = plan.areRowsExamined && plan.steps.allSatisfy { !$0.strategy.copiesRows || $0.bytes != nil }
    let written = isKnown ? plan.steps.reduce(0) { $0 + ($1.bytes ?? 0) } : databaseBytes
    return databaseBytes + 2 * written + min(databaseBytes, 2 * written) + (1 << 20)
  }

  /// Removes the copies of rehearsals of the same database that were killed.
  ///
  /// - Returns: The paths of the folders that are gone.
  package func removeAbandonedCopies() -> [String] { RehearsalFolder.removeAbandoned(in: folder, name: name) }

  /// The size of a database, in bytes.
  package static func size(of connection: any SQLConnection) throws -> Int {
    let pages = try connection.integer("PRAGMA main.page_count") ?? 0
    return Int(pages * (try connection.pageSize ?? 0))
  }

  /// Copies the database, changes the copy, and removes it again whatever happens.
  ///
  /// - Parameters:
  ///   - source: The database; nil if it does not exist yet. It is only read.
  ///   - migrate: Migrates a connection with these hooks set in its options.
  package func run(
    copying source: SQLiteConnection?,
    migrate: (SQLiteConnection, _ observe: (inout ChangeRequest) -> Void) throws -> ApplyReport
  ) throws -> Result {
    let place = try RehearsalFolder(in: folder, name: name)
    defer { place.remove() }
    let path = place.url.appendingPathComponent(name).path
    let key = source?.options.key
    let before: [QueryPlan]
    var result: Result
    do {
      let copy = try SQLiteConnection(path: path, mode: .readWriteCreate, busyTimeout: busyTimeout, key: key)
      if let source { try fill(copy, from: source) }
      before = try queries?.plans(on: copy) ?? []
      result = try measure(copy, path: path, migrate: migrate)
    }
    // Reopened, as programs will open it: with the statistics that are in the file.
    let changed = try SQLiteConnection(path: path, mode: .readWrite, busyTimeout: busyTimeout, key: key)
    result.bytesAfter = try Self.size(of: changed)
    result.integrity = try changed.withCancellation(check: isCancelled) {
      let damage = try StorageCheck(connection: changed, depth: .full).runAsFarAsPossible().damage
      return damage.isEmpty ? ["ok"] : Array(damage.prefix(10))
    }
    let after = try queries?.plans(on: changed) ?? []
    result.queries = zip(queries?.queries ?? [], zip(before, after)).map { query, plans in
      QueryComparison(query: query, before: plans.0, after: plans.1)
    }
    return result
  }

  private func fill(_ copy: SQLiteConnection, from source: SQLiteConnection) throws {
    try source.withCancellation(check: isCancelled) { try SQLiteConnection.backup(from: source, to: copy) }
    let isWAL = try source.value("PRAGMA main.journal_mode")?.text == "wal"
    try copy.execute("PRAGMA main.journal_mode = \(isWAL ? "WAL" : "DELETE")")
  }

  private func measure(
    _ copy: SQLiteConnection, path: String,
    migrate: (SQLiteConnection, _ observe: (inout ChangeRequest) -> Void) throws -> ApplyReport
  ) throws -> Result {
    let bytesBefore = try Self.size(of: copy)
    var peak = 0
    let sample = {
      for suffix in ["-journal", "-wal"] {
        peak = max(peak, FileManager.default.fileSize(atPath: path + suffix) ?? 0)
      }
    }
    // A statement may run for minutes, so the engine's own progress callbacks are used too.
    var ticks = 0
    let tick = {
      ticks += 1
      if ticks.isMultiple(of: 16) { sample() }
      return isCancelled()
    }
    let report = try copy.withCancellation(check: tick) {
      try migrate(copy) { options in
        options.observer.isCancelled = isCancelled
        let onStatement = options.observer.onStatement
        options.observer.onStatement = { number in
          sample()
          onStatement(number)
        }
      }
    }
    sample()
    return Result(
      report: report, journalMode: try copy.value("PRAGMA main.journal_mode")?.text ?? "", peakJournalBytes: peak,
      bytesBefore: bytesBefore, bytesAfter: bytesBefore, integrity: [], queries: [])
  }
}

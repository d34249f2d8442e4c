import SchemaKit
import SchemaKitOperations

/// One run of an upgrade matrix.
struct UpgradeRun {
  private let versions: [UpgradeMatrix.Version]
  private let policy: PlanPolicy
  private let folder: TestFolder
  private let fresh: DatabaseSchema

  init(_ matrix: UpgradeMatrix) throws {
    guard matrix.versions.count > 1, let newest = matrix.versions.last else { throw UpgradeMatrixError.tooFewVersions }
    versions = matrix.versions
    policy = matrix.policy
    folder = try TestFolder()
    let connection = try SQLiteConnection.memory()
    try newest.schema.bring(connection, allowing: .lossless)
    fresh = try SchemaReader.read(connection)
  }

  func report(
    onProgress: (UpgradeMatrix.Progress) -> Void, isCancelled: () -> Bool
  ) throws -> UpgradeReport {
    var report = UpgradeReport()
    report.versions = versions.count
    for index in versions.indices {
      if isCancelled() { throw CancellationError() }
      let problems = try problems(from: index, &report)
      report.violations += problems.map {
        UpgradeReport.Violation(version: versions[index].name, way: $0.way, problem: $0.problem)
      }
      onProgress(UpgradeMatrix.Progress(done: index + 1, total: versions.count))
    }
    guard report.violations.isEmpty else { throw UpgradeMatrixError.violated(report) }
    return report
  }

  private func problems(from first: Int, _ report: inout UpgradeReport) throws -> [(way: String, problem: String)] {
    let last = versions.count - 1
    // The newest version's own file is migrated too: it must need no changes.
    let ways = [("in one go", [last]), ("version by version", Array((first..<last).dropFirst()) + [last])]
    var problems: [(way: String, problem: String)] = []
    var dumps: [DatabaseDump] = []
    for (name, way) in first < last - 1 ? ways : Array(ways.prefix(1)) {
      let path = folder.path(of: "\(first)-\(way.count).db")
      let hadViolations = try make(first, at: path)
      do {
        for next in way {
          report.migrations += 1
          try connect(to: path) { try bring($0, to: versions[next]) }
        }
        let dump = try connect(to: path) { connection in
          problems += try findings(on: connection, hadViolations: hadViolations).map { (name, $0) }
          return try DatabaseDump(connection)
        }
        dumps.append(dump)
      } catch {
        problems.append((name, "\(error)"))
      }
    }
    guard let direct = dumps.first else { return problems }
    if first < last {
      report.rows += direct.comparableRows.filter { !$0.key.hasPrefix("sqlite_") }.values.joined().count
    }
    guard dumps.count == 2 else { return problems }
    let (one, other) = (direct.comparableRows, dumps[1].comparableRows)
    for table in Set(one.keys).union(other.keys).sorted() where one[table] != other[table] {
      problems.append(("both ways", "the rows of \(table) are not the same in one go and version by version"))
    }
    return problems
  }

  /// Creates a file of a version and returns whether its rows already violate foreign keys.
  private func make(_ index: Int, at path: String) throws -> Bool {
    try connect(to: path) { connection in
      try versions[index].schema.bring(connection, allowing: .lossless)
      for statement in versions[index].rows { try connection.execute(statement) }
      return try !connection.rows("PRAGMA foreign_key_check").isEmpty
    }
  }

  private func bring(_ connection: SQLiteConnection, to version: UpgradeMatrix.Version) throws {
    do {
      try version.schema.bring(connection, allowing: policy)
    } catch {
      throw UpgradeStop(version: version.name, problem: "\(error)")
    }
  }

  /// The faults of a file of the newest version.
  private func findings(on connection: SQLiteConnection, hadViolations: Bool) throws -> [String] {
    var findings: [String] = []
    let damage = try connection.texts("PRAGMA integrity_check")
    if damage != ["ok"] { findings.append("integrity_check says: \(damage.prefix(3).joined(separator: "; "))") }
    if !hadViolations, try !connection.rows("PRAGMA foreign_key_check").isEmpty {
      findings.append("foreign_key_check finds rows without a parent")
    }
    let difference = SchemaDiff(from: try SchemaReader.read(connection), to: fresh)
    if !difference.isEmpty {
      findings.append("not the schema of a new file: \(difference.names.map(\.text).joined(separator: ", "))")
    }
    if let plan = try versions.last?.schema.plan(for: connection), !plan.isEmpty {
      findings.append("a second plan is not empty: \(plan.summaryLines.joined(separator: "; "))")
    }
    return findings
  }

  private func connect<Value>(to path: String, _ body: (SQLiteConnection) throws -> Value) throws -> Value {
    try body(SQLiteConnection(path: path, mode: .readWriteCreate, fileSystem: RecordingFileSystem.name))
  }
}

/// A migration on the way to the newest version that failed.
private struct UpgradeStop: Error, CustomStringConvertible {
  var version: String
  var problem: String

  var description: String { "the migration to \(version) fails: \(problem)" }
}

extension DatabaseDump {
  /// The rows, without the statistics of ANALYZE and the rows that the history records for each change, which may
  /// differ.
  fileprivate var comparableRows: [String: [[SQLValue]]] {
    rows.filter { !$0.key.hasPrefix("sqlite_stat") && $0.key != "_schemakit_nulls" }
  }
}

import SchemaKit
import SchemaKitFoundation
import SchemaKitOperations

/// A version that files are brought to.
package struct UpgradeStop: Sendable {
  /// The name, for messages.
  package var name: String
  package var schema: TestedSchema

  package init(_ name: String, _ schema: TestedSchema) {
    self.name = name
    self.schema = schema
  }
}

/// The ways of a file of an older version to the newest one: in one go, and through each version between them.
struct UpgradePaths {
  /// Makes the file at a path.
  let make: (String) throws -> Void
  /// The later versions in their order; the last is the newest.
  let stops: [UpgradeStop]
  let policy: PlanPolicy
  /// The schema of a file that the newest version creates.
  let fresh: DatabaseSchema
  /// True if the schemas of files may call any function.
  var trustsSchema = true
  /// Puts an error into words.
  var describe: @Sendable (any Error) -> String = { "\($0)" }
  /// Looks at a file that has arrived.
  var examine: (SQLiteConnection, UpgradeWay) throws -> [UpgradeFinding] = { _, _ in [] }
  /// True if the work is to stop.
  var isCancelled: () -> Bool = { false }

  /// The schema of a file that a version creates.
  static func fresh(of stop: UpgradeStop) throws -> DatabaseSchema {
    let connection = try SQLiteConnection.memory()
    try stop.schema.bring(connection, allowing: .lossless)
    return stop.schema.removingIgnored(try SchemaReader.read(connection))
  }

  /// The results of all ways.
  struct Result {
    var findings: [UpgradeFinding] = []
    /// The ways that led to the end.
    var ways: [UpgradeWay] = []
    var migrations = 0
    /// The content of the file that came in one go; nil where it did not come.
    var direct: DatabaseDump?
    /// The number of rows that came in one go.
    var rows = 0
  }

  /// Takes every way.
  ///
  /// - Parameters:
  ///   - folder: The folder for the files.
  ///   - name: The beginning of their names.
  /// - Throws: What making the file throws; `CancellationError`.
  func run(in folder: TestFolder, named name: String) throws -> Result {
    var result = Result()
    // The newest version's own file is migrated too: it must need no changes.
    let ways: [(UpgradeWay, [UpgradeStop])] = [(.direct, stops.suffix(1)), (.stepwise, stops)]
    var dumps: [DatabaseDump] = []
    for (way, stops) in stops.count > 1 ? ways : Array(ways.prefix(1)) {
      let path = folder.path(of: "\(name)-\(way.rawValue).db")
      try make(path)
      let hadViolations = try connect(to: path) { try !$0.rows("PRAGMA foreign_key_check").isEmpty }
      do {
        for stop in stops {
          if isCancelled() { throw CancellationError() }
          result.migrations += 1
          try connect(to: path) { try bring($0, to: stop) }
        }
        let dump = try connect(to: path) { connection in
          result.findings += try findings(on: connection, way, hadViolations: hadViolations)
          result.findings += try examine(connection, way)
          return try DatabaseDump(connection)
        }
        dumps.append(dump)
        result.ways.append(way)
      } catch let error as CancellationError {
        throw error
      } catch let error as StopFailure {
        var finding = UpgradeFinding(.failedMigration, way, error.message)
        finding.hazards = error.hazards
        result.findings.append(finding)
      } catch {
        result.findings.append(UpgradeFinding(.damage, way, describe(error)))
      }
    }
    if result.ways.first == .direct, let direct = dumps.first {
      result.direct = direct
      result.rows = direct.rowCount(of: fresh)
    }
    guard dumps.count == 2 else { return result }
    result.findings += dumps[0].differingTables(from: dumps[1]).map { table in
      UpgradeFinding(
        .otherRows, .compared, "the rows of \(table) are not the same in one go and version by version", object: table)
    }
    return result
  }

  private func bring(_ connection: SQLiteConnection, to stop: UpgradeStop) throws {
    do {
      try stop.schema.bring(connection, allowing: policy)
    } catch {
      var failure = StopFailure(message: "the migration to \(stop.name) fails: \(describe(error))")
      if let error = error as? PlanError, case .refused(_, let hazards) = error.reason {
        failure.hazards = Set(hazards.map(\.code)).sorted { $0.rawValue < $1.rawValue }
      }
      throw failure
    }
  }

  /// The faults of a file that has arrived.
  private func findings(
    on connection: SQLiteConnection, _ way: UpgradeWay, hadViolations: Bool
  ) throws -> [UpgradeFinding] {
    var findings: [UpgradeFinding] = []
    let damage = try connection.texts("PRAGMA integrity_check")
    if damage != ["ok"] {
      findings.append(
        UpgradeFinding(.damage, way, "integrity_check says: \(damage.prefix(3).joined(separator: "; "))"))
    }
    if !hadViolations, let table = try connection.rows("PRAGMA foreign_key_check").first?.first?.text {
      findings.append(
        UpgradeFinding(.orphans, way, "foreign_key_check finds rows without a parent", object: table))
    }
    guard let newest = stops.last else { return findings }
    let file = newest.schema.removingIgnored(try SchemaReader.read(connection))
    let difference = SchemaDiff(from: file, to: fresh)
    if !difference.isEmpty {
      let names = difference.names.map(\.text)
      findings.append(
        UpgradeFinding(
          .otherSchema, way, "not the schema of a new file: \(names.joined(separator: ", "))", object: names.first))
    }
    let plan = try newest.schema.plan(for: connection)
    if !plan.isEmpty {
      findings.append(
        UpgradeFinding(.secondPlan, way, "a second plan is not empty: \(plan.summaryLines.joined(separator: "; "))"))
    }
    return findings
  }

  func connect<Value>(to path: String, _ body: (SQLiteConnection) throws -> Value) throws -> Value {
    try body(
      SQLiteConnection(
        path: path, mode: .readWriteCreate, trustsSchema: trustsSchema, fileSystem: RecordingFileSystem.name))
  }
}

/// A migration on the way that failed.
private struct StopFailure: Error {
  var message: String
  /// The hazards that refuse it.
  var hazards: [HazardCode] = []
}

extension DatabaseDump {
  /// The rows, without the statistics of ANALYZE and the rows that the history records for each change, which may
  /// differ.
  var comparableRows: [String: [[SQLValue]]] {
    rows.filter { name, _ in
      !name.hasPrefix("sqlite_stat") && name != "_schemakit_nulls" && !name.hasPrefix("_schemakit_kept")
    }
  }

  /// The number of rows in the tables of a schema.
  func rowCount(of schema: DatabaseSchema) -> Int {
    rows.filter { schema.table(SQLName($0.key)) != nil }.values.joined().count
  }

  /// The names of the tables that do not hold the same rows.
  func differingTables(from other: DatabaseDump) -> [String] {
    let (one, another) = (comparableRows, other.comparableRows)
    return Set(one.keys).union(another.keys).sorted().filter { one[$0] != another[$0] }
  }
}

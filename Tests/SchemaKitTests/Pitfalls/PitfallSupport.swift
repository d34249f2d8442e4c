import CSQLite
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

extension TemporaryDatabase {
  /// The stored SQL of an object.
  func sql(of name: String) throws -> String? {
    try value("SELECT sql FROM sqlite_master WHERE name = '\(name)'")?.string
  }

  /// All stored SQL but that of SchemaKit's own tables.
  func catalog() throws -> [[RawValue]] {
    try query(
      "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE tbl_name NOT LIKE '\\_schemakit\\_%' ESCAPE '\\' "
        + "ORDER BY type, name")
  }

  /// Opens the file as its owner would: writable, waiting no longer than a tenth of a second.
  func connection(busyTimeout: Double = 0.1) throws -> SQLiteConnection {
    try SQLiteConnection(path: path, mode: .readWriteCreate, busyTimeout: busyTimeout)
  }

  /// Expects that nothing is left to do, nothing is damaged and no temporary name stayed behind.
  func expectSettled(at sql: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let plan = try plan(to: sql)
    #expect(plan.isEmpty, "still to do: \(plan.summaryLines)", sourceLocation: sourceLocation)
    #expect(try query("PRAGMA integrity_check") == [[.text("ok")]], sourceLocation: sourceLocation)
    let leftovers = try query("SELECT name FROM sqlite_master WHERE sql LIKE '%schemakit@_new%' ESCAPE '@'")
    #expect(leftovers.isEmpty, sourceLocation: sourceLocation)
  }

  /// Migrates and expects a rebuild of a table among the steps.
  @discardableResult
  func rebuild(
    _ table: String, to sql: String, allowing policy: PlanPolicy = .lossless,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> ApplyReport {
    var policy = policy
    // Most of what needs a rebuild elsewhere is done without one here.
    policy.strategy = .rebuild
    let report = try migrate(to: sql, allowing: policy)
    #expect(
      report.plan.steps.contains { $0.strategy == .rebuild && $0.object.name.text == table },
      "\(report.plan.summaryLines)", sourceLocation: sourceLocation)
    try expectSettled(at: sql, sourceLocation: sourceLocation)
    return report
  }

  /// The hazards of the plan to a schema, by code.
  func codes(to sql: String) throws -> [HazardCode] { try plan(to: sql).hazards.map(\.code) }

  /// The hazards for which a migration is refused; the file must keep every byte.
  func refusals(
    to sql: String, allowing policy: PlanPolicy = .lossless, hints: MigrationHints? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> [Hazard] {
    let before = try bytes
    defer { #expect((try? bytes) == before, "the file has changed", sourceLocation: sourceLocation) }
    do {
      try migrate(to: sql, allowing: policy, hints: hints)
    } catch let error as PlanError {
      if case .refused(_, let hazards) = error.reason { return hazards }
      throw error
    }
    Issue.record("the migration was not refused", sourceLocation: sourceLocation)
    return []
  }
}

/// SQL that inserts rows numbered from 1; nothing for a count of 0.
func rows(_ count: Int, _ statement: (Int) -> String) -> String {
  count == 0 ? "" : (1...count).map { statement($0) + ";" }.joined(separator: "\n")
}

/// The whole numbers of the first column.
func integers(_ rows: [[RawValue]]) -> [Int64] { rows.compactMap { $0.first?.integer } }

extension RawSQLite {
  /// A connection of SchemaKit over this handle, as another library would lend it.
  func lent(busyTimeout: Double = 0.1) throws -> SQLiteConnection {
    let handle = try #require(pointer)
    return try SQLiteConnection(
      borrowing: handle, sourceID: String(cString: sqlite3_sourceid()), busyTimeout: busyTimeout)
  }
}

/// The rows that a query is expected to give, numbered from 1.
func table(_ count: Int, _ row: (Int64) -> [RawValue]) -> [[RawValue]] {
  count == 0 ? [] : (1...Int64(count)).map { row($0) }
}

/// The numbers that a query is expected to give, from rows numbered from 1.
func numbers(_ count: Int, _ number: (Int64) -> Int64) -> [Int64] {
  table(count) { [.int(number($0))] }.compactMap { $0[0].integer }
}

import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

/// A change that some rows stand against, with a query, written by hand, that finds those rows.
struct RowCase: Sendable, CustomTestStringConvertible {
  let name: String
  let before: String
  /// Statements that fill the tables from `n`, which holds the numbers from 1 to the number of rows.
  let fill: [String]
  let after: String
  let code: HazardCode
  let object: String
  /// The keys of the rows concerned as texts; where rows stand against each other, with what they have in common.
  let offending: String
  /// Other hazards that these rows may raise as well.
  var others: Set<HazardCode> = []
  /// Tables that the query needs, made by a connection of its own.
  var judge = ""
  /// What happens to the tables once they are filled, such as an ALTER TABLE that leaves the rows as they are.
  var last = ""
  /// A query of the file as it is, and one of the changed file: the rows of both must be equal. The change is then carried
  /// out on many rows too.
  var survivors: (before: String, after: String)?

  var testDescription: String { name }

  /// How many rows each case is tried with.
  static let counts = [0, 1, 100_000]
}

extension RowCase {
  /// Makes the file with so many rows.
  func file(rows: Int, journalMode: String) throws -> TemporaryDatabase {
    try Engine.require(before + after + judge)
    let file = try TemporaryDatabase("PRAGMA journal_mode = \(journalMode); \(before)")
    let numbers = "WITH RECURSIVE n(i) AS (SELECT 1 WHERE \(rows) > 0 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows)) "
    let database = try file.reopened()
    try database.exec("BEGIN")
    for statement in fill { try database.exec(numbers + statement) }
    try database.exec("\(last); COMMIT; PRAGMA wal_checkpoint(TRUNCATE)")
    return file
  }

  /// Plans while another connection holds the right to write, and compares what the plan says with what the query finds.
  func check(rows: Int) throws {
    for mode in rows > 1 ? ["wal"] : ["delete", "wal"] {
      let file = try file(rows: rows, journalMode: mode)
      let found = try judge(file)
      let plan = try planned(file)
      expect(plan, found: found)
      if rows <= 1 || survivors != nil { try checkOutcome(of: file, plan: plan) }
    }
  }

  private func judge(_ file: TemporaryDatabase) throws -> [[RawValue]] {
    let database = try file.reopened()
    defer { database.close() }
    try database.exec("PRAGMA temp_store = MEMORY; \(judge)")
    return try database.rows(offending)
  }

  /// The plan, made without a write to the file and without waiting for the writer.
  private func planned(_ file: TemporaryDatabase) throws -> MigrationPlan {
    let bytes = try file.bytes
    let writer = try file.reopened()
    try writer.exec("BEGIN IMMEDIATE")
    let plan = try file.plan(to: after)
    try writer.exec("ROLLBACK; PRAGMA wal_checkpoint(TRUNCATE)")
    #expect(try file.bytes == bytes, "the plan has written to the file")
    return plan
  }

  private func expect(_ plan: MigrationPlan, found: [[RawValue]]) {
    let active = plan.hazards.filter { $0.hazardClass != .note }
    let expected = found.isEmpty ? others : others.union([code])
    #expect(Set(active.map(\.code)).isSubset(of: expected), "\(active.map(\.message))")
    // A note is expected only where the code stands for nothing graver.
    let concerned = plan.hazards.filter { $0.code == code && $0.object == object && !$0.isPotential }
    let graver = concerned.filter { $0.hazardClass != .note }
    let hazards = graver.isEmpty ? concerned : graver
    guard !found.isEmpty else {
      #expect(hazards.isEmpty, "\(hazards)")
      return
    }
    #expect(hazards.count == 1, "\(plan.hazards)")
    guard let hazard = hazards.first else { return }
    #expect(hazard.count == found.count)
    #expect(!hazard.samples.isEmpty && hazard.samples.count <= 10)
    let groups = Dictionary(
      found.map { ($0[0].string ?? "\($0[0])", $0.count > 1 ? $0[1] : .null) }, uniquingKeysWith: { first, _ in first })
    for sample in hazard.samples {
      #expect(sample.utf8.count < 200)
      let keys = sample.components(separatedBy: " = ").filter { $0 != "…" }
      #expect(keys.allSatisfy { groups[$0] != nil }, "\(sample) is not among the rows")
      #expect(Set(keys).count == keys.count)
      #expect(Set(keys.compactMap { groups[$0]?.description }).count <= 1, "\(sample) are not alike")
      if code == .duplicates { #expect(keys.count > 1) }
    }
  }

  /// What the plan allows succeeds, and what it blocks is refused without a write.
  private func checkOutcome(of file: TemporaryDatabase, plan: MigrationPlan) throws {
    let expected = try survivors.map { try file.query($0.before) }
    let refusals = plan.refusals(under: .everything)
    guard refusals.isEmpty else {
      let bytes = try file.bytes
      #expect(throws: PlanError.self) { try file.migrate(to: after, allowing: .everything) }
      #expect(try file.bytes == bytes)
      #expect(try survivors.map { try file.query($0.before) } == expected)
      return
    }
    if plan.hazards.contains(where: { $0.hazardClass == .lossy || $0.hazardClass == .destructive }) {
      #expect(throws: PlanError.self) { try file.migrate(to: after) }
    }
    try file.migrate(to: after, allowing: .everything)
    let result = try survivors.map { try file.query($0.after) }
    #expect(
      result == expected, "\(result?.prefix(3) ?? []) instead of \(expected?.prefix(3) ?? [])")
    try file.expectSettled(at: after)
  }
}

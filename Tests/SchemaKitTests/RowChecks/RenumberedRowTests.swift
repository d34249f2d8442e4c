import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Row checks: expressions of a rowid that becomes another one")
struct RenumberedRowTests {
  private func file() throws -> TemporaryDatabase {
    try TemporaryDatabase(
      "CREATE TABLE t (a INT NOT NULL UNIQUE, c TEXT); INSERT INTO t (rowid, a, c) VALUES (1, 7, 'x'), (2, 8, 'x')")
  }

  @Test(
    "are asked about by the new one",
    arguments: [
      ("a INTEGER PRIMARY KEY, c TEXT, CHECK (rowid < 5))", HazardCode.failingCheck),
      ("a INTEGER PRIMARY KEY, c BLOB, CHECK (oid < 5 OR c > 'y'))", .failingCheck),
      ("a INTEGER PRIMARY KEY, c TEXT); CREATE UNIQUE INDEX tc ON t (c) WHERE _rowid_ > 5", .duplicates),
    ])
  func refused(after: String, code: HazardCode) throws {
    let file = try file()
    let plan = try file.plan(to: "CREATE TABLE t (\(after)")
    #expect(plan.refusals(under: .everything).map(\.code) == [code])
    #expect(throws: PlanError.self) { try file.migrate(to: "CREATE TABLE t (\(after)", allowing: .everything) }
  }

  @Test("pass by the new one")
  func passes() throws {
    let file = try file()
    let after = "CREATE TABLE t (a INTEGER PRIMARY KEY, c TEXT, CHECK (rowid > 5))"
    try file.migrate(to: after, allowing: .everything)
    #expect(try file.query("SELECT rowid FROM t") == [[.int(7)], [.int(8)]])
    #expect(try file.query("PRAGMA integrity_check") == [[.text("ok")]])
    let back = try MigrationUndo(at: file.path).plan().steps.flatMap(\.passedOver).flatMap(\.rejections).map(\.code)
    #expect(back.contains(.rowIDColumn) && !back.contains(.rowsHoldNull))
  }

  @Test("of before are asked about again")
  func unchangedCheck() throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE t (a INT NOT NULL UNIQUE, CHECK (rowid < 5)); INSERT INTO t (rowid, a) VALUES (1, 7)")
    let after = "CREATE TABLE t (a INTEGER PRIMARY KEY, CHECK (rowid < 5))"
    #expect(
      try file.plan(to: after).refusals(under: .everything).map(\.message)
        == ["1 row of t fails CHECK (rowid < 5), which reads other values then."])
    #expect(throws: PlanError.self) { try file.migrate(to: after, allowing: .everything) }
    #expect(try file.query("SELECT rowid, a FROM t") == [[.int(1), .int(7)]])
  }

  @Test(
    "are asked about by a new key, whose values SQLite gives",
    arguments: [
      ("n INTEGER PRIMARY KEY, CHECK (n < 2))", [HazardCode.failingCheck]),
      ("n INTEGER PRIMARY KEY, CHECK (rowid < 2))", [.failingCheck]),
      ("n INTEGER PRIMARY KEY, g AS (n * 2) STORED, CHECK (g < 3))", [.failingCheck]),
      ("n INTEGER PRIMARY KEY); CREATE UNIQUE INDEX tb ON t (b) WHERE n > 0", [.duplicates]),
      ("n INTEGER PRIMARY KEY, g INT NOT NULL AS (n * 2) STORED, CHECK (n < 3 AND rowid < 3))", []),
    ])
  func newKey(after: String, codes: [HazardCode]) throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE t (a TEXT PRIMARY KEY, b) WITHOUT ROWID; INSERT INTO t VALUES ('y', 1), ('x', 1)")
    let target = "CREATE TABLE t (a TEXT UNIQUE NOT NULL, b, \(after)"
    #expect(try file.plan(to: target).refusals(under: .everything).map(\.code) == codes)
    guard codes.isEmpty else { return }
    try file.migrate(to: target, allowing: .everything)
    #expect(try file.query("SELECT n, a FROM t ORDER BY n") == [[.int(1), .text("x")], [.int(2), .text("y")]])
  }

  @Test(
    "are asked about by the numbers of rows that had none", arguments: ["CHECK (rowid > 1)", "CHECK (_rowid_ < 2)"])
  func numbered(check: String) throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE t (a TEXT PRIMARY KEY) WITHOUT ROWID; INSERT INTO t VALUES ('y'), ('x')")
    let plan = try file.plan(to: "CREATE TABLE t (a TEXT PRIMARY KEY NOT NULL, \(check))")
    #expect(plan.refusals(under: .everything).map(\.count) == [1])
    try file.migrate(to: "CREATE TABLE t (a TEXT PRIMARY KEY NOT NULL, CHECK (rowid < 3))", allowing: .everything)
    #expect(
      try file.query("SELECT rowid, a FROM t ORDER BY rowid") == [[.int(1), .text("x")], [.int(2), .text("y")]])
  }
}

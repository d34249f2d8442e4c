import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Names in an expression that only their place makes names")
struct RowIDTextTests {
  static let readers: [(constraint: String, objects: String, expected: [String])] = [
    (", CHECK (\"rowid\" < 100)", "", ["t"]),
    (", CHECK (t.\"oid\" IS NOT NULL)", "", []),
    ("", "CREATE INDEX i ON t (a) WHERE \"_rowid_\" > 1;", ["i"]),
    ("", "CREATE VIEW v AS SELECT \"rowid\" AS r, a FROM t;", ["v"]),
    ("", "CREATE VIEW v AS SELECT 'rowid' AS r, a FROM t;", []),
  ]

  @Test(
    "a quoted name of the rowid that becomes a text without it waits for consent", arguments: readers,
    ["id INT PRIMARY KEY NOT NULL", "id INTEGER PRIMARY KEY"])
  func rowID(reader: (constraint: String, objects: String, expected: [String]), key: String) throws {
    let columns = "\(key), a INT"
    let file = try TemporaryDatabase(
      "CREATE TABLE t (\(columns)\(reader.constraint)); \(reader.objects) INSERT INTO t VALUES (1, 1), (2, 2)")
    let target = "CREATE TABLE t (\(columns)\(reader.constraint)) WITHOUT ROWID; \(reader.objects)"
    guard !reader.constraint.contains("t.") else {
      // Behind the name of the table it can be no text.
      #expect(throws: (any Error).self) { try file.plan(to: target) }
      return
    }
    let plan = try file.plan(to: target)
    #expect(plan.hazards.filter { $0.code == .brokenObject }.map(\.table) == reader.expected)
    #expect(plan.hazards.filter { $0.code == .brokenObject }.allSatisfy { $0.hazardClass == .fault })
    // 'rowid' < 100 is false for every row.
    #expect(plan.hazards.filter { $0.code == .failingCheck }.map(\.count) == (reader.constraint.isEmpty ? [] : [2]))
  }

  @Test("a CHECK on a column in single quotes behind its table is asked of the rows", arguments: ["a", "A"])
  func qualified(name: String) throws {
    let check = "CHECK (t.'\(name)' > 0)"
    let file = try TemporaryDatabase(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a INT); INSERT INTO t VALUES (1, 1), (2, -2)")
    let target = "CREATE TABLE t (id INTEGER PRIMARY KEY, a INT, \(check))"
    let hazards = try file.plan(to: target).hazards.filter { $0.code == .failingCheck }
    #expect(hazards.map(\.message) == ["1 row of t fails the new \(check)."])
    try file.exec("DELETE FROM t WHERE id = 2")
    try file.migrate(to: target)
    try file.expectSettled(at: target)
  }

  @Test("another type of such a column is asked of the CHECK that stands")
  func retyped() throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a INT, CHECK (typeof(t.'a') = 'integer')); INSERT INTO t VALUES (1, 1)")
    let target = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, CHECK (typeof(t.'a') = 'integer'))"
    #expect(try file.plan(to: target).hazards.contains { $0.code == .failingCheck && $0.count == 1 })
    #expect(throws: PlanError.self) { try file.migrate(to: target, allowing: .everything) }
    #expect(try file.query("SELECT a FROM t") == [[.int(1)]])
  }
}

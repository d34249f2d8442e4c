import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Row checks: rows failing a new CHECK")
struct ConstraintRowCheckTests {
  private static func check(
    _ name: String, _ after: String, offending: String, v: String = "CASE WHEN i % 4 THEN i % 9 END",
    column: String = "v INT", others: Set<HazardCode> = []
  ) -> RowCase {
    RowCase(
      name: name, before: "CREATE TABLE t (id INTEGER PRIMARY KEY, \(column));",
      fill: ["INSERT INTO t SELECT i, \(v) FROM n"], after: "CREATE TABLE t (id INTEGER PRIMARY KEY, \(after));",
      code: .failingCheck, object: "t", offending: "SELECT CAST(id AS TEXT) FROM t WHERE \(offending)", others: others)
  }

  static let cases = [
    check("NULL passes", "v INT CHECK (v > 3)", offending: "v <= 3"),
    check("with the table's name", "v INT, CHECK (t.v > 3 AND t.id > 0)", offending: "v <= 3"),
    check(
      "under another name", "\nw INT CHECK (w > 3) -- schemakit: renamed from v\n", offending: "v <= 3"),
    check("closed by a comment", "v INT, CHECK (v > 3 -- not too small\n)", offending: "v <= 3"),
    check("a text in double quotes", "v INT, CHECK (v > 3 OR \"x\" = \"y\")", offending: "v <= 3"),
    check(
      "on a computed column", "v INT, g INT AS (v * 2), CHECK (g > 6)", offending: "v * 2 <= 6"),
    check("on the rowid", "v INT, CHECK (rowid % 3 <> 1)", offending: "id % 3 = 1"),
    check(
      "on the rowid, beside a conversion", "v TEXT, CHECK (rowid % 3 <> 1)", offending: "id % 3 = 1"),
    check(
      "as it was, after a conversion", "v INT CHECK (v < 5)", offending: "CAST(v AS INT) >= 5", v: "'4' || i",
      column: "v TEXT CHECK (v < 5)"),
    check(
      "as it was, on a column with a space in its name", "\"my v\" INT CHECK (\"my v\" < 5)",
      offending: "CAST(\"my v\" AS INT) >= 5", v: "'4' || i", column: "\"my v\" TEXT CHECK (\"my v\" < 5)"),
    check(
      "as it was, after a fill", "v INT NOT NULL DEFAULT 0 CHECK (v > 0)", offending: "v IS NULL",
      v: "CASE WHEN i % 4 <> 1 THEN i END", column: "v INT CHECK (v > 0)"),
    check("a new column's default", "v INT, w INT DEFAULT 0 CHECK (w > 0)", offending: "TRUE"),
    check("a new column's default beside a value", "v INT, w REAL DEFAULT 4, CHECK (w > v)", offending: "v >= 4"),
    check(
      "a new column's default beside a conversion", "v TEXT, w INT DEFAULT 4, CHECK (w > v)", offending: "v >= '4'"),
    check(
      "as it was, on a computed column whose expression changes", "v INT, g INT AS (v + 1) CHECK (g > 3)",
      offending: "v + 1 <= 3", v: "i % 9 + 4", column: "v INT, g INT AS (v * 2) CHECK (g > 3)"),
  ]

  @Test("every row that fails is counted before the first write", arguments: cases, RowCase.counts)
  func failing(rowCase: RowCase, rows: Int) throws { try rowCase.check(rows: rows) }

  /// Changes whose expressions fail on a row instead of giving a value.
  static let expressions = [
    ("v TEXT CHECK (json_extract(v, '$.a') > 0))", "CHECK"),
    ("v TEXT, g INT AS (json_extract(v, '$.a')) STORED)", "column g"),
    ("v TEXT, g INT AS (json_extract(v, '$.a')))", "column g"),
    ("v TEXT, g INT AS (v ->> '$.a'))", "column g"),
    ("v TEXT); CREATE INDEX x ON t (json_extract(v, '$.a'))", "Index x"),
    ("v TEXT); CREATE INDEX x ON t (id) WHERE json_extract(v, '$.a') > 0", "Index x"),
    ("v TEXT); CREATE UNIQUE INDEX x ON t (json_extract(v, '$.a'))", "index x"),
    ("v BLOB -- schemakit: convert json_extract(v, '$.a')\n)", "conversion"),
    ("v TEXT,\nw INT -- schemakit: fill json_extract(v, '$.a')\n)", "backfill"),
  ]

  @Test(
    "what cannot be evaluated on some row is found before the first write, and said once", arguments: expressions,
    RowCase.counts)
  func failingExpressions(change: (String, String), rows: Int) throws {
    let scene = RowCase(
      name: "",
      before: "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT); CREATE TABLE u (a); INSERT INTO u VALUES (1);",
      fill: ["INSERT INTO t SELECT i, CASE i WHEN \(rows) THEN 'no json' ELSE '{\"a\": ' || i || '}' END FROM n"],
      after: "CREATE TABLE t (id INTEGER PRIMARY KEY, \(change.0);", code: .failingCheck, object: "t", offending: "")
    let file = try scene.file(rows: rows, journalMode: "delete")
    let bytes = try file.bytes
    let plan = try file.plan(to: scene.after)
    #expect(try file.bytes == bytes)
    let found = plan.hazards.filter { $0.hazardClass == .blocked }
    #expect(plan.hazards.contains { $0.code == .droppedTable && $0.count == 1 }, "\(plan.hazards)")
    #expect(found.count == (rows == 0 ? 0 : 1), "\(found)")
    for hazard in found {
      #expect(hazard.code == .failingCheck && hazard.table == "t")
      #expect(hazard.message.contains("malformed JSON") && hazard.message.contains(change.1), "\(hazard.message)")
    }
    if change.1 == "conversion", rows > 0 { #expect(found.map(\.column) == ["v"]) }
    if change.1 == "backfill", rows > 0 { #expect(found.map(\.column) == ["w"]) }
    if rows == 1 {
      #expect(throws: PlanError.self) { try file.migrate(to: scene.after, allowing: .everything) }
      #expect(try file.bytes == bytes)
    }
  }

  @Test(
    "a value that would make one row of all is refused before the first write, and no count is made up beside it",
    arguments: ["v BLOB -- schemakit: convert max(v)\n", "v TEXT,\nw INT -- schemakit: fill total(id)\n"])
  func collapsing(columns: String) throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT, gone); INSERT INTO t VALUES (1, 'a', 1), (2, 'b', 2);")
    let bytes = try file.bytes
    let target = "CREATE TABLE t (id INTEGER PRIMARY KEY, \(columns))"
    let hazards = try file.plan(to: target, strategy: .rebuild).hazards
    let blocked = hazards.filter { $0.hazardClass == .blocked }
    #expect(blocked.map(\.code) == [.failingCheck] && hazards.allSatisfy { $0.count != 1 }, "\(hazards)")
    #expect(blocked.first?.message.contains("it makes one value of all rows") == true)
    #expect(throws: PlanError.self) { try file.migrate(to: target, allowing: .everything) }
    #expect(try file.bytes == bytes)
  }
}

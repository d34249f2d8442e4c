import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Rows that nobody looked at before the change")
struct UnexaminedRowsTests {
  @Test(
    "NULLs that a default replaces make no duplicates under a key that stands already",
    arguments: [
      ("a TEXT, b INT, UNIQUE (a, b)", "a TEXT, b INT NOT NULL DEFAULT 0, UNIQUE (a, b)"),
      ("a TEXT, b INT PRIMARY KEY", "a TEXT, b INT NOT NULL DEFAULT 0 PRIMARY KEY"),
    ], [StrategyChoice.auto, .rebuild])
  func duplicates(columns: (String, String), strategy: StrategyChoice) throws {
    let file = try TemporaryDatabase("CREATE TABLE t (\(columns.0)); INSERT INTO t VALUES ('x', 0), ('x', NULL)")
    #expect(throws: (any Error).self) {
      try file.migrate(to: "CREATE TABLE t (\(columns.1))") {
        $0.plan.isQuick = true
        $0.plan.policy.strategy = strategy
      }
    }
    #expect(try file.query("SELECT b FROM t NOT INDEXED") == [[.int(0)], [.null]])
  }

  @Test(
    "NULL that a NOT NULL column is computed as is refused",
    arguments: [
      ("b INT", "b INT NOT NULL DEFAULT 0", "NULL", "nullif(coalesce(b, 9), 0)"),
      ("b TEXT", "b INTEGER", "'5'", "CASE typeof(b) WHEN 'text' THEN 1 END"),
    ], ["", "STORED"])
  func computed(column: (before: String, after: String, value: String, expression: String), kind: String) throws {
    let computed = "g AS (\(column.expression)) \(kind) NOT NULL"
    let file = try TemporaryDatabase(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, \(column.before), \(computed));
      INSERT INTO t (id, b) VALUES (1, \(column.value))
      """)
    #expect(throws: (any Error).self) {
      try file.migrate(
        to: "CREATE TABLE t (id INTEGER PRIMARY KEY, \(column.after), \(computed))", allowing: .everything
      ) { $0.plan.isQuick = true }
    }
    #expect(try file.query("PRAGMA integrity_check") == [[.text("ok")]])
  }

  @Test(
    "a row of which a computed column cannot be read stands in the way of nothing else",
    arguments: ["b TEXT", "b INTEGER, g AS (json_extract(a, '$.x'))", "b TEXT NOT NULL, g AS (json_extract(a, '$.x'))"])
  func unreadable(columns: String) throws {
    let file = try TemporaryDatabase(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT);
      INSERT INTO t (a, b) VALUES ('{}', '1'), ('{bad', '2'); ALTER TABLE t ADD COLUMN g AS (json_extract(a, '$.x'))
      """)
    try file.migrate(to: "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, \(columns))", allowing: .everything)
    #expect(
      try file.query("SELECT a, CAST(b AS TEXT) FROM t") == [[.text("{}"), .text("1")], [.text("{bad"), .text("2")]])
    try file.migrate(to: "CREATE TABLE k (x)", allowing: .everything)
    #expect(try file.query("SELECT count(*) FROM sqlite_master WHERE name = 't'") == [[.int(0)]])
  }

  @Test("a foreign key to a table that is not declared, once allowed, is carried out over rows")
  func declaredFault() throws {
    let file = try TemporaryDatabase("CREATE TABLE k (p); INSERT INTO k VALUES (1)")
    let target = "CREATE TABLE k (p REFERENCES nosuch)"
    let error = #expect(throws: PlanError.self) { try file.migrate(to: target) }
    guard case .refused(_, let hazards)? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(hazards.map(\.code) == [.brokenObject])
    var policy = PlanPolicy.lossless
    _ = try policy.add(allow: "SK203")
    try file.migrate(to: target, allowing: policy)
    #expect(try file.query("SELECT p FROM k") == [[.int(1)]])
  }
}

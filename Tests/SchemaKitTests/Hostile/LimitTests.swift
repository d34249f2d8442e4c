import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitOperations

/// Schemas as large and as deep as SQLite takes them.
@Suite("Schemas at SQLite's limits")
struct LimitTests {
  private static func wide(_ first: String, columns: Int) -> String {
    let rest = (2..<(columns - 1)).map { "c\($0) INT" }.joined(separator: ", ")
    return "CREATE TABLE wide(id INTEGER PRIMARY KEY, \(first), \(rest))"
  }

  @Test("a table of 2,000 columns is read, printed, and equal to itself")
  func columns() throws {
    let sql = Self.wide("c0 INT, c1 TEXT", columns: 2_000)
    let file = try TemporaryDatabase(sql + "; CREATE INDEX last ON wide(c1998);")
    #expect(try file.value("SELECT count(*) FROM pragma_table_info('wide')") == .int(2000))
    #expect(try SchemaInspector(at: file.path).statements().count == 2)
    #expect(try file.plan(to: sql + "; CREATE INDEX last ON wide(c1998);").isEmpty)
  }

  @Test("the rows of a table with more columns than an expression has levels are counted and sized")
  func wideRows() throws {
    let sql = Self.wide("c0 INT, c1 TEXT", columns: 600)
    let file = try TemporaryDatabase(sql + "; INSERT INTO wide(id, c0) VALUES (1, 0);")
    let plan = try file.plan(to: Self.wide("c0 TEXT, c1 TEXT NOT NULL DEFAULT 'one'", columns: 600))
    #expect(plan.steps.contains { $0.strategy == .rebuild && $0.rows == 1 })
  }

  @Test("a table with rows and 1,900 columns is rebuilt and proved")
  func wideRebuild() throws {
    let sql = Self.wide("c0 INT, c1 TEXT", columns: 1_900)
    let file = try TemporaryDatabase(
      sql + "; INSERT INTO wide(id, c0, c1, c700, c1898) VALUES (1, 0, 'a', x'00', 'last'), (7, NULL, '', 1.5, 2);")
    let before = try file.query("SELECT * FROM wide")
    let report = try file.migrate(to: Self.wide("c0 INT, c1 TEXT NOT NULL", columns: 1_900), allowing: .copying)
    #expect(report.plan.steps.map(\.strategy) == [.rebuild])
    #expect(report.plan.statements.contains { $0.role == .verification && $0.sql.contains("\"_new\"") })
    #expect(try file.query("SELECT * FROM wide") == before)
    #expect(try file.value("SELECT sql LIKE '%c1 TEXT NOT NULL%' FROM sqlite_master") == .int(1))
  }

  @Test(
    "one of 2,000 columns is dropped, with and without a copy", .needs(.dropColumn), arguments: StrategyChoice.allCases)
  func dropOfMany(strategy: StrategyChoice) throws {
    let sql = Self.wide("c0 INT, c1 TEXT", columns: 2_000)
    let file = try TemporaryDatabase(
      strategy.journal + sql + "; INSERT INTO wide(id, c0, c1, c1998) VALUES (1, 0, 'a', 'last'), (2, 1, NULL, 5);")
    var policy = PlanPolicy.destructive
    policy.strategy = strategy
    let report = try file.migrate(to: sql.replacing("c1 TEXT, ", with: ""), allowing: policy)
    #expect(report.plan.hazards.map(\.code) == [.droppedColumn])
    #expect(report.plan.hazards.map(\.count) == [1])
    #expect(
      try file.query("SELECT id, c0, c1998 FROM wide") == [
        [.int(1), .int(0), .text("last")], [.int(2), .int(1), .int(5)],
      ])
    #expect(try file.value("SELECT count(*) FROM pragma_table_info('wide')") == .int(1999))
  }

  @Test("hundreds of columns get another type at once", arguments: [700, 1_999])
  func manyConversions(columns: Int) throws {
    let names = (1..<columns).map { "c\($0)" }
    func table(_ type: String) -> String {
      "CREATE TABLE wide(id INTEGER PRIMARY KEY, \(names.map { "\($0) \(type)" }.joined(separator: ", ")))"
    }
    let rows = "; INSERT INTO wide(id, c1, c2, c690) VALUES (1, '1', 'x', '3'), (2, '2', '7', NULL);"
    let file = try TemporaryDatabase(table("TEXT") + rows)
    let plan = try file.plan(to: table("INT"))
    #expect(plan.hazards.filter { !$0.isPotential && $0.code != .lossyConversion } == [])
    try file.migrate(to: table("INT"), allowing: PlanPolicy(allowing: [.init(.hazardClass(.lossy))]))
    #expect(
      try file.query("SELECT c1, c2, c690 FROM wide") == [[.int(1), .text("x"), .int(3)], [.int(2), .int(7), .null]])
  }

  @Test("what exceeds a limit of SQLite is said to do so, and not to be the fault of the rows")
  func exceeded() throws {
    let names = (0..<2_000).map { "c\($0)" }
    let sql = { (type: String) in "CREATE TABLE wide(\(names.map { "\($0) \(type)" }.joined(separator: ", ")))" }
    let file = try TemporaryDatabase(sql("TEXT") + "; INSERT INTO wide(c0) VALUES (1);")
    let before = try file.bytes
    let plan = try file.plan(to: sql("INT"))
    let blocked = plan.hazards.filter { $0.hazardClass == .blocked }
    #expect(!blocked.isEmpty)
    #expect(blocked.allSatisfy { $0.message.contains("limit of SQLite") && $0.message.contains("2,000 columns") })
    #expect(try file.bytes == before)
  }

  @Test("one column more than SQLite takes is SQLite's error, and nothing is changed")
  func tooManyColumns() throws {
    let file = try TemporaryDatabase(Self.wide("c0 INT, c1 TEXT", columns: 2_000))
    let before = try file.bytes
    #expect(throws: SchemaError.self) { try file.migrate(to: Self.wide("c0 INT, c1 TEXT, c INT", columns: 2_000)) }
    #expect(try file.bytes == before)
  }

  @Test("expressions, views and triggers nested as deep as SQLite reads them are carried through a rebuild")
  func depth() throws {
    let sum = "a" + String(repeating: " + 1", count: 900)
    let parentheses = String(repeating: "(", count: 25) + "a" + String(repeating: ")", count: 25)
    var query = "SELECT a FROM deep"
    for level in 0..<8 { query = "SELECT a FROM (\(query)) AS l\(level)" }
    var body = "SELECT 1"
    for _ in 0..<4 { body = "SELECT CASE WHEN new.a THEN (\(body)) END" }
    let rest = """
      CREATE INDEX deep_sum ON deep(\(sum));
      CREATE VIEW nested AS \(query);
      CREATE TRIGGER nesting AFTER INSERT ON deep WHEN \(parentheses.replacing("a", with: "new.a")) BEGIN \(body); END;
      """
    let views = (1...60).map { "CREATE VIEW v\($0) AS SELECT a FROM v\($0 - 1);" }.joined()
    let columns = "a INT, b AS (\(parentheses)), CHECK (\(sum) > -9)"
    let file = try TemporaryDatabase(
      "CREATE TABLE deep(\(columns)); INSERT INTO deep(a) VALUES (1); CREATE VIEW v0 AS SELECT a FROM deep;" + rest
        + views)
    let target =
      "CREATE TABLE deep(\(columns.replacing("a INT,", with: "a INT NOT NULL,"))); CREATE VIEW v0 AS SELECT a FROM deep;"
      + rest + views
    let report = try file.migrate(to: target, allowing: .copying)
    #expect(report.plan.steps.contains { $0.strategy == .rebuild })
    try file.exec("INSERT INTO deep(a) VALUES (2)")
    #expect(try file.query("SELECT a FROM v60") == [[.int(1)], [.int(2)]])
    #expect(try file.plan(to: target).isEmpty)
  }

  @Test("nesting that SQLite would not read is an error and no trap")
  func tooDeep() throws {
    for depth in [2_000, 20_000] {
      let expression = String(repeating: "(", count: depth) + "1" + String(repeating: ")", count: depth)
      for sql in [
        "CREATE TABLE t(a, CHECK (\(expression)))", "CREATE TABLE t(a DEFAULT \(expression))",
        "CREATE VIEW t AS SELECT \(expression)", "CREATE INDEX t ON u\(expression)",
      ] {
        // In newer versions parentheses alone are no depth.
        let isReadable = (try? RawSQLite().exec(sql)) != nil
        do {
          _ = try SchemaSource.sql(sql, source: "deep").load()
          #expect(isReadable)
        } catch {
          #expect(error is SchemaError)
        }
      }
    }
  }

  @Test("tables without rowids are rebuilt whatever their keys are")
  func withoutRowID() throws {
    let file = try TemporaryDatabase(
      """
      CREATE TABLE a(x, y, z, PRIMARY KEY (y COLLATE NOCASE DESC, x, y COLLATE BINARY)) WITHOUT ROWID;
      INSERT INTO a VALUES (1, 'A', NULL), (1, 'b', 2), (x'00', '', 3);
      CREATE TABLE b(rowid TEXT PRIMARY KEY, oid INT UNIQUE, _rowid_ INT) WITHOUT ROWID; INSERT INTO b VALUES ('k', 5, 6);
      CREATE TABLE c(k INTEGER PRIMARY KEY, v) WITHOUT ROWID; INSERT INTO c VALUES (-9223372036854775807 - 1, 1), (9223372036854775807, 2);
      """)
    let target = """
      CREATE TABLE a(x, y, z INT, PRIMARY KEY (y COLLATE NOCASE DESC, x, y COLLATE BINARY)) WITHOUT ROWID;
      CREATE TABLE b(rowid TEXT PRIMARY KEY, oid INT UNIQUE, _rowid_ INT NOT NULL) WITHOUT ROWID;
      CREATE TABLE c(k INTEGER PRIMARY KEY, v NOT NULL) WITHOUT ROWID;
      """
    let before = try ["a", "b", "c"].map { try file.query("SELECT * FROM \($0)") }
    try file.migrate(to: target)
    let after = try ["a", "b", "c"].map { try file.query("SELECT * FROM \($0)") }
    #expect(after == before)
    #expect(try file.plan(to: target).isEmpty)
  }
}

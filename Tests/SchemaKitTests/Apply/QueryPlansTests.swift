import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitOperations

@Suite("Plans of queries, before and after")
struct QueryPlansTests {
  private static let before = """
    CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, gone TEXT); CREATE INDEX by_a ON t (a);
    INSERT INTO t VALUES (1, 'x', 'y');
    """
  private static let after = """
    CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT); CREATE TABLE u (a);
    INSERT INTO t VALUES (1, 'x', 'y');
    """

  private func comparisons(_ text: String) throws -> [QueryComparison] {
    let script = try QueryScript(text, source: "q.sql")
    let (old, new) = (try SQLiteConnection.memory(), try SQLiteConnection.memory())
    try old.execute(Self.before)
    try new.execute(Self.after)
    let plans = zip(try script.plans(on: old), try script.plans(on: new))
    return zip(script.queries, plans).map { QueryComparison(query: $0, before: $1.0, after: $1.1) }
  }

  @Test("each query is the same, changed, broken, mended or failing, with its line and both plans")
  func verdicts() throws {
    let found = try comparisons(
      """
      SELECT * FROM t WHERE id = ?1;
      -- a comment; with a semicolon
      SELECT id FROM t WHERE a = :a;
      SELECT gone
        FROM t; SELECT b FROM t;
      SELECT nothing FROM t WHERE x = ';';;
      """)
    #expect(found.map(\.verdict) == [.same, .changed, .broken, .mended, .failing])
    #expect(found.map(\.query.line) == [1, 3, 4, 5, 6])
    #expect("\(found[1].before)".contains("USING COVERING INDEX by_a (a=?)"))
    #expect("\(found[1].after)".contains("SCAN"))
    #expect(found[2].after == .failure("no such column: gone"))
  }

  @Test("steps of a plan stand below the step that they belong to")
  func outline() throws {
    let found = try comparisons("SELECT a FROM t UNION SELECT a FROM t ORDER BY 1")
    guard case .lines(let lines) = found[0].before else {
      Issue.record("\(found)")
      return
    }
    #expect(lines.count > 1)
    #expect(lines.first?.hasPrefix(" ") == false)
    #expect(lines.dropFirst().contains { $0.hasPrefix("  ") })
  }

  @Test("queries that write are explained and do not run")
  func nothingRuns() throws {
    let script = try QueryScript(
      "DELETE FROM t; UPDATE t SET a = 1; WITH x AS (SELECT 1) INSERT INTO t (id) SELECT 9", source: "")
    let connection = try SQLiteConnection.memory()
    try connection.execute(Self.before)
    #expect(try script.plans(on: connection).count == 3)
    #expect(try connection.rows("SELECT * FROM t") == [[.integer(1), .text("x"), .text("y")]])
  }

  @Test(
    "what has no plan is refused, with its place",
    arguments: ["DROP TABLE t", "PRAGMA user_version = 3", "ATTACH 'x' AS y", "EXPLAIN SELECT 1"])
  func refused(sql: String) throws {
    #expect {
      try QueryScript("SELECT 1;\n\(sql)", source: "q.sql")
    } throws: { error in
      "\(error)".hasPrefix("q.sql:2: ")
    }
    #expect(throws: QueryScript.Failure.self) { try QueryScript("SELECT 'open", source: "q.sql") }
  }
}

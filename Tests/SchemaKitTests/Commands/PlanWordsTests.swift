import Foundation
import Testing

@Suite("Words of plans")
struct PlanWordsTests {
  let folder: CommandFolder

  init() throws { folder = try CommandFolder() }

  /// The text of a plan from one schema to another.
  private func plan(_ sql: String, to schema: String) throws -> String {
    let database = try folder.database("\(UUID().uuidString).db", sql)
    try folder.write(schema, to: "s.sql")
    return try folder.run("plan", database, "--to", "s.sql").output
  }

  @Test("a type whose change loses nothing here is lossy for other values, and numbers of rows are grouped everywhere")
  func otherValues() throws {
    let text = try plan(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, amount TEXT, gone TEXT);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200) INSERT INTO t SELECT i, i, i FROM n;
      """, to: "CREATE TABLE t (id INTEGER PRIMARY KEY, amount INTEGER CHECK (amount > 0));")
    #expect(text.contains("SK103  lossy for other values: t.amount"), "\(text)")
    #expect(text.contains("1,200 rows"), "\(text)")
    #expect(!text.contains("1200"), "\(text)")
  }

  @Test("a new column that refuses NULL says so")
  func notNull() throws {
    let text = try plan(
      "CREATE TABLE t (id INTEGER PRIMARY KEY);",
      to: "CREATE TABLE t (id INTEGER PRIMARY KEY, nickname text NOT NULL DEFAULT '');")
    #expect(text.contains("add column nickname text NOT NULL\n"), "\(text)")
  }

  @Test("one row that refers to nothing refers in the singular")
  func singular() throws {
    let text = try plan(
      """
      CREATE TABLE home (id INTEGER PRIMARY KEY);
      CREATE TABLE address (id INTEGER PRIMARY KEY, home INTEGER REFERENCES home (id), note TEXT);
      INSERT INTO address VALUES (1, 7, 'a');
      """,
      to: """
        CREATE TABLE home (id INTEGER PRIMARY KEY);
        CREATE TABLE address (id INTEGER PRIMARY KEY, home INTEGER REFERENCES home (id), note TEXT CHECK (note > ''), x INTEGER
          UNIQUE);
        """)
    #expect(text.contains("1 row of address refers to rows of home"), "\(text)")
  }

  @Test("a view that would break is not said to be kept")
  func broken() throws {
    let text = try plan(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT);
      CREATE VIEW good AS SELECT id, a, t.* FROM t;
      CREATE VIEW bad AS SELECT id, b FROM t;
      """,
      to: """
        CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);
        CREATE VIEW good AS SELECT id, a, t.* FROM t;
        CREATE VIEW bad AS SELECT id, b FROM t;
        """)
    #expect(text.contains("view bad needs t.b: would not work any more (SK203)"), "\(text)")
    #expect(text.contains("view good needs t.b: kept, compiled again as proof"), "\(text)")
  }
}

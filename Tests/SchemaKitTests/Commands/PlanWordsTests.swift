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
        CREATE TABLE address (id INTEGER PRIMARY KEY, home TEXT REFERENCES home (id), note TEXT CHECK (note > ''));
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

  @Test("a view that still works and means something else is said to do so")
  func otherMeaning() throws {
    let text = try plan(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT);
      CREATE VIEW quoted AS SELECT id, "b" FROM t;
      """,
      to: """
        CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);
        CREATE VIEW quoted AS SELECT id, "b" FROM t;
        """)
    #expect(text.contains("view quoted needs t.b: would mean something else (SK203)"), "\(text)")
  }

  @Test("many hazards alike are counted in the text and listed in JSON")
  func manyHazards() throws {
    let names = (1...300).map { "c\($0)" }
    let database = try folder.database(
      "many.db",
      "CREATE TABLE t (id INTEGER PRIMARY KEY, \(names.map { "\($0) TEXT" }.joined(separator: ", ")), gone TEXT);"
        + "INSERT INTO t (id, c1, c2, gone) VALUES (1, 'x', 'y', 'z');")
    try folder.write(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, \(names.map { "\($0) INTEGER" }.joined(separator: ", ")));", to: "m.sql")
    let text = try folder.run("plan", database, "--to", "m.sql").output
    // What stands in the way is never hidden behind what does not.
    for name in ["t.c1", "t.c2", "t.gone"] { #expect(text.contains(": \(name), 1 row"), "\(text.suffix(3000))") }
    #expect(text.components(separatedBy: "SK103").count - 1 < 40)
    #expect(text.contains("more alike"), "\(text.suffix(3000))")
    let verbose = try folder.run("plan", database, "--to", "m.sql", "-v").output
    #expect(!verbose.contains("more alike"))
    let json = try folder.run("plan", database, "--to", "m.sql", "--format", "json").json
    #expect((json["hazards"] as? [Any])?.count ?? 0 >= 301)
  }
}

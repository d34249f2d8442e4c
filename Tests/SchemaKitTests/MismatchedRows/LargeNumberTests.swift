import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Whole numbers beyond 2^53 in REAL columns, as an edit of the catalog leaves them")
struct LargeNumberTests {
  @Test(
    "a column dropped beside another change leaves such numbers and their indexes alone",
    arguments: [
      ("note TEXT", false), ("note TEXT CHECK (note <> '')", false), ("note TEXT NOT NULL DEFAULT 'n'", false),
      ("note TEXT UNIQUE", false), ("note TEXT", true), ("note TEXT NOT NULL DEFAULT 'n'", true),
      ("note TEXT UNIQUE", true),
    ])
  func droppedBeside(note: String, isQuick: Bool) throws {
    let file = try EditedFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, r INTEGER, note TEXT, old TEXT); CREATE INDEX tr ON t (r);
      INSERT INTO t VALUES (1, 9007199254740993, 'x', 'o'), (2, 5, 'y', NULL), (3, 6, 'z', NULL), (4, 7, 'a', NULL), (5, 8, 'b', NULL);
      """, ["r INTEGER": "r REAL"])
    let after = "CREATE TABLE t (id INTEGER PRIMARY KEY, r REAL, \(note)); CREATE INDEX tr ON t (r);"
    try file.database.migrate(to: after, allowing: .everything) { $0.plan.isQuick = isQuick }
    #expect(try file.problems() == ["ok"])
    #expect(try file.database.query("SELECT id FROM t WHERE r = 9007199254740992.0") == [[.int(1)]])
  }

  @Test("a row that holds such a number is not updated where an index reads it", arguments: ["r", "note", "r, note"])
  func updated(indexed: String) throws {
    let file = try EditedFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, r INTEGER, note TEXT); CREATE INDEX tr ON t (\(indexed));
      INSERT INTO t VALUES (1, 9007199254740993, NULL);
      WITH RECURSIVE w (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM w WHERE i < 50) INSERT INTO t SELECT i, i, 'x' FROM w;
      """, ["r INTEGER": "r REAL"])
    let after =
      "CREATE TABLE t (id INTEGER PRIMARY KEY, r REAL, note TEXT NOT NULL DEFAULT 'n'); CREATE INDEX tr ON t (\(indexed));"
    let report = try file.database.migrate(to: after)
    #expect(report.plan.steps.contains { $0.strategy == .update } == (indexed == "note"))
    #expect(try file.problems() == ["ok"])
    #expect(try file.database.query("SELECT id, note FROM t WHERE r = 9007199254740992.0") == [[.int(1), .text("n")]])
  }
}

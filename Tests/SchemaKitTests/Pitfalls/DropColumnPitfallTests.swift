import Testing

@testable import SQLiteSchema
@testable import SchemaKit

// P55: DROP COLUMN is refused by SQLite for many columns, and accepted for one that it should refuse.
@Suite("Pitfalls: dropping columns")
struct DropColumnPitfallTests {
  /// Something that keeps SQLite from dropping column `b`, and what remains of it in the declared schema.
  struct Obstacle: Sendable, CustomTestStringConvertible {
    var name: String
    var before: String
    var after: String
    var testDescription: String { name }
  }

  static let obstacles = [
    Obstacle(
      name: "index", before: "CREATE TABLE t (a INT, b INT); CREATE INDEX i ON t (b);", after: "CREATE TABLE t (a INT);"
    ),
    Obstacle(
      name: "index on both", before: "CREATE TABLE t (a INT, b INT); CREATE INDEX i ON t (a, b);",
      after: "CREATE TABLE t (a INT); CREATE INDEX i ON t (a);"),
    Obstacle(
      name: "partial index", before: "CREATE TABLE t (a INT, b INT); CREATE INDEX i ON t (a) WHERE b > 0;",
      after: "CREATE TABLE t (a INT); CREATE INDEX i ON t (a);"),
    Obstacle(
      name: "expression index", before: "CREATE TABLE t (a INT, b INT); CREATE INDEX i ON t (a + b);",
      after: "CREATE TABLE t (a INT);"),
    Obstacle(
      name: "column check of another", before: "CREATE TABLE t (a INT CHECK (a < b OR b > 0), b INT);",
      after: "CREATE TABLE t (a INT);"),
    Obstacle(
      name: "table check", before: "CREATE TABLE t (a INT, b INT, CHECK (b > 0 OR a > 0));",
      after: "CREATE TABLE t (a INT);"),
    Obstacle(
      name: "own check", before: "CREATE TABLE t (a INT, b INT CHECK (b > 0));", after: "CREATE TABLE t (a INT);"),
    Obstacle(
      name: "generated", before: "CREATE TABLE t (a INT, b INT, g INT AS (b + 1));",
      after: "CREATE TABLE t (a INT, g INT);"),
    Obstacle(
      name: "view", before: "CREATE TABLE t (a INT, b INT); CREATE VIEW v AS SELECT a, b FROM t;",
      after: "CREATE TABLE t (a INT); CREATE VIEW v AS SELECT a FROM t;"),
    Obstacle(
      name: "trigger",
      before: "CREATE TABLE t (a INT, b INT); CREATE TRIGGER r AFTER INSERT ON t BEGIN UPDATE t SET b = 1; END;",
      after: "CREATE TABLE t (a INT); CREATE TRIGGER r AFTER INSERT ON t BEGIN UPDATE t SET a = 1; END;"),
    Obstacle(name: "unique", before: "CREATE TABLE t (a INT, b INT UNIQUE);", after: "CREATE TABLE t (a INT);"),
    Obstacle(
      name: "unique on both",
      before: "CREATE TABLE t (a INT, b INT, UNIQUE (a, b));", after: "CREATE TABLE t (a INT);"),
    Obstacle(name: "key", before: "CREATE TABLE t (a INT, b INT PRIMARY KEY);", after: "CREATE TABLE t (a INT);"),
    Obstacle(
      name: "rowid", before: "CREATE TABLE t (a INT, b INTEGER PRIMARY KEY);", after: "CREATE TABLE t (a INT);"),
    Obstacle(
      name: "foreign key",
      before: "CREATE TABLE p (x INTEGER PRIMARY KEY); CREATE TABLE t (a INT, b INT REFERENCES p);",
      after: "CREATE TABLE p (x INTEGER PRIMARY KEY); CREATE TABLE t (a INT);"),
    Obstacle(name: "the only other column", before: "CREATE TABLE t (b INT, a INT);", after: "CREATE TABLE t (a INT);"),
  ]

  @Test("P55: whatever reads a dropped column goes or changes with it", arguments: obstacles, [0, 3])
  func dropsColumn(obstacle: Obstacle, count: Int) throws {
    let database = try TemporaryDatabase(
      obstacle.before + rows(count) { "INSERT INTO t (a, b) VALUES (\($0), \($0 * 10))" })
    let values = try database.query("SELECT a FROM t ORDER BY a")
    if count > 0 {
      #expect(try database.refusals(to: obstacle.after).contains { $0.code == .droppedColumn && $0.count == count })
    }
    try database.migrate(to: obstacle.after, allowing: .everything)
    #expect(try database.query("SELECT a FROM t ORDER BY a") == values)
    #expect(try database.query("SELECT 1 FROM pragma_table_xinfo('t') WHERE name = 'b'").isEmpty)
    try database.expectSettled(at: obstacle.after)
  }

  @Test("P55: a column that children refer to is not dropped under them", arguments: [0, 3])
  func parentKey(count: Int) throws {
    let child = "CREATE TABLE c (x INT REFERENCES t (b));"
    let database = try TemporaryDatabase(
      "CREATE TABLE t (a INT, b INT); CREATE UNIQUE INDEX t_b ON t (b);" + child
        + rows(count) { "INSERT INTO t VALUES (\($0), \($0)); INSERT INTO c VALUES (\($0))" })
    let hazards = try database.refusals(to: "CREATE TABLE t (a INT);" + child, allowing: .everything)
    #expect(hazards.contains { $0.code == .brokenObject }, "\(hazards)")
  }
}

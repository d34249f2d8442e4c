import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Views and triggers that go by the order of columns")
struct PositionalUsesTests {
  private static let tables = """
    CREATE TABLE a (id INTEGER PRIMARY KEY, x, y); CREATE TABLE b (id INTEGER PRIMARY KEY, x, y);
    CREATE VIEW wide AS SELECT * FROM a WHERE x;

    """

  private func users(_ object: String, unmanaged: Set<SQLName> = []) throws -> Set<SQLName> {
    let schema = try SchemaText.schema(Self.tables + object)
    return Set(PositionalUses(in: schema, unmanaged: unmanaged).users.keys)
  }

  @Test(
    "are told by a list that is missing, or a star that is matched with other columns",
    arguments: [
      ("CREATE TRIGGER o AFTER INSERT ON a BEGIN INSERT INTO b VALUES (new.id, 1, 2); END", ["b"]),
      ("CREATE TRIGGER o AFTER INSERT ON a BEGIN INSERT OR IGNORE INTO b SELECT 1, 2, 3; END", ["b"]),
      (
        "CREATE TRIGGER o AFTER INSERT ON a BEGIN REPLACE INTO \"b\" WITH n AS (SELECT 1, 2, 3) SELECT 1, 2, 3; END",
        ["b"]
      ),
      (
        "CREATE TRIGGER o AFTER INSERT ON a BEGIN DELETE FROM b; INSERT INTO a (id, x, y) SELECT b.* FROM b; END",
        ["a", "b"]
      ),
      ("CREATE TRIGGER o INSTEAD OF INSERT ON wide BEGIN INSERT INTO wide VALUES (1, 2, 3); END", ["a"]),
      ("CREATE VIEW o AS SELECT * FROM a UNION ALL SELECT * FROM b", ["a", "b"]),
      ("CREATE VIEW o AS SELECT id, x, y FROM b EXCEPT SELECT DISTINCT * FROM wide", ["a", "b"]),
      ("CREATE VIEW o (k, l, m) AS SELECT b.* FROM b", ["b"]),
      ("CREATE VIEW o AS WITH n (k, l, m) AS (SELECT * FROM b) SELECT k FROM n", ["b"]),
      ("CREATE VIEW o AS SELECT 1 FROM a WHERE (id, x, y) IN (SELECT * FROM b)", ["a", "b"]),
      ("CREATE VIEW o AS SELECT x FROM (SELECT * FROM a UNION SELECT * FROM b)", ["a", "b"]),
    ])
  func positional(object: String, tables: [String]) throws {
    #expect(try users(object) == Set(tables.map { SQLName($0) }))
  }

  @Test(
    "are no others: names do not depend on the order",
    arguments: [
      "CREATE VIEW o AS SELECT * FROM a JOIN b USING (id)", "CREATE VIEW o AS SELECT a.*, replace(x, 'INTO', 1) FROM a",
      "CREATE VIEW o AS SELECT count(*), x * y FROM a UNION SELECT 1, 2",
      "CREATE VIEW o AS SELECT x FROM (SELECT * FROM b)",
      "CREATE VIEW o AS WITH n AS (SELECT * FROM b) SELECT x FROM n", "CREATE VIEW o (k) AS SELECT x FROM b",
      "CREATE TRIGGER o AFTER INSERT ON a WHEN EXISTS (SELECT * FROM b) BEGIN INSERT INTO b (id) VALUES (1); END",
      "CREATE TRIGGER o AFTER INSERT ON a BEGIN INSERT INTO b (x) SELECT x FROM a WHERE EXISTS (SELECT * FROM a); END",
    ])
  func byName(object: String) throws {
    #expect(try users(object) == [])
  }

  @Test("count only where they are declared: others were written for the order of the file")
  func unmanaged() throws {
    let object = "CREATE TRIGGER o AFTER INSERT ON a BEGIN INSERT INTO b VALUES (new.id, 1, 2); END"
    #expect(try users(object, unmanaged: ["o"]) == [])
  }

  @Test("get the declared order by a copy; without them, and behind all others, a column is added where it is")
  func plan() throws {
    let before = "CREATE TABLE log (m, n); CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO log VALUES ('M', 'N')"
    func strategies(_ log: String, _ body: String) throws -> [MigrationStep.Strategy] {
      let file = try TemporaryDatabase(before)
      let target = """
        CREATE TABLE log (\(log)); CREATE TABLE t (id INTEGER PRIMARY KEY);
        CREATE TRIGGER o AFTER INSERT ON t BEGIN \(body); END;
        """
      let plan = try file.migrate(to: target).plan
      try file.exec("INSERT INTO t VALUES (1)")
      #expect(
        try file.query("SELECT m, n, who FROM log") == [
          [.text("M"), .text("N"), .null], [.text("M"), .text("N"), .text("WHO")],
        ])
      try file.expectSettled(at: target)
      return plan.steps.filter { $0.object.name == "log" }.map(\.strategy)
    }
    #expect(try strategies("m, who, n", "INSERT INTO log VALUES ('M', 'WHO', 'N')") == [.rebuild])
    #expect(try strategies("m, n, who", "INSERT INTO log VALUES ('M', 'N', 'WHO')") == [.native])
    #expect(try strategies("m, who, n", "INSERT INTO log (m, who, n) VALUES ('M', 'WHO', 'N')") == [.native])
  }

  @Test("work again after an undo, in the order that they had", .needs(.dropColumn))
  func undo() throws {
    func schema(_ columns: String, _ values: String) -> String {
      """
      CREATE TABLE log (\(columns)); CREATE TABLE t (id INTEGER PRIMARY KEY);
      CREATE TRIGGER o AFTER INSERT ON t BEGIN INSERT INTO log VALUES (\(values)); END;
      """
    }
    let file = try TemporaryDatabase(schema("m, who, n", "'M', 'WHO', 'N'"))
    try file.migrate(to: schema("m, n", "'M', 'N'"))
    try MigrationUndo(at: file.path).apply()
    try file.exec("INSERT INTO t VALUES (1)")
    #expect(try file.query("SELECT m, who, n FROM log") == [[.text("M"), .text("WHO"), .text("N")]])
  }
}

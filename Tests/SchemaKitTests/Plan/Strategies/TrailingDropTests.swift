import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("TrailingDropRule", .needs(.dropColumn))
struct TrailingDropTests {
  /// A table that loses columns.
  struct Case: CustomStringConvertible, Sendable {
    var from: String
    var to: String
    /// The columns that have a DROP COLUMN of their own.
    var drops: [String]
    var rest = ""
    var restBefore = ""
    var description: String { "\(from) \(restBefore) → \(to)" }
    var file: String { "CREATE TABLE t (\(from))\(rest); \(restBefore)" }
    var target: String { "CREATE TABLE t (\(to))\(rest)" }
  }

  static let head = "id INTEGER PRIMARY KEY, a REAL, b TEXT"

  static let together = [
    Case(from: head + ", c INT, d BLOB, e TEXT", to: head, drops: ["c"]),
    Case(from: head + ", c INT NOT NULL DEFAULT 7, d TEXT CHECK (d > ''), e INT REFERENCES t", to: head, drops: ["c"]),
    Case(from: head + ", c AS (a + 1), d INT, e INT, f INT AS (a * 2) STORED", to: head, drops: ["c", "d"]),
    Case(from: head + ", c INT, k TEXT, d BLOB, e TEXT", to: head + ", k TEXT", drops: ["c"]),
    Case(from: head + ", c INT, k AS (a + 1), d BLOB, e TEXT", to: head + ", k AS (a + 1)", drops: ["c"]),
    Case(from: head + ", c INT UNIQUE, d INT, e INT", to: head, drops: ["c"]),
    Case(
      from: head + ", c INT, d INT", to: head, drops: ["c"],
      restBefore: "CREATE INDEX gone ON t (c, d); CREATE INDEX half ON t (d) WHERE c > 3"),
    Case(
      from: head + ", c INT, d INT, e INT", to: "id INTEGER PRIMARY KEY, a REAL, b TEXT NOT NULL CHECK (b > 'a')",
      drops: ["c"]),
  ]

  static let apart = [
    Case(from: head + ", c INT, d INT UNIQUE", to: head, drops: ["c", "d"]),
    Case(from: head + ", c INT, d INT, e INT, UNIQUE (d, e)", to: head, drops: ["c", "d", "e"]),
    Case(from: head + ", c INT, d TEXT", to: head, drops: [], rest: " WITHOUT ROWID"),
    Case(from: head + ", c INT, d INT", to: head + ", f INT DEFAULT 5", drops: ["c", "d"]),
    Case(from: head + ", c INT AS (a) STORED, d INT", to: head, drops: ["c", "d"]),
  ]

  private func file(_ example: Case) throws -> TemporaryDatabase {
    let filled = ["c", "d", "e"].filter { name in
      example.from.split(separator: ",").contains { $0.contains(" \(name) ") && !$0.contains(" AS ") }
    }
    return try TemporaryDatabase(
      """
      \(example.file);
      WITH n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 300)
        INSERT INTO t (id, a, b) SELECT value, value * 0.5, 'b' || value FROM n;
      \(filled.map { "UPDATE t SET \($0) = id WHERE id % 3 > 0;" }.joined())
      """)
  }

  private func statements(_ plan: MigrationPlan) -> [String] {
    plan.statements.map(\.sql).filter { $0.contains("DROP COLUMN") }
  }

  @Test("columns at the end go by one DROP COLUMN, and the rows are as they were", arguments: together)
  func dropsTogether(_ example: Case) throws {
    let file = try file(example)
    let rows = "SELECT id, quote(a), typeof(a), quote(b), typeof(b) FROM t ORDER BY id"
    let before = try file.query(rows)
    let plan = try file.plan(to: example.target)
    #expect(plan.steps.contains { $0.strategy == .catalog && $0.object.name == "t" }, "\(plan.steps.map(\.strategy))")
    #expect(statements(plan) == example.drops.map { "ALTER TABLE \"main\".\"t\" DROP COLUMN \"\($0)\"" })
    try file.migrate(to: example.target, allowing: .destructive)
    try file.expectSettled(at: example.target)
    #expect(try file.query(rows) == before)
    // No field of a column that went comes back in one that is added.
    try file.exec("ALTER TABLE t ADD COLUMN later TEXT DEFAULT 'new'; ALTER TABLE t ADD COLUMN last INT")
    #expect(try file.query("SELECT DISTINCT later, last FROM t") == [[.text("new"), .null]])
    #expect(try file.value("PRAGMA integrity_check") == .text("ok"))
  }

  @Test("each column has a DROP COLUMN where no other can write the rows without it", arguments: apart)
  func dropsApart(_ example: Case) throws {
    let file = try file(example)
    let change = try SchemaText.change(example.file, example.target)
    #expect(TrailingDropRule.undeclared(in: change).isEmpty)
    try file.migrate(to: example.target, allowing: .destructive)
    try file.expectSettled(at: example.target)
    #expect(try file.value("PRAGMA integrity_check") == .text("ok"))
  }

  @Test("rows that break rules of before are carried byte for byte")
  func standingFaults() throws {
    let file = try EditedFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT, c INT, d INT, e INT);
      INSERT INTO t VALUES (1, '007', NULL, 1, 2, 3), (2, 'x', 'y', 4, 5, 6)
      """, ["a TEXT": "a INTEGER", "b TEXT": "b TEXT NOT NULL"])
    let before = try file.values(of: ["a", "b"])
    let target = "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b TEXT NOT NULL)"
    try file.database.migrate(to: target, allowing: .everything)
    #expect(try file.values(of: ["a", "b"]) == before)
    #expect(try file.database.plan(to: target).isEmpty)
  }

  @Test("a column that does not go last keeps the order of the fields from being read otherwise")
  func shape() throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE t (a INT, b TEXT, c INT, d TEXT); INSERT INTO t VALUES (1, 'b', 3, 'd')")
    let connection = try SQLiteConnection(path: file.path, mode: .readWriteCreate)
    let sql = "UPDATE main.sqlite_master SET sql = 'CREATE TABLE t (a INT, c INT)' WHERE name = 't'"
    for undeclared: Set<SQLName> in [["b", "d"], ["b"], ["d"], []] {
      #expect(throws: SQLiteError.self) {
        try connection.transaction(.immediate) {
          try CatalogEditor(connection: connection).adopt(
            sql, on: "t", allowing: ChangedReading(undeclared: undeclared))
        }
      }
    }
    #expect(try file.query("SELECT * FROM t") == [[.int(1), .text("b"), .int(3), .text("d")]])
  }
}

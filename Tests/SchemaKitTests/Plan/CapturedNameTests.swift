import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Words that mean a column as soon as one has their name")
struct CapturedNameTests {
  struct Case: Sendable, CustomStringConvertible {
    var before: String
    var after: String
    var rows = "INSERT INTO t VALUES (1, 1), (7, 2)"
    var rename: (old: String, new: String)?

    var description: String { "\(before) -> \(after)" }
  }

  static let cases = [
    Case(
      before: "CREATE TABLE t (b INT, c INT); CREATE INDEX i ON t (c) WHERE rowid > 1;",
      after: "CREATE TABLE t (b INT, c INT, rowid INT DEFAULT 0); CREATE INDEX i ON t (c) WHERE rowid > 1;"),
    Case(
      before: "CREATE TABLE t (b INT, c INT); CREATE INDEX i ON t (c) WHERE t.oid > 1;",
      after: "CREATE TABLE t (b INT, c INT, oid INT); CREATE INDEX i ON t (c) WHERE t.oid > 1;"),
    Case(
      before: "CREATE TABLE t (b INT, c INT, rowid INT); CREATE INDEX i ON t (c) WHERE rowid > 0;",
      after: "CREATE TABLE t (b INT, c INT); CREATE INDEX i ON t (c) WHERE rowid > 0;",
      rows: "INSERT INTO t VALUES (1, 1, 0), (2, 2, 5)"),
    Case(
      before: "CREATE TABLE t (b INT, x INT); CREATE INDEX i ON t (b) WHERE rowid > 1;",
      after: "CREATE TABLE t (b INT, rowid INT); CREATE INDEX i ON t (b) WHERE rowid > 1;",
      rows: "INSERT INTO t VALUES (1, 0), (2, 0)", rename: ("x", "rowid")),
    Case(
      before: "CREATE TABLE t (b INT, c INT); CREATE INDEX i ON t (c) WHERE b = true;",
      after: "CREATE TABLE t (b INT, c INT, \"true\" INT DEFAULT 7); CREATE INDEX i ON t (c) WHERE b = true;"),
    Case(
      before: "CREATE TABLE t (b INT, c INT); CREATE INDEX i ON t (b IS false);",
      after: "CREATE TABLE t (b INT, c INT, \"false\" INT DEFAULT 7); CREATE INDEX i ON t (b IS false);"),
    Case(
      before: "CREATE TABLE t (b INT, c INT, g AS (b + true)); CREATE INDEX i ON t (g);",
      after: "CREATE TABLE t (b INT, c INT, g AS (b + true), \"true\" INT DEFAULT 7); CREATE INDEX i ON t (g);"),
    Case(
      before: "CREATE TABLE t (b INT, c INT, g AS (b + true) STORED); CREATE INDEX i ON t (g);",
      after: "CREATE TABLE t (b INT, c INT, g AS (b + true) STORED, \"true\" INT DEFAULT 7); CREATE INDEX i ON t (g);"),
  ]

  @Test("an index that reads such a word is made anew when a column gets or loses the name", arguments: cases)
  func captured(_ example: Case) throws {
    let file = try TemporaryDatabase(example.before + example.rows)
    var hints: MigrationHints?
    if let rename = example.rename {
      hints = MigrationHints()
      hints?.tables["t", default: TableHints()].columns[SQLName(rename.new), default: ColumnHints()].renamedFrom = [
        SQLName(rename.old)
      ]
    }
    try file.migrate(
      to: example.after,
      allowing: PlanPolicy(allowing: [.destructive, .lossy, .fault].map { .init(.hazardClass($0)) }), hints: hints)
    #expect(try file.query("PRAGMA integrity_check") == [[.text("ok")]])
  }

  @Test("rows that break a CHECK by what such a word means then are not left under it", arguments: [false, true])
  func check(isQuick: Bool) throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE t (b INT, c INT, CHECK (c <> true)); INSERT INTO t VALUES (1, 5), (7, 2)")
    #expect(throws: (any Error).self) {
      try file.migrate(to: "CREATE TABLE t (b INT, c INT, \"true\" INT DEFAULT 5, CHECK (c <> true))") {
        $0.plan.isQuick = isQuick
      }
    }
    #expect(try file.query("SELECT * FROM t") == [[.int(1), .int(5)], [.int(7), .int(2)]])
  }
}

import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Row checks: rows, values and rowids that go")
struct LossRowCheckTests {
  static let cases = [
    RowCase(
      name: "a dropped column", before: "CREATE TABLE t (k TEXT PRIMARY KEY, v INT, w INT);",
      fill: ["INSERT INTO t SELECT 'k' || i, CASE i % 3 WHEN 1 THEN 0 WHEN 2 THEN i END, i FROM n"],
      after: "CREATE TABLE t (k TEXT PRIMARY KEY, w INT);", code: .droppedColumn, object: "t.v",
      offending: "SELECT k FROM t WHERE v IS NOT NULL"),
    RowCase(
      name: "a dropped column of a renamed table whose other column is converted",
      before: "CREATE TABLE t (a INT, b TEXT, v INT, w INT, PRIMARY KEY (a, b)) WITHOUT ROWID;",
      fill: ["INSERT INTO t SELECT i, 'b', CASE i % 3 WHEN 1 THEN 0 WHEN 2 THEN i END, i FROM n"],
      after: """
        CREATE TABLE u ( -- schemakit: renamed from t
        a INT, b TEXT, w TEXT NOT NULL, PRIMARY KEY (a, b)) WITHOUT ROWID;
        """, code: .droppedColumn, object: "u.v",
      offending: "SELECT '(' || a || ', ''b'')' FROM t WHERE v IS NOT NULL"),
    RowCase(
      name: "a dropped table", before: "CREATE TABLE t (k TEXT PRIMARY KEY, v); CREATE TABLE u (a);",
      fill: ["INSERT INTO t SELECT 'k' || i, i FROM n"], after: "CREATE TABLE u (a);", code: .droppedTable,
      object: "t", offending: "SELECT k FROM t"),
    RowCase(
      name: "a dropped table with a composite key",
      before: "CREATE TABLE t (a INT, b TEXT, PRIMARY KEY (b, a)) WITHOUT ROWID; CREATE TABLE u (a);",
      fill: ["INSERT INTO t SELECT i, 'b' FROM n"], after: "CREATE TABLE u (a);", code: .droppedTable, object: "t",
      offending: "SELECT '(''b'', ' || a || ')' FROM t"),
    RowCase(
      name: "rowids that become another column's", before: "CREATE TABLE t (a INT, b TEXT);",
      fill: ["INSERT INTO t SELECT CASE WHEN i % 2 THEN -i ELSE i END, 'b' FROM n"],
      after: "CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT);", code: .renumberedRows, object: "t",
      offending: "SELECT CAST(rowid AS TEXT) FROM t WHERE rowid <> a"),
    RowCase(
      name: "rowids that a backfill gives anew", before: "CREATE TABLE t (a INT, b TEXT);",
      fill: ["INSERT INTO t SELECT i * 10, 'b' FROM n"],
      after: "CREATE TABLE t (\nid INTEGER PRIMARY KEY, -- schemakit: fill a\na INT, b TEXT);", code: .renumberedRows,
      object: "t", offending: "SELECT CAST(rowid AS TEXT) FROM t"),
    RowCase(
      name: "rowids that a full-text index follows",
      before: "CREATE TABLE t (a INT PRIMARY KEY, b TEXT); CREATE VIRTUAL TABLE f USING fts5(b, content='t');",
      fill: ["INSERT INTO t SELECT i * 2, 'b' FROM n", "INSERT INTO f (rowid, b) SELECT i, 'b' FROM n"],
      after: """
        CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT); CREATE VIRTUAL TABLE f USING fts5(b, content='t');
        """, code: .renumberedRows, object: "t", offending: "SELECT CAST(a AS TEXT) FROM t"),
    RowCase(
      name: "rowids that a full-text index follows and that go",
      before: "CREATE TABLE t (a INT PRIMARY KEY, b TEXT); CREATE VIRTUAL TABLE f USING fts5(b, content='t');",
      fill: ["INSERT INTO t SELECT i * 2, 'b' FROM n", "INSERT INTO f (rowid, b) SELECT i, 'b' FROM n"],
      after: """
        CREATE TABLE t (a INT PRIMARY KEY NOT NULL, b TEXT) WITHOUT ROWID;
        CREATE VIRTUAL TABLE f USING fts5(b, content='t');
        """, code: .renumberedRows, object: "t", offending: "SELECT CAST(a AS TEXT) FROM t"),
  ]

  @Test("whatever goes is counted before the first write", arguments: cases, RowCase.counts)
  func losses(rowCase: RowCase, rows: Int) throws { try rowCase.check(rows: rows) }

  @Test("the AUTOINCREMENT mark outlives a rebuild and the rows that made it", arguments: RowCase.counts)
  func highWaterMark(rows: Int) throws {
    func schema(_ type: String) -> String { "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, v \(type));" }
    let file = try RowCase(
      name: "", before: schema("INT") + "INSERT INTO t VALUES (500000, 1); DELETE FROM t;",
      fill: ["INSERT INTO t SELECT i, i FROM n"], after: "", code: .nullsUnderNotNull, object: "", offending: ""
    ).file(rows: rows, journalMode: "delete")
    try file.migrate(to: schema("TEXT"))
    #expect(try file.query("SELECT name, seq FROM sqlite_sequence") == [[.text("t"), .int(500_000)]])
    #expect(try file.value("SELECT count(*) FROM t WHERE v = '' || id") == .int(Int64(rows)))
  }
}

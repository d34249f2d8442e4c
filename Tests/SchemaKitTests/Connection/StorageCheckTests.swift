import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

/// What is damage, and what rows and programs have to settle among themselves.
@Suite("Copies of a database, and what their check takes for damage")
struct StorageCheckTests {
  /// Rewrites the SQL of a table behind SQLite's back.
  private static func rewritten(_ old: String, _ new: String) -> String {
    "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, '\(old)', '\(new)');"
  }

  private func copy(_ file: TemporaryDatabase) throws -> RawSQLite {
    let path = file.path + ".copy"
    try SQLiteConnection(path: file.path, mode: .readOnly).backup(toNewFile: path)
    return try RawSQLite(path)
  }

  @Test(
    "a database is copied as it is, whatever its rows and tables ask of a program",
    arguments: [
      "CREATE TABLE t (a, b); INSERT INTO t VALUES (1, NULL);" + rewritten("b)", "b NOT NULL)"),
      "CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 2);" + rewritten("b)", "b CHECK (b > 3))"),
      "CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 2);" + rewritten("b)", "b CHECK (mine(b)))"),
      "CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 2);" + rewritten("b)", "b, c AS (mine(b)) NOT NULL)"),
      "CREATE TABLE t (a, b); CREATE INDEX i ON t (b); INSERT INTO t VALUES (1, 2);"
        + rewritten("ON t (b", "ON t (b COLLATE mine"),
      "CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 2); CREATE VIRTUAL TABLE f USING fts5(x); INSERT INTO f VALUES (1);"
        + rewritten("(x)", "(x, tokenize=mine)"),
      "CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 2); CREATE VIRTUAL TABLE f USING fts4(x, content='');"
        + "INSERT INTO f (docid, x) VALUES (1, 'one');",
    ])
  func copied(sql: String) throws {
    let file = try TemporaryDatabase(sql)
    #expect(try copy(file).rows("SELECT a FROM t") == [[.int(1)]])
  }

  @Test(
    "a copy of a damaged file is refused with what is wrong, and nothing is left of it",
    arguments: ["CREATE TABLE t (a)", "CREATE TABLE t (a, b AS (a) NOT NULL)"])
  func damaged(sql: String) throws {
    let file = try TemporaryDatabase(
      """
      PRAGMA page_size = 4096; \(sql);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) INSERT INTO t SELECT 'row ' || i FROM n;
      """ + Self.rewritten("AS (a)", "AS (mine(a))"))
    var bytes = try file.bytes
    bytes.replaceSubrange(4096 * 5..<4096 * 6, with: Data(repeating: 0x5A, count: 4096))
    try bytes.write(to: URL(fileURLWithPath: file.path))
    let error = try #require(throws: SQLiteError.self) { try copy(file) }
    #expect(error.isCorrupt)
    let found = EncryptedFiles.areOn ? "HMAC verification failed" : "does not pass quick_check: "
    #expect(error.message.contains(found) && error.message.contains("age 6"), "\(error)")
    #expect(!FileManager.default.fileExists(atPath: file.path + ".copy"))
  }

  @Test("a row of another table that breaks a rule does not stop a change, whatever the beginning of its name")
  func brokenElsewhere() throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE t (a); CREATE TABLE t2 (b); INSERT INTO t2 VALUES (NULL);" + Self.rewritten("(b)", "(b NOT NULL)"))
    let target = "CREATE TABLE t (a, c); CREATE TABLE t2 (b NOT NULL)"
    try file.migrate(to: target) { $0.plan.verification = .paranoid }
    #expect(try file.query("SELECT name FROM pragma_table_info('t')").map { $0[0].string } == ["a", "c"])
  }

  @Test(
    "a line about the values of a row names its table",
    arguments: [
      ("NULL value in t.c", ["t"]), ("CHECK constraint failed in t2", ["t2"]), ("non-INT value in t 2.c", ["t 2"]),
      ("row 3 missing from index i", []),
    ])
  func places(line: String, tables: [String]) {
    let finding = StorageCheck.ValueFinding(line)
    #expect(["t", "t2", "t 2"].filter { finding?.isInTable(named: $0) == true } == tables)
  }

  @Test(
    "only columns that hold NULL are said to, behind a text in a column of numbers as well",
    arguments: ["", " WITHOUT ROWID"])
  func misreadNulls(ending: String) throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE t (k PRIMARY KEY, a, b, c)\(ending); INSERT INTO t VALUES (1, NULL, 'x', 'y'), (2, NULL, 'x', NULL);"
        + Self.rewritten("a, b, c", "a NOT NULL, b NUMERIC, c NOT NULL"))
    let connection = try SQLiteConnection(path: file.path)
    for depth in [StorageCheck.Depth.quick, .full] {
      var found = try StorageCheck(connection: connection, depth: depth).run()
      try found.removeMisreadNulls(on: connection)
      #expect(found.values.map(\.text).sorted() == ["NULL value in t.a", "NULL value in t.a", "NULL value in t.c"])
      #expect(found.damage.isEmpty)
    }
  }

  @Test("rows are held against CHECKs again after the check")
  func settingComesBack() throws {
    let file = try TemporaryDatabase("CREATE TABLE t (a CHECK (a > 0))")
    let connection = try SQLiteConnection(path: file.path)
    _ = try StorageCheck(connection: connection).run()
    #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO t VALUES (0)") }
  }
}

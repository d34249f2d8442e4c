import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("TableDDL")
struct TableDDLTests {
  private func ddl(_ new: String, keeping old: String? = nil, as name: SQLName? = nil) throws -> String {
    let target = try SchemaText.table(new)
    let writer = TableDDL(target, keeping: try old.map { try SchemaText.table($0) })
    return try name.map { try writer.create(as: $0) } ?? writer.create()
  }

  @Test(
    "under its own name only main is added",
    arguments: [
      ("CREATE TABLE t (a)", "CREATE TABLE \"main\".t (a)"),
      ("create table \"T x\"(a, check(\"T x\".a > 0))", "create table \"main\".\"T x\"(a, check(\"T x\".a > 0))"),
      ("CREATE TABLE IF NOT EXISTS main.[t] (a) -- end", "CREATE TABLE IF NOT EXISTS \"main\".[t] (a) -- end"),
    ])
  func ownName(sql: String, expected: String) throws {
    #expect(try ddl(sql) == expected)
  }

  @Test("the text of unchanged columns stays, comments and odd spelling included")
  func keepsText() throws {
    let old = """
      CREATE TABLE t (
        a   integer  primary key /* the key */,
        "b" VarChar(10)  default 'x' not null,
        c INT
      )
      """
    let new = "CREATE TABLE t (a INTEGER PRIMARY KEY, b VARCHAR(10) NOT NULL DEFAULT 'x', c INT NOT NULL)"
    let text = try ddl(new, keeping: old, as: "n")
    #expect(text.contains("a   integer  primary key"))
    #expect(text.contains("\"b\" VarChar(10)  default 'x' not null"))
    #expect(text.contains("c INT NOT NULL"))
    #expect(TableChange(from: try SchemaText.table(text), to: try SchemaText.table(new)).isEmpty)
  }

  @Test(
    "a column is not kept whose constraints moved elsewhere",
    arguments: [
      ("CREATE TABLE t (a INT CHECK (a > 0), b)", "CREATE TABLE t (a INT, b NOT NULL)"),
      ("CREATE TABLE t (a INT UNIQUE, b)", "CREATE TABLE t (a INT, b NOT NULL, UNIQUE (a, b))"),
      ("CREATE TABLE t (a INT REFERENCES u, b)", "CREATE TABLE t (a INT REFERENCES v, b NOT NULL)"),
      ("CREATE TABLE t (a INT UNIQUE, b)", "CREATE TABLE t (a INT, b, UNIQUE (a))"),
    ])
  func movedConstraints(old: String, new: String) throws {
    let read = try SchemaText.table(ddl(new, keeping: old))
    #expect(TableChange(from: read, to: try SchemaText.table(new)).isEmpty)
  }

  @Test("a change of case alone takes the new spelling")
  func changedCase() throws {
    #expect(
      try ddl("CREATE TABLE t (Title TEXT, b NOT NULL)", keeping: "CREATE TABLE t (title text, b)")
        == "CREATE TABLE \"main\".t (Title TEXT, b NOT NULL)")
  }

  @Test("under another name the table's own qualifiers go, and nothing else does")
  func ownQualifiers() throws {
    let sql = """
      CREATE TABLE t (t TEXT CHECK (t.t <> 't.x'), a INT CHECK ("T".a > 0), g AS (t.a + 1), CHECK (main.t.a < t . g))
      """
    #expect(
      try ddl(sql, as: "n")
        == """
        CREATE TABLE "main"."n" (t TEXT CHECK (t <> 't.x'), a INT CHECK (a > 0), g AS (a + 1), CHECK (a <  g))
        """)
  }

  @Test(
    "a table under its temporary name can be made, filled, renamed and read back as declared",
    arguments: [
      "CREATE TABLE t (a INTEGER PRIMARY KEY, b INT CHECK (t.b > 0), FOREIGN KEY (b) REFERENCES t (a))",
      "CREATE TABLE t (\"t\" INT, CHECK (\"t\".\"t\" IS NOT 5)) STRICT",
      "CREATE TABLE t (main INT, CHECK (main.t.main IS NOT t.main + 5))",
      "CREATE TABLE t (a, b AS (t.a || 'x') STORED, PRIMARY KEY (a)) WITHOUT ROWID",
    ])
  func roundTrip(sql: String) throws {
    try Engine.require(sql)
    let database = try RawSQLite()
    try database.exec(ddl(sql, as: "temporary name"))
    try database.exec("PRAGMA legacy_alter_table = ON; ALTER TABLE \"temporary name\" RENAME TO t")
    let stored = try #require(try database.rows("SELECT sql FROM sqlite_master WHERE type = 'table'").first?[0].string)
    #expect(TableChange(from: try SchemaText.table(stored), to: try SchemaText.table(sql)).isEmpty)
  }
}

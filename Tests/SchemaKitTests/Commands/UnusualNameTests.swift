import Testing

@testable import SchemaKit

@Suite("Names that only some programs have")
struct UnusualNameTests {
  private let folder: CommandFolder

  init() throws { folder = try CommandFolder() }

  @Test("consent for an unusual name says how the name is written")
  func consent() throws {
    try folder.database(
      "a.db", "CREATE TABLE \"n:t\" (id INTEGER PRIMARY KEY, a TEXT, b TEXT); INSERT INTO \"n:t\" VALUES (1, 2, 3)")
    try folder.write("CREATE TABLE \"n:t\" (id INTEGER PRIMARY KEY, a TEXT);", to: "s.sql")
    let run = try folder.run("apply", "a.db", "--to", "s.sql", "--yes", "--allow", "SK102:n:t.b")
    #expect(run.status == 64)
    #expect(run.errors.contains("with unusual names in double quotes"), "\(run.errors)")
    #expect(try folder.run("apply", "a.db", "--to", "s.sql", "--yes", "--allow", "SK102:\"n:t\".b").status == 0)
  }

  @Test("rows that nothing names are told by their values, each in brackets")
  func rows() throws {
    let table = "CREATE TABLE u (oid TEXT, _rowid_ TEXT, rowid TEXT, b TEXT"
    try folder.database("a.db", "\(table)); INSERT INTO u VALUES (1, 2, 3, 'x'), (4, 5, 6, 'x')")
    try folder.write("\(table) CHECK (b = 'y'));", to: "s.sql")
    let run = try folder.run("plan", "a.db", "--to", "s.sql")
    #expect(run.output.contains("2 rows (keys ('1', '2', '3', 'x'), ('4', '5', '6', 'x'))"), "\(run.output)")
  }

  @Test("a tokenizer that is missing has a way on", .needs(.fts5))
  func tokenizer() throws {
    try folder.database("a.db", "CREATE TABLE t (a)")
    try folder.write("CREATE TABLE t (a); CREATE VIRTUAL TABLE f USING fts5(a, tokenize=own);", to: "s.sql")
    let run = try folder.run("check", "a.db", "--to", "s.sql")
    #expect(run.status == 1)
    #expect(run.errors.contains("--load-extension FILE, or leave the table alone with --ignore"), "\(run.errors)")
    #expect(try folder.run("check", "a.db", "--to", "s.sql", "--ignore", "f").status == 0)
  }

  @Test("the statement that SQLite cannot read is named, and not one whose tokenizer is missing", .needs(.fts5))
  func malformed() throws {
    try folder.database(
      "a.db",
      """
      CREATE TABLE t (a); CREATE VIRTUAL TABLE f USING fts5(a, content='v'); CREATE VIEW v AS SELECT rowid, a FROM main.t;
      PRAGMA writable_schema = ON;
      UPDATE sqlite_master SET sql = replace(sql, 'content=', 'tokenize=own, content=') WHERE name = 'f';
      UPDATE sqlite_master SET sql = replace(sql, 'main.t', 'other.t') WHERE name = 'v';
      """)
    for words in [["doctor", "a.db"], ["inspect", "a.db"]] {
      let run = try CommandRun(words, in: folder)
      let told = run.output + run.errors
      #expect(told.contains("view v") && !told.contains("table f"), "\(told)")
    }
  }

  @Test("a recorded step of many objects is told in a line that can be read")
  func manyObjects() throws {
    let tables = (1...40).map { "CREATE TABLE table_\($0) (id INTEGER PRIMARY KEY);" }
    try folder.write(tables.joined(separator: "\n"), to: "s.sql")
    #expect(try folder.run("migrations", "new", "first", "--to", "s.sql", "--migrations", "m").status == 0)
    let run = try folder.run("apply", "a.db", "--migrations", "m", "--create", "--yes")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("create table_7 and 33 more"), "\(run.output)")
  }
}

import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitOperations

@Suite("Input that is not understood is an error with its place")
struct NotUnderstoodTests {
  // MARK: - Statements that are skipped

  /// Statements that say nothing of the schema, and that SQLite reads.
  static let skipped = [
    "INSERT INTO a VALUES (1, 'it''s'), (2, x'00')", "INSERT INTO main.a DEFAULT VALUES",
    "INSERT OR REPLACE INTO a AS b (id) SELECT 1 WHERE true ON CONFLICT (id) DO UPDATE SET id = excluded.id",
    "INSERT INTO \"a\" (id) VALUES (?1), (:name)", "REPLACE INTO a VALUES (1)", "INSERT INTO a VALUES (1) RETURNING *",
    "UPDATE OR IGNORE main.a AS b SET id = 2 WHERE id = 1", "UPDATE a INDEXED BY i SET id = 2",
    "INSERT INTO a DEFAULT VALUES RETURNING id", "UPDATE a SET id = 2 ORDER BY id LIMIT 1",
    "DELETE FROM a WHERE id > 1 RETURNING id LIMIT 2", "DELETE FROM a LIMIT 1 OFFSET 2",
    "DELETE FROM main.a AS b WHERE id IN (SELECT id FROM main.other)", "DELETE FROM sqlite_sequence",
    "WITH w (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM w) INSERT INTO a SELECT replace(x, 1, 2) FROM w",
    "WITH w AS (VALUES (1)) SELECT * FROM w", "WITH w AS (SELECT 1) DELETE FROM a WHERE id IN w",
    "SELECT count(*) FROM a ORDER BY 1 LIMIT 1", "VALUES (1), (2)", "EXPLAIN QUERY PLAN SELECT 1",
    "PRAGMA foreign_keys=OFF", "PRAGMA main.user_version = -3", "PRAGMA wal_checkpoint(TRUNCATE)", "ANALYZE main.a",
    "REINDEX", "VACUUM INTO 'x.db'", "BEGIN IMMEDIATE TRANSACTION; COMMIT", "ROLLBACK TRANSACTION TO SAVEPOINT s",
    "END",
  ]

  @Test("a statement on rows is skipped where SQLite can read it, whatever it names", arguments: skipped)
  func isSkipped(sql: String) throws {
    let (declaration, _) = try SQLSchemaParser.parse(
      "CREATE TABLE a (id INTEGER PRIMARY KEY);\n\(sql);\nCREATE TABLE b (x);", source: "s.sql")
    #expect(declaration.statements.count == 2)
  }

  /// Statements that have swallowed what follows them, or are none.
  static let broken = [
    "INSERT INTO a VALUES (\n", "INSERT INTO a VALUES (1)\n", "INSERT INTO a (id VALUES (1)", "UPDATE a SET id = 1\n",
    "DELETE FROM a WHERE\n", "DELETE FROM a LIMIT\n", "SELECT 1\n",
    "WITH w AS (SELECT 1) INSERT INTO a SELECT * FROM w\n",
    "INSERT INTO t VALUES ('a', 'CREATE TABLE x (y 'z')')", "PRAGMA foreign_keys = OFF\n", "PRAGMA user_version\n",
    "ANALYZE\n", "BEGIN\n", "COMMIT TRANSACTION\n", "SELECT FROM", "EXPLAIN SELECT FROM", "FROB THE TABLE",
    "INSERT INTO sqlite_schema VALUES ('table', 'x', 'x', 2, 'CREATE TABLE x (y)')",
    "WITH w AS (SELECT 1) UPDATE sqlite_master SET sql = ''",
  ]

  @Test("a statement that SQLite cannot read is an error with its line", arguments: broken)
  func isRefused(sql: String) throws {
    let isOpen = sql.hasSuffix("\n")
    let text = "CREATE TABLE a (id INTEGER PRIMARY KEY);\n\(sql)\(isOpen ? "" : ";\n")CREATE TABLE b (x);"
    let error = #expect(throws: SchemaError.self) { try SQLSchemaParser.parse(text, source: "s.sql") }
    #expect(error?.line == 2)
  }

  @Test(
    "a dump that is not whole is no schema",
    arguments: ["BEGIN;\nCREATE TABLE a (id);", "BEGIN;\nCREATE TABLE a (id);\nROLLBACK; -- due to errors"])
  func incomplete(text: String) throws {
    let error = #expect(throws: SchemaError.self) { try SQLSchemaParser.parse(text, source: "s.sql") }
    #expect(error?.problem.hasPrefix("the dump is incomplete") == true)
    let whole = "BEGIN;\nCREATE TABLE a (id);\nSAVEPOINT s;\nROLLBACK TO s;\nEND;"
    #expect(try SQLSchemaParser.parse(whole, source: "s.sql").declaration.statements.count == 1)
  }

  @Test(
    "a command by which the shell would read more is an error with its line",
    arguments: [".read b.sql", ".import b.csv t", ".rest b.db", ".open b.db"])
  func readsMore(command: String) throws {
    let text = "CREATE TABLE a (id INTEGER PRIMARY KEY);\n.headers on\n\(command)\nCREATE TABLE b (x);"
    let error = #expect(throws: SchemaError.self) { try SQLSchemaParser.parse(text, source: "s.sql") }
    #expect(error?.line == 3)
    #expect(throws: SQLSyntaxError.self) { try SQLScript.statements(in: text) }
    let other = text.replacing(command, with: ".bail on")
    #expect(try SQLSchemaParser.parse(other, source: "s.sql").declaration.statements.count == 2)
  }

  @Test("what is skipped is counted once for a file")
  func counts() throws {
    let inserts = (1...9).map { "INSERT INTO a VALUES (\($0));\n" }.joined()
    let notes = try SQLSchemaParser.parse("CREATE TABLE a (id);\n\(inserts)PRAGMA x;\nPRAGMA y;", source: "s.sql").notes
    #expect(
      notes == ["s.sql: skipped 9 INSERT from line 2 on; PRAGMA on lines 11 and 12; only the schema is read."])
  }

  @Test("a dump whose quotes are not doubled changes nothing")
  func brokenDump() throws {
    let folder = try CommandFolder()
    try folder.database(
      "f.db", "CREATE TABLE t (id INTEGER PRIMARY KEY, b TEXT); CREATE VIRTUAL TABLE tf USING fts5(b, content='t')")
    try folder.write(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, b TEXT);
      INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql)
        VALUES('table','tf','tf',0,'CREATE VIRTUAL TABLE tf USING fts5(b, content='t')');
      """, to: "dump.sql")
    let run = try folder.run("apply", "f.db", "--to", "dump.sql", "--yes")
    #expect(run.status == 1 && run.errors.contains("dump.sql:2: "), "\(run.errors)")
    #expect(try folder.rows(of: "f.db", "SELECT count(*) FROM sqlite_master WHERE name = 'tf'") == [[.int(1)]])
  }

  @Test("lines of the shell that begin with # are comments, and nothing else is")
  func hashes() throws {
    let text = "# one\nCREATE TABLE a (id);\n# two; CREATE TABLE b (id);\n"
    #expect(try SQLSchemaParser.parse(text, source: "s.sql").declaration.statements.count == 1)
    for text in ["CREATE TABLE a (id, # key\n b);", " # one\nCREATE TABLE a (id);"] {
      let error = #expect(throws: SchemaError.self) { try SQLSchemaParser.parse(text, source: "s.sql") }
      #expect(error?.problem.contains("comments begin with --") == true)
    }
  }

  // MARK: - Options

  @Test(
    "an option that takes one value is not given twice with different ones",
    arguments: [
      ["plan", "r.db", "--to", "a.sql", "--profile", "d1", "--profile", "rqlite"],
      ["plan", "r.db", "--to=a.sql", "--profile=d1", "--profile", "rqlite"],
      ["apply", "r.db", "--to", "a.sql", "--strategy", "swap", "--strategy=rebuild"],
      ["migrations", "status", "r.db", "--migrations", "m", "--migrations", "n"],
      ["apply", "r.db", "--to", "a.sql", "--create", "--no-create"],
      ["plan", "r.db", "--to", "a.sql", "--no-strict-order", "--strict-order"],
    ])
  func twice(arguments: [String]) throws {
    let folder = try CommandFolder()
    try folder.database("r.db", "CREATE TABLE a (id); CREATE TABLE b (id)")
    try folder.write("CREATE TABLE a (id);", to: "a.sql")
    try folder.write("CREATE TABLE b (id);", to: "b.sql")
    let run = try CommandRun(arguments, in: folder)
    #expect(run.status == 64, "\(run.errors)")
    #expect(run.errors.contains(/takes one value, and is given as|contradict each other/), "\(run.errors)")
    #expect(try folder.rows(of: "r.db", "SELECT count(*) FROM sqlite_master") == [[.int(2)]])
  }

  @Test("an option with the same value twice, and one that repeats, are taken")
  func repeated() throws {
    let folder = try CommandFolder()
    try folder.database("r.db", "CREATE TABLE a (id)")
    try folder.write("CREATE TABLE a (id);", to: "a.sql")
    let run = try folder.run(
      "plan", "r.db", "--to", "a.sql", "--to", "a.sql", "--ignore", "x", "--ignore", "y", "--allow", "lossy", "--allow",
      "SK101")
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test(
    "seconds that no clock holds are refused before anything runs",
    arguments: [
      ["fleet", "apply", "--databases", "r.db", "--to", "a.sql", "--hook-timeout", "1e300"],
      ["fleet", "apply", "--databases", "r.db", "--to", "a.sql", "--pause", "1e300"],
      ["plan", "r.db", "--to", "a.sql", "--lock-timeout", "1e300"],
      ["apply", "r.db", "--to", "a.sql", "--wal-wait", "1e300"],
    ])
  func seconds(arguments: [String]) throws {
    let folder = try CommandFolder()
    let run = try CommandRun(arguments, in: folder)
    #expect(run.status == 64 && run.errors.contains("seconds"), "\(run.errors)")
  }

  // MARK: - Files

  @Test("text that is not UTF-8 is an error with its line")
  func encoding() throws {
    let folder = try CommandFolder()
    try folder.database("x.db", "CREATE TABLE t (a)")
    for (bytes, line) in [
      (Array("-- M".utf8) + [0xE9] + Array("ter\nCREATE TABLE t (a);\n".utf8), 1),
      (Array("CREATE TABLE t (a);\nINSERT INTO t VALUES ('".utf8) + [0xE9] + Array("');\n".utf8), 2),
      ([0xFF, 0xFE, 0x43, 0x20, 0x52, 0x20], 1),
    ] {
      try Data(bytes).write(to: folder.url("s.sql"))
      let run = try folder.run("check", "x.db", "--to", "s.sql")
      #expect(run.status == 1 && run.errors.contains("s.sql:\(line): "), "\(run.errors)")
    }
  }

  @Test("JSON of another tool is called what it is not", arguments: ["{\"formatVersion\": 1, \"tables\": []}", "[1]"])
  func json(text: String) throws {
    let error = #expect(throws: SchemaError.self) { try SchemaSnapshot.parse(Data(text.utf8), source: "x.json") }
    #expect(error?.problem.contains("inspect --format json") == true)
  }
}

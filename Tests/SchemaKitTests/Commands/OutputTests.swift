import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("What the commands print")
struct OutputTests {
  let folder: CommandFolder
  static let before = """
    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT, legacy TEXT);
    CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT, author_id INTEGER REFERENCES author);
    CREATE INDEX book_title ON book (title);
    CREATE TABLE log (what TEXT);
    CREATE TRIGGER book_added AFTER INSERT ON book BEGIN INSERT INTO log VALUES (new.title); END;
    CREATE VIEW titles AS SELECT title FROM book;
    INSERT INTO author VALUES (1, 'Ann', 'x'), (2, 'Bea', NULL);
    INSERT INTO book VALUES (7, 'One', 1), (9, 'Two; -- not a comment', 2);
    """
  static let after = """
    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT, country TEXT DEFAULT 'none');
    CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, author_id INTEGER REFERENCES author) WITHOUT ROWID;
    CREATE INDEX book_title ON book (title);
    CREATE TABLE log (what TEXT);
    CREATE TRIGGER book_added AFTER INSERT ON book BEGIN INSERT INTO log VALUES (new.title); END;
    CREATE VIEW titles AS SELECT title, author_id FROM book;
    """

  init() throws {
    folder = try CommandFolder()
    try folder.database("books.db", Self.before)
    try folder.write(Self.after, to: "books.sql")
  }

  @Test("plan --format sql gives the same schema and rows as apply", .needs(.catalogReset))
  func script() throws {
    try folder.bytes("books.db").write(to: folder.url("piped.db"))
    let script = try folder.run("plan", "piped.db", "--to", "books.sql", "--format", "sql", "--allow", "destructive")
    #expect(script.status == 0)
    #expect(script.errors.isEmpty)
    try folder.database("piped.db", script.output.withoutShellCommands)
    #expect(
      try folder.run("apply", "books.db", "--to", "books.sql", "--yes", "--allow", "destructive").status == 0)
    #expect(try folder.run("diff", "piped.db", "books.db").status == 0)
    for table in ["author", "book", "log", "titles"] {
      let rows = try folder.rows(of: "piped.db", "SELECT * FROM \(table)")
      #expect(rows == (try folder.rows(of: "books.db", "SELECT * FROM \(table)")))
    }
    #expect(try folder.run("check", "piped.db", "--to", "books.sql").status == 0)
  }

  @Test(
    "a script stops at rows that came after the plan and would break what it declares", .needs(.catalogReset),
    arguments: [
      ("a INT NOT NULL, b INT", "NULL, 1"), ("a INT, b INT, CHECK (b > 0)", "1, -1"),
      ("a INT DEFAULT 7 NOT NULL, b INT CHECK (b > 0)", "1, -1"), ("a REAL, b INT", "9007199254740993, 1"),
      ("a INT, b INT CHECK (a < 9), UNIQUE (b)", "9, 2"),
    ])
  func guardedScript(columns: String, row: String) throws {
    try folder.database("late.db", "CREATE TABLE late (a INT, b INT); INSERT INTO late VALUES (1, 1)")
    try folder.write("CREATE TABLE late (\(columns));", to: "late.sql")
    let script = try folder.run("plan", "late.db", "--to", "late.sql", "--format", "sql").output.withoutShellCommands
    #expect(script.contains("writable_schema"))
    try folder.database("good.db", "CREATE TABLE late (a INT, b INT); INSERT INTO late VALUES (1, 1)")
    try folder.database("good.db", script)
    #expect(try folder.run("check", "good.db", "--to", "late.sql").status == 0)
    try folder.database("late.db", "INSERT INTO late VALUES (\(row))")
    #expect {
      try folder.database("late.db", script)
    } throws: { error in
      "\(error)".contains("Stopped: a row of late breaks what is declared from now on")
    }
    #expect(
      try folder.rows(of: "late.db", "SELECT sql FROM sqlite_master") == [[.text("CREATE TABLE late (a INT, b INT)")]])
  }

  @Test("the script of a plan that would be refused changes nothing")
  func refusedScript() throws {
    let script = try folder.run("plan", "books.db", "--to", "books.sql", "--format", "sql")
    #expect(script.errors.contains("the script holds comments only"))
    let before = try folder.bytes("books.db")
    try folder.database("books.db", script.output)
    #expect(try folder.bytes("books.db") == before)
  }

  @Test("the text of a plan names strategy, rows, hazards and what happened", .needs(.dropColumn))
  func text() throws {
    let run = try folder.run("plan", "books.db", "--to", "books.sql")
    for words in [
      "books.db: 7 changes in 2 tables and 1 view, SQLite", "add column country TEXT", "-/+ rebuild  book",
      "2 rows copied", "restores 1 index and 1 trigger", "replace  view titles", "! SK102  destructive, needs consent",
      "author.legacy, 1 row (key 1)", "0 to add, 2 to change, 1 to rebuild, 0 to drop",
    ] {
      #expect(run.output.contains(words), "\(words)")
    }
    #expect(run.lastLine == "apply would refuse: SK102 needs consent. Nothing was changed.")
    #expect(!run.output.contains("\u{1B}"))
    let verbose = try folder.run(
      "plan", "books.db", "--to", "books.sql", "-v", "--color", "always")
    #expect(verbose.output.contains("INSERT OR ABORT INTO"))
    #expect(verbose.output.contains("\u{1B}["))
  }

  @Test("JSON of plan, apply, check, diff and history has format 2 and says the outcome")
  func json() throws {
    let plan = try folder.run("plan", "books.db", "--to", "books.sql", "--format", "json")
    #expect(plan.json["formatVersion"] as? Int == 2)
    #expect((plan.json["refused"] as? [[String: String]])?.first?["code"] == "SK102")
    #expect((plan.json["summary"] as? [String: Int])?["rebuild"] == (Engine.has(.dropColumn) ? 1 : 2))
    let check = try folder.run("check", "books.db", "--to", "books.sql", "--format", "json")
    #expect(check.json["status"] as? String == "pending")
    let apply = try folder.run(
      "apply", "books.db", "--to", "books.sql", "--yes", "--allow", "SK102", "--format", "json")
    #expect(apply.json["outcome"] as? String == "applied")
    let diff = try folder.run("diff", "books.db", "books.sql", "--format", "json")
    #expect(diff.json["isEqual"] as? Bool == true)
    let history = try folder.run("history", "books.db", "--format", "json")
    #expect((history.json["entries"] as? [Any])?.count == 1)
  }

  @Test("inspect as SQL and as a snapshot reads back as the same schema", arguments: ["sql", "json"])
  func inspect(format: String) throws {
    let printed = try folder.run("inspect", "books.db", "--format", format)
    #expect(printed.status == 0)
    try folder.write(printed.output, to: "printed.\(format)")
    #expect(try folder.run("diff", "books.db", "printed.\(format)").status == 0)
    #expect(try folder.run("check", "books.db", "--to", "printed.\(format)").status == 0)
  }

  @Test("inspect as Swift prints models of a file, of SQL and of nothing, and warns of what is SQL in them")
  func inspectAsSwift() throws {
    let file = try folder.run("inspect", "books.db", "--format", "swift")
    #expect(file.status == 0)
    #expect(file.errors.isEmpty)
    #expect(file.output.contains("struct Author: Model {"))
    let other = try folder.run(
      "inspect", "-", "--format", "swift", input: "CREATE TABLE t (a, b, PRIMARY KEY (a, b DESC));")
    #expect(other.status == 0)
    #expect(other.errors.hasPrefix("schemactl: warning: table t has no model, because its primary key sorts"))
    #expect(other.output.contains(#"SQLObject("CREATE TABLE t (a, b, PRIMARY KEY (a, b DESC))")"#))
    let nothing = try folder.run("inspect", "-", "--format", "swift")
    #expect(nothing.status == 0)
    #expect(nothing.errors.isEmpty)
    #expect(nothing.output.hasSuffix("static let schema = ModelSchema {\n  }\n}\n"))
  }

  @Test("a rename on the command line keeps the values, and does nothing the second time")
  func rename() throws {
    try folder.write(
      Self.before.split(separator: "\n").filter { !$0.hasPrefix("INSERT") }.joined(separator: "\n")
        .replacing("legacy TEXT", with: "nickname TEXT"), to: "renamed.sql")
    let arguments = ["apply", "books.db", "--to", "renamed.sql", "--yes", "--rename", "author.legacy=author.nickname"]
    let run = try CommandRun(arguments, in: folder)
    #expect(run.status == 0)
    #expect(try folder.rows(of: "books.db", "SELECT nickname FROM author WHERE id = 1") == [[.text("x")]])
    let second = try CommandRun(arguments, in: folder)
    #expect(second.status == 0)
    #expect(second.errors.isEmpty)
    let idle = try folder.run(
      "plan", "books.db", "--to", "renamed.sql", "--rename", "nobody=author", "--rename", "nobody.x=author.name")
    #expect(!idle.errors.contains("does nothing: the database has no column"))
  }

  @Test("ignored objects are left alone and named")
  func ignore() throws {
    try folder.database("books.db", "CREATE TABLE tmp_import (a); CREATE TABLE Tmp_other (a);")
    let run = try folder.run("plan", "books.db", "--to", "books.sql", "--ignore", "tmp_*")
    #expect(!run.output.contains("drop     tmp_import"))
    #expect(run.output.contains("2 objects of the file are not managed by this schema; left unchanged: "))
    #expect(run.output.contains("tmp_import"))
    #expect(run.output.contains("Tmp_other"))
  }

  @Test("consent that nothing needed is a warning, silenced by -q")
  func unusedConsent() throws {
    let run = try folder.run("plan", "books.db", "--to", "books.sql", "--allow", "lossy")
    #expect(run.errors == "schemactl: warning: --allow lossy was not needed.\n")
    #expect(try folder.run("plan", "books.db", "--to", "books.sql", "--allow", "lossy", "-q").errors.isEmpty)
  }

  @Test("consent for an object that is misspelt is told, with what the plan asks for")
  func misspeltConsent() throws {
    try folder.database("a.db", "CREATE TABLE t (a, fax); INSERT INTO t VALUES (1, 2);")
    try folder.write("CREATE TABLE t (a);", to: "a.sql")
    let run = try folder.run("plan", "a.db", "--to", "a.sql", "--allow", "SK102:t.faks")
    #expect(
      run.errors
        == "schemactl: warning: --allow SK102:t.faks allows nothing here; the plan asks for SK102:t.fax.\n")
  }

  @Test("check compares recorded migrations with the schema")
  func migrations() throws {
    try FileManager.default.createDirectory(at: folder.url("migrations"), withIntermediateDirectories: true)
    try folder.write("CREATE TABLE a (x);", to: "migrations/0001.sql")
    try folder.write("ALTER TABLE a ADD COLUMN y TEXT;", to: "migrations/0002.sql")
    try folder.write("CREATE TABLE a (x, y TEXT);", to: "a.sql")
    try folder.write("CREATE TABLE a (x, y TEXT, z TEXT);", to: "b.sql")
    #expect(try folder.run("check", "--migrations", "migrations", "--to", "a.sql").status == 0)
    let behind = try folder.run("check", "--migrations", "migrations", "--to", "b.sql")
    #expect(behind.status == 2)
    #expect(behind.output.contains("add column z TEXT"))
    #expect(try folder.run("check", "--migrations", "nowhere", "--to", "b.sql").status == 1)
    #expect(try folder.run("check", "books.db", "--migrations", "migrations", "--to", "a.sql").status == 2)
  }

  @Test("a backup is a whole copy and never overwrites a file")
  func backup() throws {
    let arguments = ["apply", "books.db", "--to", "books.sql", "--yes", "--allow", "SK102", "--backup", "before.db"]
    #expect(try CommandRun(arguments, in: folder).status == 0)
    #expect(try folder.rows(of: "before.db", "SELECT legacy FROM author WHERE id = 1") == [[.text("x")]])
    try folder.write(Self.after.replacing("name TEXT", with: "name TEXT, born TEXT"), to: "books.sql")
    let second = try CommandRun(arguments, in: folder)
    #expect(second.status == 1)
    #expect(second.errors.contains("exists already"))
  }

  @Test("a tool with models of its own leaves other objects alone")
  func tool() throws {
    try folder.database("notes.db", "CREATE TABLE mine (a);")
    let plan = try CommandRun(["plan", "notes.db"], in: folder, program: "notes-schema")
    #expect(plan.status == 0)
    #expect(plan.output.contains("1 object of the file is not managed by this schema; left unchanged: mine"))
    #expect(try CommandRun(["apply", "notes.db", "--yes"], in: folder, program: "notes-schema").status == 0)
    #expect(try CommandRun(["check", "notes.db"], in: folder, program: "notes-schema").status == 0)
    #expect(try folder.rows(of: "notes.db", "SELECT name FROM sqlite_master WHERE name IN ('mine', 'Note')").count == 2)
    let usage = try CommandRun(["bogus"], in: folder, program: "notes-schema")
    #expect(usage.errors.hasPrefix("notes-schema: "))
  }

  @Test("of a folder that is damaged and a database that is newer, the status says what the exit code says")
  func damagedFirst() throws {
    try folder.write("CREATE TABLE t (a);", to: "t.sql")
    try folder.write("CREATE TABLE t (a, b);", to: "t2.sql")
    _ = try CommandRun(["migrations", "new", "init", "--to", "t.sql"], in: folder)
    for schema in ["t.sql", "t2.sql"] {
      _ = try CommandRun(["apply", "a.db", "--to", schema, "--yes", "--create", "-q"], in: folder)
    }
    let check = ["check", "a.db", "--to", "t.sql", "--migrations", "migrations", "--format", "json"]
    var run = try CommandRun(check, in: folder)
    #expect(run.status == 4 && run.json["status"] as? String == "newer")
    let step = try String(contentsOf: folder.url("migrations/0001-init.sql"), encoding: .utf8)
    try folder.write(step + "-- more\n", to: "migrations/0001-init.sql")
    run = try CommandRun(check, in: folder)
    #expect(run.status == 1 && run.json["status"] as? String == "damaged")
    let finding = try #require((run.json["folderFindings"] as? [[String: Any]])?.first)
    #expect(finding["severity"] as? String == "error" && finding["title"] as? String == "Recorded step changed")
  }
}

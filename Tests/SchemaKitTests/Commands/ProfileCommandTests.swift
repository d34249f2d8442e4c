import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Plans for other engines, and databases out of reach")
struct ProfileCommandTests {
  private let folder: CommandFolder
  private let before = """
    CREATE TABLE p (id INTEGER PRIMARY KEY, a TEXT);
    CREATE TABLE c (id INTEGER PRIMARY KEY, p INTEGER NOT NULL REFERENCES p (id) ON DELETE CASCADE);
    INSERT INTO p VALUES (1, 'x');
    INSERT INTO c VALUES (1, 1);
    """

  init() throws {
    folder = try CommandFolder()
    try folder.write(before, to: "dump.sql")
    try folder.write(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY, a TEXT NOT NULL CHECK (a <> ''));
      CREATE TABLE c (id INTEGER PRIMARY KEY, p INTEGER NOT NULL REFERENCES p (id) ON DELETE CASCADE);
      """, to: "schema.sql")
  }

  private func plan(_ words: String...) throws -> CommandRun {
    try CommandRun(["plan", "--to", "schema.sql"] + words, in: folder)
  }

  @Test("a plan for another engine does not touch the database, and a plan made for it applies to a file")
  func saved() throws {
    try folder.database("a.db", before)
    let bytes = try folder.bytes("a.db")
    let run = try plan("a.db", "--profile", "d1", "--out", "plan.json")
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.contains("re-key   p"))
    #expect(try folder.bytes("a.db") == bytes)
    let applied = try folder.run("apply", "a.db", "--plan", "plan.json", "--yes")
    #expect(applied.status == 0, "\(applied.output)\(applied.errors)")
    #expect(try RawSQLite(folder.url("a.db").path).rows("SELECT * FROM c") == [[.int(1), .int(1)]])
    #expect(try folder.run("check", "a.db", "--to", "schema.sql").status == 0)
  }

  @Test("a dump stands for its database, on standard input too")
  func dumps() throws {
    let named = try plan("--from", "dump.sql", "--profile", "d1")
    #expect(named.output.hasPrefix("dump.sql: 2 changes in 1 table"))
    #expect(named.output.contains("1 row copied"))
    let input = try folder.run("plan", "--to", "schema.sql", "--from", "-", input: before)
    #expect(input.output.hasPrefix("standard input: 2 changes in 1 table"))
    try folder.database("copy.db", before)
    #expect(try plan("--from", "copy.db").output.hasPrefix("copy.db: 2 changes in 1 table"))
    #expect(try folder.run("check", "--from", "dump.sql", "--to", "schema.sql").status == 2)
  }

  @Test(
    "a dump holds the values that its file holds, whatever their columns declare",
    arguments: ["d1", "rqlite", "libsql"])
  func values(profile: String) throws {
    let dump = """
      PRAGMA foreign_keys=OFF;
      BEGIN TRANSACTION;
      CREATE TABLE IF NOT EXISTS "t" (id INTEGER PRIMARY KEY, z INTEGER NOT NULL CHECK (z > 1), b INT, u TEXT UNIQUE -- note
      );
      INSERT INTO t VALUES(1,'007',1,5);
      INSERT INTO t VALUES(2,NULL,NULL,'x');
      CREATE INDEX tz ON t (z);
      COMMIT;
      """
    try folder.write(dump, to: "edited.sql")
    let table = "CREATE TABLE t (id INTEGER PRIMARY KEY, z INTEGER NOT NULL CHECK (z > 1), b"
    let index = "CREATE INDEX tz ON t (z);"
    try folder.write("\(table) INT, u TEXT UNIQUE); \(index)", to: "same.sql")
    #expect(try folder.run("check", "--from", "edited.sql", "--to", "same.sql").status == 0)
    try folder.write("\(table) TEXT, u TEXT UNIQUE); \(index)", to: "schema.sql")
    let run = try plan("--from", "edited.sql", "--profile", profile, "--exit-code")
    #expect(run.status == 3)
    #expect(run.output.contains("SK103  lossy, needs consent: t.z, 1 row (key 1)"), "\(run.output)\(run.errors)")
    #expect(run.output.contains("SK103  lossy, needs consent: t.u, 1 row (key 1)"))
    #expect(run.output.contains("SK104  blocked: t.z, 1 row (key 2)"))
    // SQL of another kind stores what its types make of it.
    for setting in ["", "PRAGMA foreign_keys = ON;"] {
      try folder.write("\(setting) CREATE TABLE t (z INTEGER); INSERT INTO t VALUES ('007');", to: "seed.sql")
      try folder.write("CREATE TABLE t (z INTEGER NOT NULL);", to: "schema.sql")
      #expect(try plan("--from", "seed.sql", "--profile", profile, "--exit-code").status == 2)
    }
  }

  @Test(
    "a dump of Python, and one of a STRICT table with a computed column, hold the values of their file",
    arguments: ["v INTEGER AS (z + 1)", "v INTEGER AS (z + 1) STORED", "v INTEGER UNIQUE AS (z + 1)"])
  func otherDumps(computed: String) throws {
    try Engine.require("STRICT")
    let columns = "id INTEGER PRIMARY KEY, z INTEGER, \(computed)"
    try folder.write("CREATE TABLE t (\(columns), b TEXT) STRICT;", to: "schema.sql")
    let rows = #"INSERT INTO "t" VALUES(1,'007','x'); INSERT INTO "t" VALUES(2,5,'y');"#
    for (number, start) in ["BEGIN TRANSACTION;", "PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;"].enumerated() {
      try folder.write("\(start)\nCREATE TABLE t (\(columns), b ANY) STRICT;\n\(rows)\nCOMMIT;", to: "\(number).sql")
      let run = try plan("--from", "\(number).sql", "--profile", "d1", "--exit-code")
      #expect(run.status == 3, "\(run.output)\(run.errors)")
      #expect(run.output.contains("SK108  blocked: t.z, 1 row (key 1)"), "\(run.output)")
    }
    // Other scripts begin in the same way.
    try folder.write(
      "BEGIN TRANSACTION; CREATE TABLE t (z INTEGER); INSERT INTO t (z) VALUES ('007'); COMMIT;", to: "own.sql")
    try folder.write("CREATE TABLE t (z INTEGER NOT NULL);", to: "schema.sql")
    #expect(try plan("--from", "own.sql", "--profile", "d1", "--exit-code").status == 2)
  }

  @Test(
    "a script made from a schema alone stops where a stored value would not be what it was",
    arguments: ["INTEGER PRIMARY KEY", "INT", "INT UNIQUE"], ["a + 1", "a + 2"])
  func storedValues(key: String, stored: String) throws {
    // An older SQLite refuses the CHECK without a look at the rows.
    try Engine.require("STRICT")
    // Rows that others refer to go by way of a table that holds them meanwhile.
    let child = key == "INT" ? "" : "; CREATE TABLE c (t REFERENCES t (id) ON DELETE CASCADE)"
    let table = "CREATE TABLE t (id \(key), a INT, s INT AS (a + 1) STORED, b TEXT CHECK (b <> ''))\(child)"
    try folder.write(table, to: "before.sql")
    try folder.write(table.replacing("<> ''", with: "<> 'x'"), to: "schema.sql")
    let script = try plan("--from", "before.sql", "--profile", "d1", "--format", "sql").output
    let file = try EditedFile(
      table.replacing("a + 1", with: stored) + "; INSERT INTO t (id, a) VALUES (1, 5), (2, 6)", [stored: "a + 1"])
    let raw = try file.database.reopened()
    try raw.exec("PRAGMA foreign_keys = ON")
    if !child.isEmpty { try raw.exec("INSERT INTO c VALUES (2)") }
    try raw.exec("BEGIN")
    if stored == "a + 1" {
      try raw.exec(script)
    } else {
      let error = #expect(throws: (any Error).self) { try raw.exec(script) }
      #expect(String(describing: error).contains("rows of t would not be what they were"))
    }
  }

  @Test("an index of a dump has the rows that the types of its table give it, and what SQLite refuses has its line")
  func indexesOfDumps() throws {
    let schema = """
      CREATE TABLE t (id INTEGER PRIMARY KEY, code TEXT, flag INTEGER, status TEXT);
      CREATE UNIQUE INDEX live ON t (code) WHERE flag <> '0'; CREATE INDEX open ON t (id) WHERE status = 1;
      """
    let rows =
      "INSERT INTO t VALUES(1,'a',0,'1'); INSERT INTO t VALUES(2,'a',0,'2'); INSERT INTO t VALUES(3,'a',1,'1');"
    try folder.write("PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n\(schema)\n\(rows)\nCOMMIT;", to: "whole.sql")
    try folder.write(
      schema.replacing("status TEXT", with: "status TEXT, note TEXT CHECK (note <> '')"), to: "schema.sql")
    let run = try plan("--from", "whole.sql", "--exit-code")
    #expect(run.status == 2 && !run.output.contains("SK215"), "\(run.output)\(run.errors)")
    try folder.write(
      "PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\nCREATE TABLE t (a, CHECK (b > 1));\nCOMMIT;", to: "broken.sql")
    let broken = try plan("--from", "broken.sql")
    #expect(broken.status == 1 && broken.errors.contains("broken.sql:3: no such column: b"), "\(broken.errors)")
  }

  @Test("the history that a dump has is read, and one whose rows are missing does not look damaged")
  func history() throws {
    try folder.database("a.db", before)
    try folder.write("CREATE TABLE p (id INTEGER PRIMARY KEY, a TEXT);", to: "other.sql")
    _ = try folder.run("apply", "a.db", "--to", "schema.sql", "--yes")
    let dump = try RawSQLite(folder.url("a.db").path).rows("SELECT sql || ';' FROM sqlite_schema WHERE sql IS NOT NULL")
    try folder.write(dump.map { $0[0].string ?? "" }.joined(separator: "\n"), to: "schema-only.sql")
    let run = try plan("--from", "schema-only.sql", "--profile", "d1")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("no changes"))
  }

  @Test(
    "what cannot stand for a database is refused, with the line where there is one",
    arguments: [
      ("", 1, "the dump is empty"), ("-- nothing\n", 1, "the dump is empty"),
      ("CREATE TABLE t (a);\nINSERT INTO u VALUES (1);\n", 1, "bad.sql:2: no such table: u"),
      ("CREATE TABLE t (a);\nATTACH 'x' AS y;\n", 1, "not authorized"),
    ])
  func refused(dump: String, status: Int32, message: String) throws {
    try folder.write(dump, to: "bad.sql")
    let run = try plan("--from", "bad.sql", "--profile", "d1")
    #expect(run.status == status)
    #expect(run.errors.contains(message), "\(run.errors)")
    #expect(!folder.exists("x"))
  }

  @Test("options that exclude each other are refused")
  func exclusions() throws {
    try FileManager.default.createDirectory(at: folder.url("steps"), withIntermediateDirectories: true)
    let wrong: [[String]] = [
      ["a.db", "--from", "dump.sql"], ["--from", "steps"], ["a.db", "--profile", "d1", "--keep"],
      ["a.db", "--profile", "mysql"],
    ]
    for words in wrong {
      #expect(try CommandRun(["plan", "--to", "schema.sql"] + words, in: folder).status == 64, "\(words)")
    }
    #expect(try folder.run("plan", "--from", "dump.sql", "--migrations", "steps").status == 64)
    #expect(try folder.run("plan", "a.db", "--profile", "d1", "--migrations", "steps").status == 64)
  }

  @Test("what an engine does not take is refused before, and names the limit")
  func limits() throws {
    let columns = (0..<101).map { "c\($0)" }.joined(separator: ", ")
    try folder.write("CREATE TABLE wide (\(columns));", to: "schema.sql")
    let wide = try plan("--from", "dump.sql", "--profile", "d1", "--allow", "destructive", "--exit-code")
    #expect(wide.status == 3)
    #expect(wide.output.contains("SK401  blocked: wide"))
    #expect(wide.output.contains("Table wide would have 101 columns; d1 takes 100."))
    let text = String(repeating: "x", count: 100_000)
    try folder.write("CREATE TABLE long (a DEFAULT '\(text)');", to: "schema.sql")
    let long = try plan("--from", "dump.sql", "--profile", "d1", "--allow", "destructive", "--exit-code")
    #expect(long.status == 3)
    #expect(long.output.contains("d1 takes 100000."))
    #expect(try plan("--from", "dump.sql", "--profile", "rqlite", "--allow", "destructive", "--exit-code").status == 2)
  }

  @Test("a long history is written in pieces, each below the limit of the engine")
  func longHistory() throws {
    let text = String(repeating: "it''s long; ", count: 100)
    let tables = (0..<150).map { "CREATE TABLE t_\($0) (id INTEGER PRIMARY KEY, a TEXT DEFAULT '\(text)');" }
    try folder.write(tables.joined(separator: "\n"), to: "schema.sql")
    try folder.write(tables[0], to: "dump.sql")
    let script = try plan("--from", "dump.sql", "--profile", "d1", "--format", "sql").output
    let statements = try SQLScript.statements(in: script).map(\.text)
    #expect(statements.allSatisfy { $0.utf8.count <= 100_000 })
    #expect(statements.contains { $0.hasPrefix("UPDATE main._schemakit_history SET \"plan\" = ") })
    let database = try RawSQLite(folder.url("a.db").path)
    try database.exec(tables[0])
    try EngineRules(.d1).run(script, on: database)
    database.close()
    let entry = try folder.run("history", "a.db", "--format", "json")
    #expect(entry.status == 0, "\(entry.errors)")
    #expect(try folder.run("undo", "a.db", "--yes", "--allow", "destructive").status == 0)
  }
}

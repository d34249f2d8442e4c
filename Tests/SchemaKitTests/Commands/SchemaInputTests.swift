import Foundation
import Testing

@Suite("What a schema comes from, and what a change leaves")
struct SchemaInputTests {
  let folder: CommandFolder

  init() throws {
    folder = try CommandFolder()
    try folder.database("a.db", "CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, active TEXT)")
  }

  private func shell(_ command: String) throws -> CommandRun {
    try CommandRun(
      ["-c", command], in: folder, program: "/bin/bash",
      environment: ["PATH": "\(CommandRun.searchPath):/usr/bin:/bin"])
  }

  @Test("a schema comes from a pipe of the shell as from a file")
  func pipe() throws {
    try folder.write("CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, active TEXT);", to: "s.sql")
    let check = try shell("schemactl check a.db --to <(cat s.sql) --format github")
    #expect(check.status == 0, "\(check.errors)")
    #expect(try shell("schemactl plan a.db --to <(true)").errors.contains("declares no object"))
  }

  @Test("a database in a pipe is refused", .needsPlainFiles("the first bytes tell a database from SQL"))
  func databaseInPipe() throws {
    let run = try shell("schemactl plan a.db --to <(cat a.db)")
    #expect(run.status == 1 && run.errors.contains("a database cannot be read from a pipe; name its file"))
  }

  @Test(
    "a former name in double quotes is refused, which SQLite would take for a text",
    arguments: ["CHECK (\"name\" <> '')", "); CREATE INDEX by_name ON people (lower(\"name\")"], [true, false])
  func formerName(rest: String, isHint: Bool) throws {
    let hint = isHint ? " -- schemakit: renamed from name" : ""
    try folder.write(
      "CREATE TABLE people (id INTEGER PRIMARY KEY,\ntitle TEXT,\(hint)\nactive TEXT\n\(rest));", to: "s.sql")
    let option = isHint ? [] : ["--rename", "people.name=people.title"]
    let run = try CommandRun(["apply", "a.db", "--to", "s.sql", "--yes"] + option, in: folder)
    #expect(run.status == 1, "\(run.output)")
    #expect(run.errors.contains("\"name\" is the former name of column title of people"), "\(run.errors)")
    #expect(try folder.rows(of: "a.db", "SELECT name FROM people") == [])
  }

  @Test("what --ignore names may lack its module")
  func ignoredModule() throws {
    try folder.write(
      """
      CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, active TEXT);
      CREATE VIRTUAL TABLE vectors USING vec0(embedding float[3]);
      """, to: "s.sql")
    #expect(try folder.run("plan", "a.db", "--to", "s.sql").errors.contains("no such module: vec0"))
    let run = try folder.run("plan", "a.db", "--to", "s.sql", "--ignore", "vectors*", "--exit-code")
    #expect(run.status == 0, "\(run.output)\(run.errors)")
  }

  @Test("many free pages after a change are told, and what gives them back")
  func freePages() throws {
    try folder.database(
      "a.db",
      """
      CREATE TABLE log (id INTEGER PRIMARY KEY, body TEXT);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
      INSERT INTO log SELECT i, hex(zeroblob(500)) FROM n;
      """)
    try folder.write("CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, active TEXT);", to: "s.sql")
    let run = try folder.run("apply", "a.db", "--to", "s.sql", "--yes", "--allow", "SK101", "--no-backup")
    #expect(run.status == 0)
    #expect(
      run.errors.contains("of free pages. Later rows use them; VACUUM gives them back to the disk."), "\(run.errors)")
    let again = try folder.run("apply", "a.db", "--to", "s.sql", "--yes")
    #expect(again.errors == "")
  }
}

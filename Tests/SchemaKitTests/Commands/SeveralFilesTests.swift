import Foundation
import Testing

@testable import SchemaKit
@testable import SchemaKitCommands

@Suite("Several .sql files as one schema")
struct SeveralFilesTests {
  let folder: CommandFolder

  init() throws {
    folder = try CommandFolder()
    try folder.database(
      "r.db", "CREATE TABLE a (id INTEGER PRIMARY KEY, old TEXT); CREATE TABLE b (id INTEGER PRIMARY KEY)")
    try folder.write(
      "-- the first\nCREATE TABLE a (id INTEGER PRIMARY KEY,\n  new TEXT -- schemakit: renamed from old\n);",
      to: "a.sql")
    try folder.write(
      "CREATE TABLE b (id INTEGER PRIMARY KEY, a REFERENCES a);\nCREATE INDEX b_a ON b (a);", to: "b.sql")
  }

  private func run(_ arguments: String...) throws -> CommandRun { try CommandRun(arguments, in: folder) }

  private func columns() throws -> [String] {
    let file = try RawSQLite(folder.url("r.db").path)
    defer { file.close() }
    return try file.rows(
      "SELECT m.name || '.' || t.name FROM sqlite_master m, pragma_table_info(m.name) t WHERE m.name IN ('a', 'b') ORDER BY 1"
    ).compactMap { $0[0].string }
  }

  @Test("apply keeps the tables of all of them, with the hints of each")
  func apply() throws {
    let apply = try run("apply", "r.db", "--to", "a.sql", "--to", "b.sql", "--yes")
    #expect(apply.status == 0, "\(apply.errors)")
    #expect(try columns() == ["a.id", "a.new", "b.a", "b.id"])
    #expect(try run("check", "r.db", "--to", "b.sql", "--to", "a.sql").status == 0)
    #expect(try run("check", "r.db", "--to", "a.sql", "--to", "a.sql").status == 2)
    #expect(try run("diff", "r.db", "a.sql", "b.sql").status == 0)
  }

  @Test("standard input may be one of them")
  func input() throws {
    let text = try String(contentsOf: folder.url("b.sql"), encoding: .utf8)
    let apply = try CommandRun(
      ["apply", "r.db", "--to", "a.sql", "--to", "-", "--yes"], in: folder, input: text)
    #expect(apply.status == 0, "\(apply.errors)")
    #expect(try columns().count == 4)
  }

  @Test("an object in two of them is an error with both places", arguments: ["lint", "plan", "fleet", "migrations"])
  func twice(command: String) throws {
    try folder.write("CREATE TABLE x (y);\n\nCREATE TABLE A (z);", to: "again.sql")
    let schema = ["--to", "a.sql", "--to", "again.sql"]
    let arguments: [String] =
      switch command {
      case "lint": ["lint", "a.sql", "again.sql"]
      case "plan": ["plan", "r.db"] + schema
      case "fleet": ["fleet", "check", "--databases", "r.db"] + schema
      default: ["migrations", "new", "first"] + schema
      }
    let run = try CommandRun(arguments, in: folder)
    #expect(run.status == 1)
    #expect(run.errors.contains("again.sql:3: A is declared here and in a.sql:2; keep one of the two"), "\(run.errors)")
  }

  @Test("a trigger may have the name of a table in another one")
  func triggers() throws {
    try folder.write("CREATE TRIGGER a AFTER INSERT ON b BEGIN SELECT 1; END;", to: "t.sql")
    #expect(try run("lint", "b.sql", "a.sql", "t.sql").status != 1)
  }

  @Test("an error names the file and the line in it")
  func errors() throws {
    try folder.write("CREATE TABLE c (id INT);\nCREATE INDEX i ON missing (id);", to: "c.sql")
    let run = try run("plan", "r.db", "--to", "a.sql", "--to", "c.sql")
    #expect(run.status == 1)
    #expect(run.errors.contains("c.sql:2: no such table: main.missing"), "\(run.errors)")
    let lint = try self.run("lint", "a.sql", "b.sql", "--format", "github")
    #expect(!lint.output.contains("a.sql and b.sql,line"))
  }

  @Test("only SQL files can be one schema together", arguments: ["r.db", "."])
  func others(other: String) throws {
    let run = try run("plan", "r.db", "--to", "a.sql", "--to", other)
    #expect(run.status == 64)
    #expect(
      run.errors.contains("several files are one schema only where all hold SQL, and \(other) is something else."))
  }

  @Test("the settings take a list, and paths in it count from their folder")
  func settings() throws {
    try folder.write("database = \"r.db\"\nschema = [\"a.sql\", \"b.sql\"]", to: "schemactl.toml")
    #expect(try run("apply", "--yes").status == 0)
    #expect(try columns().count == 4)
    #expect(try run("check").status == 0)
    #expect(try run("lint").errors.isEmpty)
    #expect(try run("inspect", "--config", "none", "a.sql", "b.sql").output.contains("CREATE INDEX b_a"))
    try folder.write("database = \"r.db\"\nschema = [\"a.sql\", 3]", to: "schemactl.toml")
    let wrong = try run("check")
    #expect(wrong.status == 1)
    #expect(wrong.errors.contains("schema takes a path in quotes, or a list of paths of .sql files"))
  }
}

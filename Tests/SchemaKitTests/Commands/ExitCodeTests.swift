import Foundation
import Testing

@Suite("Exit codes of the commands")
struct ExitCodeTests {
  let folder: CommandFolder

  init() throws {
    folder = try CommandFolder()
    try folder.database(
      "notes.db",
      "CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT, legacy TEXT); INSERT INTO note VALUES (1, 'a', 'x');")
    try folder.write("CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT, legacy TEXT);", to: "same.sql")
    try folder.write("CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT, legacy TEXT, tag TEXT);", to: "more.sql")
    try folder.write("CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT);", to: "less.sql")
    try folder.write(
      "CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT, legacy TEXT, tag TEXT NOT NULL);", to: "blocked.sql")
  }

  @Test("plan exits with 0 whatever it finds, and says with --exit-code what apply would do")
  func plan() throws {
    #expect(try folder.run("plan", "notes.db", "--to", "blocked.sql").status == 0)
    #expect(try folder.run("plan", "notes.db", "--to", "same.sql", "--exit-code").status == 0)
    #expect(try folder.run("plan", "notes.db", "--to", "more.sql", "--exit-code").status == 2)
    #expect(try folder.run("plan", "notes.db", "--to", "less.sql", "--exit-code").status == 3)
    #expect(
      try folder.run("plan", "notes.db", "--to", "blocked.sql", "--exit-code", "--allow", "destructive").status == 3)
    #expect(
      try folder.run("plan", "notes.db", "--to", "less.sql", "--exit-code", "--allow", "SK102:note.legacy").status == 2)
  }

  @Test("check exits with 0 in sync and 2 pending, also where apply would refuse")
  func check() throws {
    #expect(try folder.run("check", "notes.db", "--to", "same.sql").status == 0)
    #expect(try folder.run("check", "notes.db", "--to", "less.sql").status == 2)
    let pending = try folder.run("check", "notes.db", "--to", "more.sql")
    #expect(pending.status == 2)
    #expect(pending.output.contains("add column tag TEXT"))
    #expect(pending.errors.isEmpty)
  }

  @Test("diff exits with 0 for equal schemas and 2 for different ones")
  func diff() throws {
    #expect(try folder.run("diff", "notes.db", "same.sql").status == 0)
    #expect(try folder.run("diff", "same.sql", "more.sql").status == 2)
    #expect(try folder.run("diff", "-", "more.sql", input: "CREATE TABLE other (a);").status == 2)
  }

  @Test("apply without consent exits with 3 and changes nothing")
  func refused() throws {
    let before = try folder.bytes("notes.db")
    let run = try folder.run("apply", "notes.db", "--to", "less.sql", "--yes")
    #expect(run.status == 3)
    #expect(run.lastLine == "refused: SK102 needs consent. Nothing was changed.")
    #expect(run.errors.hasPrefix("schemactl: refused: SK102"))
    #expect(try folder.bytes("notes.db") == before)
  }

  @Test("apply without a terminal needs --yes, but not with nothing to do")
  func confirmation() throws {
    let before = try folder.bytes("notes.db")
    let run = try folder.run("apply", "notes.db", "--to", "more.sql")
    #expect(run.status == 64)
    #expect(run.errors.contains("pass --yes"))
    #expect(try folder.bytes("notes.db") == before)
    #expect(try folder.run("apply", "notes.db", "--to", "same.sql").status == 0)
  }

  @Test("apply changes the file, keeps its rows, and is then in sync")
  func apply() throws {
    let run = try folder.run("apply", "notes.db", "--to", "less.sql", "--yes", "--allow", "destructive")
    #expect(run.status == 0)
    #expect(run.lastLine.hasPrefix("Applied in "))
    // Something was lost, so that a copy was made; nothing else is said.
    #expect(run.errors.hasPrefix("schemactl: note: notes.db was copied to notes.db.before-"))
    #expect(run.errors.split(separator: "\n").count == 1)
    #expect(try folder.rows(of: "notes.db", "SELECT * FROM note") == [[.int(1), .text("a")]])
    #expect(try folder.run("check", "notes.db", "--to", "less.sql").status == 0)
    #expect(try folder.run("history", "notes.db").output.contains("drop column legacy"))
  }

  @Test("a dry run does everything and leaves the file as it was")
  func dryRun() throws {
    let before = try folder.bytes("notes.db")
    let run = try folder.run("apply", "notes.db", "--to", "more.sql", "--dry-run")
    #expect(run.status == 0)
    #expect(run.lastLine.hasSuffix("then rolled back. Nothing was changed."))
    #expect(try folder.bytes("notes.db") == before)
    #expect(try folder.run("apply", "new.db", "--to", "more.sql", "--dry-run").status == 0)
    #expect(!folder.exists("new.db"))
  }

  @Test("a schema that the file has left behind exits with 4 until the way back is allowed")
  func newer() throws {
    for schema in ["same.sql", "more.sql"] {
      #expect(try folder.run("apply", "notes.db", "--to", schema, "--yes").status == 0)
    }
    let checked = try folder.run("check", "notes.db", "--to", "same.sql")
    #expect(checked.status == 4)
    #expect(checked.output.contains("apply goes back to this one with --allow downgrade."), "\(checked.output)")
    #expect(try folder.run("plan", "notes.db", "--to", "same.sql", "--exit-code").status == 4)
    let refused = try folder.run("apply", "notes.db", "--to", "same.sql", "--yes", "--allow", "destructive")
    #expect(refused.status == 4)
    #expect(refused.errors.contains("newer than the declared schema"))
    #expect(
      try folder.run("apply", "notes.db", "--to", "same.sql", "--yes", "--allow", "downgrade", "--allow", "SK102")
        .status == 0)
  }

  @Test("a locked database exits with 5 after the time that --lock-timeout gives")
  func busy() throws {
    let holder = try RawSQLite(folder.url("notes.db").path)
    defer { holder.close() }
    try holder.exec("BEGIN EXCLUSIVE")
    for command in ["plan", "check", "apply"] {
      let yes = command == "apply" ? ["--yes"] : []
      let run = try CommandRun(
        [command, "notes.db", "--to", "more.sql", "--lock-timeout", "0.2"] + yes, in: folder)
      #expect(run.status == 5)
      #expect(run.errors.contains("notes.db is locked by another program"))
    }
  }

  @Test(
    "wrong usage exits with 64 and one line that says what is wrong",
    arguments: [
      ["plan", "notes.db"], ["plan"], ["bogus"], ["check", "--to", "same.sql"], ["diff", "same.sql"],
      ["plan", "notes.db", "--to", "same.sql", "--allow", "SK999"],
      ["plan", "notes.db", "--to", "same.sql", "--allow", "SK104"],
      ["plan", "notes.db", "--to", "same.sql", "--rename", "note"],
      ["plan", "notes.db", "--to", "same.sql", "--rename", "note=nothing"],
      ["plan", "notes.db", "--to", "same.sql", "--rename", "note.body=note.nothing"],
      ["plan", "notes.db", "--to", "same.sql", "--rename", "other.body=note.body"],
      ["plan", "notes.db", "--to", "same.sql", "--format", "xml"],
      ["plan", "notes.db", "--to", "same.sql", "--lock-timeout", "soon"],
    ])
  func usage(arguments: [String]) throws {
    let run = try CommandRun(arguments, in: folder)
    #expect(run.status == 64)
    #expect(run.output.isEmpty)
    #expect(run.errors.hasPrefix("schemactl: "))
  }

  @Test("a schema without objects needs --allow-empty")
  func emptySchema() throws {
    try folder.write("-- nothing yet\n", to: "empty.sql")
    #expect(try folder.run("plan", "notes.db", "--to", "empty.sql").status == 64)
    let run = try folder.run("plan", "notes.db", "--to", "empty.sql", "--allow-empty", "--exit-code")
    #expect(run.status == 3)
    #expect(run.output.contains("SK101"))
  }
}

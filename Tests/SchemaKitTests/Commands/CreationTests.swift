import Foundation
import Testing

@Suite("Databases that do not exist yet") struct CreationTests {
  private func folder() throws -> CommandFolder {
    let folder = try CommandFolder()
    try folder.write("CREATE TABLE t (id INTEGER PRIMARY KEY);", to: "t.sql")
    try folder.database("prod.db", "CREATE TABLE t (id INTEGER PRIMARY KEY)")
    return folder
  }

  @Test("apply creates no database without agreement, and --yes is none", arguments: [["--yes"], []])
  func refused(options: [String]) throws {
    let folder = try folder()
    let run = try CommandRun(["apply", "prodd.db", "--to", "t.sql"] + options, in: folder)
    #expect(run.status == 1)
    #expect(
      run.errors
        == "schemactl: prodd.db does not exist. Pass --create to create it. Did you mean prod.db? Nothing was changed.\n"
    )
    #expect(!folder.exists("prodd.db"))
  }

  @Test("recorded steps create no database without agreement")
  func refusedSteps() throws {
    let folder = try folder()
    #expect(try folder.run("migrations", "new", "first", "--migrations", "m", "--to", "t.sql").status == 0)
    let run = try folder.run("apply", "other.db", "--migrations", "m", "--yes")
    #expect(run.status == 1 && run.errors.contains("Pass --create to create it."))
    #expect(!folder.exists("other.db"))
    #expect(try folder.run("apply", "other.db", "--migrations", "m", "--yes", "--create").status == 0)
    #expect(try folder.rows(of: "other.db", "SELECT count(*) FROM t") == [[.int(0)]])
  }

  @Test("--create, a setting and a variable agree to a new database", arguments: ["option", "setting", "variable"])
  func agreed(by way: String) throws {
    let folder = try folder()
    if way == "setting" { try folder.write("create = true\n", to: "schemactl.toml") }
    let run = try CommandRun(
      ["apply", "new.db", "--to", "t.sql", "--yes"] + (way == "option" ? ["--create"] : []), in: folder,
      environment: way == "variable" ? ["SCHEMACTL_CREATE": "true"] : [:])
    #expect(run.status == 0, "\(run.errors)")
    #expect(try folder.rows(of: "new.db", "SELECT count(*) FROM t") == [[.int(0)]])
  }

  @Test("--create changes nothing about a database that is there")
  func existing() throws {
    let folder = try folder()
    #expect(try folder.run("apply", "prod.db", "--to", "t.sql", "--yes", "--create").status == 0)
    #expect(try folder.run("check", "prod.db", "--to", "t.sql").status == 0)
  }

  @Test("a dry run and a rehearsal need no agreement, and create nothing", arguments: ["--dry-run", "--rehearse"])
  func trial(option: String) throws {
    let folder = try folder()
    let run = try folder.run("apply", "new.db", "--to", "t.sql", option)
    #expect(run.status == 0, "\(run.errors)")
    #expect(!folder.exists("new.db"))
  }

  @Test("a rehearsal of a schema that is there already leaves every byte of the file")
  func idleRehearsal() throws {
    let folder = try folder()
    let before = try Data(contentsOf: folder.url("prod.db"))
    let run = try folder.run("apply", "prod.db", "--to", "t.sql", "--rehearse", "--yes")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try Data(contentsOf: folder.url("prod.db")) == before)
  }

  @Test("plan and check count a missing database as empty, and end with what creates it")
  func looked() throws {
    let folder = try folder()
    let notice = "prodd.db does not exist: apply creates it with --create. Did you mean prod.db?"
    let plan = try folder.run("plan", "prodd.db", "--to", "t.sql")
    #expect(plan.status == 0 && plan.lastLine == "Nothing was changed. \(notice)", "\(plan.output)")
    let check = try folder.run("check", "prodd.db", "--to", "t.sql")
    #expect(check.status == 2 && check.lastLine == notice, "\(check.output)")
    let agreed = try folder.run("plan", "prodd.db", "--to", "t.sql", "--create")
    #expect(agreed.lastLine == "Nothing was changed.")
    #expect(!folder.exists("prodd.db"))
  }
}

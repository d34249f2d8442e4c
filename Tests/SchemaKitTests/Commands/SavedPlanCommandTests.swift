import Foundation
import SchemaKit
import SchemaKitOperations
import Testing

private struct Row: Model {
  let id: Int64
  let body: String?

  static let table = ModelTable("note", as: Self.init, removed: ["legacy"]) {
    Column("id", \.id).primaryKey()
    Column("body", \.body)
  }
}

@Suite("plan --out and apply --plan")
struct SavedPlanCommandTests {
  let folder: CommandFolder

  init() throws {
    folder = try CommandFolder()
    try folder.database(
      "notes.db",
      "CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT, legacy TEXT); INSERT INTO note VALUES (1, 'a', 'x');")
    try folder.write(
      """
      CREATE TABLE note (
        id INTEGER PRIMARY KEY,
        text TEXT, -- schemakit: renamed from body
        size INTEGER NOT NULL -- schemakit: fill length(text)
      );
      """, to: "new.sql")
    try folder.write(
      "CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT, legacy TEXT, tag TEXT NOT NULL);", to: "blocked.sql")
  }

  private func savePlan(_ more: String..., schema: String = "new.sql") throws -> CommandRun {
    try CommandRun(["plan", "notes.db", "--to", schema, "--out", "plan.json"] + more, in: folder)
  }

  @Test("a saved plan is applied with the consent it was made with, without the schema's file")
  func applies() throws {
    let before = try folder.bytes("notes.db")
    let saved = try savePlan("--allow", "SK102:note.legacy")
    #expect(saved.status == 0)
    #expect(saved.output.contains("rebuild  note"))
    #expect(saved.errors == "schemactl: note: the plan was saved to plan.json.\n")
    #expect(try folder.bytes("notes.db") == before)
    try FileManager.default.removeItem(at: folder.url("new.sql"))
    let run = try folder.run("apply", "notes.db", "--plan", "plan.json", "--yes")
    #expect(run.status == 0)
    #expect(run.lastLine.hasPrefix("Applied in "))
    #expect(run.errors.hasPrefix("schemactl: note: plan.json was made with --allow SK102:note.legacy.\n"))
    #expect(try folder.rows(of: "notes.db", "SELECT * FROM note") == [[.int(1), .text("a"), .int(1)]])
    let again = try folder.run("apply", "notes.db", "--plan", "plan.json")
    #expect(again.status == 0)
    #expect(again.lastLine == "Nothing was changed.")
  }

  @Test("consent that the plan does not have can be given when it is applied, and is needed")
  func consent() throws {
    let saved = try savePlan()
    #expect(saved.errors.contains("warning: apply will refuse plan.json: SK102 needs consent."))
    let before = try folder.bytes("notes.db")
    #expect(try folder.run("apply", "notes.db", "--plan", "plan.json", "--yes").status == 3)
    #expect(try folder.bytes("notes.db") == before)
    #expect(try folder.run("apply", "notes.db", "--plan", "plan.json", "--yes", "--allow", "SK102").status == 0)
  }

  @Test("what is dropped may be kept although the plan does not say so, and needs no consent then")
  func keeping() throws {
    _ = try savePlan()
    let run = try folder.run("apply", "notes.db", "--plan", "plan.json", "--yes", "--keep", "--verify", "counts")
    #expect(run.status == 0)
    #expect(try folder.rows(of: "notes.db", "SELECT * FROM note") == [[.int(1), .text("a"), .int(1)]])
    #expect(try folder.run("undo", "notes.db", "--yes", "--allow", "destructive").status == 0)
    #expect(try folder.rows(of: "notes.db", "SELECT * FROM note") == [[.int(1), .text("a"), .text("x")]])
  }

  @Test("a plan that nothing can allow is saved too, and refused")
  func blocked() throws {
    let saved = try savePlan(schema: "blocked.sql")
    #expect(saved.status == 0)
    #expect(saved.errors.contains("apply will refuse plan.json: SK104 blocks it."))
    #expect(try folder.run("apply", "notes.db", "--plan", "plan.json", "--yes").status == 3)
  }

  @Test("a stale plan exits with 4, names what changed, and changes nothing")
  func stale() throws {
    _ = try savePlan("--allow", "destructive")
    try folder.database("notes.db", "INSERT INTO note VALUES (2, 'b', 'y'); CREATE TABLE extra (a)")
    let before = try folder.bytes("notes.db")
    let run = try folder.run("apply", "notes.db", "--plan", "plan.json", "--yes")
    #expect(run.status == 4)
    #expect(run.output.isEmpty)
    #expect(run.errors.contains("plan.json is stale"))
    #expect(run.errors.contains("table extra came"))
    #expect(run.errors.contains("SK102 note.legacy concerned 1 row, now 2 rows"))
    let json = try folder.run("apply", "notes.db", "--plan", "plan.json", "--yes", "--format", "json").json
    #expect(json["outcome"] as? String == "stale")
    #expect((json["differences"] as? [String])?.first == "the database has another schema: table extra came")
    #expect(try folder.bytes("notes.db") == before)
  }

  @Test("a change that the plan does not depend on is said and does not matter")
  func otherSchema() throws {
    try folder.write("CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT, legacy TEXT, tag TEXT);", to: "more.sql")
    _ = try savePlan("--ignore", "tmp_*", schema: "more.sql")
    try folder.database("notes.db", "CREATE TABLE tmp_1 (a)")
    let run = try folder.run("apply", "notes.db", "--plan", "plan.json", "--yes")
    #expect(run.status == 0)
    #expect(run.errors.contains("table tmp_1 came; the plan is the same."))
    #expect(try folder.rows(of: "notes.db", "SELECT count(*) FROM tmp_1") == [[.int(0)]])
  }

  @Test(
    "a plan has its own schema: options for another one are wrong usage",
    arguments: [["--to", "new.sql"], ["--rename", "a=b"], ["--ignore", "x"], ["--strict-order"], ["--allow-empty"]])
  func exclusive(options: [String]) throws {
    _ = try savePlan()
    let run = try CommandRun(["apply", "notes.db", "--plan", "plan.json", "--yes"] + options, in: folder)
    #expect(run.status == 64)
    #expect(run.errors.contains("--plan and \(options[0]) cannot be combined"))
  }

  @Test("a plan that was saved in an older format exits with 4 and is to be made again")
  func outdated() throws {
    _ = try savePlan("--allow", "destructive")
    let json = try String(contentsOf: folder.url("plan.json"), encoding: .utf8)
    try folder.write(
      json.replacingOccurrences(of: "\"formatVersion\" : 2", with: "\"formatVersion\" : 1"), to: "older.json")
    let before = try folder.bytes("notes.db")
    let run = try folder.run("apply", "notes.db", "--plan", "older.json", "--yes")
    #expect(run.status == 4)
    #expect(run.errors.contains("older.json: the plan has format 1"), "\(run.errors)")
    #expect(run.errors.contains("Make the plan again"), "\(run.errors)")
    #expect(try folder.bytes("notes.db") == before)
  }

  @Test("a file that is not a saved plan, or was edited, exits with 1 and is named")
  func damaged() throws {
    _ = try savePlan("--allow", "destructive")
    let json = try String(contentsOf: folder.url("plan.json"), encoding: .utf8)
    try folder.write(json.replacingOccurrences(of: "length(text)", with: "42"), to: "edited.json")
    try folder.write(
      json.replacingOccurrences(of: "\"formatVersion\" : 2", with: "\"formatVersion\" : 9"), to: "newer.json")
    try folder.write(String(json.prefix(200)), to: "cut.json")
    let before = try folder.bytes("notes.db")
    for (name, words) in [
      ("edited.json", "checksum"), ("newer.json", "format 9"), ("cut.json", "not JSON"), ("new.sql", "not JSON"),
      ("notes.db", "not JSON"), ("absent.json", "no such file"),
    ] {
      let run = try folder.run("apply", "notes.db", "--plan", name, "--yes")
      #expect(run.status == 1, "\(name)")
      #expect(run.errors.hasPrefix("schemactl: \(name): "), "\(run.errors)")
      #expect(run.errors.contains(words), "\(run.errors)")
    }
    #expect(try folder.bytes("notes.db") == before)
  }

  @Test("--out overwrites an older plan, and nothing else")
  func overwriting() throws {
    let database = try folder.bytes("notes.db")
    let run = try folder.run("plan", "notes.db", "--to", "new.sql", "--out", "notes.db")
    #expect(run.status == 1)
    #expect(run.errors.contains("notes.db exists and is not a saved plan"))
    #expect(try folder.bytes("notes.db") == database)
    _ = try savePlan()
    let first = try folder.bytes("plan.json")
    _ = try savePlan("--allow", "destructive")
    #expect(try folder.bytes("plan.json") != first)
    #expect(try folder.run("plan", "notes.db", "--to", "new.sql", "--out", "nowhere/plan.json").status == 1)
  }

  @Test("a plan for a database that is not there yet creates it")
  func newFile() throws {
    #expect(try folder.run("plan", "fresh.db", "--to", "new.sql", "--out", "plan.json").status == 0)
    #expect(!folder.exists("fresh.db"))
    #expect(try folder.run("apply", "fresh.db", "--plan", "plan.json", "--yes", "--create").status == 0)
    #expect(try folder.rows(of: "fresh.db", "SELECT count(*) FROM note") == [[.int(0)]])
  }

  @Test("a plan with a program's own work is refused by its name, before anything is done")
  func dataSteps() throws {
    let schema = ModelSchema(name: "") {
      Row.self
      DataStep("fill-bodies", after: .schemaChanged) { _ in }
    }
    let saved = try SchemaInspector(at: folder.url("notes.db").path).savedPlan(to: schema, allowing: .everything)
    try folder.write(saved.json(), to: "plan.json")
    let before = try folder.bytes("notes.db")
    for program in ["schemactl", "notes-schema"] {
      let run = try CommandRun(["apply", "notes.db", "--plan", "plan.json", "--yes"], in: folder, program: program)
      #expect(run.status == 1)
      #expect(run.errors.contains("plan.json: the data step fill-bodies is work of the program that declares it"))
    }
    #expect(try folder.bytes("notes.db") == before)
  }

  @Test("a tool with models applies plans too, and its ledger then knows the models")
  func ownModels() throws {
    let tool = "notes-schema"
    #expect(try CommandRun(["plan", "own.db", "--out", "plan.json"], in: folder, program: tool).status == 0)
    #expect(
      try CommandRun(["apply", "own.db", "--plan", "plan.json", "--yes", "--create"], in: folder, program: tool).status
        == 0)
    #expect(try CommandRun(["check", "own.db"], in: folder, program: tool).status == 0)
    #expect(try folder.rows(of: "own.db", "SELECT name FROM _schemakit_schemas") == [[.text("main")]])
  }
}

import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Commands for fleets")
struct FleetCommandTests {
  private let scene: FleetScene
  private var folder: CommandFolder { scene.folder }

  init() throws { scene = try FleetScene() }

  private func fleet(_ verb: String, _ arguments: String..., input: String = "") throws -> CommandRun {
    try CommandRun(["fleet", verb] + arguments, in: folder, input: input)
  }

  @Test("plan, apply, check, status and undo work on the files that a list, a folder or a pattern names")
  func whole() throws {
    let plan = try fleet("plan", "--databases", "tenants", "--to", "schema.sql", "--out", "plan.json")
    #expect(plan.status == 0, "\(plan.errors)")
    #expect(plan.output.contains("8 files with the schema of tenants/t01.db"))
    #expect(try fleet("check", "--databases", "tenants/*.db", "--to", "schema.sql").status == 2)
    let list = (1...12).map { scene.name($0) + "\n" }.joined()
    let apply = try fleet("apply", "--databases", "-", "--plan", "plan.json", "--yes", input: list)
    #expect(apply.status == 0, "\(apply.errors)")
    #expect(apply.output.contains("wave 1 of 2, 1 file: 1 was changed"))
    #expect(try scene.done().count == 12)
    #expect(try fleet("check", "--databases", "tenants", "--to", "schema.sql").status == 0)
    #expect(try fleet("status").status == 0)
    let nul = (1...12).map { scene.name($0) + "\0" }.joined()
    try folder.write(nul, to: "list")
    #expect(try fleet("check", "--databases", "@list", "-0", "--to", "schema.sql").status == 0)
    let undo = try fleet("undo", "--wave", "1", "--yes")
    #expect(undo.status == 0, "\(undo.errors)")
    #expect(try scene.done().count == 11)
  }

  @Test("undo says for each file what does not come back, in text and JSON")
  func losses() throws {
    let folder = try CommandFolder()
    try FileManager.default.createDirectory(at: folder.url("of"), withIntermediateDirectories: false)
    for name in ["a", "b"] {
      try folder.database(
        "of/\(name).db", "CREATE TABLE n (id INTEGER PRIMARY KEY, b, d TEXT); INSERT INTO n VALUES (1, '2', '\(name)')")
    }
    try folder.database("of/c.db", "CREATE TABLE n (id INTEGER PRIMARY KEY, b, d TEXT)")
    try folder.write("CREATE TABLE n (id INTEGER PRIMARY KEY, b);", to: "n.sql")
    func run(_ arguments: String...) throws -> CommandRun { try CommandRun(["fleet"] + arguments, in: folder) }
    let apply = try run(
      "apply", "--databases", "of", "--to", "n.sql", "--yes", "--allow", "SK102", "--no-backup", "--journal",
      "j.fleet-journal")
    #expect(apply.status == 0, "\(apply.errors)")
    let undo = try run("undo", "--journal", "j.fleet-journal", "--yes")
    #expect(undo.status == 0, "\(undo.errors)")
    #expect(undo.output.contains("Not everything comes back in 2 files:"))
    #expect(undo.output.contains("/of/b.db\n    The values of column n.d in 1 row are gone."))
    let status = try run("status", "--journal", "j.fleet-journal", "--format", "json")
    #expect(status.output.contains("\"losses\""))
    #expect(!status.output.contains("c.db"))
  }

  @Test("the gravest state of a file decides the exit code")
  func exitCodes() throws {
    func apply(_ more: String...) throws -> Int32 {
      try? FileManager.default.removeItem(at: folder.url("schemactl.fleet-journal"))
      return try CommandRun(
        ["fleet", "apply", "--databases", "tenants", "--plan", "plan.json", "--yes", "--lock-timeout", "0.01"] + more,
        in: folder
      ).status
    }
    #expect(try fleet("plan", "--databases", "tenants", "--to", "schema.sql", "--out", "plan.json").status == 0)
    let holder = try RawSQLite(scene.path(2))
    defer { holder.close() }
    try holder.exec("BEGIN EXCLUSIVE")
    #expect(try apply() == 5)
    try scene.make(13, email: "NULL")
    // The plan has nothing for that, since a copy is needed there.
    #expect(try apply() == 4)
    #expect(try fleet("plan", "--databases", "tenants", "--to", "schema.sql", "--out", "plan.json").status == 3)
    #expect(try apply() == 3)
    try scene.folder.database(scene.name(14), "CREATE TABLE other (a)")
    #expect(try apply() == 4)
    var bytes = try folder.bytes(scene.name(9))
    bytes.replaceSubrange(100..<200, with: Data(repeating: 0xFF, count: 100))
    try bytes.write(to: folder.url(scene.name(9)))
    #expect(try apply() == 1)
    #expect(try fleet("apply", "--databases", "nothing", "--plan", "plan.json", "--yes").status == 64)
    #expect(try fleet("apply", "--databases", "tenants", "--plan", "plan.json").status == 64)
    #expect(try fleet("plan", "--databases", "nowhere/*.db", "--to", "schema.sql").status == 64)
    #expect(try fleet("census", "--databases", "tenants", "--to", "schema.sql").status == 1)
  }

  @Test("no database is created, and an edited plan is refused")
  func nothingCreated() throws {
    try folder.write("tenants/t01.db\ntenants/new.db\n", to: "list")
    #expect(try fleet("plan", "--databases", "@list", "--to", "schema.sql", "--out", "plan.json").status == 1)
    let run = try fleet("apply", "--databases", "@list", "--plan", "plan.json", "--yes")
    #expect(run.status == 1)
    #expect(run.output.contains("tenants/new.db does not exist."))
    #expect(!folder.exists("tenants/new.db"))
    #expect(try scene.done() == [1])
    let text = try String(contentsOf: folder.url("plan.json"), encoding: .utf8)
    try folder.write(text.replacingOccurrences(of: "paid", with: "piad"), to: "plan.json")
    let edited = try fleet("apply", "--databases", "tenants", "--plan", "plan.json", "--yes")
    #expect(edited.status == 1)
    #expect(edited.errors.contains("the plan was changed after it was saved"))
  }

  @Test("a hook gets each wave as JSON, and any exit code but 0, a signal or too long a time stops the run")
  func hooks() throws {
    try folder.write("#!/bin/sh\ncat >>waves.ndjson\n", to: "good")
    try folder.write("#!/bin/sh\nexit 7\n", to: "bad")
    try folder.write("#!/bin/sh\nexec sleep 30\n", to: "slow")
    for name in ["good", "bad", "slow"] { #expect(chmod(folder.url(name).path, 0o755) == 0) }
    func apply(_ hook: String, _ more: String...) throws -> CommandRun {
      try CommandRun(
        [
          "fleet", "apply", "--databases", "tenants", "--to", "schema.sql", "--yes", "--hook", hook, "--journal",
          hook + ".j",
        ]
          + more, in: folder)
    }
    let bad = try apply("./bad")
    #expect(bad.status == 1)
    #expect(bad.output.contains("./bad ended with exit code 7 after wave 1"))
    #expect(try scene.done().count == 1)
    let slow = try apply("./slow", "--hook-timeout", "0.2")
    #expect(slow.status == 1)
    #expect(slow.output.contains("./slow took longer than --hook-timeout after wave 1"))
    let good = try apply("./good", "--canary", "2")
    #expect(good.status == 0, "\(good.errors)")
    let waves = try String(contentsOf: folder.url("waves.ndjson"), encoding: .utf8).split(separator: "\n")
    #expect(waves.count > 1)
    #expect(waves[0].hasPrefix("{\"event\":\"wave\",\"formatVersion\":2,\"wave\":{\"counts\":"))
    #expect(try apply("./missing").status == 64)
    #expect(try scene.done().count == 12)
  }

  @Test("Ctrl-C ends a run cleanly, and the same command goes on")
  func interrupted() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [
      "-c",
      "'\(CommandRun.schemactl)' fleet apply --databases tenants --to schema.sql --yes --pause 30 >out 2>err & p=$!; "
        + "while ! ls tenants | grep -q nothing && [ ! -e schemactl.fleet-journal ]; do sleep 0.05; done; sleep 1; "
        + "kill -INT $p; wait $p; echo $? >code",
    ]
    process.currentDirectoryURL = folder.url
    try process.run()
    process.waitUntilExit()
    #expect(try String(contentsOf: folder.url("code"), encoding: .utf8) == "130\n")
    #expect(try scene.done().count == 1)
    let again = try fleet("apply", "--databases", "tenants", "--to", "schema.sql", "--yes", "--journal", "second.j")
    #expect(again.status == 0, "\(again.errors)")
    #expect(try scene.done().count == 12)
  }

  @Test("reports are there as text, JSON, lines of JSON, HTML and JUnit")
  func formats() throws {
    try scene.spoil(4)
    let run = try fleet("apply", "--databases", "tenants", "--to", "schema.sql", "--yes", "--format", "ndjson")
    #expect(run.status == 3)
    #expect(run.output.split(separator: "\n").count == 3)
    let json = try fleet("status", "--format", "json")
    #expect((json.json["counts"] as? [String: Int]) == ["applied": 11, "refused": 1])
    let html = try fleet("status", "--format", "html").output
    #expect(html.contains("<h1>schemactl.fleet-journal: 12 files: 11 were changed and 1 was left out"))
    #expect(!html.contains("http"))
    let junit = try fleet("status", "--format", "junit").output
    #expect(junit.contains("tests=\"3\" failures=\"1\""))
  }

  @Test("copies, plans and journals are for nobody else, whatever the umask, and written through no link")
  func permissions() throws {
    for number in 1...12 { #expect(chmod(scene.path(number), 0o640) == 0) }
    try folder.write("CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL);", to: "small.sql")
    try folder.write("mine", to: "mine")
    try FileManager.default.createSymbolicLink(
      atPath: folder.url("plan.json").path, withDestinationPath: folder.url("mine").path)
    func run(_ line: String) throws -> CommandRun {
      try CommandRun(
        ["-c", "umask 000; exec '\(CommandRun.schemactl)' \(line)"], in: folder, program: "/bin/sh")
    }
    func mode(_ name: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: folder.url(name).path)[.posixPermissions] as? Int
    }
    let linked = try run("fleet plan --databases tenants --to small.sql --out plan.json --allow destructive")
    #expect(linked.status == 1)
    #expect(linked.errors.contains("plan.json exists and is not a plan for a fleet"))
    #expect(try String(contentsOf: folder.url("mine"), encoding: .utf8) == "mine")
    #expect(try run("plan tenants/t01.db --to small.sql --out plan.json").status == 1)
    #expect(try String(contentsOf: folder.url("mine"), encoding: .utf8) == "mine")
    try FileManager.default.removeItem(at: folder.url("plan.json"))
    #expect(try run("fleet plan --databases tenants --to small.sql --out plan.json --allow destructive").status == 0)
    #expect(try mode("plan.json") == 0o640)
    #expect(try run("plan tenants/t01.db --to small.sql --out one.json").status == 0)
    #expect(try mode("one.json") == 0o640)
    #expect(try run("apply tenants/t01.db --to small.sql --allow destructive --yes").status == 0)
    #expect(try run("fleet apply --databases tenants --plan plan.json --yes").status == 0)
    #expect(try mode("schemactl.fleet-journal") == 0o600)
    let copies = try FileManager.default.contentsOfDirectory(atPath: folder.url("tenants").path)
      .filter { $0.contains(".before-") }
    #expect(copies.count == 12)
    for copy in copies { #expect(try mode("tenants/\(copy)") == 0o640, "\(copy)") }
  }

  @Test("prune shows what it removes, and asks")
  func prune() throws {
    try folder.write("CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL);", to: "small.sql")
    let apply = try fleet("apply", "--databases", "tenants", "--to", "small.sql", "--allow", "destructive", "--yes")
    #expect(apply.status == 0, "\(apply.errors)")
    #expect(try fleet("prune", "--databases", "tenants").status == 64)
    #expect(try fleet("prune", "--databases", "tenants", "--older-than", "1d", "--yes").errors.contains("no copy"))
    #expect(try fleet("prune", "--databases", "tenants", "--over", "10", "--yes").status == 64)
    let run = try fleet("prune", "--databases", "tenants", "--yes")
    #expect(run.status == 0)
    #expect(run.output.contains("Removed 12 of 12"))
    let rest = try FileManager.default.contentsOfDirectory(atPath: folder.url("tenants").path)
    #expect(rest.filter { $0.contains(".before-") }.isEmpty)
  }
}

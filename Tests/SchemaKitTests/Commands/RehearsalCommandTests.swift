import Foundation
import Testing

@testable import SchemaKitCommands

@Suite("apply --rehearse")
struct RehearsalCommandTests {
  let folder: CommandFolder

  init() throws {
    folder = try CommandFolder()
    try folder.database(
      "notes.db",
      """
      CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT, legacy TEXT); CREATE INDEX by_legacy ON note (legacy);
      INSERT INTO note VALUES (1, 'a', 'x'), (2, NULL, NULL);
      """)
    try folder.write(
      "CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT, tag TEXT CHECK (tag <> ''));", to: "new.sql")
    try folder.write("SELECT body FROM note WHERE id = ?;\nSELECT id FROM note WHERE legacy = 'x';", to: "q.sql")
  }

  private func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
      .filter { ![".out", ".err"].contains($0) }.sorted()
  }

  private func rehearse(_ more: String..., schema: String = "new.sql") throws -> CommandRun {
    try CommandRun(["apply", "notes.db", "--to", schema, "--allow", "destructive", "--rehearse"] + more, in: folder)
  }

  @Test("a rehearsal asks nothing, says what the change takes, and leaves the database as it is")
  func text() throws {
    let (before, names) = (try folder.bytes("notes.db"), try files())
    let run = try rehearse("--queries", "q.sql")
    #expect(run.status == 1)
    #expect(run.errors == "schemactl: after the change, 1 query would not compile any more.\n")
    for words in [
      "rows       2 rows copied or rewritten", "journal    rollback journal, at most ", "integrity  ok",
      "queries    1 as before, 1 broken by the change", "! line 2: SELECT id FROM note WHERE legacy = 'x'",
      "after:  does not compile: no such column: legacy",
    ] {
      #expect(run.output.contains(words), "\(words)")
    }
    #expect(run.lastLine == "Applied to the copy and verified. notes.db was not changed.")
    #expect(try folder.bytes("notes.db") == before)
    #expect(try files() == names)
  }

  @Test("the copy of a rehearsal that was killed is removed by the next, that of one that runs is not")
  func abandoned() throws {
    let names = [".notes.db.rehearsal-0123ABCD", ".notes.db.rehearsal-00000000", ".notes.db.rehearsal-11111111"]
    let others = [".notes.db.rehearsal-mine", ".other.db.rehearsal-22222222"]
    for name in names + others {
      try FileManager.default.createDirectory(at: folder.url(name), withIntermediateDirectories: false)
      try folder.write("a copy", to: "\(name)/notes.db")
      if name == names[1] { continue }
      let date = Date(timeIntervalSinceNow: -86_400)
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: folder.url(name).path)
    }
    let running = open(folder.url(names[2]).path, O_RDONLY)
    defer { close(running) }
    try #require(flock(running, LOCK_EX | LOCK_NB) == 0)
    let run = try rehearse()
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("\(names[0]) is removed, the copy of a rehearsal that was killed."))
    #expect(try files().filter { $0.contains("rehearsal") } == (names[1...] + others).sorted())
  }

  @Test("JSON has the same numbers under rehearsal")
  func json() throws {
    let json = try rehearse("--queries", "q.sql", "--format", "json").json
    #expect(json["outcome"] as? String == "rehearsed")
    #expect(json["milliseconds"] is Int)
    let rehearsal = try #require(json["rehearsal"] as? [String: Any])
    #expect(rehearsal["rows"] as? Int == 2)
    #expect((rehearsal["journal"] as? [String: Any])?["mode"] as? String == "delete")
    #expect(((rehearsal["file"] as? [String: Any])?["bytesBefore"] as? Int) == (try folder.bytes("notes.db").count))
    #expect(rehearsal["integrity"] as? [String] == ["ok"])
    let queries = rehearsal["queries"] as? [[String: Any]] ?? []
    #expect(queries.compactMap { $0["verdict"] as? String } == ["same", "broken"])
    #expect(queries.last?["problemAfter"] as? String == "no such column: legacy")
  }

  @Test("what apply would refuse is refused, and what would fail there fails on the copy")
  func failures() throws {
    let (before, names) = (try folder.bytes("notes.db"), try files())
    #expect(try folder.run("apply", "notes.db", "--to", "new.sql", "--rehearse").status == 3)
    try folder.write("CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT NOT NULL, legacy TEXT);", to: "bad.sql")
    let run = try rehearse("--quick", schema: "bad.sql")
    #expect(run.status == 1)
    #expect(run.errors.contains("the rehearsal failed: "))
    #expect(run.errors.contains("constraint failed"))
    try FileManager.default.removeItem(at: folder.url("bad.sql"))
    #expect(try folder.bytes("notes.db") == before)
    #expect(try files() == names)
  }

  @Test("a copy that is not sound afterwards is an error")
  func unsound() throws {
    // The index says that it is on body, and holds what legacy says.
    try folder.database(
      "notes.db",
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_master SET sql = 'CREATE INDEX by_legacy ON note (body)' WHERE name = 'by_legacy'
      """)
    try folder.write(
      """
      CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT, legacy TEXT); CREATE INDEX by_legacy ON note (body);
      CREATE TABLE other (a);
      """, to: "other.sql")
    let run = try rehearse(schema: "other.sql")
    #expect(run.status == 1)
    #expect(run.output.contains("integrity  row "))
    #expect(run.errors.contains("does not pass integrity_check"))
  }

  @Test("the copy can lie in another folder, which must be there")
  func otherFolder() throws {
    try FileManager.default.createDirectory(at: folder.url("tmp"), withIntermediateDirectories: false)
    let run = try CommandRun(
      ["apply", "notes.db", "--to", "new.sql", "--allow", "SK102", "--rehearse-in", "tmp"], in: folder)
    #expect(run.status == 0)
    #expect(run.lastLine == "Applied to the copy and verified. notes.db was not changed.")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url("tmp").path) == [])
    let missing = try rehearse("--rehearse-in", "nowhere")
    #expect(missing.status == 1)
    #expect(missing.errors.contains("nowhere is not a folder"))
  }

  @Test("a disk without the room that is needed is refused, with both numbers and the way out")
  func room() throws {
    try RehearsalSpace.check(needed: 2000, free: 2000, in: "/disk")
    try RehearsalSpace.check(needed: 2000, free: nil, in: "/disk")
    #expect {
      try RehearsalSpace.check(needed: 4_000_000, free: 1_000_000, in: "/disk")
    } throws: { error in
      let sentence = (error as? CommandError)?.sentence ?? ""
      return sentence.hasPrefix("/disk has 977 KB free, and the rehearsal needs about 3.8 MB.")
        && sentence.contains("--rehearse-in")
    }
    #expect((RehearsalSpace.freeBytes(in: folder.url.path) ?? 0) > 0)
  }

  @Test("a database that is not there yet is rehearsed and not created")
  func newFile() throws {
    let names = try files()
    let run = try folder.run("apply", "fresh.db", "--to", "new.sql", "--rehearse")
    #expect(run.status == 0)
    #expect(try files() == names)
  }

  @Test("a saved plan can be rehearsed, and a stale one is refused")
  func saved() throws {
    _ = try folder.run("plan", "notes.db", "--to", "new.sql", "--allow", "SK102", "--out", "plan.json")
    #expect(try folder.run("apply", "notes.db", "--plan", "plan.json", "--rehearse").status == 0)
    try folder.database("notes.db", "UPDATE note SET legacy = 'y'")
    #expect(try folder.run("apply", "notes.db", "--plan", "plan.json", "--rehearse").status == 4)
  }

  @Test(
    "options that make no sense with it are wrong usage",
    arguments: [["--rehearse", "--dry-run"], ["--rehearse", "--backup", "b.db"], ["--queries", "q.sql"]])
  func usage(options: [String]) throws {
    #expect(try CommandRun(["apply", "notes.db", "--to", "new.sql"] + options, in: folder).status == 64)
  }

  @Test("what is not a query is an error")
  func noQueries() throws {
    try folder.write("DROP TABLE note", to: "q.sql")
    let run = try rehearse("--queries", "q.sql")
    #expect(run.status == 1)
    #expect(run.errors.contains("q.sql:1: only queries"))
    #expect(try rehearse("--queries", "absent.sql").status == 1)
  }
}

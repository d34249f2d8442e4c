import Testing

@Suite("--quick")
struct QuickCommandTests {
  let folder: CommandFolder

  init() throws {
    folder = try CommandFolder()
    try folder.database(
      "notes.db",
      "CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT, legacy TEXT); INSERT INTO note VALUES (1, NULL, NULL);")
    try folder.write("CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT NOT NULL);", to: "new.sql")
  }

  @Test("a plan says that nobody looked, and needs consent for what could be lost")
  func plan() throws {
    let run = try folder.run("plan", "notes.db", "--to", "new.sql", "--quick", "--exit-code")
    #expect(run.status == 3)
    #expect(run.output.contains("Rows were not examined"))
    let json = try folder.run("plan", "notes.db", "--to", "new.sql", "--quick", "--format", "json").json
    #expect(json["rowsExamined"] as? Bool == false)
    let hazards = json["hazards"] as? [[String: Any]] ?? []
    #expect(hazards.compactMap { $0["code"] as? String }.sorted() == ["SK102", "SK104"])
    #expect(hazards.allSatisfy { $0["counted"] as? Bool == false && $0["count"] == nil })
  }

  @Test("what was left to the apply stops it there, and nothing is changed")
  func apply() throws {
    let before = try folder.bytes("notes.db")
    #expect(try folder.run("apply", "notes.db", "--to", "new.sql", "--quick", "--yes").status == 3)
    let run = try folder.run("apply", "notes.db", "--to", "new.sql", "--quick", "--yes", "--allow", "SK102")
    #expect(run.status == 1)
    // From 3.53 on it is ALTER TABLE that finds the row, and says less.
    #expect(run.errors.contains("constraint failed"))
    #expect(run.errors.contains("nothing was changed"))
    #expect(try folder.rows(of: "notes.db", "SELECT * FROM note") == [[.int(1), .null, .null]])
    #expect(try folder.bytes("notes.db").count == before.count)
    try folder.database("notes.db", "UPDATE note SET body = 'a'")
    #expect(try folder.run("apply", "notes.db", "--to", "new.sql", "--quick", "--yes", "--allow", "SK102").status == 0)
    #expect(try folder.rows(of: "notes.db", "SELECT * FROM note") == [[.int(1), .text("a")]])
  }

  @Test("a plan that was saved without a look at the rows is applied without one")
  func saved() throws {
    try folder.database("notes.db", "UPDATE note SET body = 'a'")
    #expect(
      try folder.run(
        "plan", "notes.db", "--to", "new.sql", "--quick", "--out", "plan.json", "--allow", "SK102"
      ).status == 0)
    try folder.database("notes.db", "INSERT INTO note VALUES (2, 'b', 'x')")
    #expect(try folder.run("apply", "notes.db", "--plan", "plan.json", "--quick", "--yes").status == 64)
    let run = try folder.run("apply", "notes.db", "--plan", "plan.json", "--yes")
    #expect(run.status == 0)
    #expect(run.output.contains("Rows were not examined"))
    #expect(try folder.rows(of: "notes.db", "SELECT body FROM note") == [[.text("a")], [.text("b")]])
  }
}

import Foundation
import Testing

@Suite("schemactl lint")
struct LintCommandTests {
  private let folder: CommandFolder
  private let sql = """
    CREATE TABLE p (id INTEGER PRIMARY KEY);
    CREATE TABLE c (
      id INTEGER PRIMARY KEY,
      p INTEGER REFERENCES p (id),
      day DATE
    );
    """

  init() throws {
    folder = try CommandFolder()
    try folder.write(sql, to: "s.sql")
  }

  @Test("warnings exit with 2, notes and silence with 0")
  func exitCodes() throws {
    let run = try folder.run("lint", "s.sql")
    #expect(run.status == 2)
    #expect(run.output.contains("! SL101  warning: foreign key without an index, line 4"))
    #expect(run.output.hasSuffix("\ns.sql: 1 warning and 1 note\n"))
    let notes = try folder.run("lint", "s.sql", "--skip", "SL101:c.p")
    #expect(notes.status == 0)
    #expect(notes.output.hasSuffix("\ns.sql: 1 note\n"))
    let silence = try folder.run("lint", "s.sql", "--skip", "SL101", "--skip", "SL303:c")
    #expect(silence.status == 0 && silence.output == "nothing found: s.sql\n" && silence.errors == "")
  }

  @Test("the exit code is the same with -q, and nothing is printed")
  func quiet() throws {
    let run = try folder.run("lint", "s.sql", "-q")
    #expect(run.status == 2 && run.output == "" && run.errors == "")
  }

  @Test("standard input, a database and a snapshot have the same findings")
  func sources() throws {
    let input = try folder.run("lint", "-", "--format", "json", input: sql)
    #expect(input.status == 2)
    try folder.database("a.db", sql)
    let database = try folder.run("lint", "a.db", "--format", "json")
    #expect(database.status == 2)
    try folder.write(folder.run("inspect", "a.db", "--format", "json").output, to: "a.json")
    let snapshot = try folder.run("lint", "a.json", "--format", "json")
    func codes(_ run: CommandRun) -> [String] {
      (run.json["findings"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
    }
    #expect(codes(input) == ["SL101", "SL303"])
    #expect(codes(database) == codes(input) && codes(snapshot) == codes(input))
  }

  @Test("JSON has the format's version, the line, the fix and the page")
  func json() throws {
    let document = try folder.run("lint", "s.sql", "--format", "json").json
    #expect(document["formatVersion"] as? Int == 2)
    #expect(document["warnings"] as? Int == 1 && document["notes"] as? Int == 1)
    let finding = try #require((document["findings"] as? [[String: Any]])?.first)
    #expect(finding["object"] as? String == "c.p" && finding["severity"] as? String == "warning")
    #expect(finding["file"] as? String == "s.sql" && finding["line"] as? Int == 4)
    #expect(finding["sql"] as? [String] == ["CREATE INDEX c_by_p ON c (p);"])
    #expect((finding["page"] as? String)?.hasPrefix("https://sqlite.org/") == true)
  }

  @Test("findings keep their severity in every form, and --fail-on chooses which of them fail the command")
  func failOn() throws {
    let run = try folder.run("lint", "s.sql", "--format", "github", "--path-prefix", "db")
    #expect(run.status == 2)
    #expect(run.output.contains("::warning file=db/s.sql,line=4,") && run.output.contains("::notice "))
    #expect(try folder.run("lint", "s.sql", "--fail-on", "error").status == 0)
    let never = try folder.run("lint", "s.sql", "--fail-on", "never", "--format", "junit")
    #expect(never.status == 0 && never.output.contains(#"failures="0""#))
    #expect(try folder.run("lint", "s.sql", "--fail-on", "none").status == 64)
  }

  @Test("an unknown code is wrong usage, a schema that cannot be read is an error")
  func badUse() throws {
    let run = try folder.run("lint", "s.sql", "--skip", "SL1")
    #expect(run.status == 64)
    #expect(run.errors.contains("--skip SL1 is not understood: there is no rule \"SL1\""))
    #expect(try folder.run("lint", "s.sql", "--rule", "SK101").status == 64)
    #expect(try folder.run("lint").status == 64)
    #expect(try folder.run("lint", "nowhere.sql").status == 1)
    let bad = try folder.run("lint", "-", input: "CREATE TABLE t (a); -- schemakit: ignore SL000")
    #expect(bad.status == 1)
    #expect(bad.errors.contains("standard input:1:21"))
  }

  @Test("an exception that passes nothing over is a warning")
  func idleSkip() throws {
    let run = try folder.run("lint", "s.sql", "--skip", "SL501:v")
    #expect(run.errors == "schemactl: warning: --skip SL501:v passes nothing over.\n")
  }

  @Test("a tool with models of its own takes them where no schema is named")
  func models() throws {
    let run = try CommandRun(["lint"], in: folder, program: "notes-schema")
    #expect([0, 2].contains(run.status))
    #expect(run.output.contains("the models"))
  }

  @Test("the database is not changed")
  func changesNothing() throws {
    try folder.database("a.db", sql)
    let before = try folder.bytes("a.db")
    _ = try folder.run("lint", "a.db")
    #expect(try folder.bytes("a.db") == before)
  }
}

import Foundation
import Testing

@testable import SchemaKit

@Suite("apply --no-ledger")
struct NoLedgerTests {
  private let folder: CommandFolder

  init() throws {
    folder = try CommandFolder()
    try folder.database(
      "a.db",
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, active TEXT, note TEXT);
      INSERT INTO t VALUES (1, 'yes', NULL), (2, 'no', 'n');
      """)
    try folder.write("CREATE TABLE t (id INTEGER PRIMARY KEY, active TEXT, note TEXT);", to: "old.sql")
    try folder.write(
      """
      CREATE TABLE t (
        id INTEGER PRIMARY KEY,
        active INTEGER, -- schemakit: convert active = 'yes'
        note TEXT NOT NULL DEFAULT ''
      );
      """, to: "new.sql")
  }

  private func apply(_ more: String...) throws -> CommandRun {
    let run = try CommandRun(["apply", "a.db", "--no-ledger", "--yes", "--no-backup"] + more, in: folder)
    #expect(run.status == 0, "\(run.errors)")
    let own = "SELECT count(*) FROM sqlite_master WHERE tbl_name LIKE '\\_schemakit%' ESCAPE '\\'"
    #expect(try folder.rows(of: "a.db", own) == [[.int(0)]])
    return run
  }

  private var rows: [[RawValue]] {
    get throws { try folder.rows(of: "a.db", "SELECT active, note FROM t ORDER BY id") }
  }

  @Test("the file is changed and gets no table of ours, also when there is nothing to change")
  func twice() throws {
    _ = try apply("--to", "new.sql")
    #expect(try rows == [[.int(1), .text("")], [.int(0), .text("n")]])
    let before = try folder.bytes("a.db")
    let again = try apply("--to", "new.sql")
    #expect(again.lastLine == "Nothing was changed.")
    #expect(try folder.bytes("a.db") == before)
    #expect(try folder.run("check", "a.db", "--to", "new.sql").status == 0)
    #expect(try folder.run("undo", "a.db", "--yes").status == 1)
  }

  @Test("an older schema is applied without a question, and a conversion runs with each change of the type")
  func backAndForth() throws {
    _ = try apply("--to", "new.sql")
    _ = try apply("--to", "old.sql")
    #expect(try rows == [[.text("1"), .text("")], [.text("0"), .text("n")]])
    try folder.database("a.db", "UPDATE t SET active = 'yes' WHERE id = 2")
    _ = try apply("--to", "new.sql")
    #expect(try rows == [[.int(0), .text("")], [.int(1), .text("n")]])
    // The next change leaves the type.
    try folder.write(
      """
      CREATE TABLE t (
        id INTEGER PRIMARY KEY,
        active INTEGER CHECK (active < 2), -- schemakit: convert active = 'yes'
        note TEXT NOT NULL DEFAULT ''
      );
      """, to: "next.sql")
    _ = try apply("--to", "next.sql", "--strategy", "rebuild")
    #expect(try rows == [[.int(0), .text("")], [.int(1), .text("n")]])
  }

  @Test("the plan says what is missing, by SK211, and that NULL does not come back")
  func note() throws {
    let plan = try folder.run("plan", "a.db", "--to", "new.sql", "--no-ledger", "--format", "json")
    let hazards = plan.json["hazards"] as? [[String: Any]] ?? []
    let note = try #require(hazards.first { $0["code"] as? String == "SK211" })
    #expect(note["class"] as? String == "note")
    #expect((note["message"] as? String)?.contains("undo cannot take it back") == true)
    let filled = try #require(hazards.first { $0["code"] as? String == "SK104" })
    #expect(filled["remedy"] as? String == "Without a history, nothing tells these rows from others afterwards.")
    let script = try folder.run("plan", "a.db", "--to", "new.sql", "--no-ledger", "--format", "sql").output
    #expect(script.contains("-- SK211") && script.contains("COMMIT;"), "\(script)")
    // A script without that stops, and changes nothing.
    guard Engine.has(.catalogReset) else { return }
    try folder.bytes("a.db").write(to: folder.url("b.db"))
    try folder.database("b.db", script.replacingOccurrences(of: ".bail on", with: ""))
    #expect(try folder.rows(of: "b.db", "SELECT name FROM sqlite_master") == [[.text("t")]])
    let usual = try folder.run("plan", "a.db", "--to", "new.sql")
    #expect(!usual.output.contains("SK211") && usual.output.contains("undo brings NULL back"))
    #expect(try !folder.run("plan", "a.db", "--to", "old.sql", "--no-ledger").output.contains("SK211"))
  }

  @Test("a file that has a history is refused as it is", arguments: ["plan", "apply"])
  func existing(command: String) throws {
    _ = try folder.run("apply", "a.db", "--to", "old.sql", "--yes")
    for schema in ["old.sql", "new.sql"] {
      let before = try folder.bytes("a.db")
      let more = command == "apply" ? ["--yes"] : []
      let run = try CommandRun([command, "a.db", "--to", schema, "--no-ledger"] + more, in: folder)
      #expect(run.status == 64 && run.errors.contains("The database has a history"), "\(run.errors)")
      #expect(try folder.bytes("a.db") == before)
    }
  }

  @Test(
    "what needs the history cannot be combined with it",
    arguments: [
      "plan a.db --to new.sql --keep", "plan a.db --migrations steps", "plan a.db --to new.sql --out plan.json",
      "apply a.db --to new.sql --keep --yes", "apply a.db --migrations steps --yes",
      "apply a.db --plan plan.json --yes",
    ])
  func combined(line: String) throws {
    let before = try folder.bytes("a.db")
    let run = try CommandRun(line.split(separator: " ").map(String.init) + ["--no-ledger"], in: folder)
    #expect(run.status == 64 && run.errors.contains("--no-ledger and --"), "\(run.errors)")
    #expect(try folder.bytes("a.db") == before && !folder.exists("plan.json"))
  }

  @Test("models, and settings that have apply run recorded steps, are refused; it is not a setting")
  func others() throws {
    let models = try CommandRun(["apply", "n.db", "--no-ledger", "--yes"], in: folder, program: "notes-schema")
    #expect(models.status == 64 && models.errors.contains("--no-ledger goes with --to SCHEMA"), "\(models.errors)")
    #expect(!folder.exists("n.db"))
    try folder.write("migrations = \"steps\"\n", to: "schemactl.toml")
    let recorded = try folder.run("apply", "a.db", "--no-ledger", "--yes")
    #expect(recorded.status == 64 && recorded.errors.contains("--no-ledger"), "\(recorded.errors)")
    try folder.write("no-ledger = true\n", to: "schemactl.toml")
    let setting = try folder.run("plan", "a.db", "--to", "new.sql")
    #expect(setting.errors.contains("--no-ledger is given for one run"), "\(setting.errors)")
  }

  @Test("a rehearsal and a dry run leave the file as it is")
  func rehearsed() throws {
    let before = try folder.bytes("a.db")
    for option in ["--rehearse", "--dry-run"] {
      let run = try folder.run("apply", "a.db", "--to", "new.sql", "--no-ledger", option)
      #expect(run.status == 0, "\(run.errors)")
      #expect(try folder.bytes("a.db") == before)
    }
  }
}

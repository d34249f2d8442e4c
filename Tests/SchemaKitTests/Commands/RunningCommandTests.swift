import Foundation
import Testing

@Suite("--running")
struct RunningCommandTests {
  /// A change, and a statement of a program that was written for the schema before it.
  struct Scene: Sendable, CustomTestStringConvertible {
    var codes: [String]
    var old: String
    var new: String
    var statement: String
    /// A query whose rows the statement makes other ones; nil if the statement fails.
    var query: String?
    var isOrderStrict = false

    var testDescription: String { "\(codes.joined(separator: ", ")): \(statement)" }
    var options: [String] { isOrderStrict ? ["--strict-order"] : [] }
  }

  static let failing = [
    Scene(
      codes: ["SR305"], old: "CREATE TABLE a (x, y); CREATE VIEW v AS SELECT x, y FROM a",
      new: "CREATE TABLE a (x, y); CREATE VIEW v AS SELECT x FROM a;", statement: "SELECT y FROM v"),
    Scene(
      codes: ["SR306"],
      old:
        "CREATE TABLE a (x); CREATE VIEW v AS SELECT x FROM a; CREATE TRIGGER t INSTEAD OF INSERT ON v BEGIN INSERT INTO a VALUES (new.x); END",
      new: "CREATE TABLE a (x); CREATE VIEW v AS SELECT x FROM a;", statement: "INSERT INTO v VALUES (1)"),
    Scene(
      codes: ["SR101"], old: "CREATE TABLE a (x); CREATE TABLE b (y)", new: "CREATE TABLE a (x);",
      statement: "INSERT INTO b VALUES (1)"),
    Scene(
      codes: ["SR101"], old: "CREATE TABLE a (x); CREATE VIEW v AS SELECT x FROM a", new: "CREATE TABLE a (x);",
      statement: "SELECT x FROM v"),
    Scene(
      codes: ["SR102"], old: "CREATE TABLE a (x)", new: "CREATE TABLE b ( -- schemakit: renamed from a\n  x\n);",
      statement: "INSERT INTO a VALUES (1)"),
    Scene(
      codes: ["SR103", "SR401", "SR402"], old: "CREATE TABLE a (x, y)", new: "CREATE TABLE a (x);",
      statement: "UPDATE a SET y = 1"),
    Scene(
      codes: ["SR104"], old: "CREATE TABLE a (x, y)",
      new: "CREATE TABLE a (\n  x,\n  z -- schemakit: renamed from y\n);", statement: "UPDATE a SET y = 1"),
    Scene(
      codes: ["SR105"], old: "CREATE TABLE a (k TEXT PRIMARY KEY NOT NULL, x)",
      new: "CREATE TABLE a (k TEXT PRIMARY KEY NOT NULL, x) WITHOUT ROWID;", statement: "SELECT rowid FROM a"),
    Scene(
      codes: ["SR106"], old: "CREATE TABLE a (x UNIQUE, y)", new: "CREATE TABLE a (x, y);",
      statement: "INSERT INTO a (x, y) VALUES (1, 2) ON CONFLICT (x) DO NOTHING"),
    Scene(
      codes: ["SR201", "SR401", "SR402"], old: "CREATE TABLE a (x)", new: "CREATE TABLE a (x, y TEXT NOT NULL);",
      statement: "INSERT INTO a (x) VALUES (1)"),
    Scene(
      codes: ["SR201"], old: "CREATE TABLE a (x, y)", new: "CREATE TABLE a (x, y NOT NULL);",
      statement: "INSERT INTO a (x) VALUES (1)"),
    Scene(
      codes: ["SR202"], old: "CREATE TABLE a (x, y DEFAULT 1)", new: "CREATE TABLE a (x, y NOT NULL DEFAULT 1);",
      statement: "INSERT INTO a VALUES (1, NULL)"),
    Scene(
      codes: ["SR203", "SR401"], old: "CREATE TABLE a (x INTEGER, y INTEGER)",
      new: "CREATE TABLE a (x INTEGER, y INTEGER AS (x * 2));", statement: "INSERT INTO a (x, y) VALUES (1, 2)"),
    Scene(
      codes: ["SR204"], old: "CREATE TABLE a (x INTEGER)", new: "CREATE TABLE a (x INTEGER CHECK (x > 0));",
      statement: "INSERT INTO a VALUES (-1)"),
    Scene(
      codes: ["SR205"], old: "CREATE TABLE a (x)", new: "CREATE TABLE a (x UNIQUE);",
      statement: "INSERT INTO a VALUES (1), (1)"),
    Scene(
      codes: ["SR205"], old: "CREATE TABLE a (x)", new: "CREATE TABLE a (x); CREATE UNIQUE INDEX i ON a (x);",
      statement: "INSERT INTO a VALUES (1), (1)"),
    Scene(
      codes: ["SR206"], old: "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE a (x)",
      new: "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE a (x REFERENCES p);",
      statement: "PRAGMA foreign_keys = ON; INSERT INTO a VALUES (7)"),
    Scene(
      codes: ["SR207"], old: "CREATE TABLE a (x INTEGER)", new: "CREATE TABLE a (x INTEGER) STRICT;",
      statement: "INSERT INTO a VALUES ('word')"),
    Scene(
      codes: ["SR401", "SR402"], old: "CREATE TABLE a (x)", new: "CREATE TABLE a (x, y);",
      statement: "INSERT INTO a VALUES (1)"),
  ]

  static let quiet = [
    Scene(
      codes: ["SR305"], old: "CREATE TABLE a (x, y); CREATE VIEW v AS SELECT x, y FROM a",
      new: "CREATE TABLE a (x, y); CREATE VIEW v AS SELECT x, y FROM a WHERE x > 1;",
      statement: "INSERT INTO a VALUES (1, 2)", query: "SELECT x FROM v"),
    Scene(
      codes: ["SR306"], old: "CREATE TABLE a (x)",
      new: "CREATE TABLE a (x); CREATE TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM a; END;",
      statement: "INSERT INTO a VALUES (1)", query: "SELECT x FROM a"),
    Scene(
      codes: ["SR301"], old: "CREATE TABLE a (x TEXT)", new: "CREATE TABLE a (x INTEGER);",
      statement: "INSERT INTO a VALUES ('007')", query: "SELECT x FROM a"),
    Scene(
      codes: ["SR302"], old: "CREATE TABLE a (x, y DEFAULT 1)", new: "CREATE TABLE a (x, y DEFAULT 2);",
      statement: "INSERT INTO a (x) VALUES (5)", query: "SELECT y FROM a"),
    Scene(
      codes: ["SR303"], old: "CREATE TABLE a (x TEXT)", new: "CREATE TABLE a (x TEXT COLLATE NOCASE);",
      statement: "INSERT INTO a VALUES ('A')", query: "SELECT count(*) FROM a WHERE x = 'a'"),
    Scene(
      codes: ["SR304", "SR106"], old: "CREATE TABLE a (id INTEGER PRIMARY KEY, x)",
      new: "CREATE TABLE a (id INTEGER, x);",
      statement: "INSERT INTO a (x) VALUES (5)", query: "SELECT id FROM a"),
    Scene(
      codes: ["SR401", "SR402"], old: "CREATE TABLE a (x, y)", new: "CREATE TABLE a (y, x);",
      statement: "INSERT INTO a VALUES (1, 2)", query: "SELECT x FROM a", isOrderStrict: true),
    Scene(
      codes: ["SR401", "SR402"], old: "CREATE TABLE a (x)", new: "CREATE TABLE a (x, y);",
      statement: "INSERT INTO a (x) VALUES (1)", query: "SELECT * FROM a"),
    Scene(
      codes: ["SR106"], old: "CREATE TABLE a (x UNIQUE, y)", new: "CREATE TABLE a (x, y);",
      statement: "INSERT INTO a VALUES (1, 2); INSERT OR REPLACE INTO a VALUES (1, 3)", query: "SELECT y FROM a"),
  ]

  let folder: CommandFolder

  init() throws { folder = try CommandFolder() }

  private func codes(_ run: CommandRun) -> [String] { notes(run).compactMap { $0["code"] as? String } }

  private func notes(_ run: CommandRun) -> [[String: Any]] {
    (run.json["running"] as? [String: Any])?["notes"] as? [[String: Any]] ?? []
  }

  /// Makes the files of a scene, notes what its change would break, and makes the change.
  private func change(_ scene: Scene) throws {
    try folder.database("declared.db", scene.new)
    try folder.database("app.db", scene.old)
    try folder.database("before.db", scene.old)
    try folder.write(scene.new, to: "new.sql")
    let words = ["app.db", "--to", "new.sql"] + scene.options
    let plan = try CommandRun(["plan", "--running", "file", "--format", "json"] + words, in: folder)
    #expect(plan.status == 0)
    #expect(codes(plan) == scene.codes)
    let consent = ["--yes", "--no-backup", "-q", "--allow", "destructive", "--allow", "lossy"]
    #expect(try CommandRun(["apply"] + words + consent, in: folder).status == 0)
  }

  @Test("a statement that a note is about works before the change, and fails after it", arguments: failing)
  func fails(scene: Scene) throws {
    try change(scene)
    #expect(throws: Never.self) { try folder.database("before.db", scene.statement) }
    #expect(throws: (any Error).self) { try RawSQLite(folder.url("app.db").path).exec(scene.statement) }
  }

  @Test("a statement that a note is about works after the change, and does something else", arguments: quiet)
  func differs(scene: Scene) throws {
    try change(scene)
    for file in ["before.db", "app.db"] { try folder.database(file, scene.statement) }
    let query = try #require(scene.query)
    #expect(try folder.rows(of: "before.db", query) != folder.rows(of: "app.db", query))
  }

  @Test(
    "what a program does not notice has no note",
    arguments: [
      ("CREATE TABLE a (x, y)", "CREATE TABLE a (y, x);"),
      ("CREATE TABLE a (x)", "CREATE TABLE a (x); CREATE INDEX i ON a (x); CREATE TABLE b (y NOT NULL);"),
      ("CREATE TABLE a (x NOT NULL)", "CREATE TABLE a (x);"),
      ("CREATE TABLE a (x UNIQUE, y)", "CREATE TABLE a (x UNIQUE, y, UNIQUE (x, y));"),
      ("CREATE TABLE a (x CHECK (x > 0))", "CREATE TABLE a (x);"),
    ])
  func nothing(old: String, new: String) throws {
    try folder.database("app.db", old)
    try folder.write(new, to: "new.sql")
    #expect(codes(try folder.run("plan", "app.db", "--to", "new.sql", "--running", "file", "--format", "json")) == [])
    let text = try folder.run("plan", "app.db", "--to", "new.sql", "--running", "file").output
    #expect(text.contains("A running program with the schema of app.db finds and writes what it did."))
  }

  @Test(
    "a rule that follows a rename, or that the defaults of new columns fit, has no note",
    arguments: [
      (
        "CREATE TABLE a (x INTEGER CHECK (x > 0) UNIQUE)",
        "CREATE TABLE a (\n  z INTEGER CHECK (z > 0) UNIQUE -- schemakit: renamed from x\n);", ["SR104"]
      ),
      (
        "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (p REFERENCES p)",
        "CREATE TABLE q ( -- schemakit: renamed from p\n  id INTEGER PRIMARY KEY\n); CREATE TABLE c (p REFERENCES q);",
        ["SR102"]
      ),
      (
        "CREATE TABLE a (x)",
        "CREATE TABLE a (x, y TEXT DEFAULT 'n' CHECK (y IN ('n', 'o')), z UNIQUE, p REFERENCES a (z));",
        ["SR401", "SR402"]
      ),
    ])
  func followed(old: String, new: String, expected: [String]) throws {
    try folder.database("app.db", old)
    try folder.write(new, to: "new.sql")
    let plan = try folder.run("plan", "app.db", "--to", "new.sql", "--running", "file", "--format", "json")
    #expect(codes(plan) == expected)
  }

  /// A change that a file can serve both programs of, but for the columns' number.
  private func shareable() throws {
    try folder.database("app.db", "CREATE TABLE a (id INTEGER PRIMARY KEY, name TEXT NOT NULL, fax TEXT)")
    try folder.write(
      "CREATE TABLE a (\n  id INTEGER PRIMARY KEY,\n  title TEXT NOT NULL -- schemakit: renamed from name\n);",
      to: "new.sql")
  }

  @Test("where --expand serves the program, the note says so, and its statements work after that")
  func expanding() throws {
    try shareable()
    let plan = try folder.run("plan", "app.db", "--to", "new.sql", "--running", "file", "--format", "json")
    let ways = notes(plan).map { "\($0["code"] as? String ?? "") \($0["canExpand"] as? Bool ?? false)" }
    #expect(ways == ["SR104 true", "SR103 true", "SR401 false", "SR402 false"])
    let expanding = try folder.run(
      "plan", "app.db", "--to", "new.sql", "--expand", "--running", "file", "--format", "json")
    #expect(codes(expanding) == ["SR401", "SR402"])
    #expect(try folder.run("apply", "app.db", "--to", "new.sql", "--expand", "--yes", "-q").status == 0)
    try folder.database("app.db", "INSERT INTO a (name, fax) VALUES ('Ada', '12'); UPDATE a SET name = 'Ben'")
    let contracting = try folder.run(
      "plan", "app.db", "--to", "new.sql", "--contract", "--running", "file", "--format", "json")
    #expect(codes(contracting).contains("SR103"))
    #expect(notes(contracting).allSatisfy { ($0["remedy"] as? String)?.contains("--contract") == true })
  }

  @Test("notes never change an exit code, and are notes in every format of check")
  func exitCodes() throws {
    try shareable()
    for options in [["plan"], ["plan", "--exit-code"], ["check"], ["check", "--fail-on", "warning"]] {
      let words = options + ["app.db", "--to", "new.sql"]
      let plain = try CommandRun(words, in: folder)
      #expect(try CommandRun(words + ["--running", "file"], in: folder).status == plain.status)
    }
    try folder.write("CREATE TABLE a (id INTEGER PRIMARY KEY, name TEXT NOT NULL, fax TEXT);", to: "v1.sql")
    _ = try folder.run("apply", "app.db", "--to", "new.sql", "--yes", "-q", "--no-backup", "--allow", "destructive")
    for format in ["text", "json", "github", "sarif", "junit", "markdown"] {
      let run = try folder.run(
        "check", "app.db", "--to", "new.sql", "--running", "v1.sql", "--fail-on", "warning", "--format", format)
      #expect(run.status == 0, "\(format)")
      #expect(run.output.contains("SR103"), "\(format)")
      if format == "sarif" { #expect(run.output.contains("\"note\"") && !run.output.contains("\"error\"")) }
    }
    let diff = try folder.run("diff", "v1.sql", "new.sql", "--running", "file")
    #expect(diff.status == 2 && diff.output.contains("SR104"))
    #expect(try folder.run("diff", "v1.sql", "v1.sql", "--running", "file").status == 0)
  }

  @Test("a plan of the next recorded step has the notes too, and every form of a plan shows them")
  func forms() throws {
    try shareable()
    for format in ["text", "markdown", "html"] {
      let run = try folder.run("plan", "app.db", "--to", "new.sql", "--running", "file", "--format", format)
      #expect(run.output.contains("SR104"), "\(format)")
    }
    try folder.write("CREATE TABLE a (id INTEGER PRIMARY KEY, name TEXT NOT NULL, fax TEXT);", to: "v1.sql")
    _ = try folder.run("migrations", "new", "first", "--to", "v1.sql", "--migrations", "steps")
    _ = try folder.run("apply", "steps.db", "--migrations", "steps", "--yes", "--create", "-q")
    try folder.write("CREATE TABLE a (id INTEGER PRIMARY KEY, name TEXT NOT NULL);", to: "v2.sql")
    _ = try folder.run(
      "migrations", "new", "second", "--to", "v2.sql", "--allow", "destructive", "--migrations", "steps")
    let run = try folder.run(
      "plan", "steps.db", "--migrations", "steps", "--running", "file", "--format", "json")
    #expect(codes(run) == ["SR103", "SR401", "SR402"], "\(run.errors)")
    // Recorded steps have no phases.
    #expect(notes(run).allSatisfy { $0["canExpand"] as? Bool == false })
  }

  @Test("a question without a database, a script, and a schema that is not there are told of")
  func mistakes() throws {
    try shareable()
    let check = try folder.run("check", "--to", "new.sql", "--migrations", "steps", "--running", "file")
    #expect(check.status == 64 && check.errors.contains("--running needs a database"))
    let script = try folder.run("plan", "app.db", "--to", "new.sql", "--running", "file", "--format", "sql")
    #expect(script.status == 64 && script.errors.contains("--running and --format sql cannot be combined"))
    let missing = try folder.run("plan", "app.db", "--to", "new.sql", "--running", "gone.sql")
    #expect(missing.status != 0 && missing.errors.contains("gone.sql"))
  }
}

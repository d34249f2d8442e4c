import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitOperations

@Suite("What is planned is done, and what is refused is told beforehand")
struct PlanAndApplyTests {
  @Test("a key that names a column twice is read as SQLite stores it")
  func repeatedKeyColumn() throws {
    for ending in ["", " WITHOUT ROWID"] {
      let key = "PRIMARY KEY (a, b, a, c)"
      let file = try TemporaryDatabase("CREATE TABLE t (a, b, c, \(key))\(ending); INSERT INTO t VALUES (1, 2, 3)")
      let after = "CREATE TABLE t (a, b, c, d, \(key))\(ending)"
      try file.migrate(to: after)
      #expect(try file.plan(to: after).isEmpty)
      #expect(try file.query("SELECT a, b, c FROM t") == [[.int(1), .int(2), .int(3)]])
    }
  }

  @Test("a rename from a column that is not there is told, with the one that may be meant")
  func misspeltRename() throws {
    let file = try TemporaryDatabase("CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT)")
    func notes(_ hint: String) throws -> [String] {
      try file.plan(to: "CREATE TABLE t (id INTEGER PRIMARY KEY,\ntitle TEXT -- schemakit: renamed from \(hint)\n)")
        .hazards.filter { $0.code == .unusedHint }.map { "\($0.object) \($0.remedy ?? "")" }
    }
    #expect(try notes("nmae") == ["t.title Did you mean name? Correct the hint, or take it out."])
    #expect(try notes("name") == [])
    // A table that the plan creates has nothing to be renamed.
    let new =
      "CREATE TABLE u (\na INT -- schemakit: renamed from b\n); CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT)"
    #expect(try file.plan(to: new).hazards.allSatisfy { $0.code != .unusedHint })
  }

  @Test("duplicates in a column that comes with the change have a way out that works")
  func newDuplicates() throws {
    let file = try TemporaryDatabase("CREATE TABLE u (id INTEGER PRIMARY KEY); INSERT INTO u VALUES (1), (2)")
    func target(_ fill: String) -> String {
      "CREATE TABLE u (id INTEGER PRIMARY KEY,\nn TEXT NOT NULL DEFAULT ''\(fill)\n);\nCREATE UNIQUE INDEX un ON u (n);"
    }
    let hazard = try #require(try file.plan(to: target("")).hazards.first { $0.code == .duplicates })
    #expect(hazard.remedy?.contains("schemakit: fill") == true)
    try file.migrate(to: target(" -- schemakit: fill 'n' || id"))
    #expect(try file.query("SELECT n FROM u ORDER BY id") == [[.text("n1")], [.text("n2")]])
  }

  @Test("DROP COLUMN is not taken where it would round numbers that an index has")
  func dropRounds() throws {
    for key in ["UNIQUE (r, n)", "CHECK (n > 0)"] {
      let isUnique = key.hasPrefix("UNIQUE")
      let index = isUnique ? "" : "; CREATE INDEX tr ON t (r)"
      let file = try EditedFile(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, r BLOB, n INT, z TEXT, \(key))\(index); "
          + "INSERT INTO t VALUES (1, 9007199254740993, 1, NULL)", ["r BLOB": "r REAL"])
      try file.database.migrate(
        to: "CREATE TABLE t (id INTEGER PRIMARY KEY, r REAL, n INT, \(key))\(index)", allowing: .everything)
      #expect(try file.problems() == ["ok"], "\(key)")
    }
  }

  @Test("an undo that would bring back equal rows under a unique index is blocked in its plan")
  func undoOfUnseenDuplicates() throws {
    let file = try EditedFile(
      "CREATE TABLE t (a TEXT, b TEXT); CREATE UNIQUE INDEX ta ON t (a || 'x') WHERE 0; CREATE TABLE u (a); "
        + "INSERT INTO t VALUES ('1', 'p'), ('1', 'q')", [" WHERE 0": ""])
    try file.database.migrate(to: "CREATE TABLE u (a)", allowing: .keepingEverything)
    let undo = try MigrationUndo(at: file.database.path)
    #expect(try undo.plan().refusals(under: .everything).map(\.code) == [.duplicates])
    #expect(throws: PlanError.self) { try undo.apply(allowing: .everything) }
  }

  @Test(
    "a script leaves rows alone that referred to nothing before, or its plan is refused",
    arguments: EngineProfile.Name.allCases,
    [
      "CREATE TABLE c (id INTEGER PRIMARY KEY, p REFERENCES p, v TEXT, UNIQUE (v, p))",
      "CREATE TABLE c (id INTEGER PRIMARY KEY, p REFERENCES p,\nw TEXT -- schemakit: renamed from v\n)",
    ])
  func orphansOfBefore(name: EngineProfile.Name, child: String) throws {
    let parent = "CREATE TABLE p (id INTEGER PRIMARY KEY)"
    let file = try TemporaryDatabase(
      "\(parent); CREATE TABLE c (id INTEGER PRIMARY KEY, p REFERENCES p, v TEXT); INSERT INTO c VALUES (1, 99, 'x')")
    let after = "\(parent);\n\(child);"
    let migration = try ScriptedMigration(of: file.path, to: TemporaryDatabase.target(after), for: name)
    guard migration.plan.refusals(under: .lossless).isEmpty else { return }
    let database = try file.reopened()
    try EngineRules(name).run(try migration.script(), on: database)
    database.close()
    #expect(try file.plan(to: after).isEmpty)
    #expect(try file.query("SELECT id, p FROM c") == [[.int(1), .int(99)]])
    #expect(try file.query("SELECT name FROM sqlite_master WHERE name LIKE '%orphans%'").isEmpty)
  }

  @Test("doctor names the rows for which its REINDEX would fail")
  func doctor() throws {
    let file = try EditedFile(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, g TEXT); CREATE UNIQUE INDEX tg ON t (g) WHERE 0; "
        + "INSERT INTO t VALUES (1, 'a'), (2, 'a')", [" WHERE 0": ""])
    let run = try CommandRun(["doctor", file.database.path], in: CommandFolder())
    #expect(run.output.contains("2 rows in tg") && run.output.contains("HAVING count(*) > 1;"), "\(run.output)")
  }

  @Test("a search index that has lost a table of its own is dropped, but not where such tables are protected")
  func lostShadow() throws {
    let table = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT)"
    let file = try TemporaryDatabase(
      "\(table); CREATE VIRTUAL TABLE s USING fts5(a, content='t', content_rowid='id'); DROP TABLE s_data")
    for name in EngineProfile.Name.allCases {
      let migration = try ScriptedMigration(
        of: file.path, to: TemporaryDatabase.target(table), for: name, allowing: .everything)
      let refused = migration.plan.refusals(under: .everything).map(\.code)
      #expect(refused == ([.inTransaction, .d1].contains(name) ? [.unsupportedEngine] : []), "\(name)")
    }
    #expect(try file.migrate(to: table, allowing: .everything).outcome == .applied)
    #expect(try file.query("SELECT name FROM sqlite_master WHERE name LIKE 's%' AND name NOT LIKE 'sqlite%'") == [])
  }

  @Test("paranoid verification takes a sound table WITHOUT ROWID for sound, and carried rows for carried")
  func paranoid() throws {
    let sound = try TemporaryDatabase(
      "CREATE TABLE t (id, x NOT NULL, k TEXT PRIMARY KEY) WITHOUT ROWID; INSERT INTO t VALUES (0, 12, 'k')")
    try sound.migrate(
      to: "CREATE TABLE t (id, x NOT NULL, k TEXT PRIMARY KEY, CHECK (x <> 5)) WITHOUT ROWID"
    ) { $0.plan.verification = .paranoid }
    let carried = try EditedFile(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT, m TEXT); INSERT INTO t VALUES (1, NULL, 'x')",
      ["n TEXT": "n TEXT NOT NULL"])
    try carried.database.migrate(to: "CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT NOT NULL, m TEXT UNIQUE)") {
      $0.plan.verification = .paranoid
    }
    #expect(try carried.database.query("SELECT m FROM t NOT INDEXED") == [[.text("x")]])
  }

  @Test("a column swap counts alike in text and JSON")
  func summary() throws {
    try Engine.require(.dropColumn)
    let folder = try CommandFolder()
    let child = "CREATE TABLE c (id INTEGER PRIMARY KEY, p REFERENCES p ON DELETE CASCADE);"
    try folder.database(
      "a.db",
      "CREATE TABLE p (id INTEGER PRIMARY KEY, n TEXT); \(child) INSERT INTO p VALUES (1, '5'); "
        + "INSERT INTO c VALUES (1, 1)")
    try folder.write("CREATE TABLE p (id INTEGER PRIMARY KEY, n INTEGER);\n\(child)", to: "b.sql")
    let plan = ["plan", "a.db", "--to", "b.sql", "--profile", "d1", "--allow", "lossy"]
    #expect(try CommandRun(plan, in: folder).output.contains("0 to add, 1 to change, 0 to rebuild"))
    let summary = try CommandRun(plan + ["--format", "json"], in: folder).json["summary"] as? [String: Any]
    #expect(summary?["change"] as? Int == 1)
  }

  // MARK: - Files with several names

  @Test("a file is opened by the name that has a journal beside it, or not at all", arguments: ["-journal", "-wal"])
  func otherName(suffix: String) throws {
    let scene = try FleetScene(2)
    let other = scene.folder.url("tenants/z.db").path
    #expect(link(scene.path(1), other) == 0)
    #expect(throws: Never.self) { try SQLiteConnection.openedForInspection(path: scene.path(1)) }
    try Data("left".utf8).write(to: URL(fileURLWithPath: other + suffix))
    #expect(throws: OtherNameError.self) { try SQLiteConnection.openedForInspection(path: scene.path(1)) }
    let files = try FleetFiles(at: [scene.folder.url("tenants").path]).files
    #expect(files.first?.path == other && files.first?.otherPaths == [scene.path(1)])
  }

  // MARK: - Drizzle

  @Test("Drizzle's separator counts in comments only, and version 1.0 keeps a folder for each migration")
  func drizzle() throws {
    let folder = try CommandFolder()
    for (name, sql) in [
      ("20260101120000_a", "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT DEFAULT '--> statement-breakpoint')"),
      ("20260102120000_b", "ALTER TABLE t ADD b TEXT\n--> statement-breakpoint\nCREATE INDEX tb ON t (b)"),
    ] {
      try FileManager.default.createDirectory(at: folder.url("m/\(name)"), withIntermediateDirectories: true)
      try folder.write(sql, to: "m/\(name)/migration.sql")
      try folder.write("{}", to: "m/\(name)/snapshot.json")
    }
    let path = folder.url("m").path
    #expect(try MigrationLayout.recognised(at: path) == .drizzle)
    let schema = try SchemaSource.at(path: path).load().target.schema
    #expect(schema.table("t")?.column("a")?.defaultValue?.value.text == "'--> statement-breakpoint'")
    #expect(schema.table("t")?.column("b") != nil && schema.indexes(on: "t").map(\.name) == ["tb"])
    try FileManager.default.createDirectory(at: folder.url("m/meta"), withIntermediateDirectories: true)
    try folder.write("{\"entries\": []}", to: "m/meta/_journal.json")
    #expect(throws: SchemaError.self) { try MigrationLayout.drizzle.migrations(at: path) }
  }
}

import Foundation
import Testing

@Suite("The command that tests upgrades")
struct UpgradeCommandTests {
  private static let files = [
    "upgrades/1.0/before.sql": """
    CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT, fax TEXT);
    INSERT INTO note VALUES (1, 'Buy bread', '555'), (2, NULL, NULL);
    """,
    "upgrades/1.0/expect.sql": "SELECT id, body FROM note ORDER BY id;\n-- 1 | 'Buy bread'\n-- 2 | NULL\n",
    "schema.sql": "CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT, stars INTEGER NOT NULL DEFAULT 1);",
  ]

  @Test("consent is given on the command line or by a case, and what an undo cannot bring back is a note")
  func consent() throws {
    let scene = try UpgradeScene(Self.files)
    #expect(try scene.findings("--to", "schema.sql") == ["1.0 direct: SU201 SK102"])
    #expect(try scene.findings("--to", "schema.sql", "--allow", "SK102:note.fax") == [])
    let kept = try scene.folder.run("test", "--to", "schema.sql", "--keep")
    #expect(kept.status == 0 && !kept.output.contains("note  "), "\(kept.output)")
    try scene.folder.write("allow = [\"destructive\"]", to: "upgrades/1.0/case.toml")
    let run = try scene.folder.run("test", "--to", "schema.sql")
    #expect(run.status == 0)
    #expect(run.output.contains("in one go, interrupted, undone") && run.output.contains("note.fax"), "\(run.output)")
  }

  @Test("a rename can be told by a case, and reaches the releases behind it")
  func renames() throws {
    let scene = try UpgradeScene([
      "upgrades/1.0/before.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); INSERT INTO t VALUES (1, 'x');",
      "upgrades/2.0/before.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, b TEXT);",
      "schema.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, b TEXT, c TEXT);",
    ])
    #expect(
      try scene.findings("--to", "schema.sql") == ["1.0 direct: SU201 SK102", "1.0 stepwise: SU201 SK102"])
    try scene.folder.write("rename = [\"t.a=t.b\"]", to: "upgrades/1.0/case.toml")
    #expect(try scene.findings("--to", "schema.sql") == [])
    // The schema that the release declared says it as well.
    try FileManager.default.removeItem(at: scene.folder.url("upgrades/1.0/case.toml"))
    let declared = "CREATE TABLE t (\n  id INTEGER PRIMARY KEY,\n  b TEXT -- schemakit: renamed from a\n);"
    try scene.folder.write(declared, to: "upgrades/2.0/schema.sql")
    #expect(try scene.findings("--to", "schema.sql") == ["1.0 direct: SU201 SK102"])
  }

  @Test("a database is copied and never written, with what its WAL holds", .needs(.dropColumn))
  func database() throws {
    let scene = try UpgradeScene(["schema.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b);"])
    let place = "upgrades/1.0"
    try FileManager.default.createDirectory(at: scene.folder.url(place), withIntermediateDirectories: true)
    let writer = try RawSQLite(scene.folder.url("\(place)/before.db").path)
    defer { writer.close() }
    try writer.exec(
      "PRAGMA journal_mode = WAL; CREATE TABLE t (id INTEGER PRIMARY KEY, a); INSERT INTO t VALUES (1, 'x')")
    try scene.folder.write("SELECT id, a, b FROM t;\n-- 1 | 'x' | NULL\n", to: "\(place)/expect.sql")
    func contents() throws -> [String: Data] {
      try ["before.db", "before.db-wal"].reduce(into: [:]) { $0[$1] = try scene.folder.bytes("\(place)/\($1)") }
    }
    let before = try contents()
    #expect(before["before.db-wal"]?.isEmpty == false)
    #expect(try scene.findings("--to", "schema.sql") == [])
    #expect(try contents() == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: scene.folder.url("\(place)").path).count == 4)
  }

  @Test("a case may have a schema of its own, and stands for itself then")
  func ownTarget() throws {
    var files = Self.files
    files["upgrades/2.0/before.sql"] = "CREATE TABLE x (a); INSERT INTO x VALUES (1);"
    files["upgrades/2.0/to.sql"] = "CREATE TABLE x (a, b);"
    files["upgrades/1.0/case.toml"] = "allow = [\"SK102\"]"
    let scene = try UpgradeScene(files)
    #expect(try scene.findings("--to", "schema.sql") == [])
    // One case alone, and no other schema is needed.
    let run = try scene.folder.run("test", "upgrades/2.0")
    #expect(run.status == 0 && run.output.contains("to upgrades/2.0/to.sql"), "\(run.errors)")
  }

  @Test("settings name the schema, or the folder of migrations")
  func settings() throws {
    var files = Self.files
    files["schemactl.toml"] = "schema = \"schema.sql\"\n"
    files["upgrades/1.0/case.toml"] = "allow = [\"SK102\"]"
    let scene = try UpgradeScene(files)
    #expect(try scene.findings() == [])
    try scene.folder.write("CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT, fax TEXT);", to: "old.sql")
    #expect(try scene.folder.run("migrations", "new", "init", "--to", "old.sql").status == 0)
    try scene.folder.write("migrations = \"migrations\"\n", to: "schemactl.toml")
    #expect(try scene.folder.run("test").output.contains("to migrations: 2 rows"))
  }

  @Test("the same seed stops at the same moments, and is told")
  func seed() throws {
    let scene = try UpgradeScene(Self.files)
    let run = try scene.folder.run("test", "run", "upgrades", "--to", "schema.sql", "--allow", "SK102", "--seed", "42")
    #expect(run.output.hasSuffix("1 passed; --seed 42 stops at the same moments\n"))
    #expect(try scene.folder.run("test", "--to", "schema.sql", "--allow", "SK102").output.contains("--seed "))
  }

  @Test("JUnit has a case for each way, and fails where a case does")
  func junit() throws {
    let scene = try UpgradeScene(Self.files)
    let run = try scene.folder.run("test", "--to", "schema.sql", "--format", "junit")
    #expect(run.status == 2)
    #expect(run.output.contains("<testsuites tests=\"1\" failures=\"1\">") && run.output.contains("type=\"SU201\""))
    let passed = try scene.folder.run("test", "--to", "schema.sql", "--format", "junit", "--allow", "SK102")
    #expect(passed.status == 0 && passed.output.contains("name=\"1.0 interrupted\"/>"))
  }

  @Test("with --quiet only failures are told, and with -v the rows that a query gives")
  func output() throws {
    var files = Self.files
    files["upgrades/1.0/expect.sql"] = "SELECT body FROM note ORDER BY id;\n-- 'Buy bread'\n-- 'Buy milk'\n"
    files["upgrades/1.0/case.toml"] = "allow = [\"SK102\"]"
    files["upgrades/2.0/before.sql"] = "CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT);"
    let scene = try UpgradeScene(files)
    let quiet = try scene.folder.run("test", "--to", "schema.sql", "-q")
    #expect(quiet.output.contains("FAILED  1.0") && !quiet.output.contains("passed"))
    #expect(!quiet.output.contains("Buy"))
    #expect(quiet.output.contains("upgrades/1.0/expect.sql:3: row 2 of 2: the value is NULL, and should be a text"))
    let loud = try scene.folder.run("test", "--to", "schema.sql", "-v")
    #expect(loud.output.contains("      -- 'Buy bread'\n      -- NULL\n"))
  }

  @Test("a file that cannot be made fails its case with the line, and no other")
  func unmade() throws {
    var files = Self.files
    files["upgrades/0.9/before.sql"] = "CREATE TABLE note (id INTEGER PRIMARY KEY);\nINSERT INTO note VALUES (1, 2);\n"
    files["upgrades/1.0/case.toml"] = "allow = [\"SK102\"]"
    let scene = try UpgradeScene(files)
    #expect(try scene.findings("--to", "schema.sql") == ["0.9 creation: SU101"])
    #expect(try scene.folder.run("test", "--to", "schema.sql").output.contains("upgrades/0.9/before.sql:2:"))
  }

  @Test(
    "what cannot be read is an error that names it, and nothing is tested",
    arguments: [
      ("upgrades/2.0/notes.sql", "", "upgrades/2.0: the case has neither before.sql nor before.db"),
      ("upgrades/1.0/before.db", "", "upgrades/1.0: the case has both before.sql and before.db"),
      ("upgrades/1.0/expected.sql", "", "upgrades/1.0/expected.sql: a case has"),
      ("upgrades/1.0/expect.sql", "SELECT 1;\n", "upgrades/1.0/expect.sql:1: the query has no rows"),
      (
        "upgrades/1.0/case.toml", "alow = [\"lossy\"]",
        "upgrades/1.0/case.toml:1: a case has no setting alow; did you mean allow?"
      ),
      ("upgrades/1.0/case.toml", "allow = [\"harm\"]", "upgrades/1.0/case.toml: --allow harm is not understood"),
      ("upgrades/1.0/case.toml", "rename = [\"a=b\"]", "upgrades/1.0/case.toml: rename holds a=b"),
      ("upgrades/1.0/case.toml", "rename = [\"a\"]", "upgrades/1.0/case.toml: "),
      ("upgrades/1.0/case.toml", "at = \"0001-x\"", "upgrades/1.0/case.toml: at names a recorded step"),
      ("upgrades/1.0/case.toml", "at = 1", "upgrades/1.0/case.toml:1: at takes the name of a step"),
      ("upgrades/1.0/case.toml", "allow = lossy", "upgrades/1.0/case.toml:1:9: not TOML"),
      ("upgrades/1.0/to.sql", "CREATE TABLE (", "upgrades/1.0/to.sql:1"),
    ])
  func unreadable(path: String, text: String, message: String) throws {
    let scene = try UpgradeScene(Self.files.merging([path: text]) { $1 })
    let run = try scene.folder.run("test", "--to", "schema.sql")
    #expect(run.status == 1 && run.output.isEmpty && run.errors.contains(message), "\(run.errors)")
  }

  @Test("a missing folder, a folder without cases, and a missing schema are told with the way on")
  func missing() throws {
    let scene = try UpgradeScene(Self.files)
    let folder = scene.folder
    let gone = try folder.run("test", "gone", "--to", "schema.sql")
    #expect(gone.status == 1 && gone.errors.contains("schemactl test new DATABASE"))
    #expect(try folder.run("test", "schema.sql", "--to", "schema.sql").errors.contains("this is a file"))
    #expect(try folder.run("test").status == 64)
    #expect(try folder.run("test", "--to", "schema.sql", "--migrations", "m").status == 64)
    #expect(try folder.run("test", "--format", "json", "--format", "text").status == 64)
    #expect(try folder.run("test", "--seed", "x", "--to", "schema.sql").status == 64)
    try FileManager.default.createDirectory(at: folder.url("empty"), withIntermediateDirectories: true)
    #expect(try folder.run("test", "empty", "--to", "schema.sql").errors.contains("the folder has no case"))
  }
}

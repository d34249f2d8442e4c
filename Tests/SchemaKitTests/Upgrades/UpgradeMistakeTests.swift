import Foundation
import Testing

/// Each with a mistake that somebody makes sooner or later, and next to it without the mistake.
@Suite("Mistakes that a test of upgrades finds")
struct UpgradeMistakeTests {
  private static let item = "CREATE TABLE item (id INTEGER PRIMARY KEY, n TEXT);"

  /// A scene with one case, whose file has a table `item`.
  private static func scene(_ before: String, to schema: String, _ more: [String: String] = [:]) throws -> UpgradeScene
  {
    try UpgradeScene(
      ["upgrades/1.0/before.sql": before, "schema.sql": schema].merging(more) { $1 })
  }

  @Test("a column renamed twice, whose last version names only one of the former names")
  func renamedTwice() throws {
    let files = [
      "upgrades/1.0/before.sql":
        "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT); INSERT INTO note VALUES (1, 'a');",
      "upgrades/2.0/before.sql": """
      CREATE TABLE note (
        id INTEGER PRIMARY KEY,
        title TEXT -- schemakit: renamed from text
      );
      INSERT INTO note VALUES (1, 'b');
      """,
    ]
    func schema(_ names: String) -> String {
      "CREATE TABLE note (\n  id INTEGER PRIMARY KEY,\n  heading TEXT -- schemakit: renamed from \(names)\n);"
    }
    let wrong = try UpgradeScene(files.merging(["schema.sql": schema("title")]) { $1 })
    #expect(try wrong.findings("--to", "schema.sql") == ["1.0 direct: SU201 SK102"])
    // With consent the value is lost on one way only.
    #expect(try wrong.findings("--to", "schema.sql", "--allow", "destructive") == ["1.0 compared: SU206"])
    let right = try UpgradeScene(files.merging(["schema.sql": schema("title, text")]) { $1 })
    #expect(try right.findings("--to", "schema.sql") == [])
  }

  @Test("a version whose schema is that of an older one again")
  func returns() throws {
    let files = [
      "upgrades/1.0/before.sql": "CREATE TABLE t (a);", "upgrades/2.0/before.sql": "CREATE TABLE t (a, b);",
      "schema.sql": "CREATE TABLE t (a);", "other.sql": "CREATE TABLE t (a, b, c);",
    ]
    let scene = try UpgradeScene(files)
    #expect(try scene.findings("--to", "schema.sql") == ["1.0 stepwise: SU201"])
    #expect(try scene.findings("--to", "other.sql") == [])
  }

  @Test("a default that is another one in a later version")
  func otherDefault() throws {
    func table(_ rest: String) -> String { "CREATE TABLE t (id INTEGER PRIMARY KEY\(rest));" }
    let files = [
      "upgrades/1.0/before.sql": table("") + "INSERT INTO t VALUES (1);",
      "upgrades/2.0/before.sql": table(", level INTEGER DEFAULT 1"),
      "schema.sql": table(", level INTEGER DEFAULT 2"), "same.sql": table(", level INTEGER DEFAULT 1, b"),
    ]
    let scene = try UpgradeScene(files)
    #expect(try scene.findings("--to", "schema.sql") == ["1.0 compared: SU206"])
    #expect(try scene.findings("--to", "same.sql") == [])
  }

  /// A folder of recorded migrations with work on rows, and cases from before it and behind its first step of work.
  private static func recorded(_ work: [String]) throws -> UpgradeScene {
    let scene = try UpgradeScene([
      "upgrades/1.0/before.sql": """
      CREATE TABLE item (id INTEGER PRIMARY KEY, price REAL);
      INSERT INTO item VALUES (1, 1.5), (2, NULL);
      """,
      "upgrades/1.0/expect.sql": "SELECT id, price FROM item ORDER BY id;\n-- 1 | 150.0\n-- 2 | NULL\n",
      "init.sql": "CREATE TABLE item (id INTEGER PRIMARY KEY, price REAL);",
    ])
    func run(_ line: String) throws {
      let run = try CommandRun(line.split(separator: " ").map { String($0) }, in: scene.folder)
      try #require(run.status == 0, "\(run.errors)")
    }
    try run("migrations new init --to init.sql")
    for (number, statement) in work.enumerated() {
      try run("migrations new work\(number) --empty")
      try scene.folder.write(statement, to: "migrations/000\(number + 2)-work\(number).after.sql")
      try run("migrations hash")
    }
    return scene
  }

  @Test("work on rows that is recorded twice, or runs on the file of a release that has done it")
  func workTwice() throws {
    let work = "UPDATE item SET price = price * 100;"
    #expect(try Self.recorded([work]).findings("--migrations", "migrations") == ["1.0 direct: SU301"])
    let once = try Self.recorded([work])
    try once.folder.write("at = \"0001-init\"", to: "upgrades/1.0/case.toml")
    #expect(try once.findings("--migrations", "migrations") == [])
    // What an undo leaves of the work is told, and that it is done again after one.
    let told = try once.folder.run("test", "--migrations", "migrations").output
    #expect(told.contains("0002-work0.after.sql works on them once more"), "\(told)")
    let twice = try Self.recorded([work, work])
    try twice.folder.write("at = \"0001-init\"", to: "upgrades/1.0/case.toml")
    #expect(try twice.findings("--migrations", "migrations") == ["1.0 direct: SU301"])
  }

  @Test("work on rows that comes out otherwise each time")
  func workByChance() throws {
    let scene = try Self.recorded(["UPDATE item SET price = random();", "UPDATE item SET id = id;"])
    try FileManager.default.removeItem(at: scene.folder.url("upgrades/1.0/expect.sql"))
    try scene.folder.write("at = \"0001-init\"", to: "upgrades/1.0/case.toml")
    try FileManager.default.copyItem(at: scene.folder.url("upgrades/1.0"), to: scene.folder.url("upgrades/2.0"))
    try scene.folder.write("at = \"0002-work0\"", to: "upgrades/2.0/case.toml")
    #expect(try scene.findings("--migrations", "migrations").contains("1.0 compared: SU206"))
  }

  @Test("a column that one version drops and a later one has again")
  func droppedAndBack() throws {
    let files = [
      "upgrades/1.0/before.sql": Self.item + "INSERT INTO item VALUES (1, 'x');",
      "upgrades/2.0/before.sql": """
      CREATE TABLE item (
        id INTEGER PRIMARY KEY -- schemakit: removed n
      );
      """,
      "schema.sql": "CREATE TABLE item (id INTEGER PRIMARY KEY, n TEXT, b);",
      "gone.sql": """
      CREATE TABLE item (
        id INTEGER PRIMARY KEY, b -- schemakit: removed n
      );
      """,
    ]
    let scene = try UpgradeScene(files)
    #expect(try scene.findings("--to", "schema.sql") == ["1.0 compared: SU206"])
    #expect(try scene.findings("--to", "gone.sql") == [])
  }

  @Test("a table that is neither declared nor removed")
  func leftOver() throws {
    let before = Self.item + "CREATE TABLE log (a); INSERT INTO log VALUES (1);"
    let scene = try Self.scene(before, to: Self.item, ["removed.sql": Self.item + "\n-- schemakit: removed log\n"])
    #expect(try scene.findings("--to", "schema.sql") == ["1.0 direct: SU201 SK101"])
    #expect(try scene.findings("--to", "removed.sql") == [])
  }

  @Test(
    "a rule that rows break",
    arguments: [
      (
        "id INTEGER PRIMARY KEY, n TEXT, m TEXT NOT NULL", "id INTEGER PRIMARY KEY, n TEXT, m TEXT NOT NULL DEFAULT ''",
        "SK104"
      ),
      ("id INTEGER PRIMARY KEY, n TEXT UNIQUE", "id INTEGER PRIMARY KEY, n TEXT", "SK105"),
      ("id INTEGER PRIMARY KEY, n TEXT REFERENCES shop (name)", "id INTEGER PRIMARY KEY, n TEXT", "SK106"),
      (
        "id INTEGER PRIMARY KEY, n TEXT CHECK (length(n) > 5)", "id INTEGER PRIMARY KEY, n TEXT CHECK (length(n) > 0)",
        "SK107"
      ),
      ("id INTEGER PRIMARY KEY, n INTEGER) STRICT --", "id INTEGER PRIMARY KEY, n TEXT) STRICT --", "SK103 SK108"),
      ("id INTEGER PRIMARY KEY, n REAL", "id INTEGER PRIMARY KEY, n BLOB", "SK103"),
    ])
  func rule(wrong: String, right: String, code: String) throws {
    let shop = "CREATE TABLE shop (name TEXT PRIMARY KEY);"
    let rows = "INSERT INTO item VALUES (1, 'one'), (2, 'one'), (3, '007');"
    func schema(_ columns: String) -> String {
      "\(shop)\nCREATE TABLE item (\(columns)\n);".replacing("--\n)", with: "")
    }
    try Engine.require(schema(wrong))
    let scene = try Self.scene(
      "\(shop) \(Self.item) \(rows)", to: schema(wrong), ["right.sql": schema(right)])
    #expect(try scene.findings("--to", "schema.sql") == ["1.0 direct: SU201 \(code)"])
    #expect(try scene.findings("--to", "right.sql") == [])
  }

  @Test("an expectation with a value of another class, of another value, or without a row")
  func expectation() throws {
    let scene = try Self.scene(Self.item + "INSERT INTO item VALUES (1, 'a');", to: Self.item)
    for (rows, isRight) in [
      ("-- 1 | 'a'", true), ("-- '1' | 'a'", false), ("-- 1 | 'b'", false), ("-- (no rows)", false),
      ("-- 1.0 | 'a'", false),
      ("-- 1 | 'a'\n-- 2 | 'a'", false), ("-- 1", false),
    ] {
      try scene.folder.write("SELECT id, n FROM item;\n\(rows)\n", to: "upgrades/1.0/expect.sql")
      #expect(try scene.findings("--to", "schema.sql") == (isRight ? [] : ["1.0 direct: SU301"]), "\(rows)")
    }
  }
}

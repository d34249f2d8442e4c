import Testing

@testable import SQLiteSchema
@testable import SchemaKit

/// Files that name a collation which only their own program has.
@Suite("Collations that this program lacks")
struct LackedCollationTests {
  /// A file, and a schema that needs no comparison by the collation.
  static let free: [(file: String, after: @Sendable (String) -> String)] = [
    (
      "CREATE TABLE t (id INTEGER PRIMARY KEY, c TEXT NOT NULL COLLATE NOCASE, n INT); CREATE UNIQUE INDEX tc ON t (c)",
      { $0.replacing("n INT", with: "n INT CHECK (n > 0)") }
    ),
    (
      "CREATE TABLE t (id INTEGER PRIMARY KEY, c TEXT NOT NULL COLLATE NOCASE, n INT)",
      { $0.replacing("n INT", with: "n INT, CHECK (length(c) > 0)") }
    ),
    (
      "CREATE TABLE t (c TEXT NOT NULL PRIMARY KEY COLLATE NOCASE, n INT) WITHOUT ROWID",
      { $0.replacing("n INT", with: "n INT NOT NULL") }
    ),
  ]

  private func file(_ sql: String) throws -> EditedFile {
    try EditedFile(
      "\(sql); INSERT INTO t (c, n) VALUES ('a', 1), ('B', 2)", ["COLLATE NOCASE": "COLLATE \"of the app\""])
  }

  @Test("a change that compares nothing by it is planned and made", arguments: 0..<3)
  func compares(number: Int) throws {
    let (sql, change) = Self.free[number]
    if sql.contains("WITHOUT ROWID") { try Engine.require(.catalogReset) }
    let file = try file(sql)
    let after = change(sql.replacing("COLLATE NOCASE", with: "COLLATE \"of the app\""))
    let plan = try file.database.plan(to: after)
    #expect(plan.refusals(under: .lossless).map(\.message) == [])
    try file.database.migrate(to: after)
    #expect(try file.database.plan(to: after).isEmpty)
  }

  @Test("rows whose key it orders are kept when their table goes", .needs(.catalogReset))
  func kept() throws {
    let file = try file("CREATE TABLE t (c TEXT PRIMARY KEY COLLATE NOCASE, n INT) WITHOUT ROWID; CREATE TABLE k (x)")
    try file.database.migrate(to: "CREATE TABLE k (x)", allowing: .keepingEverything)
    #expect(
      try file.database.query("SELECT _schemakit_k0, _schemakit_k1 FROM _schemakit_kept_1 ORDER BY 2") == [
        [.text("a"), .int(1)], [.text("B"), .int(2)],
      ])
  }

  @Test(
    "a question that compares by it has no answer, for its own table",
    arguments: [
      ("CHECK (c < 'zz')", HazardCode.unsupportedEngine), ("UNIQUE (c, n)", .unsupportedEngine),
    ])
  func unanswered(constraint: String, code: HazardCode) throws {
    let sql = "CREATE TABLE t (id INTEGER PRIMARY KEY, c TEXT COLLATE NOCASE, n INT)"
    let file = try file("CREATE TABLE u (x INT); INSERT INTO u VALUES (NULL); \(sql)")
    let after =
      "CREATE TABLE u (x INT NOT NULL DEFAULT 5); "
      + sql.replacing("COLLATE NOCASE", with: "COLLATE \"of the app\"").replacing("n INT", with: "n INT, \(constraint)")
    let plan = try file.database.plan(to: after)
    let refused = plan.refusals(under: .everything)
    #expect(refused.contains { $0.code == code && $0.object == "t" && $0.message.contains("of the app") })
    // Older versions read the whole catalog for what they do to any table.
    if Engine.has(.catalogReset) { #expect(refused.allSatisfy { $0.table == "t" }) }
    #expect(throws: PlanError.self) { try file.database.migrate(to: after, allowing: .everything) }
  }

  @Test("a script asks about other columns where the server lacks it", arguments: EngineProfile.Name.allCases)
  func script(profile: EngineProfile.Name) throws {
    let file = try file("CREATE TABLE t (id INTEGER PRIMARY KEY, c TEXT COLLATE NOCASE UNIQUE, n INT)")
    let target = try TemporaryDatabase.target(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, c TEXT COLLATE "of the app" UNIQUE, n INT);
      CREATE UNIQUE INDEX tn ON t (n)
      """)
    let migration = try ScriptedMigration(of: file.database.path, to: target, for: profile)
    #expect(try migration.script().contains("SK105"))
    let server = try RawSQLite(file.database.path)
    try EngineRules(profile).run(migration.script(), on: server)
    server.close()
    #expect(try file.database.query("SELECT c FROM t INDEXED BY tn WHERE n = 2") == [[.text("B")]])
  }

  @Test("a child without rows refers to a key with it")
  func child() throws {
    let file = try file("CREATE TABLE t (c TEXT NOT NULL COLLATE NOCASE UNIQUE, n INT)")
    let after =
      "CREATE TABLE t (c TEXT NOT NULL COLLATE \"of the app\" UNIQUE, n INT); CREATE TABLE r (id INTEGER PRIMARY KEY, c REFERENCES t (c))"
    try file.database.migrate(to: after)
    #expect(try file.database.plan(to: after).isEmpty)
  }

  @Test("the stand-in is gone once the question is answered")
  func standIn() throws {
    let file = try file("CREATE TABLE t (id INTEGER PRIMARY KEY, c TEXT COLLATE NOCASE, n INT)")
    let connection = try SQLiteConnection(path: file.database.path)
    #expect(throws: LackedCollation.self) {
      try connection.watchingCollations { try $0.asking { try connection.rows("SELECT c FROM t ORDER BY c") } }
    }
    #expect(throws: SQLiteError.self) { try connection.rows("SELECT c FROM t ORDER BY c") }
  }

  private static let other = """
    CREATE TABLE decks (id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE); CREATE UNIQUE INDEX ix ON decks (name);
    CREATE TABLE notes (id INTEGER PRIMARY KEY, a TEXT, b TEXT); CREATE INDEX ix2 ON notes (a, b);
    CREATE VIEW v AS SELECT b FROM notes;
    """

  @Test("columns are dropped and renamed beside a table with it", .needs(.catalogReset))
  func besides() throws {
    let file = try EditedFile(
      "\(Self.other) INSERT INTO notes VALUES (1, 'x', 'y')", ["COLLATE NOCASE": "COLLATE \"of the app\""])
    let text = Self.other.replacing("NOCASE", with: "\"of the app\"")
    try file.database.migrate(to: text.replacing("b TEXT)", with: "b TEXT, c TEXT)"))
    try MigrationUndo(at: file.database.path).apply(allowing: .everything)
    #expect(try file.database.plan(to: text).isEmpty)
    let renamed = text.replacing("b TEXT", with: "b2 TEXT -- schemakit: renamed from b\n").replacing(
      "(a, b)", with: "(a, b2)"
    )
    .replacing("SELECT b ", with: "SELECT b2 ")
    try file.database.migrate(to: renamed)
    #expect(try file.database.plan(to: renamed).isEmpty)
    #expect(try file.database.query("SELECT b2 FROM v") == [[.text("y")]])
    #expect(try file.database.query("SELECT a FROM notes INDEXED BY ix2 WHERE a = 'x' AND b2 = 'y'").count == 1)
    try MigrationUndo(at: file.database.path).apply()
    #expect(try file.database.query("SELECT b FROM v") == [[.text("y")]])
  }

  @Test("doctor tells what it cannot examine, and examines the rest", .needs(.catalogReset))
  func doctor() throws {
    let folder = try CommandFolder()
    try folder.database(
      "a.db",
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE k (id INTEGER PRIMARY KEY, p INT REFERENCES p);
      CREATE INDEX k_p ON k (p); INSERT INTO k VALUES (1, 7); ANALYZE;
      CREATE TABLE tags (tag TEXT NOT NULL PRIMARY KEY COLLATE NOCASE, n INT) WITHOUT ROWID; INSERT INTO tags VALUES ('a', 1);
      PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, 'NOCASE', 'unicase');
      PRAGMA schema_version = 99
      """)
    let doctor = try CommandRun(["doctor", "a.db"], in: folder)
    #expect(doctor.status == 2, "\(doctor.errors)")
    #expect(doctor.output.contains("SD103") && doctor.output.contains("SD104"))
  }

  @Test("a declared foreign key that does not match its parent is applied with consent")
  func mismatch() throws {
    let file = try TemporaryDatabase("CREATE TABLE p (id INTEGER PRIMARY KEY, code); CREATE TABLE c (x)")
    let after = "CREATE TABLE p (id INTEGER PRIMARY KEY, code); CREATE TABLE c (x, pcode REFERENCES p (code))"
    #expect(throws: PlanError.self) { try file.migrate(to: after) }
    try file.migrate(to: after, allowing: PlanPolicy(allowing: [.init(.code(.brokenObject))]))
    #expect(try file.plan(to: after).isEmpty)
  }

  @Test(
    "a virtual table that cannot be read is dropped with consent",
    arguments: ["fts5vocab(nope, 'row')", "fts4aux(nope)"])
  func unreadable(module: String) throws {
    try Engine.require(module.hasPrefix("fts5") ? .fts5 : .fts4)
    let file = try TemporaryDatabase("CREATE VIRTUAL TABLE v USING \(module); CREATE TABLE n (a)")
    let plan = try file.plan(to: "CREATE TABLE n (a)")
    #expect(plan.refusals(under: .lossless).map(\.code) == [.droppedTable])
    try file.migrate(to: "CREATE TABLE n (a)", allowing: .everything)
    #expect(
      try file.query("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '~_%' ESCAPE '~'") == [
        [.text("n")]
      ])
  }
}

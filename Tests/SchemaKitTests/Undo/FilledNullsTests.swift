import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("NULLs that a default or a fill replaces")
struct FilledNullsTests {
  private static let start = """
    CREATE TABLE t (id INTEGER PRIMARY KEY, e TEXT, n INTEGER);
    INSERT INTO t VALUES (1, NULL, 10), (2, 'two', 20), (3, NULL, 30), (4, '', 40);
    """
  private static let filled = "CREATE TABLE t (id INTEGER PRIMARY KEY, e TEXT NOT NULL DEFAULT '', n INTEGER);"

  private func column(_ file: TemporaryDatabase, _ sql: String = "SELECT e FROM t ORDER BY id") throws -> [RawValue] {
    try file.query(sql).map { $0[0] }
  }

  private func notes(_ plan: MigrationPlan) -> [Hazard] { plan.hazards.filter { $0.code == .nullsUnderNotNull } }

  @Test("the plan says how many they are and what replaces them, and asks for no consent")
  func told() throws {
    let file = try TemporaryDatabase(Self.start)
    let plan = try file.plan(to: Self.filled)
    let note = try #require(notes(plan).first)
    #expect(notes(plan).count == 1 && note.hazardClass == .note && note.count == 2 && note.samples == ["1", "3"])
    #expect(note.message == "2 rows of t.e hold NULL, which is replaced by the default '' under the new NOT NULL.")
    #expect(note.remedy == "undo brings NULL back in these rows, where they still hold what replaced it.")
    #expect(plan.refusals(under: .lossless).isEmpty)
    let fill = try file.plan(to: Self.filled.replacing("DEFAULT '', n", with: ", -- schemakit: fill 'n' || n\nn"))
    #expect(
      notes(fill).map(\.message) == [
        "2 rows of t.e hold NULL, which is replaced by the fill ('n' || n) under the new NOT NULL."
      ])
    try file.exec("UPDATE t SET e = '' WHERE e IS NULL")
    #expect(notes(try file.plan(to: Self.filled)).isEmpty, "no NULL is replaced")
  }

  @Test("a copy is made before they are replaced, and none where there are none")
  func copied() throws {
    struct Thing: Model {
      let id: Int64
      var e: String
      var n: Int?
      static let table = ModelTable("t", as: Self.init) {
        Column("id", \.id).primaryKey()
        Column("e", \.e).default("")
        Column("n", \.n)
      }
    }
    for (sql, copies) in [("", 1), ("DELETE FROM t WHERE e IS NULL", 0)] {
      let file = try TemporaryDatabase(Self.start + sql)
      _ = try Session(at: file.path, schema: ModelSchema { Thing.self }) { $0.backup = .beforeLoss }
      let made = try FileManager.default.contentsOfDirectory(atPath: file.folder.path).filter {
        $0.contains(".before-")
      }
      #expect(made.count == copies)
    }
  }

  @Test("a recorded step says so when it is applied, and makes a copy too")
  func recorded() throws {
    let folder = try CommandFolder()
    try folder.database("t.db", Self.start)
    #expect(try folder.run("migrations", "new", "init", "--to", "t.db").status == 0)
    #expect(try folder.run("migrations", "baseline", "t.db").status == 0)
    try folder.write(Self.filled, to: "s.sql")
    let step = try folder.run("migrations", "new", "filled", "--to", "s.sql")
    #expect(step.status == 0 && !step.errors.contains("SK104"))
    let run = try folder.run("apply", "t.db", "--migrations", "migrations", "--yes")
    #expect(
      run.output.contains(
        "    SK104: 2 rows of t.e hold NULL, which is replaced by the default '' under the new NOT NULL.\n"))
    #expect(run.errors.contains("t.db was copied to t.db.before-"))
    #expect(try folder.run("undo", "t.db", "--yes").status == 0)
    #expect(try folder.rows(of: "t.db", "SELECT count(*) FROM t WHERE e IS NULL") == [[.int(2)]])
  }

  static let ways = [
    filled,
    "CREATE TABLE t (id INTEGER PRIMARY KEY, e TEXT NOT NULL, -- schemakit: fill 'n' || n\nn INTEGER);",
    "CREATE TABLE t (id INTEGER PRIMARY KEY, e TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP, n INTEGER);",
    "CREATE TABLE t (n INTEGER UNIQUE, id INTEGER PRIMARY KEY, e TEXT NOT NULL DEFAULT 'none');",
    """
    CREATE TABLE u ( -- schemakit: renamed from t
    key INTEGER PRIMARY KEY, -- schemakit: renamed from id
    value TEXT NOT NULL DEFAULT '', -- schemakit: renamed from e
    n INTEGER);
    """,
  ]

  @Test("undo brings NULL back, and leaves a value that was written since", arguments: ways)
  func restored(target: String) throws {
    let file = try TemporaryDatabase(Self.start)
    let before = try file.contents().sorted()
    try file.migrate(to: target)
    #expect(try MigrationUndo(at: file.path).losses.isEmpty)
    try MigrationUndo(at: file.path).apply()
    #expect(try file.contents().sorted() == before)
    #expect(try file.query("SELECT name FROM sqlite_master WHERE name = '_schemakit_nulls'").isEmpty)

    try file.migrate(to: target)
    let renamed = target.contains("TABLE u")
    try file.exec(
      renamed
        ? "UPDATE u SET value = 'mine' WHERE key = 3"
        : "UPDATE t SET e = 'mine' WHERE id = 3; DELETE FROM t WHERE id = 4")
    let undo = try MigrationUndo(at: file.path)
    #expect(
      undo.notes == ["NULL comes back in t.e, in 2 rows known by their keys, where they still hold what replaced it."])
    try undo.apply()
    #expect(try column(file, "SELECT e FROM t WHERE id < 4 ORDER BY id") == [.null, .text("two"), .text("mine")])
  }

  @Test("triggers do not fire when NULL comes back, and an index over the text stays true", .needs(.fts5))
  func surroundings() throws {
    let rest = """
      CREATE TABLE log (x);
      CREATE TRIGGER t_log AFTER UPDATE ON t BEGIN INSERT INTO log VALUES (new.id); END;
      CREATE INDEX t_e ON t (e);
      CREATE VIRTUAL TABLE f USING fts5(e, content='t', content_rowid='id');
      """
    let file = try TemporaryDatabase(Self.start + rest + "INSERT INTO f (f) VALUES ('rebuild')")
    try file.migrate(to: Self.filled.replacing("''", with: "'word'") + rest)
    #expect(try file.value("SELECT count(*) FROM f WHERE f MATCH 'word'") == .int(2))
    try MigrationUndo(at: file.path).apply()
    #expect(try column(file) == [.null, .text("two"), .null, .text("")])
    #expect(try file.value("SELECT count(*) FROM f WHERE f MATCH 'word'") == .int(0))
    #expect(try file.value("SELECT count(*) FROM log") == .int(0))
    #expect(try file.query("PRAGMA integrity_check") == [[.text("ok")]])
  }

  @Test("rows of a table WITHOUT ROWID are known by a key of several columns, whatever it holds")
  func compositeKey() throws {
    let start = "CREATE TABLE t (a TEXT NOT NULL COLLATE NOCASE, b NOT NULL, e INT%, PRIMARY KEY (a, b)) WITHOUT ROWID;"
    let file = try TemporaryDatabase(
      start.replacing("%", with: "") + """
        INSERT INTO t VALUES ('x', 1.5, NULL), ('x', x'00ff', NULL), ('y''', 'k' || char(0) || '1', NULL),
          ('y''', 'k' || char(0) || '2', 7), ('Z', 9007199254740993, NULL), ('', '', 0);
        """)
    let before = try file.query("SELECT a, hex(b), typeof(b), e FROM t ORDER BY a, b")
    try file.migrate(to: start.replacing("%", with: " NOT NULL DEFAULT 7"))
    try MigrationUndo(at: file.path).apply()
    #expect(try file.query("SELECT a, hex(b), typeof(b), e FROM t ORDER BY a, b") == before)
  }

  @Test("where rows have no key that stays, or too many held NULL, plan and undo say that it does not come back")
  func lost() throws {
    let keyless = try TemporaryDatabase("CREATE TABLE t (e TEXT); INSERT INTO t VALUES (NULL), ('a'), (NULL)")
    let target = "CREATE TABLE t (e TEXT NOT NULL DEFAULT '');"
    let note = try #require(notes(try keyless.plan(to: target)).first)
    #expect(
      note.remedy
        == "undo leaves what replaced it: t has no key that is NOT NULL, stays, and keeps its type and values.")
    try keyless.migrate(to: target)
    let undo = try MigrationUndo(at: keyless.path)
    #expect(undo.losses == ["Where column t.e was NULL, in 2 rows, what replaced it stays."])
    try undo.apply()
    #expect(try column(keyless, "SELECT e FROM t ORDER BY rowid") == [.text(""), .text("a"), .text("")])
  }

  @Test("ten thousand rows are remembered, and not one more", arguments: [10_000, 10_001])
  func most(count: Int) throws {
    let file = try TemporaryDatabase(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, e TEXT, n INTEGER);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count)) INSERT INTO t SELECT i, NULL, i FROM n;
      """)
    let remedy = try #require(notes(try file.plan(to: Self.filled)).first?.remedy)
    #expect(remedy.contains("leaves what replaced it: more than 10,000 rows") == (count > 10_000))
    try file.migrate(to: Self.filled)
    let undo = try MigrationUndo(at: file.path)
    #expect(
      undo.losses == (count > 10_000 ? ["Where column t.e was NULL, in 10,001 rows, what replaced it stays."] : []))
    try undo.apply()
    #expect(try file.value("SELECT count(*) FROM t WHERE e IS NULL") == .int(count > 10_000 ? 0 : 10_000))
  }

  @Test("a plan without a look at the rows says so, makes a copy, and undo brings NULL back all the same")
  func quick() throws {
    let file = try TemporaryDatabase(Self.start)
    var seen: MigrationPlan?
    try file.migrate(to: Self.filled) {
      $0.plan.isQuick = true
      $0.observer.onPlan = { seen = $0 }
    }
    let plan = try #require(seen)
    let note = try #require(notes(plan).first)
    #expect(note.hazardClass == .note && !note.isCounted && plan.replacesValues)
    #expect(
      note.message
        == "NULL in t.e is replaced by the default '' under the new NOT NULL; whether rows hold NULL was not examined.")
    try MigrationUndo(at: file.path).apply()
    #expect(try column(file) == [.null, .text("two"), .null, .text("")])
  }

  @Test("NULL does not come back to other rows where a later change has converted their key")
  func keyConvertedLater() throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE t (id TEXT NOT NULL PRIMARY KEY, e TEXT); INSERT INTO t VALUES ('1', NULL), ('2', '')")
    let second = "CREATE TABLE t (id TEXT NOT NULL PRIMARY KEY, e TEXT NOT NULL DEFAULT '');"
    try file.migrate(to: second)
    try file.migrate(
      to: second.replacing("id TEXT", with: "id INTEGER").replacing("KEY,", with: "KEY, -- schemakit: convert 3 - id\n")
    )
    try MigrationUndo(at: file.path).apply(allowing: .everything)
    let undo = try MigrationUndo(at: file.path)
    #expect(undo.losses == ["Where column t.e was NULL, in 1 row, what replaced it stays."])
    try undo.apply()
    #expect(try column(file) == [.text(""), .text("")])
  }

  @Test("undo claims nothing of columns that held no NULL")
  func noClaim() throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT, w); INSERT INTO t VALUES (1, 'a', 1)")
    try file.migrate(to: "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT NOT NULL DEFAULT 'x', w UNIQUE)")
    let undo = try MigrationUndo(at: file.path)
    #expect(undo.losses.isEmpty && undo.notes.isEmpty)
  }
}

import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("SwapRule")
struct SwapRuleTests {
  /// One change of a table, with rows that pass it.
  struct Change: CustomStringConvertible, Sendable {
    var what: String
    var from: String
    var to: String
    /// What comes with the table before and after.
    var company = "CREATE INDEX i ON t (a);"
    /// Values for one row; `N` stands for its number.
    var row = "(id, a, b) VALUES (N * 3, 'aN', N)"
    var description: String { what }

    func file(_ count: Int, _ first: String = "") throws -> TemporaryDatabase {
      try TemporaryDatabase(
        first + from + ";" + rows(count) { "INSERT INTO t \(row.replacing("N", with: "\($0)"))" } + company)
    }

    var target: String { "\(to); \(company)" }
  }

  static let head = "CREATE TABLE t (id INTEGER PRIMARY KEY, "
  static let cases = [
    Change(what: "another affinity", from: head + "a TEXT, b INT)", to: head + "a TEXT, b TEXT)"),
    Change(
      what: "an index on what changes too", from: head + "a TEXT, b TEXT)", to: head + "a TEXT, b INT)",
      company: "CREATE INDEX i ON t (a); CREATE INDEX j ON t (b, a);"),
    Change(
      what: "a partial index that reads what changes", from: head + "a TEXT, b TEXT)", to: head + "a TEXT, b INT)",
      company: "CREATE INDEX i ON t (a); CREATE INDEX j ON t (a) WHERE b = '7';"),
    Change(
      what: "an index on an expression that reads what changes", from: head + "a TEXT, b TEXT)",
      to: head + "a TEXT, b INT)",
      company: "CREATE INDEX i ON t (a); CREATE INDEX j ON t (typeof(b)); CREATE INDEX k ON t (lower(a) DESC);"),
    Change(what: "STRICT", from: head + "a TEXT, b)", to: head + "a TEXT, b ANY) STRICT"),
    Change(what: "no longer STRICT", from: head + "a TEXT, b ANY) STRICT", to: head + "a TEXT, b ANY)"),
    Change(
      what: "columns in another place, come and gone", from: head + "x REAL DEFAULT 2, a TEXT, b INT)",
      to: "CREATE TABLE t (b TEXT, n TEXT DEFAULT CURRENT_TIMESTAMP, a TEXT, id INTEGER PRIMARY KEY)"),
    Change(
      what: "no key", from: "CREATE TABLE t (id INT, a TEXT, b INT)", to: "CREATE TABLE t (id INT, a TEXT, b TEXT)"),
    Change(
      what: "columns that have taken names of the rowid",
      from: "CREATE TABLE t (id INT, a TEXT, b INT, rowid TEXT, oid)",
      to: "CREATE TABLE t (id INT, a TEXT, b TEXT, rowid TEXT, oid)"),
    Change(
      what: "UNIQUE, of a column and of the table", from: head + "a TEXT UNIQUE, b INT, UNIQUE (a, id))",
      to: head + "a TEXT UNIQUE, b TEXT, UNIQUE (a, id))", company: ""),
    Change(
      what: "a key of text", from: "CREATE TABLE t (id INT, a TEXT PRIMARY KEY ON CONFLICT REPLACE, b INT)",
      to: "CREATE TABLE t (id INT, a TEXT PRIMARY KEY ON CONFLICT REPLACE, b TEXT)", company: ""),
    Change(
      what: "a key of two columns", from: "CREATE TABLE t (id INT, a TEXT, b INT, PRIMARY KEY (a, id DESC))",
      to: "CREATE TABLE t (id INT, a TEXT, b TEXT, PRIMARY KEY (a, id DESC))", company: ""),
    Change(
      what: "INTEGER PRIMARY KEY DESC, which is no rowid",
      from: "CREATE TABLE t (id INTEGER PRIMARY KEY DESC, a TEXT, b INT)",
      to: "CREATE TABLE t (id INTEGER PRIMARY KEY DESC, a TEXT, b TEXT)"),
    Change(
      what: "a key that the table declares", from: "CREATE TABLE t (a TEXT, b INT, id INTEGER, PRIMARY KEY (id))",
      to: "CREATE TABLE t (a TEXT, b TEXT, id INTEGER, PRIMARY KEY (id))"),
    Change(
      what: "computed columns", from: head + "a TEXT, b INT, c AS (b + 1) STORED, d AS (a || 'x'))",
      to: head + "a TEXT, b INT, c AS (b + 2) STORED, d AS (a || 'x'))",
      company: "CREATE INDEX i ON t (a); CREATE INDEX j ON t (c); CREATE INDEX k ON t (d);"),
    Change(
      what: "CHECKs, comments and odd spelling",
      from: "CREATE TABLE t (id INTEGER CONSTRAINT key PRIMARY KEY, a TEXT -- indexed\n CHECK (t.a <> ''), b INT, "
        + "CONSTRAINT far CHECK (b < 9e9))",
      to: "CREATE TABLE t (id INTEGER CONSTRAINT key PRIMARY KEY, a TEXT -- indexed\n CHECK (t.a <> ''), b TEXT, "
        + "CONSTRAINT far CHECK (b <> '') -- last\n)"),
  ]

  private static let roots = "SELECT name, rootpage FROM sqlite_master WHERE type = 'index' ORDER BY name"

  @Test("the rows are copied, and the indexes stay", arguments: cases, [0, 1, 40])
  func swap(_ change: Change, count: Int) throws {
    let file = try change.file(count)
    let all = "SELECT rowid, id, a, CAST(b AS TEXT) FROM t ORDER BY rowid, id"
    let keyless = "SELECT _rowid_, id, a, CAST(b AS TEXT) FROM t ORDER BY 1"
    let query = change.from.contains("rowid TEXT") ? keyless : all
    let before = try file.query(query)
    let indexes = try file.query(Self.roots)
    let report = try file.migrate(to: change.target, allowing: .everything)
    let step = try #require(report.plan.steps.first)
    #expect(step.strategy == .swap, "\(step.reason ?? "")")
    #expect(report.plan.steps.count == 1)
    #expect(step.rows == count)
    try file.expectSettled(at: change.target)
    #expect(try file.query(query) == before)
    #expect(try file.query(Self.roots) == indexes)
  }

  static let others = [
    Change(what: "no index", from: head + "a TEXT, b INT)", to: head + "a TEXT, b TEXT)", company: ""),
    Change(
      what: "no index that stays", from: head + "a TEXT, b INT)", to: head + "a TEXT, b TEXT)",
      company: "CREATE INDEX i ON t (b);"),
    Change(
      what: "UNIQUE in another order", from: head + "a TEXT, b INT, UNIQUE (a), UNIQUE (id))",
      to: head + "a TEXT, b TEXT, UNIQUE (id), UNIQUE (a))"),
    Change(what: "a key that changes", from: head + "a TEXT, b INT UNIQUE)", to: head + "a TEXT, b TEXT UNIQUE)"),
    Change(
      what: "another key", from: head + "a TEXT, b INT)", to: "CREATE TABLE t (id INT PRIMARY KEY, a TEXT, b INT)"),
    Change(
      what: "WITHOUT ROWID", from: "CREATE TABLE t (id INT PRIMARY KEY, a TEXT, b INT)",
      to: "CREATE TABLE t (id INT PRIMARY KEY, a TEXT, b INT) WITHOUT ROWID"),
    Change(
      what: "a table WITHOUT ROWID", from: "CREATE TABLE t (id INT PRIMARY KEY, a TEXT, b INT) WITHOUT ROWID",
      to: "CREATE TABLE t (id INT PRIMARY KEY, a TEXT, b TEXT) WITHOUT ROWID"),
    Change(
      what: "no name for the rowid", from: "CREATE TABLE t (id, a TEXT, b INT, rowid, oid, _rowid_)",
      to: "CREATE TABLE t (id, a TEXT, b TEXT, rowid, oid, _rowid_)"),
  ]

  @Test("where rowids or keys may change, or no index stays, it is a rebuild", arguments: others, [0, 1, 40])
  func rebuild(_ change: Change, count: Int) throws {
    let file = try change.file(count)
    let before = try file.query("SELECT id, a, CAST(b AS TEXT) FROM t ORDER BY id")
    let report = try file.migrate(to: change.target, allowing: .everything)
    let step = try #require(report.plan.steps.first { $0.object.name == "t" })
    #expect(step.strategy == .rebuild)
    try file.expectSettled(at: change.target)
    #expect(try file.query("SELECT id, a, CAST(b AS TEXT) FROM t ORDER BY id") == before)
  }

  @Test("a row that the new table refuses leaves everything as it was")
  func violatingRow() throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE t (a TEXT, b INT); CREATE INDEX i ON t (a); INSERT INTO t VALUES ('x', 1), ('y', NULL)")
    let before = try file.bytes
    let target = "CREATE TABLE t (a TEXT, b TEXT NOT NULL); CREATE INDEX i ON t (a)"
    let plan = try file.plan(to: target)
    #expect(plan.steps.map(\.strategy) == [.swap])
    #expect(plan.hazards.filter { !$0.isPotential }.map(\.code) == [.nullsUnderNotNull])
    #expect(throws: PlanError.self) { try file.migrate(to: target, allowing: .everything) }
    #expect(try file.bytes == before)
  }

  @Test("values that are equal under the new collation are refused, and the index is as it was")
  func duplicates() throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE t (a TEXT, b TEXT); CREATE INDEX i ON t (a); CREATE UNIQUE INDEX j ON t (b);"
        + "INSERT INTO t VALUES ('x', 'k'), ('y', 'K')")
    let target =
      "CREATE TABLE t (a TEXT, b TEXT COLLATE NOCASE); CREATE INDEX i ON t (a); CREATE UNIQUE INDEX j ON t (b)"
    #expect(try file.refusals(to: target).map(\.code) == [.duplicates])
    #expect(try file.query("PRAGMA integrity_check") == [[.text("ok")]])
  }

  static let target = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT UNIQUE, b TEXT); CREATE INDEX i ON t (a)"

  private static func file(_ pragmas: String = "", more: String = "") throws -> TemporaryDatabase {
    try TemporaryDatabase(
      "\(pragmas); CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT UNIQUE, b INT); CREATE INDEX i ON t (a);"
        + rows(300) { "INSERT INTO t VALUES (\($0), 'a\($0)', \($0))" } + more)
  }

  @Test(
    "files that move their pages themselves stay whole, also when they shrink later",
    arguments: ["FULL", "INCREMENTAL"])
  func autoVacuum(mode: String) throws {
    let file = try Self.file("PRAGMA auto_vacuum = \(mode); PRAGMA page_size = 512")
    #expect(try file.migrate(to: Self.target).plan.steps.map(\.strategy) == [.swap])
    try file.expectSettled(at: Self.target)
    try file.exec("DELETE FROM t WHERE id % 3; PRAGMA incremental_vacuum; VACUUM")
    try file.expectSettled(at: Self.target)
    #expect(try file.value("SELECT count(*) FROM t INDEXED BY i WHERE a > ''") == .int(100))
  }

  @Test("keys stay unique, and statements that others keep find the new rows")
  func otherConnections() throws {
    let file = try Self.file()
    try file.migrate(to: "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT UNIQUE, b INT); CREATE INDEX i ON t (a)")
    let other = try SQLiteConnection(path: file.path, mode: .readWrite)
    #expect(try other.texts("SELECT typeof(b) FROM t WHERE a = ?1", [.text("a7")]) == ["integer"])
    try file.migrate(to: Self.target)
    #expect(try other.texts("SELECT typeof(b) FROM t WHERE a = ?1", [.text("a7")]) == ["text"])
    #expect(throws: SQLiteError.self) { try other.run("INSERT INTO t VALUES (900, 'a7', 'x')") }
    try other.run("INSERT INTO t VALUES (900, 'a900', 5)")
    #expect(try other.texts("SELECT typeof(b) FROM t WHERE a = 'a900'") == ["text"])
    try file.expectSettled(at: Self.target)
  }

  @Test("a reader in WAL mode keeps its snapshot")
  func walReader() throws {
    let file = try Self.file("PRAGMA journal_mode = WAL")
    let reader = try SQLiteConnection(path: file.path, mode: .readOnly)
    try reader.execute("BEGIN")
    #expect(try reader.integer("SELECT count(*) FROM t") == 300)
    try file.migrate(to: Self.target)
    #expect(try reader.texts("SELECT DISTINCT typeof(b) FROM t") == ["integer"])
    try reader.execute("COMMIT")
    #expect(try reader.texts("SELECT DISTINCT typeof(b) FROM t") == ["text"])
    try file.expectSettled(at: Self.target)
  }

  @Test("triggers, TEMP triggers, views, statistics and the mark of AUTOINCREMENT stay")
  func company() throws {
    let head = "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT, "
    let rest =
      "); CREATE INDEX i ON t (a); CREATE VIEW v AS SELECT * FROM t; CREATE TABLE log (n INT);"
      + "CREATE TRIGGER added AFTER INSERT ON t BEGIN INSERT INTO log VALUES (new.id); END"
    let file = try TemporaryDatabase(
      head + "b INT" + rest + "; INSERT INTO t VALUES (1, 'x', 5), (90, 'y', 6); DELETE FROM t WHERE id = 90; ANALYZE")
    let statistics = try file.query("SELECT * FROM sqlite_stat1 ORDER BY 1, 2")
    let connection = try file.connection()
    try connection.execute(
      "CREATE TEMP TABLE seen (n); CREATE TEMP TRIGGER mine AFTER INSERT ON t BEGIN INSERT INTO seen VALUES (new.id); END"
    )
    let target = try TemporaryDatabase.target(head + "b TEXT" + rest)
    let report = try SchemaKit.Change(over: connection, to: target).apply()
    #expect(report.plan.steps.map(\.strategy) == [.swap])
    #expect(report.plan.hazards.filter { !$0.isPotential }.isEmpty)
    try connection.run("INSERT INTO t (a) VALUES ('z')")
    #expect(try connection.integer("SELECT n FROM seen") == 91)
    #expect(try file.query("SELECT * FROM log") == [[.int(1)], [.int(90)], [.int(91)]])
    #expect(try file.query("SELECT id, b FROM v") == [[.int(1), .text("5")], [.int(91), .null]])
    #expect(try file.query("SELECT * FROM sqlite_stat1 ORDER BY 1, 2") == statistics)
    try file.expectSettled(at: head + "b TEXT" + rest)
  }

  @Test("a lender's open transaction with foreign keys on is not an obstacle, and children stay")
  func lendersTransaction() throws {
    let child = "CREATE TABLE c (a REFERENCES t (a) ON DELETE CASCADE)"
    let file = try Self.file(more: "\(child); INSERT INTO c VALUES ('a5')")
    let raw = try file.reopened()
    try raw.exec("PRAGMA foreign_keys = ON; BEGIN")
    let target = try TemporaryDatabase.target("\(Self.target); \(child)")
    let report = try SchemaKit.Change(over: raw.lent(), to: target).apply()
    #expect(report.plan.steps.map(\.strategy) == [.swap])
    try raw.exec("COMMIT")
    raw.close()
    #expect(try file.query("SELECT * FROM c") == [[.text("a5")]])
    try file.expectSettled(at: "\(Self.target); \(child)")
  }

  @Test("a key that children refer to is looked at again only when its values change")
  func references() throws {
    let child = "; CREATE TABLE c (k REFERENCES t (b))"
    let file = try TemporaryDatabase(
      "CREATE TABLE t (a TEXT, b INT, x INT); CREATE INDEX i ON t (a); CREATE UNIQUE INDEX j ON t (b)\(child);"
        + "INSERT INTO t VALUES ('x', 5, 1); INSERT INTO c VALUES (5)")
    func plan(_ columns: String) throws -> MigrationPlan {
      try file.plan(to: "CREATE TABLE t (\(columns)); CREATE INDEX i ON t (a); CREATE UNIQUE INDEX j ON t (b)\(child)")
    }
    #expect(try plan("a TEXT, b INT, x TEXT").tablesWithReferencesAtRisk.isEmpty)
    let risky = try plan("a TEXT, b TEXT, x INT")
    #expect(risky.steps.map(\.strategy) == [.swap])
    #expect(risky.tablesWithReferencesAtRisk == ["t"])
  }

  @Test("names that need quotes are no obstacle", arguments: [#"say "t""#, "it's", "[t]", "t%_", "größe", "select"])
  func names(name: String) throws {
    let (table, index) = (SQLName(name).quoted, SQLName("by \(name)").quoted)
    func script(_ type: String) -> String {
      "CREATE TABLE \(table) (id INTEGER PRIMARY KEY, a TEXT, b \(type)); CREATE INDEX \(index) ON \(table) (a, b);"
        + "CREATE UNIQUE INDEX u ON \(table) (a);"
    }
    let file = try TemporaryDatabase(script("INT") + "INSERT INTO \(table) VALUES (3, 'x', 7)")
    #expect(try file.migrate(to: script("TEXT")).plan.steps.map(\.strategy) == [.swap])
    try file.expectSettled(at: script("TEXT"))
    #expect(try file.query("SELECT * FROM \(table) WHERE a = 'x' AND b = '7'") == [[.int(3), .text("x"), .text("7")]])
  }

  @Test("only where everything is allowed: alter and rebuild copy the table as SQLite's manual does")
  func choice() throws {
    for choice in [StrategyChoice.alter, .rebuild] {
      let plan = try Self.file().plan(to: Self.target, strategy: choice)
      #expect(plan.steps.first?.strategy == .rebuild)
    }
  }

  @Test("the edit is refused when the copy or an index would be read in another way")
  func misreading() throws {
    for (copy, text) in [
      ("id INTEGER PRIMARY KEY, a TEXT, b INT", "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT)"),
      ("id INT, a TEXT, b TEXT", "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT)"),
      ("id INTEGER PRIMARY KEY, b TEXT, a TEXT", "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT)"),
      ("id INTEGER PRIMARY KEY, a TEXT, b TEXT", "CREATE TABLE t (id INTEGER PRIMARY KEY, a COLLATE NOCASE, b TEXT)"),
    ] {
      let connection = try SQLiteConnection.memory()
      try connection.execute(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b INT); CREATE INDEX i ON t (a); CREATE TABLE n (\(copy)); BEGIN"
      )
      let sql = """
        UPDATE sqlite_master SET rootpage = (SELECT sum(rootpage) FROM sqlite_master WHERE name IN ('t', 'n')) - rootpage,
        sql = CASE name WHEN 't' THEN '\(text)' ELSE sql END WHERE name IN ('t', 'n')
        """
      #expect(throws: SQLiteError.self, "\(copy)") { try CatalogEditor(connection: connection).swap(sql, on: "t") }
    }
  }
}

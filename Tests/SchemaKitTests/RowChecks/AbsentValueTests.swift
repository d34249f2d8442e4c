import Testing

@testable import SQLiteSchema
@testable import SchemaKit

// P35 once more: what SQLite reads in a row from before ALTER TABLE ADD COLUMN is not always what INSERT stores for the default.
@Suite("Values of rows that do not store a column")
struct AbsentValueTests {
  static let types = ["TEXT", "VARCHAR(9)", "INT", "REAL", "NUMERIC", "BLOB", ""]
  static let defaults = [
    "NULL", "(NULL)", "'x'", "'1.10'", "' 7 '", "''", "abc", "x'31'", "0", "5", "-5", "+5", "(5)", "- 5", "007", "-0",
    "0.0", "1.0",
    "1.10", "-1.50", "+1.50", "(- 1.50)", ".5", "5.", "1e3", "1E3", "1e-7", "-0.0", "1e999", "9223372036854775807",
    "-9223372036854775807", "9223372036854775808", "-9223372036854775808", "12345678901234567890", "0x10",
    "0xFF00FF00FF",
    "0xFFFFFFFFFFFFFFFF", "TRUE", "FALSE", "(FALSE /* TRUE */)", "(true -- false\n)", "(5 /* 6 */)", "CURRENT_DATE",
    "(abs(-5))", "(CAST(1.10 AS TEXT))", "(1 + 1)", "(-(-5))",
    "('a' || 'b')",
    "(CAST(abs(1) AS TEXT))", "(0 AND (1))", "('x' IN ())", "(1 IS NOT (NULL))", "(0 AND abs(1))", "(abs(1) AND 0)",
    "(abs(1) IN ())", "(1 NOT IN ())", "(NOT (0))", "(CASE (1) WHEN 1 THEN 2 END)", "'9007199254740993'", "'1e20'",
    "0.5", "0.00001",
    "100.5", "+1.5", "-1.5", "123456789012.25", "1234567890123.5", "'0.1'", "'1234567890123456.5'",
    "(coalesce(NULL, 5))", "-'5'", "(date('now'))", "(iif(1, 2.50, 3))",
  ]

  /// Tables with one row that does not store `v`, whatever ALTER TABLE thinks of the default, and one that does.
  private static func tables(_ definitions: [String]) throws -> TemporaryDatabase {
    let file = try TemporaryDatabase(
      definitions.indices.map { "CREATE TABLE t\($0) (id INTEGER PRIMARY KEY); INSERT INTO t\($0) VALUES (1);" }
        .joined())
    let edits = definitions.enumerated().map { index, definition in
      let sql = SQLQuoting.literal("CREATE TABLE t\(index) (id INTEGER PRIMARY KEY, \(definition))")
      return "UPDATE sqlite_master SET sql = \(sql) WHERE name = 't\(index)';"
    }
    try file.exec("PRAGMA writable_schema = ON;" + edits.joined())
    try file.exec(definitions.indices.map { "INSERT INTO t\($0) (id) VALUES (2);" }.joined())
    return file
  }

  @Test("SQLite reads what is expected of it", arguments: types)
  func engine(type: String) throws {
    let file = try Self.tables(Self.defaults.map { "v \(type) DEFAULT \($0)" })
    for (index, value) in Self.defaults.enumerated() {
      let name = "t\(index)"
      let rows = try file.query("SELECT typeof(v), hex(CAST(v AS BLOB)), quote(v) FROM \(name) ORDER BY id")
      let column = try #require(
        try SchemaText.change("CREATE TABLE t (a)", "CREATE TABLE t (a, v \(type) DEFAULT \(value))").to.column("v"))
      switch column.absentValue {
      case .asStored: #expect(rows[0] == rows[1], "\(value)")
      case .null: #expect(rows[0][0] == .text("null"), "\(value)")
      case .other: break
      }
      guard let condition = RowCheckSubject.showsDefault(of: column, as: "v") else { continue }
      #expect(try file.value("SELECT count(*) FROM \(name) WHERE id = 1 AND \(condition)") == .int(1), "\(condition)")
    }
  }

  @Test("there are defaults that SQLite reads in two ways, and common ones are none of them")
  func differs() throws {
    let file = try Self.tables(["v TEXT DEFAULT 1.10"])
    #expect(try file.query("SELECT v FROM t0 ORDER BY id") == [[.text("1.10")], [.text("1.1")]])
    for (type, value) in [
      ("TEXT", "''"), ("TEXT", "'x'"), ("TEXT", "0"), ("TEXT", "1.5"), ("", "1.5"), ("", "TRUE"), ("INT", "TRUE"),
      ("REAL", "0.0"), ("DECIMAL(9,2)", "1.50"),
    ] {
      let change = try SchemaText.change("CREATE TABLE t (a)", "CREATE TABLE t (a, v \(type) DEFAULT \(value))")
      #expect(change.to.column("v")?.absentValue == .asStored, "\(type) \(value)")
    }
  }

  /// What the column was added as, and what it shall be.
  static let edits: [(added: String, after: String)] = [
    ("v TEXT DEFAULT 1.10", "v TEXT DEFAULT 2.0"), ("v TEXT DEFAULT 1.10", "v TEXT"),
    ("v REAL DEFAULT '9007199254740993'", "v REAL DEFAULT 7"), ("v DEFAULT (0 AND (1))", "v DEFAULT 7"),

    ("v TEXT NOT NULL DEFAULT 2.50", "v TEXT NOT NULL"), ("v TEXT DEFAULT 1.10", "v TEXT NOT NULL DEFAULT 1.1"),
    ("v TEXT DEFAULT 1.10", "v TEXT DEFAULT 1.1 CHECK (v <> 'q')"),
    ("v TEXT DEFAULT 1.10", "v TEXT DEFAULT 1.10 CHECK (v <> 'q')"),
    ("v TEXT DEFAULT 1e3", "v VARCHAR(9) DEFAULT 1000.0"), ("v INT DEFAULT 0xFF00FF00FF", "v INT"),
    ("v TEXT DEFAULT 1", "v TEXT NOT NULL DEFAULT 01"), ("v TEXT DEFAULT 'é'", "v TEXT NOT NULL DEFAULT 'e\u{301}'"),
    ("v REAL DEFAULT 1.10", "v REAL NOT NULL DEFAULT 1.1"), ("v REAL DEFAULT 1.10", "v REAL DEFAULT 2"),
  ]

  @Test(
    "P35: whatever becomes of the default, rows read as before", arguments: edits.indices, StrategyChoice.allCases)
  func edited(index: Int, strategy: StrategyChoice) throws {
    let edit = Self.edits[index]
    for (short, others) in [(0, 0), (0, 1), (1, 0), (2, 1), (2, 8)] {
      let file = try TemporaryDatabase(
        "\(strategy.journal)CREATE TABLE t (id INTEGER PRIMARY KEY);" + rows(short) { "INSERT INTO t VALUES (\($0))" }
          + "ALTER TABLE t ADD COLUMN \(edit.added);" + rows(others) { "INSERT INTO t VALUES (\($0 + 10), \($0))" })
      let read = "SELECT id, typeof(v), hex(CAST(v AS BLOB)) FROM t ORDER BY id"
      let before = try file.query(read)
      var policy = PlanPolicy.everything
      policy.strategy = strategy
      let target = "CREATE TABLE t (id INTEGER PRIMARY KEY, \(edit.after));"
      try file.migrate(to: target, allowing: policy)
      #expect(try file.query(read) == before, "\(edit)")
      try file.expectSettled(at: target)
    }
  }

  @Test("TRUE in a column of texts, which older versions read as a number, is copied as the text that it is stored as")
  func truths() throws {
    for strategy in StrategyChoice.allCases {
      let file = try TemporaryDatabase(
        strategy.journal
          + "CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1); ALTER TABLE t ADD COLUMN v TEXT DEFAULT TRUE;"
          + "INSERT INTO t VALUES (2, 'x'), (3, NULL), (4, x'31')")
      var policy = PlanPolicy.lossless
      policy.strategy = strategy
      let target = "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT DEFAULT FALSE);"
      try file.migrate(to: target, allowing: policy)
      #expect(try file.query("SELECT v FROM t ORDER BY id") == [[.text("1")], [.text("x")], [.null], [.blob([0x31])]])
      try file.expectSettled(at: target)
    }
  }

  @Test("a new column reads alike in rows that were there and in new ones", arguments: StrategyChoice.allCases)
  func added(strategy: StrategyChoice) throws {
    let file = try TemporaryDatabase(
      strategy.journal + "CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1)")
    var policy = PlanPolicy.lossless
    policy.strategy = strategy
    let target = "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT NOT NULL DEFAULT 1.10, CHECK (length(v) = 3));"
    let step = try #require(try file.migrate(to: target, allowing: policy).plan.steps.first)
    #expect(step.strategy == (strategy == .online ? .online : .rebuild))
    try file.exec("INSERT INTO t (id) VALUES (2)")
    #expect(try file.query("SELECT v FROM t") == [[.text("1.1")], [.text("1.1")]])
    try file.expectSettled(at: target)
  }

  @Test("texts that look the same and are not are told apart in a CHECK")
  func lookalikes() throws {
    let (old, new) = ("CREATE TABLE t (v, CHECK (v <> 'é'));", "CREATE TABLE t (v, CHECK (v <> 'e\u{301}'));")
    let file = try TemporaryDatabase(old + "INSERT INTO t VALUES ('e\u{301}')")
    #expect(try file.refusals(to: new).map(\.code) == [.failingCheck])
    try file.exec("DELETE FROM t")
    try file.migrate(to: new)
    #expect(throws: RawSQLiteError.self) { try file.exec("INSERT INTO t VALUES ('e\u{301}')") }
  }

  @Test(
    "indexes of a column whose default rows read as a number agree with the rows after a copy and an update",
    arguments: ["TRUE", "(+TRUE)", "(1 IN ())"], ["n INT, k TEXT", "n TEXT, k TEXT NOT NULL DEFAULT 'q'"])
  func indexed(value: String, columns: String) throws {
    let file = try TemporaryDatabase(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT, k TEXT);
      INSERT INTO t VALUES (1, '1', NULL), (2, '2', 'a'), (3, '3', 'b'), (4, '4', 'c'), (5, '5', 'd');
      ALTER TABLE t ADD COLUMN v TEXT DEFAULT \(value); CREATE INDEX i ON t (v); CREATE INDEX j ON t (typeof(v))
      """)
    let target = """
      CREATE TABLE t (id INTEGER PRIMARY KEY, \(columns), v TEXT DEFAULT \(value)); CREATE INDEX i ON t (v);
      CREATE INDEX j ON t (typeof(v));
      """
    try file.migrate(to: target, allowing: .everything)
    #expect(try file.query("PRAGMA integrity_check") == [[.text("ok")]])
    #expect(
      try file.query("SELECT count(*) FROM t INDEXED BY i WHERE v = (SELECT v FROM t NOT INDEXED)") == [[.int(5)]])
    try file.expectSettled(at: target)
  }
}

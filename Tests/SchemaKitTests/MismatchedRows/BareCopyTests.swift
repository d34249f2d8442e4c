import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Copies without types")
struct BareCopyTests {
  private func migrated(_ before: String, to after: String, strategy: StrategyChoice = .rebuild) throws
    -> TemporaryDatabase
  {
    let file = try TemporaryDatabase(before)
    var policy = PlanPolicy.everything
    policy.strategy = strategy
    try file.migrate(to: after, allowing: policy)
    #expect(try file.query("PRAGMA integrity_check") == [[.text("ok")]])
    #expect(try file.plan(to: after).isEmpty)
    return file
  }

  @Test("a column that becomes ANY takes texts as they are")
  func any() throws {
    let file = try migrated(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, c TEXT) STRICT; INSERT INTO t VALUES (1, '007')",
      to: "CREATE TABLE t (id INTEGER PRIMARY KEY, c ANY) STRICT")
    #expect(try file.query("SELECT typeof(c), c FROM t") == [[.text("text"), .text("007")]])
  }

  @Test("a stored column is computed anew under the types and collations that it reads")
  func computed() throws {
    let file = try migrated(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT, c TEXT); INSERT INTO t VALUES (1, '5', 'A')",
      to: """
        CREATE TABLE t (id INTEGER PRIMARY KEY, n INT, c TEXT COLLATE NOCASE, g AS (n = '5') STORED, h AS (c = 'a') STORED,
        k TEXT AS (g + 1) STORED)
        """)
    #expect(try file.query("SELECT n, g, h, k FROM t") == [[.int(5), .int(1), .int(1), .text("2")]])
  }

  @Test("a stored column is not computed where that would convert a value of before")
  func computedBesideMismatch() throws {
    let file = try EditedFile(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, z TEXT, n TEXT); INSERT INTO t VALUES (1, '007', '5')",
      ["z TEXT": "z INTEGER"])
    let after = "CREATE TABLE t (id INTEGER PRIMARY KEY, z INTEGER, n INT, g AS (z + n) STORED)"
    let plan = try file.database.plan(to: after)
    #expect(plan.hazards.contains { $0.code == .lossyConversion && $0.object == "t.z" && $0.hazardClass == .lossy })
    // Where all that it reads stays as it is, it is computed from the old rows.
    let same = "CREATE TABLE t (id INTEGER PRIMARY KEY, z INTEGER, n TEXT, g AS (z || 'x') STORED)"
    try file.database.migrate(to: same)
    #expect(
      try file.values(of: ["z", "g"]) == [[.int(1), .text("text"), .text("'007'"), .text("text"), .text("'007x'")]])
  }

  @Test("rows from before a column was added keep what they read")
  func shortRows() throws {
    let file = try TemporaryDatabase("CREATE TABLE t (a); INSERT INTO t VALUES (1); ALTER TABLE t ADD COLUMN b;")
    var policy = PlanPolicy.lossless
    policy.strategy = .rebuild
    try file.migrate(to: "CREATE TABLE t (a, b DEFAULT 5)", allowing: policy)
    #expect(try file.query("SELECT a, b FROM t") == [[.int(1), .null]])
  }

  @Test("an index over numbers of more digits than REAL has is made anew", arguments: [StrategyChoice.auto, .online])
  func largeNumbers(strategy: StrategyChoice) throws {
    let file = try EditedFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, r INTEGER, note TEXT); CREATE INDEX tr ON t (r); CREATE INDEX tn ON t (id, r);
      INSERT INTO t VALUES (1, 9007199254740993, 'x'), (2, 5, 'y');
      """, ["r INTEGER": "r REAL"], journal: strategy == .online ? "PRAGMA journal_mode = WAL" : "")
    let after = """
      CREATE TABLE t (id INTEGER PRIMARY KEY, r REAL, note BLOB); CREATE INDEX tr ON t (r); CREATE INDEX tn ON t (id, r);
      """
    var policy = PlanPolicy.lossless
    policy.strategy = strategy
    let report = try file.database.migrate(to: after, allowing: policy)
    #expect(report.plan.steps.first?.strategy == (strategy == .online ? .online : .rebuild))
    #expect(try file.problems() == ["ok"])
    #expect(try file.database.query("SELECT id FROM t WHERE r = 9007199254740992.0") == [[.int(1)]])
  }

  @Test("a table with a unique index over such numbers is not copied online")
  func largeKeys() throws {
    let file = try EditedFile(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, r INTEGER UNIQUE, note TEXT); INSERT INTO t VALUES (1, 9007199254740993, 'x')",
      ["r INTEGER": "r REAL"], journal: "PRAGMA journal_mode = WAL")
    let after = "CREATE TABLE t (id INTEGER PRIMARY KEY, r REAL UNIQUE, note BLOB)"
    let plan = try file.database.plan(to: after, strategy: .online)
    let online = plan.steps.flatMap(\.passedOver).first { $0.strategy == .online }
    #expect(online?.rejections.map(\.code) == [.uniqueLargeNumbers])
    try file.database.migrate(to: after)
    #expect(try file.problems() == ["ok"])
  }

  @Test("values that stay beside a new UNIQUE, whose index is made from all rows, are told")
  func beside() throws {
    let file = try EditedFile(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, zip TEXT, note TEXT); INSERT INTO t VALUES (1, '007', 'x'), (2, '1e2', 'y')",
      ["zip TEXT": "zip INTEGER"])
    let before = try file.values(of: ["zip", "note"])
    let report = try file.database.migrate(
      to: "CREATE TABLE t (id INTEGER PRIMARY KEY, zip INTEGER, note TEXT UNIQUE)")
    #expect(report.plan.steps.map(\.strategy) == [.catalog])
    #expect(report.plan.hazards.map(\.code) == [.standingFault] && report.plan.hazards.first?.object == "t.zip")
    #expect(try file.values(of: ["zip", "note"]) == before)
  }

  @Test("a new UNIQUE on a large table asks nothing about values beside it, which stay")
  func besideInLargeTable() throws {
    let file = try EditedFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, zip TEXT, note TEXT);
      WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100001) INSERT INTO t SELECT i, '007', i FROM n
      """, ["zip TEXT": "zip INTEGER"])
    let report = try file.database.migrate(
      to: "CREATE TABLE t (id INTEGER PRIMARY KEY, zip INTEGER, note TEXT UNIQUE)")
    #expect(report.plan.steps.map(\.strategy) == [.catalog] && report.plan.hazards.isEmpty)
    #expect(try file.database.value("SELECT count(*) FROM t WHERE typeof(zip) = 'text'") == .int(100001))
  }

  @Test("NULL under NOT NULL counts as equal for a new UNIQUE")
  func nullsBeside() throws {
    let file = try EditedFile(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); INSERT INTO t VALUES (1, NULL), (2, NULL)",
      ["a TEXT": "a TEXT NOT NULL"])
    let target = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT NOT NULL UNIQUE)"
    #expect(try file.database.plan(to: target).refusals(under: .everything).isEmpty == false)
    #expect(throws: PlanError.self) { try file.database.migrate(to: target, allowing: .everything) }
    #expect(try file.database.query("SELECT count(*) FROM t NOT INDEXED") == [[.int(2)]])
  }

  @Test("a column is added to a table that ceases to be STRICT, whatever its rows hold")
  func noLongerStrict() throws {
    let file = try EditedFile(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); INSERT INTO t VALUES (1, x'00')", ["a TEXT)": "a TEXT) STRICT"])
    try file.database.migrate(to: "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b INTEGER)")
    #expect(
      try file.values(of: ["a", "b"]) == [[.int(1), .text("blob"), .text("X'00'"), .text("null"), .text("NULL")]])
  }

  @Test(
    "a unique index over such numbers that lacks equal rows blocks the copy",
    arguments: ["CREATE UNIQUE INDEX tr ON t (r)", "CREATE UNIQUE INDEX tr ON t (r + 0)"])
  func largeDuplicates(index: String) throws {
    let file = try EditedFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, r REAL, note TEXT); \(index) WHERE 0; CREATE INDEX tn ON t (note);
      INSERT INTO t VALUES (1, 1e300, 'x'), (2, 1e300, 'y');
      """, [" WHERE 0": ""])
    let after =
      "CREATE TABLE t (id INTEGER PRIMARY KEY, r REAL, note TEXT, more AS (id) STORED); \(index); CREATE INDEX tn ON t (note)"
    let plan = try file.database.plan(to: after)
    #expect(plan.refusals(under: .everything).map(\.object) == ["t"])
    #expect(throws: PlanError.self) { try file.database.migrate(to: after, allowing: .everything) }
    #expect(try file.database.query("SELECT count(*) FROM t NOT INDEXED") == [[.int(2)]])
  }

  @Test(
    "values of another class block STRICT, whatever else changes", arguments: ["c BLOB", "c TEXT"],
    [("'007'", "INT"), ("5.0", "INTEGER"), ("5", "TEXT"), ("'5'", "REAL"), ("'a'", "BLOB")])
  func strict(other: String, value: (stored: String, type: String)) throws {
    let file = try EditedFile(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, z, c TEXT); INSERT INTO t VALUES (1, \(value.stored), 'x'), (2, NULL, 'y')",
      ["z,": "z \(value.type),"])
    let before = try file.values(of: ["z"])
    let after = "CREATE TABLE t (id INTEGER PRIMARY KEY, z \(value.type), \(other)) STRICT"
    let plan = try file.database.plan(to: after)
    let hazards = plan.hazards.filter { $0.object == "t.z" }
    #expect(hazards.map(\.code) == [.notStorable])
    #expect(hazards.first?.count == 1)
    #expect(throws: PlanError.self) { try file.database.migrate(to: after, allowing: .everything) }
    #expect(try file.values(of: ["z"]) == before)
  }

  @Test("a stored value that a typed copy would compute in another class needs consent")
  func storedClass() throws {
    let file = try EditedFile(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, s BLOB AS (a * 1.0) STORED, c TEXT); INSERT INTO t (a) VALUES (5)",
      ["(a * 1.0)": "(a)"])
    #expect(try file.values(of: ["a", "s"]) == [[.int(1), .text("integer"), .text("5"), .text("real"), .text("5.0")]])
    let after = "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, s BLOB AS (a) STORED, c BLOB)"
    let plan = try file.database.plan(to: after, strategy: .alter)
    #expect(plan.refusals(under: .lossless).map(\.object) == ["t.s"])
    try file.database.migrate(to: after)
    #expect(try file.values(of: ["s"]) == [[.int(1), .text("real"), .text("5.0")]])
  }

  @Test(
    "a CHECK that fails by a value of another class blocks a copy that asks it again",
    arguments: ["a <> 42", "b NOT IN (42, 'ABC')"])
  func checkAskedAgain(check: String) throws {
    let file = try EditedFile(
      """
      CREATE TABLE t (a BLOB, c TEXT, b BLOB AS (a) VIRTUAL, CHECK (\(check)), PRIMARY KEY (a)); PRAGMA ignore_check_constraints = ON;
      INSERT INTO t (a) VALUES (42)
      """, ["a BLOB": "a TEXT"])
    func after(_ column: String) -> String {
      "CREATE TABLE t (\(column), c BLOB, b BLOB AS (a) VIRTUAL, CHECK (\(check)), PRIMARY KEY (a)) WITHOUT ROWID"
    }
    let plan = try file.database.plan(to: after("a TEXT COLLATE NOCASE"))
    #expect(plan.refusals(under: .everything).map(\.code) == [.failingCheck])
    #expect(throws: PlanError.self) {
      try file.database.migrate(to: after("a TEXT COLLATE NOCASE"), allowing: .everything)
    }
    try file.database.migrate(to: after("a TEXT"), allowing: .everything)
    #expect(try file.database.query("SELECT typeof(+a), c FROM t") == [[.text("integer"), .null]])
  }

  @Test(
    "a stored value other than its expression gives needs consent where it is computed anew",
    arguments: [
      "a, s AS (a * 2) VIRTUAL", "a INTEGER, s AS (a * 2) STORED", "a INTEGER, s AS (a * 2)", "a, s NUMERIC AS (a * 2)",
      "a, s INT AS (a * 2) STORED",
    ])
  func recomputed(columns: String) throws {
    let file = try EditedFile(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a, s AS (a + 1) STORED); INSERT INTO t (a) VALUES (1), (5)",
      ["(a + 1)": "(a * 2)"])
    let after = "CREATE TABLE t (id INTEGER PRIMARY KEY, \(columns))"
    let refusals = try file.database.plan(to: after).refusals(under: .lossless)
    #expect(refusals.map(\.object) == ["t.s"] && refusals.map(\.count) == [1])
    #expect(throws: PlanError.self) { try file.database.migrate(to: after) }
    #expect(try file.database.query("SELECT s FROM t") == [[.int(2)], [.int(6)]])
    try file.database.migrate(to: after, allowing: .everything)
    #expect(try file.database.query("SELECT s FROM t") == [[.int(2)], [.int(10)]])
  }

  @Test("a stored number that is the nearest REAL to its expression is what that gives")
  func nearestReal() throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE t (a, r REAL AS (a) STORED); INSERT INTO t VALUES (9007199254740993), (5), ('a')")
    let values = try file.query("SELECT r, typeof(r) FROM t")
    #expect(
      try file.plan(to: "CREATE TABLE t (a, r REAL AS (a) VIRTUAL)").hazards.filter { $0.code == .lossyConversion }
        .isEmpty)
    try file.migrate(to: "CREATE TABLE t (a, r REAL AS (a) VIRTUAL)")
    #expect(try file.query("SELECT r, typeof(r) FROM t") == values)
  }

  @Test("NULL in a key WITHOUT ROWID blocks the copy")
  func nullInKey() throws {
    let file = try EditedFile(
      "CREATE TABLE t (a TEXT, b TEXT, n TEXT, UNIQUE (a)); INSERT INTO t VALUES (NULL, 'x', 'y')", [:])
    let plan = try file.database.plan(to: "CREATE TABLE t (a TEXT PRIMARY KEY, b TEXT, n TEXT) WITHOUT ROWID")
    #expect(plan.hazards.contains { $0.code == .nullsUnderNotNull && $0.hazardClass == .blocked })
  }

  static let keys = [
    "CREATE TABLE t (k INTEGER PRIMARY KEY, b TEXT UNIQUE, c TEXT UNIQUE) WITHOUT ROWID",
    "CREATE TABLE t (k TEXT PRIMARY KEY, b TEXT UNIQUE, c TEXT COLLATE NOCASE UNIQUE) WITHOUT ROWID",
    "CREATE TABLE t (k INT, b TEXT, c TEXT UNIQUE, PRIMARY KEY (k DESC), UNIQUE (b, c)) WITHOUT ROWID",
    "CREATE TABLE t (k INTEGER PRIMARY KEY DESC, b TEXT UNIQUE, c TEXT, UNIQUE (c, b))",
    "CREATE TABLE t (k INTEGER, b TEXT, c TEXT, PRIMARY KEY (k DESC), UNIQUE (c COLLATE NOCASE, b))",
    "CREATE TABLE t (k INTEGER PRIMARY KEY UNIQUE, b TEXT, c TEXT UNIQUE ON CONFLICT REPLACE)",
    "CREATE TABLE t (k INT PRIMARY KEY, b TEXT UNIQUE, c TEXT, UNIQUE (b), UNIQUE (c, k))",
    "CREATE TABLE t (k TEXT, b TEXT, c TEXT, PRIMARY KEY (k, b, k, c))",
    "CREATE TABLE t (k INT PRIMARY KEY NOT NULL, b TEXT, c TEXT UNIQUE) STRICT",
    "CREATE TABLE t (k INTEGER PRIMARY KEY AUTOINCREMENT, b TEXT UNIQUE, c TEXT)",
  ]

  @Test("every shape of keys reaches every other, with the indexes that SQLite would make", arguments: keys, keys)
  func adoption(before: String, after: String) throws {
    let file = try migrated("\(before); INSERT INTO t VALUES (1, 'a', 'x'), (2, 'b', 'y'), (9, 'c', 'z')", to: after)
    let fresh = try TemporaryDatabase(after)
    for query in [
      "SELECT name, \"unique\", origin, partial FROM pragma_index_list('t') ORDER BY name",
      """
      SELECT l.name, x.seqno, x.cid, x.name, x.desc, x.coll, x.key FROM pragma_index_list('t') l, pragma_index_xinfo(l.name) x
      ORDER BY 1, 2
      """,
      "SELECT type, name, tbl_name, sql IS NULL FROM sqlite_master WHERE tbl_name = 't' ORDER BY name",
    ] { #expect(try file.query(query) == fresh.query(query)) }
    #expect(try file.query("SELECT CAST(k AS TEXT), b, c FROM t ORDER BY b").count == 3)
    try file.exec("UPDATE t SET c = c || '!'; DELETE FROM t WHERE b = 'b'; INSERT INTO t VALUES (4, 'd', 'w')")
    #expect(try file.query("PRAGMA integrity_check") == [[.text("ok")]])
    #expect(throws: (any Error).self) { try file.exec("INSERT INTO t VALUES (1, 'a', 'x!'), (1, 'a', 'x!')") }
  }

  @Test("AUTOINCREMENT gets its mark from the rows, and loses it with the word")
  func autoincrement() throws {
    let plain = "CREATE TABLE t (id INTEGER PRIMARY KEY, a)"
    let counted = "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a)"
    let file = try migrated("\(plain); INSERT INTO t VALUES (7, 1); ", to: counted)
    #expect(try file.query("SELECT name, seq FROM sqlite_sequence") == [[.text("t"), .int(7)]])
    try file.exec("DELETE FROM t; INSERT INTO t (a) VALUES (2)")
    #expect(try file.value("SELECT id FROM t") == .int(8))
    var policy = PlanPolicy.everything
    policy.strategy = .rebuild
    try file.migrate(to: plain, allowing: policy)
    #expect(try file.query("SELECT * FROM sqlite_sequence").isEmpty)
  }

  @Test("an empty table with AUTOINCREMENT gets no mark", arguments: [StrategyChoice.rebuild, .alter])
  func noMark(strategy: StrategyChoice) throws {
    let file = try migrated(
      "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a)",
      to: "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a UNIQUE)", strategy: strategy)
    #expect(try file.query("SELECT * FROM sqlite_sequence").isEmpty)
  }

  @Test(
    "a copy that holds a number in another class is found", arguments: [StrategyChoice.rebuild, .alter],
    [("5", "5.0"), ("5.0", "5"), ("5", "'5'"), ("2.5", "'2.5'"), ("'a'", "x'61'")])
  func comparesClasses(strategy: StrategyChoice, values: (stored: String, copied: String)) throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b TEXT); INSERT INTO t VALUES (1, 'x', 'x'), (2, \(values.stored), 'y')"
    )
    let after = "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b BLOB)"
    let statements = try file.plan(to: after, strategy: strategy).statements
    let database = try file.reopened()
    defer { database.close() }
    var found: [[RawValue]] = []
    for statement in statements.prefix(while: { !$0.sql.hasPrefix("DROP TABLE") }) {
      guard statement.role != .verification else {
        found += try database.rows(statement.sql)
        continue
      }
      try database.exec(statement.sql)
      guard statement.role == .copy else { continue }
      let copy = try #require(
        try database.rows("SELECT name FROM sqlite_master WHERE name LIKE '\\_schemakit%' ESCAPE '\\'").first?[0].string
      )
      try database.exec("UPDATE \"\(copy)\" SET a = \(values.copied) WHERE id = 2")
    }
    #expect(found == [[.int(2)]])
  }

  @Test("rows that an index lacks are copied and compared where a table gets rowids")
  func emptyIndex() throws {
    let columns = "b TEXT, k TEXT, c INT, PRIMARY KEY (k)"
    let file = try EditedFile(
      """
      CREATE TABLE t (\(columns)) WITHOUT ROWID; CREATE INDEX tbc ON t (b, c) WHERE 0;
      INSERT INTO t VALUES ('x', 'one', 1), (NULL, 'two', 2);
      """, [" WHERE 0": ""])
    try file.database.migrate(
      to: "CREATE TABLE t (\(columns)); CREATE INDEX tbc ON t (b, c)", allowing: .everything)
    #expect(
      try file.database.query("SELECT b, k, c FROM t NOT INDEXED ORDER BY k") == [
        [.text("x"), .text("one"), .int(1)], [.null, .text("two"), .int(2)],
      ])
    #expect(try file.problems() == ["ok"])
  }

  @Test("rows that were equal under a UNIQUE of before are carried")
  func duplicates() throws {
    let file = try TemporaryDatabase(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, u TEXT, n TEXT); CREATE INDEX i ON t (u);
      INSERT INTO t VALUES (1, 'a', 'x'), (2, 'a', 'y'); PRAGMA writable_schema = ON;
      UPDATE sqlite_master SET sql = replace(sql, 'u TEXT', 'u TEXT UNIQUE') WHERE name = 't';
      UPDATE sqlite_master SET name = 'sqlite_autoindex_t_1', sql = NULL WHERE name = 'i';
      PRAGMA schema_version = 77;
      """)
    try file.migrate(to: "CREATE TABLE t (id INTEGER PRIMARY KEY, u TEXT UNIQUE, n TEXT UNIQUE)")
    #expect(try file.query("SELECT id, u, n FROM t NOT INDEXED ORDER BY id").count == 2)
    #expect(try file.query("SELECT id FROM t INDEXED BY sqlite_autoindex_t_1 WHERE u >= ''").count == 2)
  }
}

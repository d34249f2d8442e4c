import Testing

@testable import SQLiteSchema
@testable import SchemaKit

/// Each rule says that SQLite does something; SQLite is asked whether it does.
@Suite("What lint rules claim of SQLite")
struct LintClaimTests {
  private let database: RawSQLite

  init() throws { database = try RawSQLite() }

  /// What SQLite would do for a statement.
  private func plan(_ sql: String) throws -> String {
    try database.rows("EXPLAIN QUERY PLAN " + sql).compactMap { $0.last?.string }.joined(separator: "; ")
  }

  private func says(_ words: String, to sql: String) {
    let error = #expect(throws: RawSQLiteError.self) { try database.exec(sql) }
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
  }

  @Test("SL101: the children of a deleted parent are looked for in the whole table, unless an index serves")
  func foreignKeyIndex() throws {
    try database.exec(
      "PRAGMA foreign_keys = ON; CREATE TABLE p (id INTEGER PRIMARY KEY, a TEXT UNIQUE);"
        + "CREATE TABLE c (x, p INTEGER REFERENCES p, a TEXT COLLATE NOCASE REFERENCES p (a));")
    #expect(try plan("DELETE FROM p WHERE id = 1").contains("SCAN"))
    try database.exec("CREATE INDEX i ON c (p) WHERE p IS NOT NULL; CREATE INDEX j ON c (a)")
    // The index on a has another collation than the parent's column.
    #expect(try plan("DELETE FROM p WHERE id = 1").contains("SCAN"))
    try database.exec("CREATE INDEX k ON c (a COLLATE BINARY)")
    #expect(try plan("DELETE FROM p WHERE id = 1").contains("SCAN") == false)
    try database.exec("DROP INDEX i; CREATE INDEX i ON c (x, p)")
    #expect(try plan("DELETE FROM p WHERE id = 1").contains("SCAN"))
  }

  @Test("SL102, SL103: SQLite stores foreign keys that it cannot check, and refuses the writes")
  func foreignKeyMismatch() throws {
    try database.exec(
      "PRAGMA foreign_keys = ON; CREATE TABLE p (id INTEGER PRIMARY KEY, a TEXT, b TEXT COLLATE NOCASE);"
        + "CREATE UNIQUE INDEX u ON p (a) WHERE a > ''; CREATE UNIQUE INDEX w ON p (b COLLATE BINARY);"
        + "CREATE TABLE k (a, b, PRIMARY KEY (a, b)); CREATE VIEW v AS SELECT id FROM p;"
        + "CREATE TABLE c1 (x REFERENCES gone (id)); CREATE TABLE c2 (x REFERENCES p (z));"
        + "CREATE TABLE c3 (x REFERENCES k); CREATE TABLE c4 (x REFERENCES p (a)); CREATE TABLE c5 (x REFERENCES p (b));"
        + "CREATE TABLE c6 (x REFERENCES v (id));")
    says("no such table: main.gone", to: "INSERT INTO c1 VALUES (1)")
    for table in ["c2", "c3", "c4", "c5", "c6"] { says("foreign key mismatch", to: "INSERT INTO \(table) VALUES (1)") }
  }

  @Test("SL104: a text that looks like a number does not find its parent, or no index finds its children")
  func foreignKeyType() throws {
    try database.exec(
      "PRAGMA foreign_keys = ON; CREATE TABLE p (id INTEGER PRIMARY KEY, a TEXT UNIQUE);"
        + "INSERT INTO p VALUES (1, '007'); CREATE TABLE c (a INTEGER REFERENCES p (a));")
    says("FOREIGN KEY constraint failed", to: "INSERT INTO c VALUES ('007')")
    try database.exec("CREATE TABLE d (p TEXT REFERENCES p); CREATE INDEX i ON d (p); DROP TABLE c")
    #expect(try plan("DELETE FROM p WHERE id = 1").contains("SCAN"))
  }

  @Test("SL105: SET NULL and SET DEFAULT fail where NULL is refused")
  func foreignKeyNull() throws {
    try database.exec(
      "PRAGMA foreign_keys = ON; CREATE TABLE p (id INTEGER PRIMARY KEY); INSERT INTO p VALUES (1), (2), (3);"
        + "CREATE TABLE c (p INTEGER NOT NULL REFERENCES p ON DELETE SET NULL); INSERT INTO c VALUES (1);"
        + "CREATE TABLE d (p INTEGER NOT NULL REFERENCES p ON DELETE SET DEFAULT); INSERT INTO d VALUES (2);"
        + "CREATE TABLE e (p INTEGER PRIMARY KEY REFERENCES p ON DELETE SET NULL); INSERT INTO e VALUES (3);")
    says("NOT NULL constraint failed: c.p", to: "DELETE FROM p WHERE id = 1")
    says("NOT NULL constraint failed: d.p", to: "DELETE FROM p WHERE id = 2")
    says("datatype mismatch", to: "DELETE FROM p WHERE id = 3")
  }

  @Test(
    "SL106: INT PRIMARY KEY is not the rowid, has an index and gets no number",
    arguments: ["INT PRIMARY KEY", "BIGINT PRIMARY KEY", "INTEGER PRIMARY KEY DESC"])
  func integerKey(_ declared: String) throws {
    try database.exec("CREATE TABLE t (id \(declared), a); INSERT INTO t (a) VALUES ('x'), ('y')")
    #expect(try database.rows("SELECT id, rowid FROM t") == [[.null, .int(1)], [.null, .int(2)]])
    #expect(try database.rows("SELECT name FROM pragma_index_list('t')") == [[.text("sqlite_autoindex_t_1")]])
  }

  @Test("SL107: a primary key accepts NULL twice without NOT NULL, and not in WITHOUT ROWID tables")
  func nullableKey() throws {
    try database.exec("CREATE TABLE t (a TEXT PRIMARY KEY); INSERT INTO t VALUES (NULL), (NULL)")
    #expect(try database.rows("SELECT count(*) FROM t") == [[.int(2)]])
    try database.exec("CREATE TABLE u (a TEXT PRIMARY KEY) WITHOUT ROWID")
    says("NOT NULL constraint failed", to: "INSERT INTO u VALUES (NULL)")
  }

  @Test("SL201, SL202: what a dropped index found is found by the one that stays")
  func needlessIndexes() throws {
    try database.exec("CREATE TABLE t (a, b); CREATE INDEX j ON t (a, b); CREATE INDEX i ON t (a)")
    #expect(try plan("SELECT rowid FROM t WHERE a = 1").contains("(a=?)"))
    try database.exec("DROP INDEX i")
    #expect(try plan("SELECT rowid FROM t WHERE a = 1").contains("INDEX j (a=?)"))
  }

  @Test("SL301: STRING, UUID and JSON make numbers of texts")
  func textTypes() throws {
    try database.exec(
      "CREATE TABLE t (a STRING, b UUID, c JSON, d TEXT); INSERT INTO t VALUES ('007', '12e3', '1.0', '007')")
    #expect(try database.rows("SELECT a, b, c, d FROM t") == [[.int(7), .int(12_000), .int(1), .text("007")]])
  }

  @Test("SL302: INTERVAL and FLOATING POINT make numbers of texts")
  func integerTypes() throws {
    try database.exec(
      "CREATE TABLE t (a PRINT, b INTERVAL, c FLOATING POINT); INSERT INTO t VALUES ('007', '01', '2.0')")
    #expect(try database.rows("SELECT a, b, c FROM t") == [[.int(7), .int(1), .int(2)]])
  }

  @Test("SL303: dates of digits alone become numbers, and 'true' is not true")
  func dateTypes() throws {
    try database.exec(
      "CREATE TABLE t (a DATE, b DATETIME, c BOOLEAN); INSERT INTO t VALUES ('20250101', '2025-01-01', 'true')")
    #expect(try database.rows("SELECT a, b, c FROM t") == [[.int(20_250_101), .text("2025-01-01"), .text("true")]])
    #expect(try database.rows("SELECT count(*) FROM t WHERE c") == [[.int(0)]])
  }

  @Test("SL304: an INSERT that leaves out a column with such a default fails", .needs(.strict))
  func defaults() throws {
    try database.exec("CREATE TABLE t (a TEXT NOT NULL DEFAULT NULL, x)")
    says("NOT NULL constraint failed", to: "INSERT INTO t (x) VALUES (1)")
    let values = [
      ("INTEGER", "'x'"), ("INT", "1.5"), ("BLOB", "1"), ("TEXT", "x'00'"), ("REAL", "'x'"),
      ("INTEGER", "CURRENT_DATE"),
      ("INTEGER", "'7'"), ("REAL", "1"), ("ANY", "x''"), ("TEXT", "5"), ("INTEGER", "2.0"), ("INTEGER", "' 7 '"),
      ("REAL", "'1e3'"), ("INT", "TRUE"), ("INT", "-7"), ("INTEGER", "'0x10'"), ("INTEGER", "'1.5'"),
      ("INTEGER", "'7.0'"),
    ]
    for (index, (type, value)) in values.enumerated() {
      let sql = "CREATE TABLE s\(index) (x INT, a \(type) DEFAULT \(value)) STRICT"
      try database.exec(sql)
      let isTaken = (try? database.exec("INSERT INTO s\(index) (x) VALUES (1)")) != nil
      #expect(try LintScene(sql + ";").objects("SL304").isEmpty == isTaken, "\(type) DEFAULT \(value)")
    }
  }

  @Test("SL401: a text in double quotes turns into a column once there is one")
  func doubleQuotes() throws {
    try database.exec(
      "CREATE TABLE t (a); INSERT INTO t VALUES ('open'); CREATE VIEW v AS SELECT a FROM t WHERE a = \"open\"")
    #expect(try database.rows("SELECT * FROM v") == [[.text("open")]])
    try database.exec("ALTER TABLE t ADD COLUMN open")
    #expect(try database.rows("SELECT * FROM v") == [])
  }

  @Test("SL402: a keyword is a syntax error without quotes, or another value")
  func keywords() throws {
    try database.exec("CREATE TABLE t (\"order\", \"current_date\"); INSERT INTO t VALUES (1, 'mine')")
    says("syntax error", to: "SELECT order FROM t")
    #expect(try database.rows("SELECT current_date FROM t") != [[.text("mine")]])
    #expect(try database.rows("SELECT \"current_date\" FROM t") == [[.text("mine")]])
  }

  @Test("SL403: SQLite says the name of a CHECK, and of no other constraint")
  func unnamedChecks() throws {
    try database.exec(
      "CREATE TABLE t (a, b, CONSTRAINT big CHECK (a > 1), CHECK (b > 1), CONSTRAINT once UNIQUE (a)); INSERT INTO t VALUES (2, 2)"
    )
    says("CHECK constraint failed: big", to: "INSERT INTO t VALUES (1, 2)")
    // Before 3.34 the table is all that is said.
    let expression = Engine.version.hasPrefix("3.33.") ? "t" : "b > 1"
    says("CHECK constraint failed: \(expression)", to: "INSERT INTO t VALUES (3, 1)")
    says("UNIQUE constraint failed: t.a", to: "INSERT INTO t VALUES (2, 2)")
  }

  @Test("SL503: SQLite creates what reads the clock, and takes no row then")
  func clock() throws {
    try database.exec("CREATE TABLE k (a, CHECK (a > julianday('now'))); CREATE TABLE l (a, b AS (date('now')) STORED)")
    says("non-deterministic use of julianday() in a CHECK constraint", to: "INSERT INTO k VALUES (1)")
    says("non-deterministic use of date() in a generated column", to: "INSERT INTO l (a) VALUES (1)")
  }

  @Test("SL501, SL502: SQLite stores views and triggers that fail when they are used, or never come to it")
  func brokenObjects() throws {
    try database.exec(
      "CREATE TABLE t (a); CREATE VIEW v AS SELECT b FROM t;"
        + "CREATE TRIGGER g AFTER INSERT ON t BEGIN INSERT INTO gone VALUES (1); END;"
        + "CREATE TABLE u (a); CREATE TABLE log (a);"
        + "CREATE TRIGGER h AFTER UPDATE OF absent ON u BEGIN INSERT INTO log VALUES (1); END;")
    says("no such column: b", to: "SELECT * FROM v")
    says("error in view v", to: "ALTER TABLE u RENAME TO w")
    says("no such table: main.gone", to: "INSERT INTO t VALUES (1)")
    try database.exec("INSERT INTO u VALUES (1); UPDATE u SET a = 2")
    #expect(try database.rows("SELECT count(*) FROM log") == [[.int(0)]])
  }
}

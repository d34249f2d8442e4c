import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Row checks: values that a type changes or refuses")
struct StorageRowCheckTests {
  // MARK: - STRICT

  /// A table whose `v` holds values of every kind, in turn.
  private static func strict(_ type: String, refused: String) -> RowCase {
    RowCase(
      name: "STRICT \(type)", before: "CREATE TABLE t (id INTEGER PRIMARY KEY, v);",
      fill: [
        """
        INSERT INTO t SELECT i, CASE i % 8 WHEN 1 THEN \(type == "BLOB" ? "'x'" : "x'00ff'") WHEN 2 THEN i WHEN 3 THEN i + 0.5
        WHEN 4 THEN i + 0.0 WHEN 5 THEN 'x' || i WHEN 6 THEN '12' WHEN 7 THEN x'31' END FROM n
        """
      ], after: "CREATE TABLE t (id INTEGER PRIMARY KEY, v \(type)) STRICT;", code: .notStorable, object: "t.v",
      offending: "SELECT CAST(id AS TEXT) FROM t WHERE v IS NOT NULL AND \(refused)", others: [.lossyConversion])
  }

  static let strictCases = [
    strict("INTEGER", refused: "(typeof(v) = 'blob' OR v LIKE 'x%' OR (typeof(v) = 'real' AND v <> CAST(v AS INT)))"),
    strict("INT", refused: "(typeof(v) = 'blob' OR v LIKE 'x%' OR (typeof(v) = 'real' AND v <> CAST(v AS INT)))"),
    strict("REAL", refused: "(typeof(v) = 'blob' OR v LIKE 'x%')"),
    strict("TEXT", refused: "typeof(v) = 'blob'"),
    strict("BLOB", refused: "typeof(v) <> 'blob'"),
    strict("ANY", refused: "FALSE"),
    RowCase(
      name: "STRICT with a computed column", before: "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT);",
      fill: ["INSERT INTO t SELECT i, CASE WHEN i % 2 THEN 'x' ELSE '1' END FROM n"],
      after: "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT, g INT AS (v || '') STORED) STRICT;", code: .notStorable,
      object: "t.g", offending: "SELECT CAST(id AS TEXT) FROM t WHERE v = 'x'"),
    RowCase(
      name: "STRICT with a computed column that is computed otherwise, and had what can be stored",
      before: "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT, g ANY AS (length(v)) VIRTUAL) STRICT;",
      fill: ["INSERT INTO t (id, v) SELECT i, CASE WHEN i % 2 THEN 'x' ELSE '1' END FROM n"],
      after: "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT, g INT AS (v || '') VIRTUAL) STRICT;", code: .notStorable,
      object: "t.g", offending: "SELECT CAST(id AS TEXT) FROM t WHERE v = 'x'"),
    RowCase(
      name: "STRICT with a computed column of another type",
      before: "CREATE TABLE t (id INTEGER PRIMARY KEY, v ANY, g ANY AS (v) STORED) STRICT;",
      fill: ["INSERT INTO t (id, v) SELECT i, CASE WHEN i % 2 THEN i ELSE x'00' END FROM n"],
      after: "CREATE TABLE t (id INTEGER PRIMARY KEY, v ANY, g BLOB AS (v) STORED) STRICT;", code: .notStorable,
      object: "t.g", offending: "SELECT CAST(id AS TEXT) FROM t WHERE typeof(v) = 'integer'"),
    RowCase(
      name: "P33: a default that a STRICT column cannot store",
      before: "CREATE TABLE t (id INTEGER PRIMARY KEY) STRICT;", fill: ["INSERT INTO t SELECT i FROM n"],
      after: "CREATE TABLE t (id INTEGER PRIMARY KEY, v INT DEFAULT 'x') STRICT;", code: .notStorable, object: "t.v",
      offending: "SELECT CAST(id AS TEXT) FROM t"),
    RowCase(
      name: "a column that becomes the rowid", before: "CREATE TABLE t (a, b);",
      fill: ["INSERT INTO t SELECT CASE i % 3 WHEN 1 THEN 'k' || i WHEN 2 THEN i + 0.25 ELSE i END, i FROM n"],
      after: "CREATE TABLE t (a INTEGER PRIMARY KEY, b);", code: .notStorable, object: "t.a",
      offending: "SELECT CAST(rowid AS TEXT) FROM t WHERE typeof(a) <> 'integer'", others: [.renumberedRows]),
  ]

  @Test("P32: what a type cannot store is counted before the first write", arguments: strictCases, RowCase.counts)
  func notStorable(rowCase: RowCase, rows: Int) throws { try rowCase.check(rows: rows) }

  // MARK: - Conversions

  /// Values stored under one type and then another; the judge stores them by hand and puts them back.
  private static func conversion(
    _ from: String, _ to: String, _ values: String, strictFrom: Bool = false, strictTo: Bool = false
  ) -> RowCase {
    let (old, new) = (strictFrom ? " STRICT" : "", strictTo ? " STRICT" : "")
    return RowCase(
      name: "\(from)\(old) to \(to)\(new)", before: "CREATE TABLE t (id INTEGER PRIMARY KEY, v \(from))\(old);",
      fill: ["INSERT INTO t SELECT i, CASE i % 12 \(values) END FROM n"],
      after: "CREATE TABLE t (id INTEGER PRIMARY KEY, v \(to))\(new);", code: .lossyConversion, object: "t.v",
      offending: """
        SELECT CAST(t.id AS TEXT) FROM t JOIN stored USING (id) JOIN back USING (id)
        WHERE (typeof(t.v) <> typeof(back.v) OR hex(t.v) <> hex(back.v)
          OR (typeof(t.v) = 'real' AND printf('%!.20e', t.v) <> printf('%!.20e', back.v)))
        AND NOT (typeof(t.v) = 'integer' AND typeof(stored.v) = 'real' AND t.v = stored.v)
        """, others: strictTo ? [.notStorable] : [],
      judge: """
        CREATE TEMP TABLE stored (id INTEGER PRIMARY KEY, v \(to))\(strictTo && to == "ANY" ? " STRICT" : "");
        INSERT INTO stored SELECT * FROM t;
        CREATE TEMP TABLE back (id INTEGER PRIMARY KEY, v \(from))\(strictFrom && from == "ANY" ? " STRICT" : "");
        INSERT INTO back SELECT * FROM stored;
        """)
  }

  private static let texts = """
    WHEN 1 THEN '01234' WHEN 2 THEN '9223372036854775808' WHEN 3 THEN '9223372036854775807' WHEN 4 THEN 'abc'
    WHEN 5 THEN '1.0' WHEN 6 THEN '' || i WHEN 7 THEN ' 7' WHEN 8 THEN '1' || char(0) || '2' WHEN 9 THEN ''
    WHEN 10 THEN '1e400' WHEN 11 THEN x'3031'
    """
  private static let reals = """
    WHEN 1 THEN 1234567890123456.7 WHEN 2 THEN 0.1 + 0.2 WHEN 3 THEN 9e999 WHEN 4 THEN -9e999 WHEN 5 THEN i / 3.0
    WHEN 6 THEN i / 4.0 WHEN 7 THEN 1e300 WHEN 8 THEN -0.0 WHEN 9 THEN 'text' WHEN 10 THEN x'00' WHEN 11 THEN i
    """
  private static let integers = """
    WHEN 1 THEN 9007199254740993 WHEN 2 THEN 9007199254740992 WHEN 3 THEN i WHEN 4 THEN -9223372036854775807 - 1
    WHEN 5 THEN 9223372036854775807 WHEN 6 THEN 'x' WHEN 7 THEN 1.5 WHEN 8 THEN x'31' WHEN 9 THEN 0
    """

  static let conversions = [
    conversion("TEXT", "INTEGER", texts), conversion("TEXT", "REAL", texts), conversion("TEXT", "NUMERIC", texts),
    conversion("TEXT", "BLOB", texts), conversion("TEXT", "", texts), conversion("REAL", "TEXT", reals),
    conversion("REAL", "INTEGER", reals), conversion("REAL", "BLOB", reals), conversion("INTEGER", "REAL", integers),
    conversion("INTEGER", "TEXT", integers), conversion("BLOB", "TEXT", reals), conversion("BLOB", "INTEGER", texts),
    conversion("ANY", "ANY", texts, strictFrom: true), conversion("ANY", "ANY", texts, strictTo: true),
    conversion("TEXT", "INTEGER", texts, strictTo: true), conversion("REAL", "TEXT", reals, strictTo: true),
    conversion("BLOB", "INTEGER", reals), conversion("", "NUMERIC", reals), conversion("BLOB", "REAL", texts),
    conversion("ANY", "INTEGER", reals, strictFrom: true), conversion("ANY", "NUMERIC", reals, strictFrom: true),
    conversion("", "REAL", integers),
  ]

  /// A single value, so that nothing else in the column lets the rows be looked at closely.
  static let single = [
    conversion("BLOB", "INTEGER", "WHEN 1 THEN 5.0"), conversion("", "NUMERIC", "WHEN 1 THEN -0.0"),
    conversion("ANY", "INTEGER", "WHEN 1 THEN 5.0", strictFrom: true, strictTo: true),
    conversion("BLOB", "INTEGER", "WHEN 1 THEN '5'"), conversion("", "REAL", "WHEN 1 THEN '5.0'"),
    conversion("REAL", "INTEGER", "WHEN 1 THEN 5.0"), conversion("", "INTEGER", "WHEN 1 THEN 5"),
    conversion("", "REAL", "WHEN 1 THEN 5"), conversion("", "REAL", "WHEN 1 THEN -0.0"),
  ]

  @Test(
    "P30: a value that does not come back is counted before the first write", arguments: conversions, RowCase.counts)
  func lossy(rowCase: RowCase, rows: Int) throws { try rowCase.check(rows: rows) }

  @Test("a value that does not come back is counted where it is the only one", arguments: single)
  func lossy(rowCase: RowCase) throws { try rowCase.check(rows: 1) }

  @Test(
    "a real that becomes an integer requires consent, whichever way the table is changed, and undo says that it stays",
    arguments: ["", "CREATE INDEX t_w ON t (w);"], [StrategyChoice.auto, .rebuild])
  func realsThatBecomeIntegers(index: String, strategy: StrategyChoice) throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, w TEXT, v); \(index) INSERT INTO t VALUES (1, 'a', 5.0), (2, 'b', 5)")
    let target = "CREATE TABLE t (id INTEGER PRIMARY KEY, w TEXT, v INTEGER); \(index)"
    var policy = PlanPolicy.lossless
    policy.strategy = strategy
    let error = #expect(throws: PlanError.self) { try file.migrate(to: target, allowing: policy) }
    guard case .refused(_, let hazards) = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(hazards.map { "\($0.code.rawValue) \($0.object) \($0.samples)" } == ["SK103 t.v [\"1\"]"])
    policy.allowances = PlanPolicy.everything.allowances
    try file.migrate(to: target, allowing: policy)
    let undo = try MigrationUndo(at: file.path)
    #expect(undo.losses == ["The values of column t.v that changed in 1 row stay as they are now."])
    try undo.apply()
    #expect(try file.query("SELECT v FROM t ORDER BY id") == [[.int(5)], [.int(5)]])
  }

  @Test("a declared conversion needs no consent to make integers of reals")
  func convertedReals() throws {
    let file = try TemporaryDatabase("CREATE TABLE t (id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, 5.0)")
    try file.migrate(
      to: "CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER -- schemakit: convert CAST(v AS INTEGER)\n)")
    #expect(try file.query("SELECT v FROM t") == [[.int(5)]])
  }

  static let replaced = [
    RowCase(
      name: "columns that take all names of the rowid",
      before: "CREATE TABLE t (rowid TEXT, oid TEXT PRIMARY KEY, _rowid_ INT);",
      fill: ["INSERT INTO t SELECT CASE WHEN i % 2 THEN '0' ELSE '' END || 7, 'k' || i, 1 FROM n"],
      after: "CREATE TABLE t (rowid INT, oid TEXT PRIMARY KEY, _rowid_ INT);", code: .lossyConversion,
      object: "t.rowid", offending: "SELECT oid FROM t WHERE rowid = '07'"),
    RowCase(
      name: "a stored column that becomes a computed one",
      before: "CREATE TABLE t (id INTEGER PRIMARY KEY, v INT, w TEXT);",
      fill: ["INSERT INTO t SELECT i, i, CASE i % 3 WHEN 1 THEN '0' ELSE '' END || i FROM n"],
      after: "CREATE TABLE t (id INTEGER PRIMARY KEY, v INT, w INT AS (v));", code: .lossyConversion, object: "t.w",
      offending: "SELECT CAST(id AS TEXT) FROM t WHERE id % 3 = 1"),
    RowCase(
      name: "a declared conversion that gives NULL",
      before: "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT, gone TEXT);",
      fill: ["INSERT INTO t SELECT i, CASE i % 4 WHEN 0 THEN NULL WHEN 1 THEN 'x' ELSE '' || i END, NULL FROM n"],
      after: """
        CREATE TABLE t (
        id INTEGER PRIMARY KEY,
        v INT -- schemakit: convert CASE WHEN v <> 'x' THEN CAST(v AS INT) END
        );
        """, code: .lossyConversion, object: "t.v", offending: "SELECT CAST(id AS TEXT) FROM t WHERE v = 'x'"),
    RowCase(
      name: "a declared conversion whose NULL takes a default",
      before: "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT);",
      fill: ["INSERT INTO t SELECT i, CASE i % 4 WHEN 0 THEN NULL WHEN 1 THEN 'x' ELSE '' || i END FROM n"],
      after: """
        CREATE TABLE t (
        id INTEGER PRIMARY KEY,
        v INT NOT NULL DEFAULT 0 CHECK (v >= 0) -- schemakit: convert CASE WHEN v <> 'x' THEN CAST(v AS INT) END
        );
        """, code: .lossyConversion, object: "t.v", offending: "SELECT CAST(id AS TEXT) FROM t WHERE v = 'x'"),
  ]

  @Test("a value that an expression replaces is counted before the first write", arguments: replaced, RowCase.counts)
  func replacedValues(rowCase: RowCase, rows: Int) throws { try rowCase.check(rows: rows) }

  @Test("a STRICT type in another spelling can be asked about beside a value that changes")
  func strictSpelling() throws {
    let file = try TemporaryDatabase(
      """
      CREATE TABLE t (n INTEGER, p REAL, g ANY AS (length(n)) STORED) STRICT;
      INSERT INTO t (n, p) VALUES (1, 2.0);
      """)
    try file.migrate(
      to: "CREATE TABLE t (d TEXT DEFAULT CURRENT_TIMESTAMP, n INT, p REAL, g ANY AS (coalesce(p, 0)) STORED) STRICT;")
    #expect(try file.query("SELECT n, p, g FROM t") == [[.int(1), .real(2), .real(2)]])
  }

  @Test(
    "texts that are no numbers are told where their column becomes one of numbers, and stay what they are",
    arguments: [("TEXT", "REAL"), ("VARCHAR(9)", "INTEGER"), ("", "DECIMAL(10, 2)")])
  func strays(from: String, to: String) throws {
    let file = try TemporaryDatabase(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, v \(from));
      INSERT INTO t VALUES (1, '12'), (2, '12,50'), (3, NULL), (4, ''), (5, '-7'), (6, x'00'), (7, '0x10');
      """)
    let target = "CREATE TABLE t (id INTEGER PRIMARY KEY, v \(to));"
    func notes(_ target: String, hints: MigrationHints? = nil) throws -> [Hazard] {
      try file.plan(to: target, hints: hints).hazards.filter { $0.message.contains("not a number") }
    }
    let note = try #require(try notes(target).first)
    #expect(note.hazardClass == .note && note.object == "t.v")
    #expect(note.count == 4 && note.samples == ["2", "4", "6", "7"])
    #expect(try notes(target.replacing(to, with: "TEXT")).isEmpty)
    var hints = MigrationHints()
    hints.tables["t"] = TableHints(columns: ["v": ColumnHints(conversion: "v")])
    #expect(try notes(target, hints: hints).isEmpty, "the author has looked at the values")
    try file.migrate(to: target, allowing: .everything)
    try file.expectSettled(at: target)
    #expect(
      try file.query("SELECT v FROM t WHERE id IN (2, 4, 6, 7)")
        == [[.text("12,50")], [.text("")], [.blob([0])], [.text("0x10")]])
  }
}

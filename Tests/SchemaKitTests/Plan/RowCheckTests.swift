import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Row checks")
struct RowCheckTests {
  /// What is found on the way from one file to a schema: code, object, count and samples.
  private func findings(_ old: String, _ new: String) throws -> [String] {
    try TemporaryDatabase(old).plan(to: new).hazards.filter {
      !$0.isPotential && !([.lossyConversion, .nullsUnderNotNull].contains($0.code) && $0.isNote)
    }.map { hazard in
      "\(hazard.code.rawValue) \(hazard.object) \(hazard.count ?? -1) [\(hazard.samples.joined(separator: ", "))]"
    }
  }

  @Test("SK101: all rows of a dropped table, with the first ten keys")
  func droppedTable() throws {
    let old = "CREATE TABLE t (id INTEGER PRIMARY KEY); CREATE TABLE k (a TEXT PRIMARY KEY);"
    #expect(
      try findings(old + rows(12) { "INSERT INTO t VALUES (\($0 * 10))" }, "CREATE TABLE k (a TEXT PRIMARY KEY);")
        == ["SK101 t 12 [10, 20, 30, 40, 50, 60, 70, 80, 90, 100]"])
  }

  @Test("SK102: values only, under the new name of the table and the keys of the old")
  func droppedColumn() throws {
    #expect(
      try findings(
        """
        CREATE TABLE t (k TEXT PRIMARY KEY, c INT, d INT);
        INSERT INTO t VALUES ('a', 1, 1), ('b', NULL, 2), ('c', 0, 3);
        """,
        """
        CREATE TABLE u ( -- schemakit: renamed from t
          key TEXT PRIMARY KEY, -- schemakit: renamed from k
          d INT);
        """) == ["SK102 u.c 2 [a, c]"])
  }

  /// Values on their way from one type to another.
  static let conversions: [(from: String, to: String, values: [String], lossy: [Int64]?)] = [
    (
      "TEXT", "INTEGER",
      [
        "'1'", "'01234'", "'9223372036854775808'", "'9223372036854775807'", "'abc'", "'1.0'", "'1.5'", "' 7'", "NULL",
        "'0x10'", "''", "'-0'",
      ], [2, 3, 6, 8, 12]
    ),
    ("INTEGER", "TEXT", ["1", "-9223372036854775808", "NULL", "'x'", "x'00'", "1.5"], []),
    ("INTEGER", "REAL", ["1", "9007199254740993", "9007199254740992", "'x'", "NULL"], [2]),
    ("REAL", "INTEGER", ["1.0", "1.5", "1e300", "9007199254740992.0", "'y'"], []),
    ("REAL", "TEXT", ["0.1", "0.1 + 0.2", "1e100", "5", "1.0 / 3", "123456789012345680.0", "NULL"], nil),
    ("TEXT", "REAL", ["'1'", "'1.0'", "'0.10'", "'1e3'", "'abc'", "'9007199254740993'"], nil),
    ("BLOB", "TEXT", ["x'41'", "'A'", "1", "1.5", "NULL"], nil),
    ("TEXT", "BLOB", ["'A'", "x'41'", "'01'"], []),
    ("", "INTEGER", ["5.0", "-0.0", "5", "'5'", "5.5", "'x'", "x'35'"], [1, 2, 4]),
    ("", "REAL", ["5.0", "5", "'5.0'", "-0.0"], [3]),
    ("TEXT", "NUMERIC", ["'1.50'", "'1.5'", "'12345678901234567890'", "'1e2'"], nil),
  ]

  @Test("SK103: a value is lossy when it does not come back, as SQLite itself shows", arguments: conversions)
  func lossyValues(from: String, to: String, values: [String], lossy: [Int64]?) throws {
    let insert = values.enumerated().map { "INSERT INTO t VALUES (\($0 + 1), \($1));" }.joined()
    let judge = try RawSQLite()
    try judge.exec(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, v \(from)); \(insert)
      CREATE TABLE stored (id INTEGER PRIMARY KEY, v \(to)); INSERT INTO stored SELECT * FROM t;
      CREATE TABLE back (id INTEGER PRIMARY KEY, v \(from)); INSERT INTO back SELECT * FROM stored;
      """)
    let isWidened = "typeof(t.v) = 'integer' AND typeof(stored.v) = 'real'"
    let expected = integers(
      try judge.rows(
        """
        SELECT id FROM t JOIN stored USING (id) JOIN back USING (id)
        WHERE quote(t.v) <> quote(back.v) AND NOT (\(isWidened) AND t.v = stored.v) ORDER BY id
        """))
    if let lossy { #expect(expected == lossy, "the judge") }
    let found = try findings(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, v \(from));" + insert,
      "CREATE TABLE t (id INTEGER PRIMARY KEY, v \(to));")
    let samples = expected.map { "\($0)" }.joined(separator: ", ")
    #expect(found == (expected.isEmpty ? [] : ["SK103 t.v \(expected.count) [\(samples)]"]))
  }

  @Test("SK103 follows a renamed column, and a conversion takes its place")
  func renamedConversion() throws {
    let old = "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT); INSERT INTO t VALUES (1, '007'), (2, '8')"
    #expect(
      try findings(old, "CREATE TABLE t (\nid INTEGER PRIMARY KEY,\nw INT -- schemakit: renamed from v\n);")
        == ["SK103 t.w 1 [1]"])
    #expect(
      try findings(
        old, "CREATE TABLE t (\nid INTEGER PRIMARY KEY,\nv INT -- schemakit: convert CAST(v AS INTEGER)\n);") == [])
  }

  @Test(
    "SK104: NULLs that nothing fills",
    arguments: [
      ("v INT NOT NULL", "SK104 t.v 2 [1, 3]"), ("v INT NOT NULL DEFAULT 0", nil),
      ("v INT NOT NULL DEFAULT NULL", "SK104 t.v 2 [1, 3]"),
      ("v INT NOT NULL -- schemakit: fill nullif(id, 3)", "SK104 t.v 1 [3]"),
      ("v INT NOT NULL DEFAULT 4 -- schemakit: fill nullif(id, 3)", "SK104 t.v 1 [3]"),
    ])
  func nulls(column: String, expected: String?) throws {
    #expect(
      try findings(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, v INT); INSERT INTO t VALUES (1, NULL), (2, 5), (3, NULL)",
        "CREATE TABLE t (\nid INTEGER PRIMARY KEY,\n\(column)\n);") == [expected].compactMap { $0 })
  }

  @Test(
    "SK105: every row that shares its key, in the key's own collation",
    arguments: [
      ("v TEXT UNIQUE", "", nil), ("v TEXT COLLATE NOCASE UNIQUE", "", "SK105 t 2 [1 = 2]"),
      ("v TEXT COLLATE RTRIM UNIQUE", "", "SK105 t 2 [1 = 3]"),
      ("v TEXT", "CREATE UNIQUE INDEX i ON t (v COLLATE NOCASE);", "SK105 t 2 [1 = 2]"),
      ("v TEXT", "CREATE UNIQUE INDEX i ON t (lower(trim(v)));", "SK105 t 3 [1 = 2 = 3]"),
      ("v TEXT", "CREATE UNIQUE INDEX i ON t (lower(trim(v))) WHERE id > 1;", "SK105 t 2 [2 = 3]"),
      ("v TEXT", "CREATE UNIQUE INDEX i ON t (length(v));", "SK105 t 2 [1 = 2]"),
      ("v TEXT", "CREATE UNIQUE INDEX i ON t (v) WHERE v IS NULL;", nil),
    ])
  func duplicates(column: String, index: String, expected: String?) throws {
    let rows = "INSERT INTO t VALUES (1, 'a'), (2, 'A'), (3, 'a '), (4, NULL), (5, NULL)"
    #expect(
      try findings(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT);" + rows,
        "CREATE TABLE t (id INTEGER PRIMARY KEY, \(column));" + index) == [expected].compactMap { $0 })
  }

  @Test("SK105: values that become equal on their way count")
  func duplicatesByConversion() throws {
    #expect(
      try findings(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT UNIQUE); INSERT INTO t VALUES (1, '5'), (2, '05'), (3, '6')",
        "CREATE TABLE t (id INTEGER PRIMARY KEY, v INT UNIQUE);") == ["SK103 t.v 1 [2]", "SK105 t 2 [1 = 2]"])
  }

  @Test(
    "SK106: composite keys, NULLs, the parent's affinity and collation",
    arguments: [
      ("FOREIGN KEY (a, b) REFERENCES p (x, y)", "SK106 t.a 2 [3, 6]"),
      ("FOREIGN KEY (a) REFERENCES q (n)", "SK106 t.a 2 [3, 6]"),
      ("FOREIGN KEY (b) REFERENCES r (s)", "SK106 t.b 1 [6]"),
      ("FOREIGN KEY (id) REFERENCES t (id)", nil),
    ])
  func orphans(key: String, expected: String?) throws {
    let parents = """
      CREATE TABLE p (x INT, y TEXT, UNIQUE (x, y));
      CREATE TABLE q (n INTEGER PRIMARY KEY);
      CREATE TABLE r (s TEXT PRIMARY KEY COLLATE NOCASE);
      """
    let data = """
      INSERT INTO p VALUES (1, 'k'); INSERT INTO q VALUES (1); INSERT INTO r VALUES ('K'), ('m');
      INSERT INTO t VALUES (1, '1', 'k'), (2, NULL, 'k'), (3, '2', 'k');
      INSERT INTO t VALUES (4, '1', NULL), (5, '1.0', 'k'), (6, 'z', 'no');
      """
    let columns = "id INTEGER PRIMARY KEY, a TEXT, b TEXT"
    #expect(
      try findings(
        parents + "CREATE TABLE t (\(columns));" + data, parents + "CREATE TABLE t (\(columns), \(key));")
        == [expected].compactMap { $0 })
  }

  @Test("SK106: a table that refers to itself, renamed with its columns")
  func selfReference() throws {
    #expect(
      try findings(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, up INT); INSERT INTO t VALUES (1, NULL), (2, 1), (3, 9), (4, 4)",
        """
        CREATE TABLE u ( -- schemakit: renamed from t
          key INTEGER PRIMARY KEY, -- schemakit: renamed from id
          parent INT REFERENCES u (key) -- schemakit: renamed from up
        );
        """) == ["SK106 u.parent 1 [3]"])
  }

  @Test("SK106: a parent whose key changes its values makes orphans of children that do not change")
  func parentConversion() throws {
    let child = "CREATE TABLE c (id INTEGER PRIMARY KEY, p TEXT REFERENCES p (k));"
    let found = try findings(
      "CREATE TABLE p (k TEXT PRIMARY KEY);" + child
        + "INSERT INTO p VALUES ('x'), ('Y'); INSERT INTO c VALUES (1, 'x'), (2, 'Y'), (3, 'gone')",
      "CREATE TABLE p (\nk BLOB PRIMARY KEY -- schemakit: convert CAST(lower(k) AS TEXT)\n);" + child)
    #expect(found.first == "SK106 c.p 1 [2]" || found.contains { $0.hasPrefix("SK106 c.p 1 ") }, "\(found)")
  }

  @Test("SK107: NULL passes, the table's own prefix and renamed columns are understood")
  func failingChecks() throws {
    let old = "CREATE TABLE t (id INTEGER PRIMARY KEY, v INT); INSERT INTO t VALUES (1, 5), (2, NULL), (3, -1), (4, 0)"
    for name in ["t.v", "main.t.v"] {
      let new = "CREATE TABLE t (id INTEGER PRIMARY KEY, v INT, CHECK (\(name) > 0));"
      #expect(try findings(old, new) == ["SK107 t 2 [3, 4]"])
    }
    #expect(
      try findings(
        old, "CREATE TABLE t (\nid INTEGER PRIMARY KEY,\nw INT CHECK (w > id) -- schemakit: renamed from v\n);")
        == ["SK107 t 2 [3, 4]"])
  }

  @Test("SK107: a CHECK that fails on a row by itself cannot be proved, and says why")
  func unprovable() throws {
    let hazards = try TemporaryDatabase(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, v INT); INSERT INTO t VALUES (1, -9223372036854775808)"
    ).plan(to: "CREATE TABLE t (id INTEGER PRIMARY KEY, v INT CHECK (abs(v) > 0));").hazards
    #expect(hazards.map(\.code) == [.failingCheck])
    #expect(hazards.first?.message.contains("integer overflow") == true)
  }

  @Test(
    "SK108: what a STRICT column cannot hold",
    arguments: [
      ("INTEGER", "SK108 t.v 3 [3, 4, 5]"), ("TEXT", "SK108 t.v 1 [5]"), ("REAL", "SK108 t.v 2 [4, 5]"),
      ("ANY", nil), ("BLOB", "SK108 t.v 4 [1, 2, 3, 4]"),
    ])
  func strict(type: String, expected: String?) throws {
    let values = "INSERT INTO t VALUES (1, 1), (2, 2.0), (3, 1.5), (4, 'x'), (5, x'00'), (6, NULL)"
    let found = try findings(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, v);" + values,
      "CREATE TABLE t (id INTEGER PRIMARY KEY, v \(type)) STRICT;")
    #expect(found.filter { $0.hasPrefix("SK108") } == [expected].compactMap { $0 })
  }

  @Test("a plan that needs no row check asks nothing of the rows")
  func noQuestions() throws {
    let source = try SchemaText.schema("CREATE TABLE t (id INTEGER PRIMARY KEY); CREATE TABLE u (a);")
    let target = try SchemaText.schema(
      "CREATE TABLE t (id INTEGER PRIMARY KEY); CREATE TABLE u (a); CREATE TABLE v (b); CREATE INDEX i ON u (a);")
    let questions = RowCheckPlanner.questions(
      source: source, target: target, diff: SchemaDiff(from: source, to: target), renames: SchemaRenames(),
      hints: MigrationHints(), profile: SchemaText.newest)
    #expect(questions.preparations.isEmpty)
    #expect(questions.tables.flatMap(\.questions).isEmpty)
  }
}

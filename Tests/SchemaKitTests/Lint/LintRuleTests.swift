import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitReports

@Suite("Lint rules")
struct LintRuleTests {
  /// SQL with the objects that a rule names in it.
  struct Case: Sendable, CustomTestStringConvertible {
    var code: String
    var objects: [String]
    var sql: String
    var testDescription: String { "\(code) \(objects): \(sql.prefix(60))" }

    init(_ code: String, _ objects: [String] = [], _ sql: String) {
      self.code = code
      self.objects = objects
      self.sql = sql
    }
  }

  private static let parent = "CREATE TABLE p (id INTEGER PRIMARY KEY, a TEXT, b TEXT COLLATE NOCASE, UNIQUE (a));\n"

  static let keys = [
    Case("SL101", ["c.p"], parent + "CREATE TABLE c (p INTEGER REFERENCES p (id));"),
    Case("SL101", [], parent + "CREATE TABLE c (p INTEGER REFERENCES p (id)); CREATE INDEX i ON c (p);"),
    Case("SL101", [], parent + "CREATE TABLE c (x, p INTEGER REFERENCES p); CREATE INDEX i ON c (p DESC, x);"),
    Case("SL101", ["c.p"], parent + "CREATE TABLE c (x, p INTEGER REFERENCES p); CREATE INDEX i ON c (x, p);"),
    Case("SL101", [], parent + "CREATE TABLE c (p INTEGER PRIMARY KEY REFERENCES p);"),
    Case("SL101", [], parent + "CREATE TABLE c (p INTEGER REFERENCES p, x, PRIMARY KEY (p, x)) WITHOUT ROWID;"),
    Case("SL101", [], parent + "CREATE TABLE c (p INTEGER UNIQUE REFERENCES p);"),
    Case("SL101", [], parent + "CREATE TABLE c (p INTEGER REFERENCES p); CREATE INDEX i ON c (p) WHERE p IS NOT NULL;"),
    Case("SL101", ["c.p"], parent + "CREATE TABLE c (p INTEGER REFERENCES p); CREATE INDEX i ON c (p) WHERE p > 7;"),
    Case(
      "SL101", ["c.p"], parent + "CREATE TABLE c (p TEXT COLLATE NOCASE REFERENCES p (a)); CREATE INDEX i ON c (p);"),
    Case(
      "SL101", ["c.x"],
      "CREATE TABLE q (a, b, PRIMARY KEY (a, b)); CREATE TABLE c (x, y, FOREIGN KEY (x, y) REFERENCES q); CREATE INDEX i ON c (x);"
    ),
    Case(
      "SL101", [],
      "CREATE TABLE q (a, b, PRIMARY KEY (a, b)); CREATE TABLE c (x, y, FOREIGN KEY (x, y) REFERENCES q); CREATE INDEX i ON c (y, x);"
    ),
    Case("SL102", ["c.p"], "CREATE TABLE c (p INTEGER REFERENCES nowhere (id));"),
    Case("SL102", ["c.p"], parent + "CREATE TABLE c (p INTEGER REFERENCES p (uid));"),
    Case("SL102", ["c.p"], "CREATE TABLE q (a); CREATE TABLE c (p INTEGER REFERENCES q);"),
    Case(
      "SL102", ["c.p"], "CREATE TABLE q (a); CREATE VIEW v AS SELECT a FROM q; CREATE TABLE c (p REFERENCES v (a));"),
    Case("SL102", ["c.p"], "CREATE TABLE q (a, b, PRIMARY KEY (a, b)); CREATE TABLE c (p REFERENCES q);"),
    Case("SL102", [], parent + "CREATE TABLE c (p INTEGER REFERENCES p, a TEXT REFERENCES P (A));"),
    Case("SL103", ["c.p"], parent + "CREATE TABLE c (p TEXT REFERENCES p (b));"),
    Case("SL103", [], parent + "CREATE TABLE c (p TEXT REFERENCES p (a), q INTEGER REFERENCES p (id));"),
    Case("SL103", [], parent + "CREATE TABLE c (p TEXT REFERENCES p (b)); CREATE UNIQUE INDEX u ON p (b);"),
    Case(
      "SL103", ["c.p"],
      parent + "CREATE TABLE c (p TEXT REFERENCES p (b)); CREATE UNIQUE INDEX u ON p (b COLLATE BINARY);"),
    Case(
      "SL103", ["c.p"],
      parent + "CREATE TABLE c (p TEXT REFERENCES p (b)); CREATE UNIQUE INDEX u ON p (b) WHERE b > '';"),
    Case("SL104", ["c.p"], parent + "CREATE TABLE c (p INTEGER REFERENCES p (a));"),
    Case("SL104", ["c.p"], parent + "CREATE TABLE c (p TEXT REFERENCES p (id));"),
    Case(
      "SL104", [],
      parent
        + "CREATE TABLE c (p BIGINT REFERENCES p (id), q NUMERIC REFERENCES p, r REFERENCES p, s VARCHAR(9) REFERENCES p (a));"
    ),
    Case("SL105", ["c.p"], parent + "CREATE TABLE c (p INTEGER NOT NULL REFERENCES p ON DELETE SET NULL);"),
    Case("SL105", ["c.p"], parent + "CREATE TABLE c (p INTEGER NOT NULL REFERENCES p ON UPDATE SET DEFAULT);"),
    Case("SL105", ["c.p"], parent + "CREATE TABLE c (p INTEGER PRIMARY KEY REFERENCES p ON DELETE SET NULL);"),
    Case(
      "SL105", [],
      parent
        + "CREATE TABLE c (p INTEGER NOT NULL DEFAULT 1 REFERENCES p ON DELETE SET DEFAULT, q INTEGER REFERENCES p ON DELETE SET NULL, r NOT NULL REFERENCES p ON DELETE CASCADE);"
    ),
    Case("SL106", ["t.id"], "CREATE TABLE t (id INT PRIMARY KEY);"),
    Case("SL106", ["t.id"], "CREATE TABLE t (id BIGINT NOT NULL, PRIMARY KEY (id));"),
    Case("SL106", ["t.id"], "CREATE TABLE t (id INTEGER PRIMARY KEY DESC);"),
    Case(
      "SL106", [],
      "CREATE TABLE t (id INTEGER, PRIMARY KEY (id DESC)); CREATE TABLE u (id INT PRIMARY KEY) WITHOUT ROWID; CREATE TABLE v (a INT, b INT, PRIMARY KEY (a, b));"
    ),
    Case("SL107", ["t.a"], "CREATE TABLE t (a TEXT PRIMARY KEY);"),
    Case("SL107", ["t.b"], "CREATE TABLE t (a NOT NULL, b, PRIMARY KEY (a, b));"),
    Case(
      "SL107", [],
      "CREATE TABLE t (a TEXT NOT NULL PRIMARY KEY); CREATE TABLE u (a TEXT PRIMARY KEY) WITHOUT ROWID; CREATE TABLE v (id INTEGER PRIMARY KEY);"
    ),
    Case("SL107", [], "CREATE TABLE s (a TEXT PRIMARY KEY) STRICT;"),
  ]

  static let others = [
    Case("SL201", ["j"], "CREATE TABLE t (a, b); CREATE INDEX i ON t (a, b); CREATE INDEX j ON t (a, b);"),
    Case("SL201", ["i"], "CREATE TABLE t (a, b); CREATE INDEX i ON t (a); CREATE UNIQUE INDEX j ON t (a);"),
    Case("SL201", ["i"], "CREATE TABLE t (a UNIQUE, b); CREATE INDEX i ON t (a);"),
    Case("SL201", ["i"], "CREATE TABLE t (a INTEGER PRIMARY KEY, b); CREATE UNIQUE INDEX i ON t (a);"),
    Case(
      "SL201", ["j"],
      "CREATE TABLE t (a); CREATE INDEX i ON t (lower(a)) WHERE a > 1; CREATE INDEX j ON t (LOWER( a )) WHERE a>1;"),
    Case(
      "SL201", [],
      "CREATE TABLE t (a, b); CREATE INDEX i ON t (a); CREATE INDEX j ON t (a COLLATE NOCASE); CREATE INDEX k ON t (a DESC); CREATE INDEX l ON t (a) WHERE b > 1; CREATE INDEX m ON t (b);"
    ),
    Case("SL202", ["i"], "CREATE TABLE t (a, b); CREATE INDEX i ON t (a); CREATE INDEX j ON t (a, b);"),
    Case("SL202", ["i"], "CREATE TABLE t (a, b, UNIQUE (a, b)); CREATE INDEX i ON t (a);"),
    Case(
      "SL202", [],
      "CREATE TABLE t (a, b); CREATE UNIQUE INDEX i ON t (a); CREATE INDEX j ON t (a, b); CREATE INDEX k ON t (b); CREATE INDEX l ON t (b DESC, a);"
    ),
    Case("SL301", ["t.a", "t.b"], "CREATE TABLE t (a STRING, b uuid NOT NULL, c TEXT, d VARCHAR, e NUMERIC, f DATE);"),
    Case(
      "SL302", ["t.a", "t.b", "t.c"],
      "CREATE TABLE t (a PRINT, b FLOATING POINT, c INTERVAL, d INT8, p POINT, q INTEGER_OR_TEXT, e UNSIGNED BIG INT, f UNSIGNED BIGINT(20), g mediumint, h UINT32);"
    ),
    Case(
      "SL303", ["t.a", "t.b", "t.c"],
      "CREATE TABLE t (a DATETIME, b bool, c timestamp with time zone, d TEXT, e INTEGER);"),
    Case("SL304", ["t.a"], "CREATE TABLE t (a TEXT NOT NULL DEFAULT NULL, b TEXT DEFAULT NULL, c NOT NULL DEFAULT 1);"),
    Case(
      "SL304", ["t.a", "t.b", "t.c", "t.d"],
      "CREATE TABLE t (a INTEGER DEFAULT 'x', b INT DEFAULT 1.5, c BLOB DEFAULT 1, d TEXT DEFAULT x'00', e INTEGER DEFAULT '7', f REAL DEFAULT 1, g ANY DEFAULT x'', h TEXT DEFAULT 5, i INTEGER DEFAULT 2.0, j INT DEFAULT (random())) STRICT;"
    ),
    Case("SL304", [], "CREATE TABLE t (a INTEGER DEFAULT 'x', id INTEGER PRIMARY KEY DEFAULT NULL);"),
    Case(
      "SL305", ["t.a", "t.b", "t.c", "t.d"],
      "CREATE TABLE t (a INTEGER NOT_NULL, b INTEGER AUTO_INCREMENT, c TEXT PRIMARYKEY, d INT Identity(1, 1), f INTEGER PRIMARY KEY AUTOINCREMENT, g TEXT NOT NULL, h TEXT KEY_TEXT);"
    ),
    Case(
      "SL305", ["t.a", "t.b", "t.c", "t.d", "t.e"],
      "CREATE TABLE t (a INTEGER REFERENCE u, b TEXT UNIQUE_, c INT DEFAULT0, d TEXT COLLATENOCASE, e INT AUTO INCREMENT, f TEXT UNIQUE DEFAULT 'x');"
    ),
    Case("SL401", ["t.a"], "CREATE TABLE t (a TEXT CHECK (a <> \"none\"), b CHECK (\"b\" > 1 AND t.\"b\" < 9));"),
    Case("SL401", ["t.a"], "CREATE TABLE t (a TEXT DEFAULT \"none\", b DEFAULT 'none');"),
    Case("SL401", ["t"], "CREATE TABLE t (a, CHECK (a <> \"none\"));"),
    Case(
      "SL401", ["i"],
      "CREATE TABLE t (a); CREATE INDEX i ON t (a) WHERE a = \"open\"; CREATE INDEX j ON t (\"a\") WHERE \"a\" > 1;"),
    Case(
      "SL401", ["v"],
      "CREATE TABLE t (a); CREATE VIEW v AS SELECT a FROM t WHERE a = \"open\"; CREATE VIEW w AS SELECT \"a\" FROM t;"),
    Case(
      "SL401", ["g"],
      "CREATE TABLE t (a); CREATE TRIGGER g AFTER INSERT ON t BEGIN UPDATE t SET a = \"seen\"; END; CREATE TRIGGER h AFTER DELETE ON t BEGIN DELETE FROM t WHERE \"a\" = old.a; END;"
    ),
    Case(
      "SL402", ["\"order\"", "\"order\".\"group\"", "\"order\".\"current_date\""],
      "CREATE TABLE \"order\" (\"group\", \"current_date\", key, date);"),
    Case("SL402", ["\"select\""], "CREATE VIEW \"select\" AS SELECT 1 AS a;"),
    Case(
      "SL403", ["t"],
      "CREATE TABLE t (a CHECK (a > 1), b CHECK (b > 1), CONSTRAINT c CHECK (a > b)); CREATE TABLE u (a CONSTRAINT d CHECK (a > 1), UNIQUE (a));"
    ),
    Case(
      "SL501", ["v", "w"],
      "CREATE TABLE t (a); CREATE VIEW v AS SELECT b FROM t; CREATE VIEW w AS SELECT * FROM gone; CREATE VIEW x AS SELECT secret(a) FROM t;"
    ),
    Case(
      "SL502", ["g"],
      "CREATE TABLE t (a); CREATE TRIGGER f AFTER INSERT ON t BEGIN DELETE FROM t WHERE a = new.a; END; CREATE TRIGGER g AFTER INSERT ON t BEGIN INSERT INTO gone VALUES (1); END; CREATE TABLE u (a); CREATE TRIGGER h AFTER INSERT ON u BEGIN INSERT INTO t VALUES (1); END;"
    ),
    Case(
      "SL502", ["g"],
      "CREATE TABLE t (a); CREATE TRIGGER g AFTER INSERT ON t BEGIN INSERT INTO gone VALUES (1); END; CREATE TRIGGER h AFTER INSERT ON t BEGIN DELETE FROM t WHERE a = new.a; END;"
    ),
    Case(
      "SL502", ["g"],
      "CREATE TABLE t (a); CREATE VIEW v AS SELECT a FROM t; CREATE TRIGGER g INSTEAD OF UPDATE ON v BEGIN UPDATE t SET b = new.a; END; CREATE TRIGGER h INSTEAD OF INSERT ON v BEGIN INSERT INTO t VALUES (new.a); END;"
    ),
    Case(
      "SL503", ["t", "u"],
      "CREATE TABLE t (a, CHECK (a > julianday('now'))); CREATE TABLE u (a); CREATE INDEX i ON u (date('now') || a); CREATE TABLE v (a, b AS (date(a)), c DEFAULT CURRENT_DATE, CHECK (a > julianday('2000-01-01')));"
    ),
    Case("SL502", ["g"], "CREATE TABLE t (a); CREATE TRIGGER g AFTER UPDATE OF a, b ON t BEGIN DELETE FROM t; END;"),
  ]

  private static let rules = "-- schemakit: rules synchronised\n"

  static let replicated = [
    Case(
      "SL601", ["a.id", "b", "d.n"],
      rules
        + "CREATE TABLE a (id INTEGER PRIMARY KEY); CREATE TABLE b (x); CREATE TABLE c (id TEXT PRIMARY KEY); CREATE TABLE d (n INT PRIMARY KEY); CREATE TABLE e (x TEXT, y INT, PRIMARY KEY (x, y));"
    ),
    Case("SL601", [], "CREATE TABLE a (id INTEGER PRIMARY KEY); CREATE TABLE b (x);"),
    Case(
      "SL602", ["a.x", "a", "i"],
      rules
        + "CREATE TABLE a (id TEXT PRIMARY KEY, x UNIQUE, y, z, UNIQUE (y, z)); CREATE UNIQUE INDEX i ON a (z) WHERE z > 1; CREATE INDEX j ON a (y);"
    ),
    Case(
      "SL603", ["a.x", "a.v"],
      rules
        + "CREATE TABLE a (id TEXT PRIMARY KEY NOT NULL, x TEXT NOT NULL, y NOT NULL DEFAULT '', z, g AS (x) NOT NULL, v NOT NULL DEFAULT NULL);"
    ),
    Case(
      "SL604", ["b.p", "b.q"],
      rules
        + "CREATE TABLE a (id TEXT PRIMARY KEY); CREATE TABLE b (p REFERENCES a, q REFERENCES a ON DELETE RESTRICT, r REFERENCES a ON DELETE CASCADE, s REFERENCES a ON DELETE SET NULL);"
    ),
    Case("SL604", [], "CREATE TABLE a (id TEXT PRIMARY KEY); CREATE TABLE b (p REFERENCES a);"),
  ]

  @Test("rules of replicated files name what they are about, where the schema has them", arguments: replicated)
  func findsInReplicated(_ example: Case) throws {
    #expect(try LintScene(example.sql).objects(example.code) == example.objects)
    guard !example.objects.isEmpty else { return }
    let bare = try LintScene(example.sql.replacing(Self.rules, with: "")) { try $0.add(rule: example.code) }
    #expect(bare.objects(example.code) == example.objects)
  }

  @Test("rules of keys name what they are about, and nothing else", arguments: keys)
  func findsInKeys(_ example: Case) throws {
    #expect(try LintScene(example.sql).objects(example.code) == example.objects)
  }

  @Test("other rules name what they are about, and nothing else", arguments: others)
  func findsElsewhere(_ example: Case) throws {
    #expect(try LintScene(example.sql).objects(example.code) == example.objects)
  }

  @Test("every rule has an example that it finds, and one that it passes over")
  func everyRuleIsTried() {
    let cases = Self.keys + Self.others + Self.replicated
    for rule in LintRules.all {
      #expect(cases.contains { $0.code == rule.code.rawValue && !$0.objects.isEmpty }, "\(rule.code.rawValue)")
    }
    for rule in LintRules.all { #expect(rule.code.rule.title == rule.title) }
    #expect(LintCode.allCases.map(\.rawValue) == LintCode.allCases.map(\.rawValue).sorted())
  }

  @Test("codes are permanent: one that is there stays, with its meaning")
  func codes() {
    #expect(
      Set(LintCode.allCases.map(\.rawValue)) == [
        "SL101", "SL102", "SL103", "SL104", "SL105", "SL106", "SL107", "SL201", "SL202", "SL301", "SL302", "SL303",
        "SL304", "SL305", "SL401", "SL402", "SL403", "SL501", "SL502", "SL503",
        "SL601", "SL602", "SL603", "SL604",
      ])
    #expect(
      DoctorCode.allCases.map(\.rawValue) == [
        "SD101", "SD102", "SD103", "SD104", "SD105", "SD106", "SD107", "SD201", "SD202", "SD203", "SD204", "SD205",
        "SD206",
        "SD207",
        "SD301", "SD302", "SD303", "SD304",
      ])
  }

  @Test("a schema without a fault has no finding")
  func nothingFound() throws {
    let sql = """
      CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT UNIQUE);
      CREATE TABLE orders (
        id INTEGER PRIMARY KEY, customer INTEGER NOT NULL REFERENCES customers (id) ON DELETE CASCADE,
        placed TEXT NOT NULL, CONSTRAINT placed_day CHECK (length(placed) = 10));
      CREATE INDEX orders_by_customer ON orders (customer, placed);
      CREATE VIEW recent AS SELECT * FROM orders WHERE placed > '2025';
      CREATE TRIGGER seen AFTER INSERT ON orders BEGIN UPDATE customers SET name = name WHERE id = new.customer; END;
      """
    #expect(try LintScene(sql).findings == [])
  }

  @Test(
    "the SQL of every fix runs, and the finding is gone after it",
    arguments: (keys + others).filter { !$0.objects.isEmpty })
  func mends(_ example: Case) throws {
    let fixes = try LintScene(example.sql).fixes(example.code)
    guard !fixes.isEmpty else { return }
    let database = try RawSQLite()
    try database.exec(example.sql)
    for fix in fixes { try database.exec(fix) }
    let sql = try database.rows("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid").compactMap {
      $0[0].string
    }
    #expect(try LintScene(sql.joined(separator: ";\n")).objects(example.code) == [])
  }
}

import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Rows that break what their table declares")
struct CarriedRowsTests {
  /// A file, a change of something else, and the columns whose values are to stay.
  struct Case: CustomTestStringConvertible {
    var name: String
    var rows: String
    var edits: KeyValuePairs<String, String>
    var after: String
    var columns: [String]
    var noted: [String]
    var key = "rowid"
    var testDescription: String { name }
  }

  static let cases: [Case] = [
    Case(
      name: "texts that look like numbers in columns of numbers",
      rows: """
        CREATE TABLE t (id INTEGER PRIMARY KEY, i TEXT, n TEXT, r TEXT, note TEXT); CREATE INDEX ti ON t (i, n, r);
        INSERT INTO t VALUES (1, '007', '1e2', '1.50', 'x'), (2, '9223372036854775808', ' 5', '1e400', 'y'), (3, 'N/A', '', '007', 'z');
        """,
      edits: ["i TEXT": "i INTEGER", "n TEXT": "n NUMERIC", "r TEXT": "r REAL"],
      after: """
        CREATE TABLE t (id INTEGER PRIMARY KEY, i INTEGER, n NUMERIC, r REAL, note BLOB); CREATE INDEX ti ON t (i, n, r);
        """,
      columns: ["i", "n", "r"], noted: ["t.i", "t.n", "t.r"]),
    Case(
      name: "numbers in a column of texts",
      rows: """
        CREATE TABLE t (id INTEGER PRIMARY KEY, code, note TEXT); CREATE INDEX tc ON t (code);
        INSERT INTO t VALUES (1, 42, 'x'), (2, 7.5, 'y'), (3, 'abc', 'z'), (4, x'00', NULL);
        """,
      edits: ["code,": "code TEXT,"],
      after: "CREATE TABLE t (id INTEGER PRIMARY KEY, code TEXT, note BLOB); CREATE INDEX tc ON t (code);",
      columns: ["code"], noted: ["t.code"]),
    Case(
      name: "whole reals in columns of integers",
      rows: """
        CREATE TABLE t (id INTEGER PRIMARY KEY, i, n, note TEXT);
        INSERT INTO t VALUES (1, 5.0, -0.0, 'x'), (2, 1e15, 0.5, 'y'), (3, 5, 6, 'z');
        """,
      edits: ["i, n": "i INT, n NUMERIC"],
      after: "CREATE TABLE t (id INTEGER PRIMARY KEY, i INT, n NUMERIC, note TEXT UNIQUE);",
      columns: ["i", "n"], noted: ["t.i", "t.n"]),
    Case(
      name: "NULL under NOT NULL and rows that fail a CHECK",
      rows: """
        CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT, c INT, note TEXT);
        INSERT INTO t VALUES (1, NULL, -1, 'x'), (2, 'a', 1, 'y');
        """,
      edits: ["n TEXT": "n TEXT NOT NULL", "c INT": "c INT CHECK (c > 0)"],
      after: "CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT NOT NULL, c INT CHECK (c > 0), note BLOB UNIQUE);",
      columns: ["n", "c"], noted: ["t.n", "t"]),
    Case(
      name: "values of other classes in a STRICT table",
      rows: """
        CREATE TABLE t (id INTEGER PRIMARY KEY, i TEXT, r TEXT, s INT, b TEXT, note TEXT) STRICT;
        INSERT INTO t VALUES (1, '007', '1.5', 7, 'x', 'a'), (2, 'zz', '2', 8, 'y', 'b');
        """,
      edits: ["i TEXT": "i INT", "r TEXT": "r REAL", "s INT": "s TEXT", "b TEXT": "b BLOB"],
      after: """
        CREATE TABLE t (id INTEGER PRIMARY KEY, i INT, r REAL, s TEXT, b BLOB, note TEXT UNIQUE) STRICT;
        """,
      columns: ["i", "r", "s", "b"], noted: ["t.i", "t.r", "t.s", "t.b"]),
    Case(
      name: "keys of another class in a table WITHOUT ROWID",
      rows: """
        CREATE TABLE t (a TEXT, b TEXT COLLATE NOCASE, note TEXT, PRIMARY KEY (b DESC, a)) WITHOUT ROWID;
        INSERT INTO t VALUES ('007', 'x', '1'), ('7', 'x', '2'), ('1e1', 'Y', NULL);
        """,
      edits: ["a TEXT": "a INTEGER"],
      after: """
        CREATE TABLE t (a INTEGER, b TEXT COLLATE NOCASE, note TEXT NOT NULL DEFAULT '', PRIMARY KEY (b DESC, a)) WITHOUT ROWID;
        """,
      columns: ["a", "b"], noted: ["t.a"], key: "quote(a)"),
    Case(
      name: "stored values that are not what their expression gives",
      rows: """
        CREATE TABLE t (id INTEGER PRIMARY KEY, p REAL, g TEXT AS ('q' || p) STORED, h TEXT AS (g || '!') STORED, note TEXT);
        CREATE INDEX tg ON t (g); CREATE INDEX th ON t (h);
        INSERT INTO t (id, p, note) VALUES (1, 0.5, 'x'), (2, 3, 'y');
        """,
      edits: ["'q'": "'p'"],
      after: """
        CREATE TABLE t (id INTEGER PRIMARY KEY, p REAL, g TEXT AS ('p' || p) STORED, h TEXT AS (g || '!') STORED, note BLOB);
        CREATE INDEX tg ON t (g); CREATE INDEX th ON t (h);
        """,
      columns: ["p", "g", "h"], noted: []),
  ]

  @Test(
    "are copied as they are, said once, and their indexes find what they found", arguments: cases,
    [StrategyChoice.auto, .rebuild, .online])
  func carried(_ test: Case, strategy: StrategyChoice) throws {
    // A table WITHOUT ROWID is not copied online.
    if strategy == .online, test.key != "rowid" { return }
    let file = try EditedFile(test.rows, test.edits, journal: strategy.journal)
    let (before, problems) = (try file.values(of: test.columns, key: test.key), try file.problems())
    let plan = try file.database.plan(to: test.after, strategy: strategy)
    #expect(plan.hazards.allSatisfy { $0.hazardClass == .note }, "\(plan.hazards.map(\.message))")
    let noted = plan.hazards.filter { $0.code == .standingFault }
    // An edit of the catalog that makes no index reads no row.
    let isRead = plan.steps.contains { $0.strategy.copiesRows || $0.sortsIndexes }
    #expect(Set(noted.map(\.object)) == Set(isRead ? test.noted : []))
    #expect(noted.allSatisfy { $0.count ?? 0 > 0 && !$0.samples.isEmpty })
    var policy = PlanPolicy.lossless
    policy.strategy = strategy
    try file.database.migrate(to: test.after, allowing: policy)
    #expect(try file.values(of: test.columns, key: test.key) == before)
    #expect(try file.problems() == problems)
    #expect(try file.database.plan(to: test.after).isEmpty)
  }

  @Test("come back by undo as they were", arguments: cases)
  func undone(_ test: Case) throws {
    let file = try EditedFile(test.rows, test.edits)
    let before = try file.values(of: test.columns, key: test.key)
    try file.database.migrate(to: test.after)
    _ = try MigrationUndo(at: file.database.path).apply(allowing: .lossless)
    #expect(try file.values(of: test.columns, key: test.key) == before)
  }

  @Test("need consent where the catalog is not edited, or block where no copy can hold them")
  func typed() throws {
    let texts = try EditedFile(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, z TEXT, note TEXT); INSERT INTO t VALUES (1, '007', 'x')",
      ["z TEXT": "z INTEGER"])
    let after = "CREATE TABLE t (id INTEGER PRIMARY KEY, z INTEGER, note TEXT UNIQUE)"
    let plan = try texts.database.plan(to: after, strategy: .alter)
    let hazard = try #require(plan.hazards.first { $0.code == .lossyConversion })
    #expect(hazard.hazardClass == .lossy && hazard.object == "t.z" && hazard.count == 1 && hazard.samples == ["1"])
    var policy = PlanPolicy.lossless
    policy.strategy = .alter
    #expect(throws: PlanError.self) { try texts.database.migrate(to: after, allowing: policy) }
    #expect(try texts.values(of: ["z"]) == [[.int(1), .text("text"), .text("'007'")]])
    policy.allowances = [PlanPolicy.Allowance(.code(.lossyConversion))]
    try texts.database.migrate(to: after, allowing: policy)
    #expect(try texts.database.query("SELECT typeof(z), z FROM t") == [[.text("integer"), .int(7)]])

    let nulls = try EditedFile(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, z TEXT, note TEXT); INSERT INTO t VALUES (1, NULL, 'x')",
      ["z TEXT": "z TEXT NOT NULL"])
    let blocked = try nulls.database.plan(
      to: "CREATE TABLE t (id INTEGER PRIMARY KEY, z TEXT NOT NULL, note TEXT UNIQUE)", strategy: .alter)
    #expect(blocked.hazards.contains { $0.code == .nullsUnderNotNull && $0.hazardClass == .blocked })
  }

  @Test("are not updated in place, which would change more than is asked and leave an index behind")
  func update() throws {
    let file = try EditedFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, z TEXT, n INT); CREATE INDEX tz ON t (z);
      WITH s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < 50)
      INSERT INTO t SELECT i, '00' || i, CASE WHEN i <> 5 THEN i END FROM s;
      """, ["z TEXT": "z INTEGER"])
    let (before, problems) = (try file.values(of: ["z"]), try file.problems())
    let after =
      "CREATE TABLE t (id INTEGER PRIMARY KEY, z INTEGER, n INT NOT NULL DEFAULT 0); CREATE INDEX tz ON t (z);"
    #expect(try !file.database.plan(to: after).steps.contains { $0.strategy == .update })
    try file.database.migrate(to: after)
    #expect(try file.values(of: ["z"]) == before)
    #expect(try file.problems() == problems)
    #expect(try file.database.value("SELECT n FROM t WHERE id = 5") == .int(0))
  }

  @Test("do not stop a column that SQLite would examine them for")
  func addedColumn() throws {
    let file = try EditedFile(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT); INSERT INTO t VALUES (1, NULL)", ["n TEXT": "n TEXT NOT NULL"])
    let after = "CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT NOT NULL, c INT DEFAULT 1 CHECK (c > 0))"
    #expect(try file.database.plan(to: after).hazards.allSatisfy(\.isNote))
    try file.database.migrate(to: after)
    #expect(try file.database.query("SELECT id, n, c FROM t") == [[.int(1), .null, .int(1)]])
  }

  @Test("are not looked for through an index that lacks them, whose rows are not updated in place either")
  func lackingIndex() throws {
    let file = try EditedFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, c REAL, u INT); CREATE INDEX tc ON t (c) WHERE 0; CREATE UNIQUE INDEX tu ON t (u) WHERE 0;
      INSERT INTO t VALUES (1, 4.0, 1), (2, NULL, 1), (3, 6.0, 2), (4, 1e20, 3), (5, 2.0, 4);
      """, [" WHERE 0": ""])
    let (before, indexes) = (
      try file.values(of: ["c", "u"]), " CREATE INDEX tc ON t (c); CREATE UNIQUE INDEX tu ON t (u);"
    )
    let after = "CREATE TABLE t (id INTEGER PRIMARY KEY, c REAL DEFAULT 1.5, u INT);" + indexes
    #expect(try !file.database.plan(to: after).steps.contains { $0.strategy == .update })
    try file.database.migrate(to: after)
    #expect(try file.values(of: ["c", "u"]) == before)
    let made = "CREATE TABLE t (id INTEGER PRIMARY KEY, c REAL DEFAULT 1.5, u INT, UNIQUE (c));" + indexes
    #expect(try file.database.plan(to: made).hazards.isEmpty)
    let hazards = try file.database.plan(to: made, strategy: .rebuild).hazards
    #expect(hazards.contains { $0.code == .duplicates && $0.hazardClass == .blocked && $0.count == 2 })
  }

  @Test(
    "under a unique index or constraint made by another definition are counted where it is made anew",
    arguments: [StrategyChoice.alter, .rebuild])
  func staleUniqueness(strategy: StrategyChoice) throws {
    let file = try EditedFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT UNIQUE, e INT, c INT); CREATE UNIQUE INDEX ta ON t (a);
      CREATE UNIQUE INDEX te ON t ((e = '5'));
      INSERT INTO t VALUES (1, 'x', 'y', 4, 1), (2, 'X', 'Y', 5, 2);
      """, ["a TEXT": "a TEXT COLLATE NOCASE", "b TEXT": "b TEXT COLLATE NOCASE", "e INT,": "e BLOB,"])
    let after = """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT COLLATE NOCASE, b TEXT COLLATE NOCASE UNIQUE, e BLOB, c TEXT);
      CREATE UNIQUE INDEX ta ON t (a); CREATE UNIQUE INDEX te ON t ((e = '5'));
      """
    let hazards = try file.database.plan(to: after, strategy: strategy).hazards.filter { $0.code == .duplicates }
    #expect(hazards.map(\.count) == [2, 2, 2] && hazards.allSatisfy { $0.hazardClass == .blocked })
    let other = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT COLLATE NOCASE, e BLOB, c TEXT);"
    #expect(try !file.database.plan(to: other, strategy: strategy).hazards.contains { $0.code == .duplicates })
  }

  @Test("do not stop an update of rows whose index was ordered by another collation")
  func staleOrder() throws {
    let file = try EditedFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, n INT, d TEXT); CREATE INDEX tn ON t (d, n);
      INSERT INTO t VALUES (1, NULL, 'B'), (2, NULL, 'a'), (3, NULL, 'b');
      WITH more AS (SELECT 4 AS i UNION ALL SELECT i + 1 FROM more WHERE i < 1500) INSERT INTO t SELECT i, i, i || '' FROM more;
      """, ["d TEXT": "d TEXT COLLATE NOCASE"])
    let after = """
      CREATE TABLE t (id INTEGER PRIMARY KEY, n INT NOT NULL DEFAULT 7, d TEXT COLLATE NOCASE); CREATE INDEX tn ON t (d, n);
      """
    let step = try #require(try file.database.plan(to: after).steps.first)
    #expect(step.strategy == .update && step.motive == Motive(.fewRowsChange, 1))
    try file.database.migrate(to: after)
    #expect(try file.database.query("PRAGMA integrity_check") == [[.text("ok")]])
    #expect(
      try file.database.query("SELECT n, d FROM t WHERE id < 3") == [[.int(7), .text("B")], [.int(7), .text("a")]])
  }

  @Test("that are equal in a unique index of what is written are not updated in place")
  func staleUniqueIndex() throws {
    let file = try EditedFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, n INT, d TEXT); CREATE UNIQUE INDEX tn ON t (d) WHERE n IS NOT 5;
      INSERT INTO t VALUES (1, 1, 'B'), (2, NULL, 'a'), (3, 2, 'b');
      WITH more AS (SELECT 4 AS i UNION ALL SELECT i + 1 FROM more WHERE i < 1500) INSERT INTO t SELECT i, i, i || '' FROM more;
      """, ["d TEXT": "d TEXT COLLATE NOCASE"])
    let after = """
      CREATE TABLE t (id INTEGER PRIMARY KEY, n INT NOT NULL DEFAULT 7, d TEXT COLLATE NOCASE);
      CREATE UNIQUE INDEX tn ON t (d) WHERE n IS NOT 5;
      """
    let plan = try file.database.plan(to: after)
    #expect(!plan.steps.contains { $0.strategy == .update })
    let isRefused = plan.hazards.contains { $0.code == .duplicates && $0.hazardClass == .blocked }
    if !isRefused { try file.database.migrate(to: after) }
    #expect(isRefused)
  }

  @Test(
    "are asked about as they are stored, whatever else changes",
    arguments: ["(lower(g))", "(lower(g), k)", "(lower(t))", "(lower(t), k)", "(lower(t)) WHERE typeof(t) = 'real'"])
  func storedValues(terms: String) throws {
    let file = try EditedFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT, t BLOB, g INT AS (length(t)) STORED);
      INSERT INTO t (v, t) VALUES ('a', 7.5), ('b', 7.5)
      """, ["t BLOB": "t TEXT", "AS (length(t))": "AS (v)"])
    let after = """
      CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT, t TEXT, g INT AS (v) STORED, k INT NOT NULL DEFAULT 5.0);
      CREATE UNIQUE INDEX ti ON t \(terms)
      """
    #expect(try file.database.plan(to: after).refusals(under: .everything).map(\.code) == [.duplicates])
    #expect(throws: PlanError.self) { try file.database.migrate(to: after, allowing: .everything) }
  }

  @Test("are asked about as they are computed, where a stored column is stored no longer")
  func storedNoLonger() throws {
    let file = try EditedFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a INT, s INT AS (a + 1) STORED); INSERT INTO t (a) VALUES (5), (-5)
      """, ["(a + 1)": "(abs(a))"])
    for rule in ["CHECK (s <> 5)", "UNIQUE (s)"] {
      let after = "CREATE TABLE t (id INTEGER PRIMARY KEY, a INT, s INT AS (abs(a)) VIRTUAL, \(rule))"
      #expect(throws: PlanError.self) { try file.database.migrate(to: after, allowing: .everything) }
    }
  }

  @Test("have their NULLs back by undo, where an index of a table WITHOUT ROWID lacks them")
  func nullsOutsideOfIndex() throws {
    let index = "CREATE INDEX ti ON t (n)"
    let file = try EditedFile(
      """
      CREATE TABLE t (n INTEGER, k TEXT PRIMARY KEY) WITHOUT ROWID; \(index) WHERE k > 'b';
      INSERT INTO t (k) VALUES ('a'), ('c')
      """, [" WHERE k > 'b'": ""])
    try file.database.migrate(
      to: "CREATE TABLE t (n INTEGER NOT NULL DEFAULT 0, k TEXT PRIMARY KEY) WITHOUT ROWID; \(index)",
      allowing: .everything)
    try MigrationUndo(at: file.database.path).apply(allowing: .everything)
    #expect(try file.database.query("SELECT n FROM t ORDER BY k") == [[.null], [.null]])
  }

  @Test("are not looked up in a key that is ordered by another type")
  func keyOfAnotherType() throws {
    let file = try EditedFile(
      """
      CREATE TABLE t (c BLOB, k ANY, PRIMARY KEY (k, c)) WITHOUT ROWID;
      INSERT INTO t VALUES (x'35', 7.5), (x'35', 'w2')
      """, ["k ANY": "k TEXT"])
    let after =
      "CREATE TABLE t (c BLOB, k TEXT, PRIMARY KEY (k, c)) WITHOUT ROWID; CREATE UNIQUE INDEX tc ON t (c) WHERE k > 5"
    #expect(try file.database.plan(to: after).refusals(under: .everything).map(\.code) == [.duplicates])
    #expect(throws: PlanError.self) { try file.database.migrate(to: after, allowing: .everything) }
  }

  @Test("do not stop a key whose NULLs become allowed", arguments: ["UNIQUE (a)", "CHECK (c > 0)"])
  func loosenedKey(constraint: String) throws {
    let index = constraint.hasPrefix("U") ? "" : "CREATE UNIQUE INDEX ta ON t (a);"
    let file = try EditedFile(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a INT, c INT, \(constraint)); \(index) INSERT INTO t VALUES (1, NULL, 1), (2, NULL, 2)",
      ["a INT": "a INT NOT NULL"])
    let after = "CREATE TABLE t (id INTEGER PRIMARY KEY, a INT, c TEXT, \(constraint)); \(index)"
    try file.database.migrate(to: after)
    #expect(try file.database.query("SELECT a, c FROM t ORDER BY id") == [[.null, .text("1")], [.null, .text("2")]])
  }

  @Test("do not stop an update of rows whose index was computed under another type")
  func staleComputedIndex() throws {
    let file = try EditedFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, n INT, x REAL); CREATE INDEX tn ON t (id) WHERE x = '5' OR n = 0;
      CREATE INDEX tx ON t ((n || ''), (x = '5'));
      INSERT INTO t VALUES (1, 22, NULL), (2, NULL, 5), (3, 0, 'abc');
      WITH more AS (SELECT 4 AS i UNION ALL SELECT i + 1 FROM more WHERE i < 900) INSERT INTO t SELECT i, i, i % 9 FROM more;
      """, ["x REAL": "x BLOB"])
    let after = """
      CREATE TABLE t (id INTEGER PRIMARY KEY, n INT NOT NULL DEFAULT 7, x BLOB);
      CREATE INDEX tn ON t (id) WHERE x = '5' OR n = 0; CREATE INDEX tx ON t ((n || ''), (x = '5'));
      """
    #expect(try file.database.plan(to: after).steps.first?.strategy == .update)
    try file.database.migrate(to: after)
    #expect(try file.database.query("PRAGMA integrity_check") == [[.text("ok")]])
    #expect(
      try file.database.query("SELECT n FROM t NOT INDEXED WHERE id < 4").map { $0[0] } == [
        .int(22), .int(7), .int(0),
      ])
  }

  @Test("that a change asks about are refused as ever")
  func asked() throws {
    let file = try EditedFile(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, z TEXT, n INT); INSERT INTO t VALUES (1, '007', -1)",
      ["z TEXT": "z INTEGER"])
    let check = try file.database.plan(
      to: "CREATE TABLE t (id INTEGER PRIMARY KEY, z INTEGER, n INT CHECK (n > 0), UNIQUE (n))")
    #expect(check.hazards.contains { $0.code == .failingCheck && $0.hazardClass == .blocked })
    let null = try file.database.plan(
      to: "CREATE TABLE t (id INTEGER PRIMARY KEY, z INTEGER, n INT, m INT NOT NULL, UNIQUE (n))")
    #expect(null.hazards.contains { $0.hazardClass == .blocked })
  }

  @Test("a stored column that becomes an ordinary one keeps its values, and needs no consent")
  func noLongerComputed() throws {
    let file = try EditedFile(
      "CREATE TABLE t (a INT, s INT AS (a + 1) STORED, z INT); INSERT INTO t (a) VALUES (1), (5)",
      ["(a + 1)": "(a * 2)"])
    let after = "CREATE TABLE t (a INT, s INT, z INT)"
    #expect(try file.database.plan(to: after, strategy: .alter).refusals(under: .lossless).isEmpty)
    try file.database.migrate(to: after)
    #expect(try file.database.query("SELECT s FROM t") == [[.int(2)], [.int(6)]])
  }

  @Test("of a STRICT table, kept when their column goes, come back by undo as they were")
  func keptInStrict() throws {
    let start = "CREATE TABLE t (id INTEGER PRIMARY KEY, c TEXT) STRICT; INSERT INTO t VALUES (1, '5'), (2, NULL);"
    let file = try EditedFile(start, ["c TEXT": "c INT"])
    try file.database.migrate(to: "CREATE TABLE t (id INTEGER PRIMARY KEY) STRICT;", allowing: .keepingEverything)
    try MigrationUndo(at: file.database.path).apply(allowing: .everything)
    #expect(try file.values(of: ["c"]).first == [.int(1), .text("text"), .text("'5'")])
  }
}

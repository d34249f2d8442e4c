import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Row checks: orphans under a new foreign key")
struct OrphanRowCheckTests {
  private static func child(
    _ name: String, parent: String, parents: String, child: String, children: String, key: String,
    newParent: String? = nil, object: String, offending: String
  ) -> RowCase {
    RowCase(
      name: name, before: "\(parent); CREATE TABLE t (id INTEGER PRIMARY KEY, \(child));",
      fill: ["INSERT INTO p SELECT \(parents) FROM n", "INSERT INTO t SELECT i, \(children) FROM n"],
      after: "\(newParent ?? parent); CREATE TABLE t (id INTEGER PRIMARY KEY, \(child), FOREIGN KEY \(key));",
      code: .orphans, object: object, offending: offending)
  }

  private static let plain = "CREATE TABLE p (k INTEGER PRIMARY KEY)"
  private static let odd = "SELECT CAST(id AS TEXT) FROM t WHERE a IS NOT NULL AND a NOT IN (SELECT k FROM p)"

  static let cases = [
    child(
      "one column", parent: plain, parents: "i * 2", child: "a INT", children: "i", key: "(a) REFERENCES p",
      object: "t.a", offending: odd),
    child(
      "deferred, with NULL", parent: plain, parents: "i * 2", child: "a INT",
      children: "CASE WHEN i % 5 THEN i END",
      key: "(a) REFERENCES p (k) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED", object: "t.a", offending: odd),
    child(
      "composite, partly NULL", parent: "CREATE TABLE p (x INT, y TEXT, UNIQUE (y, x))", parents: "i * 2, 'y'",
      child: "a INT, b TEXT", children: "i, CASE WHEN i % 5 THEN 'y' END", key: "(a, b) REFERENCES p (x, y)",
      object: "t.a", offending: "SELECT CAST(id AS TEXT) FROM t WHERE b IS NOT NULL AND a NOT IN (SELECT x FROM p)"),
    child(
      "the parent's collation decides", parent: "CREATE TABLE p (k TEXT PRIMARY KEY COLLATE NOCASE)",
      parents: "'K' || (i * 2)", child: "a TEXT", children: "'k' || i", key: "(a) REFERENCES p", object: "t.a",
      offending: "SELECT CAST(id AS TEXT) FROM t WHERE upper(a) NOT IN (SELECT k FROM p)"),
    child(
      "the child's collation does not", parent: "CREATE TABLE p (k TEXT PRIMARY KEY)", parents: "'K' || i",
      child: "a TEXT COLLATE NOCASE", children: "CASE WHEN i % 3 THEN 'K' ELSE 'k' END || i", key: "(a) REFERENCES p",
      object: "t.a", offending: "SELECT CAST(id AS TEXT) FROM t WHERE a COLLATE BINARY NOT IN (SELECT k FROM p)"),
    child(
      "the parent's affinity decides", parent: plain, parents: "i * 2", child: "a TEXT", children: "i || '.0'",
      key: "(a) REFERENCES p", object: "t.a",
      offending: "SELECT CAST(id AS TEXT) FROM t WHERE CAST(a AS INT) NOT IN (SELECT k FROM p)"),
    child(
      "a parent key that is new as well", parent: "CREATE TABLE p (k INT)", parents: "i * 2", child: "a INT",
      children: "i", key: "(a) REFERENCES p (k)", newParent: "CREATE TABLE p (k INT UNIQUE)", object: "t.a",
      offending: odd),
    child(
      "a parent whose unique index is new", parent: "CREATE TABLE p (k INT)", parents: "i * 2", child: "a INT",
      children: "i", key: "(a) REFERENCES p (k)",
      newParent: "CREATE TABLE p (k INT); CREATE UNIQUE INDEX pk ON p (k)", object: "t.a", offending: odd),
    child(
      "a parent whose values are converted", parent: "CREATE TABLE p (k TEXT PRIMARY KEY)", parents: "'K' || (i * 2)",
      child: "a TEXT", children: "'k' || i", key: "(a) REFERENCES p",
      newParent: "CREATE TABLE p (\nk BLOB PRIMARY KEY -- schemakit: convert lower(k)\n)", object: "t.a",
      offending: "SELECT CAST(id AS TEXT) FROM t WHERE upper(a) NOT IN (SELECT k FROM p)"),
    RowCase(
      name: "a table that refers to itself", before: "CREATE TABLE t (id INTEGER PRIMARY KEY, up INT);",
      fill: ["INSERT INTO t SELECT i * 2, CASE WHEN i > 1 THEN i ELSE 3 END FROM n"],
      after: "CREATE TABLE t (id INTEGER PRIMARY KEY, up INT REFERENCES t);", code: .orphans, object: "t.up",
      offending: "SELECT CAST(id AS TEXT) FROM t WHERE up NOT IN (SELECT id FROM t)"),
    RowCase(
      name: "a parent that is only being created", before: "CREATE TABLE t (id INTEGER PRIMARY KEY, a INT);",
      fill: ["INSERT INTO t SELECT i, CASE WHEN i % 2 THEN i END FROM n"],
      after: "\(plain); CREATE TABLE t (id INTEGER PRIMARY KEY, a INT REFERENCES p);", code: .orphans, object: "t.a",
      offending: "SELECT CAST(id AS TEXT) FROM t WHERE a IS NOT NULL"),
    RowCase(
      name: "a new column whose default has no parent",
      before: "\(plain); CREATE TABLE t (id INTEGER PRIMARY KEY);",
      fill: ["INSERT INTO p SELECT i FROM n", "INSERT INTO t SELECT i FROM n"],
      after: "\(plain); CREATE TABLE t (id INTEGER PRIMARY KEY, a INT DEFAULT 0 REFERENCES p);", code: .orphans,
      object: "t.a", offending: "SELECT CAST(id AS TEXT) FROM t"),
    RowCase(
      name: "a child whose conversion keeps its affinity",
      before:
        "CREATE TABLE p (k TEXT PRIMARY KEY); CREATE TABLE t (id INTEGER PRIMARY KEY, a VARCHAR(9) REFERENCES p);",
      fill: ["INSERT INTO p SELECT 'K' || i FROM n", "INSERT INTO t SELECT i, 'K' || i FROM n"],
      after: """
        CREATE TABLE p (k TEXT PRIMARY KEY); CREATE TABLE t (
        id INTEGER PRIMARY KEY,
        a TEXT REFERENCES p -- schemakit: convert CASE WHEN id % 3 = 1 THEN lower(a) ELSE a END
        );
        """, code: .orphans, object: "t.a", offending: "SELECT CAST(id AS TEXT) FROM t WHERE id % 3 = 1"),
    RowCase(
      name: "another action and another type at once",
      before: "CREATE TABLE p (k TEXT PRIMARY KEY); CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT REFERENCES p);",
      fill: ["INSERT INTO p SELECT '0' || i FROM n", "INSERT INTO t SELECT i, '0' || i FROM n"],
      after: """
        CREATE TABLE p (k TEXT PRIMARY KEY); CREATE TABLE t (
        id INTEGER PRIMARY KEY, a INT REFERENCES p ON DELETE CASCADE);
        """, code: .orphans, object: "t.a", offending: "SELECT CAST(id AS TEXT) FROM t",
      others: [.lossyConversion]),
    RowCase(
      name: "P57: only those that were none before, where others are mended",
      before: "CREATE TABLE p (k TEXT PRIMARY KEY); CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT REFERENCES p);",
      fill: [
        "INSERT INTO p SELECT CASE i % 3 WHEN 1 THEN 'K' ELSE 'k' END || i FROM n",
        "INSERT INTO t SELECT i, CASE i % 3 WHEN 0 THEN 'gone' WHEN 1 THEN 'K' || i ELSE 'k' || i END FROM n",
        "INSERT INTO t SELECT 1000000 + i, 'k' || i FROM n WHERE i % 3 = 1",
      ],
      after: """
        CREATE TABLE p (
        k BLOB PRIMARY KEY -- schemakit: convert lower(k)
        ); CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT REFERENCES p);
        """, code: .orphans, object: "t.a",
      offending: "SELECT CAST(id AS TEXT) FROM t WHERE a LIKE 'K%' COLLATE BINARY AND id % 3 = 1 AND id < 1000000"),
  ]

  @Test("every row without a parent is counted before the first write", arguments: cases, RowCase.counts)
  func orphans(rowCase: RowCase, rows: Int) throws { try rowCase.check(rows: rows) }

  @Test("P57: orphans of a foreign key that stays are a note, and stop nothing", arguments: RowCase.counts)
  func existingOrphans(rows: Int) throws {
    func schema(_ extra: String) -> String {
      "\(Self.plain); CREATE TABLE t (id INTEGER PRIMARY KEY, a INT REFERENCES p, v INT\(extra));"
    }
    let scene = RowCase(
      name: "", before: schema(""),
      fill: ["INSERT INTO p SELECT i * 2 FROM n", "INSERT INTO t SELECT i, i, i FROM n"],
      after: schema(" CHECK (v > 0)"), code: .existingViolations, object: "t",
      offending: "SELECT id FROM t WHERE a NOT IN (SELECT k FROM p)")
    let file = try scene.file(rows: rows, journalMode: "delete")
    let bytes = try file.bytes
    let plan = try file.plan(to: scene.after, strategy: .rebuild)
    #expect(try file.bytes == bytes)
    let orphans = try file.query(scene.offending)
    let notes = plan.hazards.filter { $0.code == .existingViolations }
    #expect(notes.map(\.count) == (orphans.isEmpty ? [] : [orphans.count]))
    #expect(plan.refusals(under: .lossless).isEmpty)
    try file.migrate(to: scene.after)
    #expect(try file.query(scene.offending) == orphans)
  }

  @Test(
    "a reference to another key is new, although that key has the name of the former one",
    arguments: ["REFERENCES p", "REFERENCES p (id)"])
  func takenName(reference: String) throws {
    let file = try TemporaryDatabase(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY, code INT UNIQUE); CREATE TABLE c (x INT \(reference));
      INSERT INTO p VALUES (1, 10), (2, 20); INSERT INTO c VALUES (1), (2);
      """)
    let after = """
      CREATE TABLE p (
        old_id INTEGER PRIMARY KEY, -- schemakit: renamed from id
        id INT UNIQUE -- schemakit: renamed from code
      );
      CREATE TABLE c (x INT REFERENCES p (id));
      """
    #expect(try file.plan(to: after).refusals(under: .everything).map(\.code) == [.orphans])
    #expect(throws: PlanError.self) { try file.migrate(to: after, allowing: .everything) }
  }

  @Test("a reference to another key is new, although a chain of renames passes the name on")
  func chainOfNames() throws {
    let file = try TemporaryDatabase(
      """
      CREATE TABLE p (k INTEGER PRIMARY KEY, a INT UNIQUE, b INT UNIQUE); CREATE TABLE c (x INT REFERENCES p (a));
      INSERT INTO p VALUES (1, 10, 100); INSERT INTO c VALUES (10);
      """)
    let after = """
      CREATE TABLE p (
        k INTEGER PRIMARY KEY,
        b INT UNIQUE, -- schemakit: renamed from a
        c INT UNIQUE -- schemakit: renamed from b
      );
      CREATE TABLE c (x INT REFERENCES p (c));
      """
    #expect(try file.plan(to: after).refusals(under: .everything).map(\.code) == [.orphans])
  }

  @Test(
    "orphans stay orphans where a foreign key is only written otherwise",
    arguments: [
      (
        "CREATE TABLE p (x, y, PRIMARY KEY (x, y));", "FOREIGN KEY (a, b) REFERENCES p (x, y)",
        "FOREIGN KEY (b, a) REFERENCES p (y, x)"
      ),
      (
        "CREATE TABLE p (x, y, PRIMARY KEY (x, y));", "FOREIGN KEY (a, b) REFERENCES p",
        "FOREIGN KEY (b, a) REFERENCES p (y, x) ON DELETE CASCADE"
      ),
      ("", "FOREIGN KEY (a, b) REFERENCES p", "FOREIGN KEY (a, b) REFERENCES p (x, y)"),
    ], ["", " WITHOUT ROWID"])
  func writtenOtherwise(_ keys: (parent: String, before: String, after: String), rowid: String) throws {
    let parent = "CREATE TABLE p (x, y, PRIMARY KEY (x, y));"
    func child(_ key: String) -> String { "CREATE TABLE c (id INTEGER PRIMARY KEY, a, b, \(key))\(rowid);" }
    let file = try TemporaryDatabase(
      "\(keys.parent) \(child(keys.before)) INSERT INTO c VALUES (1, 'only', 'here'), (2, NULL, 'free');")
    let after = parent + child(keys.after)
    #expect(try file.plan(to: after).refusals(under: .lossless).isEmpty)
    try file.migrate(to: after)
    #expect(try file.query("SELECT id, a FROM c") == [[.int(1), .text("only")], [.int(2), .null]])
    #expect(try file.query("PRAGMA foreign_key_check(c)").count == 1)
  }

  @Test("orphans are new where pairs of columns are others")
  func otherPairs() throws {
    let parent = "CREATE TABLE p (x, y, PRIMARY KEY (x, y));"
    let file = try TemporaryDatabase(
      """
      \(parent) CREATE TABLE c (a, b, FOREIGN KEY (a, b) REFERENCES p (x, y));
      INSERT INTO p VALUES (1, 2); INSERT INTO c VALUES (1, 2);
      """)
    let after = parent + "CREATE TABLE c (a, b, FOREIGN KEY (b, a) REFERENCES p (x, y));"
    #expect(try file.plan(to: after).refusals(under: .everything).map(\.code) == [.orphans])
  }

  @Test("orphans are known by their values where keys and the order of pairs change")
  func otherOrderAndKeys() throws {
    let parent = "CREATE TABLE p (x, y, PRIMARY KEY (x, y));"
    let file = try TemporaryDatabase(
      """
      \(parent) CREATE TABLE c (id INT, a, b, FOREIGN KEY (a, b) REFERENCES p (x, y));
      INSERT INTO c VALUES (1, 'only', 'here'), (2, 'nor', 'there');
      """)
    let key = "FOREIGN KEY (b, a) REFERENCES p (y, x)"
    try file.migrate(to: parent + "CREATE TABLE c (id INT PRIMARY KEY NOT NULL, a, b, \(key)) WITHOUT ROWID;")
    #expect(try file.query("SELECT id, a FROM c") == [[.int(1), .text("only")], [.int(2), .text("nor")]])
  }

  @Test("orphans of another column of the same parent are not new, and rows that had a parent there are")
  func otherColumnOfParent() throws {
    let parent = "CREATE TABLE p (x INTEGER PRIMARY KEY, y INT UNIQUE);"
    let file = try TemporaryDatabase(
      """
      \(parent) CREATE TABLE c (id INTEGER PRIMARY KEY, p INT REFERENCES p);
      INSERT INTO p VALUES (1, 1), (2, 20); INSERT INTO c VALUES (1, 1), (2, 9);
      """)
    let after = parent + "CREATE TABLE c (id INTEGER PRIMARY KEY, p INT REFERENCES p (y));"
    #expect(try file.plan(to: after).refusals(under: .lossless).isEmpty)
    try file.exec("INSERT INTO c VALUES (3, 2), (4, 20)")
    let plan = try file.plan(to: after)
    #expect(plan.hazards.filter { $0.code == .orphans }.map(\.samples) == [["3"]])
    #expect(throws: PlanError.self) { try file.migrate(to: after, allowing: .everything) }
    try file.exec("DELETE FROM c WHERE id = 3")
    try file.migrate(to: after)
    #expect(try file.query("PRAGMA foreign_key_check(c)").count == 1)
    #expect(try file.query("SELECT id, p FROM c") == [[.int(1), .int(1)], [.int(2), .int(9)], [.int(4), .int(20)]])
  }

  @Test("orphans are new where the parent had no key, and SQLite could not compare")
  func parentWithoutKey() throws {
    let child = "CREATE TABLE c (a REFERENCES p"
    let file = try TemporaryDatabase("CREATE TABLE p (x); \(child)); INSERT INTO c VALUES (1);")
    let after = "CREATE TABLE p (x PRIMARY KEY); \(child) (x));"
    #expect(try file.plan(to: after).refusals(under: .everything).map(\.code) == [.orphans])
  }
}

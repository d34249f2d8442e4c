import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Tables that others refer to, inside an open transaction")
struct ReferencedTableTests {
  /// Changes a database inside a transaction with foreign keys on, and commits it.
  private func migrate(_ database: TemporaryDatabase, to after: String) throws -> MigrationPlan {
    let lender = try database.reopened()
    defer { lender.close() }
    lender.makeDefensive()
    try lender.exec("PRAGMA foreign_keys = ON; BEGIN IMMEDIATE")
    let request = ChangeRequest(allowing: .copying)
    let target = try TemporaryDatabase.target(after)
    do {
      let plan = try Change(over: lender.lent(), to: target, request).apply().plan
      try lender.exec("COMMIT")
      return plan
    } catch let error as PlanError {
      try lender.exec("ROLLBACK")
      guard case .refused(let plan, let hazards) = error.reason else { throw error }
      #expect(hazards.map(\.code) == [.openTransaction])
      return plan
    }
  }

  private func rejections(of plan: MigrationPlan, _ strategy: MigrationStep.Strategy) -> Set<Rejection.Code> {
    Set(plan.steps.flatMap(\.passedOver).filter { $0.strategy == strategy }.flatMap(\.rejections).map(\.code))
  }

  @Test("two keys of a table that refer to each other move to values that do not")
  func keysOfOneTable() throws {
    // The rows of u can refer to nothing at no time, so that they cannot be copied along.
    func schema(_ collation: String) -> String {
      """
      CREATE TABLE t (id TEXT PRIMARY KEY, g TEXT UNIQUE \(collation) REFERENCES t (id) ON DELETE CASCADE,
        r TEXT REFERENCES t (g) ON DELETE SET NULL);
      CREATE TABLE u (p TEXT NOT NULL REFERENCES u (k) ON DELETE SET NULL, k TEXT UNIQUE, FOREIGN KEY (p) REFERENCES t (g));
      """
    }
    let database = try TemporaryDatabase(
      schema("")
        + "INSERT INTO t VALUES ('a', NULL, NULL), ('b', 'a', NULL), ('c', 'b', 'a'); INSERT INTO u VALUES ('a', 'a');")
    let rows = try database.query("SELECT * FROM t UNION ALL SELECT p, k, NULL FROM u")
    let plan = try migrate(database, to: schema("COLLATE NOCASE"))
    #expect(plan.steps.map(\.strategy).contains(.rekey))
    #expect(try database.query("SELECT * FROM t UNION ALL SELECT p, k, NULL FROM u") == rows)
    try database.expectSettled(at: schema("COLLATE NOCASE"))
  }

  @Test("keys that are numbers with a fraction do not move, since moving could make two of them equal")
  func realKeys() throws {
    func schema(_ name: String) -> String {
      """
      CREATE TABLE book (id INTEGER PRIMARY KEY, k REAL NOT NULL UNIQUE, name TEXT \(name)) STRICT;
      CREATE TABLE page (id INTEGER PRIMARY KEY, book REAL NOT NULL REFERENCES book (k) ON DELETE CASCADE);
      """
    }
    let database = try TemporaryDatabase(
      schema("") + "INSERT INTO book VALUES (1, 2.0, 'a'), (2, 1e300, 'b');"
        + "INSERT INTO page VALUES (1, 2.0), (2, 1e300);")
    let plan = try migrate(database, to: schema("NOT NULL DEFAULT ''"))
    #expect(rejections(of: plan, .rekey) == [.realKey])
    #expect(try database.query("SELECT b.id, p.id FROM book b JOIN page p ON p.book = b.k").count == 2)
    try database.expectSettled(at: schema("NOT NULL DEFAULT ''"))
  }

  @Test(
    "where SQLite finds no parent for REAL references to row numbers, tables that have some are left as they are",
    arguments: [
      "CREATE TABLE t (id INTEGER PRIMARY KEY, up REAL REFERENCES t (id) ON DELETE CASCADE, name TEXT %);",
      "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE t (id INTEGER PRIMARY KEY, up REAL REFERENCES p (id), name TEXT %);",
    ])
  func realReferences(schema: String) throws {
    let (before, after) = (
      schema.replacing("%", with: ""), schema.replacing("%", with: "CHECK (name <> '') NOT NULL DEFAULT 'x'")
    )
    let parents = schema.contains("TABLE p") ? "INSERT INTO p VALUES (1);" : ""
    let database = try TemporaryDatabase(
      before + parents + "INSERT INTO t VALUES (1, NULL, 'a'), (2, 1, 'b');")
    let rows = try database.query("SELECT * FROM t")
    let plan = try migrate(database, to: after)
    #expect(try database.query("SELECT * FROM t") == rows)
    if EngineProfile(versionOf: try database.connection()).losesRealReferences {
      #expect(rejections(of: plan, .settle).union(rejections(of: plan, .closure)).contains(.referenceTypes))
      try migrateAlone(database, to: after)
    }
    try database.expectSettled(at: after)
  }

  /// With foreign keys off the same change is possible.
  private func migrateAlone(_ database: TemporaryDatabase, to after: String) throws {
    let rows = try database.query("SELECT * FROM t")
    _ = try Change(over: database.connection(), to: TemporaryDatabase.target(after)).apply()
    #expect(try database.query("SELECT * FROM t") == rows)
  }

  @Test("a table without rows is not refused for such references")
  func noRows() throws {
    let schema = "CREATE TABLE t (id INTEGER PRIMARY KEY, up REAL REFERENCES t (id) ON DELETE CASCADE, name TEXT %);"
    let database = try TemporaryDatabase(schema.replacing("%", with: ""))
    let after = schema.replacing("%", with: "NOT NULL")
    let plan = try migrate(database, to: after)
    #expect(!plan.needsForeignKeysOff || plan.hazards.isEmpty)
    try database.expectSettled(at: after)
  }

  @Test(
    "where types differ so that SQLite counts references wrongly, rows are not deleted and inserted",
    arguments: [
      // A parent that comes after its child is not compared as when the child looks for it.
      ("kind INTEGER PRIMARY KEY, z REFERENCES t (kind)", "kind TEXT PRIMARY KEY, z REFERENCES t (kind)"),
      // Looking for the number that '3.50' is makes SQLite look for other children with it as well.
      (
        "kind TEXT UNIQUE, z REAL REFERENCES t (kind)",
        "kind TEXT UNIQUE, z REAL REFERENCES t (kind), CHECK (kind <> '')"
      ),
    ])
  func miscounted(before: String, after: String) throws {
    func schema(_ columns: String) -> String {
      "CREATE TABLE t (\(columns)); CREATE TABLE c (a TEXT REFERENCES t (kind) ON DELETE RESTRICT);"
    }
    let database = try TemporaryDatabase(
      schema(before) + "INSERT INTO t VALUES (1000000, NULL), (15, 1000000), ('3', NULL);"
        + "INSERT INTO c VALUES ('3'), (15);")
    let rows = try database.query("SELECT CAST(kind AS TEXT), z, (SELECT count(*) FROM c) FROM t ORDER BY 1")
    let plan = try migrate(database, to: schema(after))
    #expect(rejections(of: plan, .settle) == [.referenceTypes])
    #expect(try database.query("SELECT CAST(kind AS TEXT), z, (SELECT count(*) FROM c) FROM t ORDER BY 1") == rows)
    _ = try Change(over: database.connection(), to: TemporaryDatabase.target(schema(after))).apply()
    try database.expectSettled(at: schema(after))
  }

  @Test("a reference that other rows follow is not emptied for a while, wherever it is")
  func followedReference() throws {
    func schema(_ action: String) -> String {
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, up INTEGER UNIQUE REFERENCES t (id) ON UPDATE CASCADE ON DELETE \(action));
      CREATE TABLE c (up INTEGER NOT NULL REFERENCES t (up) ON UPDATE CASCADE ON DELETE CASCADE);
      """
    }
    let database = try TemporaryDatabase(
      schema("CASCADE") + "INSERT INTO t VALUES (1, NULL), (2, 1), (3, 2); INSERT INTO c VALUES (1), (2);")
    let plan = try migrate(database, to: schema("SET NULL"))
    #expect(rejections(of: plan, .closure) == [.updateAction])
    #expect(rejections(of: plan, .nullAndRestore) == [.updateAction])
    #expect(try database.query("SELECT up FROM c ORDER BY 1") == [[.int(1)], [.int(2)]])
  }

  @Test(
    "what is computed from a reference, and must be unique or not NULL, does not stop a change half way",
    arguments: [
      "flag AS (up IS NULL) STORED); CREATE UNIQUE INDEX i ON t (flag);",
      "flag AS (up + 1) NOT NULL);",
      "flag AS (up IS NULL), UNIQUE (flag));",
      "flag AS (up IS NULL), CHECK (flag IS NOT (id IS NOT 1)));",
    ])
  func computedFromReference(rest: String) throws {
    func schema(_ action: String) -> String {
      "CREATE TABLE t (id INTEGER PRIMARY KEY, up INTEGER REFERENCES t (id) ON DELETE \(action), \(rest)"
    }
    let rows = rest.contains("NOT NULL)") ? "(1, 2), (2, 1)" : "(1, NULL), (2, 1)"
    let database = try TemporaryDatabase(schema("CASCADE") + "INSERT INTO t (id, up) VALUES \(rows);")
    let before = try database.query("SELECT * FROM t")
    _ = try migrate(database, to: schema("SET NULL"))
    #expect(try database.query("SELECT * FROM t") == before)
    _ = try Change(over: database.connection(), to: TemporaryDatabase.target(schema("SET NULL"))).apply()
    try database.expectSettled(at: schema("SET NULL"))
  }

  @Test(
    "references that would be miscounted are refused before anything changes",
    arguments: [
      // A row that refers to itself, as a text beside a number, and in other letters under NOCASE.
      (
        "CREATE TABLE t (id INT PRIMARY KEY, up TEXT REFERENCES t (id), v TEXT %);",
        "INSERT INTO t VALUES (1, '1', 'a');"
      ),
      (
        "CREATE TABLE t (id TEXT COLLATE NOCASE PRIMARY KEY, up TEXT REFERENCES t (id), v TEXT %);",
        "INSERT INTO t VALUES ('Root', 'root', 'a');"
      ),
      // What is filled in is not in the file.
      (
        "CREATE TABLE t (id TEXT PRIMARY KEY, up REFERENCES t (id), v TEXT %);",
        "INSERT INTO t VALUES ('2', NULL, 'a'), ('1', NULL, 'b');"
      ),
      // A circle in which one table is filled before the other.
      (
        """
        CREATE TABLE t (id INTEGER PRIMARY KEY, up REFERENCES b (code) ON DELETE CASCADE ON UPDATE CASCADE, v TEXT %);
        CREATE TABLE b (code TEXT PRIMARY KEY, a INTEGER REFERENCES t (id) ON DELETE CASCADE ON UPDATE CASCADE) WITHOUT ROWID;
        """, "INSERT INTO b VALUES ('5', NULL); INSERT INTO t VALUES (1, 5, 'x'); UPDATE b SET a = 1;"
      ),
    ])
  func refusedBefore(schema: String, rows: String) throws {
    let database = try TemporaryDatabase(schema.replacing("%", with: "") + rows)
    let before = try database.query("SELECT * FROM t")
    var after = schema.replacing("%", with: "CHECK (v <> '')")
    if rows.contains("('2', NULL") {
      after = after.replacing("up REFERENCES", with: "up NOT NULL DEFAULT 1 REFERENCES")
    }
    let plan = try migrate(database, to: after)
    #expect(plan.needsForeignKeysOff)
    #expect(rejections(of: plan, .settle).union(rejections(of: plan, .closure)).contains(.referenceTypes))
    #expect(try database.query("SELECT * FROM t") == before)
  }

  @Test(
    "types that differ are accepted where nothing is miscounted",
    arguments: [
      // Keys without a type that hold numbers, and a parent that is another table.
      (
        "CREATE TABLE t (id PRIMARY KEY, up INTEGER REFERENCES t (id), v TEXT %);",
        "INSERT INTO t VALUES (1, NULL, 'a'), (2, 1, 'b');"
      ),
      (
        "CREATE TABLE t (id TEXT PRIMARY KEY, v TEXT %); CREATE TABLE c (x REFERENCES t (id), y INTEGER REFERENCES t (id));",
        "INSERT INTO t VALUES ('5', 'a'); INSERT INTO c VALUES (5, 5);"
      ),
      // Another table of the file that cannot be asked here.
      (
        """
        CREATE TABLE t (id INTEGER PRIMARY KEY, up INTEGER REFERENCES t (id), v TEXT %);
        CREATE TABLE p (id TEXT COLLATE lacking PRIMARY KEY); CREATE TABLE k (x INTEGER REFERENCES p (id));
        """, "INSERT INTO t VALUES (1, NULL, 'a'), (2, 1, 'b'); INSERT INTO k VALUES (NULL);"
      ),
    ])
  func notRefused(schema: String, rows: String) throws {
    let collating = schema.replacing("COLLATE lacking", with: "COLLATE NOCASE").replacing("%", with: "")
    let database = try TemporaryDatabase(collating + rows)
    if schema.contains("lacking") {
      try database.exec(
        "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, 'NOCASE', 'lacking') WHERE name = 'p'"
      )
    }
    let before = try database.query("SELECT * FROM t")
    let after = schema.replacing("%", with: "CHECK (v <> '')")
    let plan = try migrate(database, to: after)
    #expect(plan.steps.map(\.strategy).contains(.settle))
    #expect(try database.query("SELECT * FROM t") == before)
  }

  @Test("a new column that refers to a key of another type holds NULL and is accepted")
  func newReference() throws {
    let database = try TemporaryDatabase(
      "CREATE TABLE t (id TEXT PRIMARY KEY, v TEXT); INSERT INTO t VALUES ('a', 'a');")
    let after = "CREATE TABLE t (id TEXT PRIMARY KEY, v TEXT CHECK (v <> ''), up REFERENCES t (id));"
    let plan = try migrate(database, to: after)
    #expect(!plan.needsForeignKeysOff || plan.steps.map(\.strategy).contains(.settle))
    try database.expectSettled(at: after)
  }

  @Test("a foreign key with more columns than its parent's key does not crash the planner")
  func mismatch() throws {
    let schema = """
      CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT %);
      CREATE TABLE c (id INTEGER PRIMARY KEY, a INTEGER NOT NULL, b INTEGER,
        FOREIGN KEY (a, b) REFERENCES t ON DELETE CASCADE ON UPDATE CASCADE);
      CREATE TABLE d (x INTEGER, FOREIGN KEY (x) REFERENCES e ON DELETE CASCADE); CREATE TABLE e (x INTEGER, v TEXT %);
      """
    let database = try TemporaryDatabase(
      schema.replacing("%", with: "") + "INSERT INTO t VALUES (1, 'a'); INSERT INTO e VALUES (1, 'a');")
    let connection = try database.reopened()
    defer { connection.close() }
    connection.makeDefensive()
    try connection.exec("PRAGMA foreign_keys = ON; BEGIN IMMEDIATE")
    let target = try TemporaryDatabase.target(schema.replacing("%", with: "UNIQUE"))
    #expect(throws: (any Error).self) { try Change(over: connection.lent(), to: target).apply() }
    #expect(try database.query("SELECT v FROM t UNION ALL SELECT v FROM e") == [[.text("a")], [.text("a")]])
  }

  @Test("references of children that let go for a while come back")
  func referencesComeBack() throws {
    // The rows of c cannot be copied along: their own references must not be NULL.
    let schema = """
      CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT %);
      CREATE TABLE c (id INTEGER PRIMARY KEY, p INTEGER REFERENCES t (id) ON DELETE SET NULL ON UPDATE CASCADE,
        first INTEGER NOT NULL REFERENCES c (id) ON DELETE CASCADE);
      """
    let database = try TemporaryDatabase(
      schema.replacing("%", with: "") + "INSERT INTO t VALUES (1, 'a'), (2, 'b');"
        + "INSERT INTO c VALUES (1, 1, 1), (2, NULL, 1), (3, 2, 1);")
    let rows = try database.query("SELECT * FROM c")
    let after = schema.replacing("%", with: "CHECK (v <> '')")
    let plan = try migrate(database, to: after)
    #expect(plan.steps.map(\.strategy) == [.nullAndRestore])
    #expect(try database.query("SELECT * FROM c") == rows)
    try database.expectSettled(at: after)
  }
}

import Testing

@testable import SQLiteSchema
@testable import SchemaKit

// P1-P4, P21, P56, P57: what a rebuild can do to rows that refer to each other.
@Suite("Pitfalls: foreign keys")
struct ForeignKeyPitfallTests {
  private func family(_ action: String, children: Int, name: String = "name TEXT") -> (schema: String, rows: String) {
    let schema = """
      CREATE TABLE parent (id INTEGER PRIMARY KEY, \(name));
      CREATE TABLE child (id INTEGER PRIMARY KEY, parent_id INTEGER DEFAULT 1 REFERENCES parent (id) \(action));
      """
    let rows = rows(children) { "INSERT INTO parent VALUES (\($0), 'n\($0)'); INSERT INTO child VALUES (\($0), \($0))" }
    return (schema, rows)
  }

  @Test("P1: a rebuild inside the caller's own transaction loses no child and goes with it", arguments: [0, 3])
  func openTransaction(children: Int) throws {
    let before = family("ON DELETE CASCADE", children: children)
    let after = family("ON DELETE CASCADE", children: children, name: "name TEXT NOT NULL DEFAULT ''").schema
    let database = try TemporaryDatabase(before.schema + before.rows)
    let catalog = try database.catalog()
    for end in ["ROLLBACK", "COMMIT"] {
      let lender = try database.reopened()
      lender.makeDefensive()
      try lender.exec("PRAGMA foreign_keys = ON; BEGIN; SELECT count(*) FROM child")
      let connection = try lender.lent()
      let change = Change(
        over: connection, to: try TemporaryDatabase.target(after), ChangeRequest(allowing: .copying))
      let report = try change.apply()
      #expect(report.plan.steps.map(\.strategy).contains { [.rekey, .closure].contains($0) })
      #expect(connection.isInTransaction)
      #expect(try connection.integer("PRAGMA foreign_keys") == 1)
      #expect(try connection.integer("PRAGMA defer_foreign_keys") == 0)
      try lender.exec(end)
      lender.close()
      #expect(try database.query("SELECT * FROM parent").count == children)
      #expect(try database.query("SELECT id, parent_id FROM child WHERE id = parent_id").count == children)
      #expect(try database.query("PRAGMA foreign_key_check").isEmpty)
      if end == "ROLLBACK" { #expect(try database.catalog() == catalog) }
    }
    try database.expectSettled(at: after)
  }

  @Test("P1: a transaction that defers its foreign keys is refused", arguments: [0, 3])
  func deferringLender(children: Int) throws {
    let before = family("ON DELETE CASCADE", children: children)
    let after = family("ON DELETE CASCADE", children: children, name: "name TEXT NOT NULL DEFAULT ''").schema
    let database = try TemporaryDatabase(before.schema + before.rows)
    let lender = try database.reopened()
    lender.makeDefensive()
    try lender.exec(
      """
      PRAGMA foreign_keys = ON; BEGIN IMMEDIATE; PRAGMA defer_foreign_keys = ON; INSERT INTO parent VALUES (99, 'mine')
      """)
    let connection = try lender.lent()
    let error = try #require(throws: PlanError.self) {
      _ = try Change(over: connection, to: TemporaryDatabase.target(after), ChangeRequest(allowing: .copying)).apply()
    }
    #expect("\(error)".contains("defer"))
    try lender.exec("COMMIT")
    lender.close()
    #expect(try database.query("SELECT * FROM parent").count == children + 1)
    #expect(try database.query("SELECT * FROM child").count == children)
  }

  @Test("P1: a plan over a connection with foreign keys on has no hazard that its apply would not have")
  func planWithForeignKeysOn() throws {
    let before = family("ON DELETE CASCADE", children: 3)
    let after = family("ON DELETE CASCADE", children: 3, name: "name TEXT NOT NULL DEFAULT ''").schema
    let database = try TemporaryDatabase(before.schema + before.rows)
    let connection = try database.connection()
    try connection.execute("PRAGMA foreign_keys = ON")
    let change = Change(over: connection, to: try TemporaryDatabase.target(after), ChangeRequest(allowing: .copying))
    let plan = try change.plan()
    #expect(plan.needsForeignKeysOff && !plan.hazards.contains { $0.code == .openTransaction })
    #expect(try connection.integer("PRAGMA foreign_keys") == 1)
    #expect(try change.apply().plan.hazards == plan.hazards)
    #expect(try database.query("SELECT id, parent_id FROM child").count == 3)
  }

  @Test("P1: with foreign keys on but no transaction open, no child is deleted", arguments: [0, 3])
  func cascade(children: Int) throws {
    let before = family("ON DELETE CASCADE", children: children)
    let after = family("ON DELETE CASCADE", children: children, name: "name TEXT NOT NULL DEFAULT ''").schema
    let database = try TemporaryDatabase(before.schema + before.rows)
    let connection = try database.connection()
    try connection.execute("PRAGMA foreign_keys = ON")
    _ = try Change(over: connection, to: TemporaryDatabase.target(after)).apply()
    #expect(try database.query("SELECT id, parent_id FROM child").count == children)
    try connection.execute("DELETE FROM parent")
    #expect(try database.query("SELECT * FROM child").isEmpty)
    try database.expectSettled(at: after)
  }

  @Test(
    "P2: no child value is nulled or reset by a rebuild of its parent", arguments: ["SET NULL", "SET DEFAULT"], [0, 3])
  func setNull(action: String, children: Int) throws {
    let before = family("ON DELETE \(action)", children: children)
    let database = try TemporaryDatabase(before.schema + before.rows)
    let values = try database.query("SELECT id, parent_id, typeof(parent_id) FROM child ORDER BY id")
    let connection = try database.connection()
    try connection.execute("PRAGMA foreign_keys = ON")
    let after = family("ON DELETE \(action)", children: 0, name: "name VARCHAR(9) UNIQUE").schema
    _ = try Change(over: connection, to: TemporaryDatabase.target(after)).apply()
    #expect(try database.query("SELECT id, parent_id, typeof(parent_id) FROM child ORDER BY id") == values)
    #expect(values.count == children)
    try database.expectSettled(at: after)
  }

  @Test("P3: valid rows under an immediate key survive, and no plan relies on deferring", arguments: [0, 3])
  func deferring(children: Int) throws {
    let before = family("", children: children)
    let database = try TemporaryDatabase(before.schema + before.rows)
    let connection = try database.connection()
    try connection.execute("PRAGMA foreign_keys = ON")
    let after = family("", children: 0, name: "name TEXT CHECK (name <> '')").schema
    let report = try Change(over: connection, to: TemporaryDatabase.target(after)).apply()
    #expect(report.outcome == .applied)
    #expect(!report.plan.statements.contains { $0.sql.contains("defer_foreign_keys") })
    #expect(try database.query("PRAGMA foreign_key_check").isEmpty)
    #expect(try database.query("SELECT * FROM child").count == children)
  }

  @Test("P4: no foreign key, view or trigger points at a temporary name", arguments: [0, 3])
  func noTemporaryName(count: Int) throws {
    func schema(_ check: String) -> String {
      """
      CREATE TABLE node (id INTEGER PRIMARY KEY, up INTEGER REFERENCES node (id), v INT \(check));
      CREATE TABLE leaf (node_id INTEGER REFERENCES node ON DELETE CASCADE);
      CREATE INDEX leaf_node ON leaf (node_id);
      CREATE VIEW tops AS SELECT id FROM node WHERE up IS NULL;
      CREATE TRIGGER leaf_gone AFTER DELETE ON leaf BEGIN UPDATE node SET v = v + 1 WHERE id = old.node_id; END;
      """
    }
    let database = try TemporaryDatabase(
      schema("")
        + rows(count) { "INSERT INTO node VALUES (\($0), NULLIF(\($0) - 1, 0), 5); INSERT INTO leaf VALUES (\($0))" })
    try database.rebuild("node", to: schema("CHECK (node.v > 0)"))
    #expect(try database.query("SELECT 1 FROM sqlite_master WHERE sql LIKE '%schemakit!_new%' ESCAPE '!'").isEmpty)
    #expect(try database.value("SELECT \"table\" FROM pragma_foreign_key_list('leaf')") == .text("node"))
    #expect(try database.value("SELECT \"table\" FROM pragma_foreign_key_list('node')") == .text("node"))
    try database.exec("DELETE FROM leaf")
    #expect(try database.value("SELECT count(*) FROM node WHERE v = 6") == .int(Int64(count)))
    #expect(try database.query("SELECT * FROM tops").count == min(count, 1))
  }

  @Test("P21: actions, DEFERRABLE and MATCH of every foreign key survive a rebuild", arguments: [0, 3])
  func foreignKeyClauses(count: Int) throws {
    func schema(_ extra: String) -> String {
      """
      CREATE TABLE p (a INTEGER PRIMARY KEY, b TEXT, c TEXT, UNIQUE (b, c));
      CREATE TABLE c (
        id INTEGER PRIMARY KEY,
        x INTEGER REFERENCES p (a) ON DELETE CASCADE ON UPDATE SET NULL DEFERRABLE INITIALLY DEFERRED,
        y TEXT, z TEXT\(extra),
        CONSTRAINT both FOREIGN KEY (y, z) REFERENCES p (b, c) MATCH FULL ON DELETE RESTRICT NOT DEFERRABLE
      );
      """
    }
    let database = try TemporaryDatabase(
      schema("")
        + rows(count) {
          "INSERT INTO p VALUES (\($0), 'b', 'c\($0)'); INSERT INTO c VALUES (\($0), \($0), 'b', 'c\($0)')"
        })
    let keys = try database.query("SELECT * FROM pragma_foreign_key_list('c')")
    try database.rebuild("c", to: schema(" NOT NULL DEFAULT 'q'"))
    #expect(try database.query("SELECT * FROM pragma_foreign_key_list('c')") == keys)
    let sql = try #require(try database.sql(of: "c"))
    #expect(sql.contains("DEFERRABLE INITIALLY DEFERRED") && sql.contains("NOT DEFERRABLE") && sql.contains("both"))
    // Deferred: the orphan may stand until COMMIT, and not longer.
    try database.exec(
      """
      PRAGMA foreign_keys = ON; BEGIN;
      INSERT INTO c (id, x, z) VALUES (50, 50, 'n'); INSERT INTO p (a) VALUES (50); COMMIT
      """
    )
    #expect(throws: RawSQLiteError.self) {
      try database.exec("PRAGMA foreign_keys = ON; BEGIN; INSERT INTO c (id, x, z) VALUES (60, 60, 'n'); COMMIT")
    }
  }

  @Test("P56: a foreign key that fits no key of its parent is a finding, not a crash", arguments: [0, 3])
  func mismatch(count: Int) throws {
    func schema(_ extra: String) -> String {
      "CREATE TABLE p (a INT, b TEXT\(extra)); CREATE TABLE c (x INT REFERENCES p (a), y TEXT\(extra));"
    }
    let database = try TemporaryDatabase(
      schema("") + rows(count) { "INSERT INTO p VALUES (\($0), 'b'); INSERT INTO c VALUES (\($0), 'y')" })
    #expect(throws: RawSQLiteError.self) { try database.query("PRAGMA foreign_key_check") }
    try database.migrate(to: schema(" CHECK (1)"))
    try database.expectSettled(at: schema(" CHECK (1)"))
    #expect(try database.query("SELECT * FROM c").count == count)
  }

  @Test("P56: dropping the key that children refer to is refused", arguments: [0, 3])
  func newMismatch(count: Int) throws {
    let children = "CREATE TABLE c (x INT REFERENCES p (a));"
    let database = try TemporaryDatabase(
      "CREATE TABLE p (a INT UNIQUE, b TEXT);" + children
        + rows(count) { "INSERT INTO p VALUES (\($0), 'b'); INSERT INTO c VALUES (\($0))" })
    let hazards = try database.refusals(to: "CREATE TABLE p (a INT, b TEXT);" + children, allowing: .everything)
    #expect(hazards.contains { $0.code == .brokenObject })
  }

  @Test("P57: orphans that were there before do not fail a harmless rebuild", arguments: [1, 3])
  func oldOrphans(count: Int) throws {
    func schema(_ extra: String) -> String {
      "CREATE TABLE p (a INTEGER PRIMARY KEY, b TEXT\(extra)); CREATE TABLE c (x INT REFERENCES p (a), y TEXT\(extra));"
    }
    let database = try TemporaryDatabase(
      schema("") + "INSERT INTO p VALUES (1, 'b');" + rows(count) { "INSERT INTO c VALUES (\($0 + 40), 'y')" })
    let plan = try database.plan(to: schema(" CHECK (1)"), strategy: .rebuild)
    #expect(plan.hazards.contains { $0.code == .existingViolations && $0.count == count }, "\(plan.hazards)")
    try database.rebuild("c", to: schema(" CHECK (1)"))
    #expect(try database.query("PRAGMA foreign_key_check").count == count)
  }

  @Test("P57: orphans that a new foreign key would make are counted before anything is written")
  func newOrphans() throws {
    let parent = "CREATE TABLE p (a INTEGER PRIMARY KEY);"
    let database = try TemporaryDatabase(
      parent + "CREATE TABLE c (x INT); INSERT INTO p VALUES (1); INSERT INTO c VALUES (1), (7), (8), (NULL);")
    let hazards = try database.refusals(to: parent + "CREATE TABLE c (x INT REFERENCES p (a));", allowing: .everything)
    #expect(hazards.map(\.code) == [.orphans] && hazards.map(\.count) == [2])
  }
}

import CSQLite
import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

// P39, P40, P43, P45-P47: the connection's settings, locks and leftovers around a migration.
@Suite("Pitfalls: settings and locks")
struct SafetyPitfallTests {
  static let before = """
    CREATE TABLE node (id INTEGER PRIMARY KEY, up INTEGER REFERENCES node (id), v INT, CHECK (node.v > 0));
    CREATE VIEW tops AS SELECT node.id FROM node WHERE node.up IS NULL;
    CREATE TABLE leaf (n INTEGER REFERENCES node (id));
    CREATE TRIGGER leaf_ins AFTER INSERT ON leaf BEGIN UPDATE node SET v = v + 1 WHERE node.id = new.n; END;
    """
  static let after = """
    CREATE TABLE knot ( -- schemakit: renamed from node
      id INTEGER PRIMARY KEY, up INTEGER REFERENCES knot (id), w INT NOT NULL, -- schemakit: renamed from v
      CHECK (knot.w > 0));
    CREATE VIEW tops AS SELECT knot.id FROM knot WHERE knot.up IS NULL;
    CREATE TABLE leaf (n INTEGER REFERENCES knot (id));
    CREATE TRIGGER leaf_ins AFTER INSERT ON leaf BEGIN UPDATE knot SET w = w + 1 WHERE knot.id = new.n; END;
    """

  private func nodes(_ count: Int) -> String {
    rows(count) { "INSERT INTO node VALUES (\($0), NULLIF(\($0) - 1, 0), 5)" }
  }

  @Test("P39, P40: legacy_alter_table of the caller changes nothing and is put back", arguments: [0, 1], [0, 3])
  func legacyAlterTable(setting: Int, count: Int) throws {
    let database = try TemporaryDatabase(Self.before + nodes(count))
    let connection = try database.connection()
    try connection.execute("PRAGMA legacy_alter_table = \(setting)")
    let change = Change(
      over: connection, to: try TemporaryDatabase.target(Self.after), ChangeRequest(allowing: .copying))
    #expect(try change.apply().plan.steps.contains { $0.strategy == .rebuild })
    #expect(try connection.integer("PRAGMA legacy_alter_table") == Int64(setting))
    #expect(
      try database.query(
        """
        SELECT 1 FROM sqlite_master
        WHERE name NOT LIKE '@_schemakit%' ESCAPE '@' AND replace(sql, 'from node', '') LIKE '%node%'
        """
      ).isEmpty)
    #expect(try database.value("SELECT \"table\" FROM pragma_foreign_key_list('knot')") == .text("knot"))
    #expect(try database.query("SELECT * FROM tops").count == min(count, 1))
    try database.exec("INSERT INTO leaf SELECT id FROM knot")
    #expect(try database.value("SELECT count(*) FROM knot WHERE w = 6") == .int(Int64(count)))
    #expect(throws: RawSQLiteError.self) { try database.exec("INSERT INTO knot (w) VALUES (0)") }
    try database.expectSettled(at: Self.after)
  }

  /// Settings that a migration changes for its work or could change by mistake, with two values of each.
  static let settings: [[String: Int64]] = [
    [:], ["foreign_keys": 1, "recursive_triggers": 1, "secure_delete": 1],
    ["legacy_alter_table": 1, "ignore_check_constraints": 1, "reverse_unordered_selects": 1, "trusted_schema": 0],
    ["foreign_keys": 1, "legacy_alter_table": 1, "secure_delete": 2, "defer_foreign_keys": 0, "query_only": 0],
  ]

  /// How a migration ends.
  enum Ending: CaseIterable { case success, refusal, cancellation, busy }

  @Test(
    "P43: every setting is what it was, after success and after each kind of failure", arguments: settings,
    Ending.allCases)
  func settingsRestored(settings: [String: Int64], ending: Ending) throws {
    let names = [
      "foreign_keys", "legacy_alter_table", "recursive_triggers", "ignore_check_constraints",
      "reverse_unordered_selects",
      "trusted_schema", "secure_delete", "query_only", "defer_foreign_keys", "writable_schema", "count_changes",
      "journal_mode", "synchronous", "locking_mode", "cache_size", "temp_store", "automatic_index", "cell_size_check",
      "threads",
    ]
    let database = try TemporaryDatabase(
      Self.before + nodes(3) + (ending == .refusal ? "INSERT INTO node VALUES (9, NULL, NULL);" : ""))
    for isLent in [false, true] {
      let lender = try database.reopened()
      let connection = isLent ? try lender.lent() : try database.connection()
      for (name, value) in settings {
        try connection.execute("PRAGMA main.\(name) = \(name == "secure_delete" && value == 2 ? "FAST" : "\(value)")")
      }
      let before = try names.map { try connection.value("PRAGMA main.\($0)") }
      var request = ChangeRequest()
      var asked = 0
      if ending == .cancellation {
        request.observer.isCancelled = {
          asked += 1
          return asked > 3
        }
      }
      request.plan.policy = .copying
      request.isDryRun = ending == .success && !isLent
      let change = Change(over: connection, to: try TemporaryDatabase.target(Self.after), request)
      let other = try database.reopened()
      if ending == .busy { try other.exec("BEGIN IMMEDIATE; UPDATE node SET v = v") }
      if ending == .success {
        _ = try change.apply()
      } else {
        #expect(throws: (any Error).self) { try change.apply() }
      }
      other.close()
      #expect(!connection.isInTransaction)
      #expect(try names.map { try connection.value("PRAGMA main.\($0)") } == before, "lent: \(isLent)")
    }
  }

  @Test(
    "dropped values leave the bytes of a file whose secure_delete is on", arguments: [StrategyChoice.auto, .rebuild],
    [
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); CREATE TABLE other (word TEXT)",
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT UNIQUE, word TEXT)",
    ])
  func erased(strategy: StrategyChoice, target: String) throws {
    let dropped = target.contains("other") ? "t" : "other"
    // Rows that were written without it may have left copies in pages.
    let database = try TemporaryDatabase(
      """
      PRAGMA secure_delete = ON;
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT UNIQUE, word TEXT); CREATE TABLE other (word TEXT);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
      INSERT INTO t SELECT i, 'a' || i, 'sesame of t ' || i FROM n;
      INSERT INTO other SELECT replace(word, 'of t', 'of other') FROM t;
      """)
    func holds(_ words: String) throws -> Bool { try database.bytes.range(of: Data(words.utf8)) != nil }
    #expect(try holds("sesame of t") && holds("sesame of other"))
    let connection = try database.connection()
    try connection.execute("PRAGMA secure_delete = ON")
    var request = ChangeRequest(allowing: .everything)
    request.plan.policy.strategy = strategy
    _ = try Change(over: connection, to: try TemporaryDatabase.target(target), request).apply()
    try connection.close()
    #expect(try !holds("sesame of \(dropped)"))
    #expect(try holds("sesame of \(dropped == "t" ? "other" : "t")"))
  }

  @Test(
    "P45: a writer elsewhere makes it busy without a trace, and the next run succeeds", arguments: ["DELETE", "WAL"])
  func busy(journal: String) throws {
    let database = try TemporaryDatabase("PRAGMA journal_mode = \(journal);" + Self.before + nodes(3))
    let writer = try database.reopened()
    try writer.exec("BEGIN IMMEDIATE; INSERT INTO leaf VALUES (1)")
    let change = Change(over: try database.connection(), to: try TemporaryDatabase.target(Self.after))
    let error = #expect(throws: SQLiteError.self) { try change.apply() }
    #expect(error?.isBusy == true)
    try writer.exec("COMMIT")
    #expect(try change.apply().outcome == .applied)
    #expect(try database.value("PRAGMA journal_mode") == .text(journal.lowercased()))
    try database.expectSettled(at: Self.after)
  }

  @Test("P45: what another writer does between the plan and the lock is seen under the lock")
  func rediffUnderLock() throws {
    let database = try TemporaryDatabase(Self.before + nodes(3))
    var plans = 0
    let error = #expect(throws: PlanError.self) {
      try database.migrate(to: Self.after) { request in
        request.observer.onPlan = { _ in
          plans += 1
          if plans == 1 { try database.exec("INSERT INTO node VALUES (9, NULL, NULL)") }
        }
      }
    }
    #expect(error.map { "\($0)" }?.contains("SK104") == true)
    #expect(plans == 2)
    #expect(try database.query("SELECT v FROM node").count == 4)
  }

  @Test("P45: a schema change between the plan and the lock leads to a new plan")
  func replanUnderLock() throws {
    let database = try TemporaryDatabase(Self.before + nodes(3))
    var plans = 0
    let report = try database.migrate(to: Self.after) { request in
      request.observer.onPlan = { _ in
        plans += 1
        if plans == 1 { try database.exec("CREATE INDEX node_v ON node (v)") }
      }
    }
    #expect(report.outcome == .applied && plans == 2)
    #expect(try database.sql(of: "node_v") == nil)
    try database.expectSettled(at: Self.after)
  }

  @Test("P46: the hot journal of a crashed writer is rolled back first, and its rows do not count")
  func hotJournal() throws {
    let database = try TemporaryDatabase(
      Self.before + nodes(3) + "CREATE TABLE big (x); INSERT INTO big VALUES (zeroblob(99999));")
    let crashing = try database.reopened()
    // A tiny cache makes SQLite write pages of the open transaction into the file.
    try crashing.exec(
      "PRAGMA cache_size = 1; PRAGMA cache_spill = 1; BEGIN;"
        + "UPDATE node SET v = 77; UPDATE big SET x = randomblob(99999)"
    )
    let copy = try TemporaryDatabase()
    for suffix in ["", "-journal"] {
      try Data(contentsOf: URL(fileURLWithPath: database.path + suffix)).write(
        to: URL(fileURLWithPath: copy.path + suffix))
    }
    crashing.close()
    #expect(try Data(contentsOf: URL(fileURLWithPath: copy.path + "-journal")).count > 512)
    let after = Self.after + "CREATE TABLE big (x);"
    #expect(try copy.migrate(to: after).outcome == .applied)
    #expect(integers(try copy.query("SELECT w FROM knot")) == [5, 5, 5])
    #expect(try copy.value("SELECT x = zeroblob(99999) FROM big") == .int(1))
    #expect(!FileManager.default.fileExists(atPath: copy.path + "-journal"))
    try copy.expectSettled(at: after)
  }

  @Test("P47: an open read on the same connection gives a typed error and loses nothing", arguments: [0, 3])
  func openRead(count: Int) throws {
    let database = try TemporaryDatabase(Self.before + nodes(count) + "INSERT INTO leaf VALUES (NULL), (NULL);")
    let before = try database.catalog()
    let lender = try database.reopened()
    let connection = try lender.lent()
    var statement: OpaquePointer?
    sqlite3_prepare_v2(lender.pointer, "SELECT n FROM leaf, (SELECT count(*) FROM node)", -1, &statement, nil)
    #expect(sqlite3_step(statement) == SQLITE_ROW)
    let change = Change(over: connection, to: try TemporaryDatabase.target(Self.after))
    let error = #expect(throws: (any Error).self) { try change.apply() }
    #expect(error is ApplyError || error is SQLiteError || error is SQLiteConnectionError || error is PlanError)
    #expect(error.map { "\($0)" }?.contains("SELECT n FROM leaf") == true, "\(error.map { "\($0)" } ?? "")")
    sqlite3_finalize(statement)
    #expect(try database.catalog() == before)
    #expect(try change.apply().outcome == .applied)
    #expect(try database.query("SELECT * FROM knot").count == count)
  }
}

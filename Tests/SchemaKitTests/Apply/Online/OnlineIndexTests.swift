import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

/// Indexes that are filled with the copy, and what has to be unique.
@Suite("Indexes of tables that are copied online")
struct OnlineIndexTests {
  private static let fill = """
    PRAGMA journal_mode = WAL;
    CREATE TABLE t (id INTEGER PRIMARY KEY, code TEXT, other TEXT);
    INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600) SELECT i, 'c' || i, i FROM n;
    """
  private static let unique = "CREATE TABLE t (id INTEGER PRIMARY KEY, code TEXT UNIQUE, other INTEGER)"

  /// Migrates in the smallest batches, and lets somebody write at a stage.
  private func migrate(
    _ database: TemporaryDatabase, to sql: String, during activity: ApplyProgress.Activity,
    write: @escaping () throws -> Void
  ) throws {
    let count = activity == .comparing ? 1 : 3
    var calls = 0
    try database.migrate(to: sql, allowing: OnlineScene.policy()) { options in
      options.online.lock = .nanoseconds(1)
      options.observer.onProgress = { progress in
        guard progress.activity == activity else { return }
        calls += 1
        if calls == count { do { try write() } catch { Issue.record(error) } }
      }
    }
    #expect(calls >= count)
  }

  @Test(
    "values that move from row to row are unique at the end, whichever row is copied first",
    arguments: [ApplyProgress.Activity.copying, .comparing])
  func exchangedValues(activity: ApplyProgress.Activity) throws {
    let database = try TemporaryDatabase(Self.fill)
    let writer = try database.reopened()
    try migrate(database, to: Self.unique, during: activity) {
      for (one, two) in [(1, 600), (2, 3), (500, 4)] {
        try writer.exec(
          """
          UPDATE t SET code = 'x' WHERE id = \(one); UPDATE t SET code = 'c\(one)' WHERE id = \(two);
          UPDATE t SET code = 'c\(two)' WHERE id = \(one);
          """)
      }
      try writer.exec("DELETE FROM t WHERE id = 7; INSERT INTO t VALUES (601, 'c7', 1)")
    }
    #expect(
      try database.query("SELECT id FROM t WHERE code IN ('c1', 'c2', 'c500', 'c7') ORDER BY id")
        == [[.int(3)], [.int(4)], [.int(600)], [.int(601)]])
    #expect(try database.query("PRAGMA integrity_check") == [[.text("ok")]])
    #expect(throws: (any Error).self) { try database.exec("INSERT INTO t VALUES (1000, 'c9', 1)") }
    #expect(try database.query("SELECT name FROM sqlite_master WHERE name LIKE '%schemakit_online%'") == [])
  }

  @Test(
    "a row that equals one copied long before stops the run and is named",
    arguments: [
      (ApplyProgress.Activity.copying, unique), (.comparing, unique),
      (
        .comparing,
        "CREATE TABLE t (id INTEGER PRIMARY KEY, code TEXT, other INTEGER); CREATE UNIQUE INDEX i ON t (other) WHERE other > 0"
      ),
    ])
  func duplicates(activity: ApplyProgress.Activity, sql: String) throws {
    let isIndex = sql != Self.unique
    let index = isIndex ? "CREATE UNIQUE INDEX i ON t (other) WHERE other > 0" : ""
    let database = try TemporaryDatabase(Self.fill + index)
    let writer = try database.reopened()
    let error = #expect(throws: PlanError.self) {
      try migrate(database, to: sql, during: activity) {
        // Another text, and the same number.
        try writer.exec("UPDATE t SET \(isIndex ? "other = '7.0'" : "code = 'c7'") WHERE id = 590")
      }
    }
    guard case .refused(_, let hazards) = error?.reason else { throw try #require(error) }
    let refused = hazards.filter { $0.hazardClass == .blocked }
    #expect(refused.map(\.code) == [.duplicates])
    #expect(Set(refused.flatMap(\.samples)).isSubset(of: ["7", "590"]), "\(refused.map(\.samples))")
    #expect(try database.query("SELECT count(*) FROM t") == [[.int(600)]])
    #expect(try database.query("SELECT name FROM sqlite_master WHERE name LIKE '%schemakit_online%'") == [])
    #expect(try database.query("PRAGMA integrity_check") == [[.text("ok")]])
  }

  @Test(
    "the indexes of constraints come and go, and keep what belongs to them",
    arguments: [
      ("id INTEGER PRIMARY KEY, a TEXT UNIQUE, b TEXT, c", "id INTEGER PRIMARY KEY, a TEXT, b TEXT UNIQUE, c"),
      ("id INTEGER PRIMARY KEY, a TEXT, b TEXT, c", "id INTEGER PRIMARY KEY, a TEXT UNIQUE, b TEXT UNIQUE, c"),
      (
        "id INTEGER PRIMARY KEY, a TEXT UNIQUE, b TEXT, c, UNIQUE (b, c)",
        "id INTEGER PRIMARY KEY, a TEXT, b TEXT, c, UNIQUE (b, c), UNIQUE (c, b), UNIQUE (a)"
      ),
      ("id INTEGER PRIMARY KEY, a TEXT, b TEXT, c", "id TEXT PRIMARY KEY, a TEXT, b TEXT UNIQUE, c"),
      ("id, a TEXT PRIMARY KEY, b TEXT, c", "id, a TEXT UNIQUE, b TEXT PRIMARY KEY DESC, c"),
      (
        "id INTEGER PRIMARY KEY, a TEXT UNIQUE, b TEXT, c",
        "id INTEGER PRIMARY KEY, a TEXT COLLATE NOCASE UNIQUE, b INTEGER, c, UNIQUE (a), UNIQUE (b, a)"
      ),
    ])
  func constraints(before: String, after: String) throws {
    let fill = """
      PRAGMA journal_mode = WAL; CREATE TABLE t (\(before)); CREATE INDEX i_b ON t (b, c); CREATE INDEX i_a ON t (a DESC);
      INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
        SELECT i, 'a' || i, (i * 7) % 401, 'c' || (i % 9) FROM n;
      ANALYZE;
      """
    let database = try TemporaryDatabase(fill)
    let judge = try TemporaryDatabase(fill)
    let sql = "CREATE TABLE t (\(after)); CREATE INDEX i_b ON t (b, c); CREATE INDEX i_a ON t (a DESC)"
    let writes = """
      UPDATE t SET b = 1000 + b, c = 'new' WHERE rowid % 50 = 3; DELETE FROM t WHERE rowid % 70 = 5;
      INSERT INTO t (a, b, c) VALUES ('A new one', 5000, 'c1');
      """
    let writer = try database.reopened()
    let plan = try database.plan(to: sql, strategy: .online)
    #expect(plan.steps.contains { $0.strategy == .online }, "\(plan.steps.map(\.strategy))")
    try migrate(database, to: sql, during: .copying) { try writer.exec(writes) }
    writer.close()
    try judge.exec(writes)
    try judge.migrate(to: sql, allowing: OnlineScene.policy(.rebuild))
    for query in [
      "SELECT rowid, * FROM t ORDER BY rowid",
      "SELECT name, tbl_name FROM sqlite_master WHERE type = 'index' ORDER BY name",
      "SELECT name, \"unique\", origin, partial FROM pragma_index_list('t') ORDER BY name",
      "SELECT a FROM t ORDER BY a", "SELECT b, c FROM t ORDER BY b, c",
    ] {
      let (found, expected) = (try database.query(query), try judge.query(query))
      #expect(found == expected, "\(query)")
    }
    #expect(try database.query("PRAGMA integrity_check") == [[.text("ok")]])
    #expect(try database.query("SELECT name FROM sqlite_master WHERE name LIKE '%schemakit_online%'") == [])
    // SQLite would attribute the statistics of a number to whichever constraint has it now.
    let stale = try database.query(
      "SELECT idx FROM sqlite_stat1 WHERE idx LIKE 'sqlite_autoindex%' AND idx NOT IN (SELECT name FROM sqlite_master)")
    #expect(stale == [])
    _ = try database.query("ANALYZE")
  }

  @Test("many such changes of one file leave its catalog readable, and its rows numbered without gaps that grow")
  func manyExchanges() throws {
    let database = try TemporaryDatabase(Self.fill)
    for round in 0..<12 {
      let type = round % 2 == 0 ? "INTEGER" : "TEXT"
      let sql = "CREATE TABLE t (id INTEGER PRIMARY KEY, code TEXT UNIQUE, other \(type) UNIQUE)"
      var policy = OnlineScene.policy()
      policy.allowsDowngrade = true
      try database.migrate(to: sql, allowing: policy)
    }
    let last = try database.query("SELECT max(rowid) FROM sqlite_master")
    guard case .int(let number)? = last.first?.first else { throw CancellationError() }
    #expect(number < 300)
    #expect(try database.query("PRAGMA integrity_check") == [[.text("ok")]])
  }

  @Test("an index holds every kind of value, NULL too, in the order of its collations", arguments: [0, 3])
  func everyValue(most: Int) throws {
    let fill = """
      PRAGMA journal_mode = WAL;
      CREATE TABLE t (id INTEGER PRIMARY KEY, a, b TEXT COLLATE NOCASE, r TEXT, n NUMERIC);
      INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900) SELECT i,
        CASE i % 6 WHEN 0 THEN NULL WHEN 1 THEN i WHEN 2 THEN i / 7.0 WHEN 3 THEN 'x' || i WHEN 4 THEN x'00ff' ELSE '' END,
        CASE i % 5 WHEN 0 THEN NULL WHEN 1 THEN 'Abc' || (i % 50) ELSE 'aBC' || (i % 70) END,
        CASE i % 4 WHEN 0 THEN NULL ELSE (i % 40) || '.0' END, CASE i % 3 WHEN 0 THEN 9007199254740993 ELSE i / 3.0 END FROM n;
      """
    let sql = """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a, b TEXT COLLATE NOCASE, r REAL, n NUMERIC);
      CREATE INDEX i1 ON t (a, r DESC); CREATE INDEX i2 ON t (b COLLATE RTRIM DESC, r, a) WHERE r > 3;
      CREATE INDEX i3 ON t (b, n, r); CREATE INDEX i4 ON t (r, id, r); CREATE INDEX i5 ON t (r || b, r COLLATE NOCASE);
      """
    let database = try TemporaryDatabase(fill)
    let writer = try database.reopened()
    let writes = """
      UPDATE t SET r = NULL, a = 7.5 WHERE id % 40 < \(most); UPDATE t SET b = NULL, r = '8.0' WHERE id % 41 < \(most)
      """
    try migrate(database, to: sql, during: .indexing) { try writer.exec(writes) }
    writer.close()
    #expect(try database.query("PRAGMA integrity_check") == [[.text("ok")]])
    let orders = ["i1": "a, r DESC", "i2": "b COLLATE RTRIM DESC, r, a", "i3": "b, n, r", "i4": "r, id"]
    for (index, columns) in orders {
      let which = index == "i2" ? "WHERE r > 3" : ""
      func rows(_ hint: String) throws -> [[RawValue]] {
        try database.query(
          "SELECT quote(a), quote(b), quote(r), quote(n), id FROM t \(hint) \(which) ORDER BY \(columns), id")
      }
      let (found, expected) = (try rows("INDEXED BY \(index)"), try rows("NOT INDEXED"))
      #expect(found == expected, "\(index)")
    }
    #expect(try database.query("SELECT typeof(r) FROM t WHERE r = 7 LIMIT 1") == [[.text("real")]])
  }

  @Test("collations are the same however they are written, and an expression has none of a column")
  func collations() throws {
    let database = try TemporaryDatabase(
      """
      PRAGMA journal_mode = WAL; CREATE TABLE t (a TEXT COLLATE binary UNIQUE, b TEXT COLLATE nocase, r TEXT);
      CREATE INDEX i ON t (r COLLATE binary, b); CREATE INDEX j ON t (b COLLATE NoCase);
      INSERT INTO t VALUES ('A', 'A', '1.0'), ('a', 'a', '2.0');
      """)
    let sql = """
      CREATE TABLE t (a TEXT COLLATE BINARY UNIQUE, b TEXT COLLATE NOCASE, r REAL);
      CREATE INDEX i ON t (r, b COLLATE nocase); CREATE INDEX j ON t (b); CREATE UNIQUE INDEX u ON t (CAST(b AS TEXT));
      """
    let report = try database.migrate(to: sql, allowing: OnlineScene.policy())
    #expect(report.plan.steps.map(\.strategy).contains(.online))
    #expect(try database.query("PRAGMA integrity_check") == [[.text("ok")]])
    #expect(try database.query("SELECT count(*) FROM t WHERE CAST(b AS TEXT) = 'a' COLLATE BINARY") == [[.int(1)]])
  }

  @Test("rows that are copied again for an index are not taken for rows that others wrote")
  func ownRows() throws {
    let database = try TemporaryDatabase(
      """
      PRAGMA journal_mode = WAL; CREATE TABLE t (id INTEGER PRIMARY KEY, r TEXT, legacy TEXT); CREATE INDEX i ON t (r);
      INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400) SELECT i, NULL, 'old' FROM n;
      """)
    var policy = PlanPolicy.destructive
    policy.strategy = .online
    let sql = "CREATE TABLE t (id INTEGER PRIMARY KEY, r REAL); CREATE INDEX i ON t (r)"
    let report = try database.migrate(to: sql, allowing: policy)
    #expect(report.plan.steps.map(\.strategy) == [.online])
    #expect(report.notes.filter { $0.hasPrefix("Others wrote") } == [])
    #expect(try database.query("SELECT count(*) FROM t INDEXED BY i WHERE r IS NULL") == [[.int(400)]])
  }

  @Test("a new index is filled with the copy, not under the lock of the end")
  func newIndexes() throws {
    let database = try TemporaryDatabase(Self.fill)
    let writer = try database.reopened()
    let sql = """
      CREATE TABLE t (id INTEGER PRIMARY KEY, code TEXT, other INTEGER, more TEXT DEFAULT 'x');
      CREATE INDEX IF NOT EXISTS main.by_other ON t (other DESC, more) WHERE code > 'c1';
      CREATE UNIQUE INDEX "by ""code" ON t (upper(code));
      """
    let plan = try database.plan(to: sql, strategy: .online)
    #expect(plan.steps.map(\.strategy) == [.online, .create, .create])
    #expect(plan.steps.dropFirst().allSatisfy { $0.statements.isEmpty })
    try migrate(database, to: sql, during: .copying) {
      try writer.exec("UPDATE t SET code = 'c1000' WHERE id = 590; DELETE FROM t WHERE id = 3")
    }
    #expect(try database.plan(to: sql).isEmpty)
    #expect(try database.query("PRAGMA integrity_check") == [[.text("ok")]])
    #expect(try database.query("SELECT id FROM t WHERE upper(code) = 'C1000'") == [[.int(590)]])
    #expect(
      try database.query("SELECT sql FROM sqlite_master WHERE type = 'index' ORDER BY name") == [
        [.text("CREATE UNIQUE INDEX \"by \"\"code\" ON t (upper(code))")],
        [.text("CREATE INDEX by_other ON t (other DESC, more) WHERE code > 'c1'")],
      ])
    #expect(throws: (any Error).self) { try database.exec("INSERT INTO t (code) VALUES ('C9')") }
  }

  @Test(
    "an index whose entries are not those of the rows stops the run",
    arguments: [
      "INSERT INTO _schemakit_online_fill_2_t VALUES ('zzz', 99999)",
      "DELETE FROM _schemakit_online_fill_2_t WHERE row = 1",
      "UPDATE _schemakit_online_fill_2_t SET k0 = upper(k0) WHERE row = 1",
      "UPDATE _schemakit_online_fill_2_t SET k0 = 'c99999' WHERE row = 1",
    ])
  func damagedEntries(damage: String) throws {
    let database = try TemporaryDatabase(Self.fill)
    let writer = try database.reopened()
    let before = try database.query("SELECT * FROM t")
    let sql = """
      CREATE TABLE t (id INTEGER PRIMARY KEY, code TEXT, other INTEGER, more TEXT DEFAULT 'x');
      CREATE INDEX a ON t (other); CREATE INDEX b ON t (code COLLATE NOCASE);
      """
    var isDamaged = false
    let error = #expect(throws: ApplyError.self) {
      try database.migrate(to: sql, allowing: OnlineScene.policy()) { options in
        options.observer.onProgress = {
          guard $0.activity == .indexing, !isDamaged else { return }
          isDamaged = (try? writer.exec(damage)) != nil
        }
      }
    }
    writer.close()
    guard case .verification = error?.reason else { throw try #require(error) }
    #expect(try database.query("SELECT * FROM t") == before)
    #expect(try database.query("SELECT name FROM sqlite_master WHERE name LIKE '\\_schemakit%' ESCAPE '\\'") == [])
  }

  @Test("without others the same plan runs in one transaction, and refuses rows that are not distinct")
  func oneTransaction() throws {
    let database = try TemporaryDatabase(Self.fill)
    let report = try database.migrate(to: Self.unique, allowing: OnlineScene.policy()) { $0.isDryRun = true }
    #expect(report.plan.steps.map(\.strategy) == [.online])
    #expect(try database.query("SELECT name FROM sqlite_master WHERE type = 'index'") == [])
    try database.exec("UPDATE t SET code = 'c1' WHERE id = 2")
    #expect(throws: PlanError.self) { try database.migrate(to: Self.unique, allowing: OnlineScene.policy()) }
  }
}

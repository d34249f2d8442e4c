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
      ("id INTEGER PRIMARY KEY, a TEXT UNIQUE, b TEXT UNIQUE, c", "id INTEGER PRIMARY KEY, a TEXT, b TEXT, c"),
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

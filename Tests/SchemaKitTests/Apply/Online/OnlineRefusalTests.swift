import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("What is not copied online")
struct OnlineRefusalTests {
  private func rejection(_ before: String, _ after: String, hints: MigrationHints? = nil) throws -> Rejection? {
    let database = try TemporaryDatabase("PRAGMA journal_mode = WAL; " + before)
    let plan = try database.plan(to: after, hints: hints, strategy: .online)
    #expect(plan.hazards.contains { $0.code == .notOnline && $0.hazardClass == .blocked })
    return plan.steps.flatMap(\.passedOver).first { $0.strategy == .online }?.rejections.first
  }

  @Test(
    "a change that needs more than the rows is refused, and the step says why",
    arguments: [
      (
        "CREATE TABLE t (id TEXT PRIMARY KEY, a TEXT) WITHOUT ROWID; INSERT INTO t VALUES (1, '1');",
        "CREATE TABLE t (id TEXT PRIMARY KEY, a INTEGER) WITHOUT ROWID;", Rejection.Code.withoutRowIDIsIndex
      ),
      (
        "CREATE TABLE t (id INTEGER, a TEXT); INSERT INTO t VALUES (1, '1');",
        "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);", .primaryKeyChanges
      ),
      (
        "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); INSERT INTO t VALUES (1, '1');",
        "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a INT);", .primaryKeyChanges
      ),
      (
        "CREATE TABLE t (id TEXT PRIMARY KEY, a TEXT); CREATE TABLE c (t REFERENCES t); INSERT INTO t VALUES (1, '1');",
        "CREATE TABLE t (id TEXT, a INT PRIMARY KEY); CREATE TABLE c (t REFERENCES t);", .referencesChange
      ),
      (
        "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); CREATE TABLE c (t REFERENCES t (id)); INSERT INTO t VALUES (1, '1');",
        "CREATE TABLE t (id INTEGER, a INTEGER); CREATE TABLE c (t REFERENCES t (id));", .referencesChange
      ),
      (
        "CREATE TABLE t (a TEXT PRIMARY KEY, b, UNIQUE (a)); CREATE TABLE c (t REFERENCES t (a)); INSERT INTO t VALUES (1, '1');",
        "CREATE TABLE t (a TEXT, b INTEGER UNIQUE); CREATE TABLE c (t REFERENCES t (a));", .referencesChange
      ),
      (
        "CREATE TABLE t (id INTEGER PRIMARY KEY, a UNIQUE, b TEXT); CREATE TABLE c (t REFERENCES t (a)); INSERT INTO t VALUES (1, 1, 2);",
        "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b INTEGER); CREATE TABLE c (t REFERENCES t (a));", .referencesChange
      ),
      (
        "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b); CREATE UNIQUE INDEX i ON t (b + 1); INSERT INTO t VALUES (1, '1', 2);",
        "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b); CREATE UNIQUE INDEX i ON t (b + 1);", .uniqueExpression
      ),
      (
        "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, p); INSERT INTO t VALUES (1, '1', NULL);",
        "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, p REFERENCES p);",
        .referencesChange
      ),
      (
        "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b AS (id % 9) UNIQUE); INSERT INTO t VALUES (1, '1');",
        "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b AS (id % 9) UNIQUE);", .replacedUnseen
      ),
      (
        """
        CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b UNIQUE, c); INSERT INTO t VALUES (1, '1', 2, 3);
        CREATE TRIGGER r BEFORE UPDATE OF c ON t BEGIN UPDATE t SET b = NEW.c WHERE id = NEW.id; END;
        """,
        """
        CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b UNIQUE, c);
        CREATE TRIGGER r BEFORE UPDATE OF c ON t BEGIN UPDATE t SET b = NEW.c WHERE id = NEW.id; END;
        """, .replacedUnseen
      ),
      (
        "CREATE TABLE t (rowid, oid, _rowid_, a TEXT); INSERT INTO t VALUES (1, 2, 3, '1');",
        "CREATE TABLE t (rowid, oid, _rowid_, a INTEGER);", .rowIDsCannotBeNamed
      ),
    ])
  func rejected(before: String, after: String, code: Rejection.Code) throws {
    #expect(try rejection(before, after)?.code == code)
  }

  @Test("a rollback journal and an open transaction are refused before anything is written")
  func surroundings() throws {
    let database = try TemporaryDatabase(OnlineScene.before + "INSERT INTO t (id, code) VALUES (1, '2');")
    for isInTransaction in [false, true] {
      let connection = try SQLiteConnection(path: database.path, mode: .readWrite)
      if isInTransaction { try connection.execute("BEGIN IMMEDIATE") }
      var request = ChangeRequest()
      request.plan.policy = OnlineScene.policy()
      let target = try TemporaryDatabase.target(OnlineScene.after)
      let error = #expect(throws: PlanError.self) {
        try Change(over: connection, to: target, request).apply()
      }
      guard case .refused(_, let hazards) = error?.reason else { throw try #require(error) }
      #expect(hazards.map(\.code) == [.notOnline])
    }
    #expect(try database.query("SELECT name FROM sqlite_master WHERE name LIKE '\\_schemakit%' ESCAPE '\\'") == [])
  }

  @Test("a change of another table, by what its rows were a while ago, is refused beside an online copy")
  func otherTable() throws {
    let database = try TemporaryDatabase(
      "PRAGMA journal_mode = WAL; CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); CREATE TABLE u (v); "
        + "INSERT INTO t VALUES (1, '1');")
    let plan = try database.plan(
      to: "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER); CREATE TABLE u (v NOT NULL);", strategy: .online)
    #expect(plan.hazards.filter { $0.code == .notOnline }.map(\.table) == ["u"])
    let alone = try database.plan(
      to: "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER); CREATE TABLE u (v); CREATE TABLE w (x);",
      strategy: .online)
    #expect(alone.hazards.allSatisfy { $0.hazardClass != .blocked })
    for column in ["w NOT NULL", "w CHECK (w > 0)", "w DEFAULT (random())", "w AS (v) NOT NULL"] {
      let plan = try database.plan(
        to: "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER); CREATE TABLE u (v, \(column));", strategy: .online)
      #expect(plan.hazards.filter { $0.code == .notOnline }.map(\.table) == ["u"], "\(column)")
    }
    guard Engine.has(.strict) else { return }
    try database.exec("DROP TABLE u; CREATE TABLE u (v TEXT) STRICT")
    let strict = try database.plan(
      to: "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER); CREATE TABLE u (v TEXT, w TEXT) STRICT;",
      strategy: .online)
    #expect(strict.hazards.filter { $0.code == .notOnline }.map(\.table) == ["u"])
  }

  @Test("beside an online copy columns are added, and dropped from a table that gets its first rows meanwhile")
  func besideEmptyTable() throws {
    let database = try TemporaryDatabase(
      """
      PRAGMA journal_mode = WAL;
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);
      CREATE TABLE u (id INTEGER PRIMARY KEY, v, old);
      CREATE TABLE w (x);
      INSERT INTO t VALUES (1, '1');
      """)
    let writer = try database.reopened()
    let policy = OnlineScene.policy()
    var isWritten = false
    let report = try database.migrate(
      to: """
        CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER);
        CREATE TABLE u (id INTEGER PRIMARY KEY, v);
        CREATE TABLE w (x, y, z NOT NULL DEFAULT 7);
        """, allowing: policy
    ) { request in
      request.observer.onProgress = { progress in
        guard progress.activity == .copying, progress.step.object.name == "t", !isWritten else { return }
        isWritten = true
        try? writer.exec("INSERT INTO u (v) VALUES (1); INSERT INTO w VALUES (2)")
      }
    }
    writer.close()
    #expect(report.plan.steps.map(\.strategy) == [.online, .online, .native])
    #expect(try database.query("SELECT * FROM u") == [[.int(1), .int(1)]])
    #expect(try database.query("SELECT * FROM w") == [[.int(2), .null, .int(7)]])
  }

  @Test("a write that the new schema refuses stops the run, names its row, and leaves the file as it was")
  func refusedWrite() throws {
    let scene = try OnlineScene(rows: 500)
    let writer = try scene.database.reopened()
    let strict = OnlineScene.after.replacing("UNIQUE (name)", with: "UNIQUE (name), CHECK (qty < 1000)")
    var isWritten = false
    let error = #expect(throws: PlanError.self) {
      try scene.migrate(
        to: strict,
        observing: { observer in
          observer.onProgress = { progress in
            // In the middle of the copy, where the new table itself refuses it.
            guard progress.activity == .copying else { return }
            if !isWritten { isWritten = (try? writer.exec("UPDATE t SET qty = 5000 WHERE id = 1470")) != nil }
          }
        })
    }
    guard case .refused(_, let hazards) = error?.reason else { throw try #require(error) }
    #expect(hazards.first { $0.code == .failingCheck }?.samples == ["1470"])
    #expect(try scene.traces() == [])
    #expect(try scene.database.query("SELECT qty FROM t WHERE id = 1470") == [[.int(5000)]])
    try scene.judge.exec("UPDATE t SET qty = 5000 WHERE id = 1470")
    let differences = try scene.differences()
    #expect(differences == [])
  }

  @Test("a value that a write puts into a column that goes needs consent, as if it had been there before")
  func valueWrittenMeanwhile() throws {
    let database = try TemporaryDatabase(
      "PRAGMA journal_mode = WAL; CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT); "
        + "INSERT INTO t VALUES (1, '1', NULL), (2, '2', NULL);")
    let writer = try database.reopened()
    var isWritten = false
    let error = #expect(throws: PlanError.self) {
      try database.migrate(to: "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER)", allowing: OnlineScene.policy()) {
        $0.observer.onProgress = { progress in
          guard progress.activity == .copying, !isWritten else { return }
          isWritten = (try? writer.exec("UPDATE t SET b = 'new' WHERE id = 2")) != nil
        }
      }
    }
    guard case .refused(_, let hazards) = error?.reason else { throw try #require(error) }
    #expect(hazards.map(\.code) == [.droppedColumn], "\(hazards.map(\.message)) \(error.map { "\($0)" } ?? "")")
    #expect(hazards.first?.samples == ["2"])
    #expect(
      try database.query("SELECT * FROM t") == [[.int(1), .text("1"), .null], [.int(2), .text("2"), .text("new")]])
  }

  @Test("a schema that somebody changes meanwhile ends the run")
  func disturbed() throws {
    let scene = try OnlineScene(rows: 500)
    let other = try scene.database.reopened()
    var isDone = false
    let error = #expect(throws: ApplyError.self) {
      try scene.migrate(observing: { observer in
        observer.onProgress = { progress in
          guard progress.activity == .copying, !isDone else { return }
          isDone = (try? other.exec("CREATE TABLE others (a)")) != nil
        }
      })
    }
    guard case .onlineCopyDisturbed = error?.reason else { throw try #require(error) }
    #expect(try scene.traces() == [])
  }

  @Test("while a run is at work, another change is refused, and a program of the old schema opens the file")
  func others() throws {
    let scene = try OnlineScene(rows: 500)
    var outcomes: [String] = []
    func outcome(_ sql: String, _ strategy: StrategyChoice) -> String {
      do {
        return "\(try scene.database.migrate(to: sql, allowing: OnlineScene.policy(strategy)).outcome)"
      } catch let error as ApplyError {
        if case .onlineCopyRunning = error.reason { return "running" }
        return "\(error)"
      } catch { return "\(error)" }
    }
    try scene.migrate(observing: { observer in
      observer.onProgress = { progress in
        guard progress.activity == .copying, outcomes.isEmpty else { return }
        outcomes = [
          outcome(OnlineScene.after, .online), outcome(OnlineScene.after, .auto), outcome(OnlineScene.before, .auto),
        ]
      }
    })
    #expect(outcomes == ["running", "running", "unchanged"])
    try scene.judge.migrate(to: OnlineScene.after, allowing: OnlineScene.policy(.rebuild))
    let differences = try scene.differences()
    #expect(differences == [])
  }

  @Test("a reader that holds the log is waited for, and then the run ends without a trace")
  func pinnedReader() throws {
    let scene = try OnlineScene(rows: 20_000)
    let reader = try scene.database.reopened()
    try reader.exec("BEGIN")
    _ = try reader.rows("SELECT count(*) FROM t")
    let limit: Int64 = 1 << 20
    var waits: [ApplyProgress] = []
    let error = #expect(throws: ApplyError.self) {
      try scene.migrate(
        limits: {
          $0.lock = .milliseconds(1)
          $0.log = limit
          $0.logWait = .seconds(3)
        }, observing: { $0.onProgress = { if $0.activity == .waiting { waits.append($0) } } })
    }
    // It says so, once a second.
    #expect(!waits.isEmpty && waits.allSatisfy { $0.elapsed >= .seconds(1) && $0.step.object.name == "t" })
    guard case .logNotCheckpointed(let bytes, let allowed, _) = error?.reason else { throw try #require(error) }
    #expect(allowed == limit && bytes > limit / 4 * 3)
    try reader.exec("COMMIT")
    reader.close()
    #expect(try scene.traces() == [])
    let differences = try scene.differences()
    #expect(differences == [])
  }

  @Test("while another connection makes a checkpoint, the log counts as full")
  func checkpointByAnother() throws {
    let scene = try OnlineScene(rows: 2_000)
    let reader = try scene.database.reopened()
    try reader.exec("BEGIN")
    _ = try reader.rows("SELECT count(*) FROM t")
    // A checkpoint that waits for the reader keeps others from making one, which would tell how full the log is.
    let ended = DispatchSemaphore(value: 0)
    let path = scene.database.path
    let writer = try scene.database.reopened()
    try writer.exec("PRAGMA wal_autocheckpoint = 0; UPDATE t SET note = note || zeroblob(900)")
    DispatchQueue(label: "checkpoint").async {
      defer { ended.signal() }
      guard let other = try? RawSQLite(path) else { return }
      try? other.exec("PRAGMA busy_timeout = 20000")
      // While the writer makes one of its own, it is refused at once.
      for _ in 0..<10_000 {
        if (try? other.rows("PRAGMA wal_checkpoint(FULL)").first?.first) == .int(0) { return }
        usleep(100)
      }
    }
    while try writer.rows("PRAGMA wal_checkpoint(PASSIVE)").first?.first != .int(1) { usleep(1000) }
    var limits = OnlineLimits()
    limits.log = 1 << 20
    limits.logWait = .milliseconds(100)
    let budget = LogBudget(connection: try SQLiteConnection(path: path, mode: .readWrite), limits: limits)
    let error = #expect(throws: ApplyError.self) { try budget.wait() }
    guard case .logNotCheckpointed(let bytes, _, _) = error?.reason else { throw try #require(error) }
    #expect(bytes > 1 << 20)
    try reader.exec("COMMIT")
    reader.close()
    ended.wait()
    try budget.wait()
  }

  @Test("a run of another machine counts as alive for a minute after the silence that it has announced")
  func announcedSilence() throws {
    let file = try TemporaryDatabase()
    let connection = try SQLiteConnection(path: file.path, mode: .readWrite)
    let journal = OnlineJournal(connection: connection)
    try journal.begin("", tables: ["t"], owner: "elsewhere/1/1")
    for (silence, passed, isAlive) in [(0, 50, true), (0, 100, false), (600, 650, true), (600, 700, false)]
      as [(Int64, Int64, Bool)]
    {
      try journal.beat(owner: "elsewhere/1/1", table: "t", silence: silence)
      try connection.run("UPDATE _schemakit_online SET heard = heard - ?1", [.integer(passed)])
      #expect(try journal.isRunning() == isAlive, "\(silence) \(passed)")
    }
  }

  @Test("a disk that others fill meanwhile stops the run, and one with the room that was said to be needed does not")
  func diskFills() throws {
    let scene = try OnlineScene(rows: 20_000)
    let path = scene.database.path
    func taken() -> Int64 {
      ["", "-wal"].reduce(0) {
        $0 + ((try? FileManager.default.attributesOfItem(atPath: path + $1)[.size] as? Int64) ?? 0)
      }
    }
    for isFilling in [true, false] {
      var others: Int64 = 0
      // What was said is an estimate. A run that was stopped leaves its pages to the next.
      let (needed, before) = (try scene.neededRoom() * 3 / 2, taken())
      func migrate() throws {
        try scene.database.migrate(to: OnlineScene.after, allowing: OnlineScene.policy()) { request in
          request.online.lock = .milliseconds(5)
          request.freeSpace = { _ in max(0, needed - others - (taken() - before)) }
          request.observer.onProgress = { progress in
            guard progress.activity == .copying, isFilling, others == 0 else { return }
            others = needed
          }
        }
      }
      if isFilling {
        let error = #expect(throws: PlanError.self) { try migrate() }
        guard case .refused(_, let hazards) = error?.reason else { throw try #require(error) }
        #expect(hazards.map(\.code) == [.lackingSpace])
        #expect(others > 0)
        #expect(try scene.traces() == [])
      } else {
        try migrate()
      }
    }
    try scene.judge.migrate(to: OnlineScene.after, allowing: OnlineScene.policy(.rebuild))
    let differences = try scene.differences()
    #expect(differences == [])
  }
}

import Foundation
import SchemaKitRemote
import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitOperations

/// The leader is killed while a table is copied. SCHEMAKIT_CLUSTER_KILLS says how often, and SCHEMAKIT_PROPERTY_SEED where the
/// random numbers begin.
@Suite("dqlite: the leader is killed during a change", .enabled(if: DqliteCluster.isWanted), .serialized)
struct DqliteKillTests {
  private static let before = """
    CREATE TABLE item (id INTEGER PRIMARY KEY, name TEXT, at DATETIME);
    CREATE TABLE part (id INTEGER PRIMARY KEY, item INTEGER REFERENCES item ON DELETE CASCADE);
    CREATE TABLE log (n INTEGER PRIMARY KEY, text TEXT);
    CREATE INDEX item_name ON item (name);
    """
  private static let after = before.replacing("name TEXT, at", with: "name TEXT NOT NULL CHECK (name <> ''), at")

  /// A busy machine can cost the leader its role without any kill: what may be there is not written again.
  private static func fill(_ connection: DqliteConnection, rows: Int) throws {
    let statements = [
      before.replacing("CREATE TABLE", with: "CREATE TABLE IF NOT EXISTS").replacing(
        "CREATE INDEX", with: "CREATE INDEX IF NOT EXISTS"),
      """
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT \(rows))
      INSERT OR IGNORE INTO item SELECT i, 'name ' || i, CASE i % 3 WHEN 0 THEN i / 2.0 WHEN 1 THEN 'x' END FROM n
      """,
      "INSERT OR IGNORE INTO part SELECT id, id FROM item",
    ]
    for statement in statements {
      for attempt in 1...10 {
        do {
          try connection.execute(statement)
          break
        } catch let error as RemoteError {
          if attempt == 10 { throw error }
        }
      }
    }
  }

  /// Inserts rows all the time, and notes which of them were acknowledged.
  private final class Writer: @unchecked Sendable {
    private let lock = NSLock()
    private var acknowledged: [Int64] = []
    private var isEnding = false
    private let ended = DispatchSemaphore(value: 0)

    init(_ connection: @escaping @Sendable () throws -> DqliteConnection) {
      Thread.detachNewThread { [self] in
        var number: Int64 = 0
        let writer = try? connection()
        while !lock.withLock({ isEnding }) {
          number += 1
          if (try? writer?.run("INSERT INTO log VALUES (?1, 'x')", [.integer(number)])) == 1 {
            lock.withLock { acknowledged.append(number) }
          }
          usleep(2_000)
        }
        ended.signal()
      }
    }

    /// Ends it, and returns the rows that were acknowledged.
    func end() -> [Int64] {
      lock.withLock { isEnding = true }
      ended.wait()
      return lock.withLock { acknowledged }
    }
  }

  /// Tells when a COMMIT is about to be sent.
  private final class CommitWatch: SQLConnection {
    private let base: DqliteConnection
    private let onCommit: () -> Void

    init(over base: DqliteConnection, onCommit: @escaping () -> Void) {
      self.base = base
      self.onCommit = onCommit
    }

    var engineVersionNumber: Int { base.engineVersionNumber }
    var isInTransaction: Bool { base.isInTransaction }
    func execute(_ sql: String) throws { try base.execute(sql) }
    func prepareOnly(_ sql: String) throws { try base.prepareOnly(sql) }

    func run(_ sql: String, _ bindings: [SQLValue]) throws -> Int {
      if sql == "COMMIT", try base.integer("SELECT count(*) FROM sqlite_schema WHERE sql LIKE '%NOT NULL CHECK%'") != 0
      {
        onCommit()
      }
      return try base.run(sql, bindings)
    }

    func forEachRow(_ sql: String, _ bindings: [SQLValue], _ body: ([SQLValue]) throws -> Void) throws {
      try base.forEachRow(sql, bindings, body)
    }
  }

  /// Kills a node from another thread, after some microseconds.
  private static func kill(_ node: Int, of cluster: DqliteCluster, after delay: UInt32) {
    Thread.detachNewThread {
      usleep(delay)
      cluster.tell("kill", node)
    }
  }

  @Test("the database is wholly old or wholly new, no acknowledged row is lost, and the next run converges")
  func kills() throws {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["SCHEMAKIT_CLUSTER_KILLS"].flatMap { Int($0) } ?? 12
    let rows = count > 50 ? 100_000 : 20_000
    let seed = environment["SCHEMAKIT_PROPERTY_SEED"].flatMap { Int($0) } ?? 26
    var random = SeededGenerator(seed: seed)
    var cluster = try DqliteCluster(latency: 40)
    let target = try SchemaSource.sql(Self.after, source: "schema.sql").load().target
    var outcomes: [String: Int] = [:]
    for number in 0..<count {
      // Nodes hold all their databases in memory, and copy them all again and again.
      if number % 12 == 0, number > 0 { cluster = try DqliteCluster(latency: 40) }
      let name = "kill\(number)"
      var limits = DqliteConnection.Limits()
      limits.busy = 30
      let connection = try cluster.connection(to: name, limits: limits)
      try Self.fill(connection, rows: rows)
      let sum = "SELECT sum(id), sum(length(name)), count(at), total(at) FROM item"
      let content = try connection.rows(sum)
      let writer = Writer { [limits, cluster] in try cluster.connection(to: name, limits: limits) }
      let moment = number % 12
      let delay = UInt32.random(in: 0..<UInt32(rows), using: &random)
      let leader = try #require(cluster.addresses.firstIndex(of: connection.leader ?? "")) + 1
      var request = ChangeRequest()
      request.observer.onLocked = { [cluster] in
        if moment == 0 { cluster.tell("kill", leader) }
      }
      // Before the statement, or, every other time, within it or after it.
      let isLate = (number / 12 + number) % 2 == 1
      request.observer.onStatement = { [cluster] in
        guard $0 == moment else { return }
        if isLate { Self.kill(leader, of: cluster, after: delay) } else { cluster.tell("kill", leader) }
      }
      let watched = CommitWatch(over: connection) { [cluster] in
        if moment > 7 { Self.kill(leader, of: cluster, after: delay) }
      }
      var first = "applied"
      do {
        _ = try Change(over: watched, to: target, request).apply()
      } catch let error as RemoteError {
        first = if case .outcomeUnknown = error.reason { "unknown" } else { "lost" }
      } catch is ApplyError where connection.lostTransactions > 0 {
        // What could not be sent passed for what cannot be compiled.
        first = "lost"
      }
      // One that comes late has come by then.
      usleep(500_000)
      // A new connection sees one of the two schemas, and all rows.
      let seen = try cluster.connection(to: name, limits: limits)
      let isNew = try Change(over: seen, to: target).plan().isEmpty
      #expect(isNew || first != "applied", "\(number)")
      outcomes["\(first), \(isNew ? "new" : "old")", default: 0] += 1
      #expect(try seen.rows(sum) == content, "\(number)")
      #expect(try seen.texts("SELECT name FROM sqlite_schema WHERE name LIKE '%schemakit!_new%' ESCAPE '!'").isEmpty)
      let report = try RemoteDatabase(over: seen).migrate(to: target, ChangeRequest())
      #expect(report.outcome == (isNew ? .unchanged : .applied), "\(number)")
      cluster.tell("start", leader)
      let acknowledged = writer.end()
      let last = try cluster.connection(to: name, limits: limits)
      let stored = Set(try last.rows("SELECT n FROM log").compactMap { $0[0].integer })
      #expect(stored.isSuperset(of: acknowledged), "\(number): \(Set(acknowledged).subtracting(stored))")
      #expect(try last.rows(sum) == content, "\(number)")
      #expect(try last.integer("SELECT count(*) FROM part") == Int64(rows))
      #expect(try last.texts("PRAGMA integrity_check") == ["ok"])
      #expect(try Ledger(connection: last).entries().count == 1, "\(number)")
      if number % 12 == 11 { print("dqlite kills: \(number + 1), \(outcomes.sorted { $0.key < $1.key })") }
    }
    print("dqlite kills: seed \(seed), \(count) kills, \(rows) rows: \(outcomes.sorted { $0.key < $1.key })")
  }
}

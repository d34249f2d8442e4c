import SchemaKitOperations

#if canImport(Glibc)
  import Foundation
  import SchemaKitRemote
  import Testing

  @testable import SQLiteSchema
  @testable import SchemaKit

  @Suite("libSQL: locks, losses and restarts", .enabled(if: SqldServer.isWanted))
  struct LibSQLTransactionTests {
    private static func target(_ sql: String) throws -> TargetSchema {
      try SchemaSource.sql(sql, source: "s.sql").load().target
    }

    @Test("a table of 100,000 rows is rebuilt beside a program that writes all the time, and no row is lost")
    func besideWriter() async throws {
      let server = try SqldServer()
      let connection = try server.connection()
      try connection.execute(
        """
        CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b INTEGER);
        CREATE TABLE log (id INTEGER PRIMARY KEY, n INTEGER);
        WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100000)
        INSERT INTO t SELECT i, 'row ' || i, i % 7 FROM n
        """)
      let (begun, done) = (Flag(), Flag())
      let writing = Task.detached {
        let writer = try server.connection()
        var acknowledged: Int64 = 0
        while !done.isSet {
          try writer.run("INSERT INTO log (n) VALUES (?1)", [.integer(acknowledged)])
          acknowledged += 1
          begun.set()
        }
        return acknowledged
      }
      while !begun.isSet { try await Task.sleep(for: .milliseconds(10)) }
      let target = try Self.target(
        """
        CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT NOT NULL CHECK (a <> ''), b INTEGER);
        CREATE TABLE log (id INTEGER PRIMARY KEY, n INTEGER);
        """)
      let report = try RemoteDatabase(over: connection).migrate(to: target, ChangeRequest())
      #expect(report.outcome == .applied)
      done.set()
      let acknowledged = try await writing.value
      #expect(acknowledged > 0)
      let after = try server.connection()
      #expect(
        try after.rows("SELECT count(*), sum(b), max(a) FROM t") == [
          [.integer(100_000), .integer(300_000), .text("row 99999")]
        ])
      #expect(try after.integer("SELECT count(*) FROM log") == acknowledged)
      #expect(try after.texts("PRAGMA integrity_check") == ["ok"])
    }

    @Test("of two that make the same change at once, one makes it, and the other finds it made")
    func twoAppliers() async throws {
      let server = try SqldServer()
      let first = try server.connection()
      try first.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); INSERT INTO t VALUES (1, 'x')")
      let outcomes = try await withThrowingTaskGroup(of: ApplyReport.Outcome.self) { group in
        for _ in 0..<2 {
          group.addTask {
            let target = try Self.target("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT NOT NULL)")
            return try RemoteDatabase(over: server.connection()).migrate(to: target, ChangeRequest())
              .outcome
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(outcomes.sorted { $0.rawValue < $1.rawValue } == [.applied, .unchanged])
      #expect(try Ledger(connection: try server.connection()).entries().count == 1)
    }

    @Test("a lock that the server takes from a transaction is told by name, and the transaction is rolled back")
    func lockTaken() throws {
      let server = try SqldServer()
      let (first, second) = (try server.connection(), try server.connection())
      try first.execute("CREATE TABLE t (a); BEGIN IMMEDIATE; INSERT INTO t VALUES (1)")
      // It waits until the server gives it the lock.
      try second.execute("INSERT INTO t VALUES (2)")
      let error = #expect(throws: RemoteError.self) { try first.execute("INSERT INTO t VALUES (3)") }
      #expect(error?.reason == .lockTaken)
      #expect("\(String(describing: error))".contains("another program wanted to write"))
      #expect(throws: RemoteError.self) { try first.execute("COMMIT") }
      #expect(first.lostTransactions == 1)
      try first.execute("ROLLBACK")
      try first.execute("INSERT INTO t VALUES (4)")
      #expect(try first.rows("SELECT a FROM t ORDER BY a") == [[.integer(2)], [.integer(4)]])
    }

    @Test("a change whose lock is taken begins anew, and is refused plainly where that is of no use")
    func changeLosesLock() throws {
      let server = try SqldServer()
      let other = try server.connection()
      try other.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); INSERT INTO t VALUES (1, 'x')")
      let target = try Self.target("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT NOT NULL)")
      for attempts in [1, 3] {
        var database = RemoteDatabase(over: try server.connection())
        database.attempts = attempts
        var request = ChangeRequest()
        var tries = 0
        request.observer.onChange = {
          tries += 1
          // Somebody else waits for the lock, and gets it.
          if tries == 1 { try other.run("INSERT INTO t (a) VALUES (?1)", [.text("new")]) }
        }
        if attempts == 1 {
          let error = #expect(throws: RemoteError.self) { try database.migrate(to: target, request) }
          #expect(error?.reason == .lockTaken)
          #expect(
            try other.texts("SELECT sql FROM sqlite_schema WHERE name = 't'").first?.contains("NOT NULL") == false)
        } else {
          #expect(try database.migrate(to: target, request).outcome == .applied)
          #expect(tries >= 2)
        }
      }
      #expect(try other.integer("SELECT count(*) FROM t") == 3)
      #expect(try other.rows("SELECT name FROM sqlite_schema WHERE name LIKE '!_schemakit!_new%' ESCAPE '!'") == [])
    }

    @Test("an idle stream is opened again without a word outside a transaction, and is a loss within one")
    func idle() throws {
      let server = try SqldServer()
      let connection = try server.connection()
      try connection.execute("CREATE TABLE t (a); PRAGMA foreign_keys = OFF")
      Thread.sleep(forTimeInterval: 12.5)
      try connection.run("INSERT INTO t VALUES (1)")
      #expect(try connection.integer("PRAGMA foreign_keys") == 0)
      try connection.execute("BEGIN; INSERT INTO t VALUES (2)")
      Thread.sleep(forTimeInterval: 12.5)
      let error = #expect(throws: RemoteError.self) { try connection.execute("COMMIT") }
      // The server says that it has not carried it out.
      guard case .connectionLost = error?.reason else {
        Issue.record("\(String(describing: error))")
        return
      }
      try connection.execute("ROLLBACK")
      #expect(try connection.rows("SELECT a FROM t") == [[.integer(1)]])
      try connection.execute("BEGIN; INSERT INTO t VALUES (3)")
      Thread.sleep(forTimeInterval: 12.5)
      #expect(throws: RemoteError.self) { try connection.execute("INSERT INTO t VALUES (4)") }
      try connection.execute("ROLLBACK")
      #expect(try connection.rows("SELECT a FROM t") == [[.integer(1)]])
    }

    @Test("a server that is killed and started again in the middle of a change leaves nothing half done")
    func killed() throws {
      let server = try SqldServer()
      let first = try server.connection()
      try first.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); INSERT INTO t VALUES (1, 'x')")
      for number in 0..<3 {
        let target = try Self.target("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT CHECK (a <> '\(number)'))")
        var request = ChangeRequest()
        var isKilled = false
        func kill() {
          guard !isKilled else { return }
          isKilled = true
          server.tell("kill")
          server.tell("start")
        }
        switch number {
        case 0: request.observer.onPlan = { _ in kill() }
        case 1: request.observer.onChange = { kill() }
        default: request.observer.onProgress = { _ in kill() }
        }
        let database = RemoteDatabase(over: try server.connection())
        #expect(try database.migrate(to: target, request).outcome == .applied)
        #expect(isKilled)
        let after = try server.connection()
        #expect(try Change(over: after, to: target).plan().isEmpty)
        #expect(try after.rows("SELECT a FROM t") == [[.text("x")]])
        #expect(try Ledger(connection: after).entries().count == number + 1)
      }
    }

    @Test(
      "a commit whose answer is lost is settled by what the database has",
      arguments: [true, false])
    func settled(isMade: Bool) throws {
      let server = try SqldServer()
      try server.connection().execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); INSERT INTO t VALUES (1, 'x')")
      let (isCut, isChangedAgain) = (Flag(), Flag())
      let proxy = FakeHrana(before: server.port) { sql in
        guard sql == "COMMIT", isCut.take() else { return nil }
        isChangedAgain.clear()
        return isMade ? .swallow : .close
      }
      defer { proxy.end() }
      let target = try Self.target("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT NOT NULL)")
      var request = ChangeRequest()
      var tries = 0
      // A busy server may end the transaction before it comes to its COMMIT, and refuse that one.
      request.observer.onChange = {
        tries += 1
        if tries == 1 { isCut.set() }
        isChangedAgain.set()
      }
      var limits = LibSQLConnection.Limits()
      limits.answering = 30
      let connection = try LibSQLConnection(to: proxy.address, limits: limits)
      let report = try RemoteDatabase(over: connection).migrate(to: target, request)
      #expect(report.outcome == .applied)
      #expect(isChangedAgain.isSet == !proxy.hasCarriedOut)
      #expect(isMade || !proxy.hasCarriedOut)
      let after = try server.connection()
      #expect(try Ledger(connection: after).entries().count == 1)
      #expect(try Change(over: after, to: target).plan().isEmpty)
    }

    @Test("the program of the page about clusters works on a server too")
    func documented() throws {
      let server = try SqldServer()
      let (outcome, titles) = try ClusterExample.use(libSQLAt: server.address)
      #expect(outcome == .applied)
      #expect(titles == ["Milk"])
    }
  }
#endif

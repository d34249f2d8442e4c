#if canImport(Glibc)
  import Foundation
  import SchemaKitRemote
  import Testing

  @testable import SQLiteSchema
  @testable import SchemaKit
  @testable import SchemaKitRemote

  @Suite("dqlite: the protocol, and servers that break it")
  struct DqliteProtocolTests {
    /// A server that answers has time, also on a busy machine.
    private static let limits = {
      var limits = DqliteConnection.Limits()
      (limits.connecting, limits.answering, limits.leader, limits.busy) = (60, 60, 1, 0.2)
      return limits
    }()

    private func reason(_ work: () throws -> Void) -> RemoteError.Reason? {
      do {
        try work()
        return nil
      } catch {
        return (error as? RemoteError)?.reason
      }
    }

    /// An answer to a query: one row of texts, as `ExactQuery` asks for them.
    private static func row(_ texts: [String]) -> FakeServer.Answer {
      let columns = texts.count + 1
      var body = FakeServer.word(UInt64(columns))
      for column in 0..<columns { body += FakeServer.text("c\(column)") }
      var types = [UInt8](repeating: 0, count: (columns + 1) / 2)
      for column in 0..<columns { types[column / 2] |= (column < texts.count ? 4 : 3) << (column % 2 == 0 ? 0 : 4) }
      body += types + [UInt8](repeating: 0, count: (8 - types.count % 8) % 8)
      for text in texts {
        let bytes = Array(text.utf8)
        body += FakeServer.word(UInt64(bytes.count)) + bytes
        body += [UInt8](repeating: 0, count: (8 - bytes.count % 8) % 8)
      }
      body += FakeServer.text(String(repeating: "t", count: texts.count))
      return .message(7, body + FakeServer.word(.max))
    }

    /// The answer to EXPLAIN of a query with one column.
    private static let explained: FakeServer.Answer = {
      var body = FakeServer.word(4)
      for name in ["addr", "opcode", "p1", "p2"] { body += FakeServer.text(name) }
      body += [0x31, 0x11, 0, 0, 0, 0, 0, 0] + FakeServer.word(0) + FakeServer.text("ResultRow") + FakeServer.word(1)
      return .message(7, body + FakeServer.word(1) + FakeServer.word(.max))
    }()

    /// Answers what a connection asks when it opens.
    private static func opening(_ body: [UInt8]) -> FakeServer.Answer? {
      let sql = String(decoding: body.dropFirst(8).prefix { $0 != 0 }, as: UTF8.self)
      if sql.hasPrefix("EXPLAIN SELECT sqlite_version") { return explained }
      if sql.contains("sqlite_version") { return row(["3.40.1"]) }
      guard sql == "PRAGMA encoding" else { return nil }
      var answer = FakeServer.word(1) + FakeServer.text("encoding") + [3, 0, 0, 0, 0, 0, 0, 0]
      answer += FakeServer.text("UTF-8") + FakeServer.word(.max)
      return .message(7, answer)
    }

    @Test(
      "a server that hangs, hangs up, answers garbage or floods is met by an error, at every request",
      arguments: [UInt8(0), 1, 3, 9], [0, 1, 2, 3, 4])
    func hostile(request: UInt8, behaviour: Int) throws {
      let server = FakeServer { type, _ in
        guard type == request else { return nil }
        return switch behaviour {
        case 0: .silence
        case 1: .close
        case 2: .bytes(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8))
        case 3: .flood
        default: .bytes([255, 255, 255, 255, 7, 0, 0, 0])
        }
      }
      defer { server.end() }
      var limits = Self.limits
      (limits.connecting, limits.answering) = (0.4, 0.4)
      #expect(reason { _ = try DqliteConnection(to: [server.address], database: "x", limits: limits) } != nil)
    }

    @Test("a commit whose answer does not come has an unknown outcome, and what follows is not in the transaction")
    func unknownOutcome() throws {
      let server = FakeServer { type, body in
        let sql = String(decoding: body.dropFirst(8).prefix { $0 != 0 }, as: UTF8.self)
        if let answer = Self.opening(body) { return answer }
        guard type == 8 else { return nil }
        return sql == "COMMIT" ? .close : .message(6, FakeServer.word(0) + FakeServer.word(1))
      }
      defer { server.end() }
      let connection = try DqliteConnection(to: [server.address], database: "x", limits: Self.limits)
      try connection.run("BEGIN IMMEDIATE")
      #expect(connection.isInTransaction)
      try connection.run("INSERT INTO t VALUES (1)")
      guard case .outcomeUnknown = reason({ try connection.run("COMMIT") }) else {
        Issue.record("another outcome")
        return
      }
      #expect(!connection.isInTransaction)
      // Where nothing was written, nothing is unknown.
      #expect(throws: RemoteError.self) {
        try connection.transaction(.deferred) {}
      }
      #expect(!connection.isInTransaction)
    }

    @Test("after a connection is lost in a transaction, nothing is sent until it is rolled back")
    func lostTransaction() throws {
      let sent = SentStatements()
      let server = FakeServer { type, body in
        let sql = String(decoding: body.dropFirst(8).prefix { $0 != 0 }, as: UTF8.self)
        if let answer = Self.opening(body) { return answer }
        guard type == 8 else { return nil }
        sent.add(sql)
        return sql.hasPrefix("INSERT") ? .close : .message(6, FakeServer.word(0) + FakeServer.word(1))
      }
      defer { server.end() }
      let connection = try DqliteConnection(to: [server.address], database: "x", limits: Self.limits)
      try connection.run("BEGIN IMMEDIATE")
      for sql in ["INSERT INTO t VALUES (1)", "DELETE FROM t", "PRAGMA foreign_keys = ON", "COMMIT"] {
        guard case .connectionLost = reason({ try connection.execute(sql) }) else {
          Issue.record("\(sql) was sent")
          continue
        }
      }
      #expect(connection.isInTransaction)
      // Its answer would not come.
      try connection.run("ROLLBACK")
      #expect(!connection.isInTransaction)
      try connection.run("DELETE FROM t")
      #expect(sent.all == ["BEGIN IMMEDIATE", "INSERT INTO t VALUES (1)", "DELETE FROM t"])
    }

    @Test("settings of the connection are made again on the next one, before anything else")
    func settings() throws {
      let sent = SentStatements()
      let server = FakeServer { type, body in
        let sql = String(decoding: body.dropFirst(8).prefix { $0 != 0 }, as: UTF8.self)
        if let answer = Self.opening(body) { return answer }
        guard type == 8 else { return nil }
        sent.add(sql)
        return sql.hasPrefix("DELETE") ? .close : .message(6, FakeServer.word(0) + FakeServer.word(1))
      }
      defer { server.end() }
      let connection = try DqliteConnection(to: [server.address], database: "x", limits: Self.limits)
      try connection.execute("PRAGMA foreign_keys = OFF; PRAGMA user_version = 3")
      guard case .outcomeUnknown = reason({ try connection.execute("DELETE FROM t") }) else {
        Issue.record("a change was sent again")
        return
      }
      try connection.execute("BEGIN")
      #expect(
        sent.all == [
          "PRAGMA foreign_keys = OFF", "PRAGMA user_version = 3", "DELETE FROM t", "PRAGMA foreign_keys = OFF", "BEGIN",
        ])
    }

    @Test("bytes that are cut, changed or invented are refused, and nothing is read beyond them")
    func decoder() throws {
      var random = SeededGenerator(seed: 7)
      guard case .message(_, let whole) = Self.row(["one", "two"]) else { return }
      for _ in 0..<20_000 {
        var body = whole
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          switch Int.random(in: 0...2, using: &random) {
          case 0: body = Array(body.prefix(Int.random(in: 0...body.count, using: &random) / 8 * 8))
          case 1:
            if !body.isEmpty {
              body[Int.random(in: 0..<body.count, using: &random)] = .random(in: 0...255, using: &random)
            }
          default: body += (0..<8).map { _ in .random(in: 0...255, using: &random) }
          }
        }
        for type in UInt8(0)...11 { _ = try? DqliteResponse(type: type, schema: 0, body: body) }
      }
    }

    @Test(
      "statements that end a server, or that it does not carry out as SQLite does, are not sent",
      arguments: [
        "INSERT INTO t VALUES (1) RETURNING a", "UPDATE t SET a = 1 RETURNING *", "delete from t returning rowid",
        "WITH x AS (SELECT 1) INSERT INTO t SELECT * FROM x RETURNING a", "PRAGMA journal_mode = DELETE",
        "PRAGMA main.journal_mode(wal)", "PRAGMA wal_checkpoint", "PRAGMA writable_schema = 1", "VACUUM",
        "vacuum into 'x'",
        "ATTACH ':memory:' AS a", "DETACH a", "PRAGMA \"journal_mode\" = off", "PRAGMA schema_version = 4",
        "EXPLAIN PRAGMA journal_mode = DELETE",
        "explain pragma foreign_keys = off", "PRAGMA busy_timeout = 5000", "PRAGMA hard_heap_limit = 1",
        "SELECT optimize(t) FROM t",
      ])
    func fences(sql: String) throws {
      let statement = try #require(SQLScript.statements(in: sql).first)
      #expect(throws: RemoteError.self) { try RemoteStatement(statement, on: .dqlite) }
    }

    @Test(
      "a statement goes by the request for its kind",
      arguments: [
        ("SELECT 1", RemoteStatement.Effect.read), ("VALUES (1)", .read),
        ("WITH x AS (SELECT 1) SELECT * FROM x", .read),
        ("WITH x AS (SELECT 1) DELETE FROM t", .change), ("PRAGMA foreign_keys", .pragma),
        ("PRAGMA foreign_keys = 0", .setting),
        ("PRAGMA main.table_xinfo('t')", .pragma), ("PRAGMA user_version = 3", .definition),
        ("PRAGMA user_version(3)", .definition),
        ("PRAGMA quick_check", .pragma), ("REPLACE INTO t VALUES (1)", .change), ("begin", .begin), ("END", .commit),
        ("ROLLBACK TRANSACTION TO x", .rollbackTo), ("rollback", .rollback), ("PRAGMA optimize", .definition),
        ("CREATE TABLE returning (a)", .definition), ("ANALYZE", .definition), ("PRAGMA journal_mode", .pragma),
      ])
    func effects(sql: String, effect: RemoteStatement.Effect) throws {
      let statement = try #require(SQLScript.statements(in: sql).first)
      #expect(try RemoteStatement(statement, on: .dqlite).effect == effect)
    }

    @Test("an address names nodes and a database, and other machines only where that was agreed to")
    func addresses() throws {
      #expect(try DqliteServer.parts(of: "dqlite://a:1,[::1]:2/notes").addresses == ["a:1", "[::1]:2"])
      for bad in [
        "dqlite://a:1", "dqlite://a/x", "dqlite:///x", "dqlite://a:1/", "dqlite://u:p@a:1/x", "dqlite://a:1/x?y", "x",
      ] {
        #expect(throws: RemoteError.self, "\(bad)") { try DqliteServer.parts(of: bad) }
      }
      #expect(
        reason { _ = try DqliteServer.connection(to: "dqlite://10.1.2.3:1/x", ServerOptions()) }
          == .insecure(host: "10.1.2.3"))
      let far = FakeServer { type, _ in
        type == 0 ? .message(1, FakeServer.word(1) + FakeServer.text("10.1.2.3:1")) : nil
      }
      defer { far.end() }
      #expect(
        reason { _ = try DqliteServer.connection(to: "dqlite://\(far.address)/x", ServerOptions()) }
          == .insecure(host: "10.1.2.3"))
    }
  }

  /// The statements that a server was sent.
  private final class SentStatements: @unchecked Sendable {
    private let lock = NSLock()
    private var statements: [String] = []

    func add(_ sql: String) { lock.withLock { statements.append(sql) } }

    var all: [String] { lock.withLock { statements } }
  }
#endif

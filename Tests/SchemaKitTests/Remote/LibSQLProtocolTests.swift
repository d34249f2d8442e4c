#if canImport(Glibc)
  import Foundation
  import Testing

  @testable import SQLiteSchema
  @testable import SchemaKit
  @testable import SchemaKitRemote

  @Suite("libSQL: the protocol, and servers that break it")
  struct LibSQLProtocolTests {
    /// A server that answers has time, also on a busy machine.
    private static let limits = {
      var limits = LibSQLConnection.Limits()
      (limits.answering, limits.reaching, limits.busy, limits.answerSize) = (10, 0.3, 0.2, 1 << 20)
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

    private func connection(_ server: FakeHrana, token: ServerToken? = nil) throws -> LibSQLConnection {
      try LibSQLConnection(to: server.address, token: token, limits: Self.limits)
    }

    @Test("a server that does not answer is met by an error that says for how long it was waited for")
    func silence() throws {
      let server = FakeHrana { _ in .silence }
      defer { server.end() }
      var limits = Self.limits
      limits.answering = 0.5
      #expect(reason { _ = try LibSQLConnection(to: server.address, limits: limits) } == .timedOut(0.5))
    }

    private static let hostile: [FakeHrana.Answer] = [
      FakeHrana.Answer.close, .bytes(Array("SSH-2.0-x\r\n".utf8)), .flood,
      .http(200, [], Array("<html></html>".utf8)), .http(200, [], []), .http(401, [], []), .http(403, [], []),
      .http(404, [], []), .http(500, [], Array(#"{"error":"the disk is gone."}"#.utf8)), .http(502, [], []),
      .http(307, ["Location: http://127.0.0.1:1/x?token=abc"], []), .http(302, [], []), .http(400, [], []),
    ]

    @Test("a server that hangs up, answers garbage or floods is met by an error that says so", arguments: 0..<13)
    func hostile(number: Int) throws {
      let answer = Self.hostile[number]
      let server = FakeHrana { $0 == "SELECT 1" ? answer : nil }
      defer { server.end() }
      let connection = try connection(server)
      let found = reason { _ = try connection.rows("SELECT 1") }
      let host = server.address.replacing("http://", with: "")
      switch (number, found) {
      // URLSession sends again what a connection in use did not answer, and may not notice that this one ends as well.
      case (0, .connectionLost), (0, .timedOut), (1, .connectionLost), (1, .timedOut), (1, .malformed), (3, .malformed),
        (4, .malformed), (9, .connectionLost), (11, .some):
        break
      case (2, _): #expect(found == .answerTooLarge(1 << 20))
      case (5, _), (6, _): #expect(found == .unauthorized(host: host))
      case (7, _): #expect(found == .otherProtocol(host: host))
      case (8, _): #expect(found == .refused(status: 500, problem: "the disk is gone"))
      case (10, _): #expect(found == .redirected(host: host, to: "http://127.0.0.1:1/x"))
      case (12, _): #expect(found == .refused(status: 400, problem: ""))
      default: Issue.record("\(answer): \(String(describing: found))")
      }
      #expect(!connection.isInTransaction)
      // Another statement has a stream of its own.
      #expect(try connection.rows("SELECT 2") == [])
    }

    @Test("an answer that is too large is noticed also while all threads of the global queues wait")
    func floodBesideBlockedThreads() throws {
      let server = FakeHrana { $0 == "SELECT 1" ? .flood : nil }
      defer { server.end() }
      let connection = try connection(server)
      let isOver = DispatchSemaphore(value: 0)
      let count = 600
      for _ in 0..<count { DispatchQueue.global().async { isOver.wait() } }
      defer { for _ in 0..<count { isOver.signal() } }
      #expect(reason { _ = try connection.rows("SELECT 1") } == .answerTooLarge(1 << 20))
    }

    @Test("work that is cancelled does not wait for an answer, but that of a commit")
    func cancelled() throws {
      let isCancelled = Flag()
      let server = FakeHrana { sql in
        guard sql.hasPrefix("SELECT 1") else { return nil }
        isCancelled.set()
        return .silence
      }
      defer { server.end() }
      var limits = Self.limits
      limits.answering = 60
      let connection = try LibSQLConnection(to: server.address, limits: limits) { isCancelled.isSet }
      #expect(reason { _ = try connection.rows("SELECT 1") } == .cancelled)
      isCancelled.clear()
      try connection.execute("BEGIN; INSERT INTO t VALUES (1)")
      #expect(reason { _ = try connection.rows("SELECT 1") } == .cancelled)
    }

    @Test("a redirection does not carry the token, nor does a place that the server names")
    func redirection() throws {
      let other = FakeHrana { _ in nil }
      defer { other.end() }
      let place = other.address
      let server = FakeHrana { sql in
        switch sql {
        case "SELECT 1": .http(307, ["Location: \(place)/v3-protobuf/pipeline"], [])
        case "SELECT 2": .moved(place)
        default: nil
        }
      }
      defer { server.end() }
      let connection = try connection(server, token: ServerToken("marker"))
      for sql in ["SELECT 1", "SELECT 2"] {
        guard case .redirected = reason({ _ = try connection.rows(sql) }) else {
          Issue.record("\(sql) was sent on")
          continue
        }
      }
      #expect(other.requests.isEmpty)
      #expect(server.requests.allSatisfy { $0.contains("Bearer marker") })
      let own = FakeHrana { $0 == "SELECT 1" ? .moved("HOST/region") : nil }
      defer { own.end() }
      let address = own.address
      let moving = FakeHrana {
        $0 == "SELECT 1" ? .moved("http://LOCALHOST:\(address.split(separator: ":")[2])/r/") : nil
      }
      defer { moving.end() }
      #expect(reason { _ = try self.connection(moving).rows("SELECT 1") } != nil)
    }

    @Test("what is sent in the clear goes through no proxy")
    func proxies() throws {
      let proxy = FakeHrana { _ in nil }
      defer { proxy.end() }
      let folder = try CommandFolder()
      try folder.write("CREATE TABLE t (a);", to: "s.sql")
      for variable in ["http_proxy", "all_proxy", "ALL_PROXY"] {
        for token in ["", "marker"] {
          let result = try CommandRun(
            ["plan", "http://127.0.0.1:1", "--to", "s.sql"], in: folder, program: "remote-tool",
            environment: [variable: proxy.address, "SCHEMACTL_TOKEN": token, "no_proxy": "", "NO_PROXY": ""])
          #expect(result.status == 64)
          #expect(result.errors.contains("no_proxy"), "\(result.errors)")
        }
      }
      #expect(proxy.requests.isEmpty)
      let place = try LibSQLAddress("http://127.0.0.1:1")
      try place.checkProxies(["http_proxy": "x", "no_proxy": "a, 127.0.0.1"])
      try LibSQLAddress("https://a").checkProxies(["http_proxy": "x"])
      #expect(throws: RemoteError.self) { try place.checkProxies(["http_proxy": "x", "no_proxy": "a"]) }
    }

    @Test("a path that the server names is where the next request goes")
    func path() throws {
      let place = ServerPlace()
      let server = FakeHrana { $0 == "SELECT 1" ? .moved("\(place.address)/region/1") : nil }
      defer { server.end() }
      place.address = server.address
      let connection = try connection(server)
      _ = try connection.rows("SELECT 1")
      _ = try connection.rows("SELECT 2")
      #expect(server.requests.last?.hasPrefix("POST /region/1/v3-protobuf/pipeline") == true)
    }

    @Test("a commit whose answer does not come has an unknown outcome, and what follows is not in the transaction")
    func unknownOutcome() throws {
      let server = FakeHrana { $0 == "COMMIT" ? .close : nil }
      defer { server.end() }
      let connection = try connection(server)
      try connection.execute("BEGIN IMMEDIATE")
      #expect(connection.isInTransaction)
      try connection.run("INSERT INTO t VALUES (1)")
      guard case .outcomeUnknown = reason({ try connection.run("COMMIT") }) else {
        Issue.record("another outcome")
        return
      }
      #expect(!connection.isInTransaction)
      // It was sent once.
      #expect(server.sent.count { $0 == "COMMIT" } == 1)
      // Where nothing was written, nothing is unknown.
      guard case .connectionLost = reason({ try connection.transaction(.deferred) {} }) else {
        Issue.record("another outcome")
        return
      }
      #expect(!connection.isInTransaction)
    }

    @Test(
      "after a connection is lost in a transaction, nothing is sent until it is rolled back",
      arguments: [
        FakeHrana.Answer.close, .http(502, [], []), .http(400, [], []), .ended, .failure(code: "TRANSACTION_TIMEOUT"),
      ])
    func lostTransaction(answer: FakeHrana.Answer) throws {
      let server = FakeHrana { $0.hasPrefix("INSERT") ? answer : nil }
      defer { server.end() }
      let connection = try connection(server)
      try connection.run("BEGIN IMMEDIATE")
      for sql in ["INSERT INTO t VALUES (1)", "DELETE FROM t", "PRAGMA foreign_keys = ON", "COMMIT"] {
        switch reason({ try connection.execute(sql) }) {
        case .connectionLost, .lockTaken: continue
        default: Issue.record("\(sql) was sent")
        }
      }
      #expect(connection.isInTransaction)
      #expect(connection.lostTransactions == 1)
      try connection.run("ROLLBACK")
      #expect(!connection.isInTransaction)
      try connection.run("DELETE FROM t")
      #expect(server.sent == ["BEGIN IMMEDIATE", "INSERT INTO t VALUES (1)", "DELETE FROM t"])
    }

    @Test("an error that ends the transaction leaves no statement outside of it")
    func endedByError() throws {
      let server = FakeHrana { sql in
        sql.hasPrefix("INSERT") ? .failure(code: "SQLITE_CONSTRAINT") : sql.hasPrefix("DELETE") ? .ended : nil
      }
      defer { server.end() }
      let connection = try connection(server)
      try connection.execute("BEGIN")
      #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO t VALUES (1)") }
      #expect(connection.isInTransaction)
      try connection.run("UPDATE t SET a = 1")
      #expect(reason { try connection.run("DELETE FROM t") } == .lockTaken)
      #expect(reason { try connection.run("UPDATE t SET a = 2") } == .lockTaken)
    }

    @Test("settings are made again on the next stream, before anything else, and what may be there is not sent again")
    func settings() throws {
      let server = FakeHrana { $0.hasPrefix("DELETE") ? .close : nil }
      defer { server.end() }
      let connection = try connection(server)
      try connection.execute("PRAGMA foreign_keys = OFF; PRAGMA user_version = 3")
      guard case .outcomeUnknown = reason({ try connection.execute("DELETE FROM t") }) else {
        Issue.record("a change was sent again")
        return
      }
      try connection.execute("BEGIN")
      #expect(
        server.sent == [
          "PRAGMA foreign_keys = OFF", "PRAGMA user_version = 3", "DELETE FROM t", "PRAGMA foreign_keys = OFF", "BEGIN",
        ])
    }

    @Test("a stream that the server has closed for lack of use is opened again, but not in a transaction")
    func expired() throws {
      var body = ProtobufWriter()
      body.add(1, "expired")
      body.add(2, "STREAM_EXPIRED")
      let once = ServerPlace()
      let bytes = body.bytes
      let server = FakeHrana { sql in
        guard sql.hasPrefix("INSERT"), once.address.isEmpty else { return nil }
        once.address = "done"
        return .http(400, [], bytes)
      }
      defer { server.end() }
      let connection = try connection(server)
      try connection.run("INSERT INTO t VALUES (1)")
      #expect(server.sent == ["INSERT INTO t VALUES (1)", "INSERT INTO t VALUES (1)"])
      once.address = ""
      try connection.execute("BEGIN")
      guard case .connectionLost = reason({ try connection.run("INSERT INTO t VALUES (2)") }) else {
        Issue.record("it was sent again")
        return
      }
      #expect(server.sent.last == "INSERT INTO t VALUES (2)")
    }

    @Test("codes are those of SQLite, and a lock is waited for")
    func codes() throws {
      let server = FakeHrana { $0.hasPrefix("SELECT SQL") ? .failure(code: String($0.dropFirst(7))) : nil }
      defer { server.end() }
      let connection = try connection(server)
      for (name, code) in [
        ("SQLITE_CONSTRAINT", Int32(19)), ("SQLITE_CONSTRAINT_UNIQUE", 2_067), ("SQLITE_BUSY", 5), ("SQLITE_FULL", 13),
        ("SQLITE_UNKNOWN", 1), ("SQL_PARSE_ERROR", 1), ("SQLITE_LOCKED", 6), ("SQLITE_NOTADB", 26),
      ] {
        let error = #expect(throws: SQLiteError.self) { try connection.run("SELECT \(name)") }
        #expect(error?.extendedCode == code)
      }
      #expect(server.sent.count { $0 == "SELECT SQLITE_BUSY" } > 1)
      #expect(server.sent.count { $0 == "SELECT SQLITE_FULL" } == 1)
    }

    @Test("bytes that are cut, changed or invented are refused, and nothing is read beyond them")
    func decoder() throws {
      var random = SeededGenerator(seed: 7)
      var writer = ProtobufWriter()
      writer.add(1, "baton")
      writer.add(3) {
        $0.add(1) { $0.add(2) { $0.add(1) { FakeHrana.write([[.text("a"), .real(1), .blob([7])]], to: &$0) } } }
      }
      let whole = writer.bytes
      for _ in 0..<20_000 {
        var body = whole
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          switch Int.random(in: 0...2, using: &random) {
          case 0: body = Array(body.prefix(Int.random(in: 0...body.count, using: &random)))
          case 1:
            if !body.isEmpty {
              body[Int.random(in: 0..<body.count, using: &random)] = .random(in: 0...255, using: &random)
            }
          default: body += (0..<8).map { _ in .random(in: 0...255, using: &random) }
          }
        }
        _ = try? HranaAnswer(pipeline: body)
        _ = try? HranaAnswer(cursor: body)
      }
      #expect(try HranaAnswer(pipeline: whole).results.count == 1)
    }

    @Test("an address names a host, and nothing in it may be a secret")
    func addresses() throws {
      let full = try LibSQLAddress("libsql://Notes-ada.turso.io/")
      #expect(full.base == "https://notes-ada.turso.io")
      #expect(full.name == "notes-ada")
      #expect(try LibSQLAddress("http://[::1]:8080/dev/notes").base == "http://[::1]:8080/dev/notes")
      #expect(try LibSQLAddress("http://127.0.0.1:8080").name == "libsql")
      for bad in [
        "libsql://", "libsql://a:b/", "libsql://a:0", "libsql://a:99999", "ftp://a", "x", "libsql://a/x y",
        "http://a b",
        "https://[::1", "libsql://a\r\nb",
      ] {
        #expect(throws: RemoteError.self, "\(bad)") { try LibSQLAddress(bad) }
      }
      for secret in ["libsql://a?authToken=marker", "https://u:marker@a/x", "libsql://a#marker", "http://marker@a"] {
        let error = #expect(throws: RemoteError.self) { try LibSQLAddress(secret) }
        #expect("\(String(describing: error))".contains("SCHEMACTL_TOKEN"))
        #expect(!"\(String(describing: error))".contains("marker"))
      }
    }

    @Test("a token goes over http to this machine only, and a database that is not here needs an agreement")
    func tokens() throws {
      let token = try ServerToken("marker")
      for insecure in [false, true] {
        let options = ServerOptions(allowsInsecure: insecure, token: token)
        #expect(
          reason { _ = try LibSQLServer.connection(to: "http://192.0.2.1:80", options) }
            == .tokenInClear(host: "192.0.2.1:80"))
      }
      #expect(
        reason { _ = try LibSQLServer.connection(to: "http://192.0.2.1:80", ServerOptions()) }
          == .insecure(host: "192.0.2.1:80"))
      for bad in ["", "a b", "a\n", "ü", "a\r\nHost: x"] {
        #expect(throws: RemoteError.self) { try ServerToken(bad) }
      }
      var dumped = "\(token) \(String(reflecting: token)) \(ServerOptions(token: token))"
      dump(ServerOptions(token: token), to: &dumped)
      #expect(!dumped.contains("marker"))
      #expect(!"\(Mirror(reflecting: token).children.map { "\($0)" })".contains("marker"))
    }
  }

  /// A text that is known later. `lock` guards it.
  private final class ServerPlace: @unchecked Sendable {
    private let lock = NSLock()
    private var text = ""

    var address: String {
      get { lock.withLock { text } }
      set { lock.withLock { text = newValue } }
    }
  }
#endif

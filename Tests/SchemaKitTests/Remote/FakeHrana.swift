#if canImport(Glibc)
  import Foundation

  @testable import SchemaKit
  @testable import SchemaKitRemote

  /// A server that speaks Hrana over HTTP up to a point, and then does as a test wants; or stands before a real one.
  ///
  /// It has identity because it owns a server, and keeps what it was sent. `lock` guards that.
  final class FakeHrana: @unchecked Sendable {
    /// What it does with a request.
    enum Answer {
      /// Answers with a status, headers and a body.
      case http(Int, [String], [UInt8])
      /// Reports an error for the statement.
      case failure(code: String)
      /// Answers with rows.
      case rows([[SQLValue]])
      /// Sends bytes that are not an answer.
      case bytes([UInt8])
      /// Begins an answer, and sends bytes without an end.
      case flood
      /// Closes the connection.
      case close
      /// Says nothing.
      case silence
      /// Lets the server behind it carry the request out, and closes the connection.
      case swallow
      /// Says that the transaction is over.
      case ended
      /// Names another place for the next request.
      case moved(String)
    }

    private let answer: @Sendable (_ sql: String) -> Answer?
    /// The port of the real server; nil without one.
    private let port: UInt16?
    private var server: LoopbackServer?
    private let lock = NSLock()
    private var statements: [String] = []
    private var heads: [String] = []
    private var isInTransaction = false
    private var isCarriedOut = false

    var address: String { "http://\(server?.address ?? "")" }
    /// The statements that were sent, without those that each connection begins with.
    var sent: [String] {
      lock.withLock { statements.filter { $0 != "SELECT sqlite_version()" && $0 != "PRAGMA encoding" } }
    }
    /// True if the server carried out what was swallowed.
    var hasCarriedOut: Bool { lock.withLock { isCarriedOut } }
    /// The heads of the requests.
    var requests: [String] { lock.withLock { heads } }

    /// - Parameters:
    ///   - port: The port of a real server, which gets what is not answered here.
    ///   - answer: What it does with a statement; nil for what a server does.
    init(before port: UInt16? = nil, _ answer: @escaping @Sendable (_ sql: String) -> Answer?) {
      self.port = port
      self.answer = answer
      server = LoopbackServer { [weak self] in self?.serve($0) }
    }

    func end() { server?.end() }

    private func serve(_ connection: Int32) {
      while let (head, body) = Self.request(from: connection) {
        let sqls = (try? Self.statements(in: body)) ?? []
        lock.withLock {
          heads.append(head)
          statements += sqls
        }
        let wanted = sqls.compactMap(answer).first
        switch wanted {
        case .http(let status, let headers, let body):
          Self.send(status, headers, body, to: connection)
        case .bytes(let bytes):
          LoopbackServer.send(bytes, to: connection)
          return
        case .flood:
          LoopbackServer.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n".utf8), to: connection)
          // A client that does not end it gets no more than a machine has room for.
          let chunk = [UInt8](repeating: 0x41, count: 1 << 16)
          for _ in 0..<8_192 where !LoopbackServer.send(chunk, to: connection) { return }
        case .close: return
        case .silence: continue
        case .swallow:
          let answer = forwarded(head, body).map { String(decoding: $0, as: UTF8.self) }
          lock.withLock { isCarriedOut = answer?.contains(#""type":"error""#) == false }
          return
        case .failure, .rows, .ended, .moved: Self.send(200, [], usual(body, wanted), to: connection)
        case nil:
          if port == nil {
            Self.send(200, [], usual(body, nil), to: connection)
          } else {
            guard let bytes = forwarded(head, body) else { return }
            LoopbackServer.send(bytes, to: connection)
            return
          }
        }
      }
    }

    /// The head and the body of a request.
    private static func request(from connection: Int32) -> (String, [UInt8])? {
      var head: [UInt8] = []
      while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
        guard let byte = LoopbackServer.read(1, from: connection) else { return nil }
        head += byte
      }
      let text = String(decoding: head, as: UTF8.self)
      let length = text.firstMatch(of: /(?i)content-length: (\d+)/).flatMap { Int($0.1) } ?? 0
      guard let body = length == 0 ? [] : LoopbackServer.read(length, from: connection) else { return nil }
      return (text, body)
    }

    private static func send(_ status: Int, _ headers: [String], _ body: [UInt8], to connection: Int32) {
      let head = ["HTTP/1.1 \(status) OK", "Content-Length: \(body.count)"] + headers + ["", ""]
      LoopbackServer.send(Array(head.joined(separator: "\r\n").utf8) + body, to: connection)
    }

    /// What the real server answers, to its end.
    private func forwarded(_ head: String, _ body: [UInt8]) -> [UInt8]? {
      guard let port else { return nil }
      let descriptor = LoopbackServer.connected(to: port)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      let closing = head.replacing(/(?i)\r\nconnection: [^\r]*/, with: "").dropLast(1) + "Connection: close\r\n\r\n"
      LoopbackServer.send(Array(closing.utf8) + body, to: descriptor)
      var bytes: [UInt8] = []
      var chunk = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let got = recv(descriptor, &chunk, chunk.count, 0)
        guard got > 0 else { return bytes }
        bytes += chunk.prefix(got)
      }
    }

    // MARK: - Hrana

    /// The statements of a pipeline.
    static func statements(in body: [UInt8]) throws -> [String] {
      try requests(in: body).compactMap { field, content in
        var reader = ProtobufReader(content)
        guard field == 2, let (_, statement) = try reader.next() else { return nil }
        var inner = ProtobufReader(try statement.bytes)
        return try inner.next()?.content.text
      }
    }

    private static func requests(in body: [UInt8]) throws -> [(Int, ArraySlice<UInt8>)] {
      var reader = ProtobufReader(body[...])
      var requests: [(Int, ArraySlice<UInt8>)] = []
      while let (field, content) = try reader.next() {
        guard field == 2 else { continue }
        var request = ProtobufReader(try content.bytes)
        if let (kind, inner) = try request.next() { requests.append((kind, try inner.bytes)) }
      }
      return requests
    }

    /// The answer of a server to a pipeline, with another one to its statements where that is wanted.
    private func usual(_ body: [UInt8], _ wanted: Answer?) -> [UInt8] {
      let requests = (try? Self.requests(in: body)) ?? []
      let sqls = (try? Self.statements(in: body)) ?? []
      var place: String?
      var isEnded = false
      for sql in sqls {
        if sql.hasPrefix("BEGIN") { isInTransaction = true }
        if ["COMMIT", "ROLLBACK"].contains(sql) { isInTransaction = false }
      }
      if case .moved(let other) = wanted { place = other }
      if case .ended = wanted { isEnded = true }
      var writer = ProtobufWriter()
      writer.add(1, "baton")
      if let place { writer.add(2, place) }
      for (kind, _) in requests {
        writer.add(3) { result in
          if kind == 2, case .failure(let code) = wanted {
            result.add(2) { error in
              error.add(1, "SQLite error: no")
              error.add(2, code)
            }
            return
          }
          result.add(1) { response in
            response.add(kind) { inner in
              if kind == 8, !isInTransaction || isEnded { inner.add(1, number: 1) }
              if kind == 2 { inner.add(1) { Self.write(Self.rows(of: sqls, wanted), to: &$0) } }
            }
          }
        }
      }
      return writer.bytes
    }

    private static func rows(of sqls: [String], _ wanted: Answer?) -> [[SQLValue]] {
      if case .rows(let rows) = wanted { return rows }
      if sqls.last == "SELECT sqlite_version()" { return [[.text("3.45.1")]] }
      return sqls.last == "PRAGMA encoding" ? [[.text("UTF-8")]] : []
    }

    static func write(_ rows: [[SQLValue]], to writer: inout ProtobufWriter) {
      for row in rows {
        writer.add(2) { writer in
          for value in row {
            writer.add(1) { writer in
              switch value {
              case .null: writer.add(1) { _ in }
              case .integer(let number): writer.add(2, zigzag: number)
              case .real(let number): writer.add(3, double: number)
              case .text(let text): writer.add(4, text)
              case .blob(let bytes): writer.add(5, bytes)
              }
            }
          }
        }
      }
    }
  }

  /// Something that is set once or more. `lock` guards it.
  final class Flag: @unchecked Sendable {
    private let lock = NSLock()
    private var value = false

    var isSet: Bool { lock.withLock { value } }

    func set() { lock.withLock { value = true } }

    func clear() { lock.withLock { value = false } }

    /// Whether it was set; it is not any more.
    func take() -> Bool {
      lock.withLock {
        defer { value = false }
        return value
      }
    }
  }
#endif

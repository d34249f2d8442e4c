#if canImport(Glibc)
  import Foundation

  /// A server that speaks the protocol of dqlite up to a point, and then does as a test wants.
  ///
  /// It has identity because it owns a socket and a thread.
  final class FakeServer: @unchecked Sendable {
    /// What it does with a request.
    enum Answer {
      /// Answers with a message of a type.
      case message(UInt8, [UInt8])
      /// Sends bytes that are no message.
      case bytes([UInt8])
      /// Sends bytes without an end.
      case flood
      /// Closes the connection.
      case close
      /// Says nothing.
      case silence
    }

    let address: String
    private let listener: Int32
    private let answer: @Sendable (_ type: UInt8, _ body: [UInt8]) -> Answer?

    /// - Parameter answer: What it does with a request; nil for what a leader does.
    init(_ answer: @escaping @Sendable (_ type: UInt8, _ body: [UInt8]) -> Answer?) {
      self.answer = answer
      let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var place = sockaddr_in()
      place.sin_family = sa_family_t(AF_INET)
      place.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      withUnsafeMutablePointer(to: &place) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
          _ = bind(listener, pointer, size)
          _ = listen(listener, 16)
          _ = getsockname(listener, pointer, &size)
        }
      }
      self.listener = listener
      address = "127.0.0.1:\(UInt16(bigEndian: place.sin_port))"
      Thread.detachNewThread { [self] in
        while true {
          let connection = accept(listener, nil, nil)
          guard connection >= 0 else { return }
          Thread.detachNewThread { self.serve(connection) }
        }
      }
    }

    func end() {
      shutdown(listener, Int32(SHUT_RDWR))
      close(listener)
    }

    static func word(_ value: UInt64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }

    static func text(_ text: String) -> [UInt8] {
      let bytes = Array(text.utf8) + [0]
      return bytes + [UInt8](repeating: 0, count: (8 - bytes.count % 8) % 8)
    }

    private func serve(_ connection: Int32) {
      defer { close(connection) }
      guard read(8, from: connection) != nil else { return }
      while let header = read(8, from: connection) {
        let words = header.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        guard let body = read(words * 8, from: connection) else { return }
        switch answer(header[4], body) ?? usual(header[4]) {
        case .message(let type, let body):
          let count = (0..<4).map { UInt8(truncatingIfNeeded: (body.count / 8) >> (8 * $0)) }
          send(count + [type, 0, 0, 0] + body, to: connection)
        case .bytes(let bytes): send(bytes, to: connection)
        case .flood: while send([UInt8](repeating: 0x41, count: 1 << 16), to: connection) {}
        case .close: return
        case .silence: continue
        }
      }
    }

    /// The answers of a leader until a database is open.
    private func usual(_ type: UInt8) -> Answer {
      switch type {
      case 0: .message(1, Self.word(1) + Self.text(address))
      case 1: .message(2, Self.word(0))
      case 3: .message(4, Self.word(0))
      default: .message(0, Self.word(1) + Self.text("no"))
      }
    }

    @discardableResult
    private func send(_ bytes: [UInt8], to connection: Int32) -> Bool {
      var sent = 0
      while sent < bytes.count {
        let count = bytes.withUnsafeBytes {
          Glibc.send(connection, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { return false }
        sent += count
      }
      return true
    }

    private func read(_ count: Int, from connection: Int32) -> [UInt8]? {
      var bytes: [UInt8] = []
      var chunk = [UInt8](repeating: 0, count: max(1, count))
      while bytes.count < count {
        let got = recv(connection, &chunk, count - bytes.count, 0)
        guard got > 0 else { return nil }
        bytes += chunk.prefix(got)
      }
      return bytes
    }
  }
#endif

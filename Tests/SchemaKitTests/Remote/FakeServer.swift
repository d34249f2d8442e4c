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
      /// Sends bytes that are not a message.
      case bytes([UInt8])
      /// Sends bytes without an end.
      case flood
      /// Closes the connection.
      case close
      /// Says nothing.
      case silence
    }

    private let answer: @Sendable (_ type: UInt8, _ body: [UInt8]) -> Answer?
    private var server: LoopbackServer?
    var address: String { server?.address ?? "" }

    /// - Parameter answer: What it does with a request; nil for what a leader does.
    init(_ answer: @escaping @Sendable (_ type: UInt8, _ body: [UInt8]) -> Answer?) {
      self.answer = answer
      server = LoopbackServer { [weak self] in self?.serve($0) }
    }

    func end() { server?.end() }

    static func word(_ value: UInt64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }

    static func text(_ text: String) -> [UInt8] {
      let bytes = Array(text.utf8) + [0]
      return bytes + [UInt8](repeating: 0, count: (8 - bytes.count % 8) % 8)
    }

    private func serve(_ connection: Int32) {
      guard LoopbackServer.read(8, from: connection) != nil else { return }
      while let header = LoopbackServer.read(8, from: connection) {
        let words = header.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        guard let body = LoopbackServer.read(words * 8, from: connection) else { return }
        switch answer(header[4], body) ?? usual(header[4]) {
        case .message(let type, let body):
          let count = (0..<4).map { UInt8(truncatingIfNeeded: (body.count / 8) >> (8 * $0)) }
          LoopbackServer.send(count + [type, 0, 0, 0] + body, to: connection)
        case .bytes(let bytes): LoopbackServer.send(bytes, to: connection)
        case .flood: while LoopbackServer.send([UInt8](repeating: 0x41, count: 1 << 16), to: connection) {}
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
  }
#endif

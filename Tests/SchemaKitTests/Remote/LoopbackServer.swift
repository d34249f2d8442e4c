#if canImport(Glibc)
  import Foundation

  /// A server on this machine that does with each connection what a test wants.
  ///
  /// It has identity because it owns a socket and a thread.
  final class LoopbackServer: @unchecked Sendable {
    let address: String
    private let listener: Int32

    /// - Parameter serve: What it does with a connection, which is closed afterwards.
    init(_ serve: @escaping @Sendable (Int32) -> Void) {
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
      Thread.detachNewThread {
        while true {
          let connection = accept(listener, nil, nil)
          guard connection >= 0 else { return }
          Thread.detachNewThread {
            serve(connection)
            close(connection)
          }
        }
      }
    }

    func end() {
      shutdown(listener, Int32(SHUT_RDWR))
      close(listener)
    }

    /// A connection to another server on this machine; -1 where there is none.
    static func connected(to port: UInt16) -> Int32 {
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var place = sockaddr_in()
      place.sin_family = sa_family_t(AF_INET)
      place.sin_port = port.bigEndian
      place.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
      let code = withUnsafePointer(to: &place) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      if code == 0 { return descriptor }
      close(descriptor)
      return -1
    }

    @discardableResult
    static func send(_ bytes: [UInt8], to connection: Int32) -> Bool {
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

    static func read(_ count: Int, from connection: Int32) -> [UInt8]? {
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

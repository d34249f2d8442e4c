/// A standard stream of the process, by its file descriptor.
package enum StandardStream: Int32 {
  case input, output, error

  /// Writes a text as a whole, and returns the system's error number if that fails.
  package func write(_ text: String) -> Int32? {
    Array(text.utf8).withUnsafeBytes { bytes in
      var written = 0
      while written < bytes.count {
        let count = writeBytes(rawValue, bytes.baseAddress?.advanced(by: written), bytes.count - written)
        if count >= 0 {
          written += count
        } else if errno == EAGAIN {
          // The program that started the process has made the stream non-blocking.
          var ready = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
          poll(&ready, 1, -1)
        } else if errno != EINTR {
          return errno
        }
      }
      return nil
    }
  }

  /// Reads what is left in the stream; nil if that fails.
  package func readToEnd() -> [UInt8]? { bytesToEnd(of: rawValue) }
}

/// Reads what is left in an open file; nil if that fails.
func bytesToEnd(of descriptor: Int32) -> [UInt8]? {
  var (all, part) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
  while true {
    let count = read(descriptor, &part, part.count)
    if count == 0 { return all }
    if count > 0 { all += part.prefix(count) } else if errno != EINTR { return nil }
  }
}

/// `write(2)`, whose name the type has taken.
private func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}

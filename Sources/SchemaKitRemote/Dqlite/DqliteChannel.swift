import SchemaKit
import SchemaKitFoundation

/// A connection to one server, on which a request waits for its answer. After any error it is closed.
final class DqliteChannel {
  /// When the wait for an answer ends.
  struct Limits {
    /// In seconds.
    var connecting = 5.0
    /// In seconds.
    var answering = 300.0
    /// The largest message that is taken, in bytes, but for the files of a database.
    var messageSize = 1 << 30
    var isCancelled: () -> Bool = { false }
  }

  let address: String
  private let limits: Limits
  private let descriptor: Int32
  /// True if it can still be used.
  private(set) var isOpen = true
  private var isCancellable = true
  private var mostBytes = 0

  /// Connects, and says which protocol is spoken.
  init(to address: String, _ limits: Limits) throws(RemoteError) {
    self.address = address
    self.limits = limits
    descriptor = try Self.connected(to: address, limits)
    var version = DqliteWriter()
    version.add(UInt64(1))
    try write(version.bytes, until: .now + .seconds(limits.connecting))
  }

  deinit { disconnect() }

  func disconnect() {
    guard isOpen else { return }
    isOpen = false
    close(descriptor)
  }

  /// Sends a request and waits for the answer.
  ///
  /// - Parameters:
  ///   - database: The number of the open database that the request is for.
  ///   - isCancellable: True if the wait may be given up.
  ///   - seconds: The time limit for the answer; nil for the usual limit.
  func response(
    to request: DqliteRequest, database: UInt32 = 0, isCancellable: Bool = true, within seconds: Double? = nil
  ) throws(RemoteError) -> DqliteResponse {
    let message = try request.encoded(database: database)
    try checkOpen()
    self.isCancellable = isCancellable
    defer { self.isCancellable = true }
    if case .dump = request { mostBytes = .max } else { mostBytes = limits.messageSize }
    let end = ContinuousClock.now + .seconds(seconds ?? limits.answering)
    do {
      try write(message, until: end)
      return try nextResponse(until: end)
    } catch {
      disconnect()
      throw error
    }
  }

  /// Waits for one more answer to a request, such as more rows.
  func nextResponse() throws(RemoteError) -> DqliteResponse {
    try checkOpen()
    do {
      return try nextResponse(until: .now + .seconds(limits.answering))
    } catch {
      disconnect()
      throw error
    }
  }

  /// A descriptor that is closed may be another connection's by now.
  private func checkOpen() throws(RemoteError) {
    if !isOpen { throw RemoteError(reason: .connectionLost(problem: "it was closed")) }
  }

  private func nextResponse(until end: ContinuousClock.Instant) throws(RemoteError) -> DqliteResponse {
    let header = try receive(8, until: end)
    let words = header.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    guard words * 8 <= mostBytes else { throw RemoteError(reason: .malformed) }
    return try DqliteResponse(type: header[4], schema: header[5], body: receive(words * 8, until: end))
  }

  // MARK: - Bytes

  private func write(_ bytes: [UInt8], until end: ContinuousClock.Instant) throws(RemoteError) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        send(descriptor, buffer.baseAddress?.advanced(by: sent), bytes.count - sent, noSignal)
      }
      if count > 0 {
        sent += count
      } else if errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR {
        try wait(for: POLLOUT, until: end)
      } else {
        throw lost()
      }
    }
  }

  private func receive(_ count: Int, until end: ContinuousClock.Instant) throws(RemoteError) -> [UInt8] {
    var bytes: [UInt8] = []
    // The announced size is not allocated before the bytes come.
    var chunk = [UInt8](repeating: 0, count: min(count, 1 << 16))
    while bytes.count < count {
      // Also while bytes keep coming.
      try checkTime(until: end)
      let wanted = min(chunk.count, count - bytes.count)
      let got = recv(descriptor, &chunk, wanted, 0)
      if got > 0 {
        bytes.append(contentsOf: chunk.prefix(got))
      } else if got < 0, errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR {
        try wait(for: POLLIN, until: end)
      } else {
        throw got == 0 ? RemoteError(reason: .connectionLost(problem: "\(address) has closed it")) : lost()
      }
    }
    return bytes
  }

  private func lost() -> RemoteError {
    RemoteError(reason: .connectionLost(problem: "\(address): \(String(cString: strerror(errno)))"))
  }

  private func wait(for event: Int32, until end: ContinuousClock.Instant) throws(RemoteError) {
    let isCancelled = isCancellable ? limits.isCancelled : { false }
    try Self.wait(descriptor, for: event, until: end, isCancelled, seconds: limits.answering)
  }

  private func checkTime(until end: ContinuousClock.Instant) throws(RemoteError) {
    if isCancellable, limits.isCancelled() { throw RemoteError(reason: .cancelled) }
    guard ContinuousClock.now < end else { throw RemoteError(reason: .timedOut(limits.answering)) }
  }

  /// Waits in short steps, so that a cancellation is noticed.
  private static func wait(
    _ descriptor: Int32, for event: Int32, until end: ContinuousClock.Instant, _ isCancelled: () -> Bool,
    seconds: Double
  ) throws(RemoteError) {
    while true {
      if isCancelled() { throw RemoteError(reason: .cancelled) }
      guard ContinuousClock.now < end else { throw RemoteError(reason: .timedOut(seconds)) }
      var place = pollfd(fd: descriptor, events: Int16(event), revents: 0)
      if poll(&place, 1, 50) > 0 { return }
    }
  }

  private static func connected(to address: String, _ limits: Limits) throws(RemoteError) -> Int32 {
    let (host, port) = try parts(of: address)
    var hints = addrinfo()
    hints.ai_socktype = streamSocket
    var found: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, port, &hints, &found)
    guard code == 0, let first = found else {
      throw RemoteError(reason: .unreachable([address], problem: String(cString: gai_strerror(code))))
    }
    defer { freeaddrinfo(first) }
    var problem = RemoteError(reason: .unreachable([address], problem: "no address"))
    var next: UnsafeMutablePointer<addrinfo>? = first
    while let candidate = next?.pointee {
      do {
        return try connected(to: candidate, address, limits)
      } catch {
        problem = error
      }
      next = candidate.ai_next
    }
    throw problem
  }

  private static func connected(
    to candidate: addrinfo, _ address: String, _ limits: Limits
  ) throws(RemoteError) -> Int32 {
    func failure(_ code: Int32) -> RemoteError {
      RemoteError(reason: .unreachable([address], problem: String(cString: strerror(code))))
    }
    let descriptor = socket(candidate.ai_family, candidate.ai_socktype, candidate.ai_protocol)
    guard descriptor >= 0 else { throw failure(errno) }
    do throws(RemoteError) {
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      var isOn: Int32 = 1
      #if canImport(Darwin)
        setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
      #endif
      setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
      if connect(descriptor, candidate.ai_addr, candidate.ai_addrlen) != 0 {
        guard errno == EINPROGRESS else { throw failure(errno) }
        try wait(
          descriptor, for: POLLOUT, until: .now + .seconds(limits.connecting), limits.isCancelled,
          seconds: limits.connecting)
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
        guard code == 0 else { throw failure(code) }
      }
      return descriptor
    } catch {
      close(descriptor)
      throw error
    }
  }

  /// The host and the port of `host:port` or `[address]:port`.
  static func parts(of address: String) throws(RemoteError) -> (host: String, port: String) {
    guard let colon = address.lastIndex(of: ":"), let port = UInt16(address[address.index(after: colon)...]) else {
      throw RemoteError(reason: .address(address, problem: "a port is missing, as in 127.0.0.1:9001"))
    }
    var host = address[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
    guard !host.isEmpty else { throw RemoteError(reason: .address(address, problem: "a host is missing")) }
    return (String(host), String(port))
  }
}

#if canImport(Darwin)
  private let noSignal: Int32 = 0
  private let streamSocket = SOCK_STREAM
#else
  /// A server that is gone ends no program.
  private let noSignal = Int32(MSG_NOSIGNAL)
  private let streamSocket = Int32(SOCK_STREAM.rawValue)
#endif

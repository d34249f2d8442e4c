import SchemaKit
import SchemaKitFoundation

/// Finds the leader of a cluster.
struct DqliteLeader {
  /// A connection to the leader with the number that it gave to the database.
  struct Link {
    let channel: DqliteChannel
    let database: UInt32
  }

  let addresses: [String]
  let database: String
  let limits: DqliteConnection.Limits
  let isCancelled: () -> Bool

  /// Connects to the leader, as soon as there is one.
  func connected(until end: ContinuousClock.Instant) throws(RemoteError) -> Link {
    var limits = DqliteChannel.Limits()
    limits.connecting = self.limits.connecting
    limits.answering = self.limits.answering
    limits.isCancelled = isCancelled
    var problem = RemoteError(reason: .noLeader)
    while true {
      for address in addresses {
        if isCancelled() { throw RemoteError(reason: .cancelled) }
        do throws(RemoteError) {
          if let link = try leader(askingAt: address, limits) { return link }
          problem = RemoteError(reason: .noLeader)
        } catch {
          switch error.reason {
          case .cancelled, .address, .insecure: throw error
          default: break
          }
          problem = error
        }
      }
      guard .now < end else {
        if problem.reason == .noLeader { throw problem }
        if case .unreachable(_, let words) = problem.reason {
          throw RemoteError(reason: .unreachable(addresses, problem: words))
        }
        throw RemoteError(reason: .unreachable(addresses, problem: "\(problem)"))
      }
      usleep(50_000)
    }
  }

  /// A connection to the leader that a node knows; nil where it knows none.
  private func leader(askingAt address: String, _ limits: DqliteChannel.Limits) throws(RemoteError) -> Link? {
    try check(address)
    let node = try DqliteChannel(to: address, limits)
    let seconds = limits.connecting
    guard case .leader(let leader) = try node.response(to: .leader, within: seconds) else {
      throw RemoteError(reason: .malformed)
    }
    guard !leader.isEmpty else { return nil }
    try check(leader)
    let channel = try DqliteChannel(to: leader, limits)
    guard case .leader(leader) = try channel.response(to: .leader, within: seconds) else { return nil }
    guard case .welcome = try channel.response(to: .client(id: 1), within: seconds) else {
      throw RemoteError(reason: .malformed)
    }
    let opened = try channel.response(to: .open(database: database), within: seconds)
    guard case .database(let id) = opened else { return nil }
    return Link(channel: channel, database: id)
  }

  private func check(_ address: String) throws(RemoteError) {
    let host = try DqliteChannel.parts(of: address).host
    let isLocal = host == "localhost" || host == "::1" || host.wholeMatch(of: /127(\.\d{1,3}){3}/) != nil
    guard isLocal || !limits.isLocalOnly else { throw RemoteError(reason: .insecure(host: host)) }
  }
}

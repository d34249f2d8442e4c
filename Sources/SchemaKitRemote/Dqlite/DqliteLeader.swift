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
  func connected(until end: ContinuousClock.Instant) throws -> Link {
    var limits = DqliteChannel.Limits()
    limits.connecting = self.limits.connecting
    limits.answering = self.limits.answering
    limits.isCancelled = isCancelled
    var problem = RemoteError(reason: .noLeader)
    while true {
      for address in addresses {
        do {
          if let link = try leader(askingAt: address, limits) { return link }
          problem = RemoteError(reason: .noLeader)
        } catch let error {
          switch error.reason {
          case .cancelled, .address, .insecure: throw error
          default: break
          }
          problem = error
        }
      }
      guard .now < end else {
        if problem.reason == .noLeader { throw problem }
        throw RemoteError(reason: .unreachable(addresses, problem: "\(problem)"))
      }
      usleep(50_000)
    }
  }

  /// A connection to the leader that a node knows; nil where it knows none.
  private func leader(askingAt address: String, _ limits: DqliteChannel.Limits) throws(RemoteError) -> Link? {
    try check(address)
    var asked = limits
    asked.answering = limits.connecting
    let node = try DqliteChannel(to: address, asked)
    guard case .leader(let leader) = try node.response(to: .leader) else { throw RemoteError(reason: .malformed) }
    guard !leader.isEmpty else { return nil }
    try check(leader)
    let channel = try DqliteChannel(to: leader, limits)
    guard case .leader(leader) = try channel.response(to: .leader) else { return nil }
    guard case .welcome = try channel.response(to: .client(id: 1)) else { throw RemoteError(reason: .malformed) }
    guard case .database(let id) = try channel.response(to: .open(database: database)) else { return nil }
    return Link(channel: channel, database: id)
  }

  private func check(_ address: String) throws(RemoteError) {
    let host = try DqliteChannel.parts(of: address).host
    let isLocal = host == "localhost" || host == "::1" || host.wholeMatch(of: /127(\.\d{1,3}){3}/) != nil
    guard isLocal || !limits.isLocalOnly else { throw RemoteError(reason: .insecure(host: host)) }
  }
}

import SchemaKit

/// The rows of a query, which a server sends a batch at a time.
///
/// It has identity because another request of the same connection has to take in what is still to come, before it is sent.
final class DqliteAnswer {
  private let channel: DqliteChannel
  private var batches: [[[SQLValue]]] = []
  /// True if all rows have come.
  private(set) var isComplete = false
  /// The error with which the query ended, if it failed.
  private(set) var failure: (code: UInt64, message: String)?

  init(_ channel: DqliteChannel, _ first: DqliteResponse) throws(RemoteError) {
    self.channel = channel
    try add(first)
  }

  /// The next rows; nil after the last.
  func nextRows() throws(RemoteError) -> [[SQLValue]]? {
    if batches.isEmpty, !isComplete { try add(channel.nextResponse()) }
    return batches.isEmpty ? nil : batches.removeFirst()
  }

  /// Takes in all rows that are still to come.
  func complete() throws(RemoteError) { while !isComplete { try add(channel.nextResponse()) } }

  private func add(_ response: DqliteResponse) throws(RemoteError) {
    switch response {
    case .rows(let rows, let isLast):
      // A server that has more and sends nothing would do so for ever.
      guard isLast || !rows.isEmpty else { throw RemoteError(reason: .malformed) }
      batches.append(rows)
      isComplete = isLast
    case .failure(let code, let message):
      failure = (code, message)
      isComplete = true
    default: throw RemoteError(reason: .malformed)
    }
  }
}

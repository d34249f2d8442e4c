extension DqliteConnection {
  /// The limits of a connection: the times that it waits, and the nodes that it accepts.
  public struct Limits: Sendable, Hashable {
    /// For a node to accept a connection and to say who leads, in seconds.
    public var connecting = 5.0
    /// For an answer, in seconds: a statement that takes longer is lost with its transaction.
    public var answering = 300.0
    /// For a lock that another connection has, in seconds.
    public var busy = 5.0
    /// For the nodes to agree on a leader, in seconds.
    public var leader = 30.0
    /// True if nodes on other machines are refused, also as leaders that a node here knows of.
    public var isLocalOnly = false

    /// Creates the defaults.
    public init() {}
  }
}

extension LibSQLConnection {
  /// The limits of a connection: the times that it waits, and the size of an answer.
  public struct Limits: Sendable, Hashable {
    /// For an answer, in seconds: a statement that takes longer is lost with its transaction.
    public var answering = 300.0
    /// For a lock that another connection has, in seconds. While another one writes, the server itself lets wait.
    public var busy = 5.0
    /// For a server that cannot be reached, in seconds.
    public var reaching = 10.0
    /// The largest answer that is taken, in bytes.
    public var answerSize = 1 << 30

    /// Creates the defaults.
    public init() {}
  }
}

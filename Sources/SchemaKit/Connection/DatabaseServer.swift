/// A kind of server on which commands reach databases, such as a dqlite cluster.
public protocol DatabaseServer: SendableMetatype {
  /// The scheme of its addresses: `dqlite` for `dqlite://127.0.0.1:9001/notes`.
  static var scheme: String { get }
  /// The profile that plans for it are made under, as `--profile` names it.
  static var profile: String { get }

  /// Connects to a database by its address.
  ///
  /// - Throws: ``RemoteError``, `SQLiteError`.
  static func connection(to address: String, _ options: ServerOptions) throws -> any SQLConnection

  /// Copies a database of such a connection into a new file of SQLite on this machine.
  static func copy(_ connection: any SQLConnection, toNewFile path: String) throws

  /// The name of the database in an address.
  static func databaseName(in address: String) throws -> String
}

/// How a database on a server is connected to.
public struct ServerOptions: Sendable {
  /// How long to wait for a lock, in seconds.
  public var lockTimeout: Double
  /// Whether a connection to another machine may be one that is neither encrypted nor authenticated.
  public var allowsInsecure: Bool
  /// Whether work is to be given up; asked while an answer is awaited.
  public var isCancelled: @Sendable () -> Bool

  /// Creates options.
  public init(
    lockTimeout: Double = 5, allowsInsecure: Bool = false, isCancelled: @escaping @Sendable () -> Bool = { false }
  ) {
    self.lockTimeout = lockTimeout
    self.allowsInsecure = allowsInsecure
    self.isCancelled = isCancelled
  }
}

/// A connection to a server, which tells that it has lost transactions: an error of the network can pass for one of a
/// statement that is tried.
package protocol ServerConnection: SQLConnection {
  /// How many transactions were lost before they were ended.
  var lostTransactions: Int { get }
}

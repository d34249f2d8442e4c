/// A kind of server on which commands reach databases, such as a dqlite cluster.
public protocol DatabaseServer: SendableMetatype {
  /// The schemes of its addresses: `dqlite` for `dqlite://127.0.0.1:9001/notes`.
  static var schemes: [String] { get }
  /// The profile that plans for it are made under, as `--profile` names it.
  static var profile: String { get }

  /// Connects to a database by its address.
  ///
  /// - Throws: ``RemoteError``, `SQLiteError`.
  static func connection(to address: String, _ options: ServerOptions) throws -> any ServerConnection

  /// Copies a database of such a connection into a new file of SQLite on this machine.
  static func copy(_ connection: any SQLConnection, toNewFile path: String) throws

  /// The name of the database in an address.
  static func databaseName(in address: String) throws -> String

  /// Where a token for an address is sent; nil for a server that takes none.
  static func tokenHost(in address: String) throws -> String?
}

extension DatabaseServer {
  /// Nowhere.
  public static func tokenHost(in address: String) throws -> String? { nil }
}

/// The options for connecting to a database on a server.
public struct ServerOptions: Sendable {
  /// The number of seconds to wait for a lock.
  public var lockTimeout: Double
  /// True if a connection to another machine may be one that is neither encrypted nor authenticated.
  public var allowsInsecure: Bool
  /// The token that lets the program in at the server; nil where the server asks for none.
  public var token: ServerToken?
  /// True if work is to be given up; asked while an answer is awaited.
  public var isCancelled: @Sendable () -> Bool

  /// Creates options.
  public init(
    lockTimeout: Double = 5, allowsInsecure: Bool = false, token: ServerToken? = nil,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) {
    self.lockTimeout = lockTimeout
    self.allowsInsecure = allowsInsecure
    self.token = token
    self.isCancelled = isCancelled
  }
}

/// A connection to a database on a server.
public protocol ServerConnection: SQLConnection {
  /// The number of transactions that were lost before they were ended.
  ///
  /// An error of the network can pass for one of a statement that is tried; this tells them apart.
  var lostTransactions: Int { get }

  /// The rowid of the row that was inserted last on the connection to the server, by whichever statement; 0 before.
  var lastInsertedRowID: Int64 { get }

  /// True if texts of rows that are not valid UTF-8 are repaired, as a connection to a file does; otherwise the query throws
  /// ``RemoteError/Reason/brokenText(column:name:)``. True at first.
  var repairsTexts: Bool { get set }

  /// The profile that its plans must be made under, as `--profile` names it; nil where the connection is asked.
  var planProfile: String? { get }

  /// True if it can have temporary tables.
  var hasTemporaryTables: Bool { get }

  /// Ends the connection. A transaction that is open is rolled back.
  func close()
}

extension ServerConnection {
  /// None.
  public var planProfile: String? { nil }

  /// As with most.
  public var hasTemporaryTables: Bool { true }
}

extension SQLConnection {
  /// The schema for tables that are dropped before the transaction ends: the temporary one, where there is one.
  var schemaForWork: String { (self as? any ServerConnection)?.hasTemporaryTables == false ? "main" : "temp" }
}

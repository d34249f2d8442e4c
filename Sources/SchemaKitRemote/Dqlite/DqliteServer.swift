public import SchemaKit

/// dqlite clusters, by addresses such as `dqlite://127.0.0.1:9001,127.0.0.1:9002/notes`.
public enum DqliteServer: DatabaseServer {
  public static var scheme: String { "dqlite" }

  public static func connection(to address: String, _ options: ServerOptions) throws -> any SQLConnection {
    let (addresses, database) = try parts(of: address)
    var limits = DqliteConnection.Limits()
    limits.busy = options.lockTimeout
    limits.isLocalOnly = !options.allowsInsecure
    let connection = try DqliteConnection(to: addresses, database: database, limits: limits)
    connection.isCancelled = options.isCancelled
    return connection
  }

  /// The nodes and the database of `dqlite://host:port,host:port/database`.
  static func parts(of address: String) throws(RemoteError) -> (addresses: [String], database: String) {
    func problem(_ words: String) -> RemoteError { RemoteError(reason: .address(address, problem: words)) }
    let prefix = "\(scheme)://"
    guard address.hasPrefix(prefix) else { throw problem("it does not begin with \(prefix)") }
    let rest = address.dropFirst(prefix.count)
    guard !rest.contains("@") else { throw problem("dqlite has neither users nor passwords") }
    guard !rest.contains("?"), !rest.contains("#") else { throw problem("it takes no parameters") }
    guard let slash = rest.firstIndex(of: "/") else {
      throw problem("the name of the database is missing, as in dqlite://127.0.0.1:9001/notes")
    }
    let database = String(rest[rest.index(after: slash)...])
    let addresses = rest[..<slash].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard !database.isEmpty, !database.contains("/") else {
      throw problem("the name of the database is missing, as in dqlite://127.0.0.1:9001/notes")
    }
    for address in addresses { _ = try DqliteChannel.parts(of: address) }
    return (addresses, database)
  }
}

public import SchemaKit
import SchemaKitFoundation

/// libSQL servers, such as `sqld` and Turso, by addresses such as `libsql://host`, `https://host:port` and
/// `http://127.0.0.1:8080`.
public enum LibSQLServer: DatabaseServer {
  public static var schemes: [String] { ["libsql", "https", "http"] }
  public static var profile: String { "libsql" }

  public static func connection(to address: String, _ options: ServerOptions) throws -> any ServerConnection {
    let place = try LibSQLAddress(address)
    // With a token, even the agreement to be read on the way is not enough.
    if options.token == nil, !place.isEncrypted, !place.isLocal, !options.allowsInsecure {
      throw RemoteError(reason: .insecure(host: place.place))
    }
    var limits = LibSQLConnection.Limits()
    limits.busy = options.lockTimeout
    return try LibSQLConnection(
      to: address, token: options.token, limits: limits, isCancelled: options.isCancelled)
  }

  public static func copy(_ connection: any SQLConnection, toNewFile path: String) throws {
    try ServerCopy.make(of: connection, toNewFile: path)
  }

  public static func databaseName(in address: String) throws -> String { try LibSQLAddress(address).name }

  public static func tokenHost(in address: String) throws -> String? { try LibSQLAddress(address).place }
}

public import SchemaKit

/// The servers that this library reaches.
public enum RemoteServers {
  /// All of them.
  public static let all: [any DatabaseServer.Type] = [DqliteServer.self, LibSQLServer.self]

  /// Connects to a database by its address, whichever server it is on.
  ///
  /// ```swift
  /// let session = try Session(
  ///   onServer: RemoteServers.connection(to: "dqlite://127.0.0.1:9001/notes"), schema: NotesModels.schema)
  /// ```
  ///
  /// - Throws: `RemoteError` for an address of none of these servers, and for a server that cannot be reached.
  public static func connection(
    to address: String, _ options: ServerOptions = ServerOptions()
  ) throws -> any ServerConnection {
    let scheme = address.firstRange(of: "://").map { address[..<$0.lowerBound].lowercased() }
    guard let server = all.first(where: { $0.schemes.contains { $0 == scheme } }) else {
      let known = all.flatMap { $0.schemes }.map { "\($0)://" }.joined(separator: ", ")
      // Of what may have a token or a password in it, nothing is repeated.
      let shown = address.contains { "?#@".contains($0) } ? "What was given" : address
      throw RemoteError(reason: .address(shown, problem: "it begins with none of \(known)"))
    }
    return try server.connection(to: address, options)
  }
}

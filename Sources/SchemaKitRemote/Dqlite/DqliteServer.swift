public import SchemaKit
import SchemaKitFoundation

/// dqlite clusters, by addresses such as `dqlite://127.0.0.1:9001,127.0.0.1:9002/notes`.
public enum DqliteServer: DatabaseServer {
  public static var schemes: [String] { ["dqlite"] }
  public static var profile: String { "dqlite" }

  public static func connection(to address: String, _ options: ServerOptions) throws -> any ServerConnection {
    let (addresses, database) = try parts(of: address)
    var limits = DqliteConnection.Limits()
    limits.busy = options.lockTimeout
    limits.isLocalOnly = !options.allowsInsecure
    return try DqliteConnection(
      to: addresses, database: database, limits: limits, isCancelled: options.isCancelled)
  }

  public static func copy(_ connection: any SQLConnection, toNewFile path: String) throws {
    guard let connection = connection as? DqliteConnection else { throw RemoteError(reason: .malformed) }
    let part = "\(path).part-\(UUID().uuidString.prefix(8).lowercased())"
    defer { for suffix in ["", "-wal", "-shm", "-journal"] { unlink(part + suffix) } }
    // The database comes first, and then its log.
    for (content, suffix) in zip(try connection.files().map(\.content), ["", "-wal"]) {
      try write(content, toNewFile: part + suffix)
    }
    // The content of the log goes into the file.
    let file = try SQLiteConnection(path: part, mode: .readWrite)
    try file.execute("PRAGMA journal_mode = DELETE")
    guard try file.texts("PRAGMA quick_check") == ["ok"] else { throw RemoteError(reason: .malformed) }
    try file.close()
    // Not every file system has hard links; where the name is taken, both fail.
    if link(part, path) != 0 { try FileManager.default.moveItem(atPath: part, toPath: path) }
  }

  public static func databaseName(in address: String) throws -> String { try parts(of: address).database }

  /// Writes a file that only its owner can read.
  private static func write(_ content: [UInt8], toNewFile path: String) throws {
    func failure() -> SQLiteError { SQLiteError(code: 14, message: "\(path): \(String(cString: strerror(errno)))") }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure() }
    defer { close(descriptor) }
    var written = 0
    while written < content.count {
      let count = content.withUnsafeBytes { SchemaKitRemote.write(descriptor, $0, from: written) }
      guard count > 0 else { throw failure() }
      written += count
    }
    guard fsync(descriptor) == 0 else { throw failure() }
  }

  /// The nodes and the database of `dqlite://host:port,host:port/database`.
  static func parts(of address: String) throws(RemoteError) -> (addresses: [String], database: String) {
    // A password or a token is not repeated.
    let shown = address.contains { "?#@".contains($0) } ? "What was given" : address
    func problem(_ words: String) -> RemoteError { RemoteError(reason: .address(shown, problem: words)) }
    let prefix = "dqlite://"
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

private func write(_ descriptor: Int32, _ buffer: UnsafeRawBufferPointer, from start: Int) -> Int {
  write(descriptor, buffer.baseAddress?.advanced(by: start), buffer.count - start)
}

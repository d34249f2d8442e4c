import SchemaKit
import SchemaKitFoundation

// Databases on servers, which are named by addresses such as dqlite://127.0.0.1:9001/notes.
extension DatabaseAccess {
  /// The servers that the program knows.
  @TaskLocal static var servers: [any DatabaseServer.Type] = []

  /// The scheme of an address; nil for the path of a file.
  static func scheme(of path: String) -> String? {
    path.prefixMatch(of: /([a-z][a-z0-9+.-]*):\/\//).map { String($0.1) }.flatMap { $0 == "file" ? nil : $0 }
  }

  /// True if the database is on a server.
  var isOnServer: Bool { Self.scheme(of: path) != nil }

  /// The kind of server that has the database; nil for a file.
  var server: (any DatabaseServer.Type)? {
    get throws {
      guard let scheme = Self.scheme(of: path) else { return nil }
      try ServerSecrets.check(path)
      if let server = Self.servers.first(where: { $0.schemes.contains(scheme) }) { return server }
      let known = Self.servers.flatMap { $0.schemes }.map { "\($0)://" }
      throw CommandError.usage(
        known.isEmpty
          ? "\(path) is on a server, and this program reaches none: build it with the trait Remote."
          : "\(path) is on a server that this program does not know; it knows \(Wording.list(known)).")
    }
  }

  /// The profile that plans for the database are made under; nil for a file, which is asked.
  var profile: EngineProfile.Name? { get throws { try server.flatMap { EngineProfile.Name(rawValue: $0.profile) } } }

  func openedOnServer(isCancelled: @escaping @Sendable () -> Bool = { false }) throws -> any SQLConnection {
    guard let server = try server else { return try openedForInspection() }
    var options = ServerOptions(
      lockTimeout: lockTimeout, allowsInsecure: allowsInsecure, isCancelled: isCancelled)
    if try server.tokenHost(in: path) != nil { options.token = try ServerSecrets.token(file: tokenFile) }
    if options.token != nil { try ServerSecrets.checkHosts(of: path, Self.tokenHost) }
    return try server.connection(to: path, options)
  }

  /// Where a token for an address is sent; nil for a file, and for a server that takes none or is not known.
  private static func tokenHost(in address: String) throws -> String? {
    guard let scheme = scheme(of: address) else { return nil }
    return try servers.first { $0.schemes.contains(scheme) }?.tokenHost(in: address)
  }

  /// Refuses work that only a file allows.
  func refuseServer() throws {
    guard isOnServer else { return }
    _ = try server
    throw CommandError.usage("\(path) is on a server, and this is possible with files only.")
  }

  /// Copies a database on a server into a new file, where that is due before a plan.
  func copy(_ connection: any SQLConnection, before plan: MigrationPlan, _ policy: BackupPolicy) throws -> String? {
    guard let server = try server else { return nil }
    let isDue =
      switch policy {
      case .never: false
      case .beforeChange: true
      case .beforeLoss: plan.replacesValues
      }
    guard isDue else { return nil }
    var file = try placeForCopy(before: plan, named: server.databaseName(in: path))
    if case .beforeChange(let place) = policy {
      let isFolder = place.hasSuffix("/") || FileManager.default.folderExists(atPath: place)
      file = isFolder ? try placeForCopy(in: place, before: plan, named: server.databaseName(in: path)) : place
      try MigrationBackup(policy).makeFolder()
    }
    if let obstacle = SQLiteConnection.obstacle(toNewFile: file) {
      throw CommandError(
        code: .failed,
        sentence: "the backup \(obstacle.sentence). Nothing was changed. Name another place with --backup.")
    }
    try server.copy(connection, toNewFile: file)
    return file
  }

  /// A name that is free, as the copies of files have it.
  private func placeForCopy(in folder: String = "", before plan: MigrationPlan, named name: String) throws -> String {
    let base = folder.isEmpty || folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    let names = MigrationBackup.names(of: base, before: plan.sourceFingerprint)
    return names.first { SQLiteConnection.obstacle(toNewFile: $0)?.isTaken != true } ?? base
  }
}

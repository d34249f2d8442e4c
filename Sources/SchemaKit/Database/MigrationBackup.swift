import Foundation

/// When a database is copied before a migration changes it.
public enum BackupPolicy: Sendable, Hashable {
  /// No copy is made.
  case never
  /// A copy is made beside the database before values are lost or replaced, NULL among them: `notes.db.before-1a2b3c4d.db`, named after the schema
  /// that it has. A file that is there already is never overwritten.
  case beforeLoss
  /// A copy is made in this file before anything is changed; or, where it is a folder or ends in `/`, in a new file there
  /// that is named as with `beforeLoss`; a folder that ends in `/` is made where it is missing.
  case beforeChange(String)
}

/// A copy of a database, made before a plan runs.
package struct MigrationBackup {
  package var policy: BackupPolicy

  package init(_ policy: BackupPolicy) { self.policy = policy }

  /// The file to copy to before a plan runs, or nil when there is none to be made.
  ///
  /// - Parameters:
  ///   - connection: To the database, whose schema a copy is named after where there is no plan.
  ///   - losesRows: Whether rows may be lost that the plan knows nothing of.
  package func destination(
    for plan: MigrationPlan?, of path: String, on connection: SQLiteConnection, losesRows: Bool = false
  ) throws -> String? {
    let isDue =
      switch policy {
      case .never: false
      case .beforeChange: plan?.isEmpty == false || losesRows
      case .beforeLoss: plan?.replacesValues == true || losesRows
      }
    guard isDue else { return nil }
    var base = path
    if case .beforeChange(let place) = policy {
      guard place.hasSuffix("/") || Self.isFolder(place) else { return place }
      base = (place.hasSuffix("/") ? place : place + "/") + (path.split(separator: "/").last ?? "database")
    }
    let fingerprint = try plan?.sourceFingerprint ?? Fingerprint.of(SchemaReader.read(connection))
    return Self.names(of: base, before: fingerprint).first { SQLiteConnection.obstacle(toNewFile: $0) == nil }
  }

  /// The names of copies that are made beside a database while it has a schema, in their order.
  private static func names(of path: String, before fingerprint: String) -> some Sequence<String> {
    let base = "\(path).before-\(fingerprint.prefix(8))"
    return (1...).lazy.map { $0 == 1 ? "\(base).db" : "\(base)-\($0).db" }
  }

  /// Makes the folder that copies go to, where the policy names one that is not there.
  ///
  /// - Throws: The error of Foundation when it cannot be made.
  package func makeFolder() throws {
    guard case .beforeChange(let place) = policy, place.hasSuffix("/"), !Self.isFolder(place) else { return }
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
  }

  private static func isFolder(_ path: String) -> Bool {
    var isDirectory: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory.boolValue
  }

  /// Copies a database, the content of its WAL included, and checks the copy.
  ///
  /// It has its name when it is whole, and not before: what a program leaves behind that is stopped meanwhile is called
  /// `….part-1a2b3c4d`.
  ///
  /// - Parameter other: Another name, where somebody has taken the first one meanwhile; nil for none.
  /// - Throws: `SQLiteError` that is full when there is no room for it, or when copying fails; then no file is left.
  package static func copy(
    _ source: SQLiteConnection, to file: String, or other: () throws -> String? = { nil }
  ) throws -> DatabaseCopy {
    if let obstacle = SQLiteConnection.obstacle(toNewFile: file) {
      throw SQLiteError(code: 14, message: "\(obstacle.sentence). Nothing was changed")
    }
    let size = try (source.integer("PRAGMA main.page_count") ?? 0) * (source.integer("PRAGMA main.page_size") ?? 0)
    if let free = DiskSpace.free(at: file), free < size {
      throw SQLiteError.full("a copy in \(file) needs \(size >> 20) MiB, and \(free >> 20) MiB are free")
    }
    let version = try DataVersion(of: source)
    let part = "\(file).part-\(UUID().uuidString.prefix(8).lowercased())"
    try source.backup(toNewFile: part)
    var file = file
    do {
      // A file that is there is not overwritten.
      while true {
        do {
          try name(part, file)
          break
        } catch  where SQLiteConnection.obstacle(toNewFile: file)?.isTaken == true {
          guard let name = try other(), name != file else {
            throw SQLiteError(code: 14, message: "\(file) exists already and is not overwritten")
          }
          file = name
        }
      }
    } catch {
      try? FileManager.default.removeItem(atPath: part)
      throw error
    }
    return DatabaseCopy(path: file, version: version)
  }

  /// Gives a file another name in one step that fails where the name is taken, unlike a look and a rename.
  private static func name(_ part: String, _ file: String) throws {
    if link(part, file) == 0 {
      unlink(part)
    } else {
      // Not every file system knows a second name; where the first one is taken, this fails as well.
      try FileManager.default.moveItem(atPath: part, toPath: file)
    }
  }
}

/// A copy of a database that a run made before it changes it.
package struct DatabaseCopy: Sendable {
  package let path: String
  /// What the database was when copying began; nil where SQLite does not tell.
  fileprivate let version: DataVersion?

  /// Takes the copy away where it turned out that there is nothing to change.
  package func remove() { try? FileManager.default.removeItem(atPath: path) }

  /// Makes the copy anew where somebody has written to the database since. To be called when nobody else can.
  package func renewIfStale(for connection: SQLiteConnection) throws {
    guard let version, try DataVersion(of: connection) != version, let database = connection.filePath else { return }
    // SQLite copies nothing over a connection that holds the lock for writing.
    let reader = try SQLiteConnection(
      path: database, mode: .readOnly, busyTimeout: connection.busyTimeout, fileSystem: connection.fileSystem)
    try FileManager.default.removeItem(atPath: path)
    _ = try MigrationBackup.copy(reader, to: path)
  }

  /// The name that the history of a database keeps: without the folder where that is the database's own.
  package func name(beside database: String) -> String {
    let folder = URL(fileURLWithPath: database).deletingLastPathComponent().standardizedFileURL.path
    let file = URL(fileURLWithPath: path).standardizedFileURL
    return file.deletingLastPathComponent().path == folder ? file.lastPathComponent : file.path
  }
}

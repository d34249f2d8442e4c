import SchemaKitFoundation

/// When a database is copied before a migration changes it.
public enum BackupPolicy: Sendable, Hashable {
  /// No copy is made.
  case never
  /// A copy is made beside the database before values are lost or replaced, including NULLs:
  /// `notes.db.before-1a2b3c4d.db`, named after the schema that it has. An existing file is never overwritten.
  case beforeLoss
  /// A copy is made in this file before anything is changed; if it is a folder or ends in `/`, in a new file there that
  /// is named as with `beforeLoss`. A folder whose path ends in `/` is created if missing.
  case beforeChange(String)
}

/// A copy of a database, made before a plan runs.
package struct MigrationBackup {
  package var policy: BackupPolicy

  package init(_ policy: BackupPolicy) { self.policy = policy }

  /// The file to copy to before a plan runs, or nil if no copy is needed.
  ///
  /// - Parameters:
  ///   - connection: The database. Without a plan, the copy is named after its schema.
  ///   - losesRows: True if rows may be lost that the plan does not know about.
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

  /// The names for copies made beside a database that has a given schema, in order.
  package static func names(of path: String, before fingerprint: String) -> some Sequence<String> {
    let base = "\(path).before-\(fingerprint.prefix(8))"
    return (1...).lazy.map { $0 == 1 ? "\(base).db" : "\(base)-\($0).db" }
  }

  /// True if a file is called as copies are, or as what an interrupted program leaves of one.
  package static func isCopy(named name: String) -> Bool {
    guard name.contains(".before-") || name.contains(".part-") else { return false }
    return name.firstMatch(of: /\.before-[0-9a-f]{8}(-\d+)?\.db($|-|\.part-)|\.part-[0-9a-f]{8}($|-)/) != nil
  }

  /// True if a file is called as the finished copies of another one are.
  private static func isCopy(_ name: String, of database: Substring) -> Bool {
    guard name.utf8.starts(with: "\(database).before-".utf8) else { return false }
    return name.dropFirst("\(database).before-".count).wholeMatch(of: /[0-9a-f]{8}(-\d+)?\.db/) != nil
  }

  /// The copies that were made beside a database, in the order of their names.
  ///
  /// - Parameter unfinished: True if what killed programs left of a copy is among them: it ends in `.part-1a2b3c4d`.
  package static func copies(beside path: String, unfinished: Bool = false) -> [String] {
    let folder = SQLiteConnection.folder(of: path)
    let name = path.split(separator: "/").last ?? ""
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { file in
      isCopy(unfinished ? file.replacing(/\.part-[0-9a-f]{8}$/, with: "") : file, of: name)
    }.sorted().map { "\(folder)/\($0)" }
  }

  /// Creates the folder that copies go to, if the policy names one that does not exist.
  ///
  /// - Throws: The error of Foundation if it cannot be created.
  package func makeFolder() throws {
    guard case .beforeChange(let place) = policy, place.hasSuffix("/"), !Self.isFolder(place) else { return }
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
  }

  private static func isFolder(_ path: String) -> Bool {
    FileManager.default.folderExists(atPath: path)
  }

  /// Copies a database, including the content of its WAL, and checks the copy.
  ///
  /// It gets its final name only when it is complete: what an interrupted program leaves behind is called
  /// `….part-1a2b3c4d`.
  ///
  /// - Parameter other: Another name, if somebody has taken the first one meanwhile; nil for none.
  /// - Throws: `SQLiteError` that `isFull` if there is no room for it, or another if copying fails; then no file is
  ///   left.
  package static func copy(
    _ source: SQLiteConnection, to file: String, or other: () throws -> String? = { nil },
    progress: (BackupProgress) throws -> Void = { _ in }
  ) throws -> DatabaseCopy {
    if let obstacle = SQLiteConnection.obstacle(toNewFile: file) {
      throw SQLiteError(code: 14, message: "\(obstacle.sentence). Nothing was changed")
    }
    let size = try (source.integer("PRAGMA main.page_count") ?? 0) * (source.pageSize ?? 0)
    if let free = DiskSpace.free(at: file), free < size {
      throw SQLiteError.full("a copy in \(file) needs \(size >> 20) MiB, and \(free >> 20) MiB are free")
    }
    let version = try DataVersion(of: source)
    let part = "\(file).part-\(UUID().uuidString.prefix(8).lowercased())"
    try source.backup(toNewFile: part, progress: progress)
    var file = file
    do {
      // An existing file is not overwritten.
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

  /// Renames a file in one step that fails if the name is taken, unlike a check followed by a rename.
  private static func name(_ part: String, _ file: String) throws {
    if link(part, file) == 0 {
      unlink(part)
    } else {
      // Not every file system supports hard links; if the name is taken, this fails as well.
      try FileManager.default.moveItem(atPath: part, toPath: file)
    }
  }
}

/// A copy of a database that a run made before changing it.
package struct DatabaseCopy: Sendable {
  package let path: String
  /// The version of the database when copying began; nil if SQLite does not say.
  fileprivate let version: DataVersion?

  /// Removes the copy, once it turns out that there is nothing to change.
  package func remove() { try? FileManager.default.removeItem(atPath: path) }

  /// Makes the copy again if somebody has written to the database since. Call it when nobody else can write.
  package func renewIfStale(for connection: SQLiteConnection) throws {
    guard let version, try DataVersion(of: connection) != version, let database = connection.filePath else { return }
    // SQLite does not back up through a connection that holds the write lock.
    let reader = try SQLiteConnection(path: database, mode: .readOnly, connection.options)
    try FileManager.default.removeItem(atPath: path)
    _ = try MigrationBackup.copy(reader, to: path)
  }

  /// The name recorded in the history of a database: without the folder if that is the database's own.
  package func name(beside database: String) -> String {
    func folder(of path: String) -> String {
      URL(fileURLWithPath: path).deletingLastPathComponent().resolvingSymlinksInPath().path
    }
    let file = URL(fileURLWithPath: path).standardizedFileURL
    return folder(of: path) == folder(of: database) ? file.lastPathComponent : file.path
  }
}

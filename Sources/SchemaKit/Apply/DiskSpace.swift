import SchemaKitFoundation

/// Looks whether the rest of an online copy still has room, since other programs fill the disk too, and a full one would refuse
/// what they write.
///
/// It has identity because it remembers when it looked last.
final class DiskWatch {
  /// How many rows an earlier run has copied.
  var copied: Int64 = 0

  private let connection: any SQLConnection
  private let path: String
  /// How much room the whole copy takes, of this many rows.
  private let needed: Int64
  private let rows: Int
  private let freeSpace: (String) -> Int64?
  private let before: Int64
  private var looked: ContinuousClock.Instant?

  /// - Returns: nil for what takes no room that is known, or has no file.
  init?(_ connection: any SQLConnection, plan: MigrationPlan, freeSpace: @escaping (String) -> Int64?) throws {
    guard let path = (connection as? any LocalEngine)?.filePath, let cost = plan.cost else { return nil }
    (self.connection, self.path, self.freeSpace) = (connection, path, freeSpace)
    needed = Int64(cost.freeBytes)
    rows = plan.onlineRows
    before = try Self.taken(connection, path)
  }

  /// How much room the rest needs, and how much there is; nil if that is enough, and between two looks, which are 0.1 s apart.
  func shortage() throws -> (needed: Int64, path: String, free: Int64)? {
    if let looked, ContinuousClock.now - looked < .milliseconds(100) { return nil }
    looked = .now
    let left = Int64(Double(needed) * max(0, 1 - Double(copied) / Double(max(1, rows))))
    let rest = left - max(0, try Self.taken(connection, path) - before)
    guard let free = freeSpace(path), rest > 0 else { return nil }
    let pages = try connection.integer("PRAGMA main.freelist_count") ?? 0
    return free + pages * Int64(try connection.pageSize ?? 0) < rest ? (rest, path, free) : nil
  }

  /// What the file and its log hold.
  private static func taken(_ connection: any SQLConnection, _ path: String) throws -> Int64 {
    let pages =
      try (connection.integer("PRAGMA main.page_count") ?? 0) - (connection.integer("PRAGMA main.freelist_count") ?? 0)
    return try pages * Int64(connection.pageSize ?? 0) + LogBudget.size(of: path + "-wal")
  }
}

/// Tells how much disk space is free.
package enum DiskSpace {
  /// The folder where SQLite creates its temporary files.
  ///
  /// See [Temporary File Storage Locations](https://sqlite.org/tempfiles.html#temporary_file_storage_locations).
  package static var temporaryFolder: String {
    let environment = ProcessInfo.processInfo.environment
    let folders = [environment["SQLITE_TMPDIR"], environment["TMPDIR"], "/var/tmp", "/usr/tmp", "/tmp"]
    return folders.compactMap(\.self).first { folder in
      FileManager.default.folderExists(atPath: folder) && FileManager.default.isWritableFile(atPath: folder)
    } ?? "."
  }

  /// The number of free bytes at the place of a file, which need not exist; nil if the file system does not say.
  package static func free(at path: String) -> Int64? {
    FileManager.default.freeSpace(atPath: SQLiteConnection.folder(of: path))
  }
}

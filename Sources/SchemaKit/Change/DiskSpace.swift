import SchemaKitFoundation

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

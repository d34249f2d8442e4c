import Foundation

/// How much room there is for files.
package enum DiskSpace {
  /// The folder where SQLite makes its temporary files.
  ///
  /// See [Temporary File Storage Locations](https://sqlite.org/tempfiles.html#temporary_file_storage_locations).
  package static var temporaryFolder: String {
    let environment = ProcessInfo.processInfo.environment
    let folders = [environment["SQLITE_TMPDIR"], environment["TMPDIR"], "/var/tmp", "/usr/tmp", "/tmp"]
    return folders.compactMap(\.self).first { folder in
      var isDirectory: ObjCBool = false
      return FileManager.default.fileExists(atPath: folder, isDirectory: &isDirectory) && isDirectory.boolValue
        && FileManager.default.isWritableFile(atPath: folder)
    } ?? "."
  }

  /// The free bytes where a file lies or would lie; nil where the file system does not tell.
  package static func free(at path: String) -> Int64? {
    let folder = SQLiteConnection.folder(of: path)
    let attributes = try? FileManager.default.attributesOfFileSystem(forPath: folder)
    return (attributes?[.systemFreeSize] as? NSNumber)?.int64Value
  }
}

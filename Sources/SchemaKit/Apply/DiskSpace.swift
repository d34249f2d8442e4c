import Foundation

/// How much room there is for files.
package enum DiskSpace {
  /// The free bytes where a file lies or would lie; nil where the file system does not tell.
  package static func free(at path: String) -> Int64? {
    let folder = SQLiteConnection.folder(of: path)
    let attributes = try? FileManager.default.attributesOfFileSystem(forPath: folder)
    return (attributes?[.systemFreeSize] as? NSNumber)?.int64Value
  }
}

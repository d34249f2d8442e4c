import CSQLite
import SchemaKit
import SchemaKitFoundation

/// SQLite's own file system, which records operations in the observed folders.
///
/// Reading, locking and shared memory are passed to the real files unchanged. Nothing is ever synced to the disk: what
/// a crash would leave is computed from the recorded operations. See
/// [The OS Backend (VFS)](https://sqlite.org/vfs.html).
enum RecordingFileSystem {
  /// Its name, once it is registered with SQLite; it stays registered for as long as the process lives.
  static let name: String? = register()

  private static let lock = Lock()
  // Guarded by `lock`.
  nonisolated(unsafe) private static var folders: [String: RecordedFolder] = [:]

  /// Runs work while the files of a folder are observed.
  static func observing<Value>(_ folder: RecordedFolder, _ body: () throws -> Value) rethrows -> Value {
    lock.withLock { folders[folder.path] = folder }
    defer { lock.withLock { folders[folder.path] = nil } }
    return try body()
  }

  /// The observed folder that a path lies in, and the file's name there.
  static func place(of path: UnsafePointer<CChar>?) -> (folder: RecordedFolder, name: String)? {
    guard let path else { return nil }
    let text = String(cString: path)
    guard let slash = text.lastIndex(of: "/") else { return nil }
    let folder = lock.withLock { folders[String(text[..<slash])] }
    return folder.map { ($0, String(text[text.index(after: slash)...])) }
  }

  private static func register() -> String? {
    guard let real = sqlite3_vfs_find(nil) else { return nil }
    let name = "schemakit-testing"
    let system = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    // Everything that is not replaced here works alike for any file system with these settings.
    system.initialize(to: real.pointee)
    system.pointee.pNext = nil
    system.pointee.zName = UnsafePointer(strdup(name))
    system.pointee.szOsFile = Int32(RecordingFile.size)
    system.pointee.xOpen = { _, path, file, flags, flagsOut in
      RecordingFile.open(path, file, flags, flagsOut)
    }
    system.pointee.xDelete = { _, path, isDurable in RecordingFileSystem.delete(path, isDurable) }
    return sqlite3_vfs_register(system, 0) == SQLITE_OK ? name : nil
  }

  private static func delete(_ path: UnsafePointer<CChar>?, _ isDurable: Int32) -> Int32 {
    guard let real = sqlite3_vfs_find(nil) else { return SQLITE_ERROR }
    guard let (folder, name) = place(of: path) else { return real.pointee.xDelete(real, path, isDurable) }
    return folder.perform(.delete(name, isDurable: isDurable != 0)) { _ in real.pointee.xDelete(real, path, 0) }
  }
}

import SchemaKit
import SchemaKitFoundation

/// A file with what stands in databases, which nobody may read who may not read them.
enum PrivateFile {
  /// Refuses to write over anything but an older file of the same kind.
  static func checkOverwritable(_ path: String, isOlder: (Data) -> Bool, what: String) throws {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFREG, let data = FileManager.default.contents(atPath: path), isOlder(data)
    else {
      throw CommandError(
        code: .failed, sentence: "\(path) exists and is not \(what); it was not overwritten. Name another file.")
    }
  }

  /// Writes a text in place of an older one, if there is one.
  ///
  /// It is made under another name, which nothing has and no link leads through, with at most the permissions and the owner
  /// of a database.
  static func write(_ text: String, to path: String, like database: String?) throws {
    do {
      try FileManager.default.replaceFile(atPath: path, with: Array(text.utf8), like: database)
    } catch {
      throw CommandError(
        code: .failed,
        sentence:
          "\(path) cannot be written (\(error)); check that its folder is there, its permissions, and the room on the disk."
      )
    }
  }
}

import SchemaKitFoundation

/// A file was opened by one of its names, and what a program has not finished stands beside another one.
///
/// SQLite looks for a journal or WAL by the name that it is given, so it would take half of a transaction for the whole
/// ([How To Corrupt](https://sqlite.org/howtocorrupt.html#_multiple_links_to_the_same_file_)).
public struct OtherNameError: Error, Sendable, Hashable {
  /// The name by which the file was opened.
  public let path: String
  /// The name that has the journal or WAL.
  public let other: String
  /// That journal or WAL.
  public let unfinished: String
}

extension OtherNameError: CustomStringConvertible {
  public var description: String {
    "\(path) is the same file as \(other), which has \(unfinished) beside it: SQLite would not find it by this name. "
      + "Open \(other) instead, and keep one name only. Nothing was changed."
  }
}

extension SQLiteConnection {
  /// The journal or WAL of a file by a name, if it holds anything.
  package static func unfinished(beside path: String) -> String? {
    let real = realpath(path, nil)
    defer { free(real) }
    let name = real.map { String(cString: $0) } ?? path
    return ["-journal", "-wal"].map { name + $0 }.first { (FileManager.default.fileSize(atPath: $0) ?? 0) > 0 }
  }

  /// Throws ``OtherNameError`` if another name of the file in its folder has a journal or WAL, and this one has none.
  ///
  /// *Cost:* one `stat`; where the file has several names, one for each file of its folder.
  func refuseOtherName() throws {
    var status = stat()
    guard let path = filePath, !path.isEmpty, stat(path, &status) == 0, status.st_nlink > 1,
      Self.unfinished(beside: path) == nil
    else { return }
    let folder = Self.folder(of: path)
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      let other = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
      var found = stat()
      guard other != path, lstat(other, &found) == 0, found.st_ino == status.st_ino, found.st_dev == status.st_dev,
        let unfinished = Self.unfinished(beside: other)
      else { continue }
      throw OtherNameError(path: path, other: other, unfinished: unfinished)
    }
  }
}

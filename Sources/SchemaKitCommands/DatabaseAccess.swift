import SchemaKit
import SchemaKitFoundation

/// A database named on the command line, which may not exist yet.
struct DatabaseAccess {
  var path: String
  var lockTimeout: Double
  var trustsSchema = true
  /// True if a connection to another machine may be one that is neither encrypted nor authenticated.
  var allowsInsecure = false
  /// The file with the token for the server; nil for that of the environment.
  var tokenFile: String?
  /// The name that its user gave it, if that is not the path.
  var givenName: String?
  var name: String { givenName ?? path }

  /// True if there is no file yet; it then counts as empty.
  var isMissing: Bool { !isOnServer && !FileManager.default.fileExists(atPath: path) }

  /// Returns the reason why no database can be at a path, or why the system cannot tell; nil if there is none.
  static func obstacle(at path: String) -> String? {
    var status = stat()
    guard stat(path, &status) != 0 else { return nil }
    // Where no folder is, a name that ends as a folder's is no file to be either.
    if path.hasSuffix("/") { return "a name that ends in a slash is a folder's" }
    return [ENOENT, ENOTDIR].contains(errno) ? nil : String(cString: strerror(errno))
  }

  /// True if a file says in its header that it is in WAL mode.
  ///
  /// See [File format version numbers](https://sqlite.org/fileformat2.html#file_format_version_numbers).
  static func isWAL(at path: String) -> Bool {
    guard let header = FileManager.default.firstBytes(20, atPath: path), header.count == 20 else { return false }
    return header.suffix(2).elementsEqual([2, 2])
  }

  /// Opens the database to look at it, in a file or on a server.
  func opened() throws -> any SQLConnection { try isOnServer ? openedOnServer() : openedForInspection() }

  /// Opens the database to look at it; a missing one is an empty database in memory, so that no file is made.
  func openedForInspection() throws -> SQLiteConnection {
    try refuseServer()
    if isMissing { return try SQLiteConnection.memory() }
    return try SQLiteConnection.openedForInspection(path: path, busyTimeout: lockTimeout, trustsSchema: trustsSchema)
  }

  /// Opens the database to change it, and creates it where it is missing.
  ///
  /// - Parameter isIdle: True if there is nothing to write. A file that cannot be written is then opened as well.
  func openedForChange(isIdle: Bool = false) throws -> SQLiteConnection {
    try refuseServer()
    let connection = try SQLiteConnection(
      path: path, mode: isMissing ? .readWriteCreate : .readWrite, busyTimeout: lockTimeout, trustsSchema: trustsSchema)
    try connection.probe()
    guard isIdle || !connection.isReadOnly else {
      throw CommandError(
        code: .failed, sentence: "\(path) is read-only; nothing was changed. Check its permissions and its folder's.")
    }
    return connection
  }

  /// Refuses early where a missing database could not be created.
  func checkFolder() throws {
    guard isMissing else { return }
    let folder = SQLiteConnection.folder(of: path)
    guard FileManager.default.folderExists(atPath: folder) else {
      throw CommandError(code: .failed, sentence: "cannot create \(path): its folder does not exist.")
    }
  }

  /// The file of the same folder that may have been meant by a name that is missing.
  var likelyName: String? {
    guard !path.hasSuffix("/") else { return nil }
    let folder = SQLiteConnection.folder(of: path)
    let name = String(path.split(separator: "/").last ?? "")
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    guard let near = NearestName.of(name, among: files.sorted()) else { return nil }
    return path.dropLast(name.count) + near
  }

  /// A question about such a file, to follow a sentence about the missing one; empty where there is none.
  var suggestion: String { likelyName.map { " Did you mean \($0)?" } ?? "" }

  /// The question before a change.
  func question(creating: Bool) -> String {
    creating ? "\(path) does not exist.\(suggestion) Create it and apply this?" : "Apply this to \(path)?"
  }

  /// Removes a file that was created for a migration which then failed, if nothing was ever written to it.
  func removeIfEmpty() {
    guard FileManager.default.fileSize(atPath: path) == 0 else { return }
    try? FileManager.default.removeItem(atPath: path)
  }
}

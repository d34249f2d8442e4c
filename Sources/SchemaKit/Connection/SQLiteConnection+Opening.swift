import CSQLite
import SchemaKitFoundation

extension SQLiteConnection {
  /// The access to a file, and whether the file must exist.
  public enum Mode: Sendable, Hashable {
    /// The file must exist and is never written to.
    case readOnly
    /// The file must exist; if it is not writable, it is opened for reading.
    case readWrite
    /// The file is created at the first write if it does not exist.
    case readWriteCreate
    /// A new in-memory database.
    case memory

    var flags: Int32 {
      switch self {
      case .readOnly: SQLITE_OPEN_READONLY
      case .readWrite: SQLITE_OPEN_READWRITE
      case .readWriteCreate: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      case .memory: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY
      }
    }
  }

  /// Throws if the library that is linked is older than the oldest that is supported.
  static func requireEngine() throws {
    guard sqlite3_libversion_number() < 3_033_000 else { return }
    throw SQLiteConnectionError.outdatedEngine(engineVersion)
  }

  /// Opens a handle that the caller closes.
  static func openHandle(
    path: String, mode: Mode, _ parameters: OpenParameters = OpenParameters(), allowsURIs: Bool = false
  ) throws -> OpaquePointer {
    if mode != .memory {
      guard !path.isEmpty else {
        throw SQLiteError(code: SQLITE_CANTOPEN, message: "the path of the database is empty")
      }
      guard !path.utf8.contains(0) else {
        throw SQLiteError(code: SQLITE_CANTOPEN, message: "the path of the database holds a NUL character")
      }
    }
    // Without a mutex of its own: a connection is never used from two threads at once.
    var opened: OpaquePointer?
    let name = mode == .memory ? ":memory:" : parameters.name(of: path)
    let flags = mode.flags | parameters.flags | (allowsURIs ? SQLITE_OPEN_URI : 0) | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(name, &opened, flags, parameters.fileSystem)
    guard let opened else {
      throw SQLiteError(code: SQLITE_NOMEM, message: "there is not enough memory to open a database")
    }
    guard code == SQLITE_OK else {
      let error = SQLiteError(code, on: opened)
      sqlite3_close_v2(opened)
      throw explained(error, path: path)
    }
    return opened
  }

  /// Throws for what SQLite would not take for the path of a file: nothing, `:memory:`, or a URI.
  static func checkPath(_ path: String) throws {
    if path.isEmpty || path == ":memory:" || path.lowercased().hasPrefix("file:") {
      throw SQLiteConnectionError.notAPath(path)
    }
  }

  /// A name that SQLite treats as a file, even where it gives `:memory:` and `file:` a special meaning.
  static func plainName(of path: String) -> String {
    guard path.hasPrefix(":") || path.lowercased().hasPrefix("file:") else { return path }
    return FileManager.default.currentDirectoryPath + "/" + path
  }

  /// Adds the reason to SQLite's bare "unable to open database file", if the file system reveals it.
  static func explained(_ error: SQLiteError, path: String?) -> SQLiteError {
    guard error.isCannotOpen, let path, let reason = reasonNotToOpen(path) else { return error }
    return SQLiteError(code: error.extendedCode, message: "cannot open \(path): \(reason)", sql: error.sql)
  }

  /// The folder of a path: everything before the last slash, or the current folder.
  package static func folder(of path: String) -> String {
    var path = path[...]
    while path.count > 1, path.last == "/" { path = path.dropLast() }
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func reasonNotToOpen(_ path: String) -> String? {
    let files = FileManager.default
    let folderPath = folder(of: path)
    if files.fileExists(atPath: path) {
      if files.folderExists(atPath: path) { return "it is a directory" }
      if !files.isReadableFile(atPath: path) { return "there is no permission to read it" }
      if !files.isWritableFile(atPath: folderPath) {
        return "SQLite needs a file beside it, and there is no permission to write in its folder"
      }
      return nil
    }
    if !files.fileExists(atPath: folderPath) { return "its folder does not exist" }
    if !files.folderExists(atPath: folderPath) { return "\(folderPath) is not a folder" }
    if !files.isExecutableFile(atPath: folderPath) { return "there is no permission to enter its folder" }
    // In a mode that creates files, a missing file alone is not the reason.
    return files.isWritableFile(atPath: folderPath)
      ? "it does not exist" : "it does not exist, and there is no permission to create it in its folder"
  }
}

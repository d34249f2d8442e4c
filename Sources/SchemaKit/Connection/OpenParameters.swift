import CSQLite
import SchemaKitFoundation

/// The parameters with which SQLite opens a file, for `Configuration.openParameters`: those of its URI filenames, typed.
///
/// The path stays a path, whatever characters it has. See [URI Filenames](https://sqlite.org/uri.html).
public struct OpenParameters: Sendable, Hashable {
  /// True if the pages that SQLite has read are shared with other connections of this process.
  public enum Cache: Sendable, Hashable {
    case `private`
    /// For reading only: connections that share a cache do not wait for each other's locks.
    case shared
  }

  /// The VFS that opens the file, by the name under which it is registered with SQLite (`vfs`); nil for the default.
  public var fileSystem: String?
  /// True if the file must exist (`mode=rw`); otherwise it is created, unless the configuration is read-only.
  public var mustExist = false
  /// True if nobody can change the file, as on read-only media, so that no locks are taken and no file beside it is looked
  /// for (`immutable`). Only with ``Configuration/isReadOnly``. If the file changes all the same, answers are wrong.
  public var isImmutable = false
  /// True if no locks are taken (`nolock`), for a file system without them. Only with ``Configuration/isReadOnly``, and
  /// not for a file in WAL mode. If somebody writes to the file meanwhile, answers are wrong.
  public var isUnlocked = false
  /// True if the disk keeps the bytes around a write intact when power fails (`psow`); nil for what the VFS assumes. See
  /// [Powersafe Overwrite](https://sqlite.org/psow.html).
  public var powersafeOverwrite: Bool?
  /// True if the cache is shared (`cache`); nil for SQLite's own choice.
  public var cache: Cache?
  /// Parameters of the VFS itself, by their names.
  public var other: [String: String] = [:]

  /// Creates the parameters of an ordinary open.
  public init() {}
}

extension OpenParameters {
  /// True if no connection may be able to write.
  var needsReadOnly: Bool { isImmutable || isUnlocked || cache == .shared || fileSystem == Self.unlockedFileSystem }

  // It takes no locks. https://sqlite.org/vfs.html#standard_unix_vfses
  private static let unlockedFileSystem = "unix-none"
  private static let known: Set<String> = [
    "vfs", "mode", "immutable", "nolock", "psow", "cache", "key", "hexkey", "textkey",
  ]

  /// Throws if a connection with a mode cannot be opened with them.
  func check(_ mode: SQLiteConnection.Mode) throws {
    func refuse(_ name: String, _ flaw: SQLiteConnectionError.ParameterFlaw) throws -> Never {
      throw SQLiteConnectionError.openParameter(name: name, flaw)
    }
    if mode == .memory {
      guard self == OpenParameters() else { try refuse("openParameters", .needsFile) }
      return
    }
    if mode != .readOnly {
      if isImmutable { try refuse("isImmutable", .needsReadOnly) }
      if isUnlocked { try refuse("isUnlocked", .needsReadOnly) }
      if cache == .shared { try refuse("cache", .needsReadOnly) }
      if fileSystem == Self.unlockedFileSystem { try refuse("fileSystem unix-none", .needsReadOnly) }
    }
    if let fileSystem {
      guard !fileSystem.utf8.contains(0), sqlite3_vfs_find(fileSystem) != nil else {
        try refuse("fileSystem \(fileSystem)", .unknownFileSystem)
      }
    }
    for (name, value) in other {
      if Self.known.contains(name) { try refuse("other[\(name)]", .hasProperty) }
      if name.isEmpty || (name + value).utf8.contains(0) { try refuse("other[\(name)]", .unusable) }
    }
  }

  /// The flags of `sqlite3_open_v2` that they add.
  var flags: Int32 {
    let cache: Int32 =
      switch cache {
      case .private: SQLITE_OPEN_PRIVATECACHE
      case .shared: SQLITE_OPEN_SHAREDCACHE
      case nil: 0
      }
    return query.isEmpty ? cache : cache | SQLITE_OPEN_URI
  }

  /// The name by which SQLite opens a path with them.
  func name(of path: String) -> String {
    guard !query.isEmpty else { return SQLiteConnection.plainName(of: path) }
    let absolute = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    let pairs = query.map { "\(Self.encoded($0.0))=\(Self.encoded($0.1))" }
    return "file://\(Self.encoded(absolute))?\(pairs.joined(separator: "&"))"
  }

  /// The parameters that only a URI can express.
  private var query: [(String, String)] {
    var query: [(String, String)] = []
    if isImmutable { query.append(("immutable", "1")) }
    if isUnlocked { query.append(("nolock", "1")) }
    if let powersafeOverwrite { query.append(("psow", powersafeOverwrite ? "1" : "0")) }
    return query + other.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  private static func encoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "_"):
        bytes.append(byte)
      default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

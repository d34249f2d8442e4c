import SchemaKitFoundation

/// Keeps others from working on the same files: advisory locks, held until this object is gone.
///
/// A folder is locked against whoever locks it, a folder in it, or one that it is in. See
/// [flock](https://man7.org/linux/man-pages/man2/flock.2.html). It is none of the locks that SQLite takes, which belong to the
/// process.
final class FleetLock {
  private var descriptors: [Int32] = []
  private var journal: FileIdentity?
  /// The journals that this process has locked: closing another descriptor of one would take the locks of SQLite away.
  private static let journals = Shared(Set<FileIdentity>())

  /// Locks folders.
  ///
  /// - Throws: ``FleetError`` `running` where another run has one of them.
  init(folders: [String]) throws(FleetError) {
    var shared: [FileIdentity: String] = [:]
    var exclusive: [FileIdentity: String] = [:]
    for folder in folders {
      guard var path = Self.real(folder) else { continue }
      if let identity = FileIdentity(ofFileAt: path) { exclusive[identity] = path }
      while path != "/" {
        path = SQLiteConnection.folder(of: path)
        if let identity = FileIdentity(ofFileAt: path) { shared[identity] = path }
      }
    }
    for (identity, path) in shared where exclusive[identity] == nil { try lock(path, LOCK_SH) }
    for path in exclusive.values.sorted() { try lock(path, LOCK_EX) }
  }

  /// Locks a journal, before SQLite opens it.
  ///
  /// - Throws: ``FleetError`` `running` where another run has it.
  init(journal path: String) throws(FleetError) {
    guard let identity = FileIdentity(ofFileAt: path) else { return }
    guard Self.journals.change({ $0.insert(identity).inserted }) else { throw FleetError(reason: .running(path)) }
    journal = identity
    try lock(path, LOCK_EX)
  }

  private func lock(_ path: String, _ kind: Int32) throws(FleetError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    // A folder that cannot be opened cannot be locked by another run of this user either.
    guard descriptor >= 0 else { return }
    guard flock(descriptor, kind | LOCK_NB) == 0 else {
      let isTaken = errno == EWOULDBLOCK
      close(descriptor)
      // Some network file systems have no such locks.
      if isTaken { throw FleetError(reason: .running(path)) }
      return
    }
    descriptors.append(descriptor)
  }

  /// A path without links and dots; nil where there is nothing.
  static func real(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  deinit {
    for descriptor in descriptors { close(descriptor) }
    if let journal { Self.journals.change { _ = $0.remove(journal) } }
  }
}

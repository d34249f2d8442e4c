import SchemaKitFoundation

/// The copies that were made beside the files of a fleet before they were changed.
public struct FleetCopies: Sendable {
  /// One copy.
  public struct Copy: Sendable, Hashable {
    public let path: String
    /// The database that it is a copy of.
    public let database: String
    /// Its size in bytes.
    public let size: Int
    /// When it was made, in seconds since 1970.
    public let madeAt: Int
  }

  /// The copies, the oldest first.
  public private(set) var copies: [Copy] = []
  /// Copies that must stay, because what was done to their databases is not finished or failed.
  public private(set) var kept: [Copy] = []
  private let folders: Set<String>

  /// Finds the copies beside files, and what programs that were killed more than an hour ago had made of one.
  ///
  /// - Parameter journals: The journals of runs: of a file whose change was not finished or failed, every copy stays.
  public init(of files: FleetFiles, journals: [String] = []) throws {
    folders = files.folders
    // By their identity too: a path can be written in several ways.
    var unfinished: Set<ExactText> = []
    var identities: Set<FileIdentity> = []
    for path in journals {
      let journal = try FleetJournal(at: path, mayCreate: false, isReader: true)
      for entry in try journal.entries() where !entry.state.isSettled {
        unfinished.insert(ExactText(entry.path))
        if let identity = FileIdentity(ofFileAt: entry.path) { identities.insert(identity) }
      }
    }
    let databases = Set(files.files.map(\.identity))
    for file in files.files {
      let isUnfinished = unfinished.contains(ExactText(file.absolutePath)) || identities.contains(file.identity)
      for path in MigrationBackup.copies(beside: file.path, unfinished: true) {
        var status = stat()
        // A link of such a name is not a copy of ours, and neither is what is a file of the fleet by another name.
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, !databases.contains(FileIdentity(status))
        else { continue }
        // A copy that is not complete may still be on its way.
        let hourAgo = Int(Date().timeIntervalSince1970) - 3600
        if !path.hasSuffix(".db"), Self.seconds(status) > hourAgo { continue }
        let copy = Copy(
          path: path, database: file.path, size: Int(status.st_size), madeAt: Self.seconds(status))
        if isUnfinished { kept.append(copy) } else { copies.append(copy) }
      }
    }
    copies.sort { ($0.madeAt, $0.path) < ($1.madeAt, $1.path) }
  }

  private static func seconds(_ status: stat) -> Int {
    #if canImport(Darwin)
      status.st_mtimespec.tv_sec
    #else
      Int(status.st_mtim.tv_sec)
    #endif
  }

  /// The copies that are older than a time, or of which the oldest must go for all to take no more than some bytes.
  public func due(before time: Int? = nil, over bytes: Int? = nil) -> [Copy] {
    var total = copies.reduce(0) { $0 + $1.size }
    return copies.filter { copy in
      let isOld = time.map { copy.madeAt < $0 } ?? (bytes == nil)
      let isOver = bytes.map { total > $0 } ?? false
      guard isOld || isOver else { return false }
      total -= copy.size
      return true
    }
  }

  /// Removes copies, while no run works on the files. Returns those that could not be removed.
  ///
  /// - Throws: ``FleetError`` `running`.
  public func remove(_ copies: [Copy]) throws -> [Copy] {
    let lock = try FleetLock(folders: Fleet.lockable(folders))
    return withExtendedLifetime(lock) { copies.filter { unlink($0.path) != 0 } }
  }
}

extension FleetState {
  /// True if nothing is left to be done to the file.
  var isSettled: Bool { [.applied, .current, .undone, .skipped].contains(self) }
}

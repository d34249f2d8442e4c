import CSQLite
import SchemaKitFoundation

/// The progress of a backup.
public struct BackupProgress: Sendable, Hashable {
  /// The number of pages still to be copied.
  public let remainingPages: Int
  /// The number of pages in the source.
  public let totalPages: Int
}

extension SQLiteConnection {
  /// Copies a whole database over another one, which then equals it; on an error the other one is left unchanged.
  ///
  /// Others may write to the source meanwhile: SQLite then starts over. Locks are waited for as long as the
  /// connections' `busyTimeout` says.
  ///
  /// - Parameter progress: Called after each batch of pages; if it throws, the backup is abandoned.
  public static func backup(
    from source: SQLiteConnection, to target: SQLiteConnection, pagesPerStep: Int32 = 1_024,
    progress: (BackupProgress) throws -> Void = { _ in }
  ) throws {
    try source.requireOpen()
    try target.requireOpen()
    for connection in [source, target] { try connection.requireFile(.backup) }
    for connection in [source, target] { connection.statements.lent += 1 }
    defer { for connection in [source, target] { connection.statements.lent -= 1 } }
    guard let backup = sqlite3_backup_init(target.handle, "main", source.handle, "main") else {
      throw SQLiteError(sqlite3_extended_errcode(target.handle), on: target.handle)
    }
    do {
      try copy(backup, waitingBy: source.isBorrowed ? target.hooks : source.hooks, pagesPerStep, progress)
    } catch {
      sqlite3_backup_finish(backup)
      if let failure = error as? SQLiteError, [SQLITE_ERROR, SQLITE_NOMEM].contains(failure.resultCode),
        let page = source.undecryptablePages.first
      {
        throw SQLiteError(code: SQLITE_CORRUPT, message: page)
      }
      throw error
    }
    let code = sqlite3_backup_finish(backup)
    guard code == SQLITE_OK else { throw SQLiteError(code, on: target.handle) }
  }

  /// Copies this database into a new file, and checks the copy for damage; rows that violate a constraint of their
  /// table are copied unchanged.
  ///
  /// - Throws: `SQLiteError` if the file already exists, if copying fails, or if the copy is damaged; then nothing is
  ///   left behind.
  public func backup(toNewFile path: String, progress: (BackupProgress) throws -> Void = { _ in }) throws {
    try requireOpen()
    try requireFile(.backup)
    // SQLite does not treat files beside an empty database as belonging to it, and the copy begins empty.
    if let obstacle = Self.obstacle(toNewFile: path, isWhole: false) {
      throw SQLiteError(code: SQLITE_CANTOPEN, message: obstacle.sentence)
    }
    // The copy of a private file is private as well.
    do {
      try FileManager.default.createNewFile(atPath: path, like: filePath)
    } catch {
      throw SQLiteError(code: SQLITE_CANTOPEN, message: "\(path) cannot be made: \(error)")
    }
    do {
      let target = try SQLiteConnection(path: path, mode: .readWriteCreate, options.forCopy)
      try Self.backup(from: self, to: target, progress: progress)
      let damage = try StorageCheck.damage(of: target) { connection, check in
        try connection.withCancellation(check: { self.hooks.isCancelled }, check)
      }
      if let problem = damage.first {
        throw SQLiteError(
          code: SQLITE_CORRUPT, message: "its copy does not pass quick_check: \(problem.prefix(300))")
      }
    } catch {
      try? FileManager.default.removeItem(atPath: path)
      throw error
    }
  }

  /// The reason a name cannot be used for a new database.
  package struct NameObstacle {
    /// True if there is a file of that name, or a link, wherever it leads.
    package var isTaken = false
    package var sentence: String
  }

  /// The reason a name cannot be used for a new database; nil if it can.
  ///
  /// SQLite finds the files that belong to a database by their names, whoever has put them there. See
  /// [Temporary Files Used By SQLite](https://sqlite.org/tempfiles.html).
  ///
  /// - Parameter isWhole: True if a database with content gets the name, rather than an empty one that is filled
  ///   afterwards.
  package static func obstacle(toNewFile path: String, isWhole: Bool = true) -> NameObstacle? {
    if isThere(path) { return NameObstacle(isTaken: true, sentence: "\(path) exists already and is not overwritten") }
    if let match = path.firstMatch(of: /(?i)^(.+)-(?:journal|wal|shm|mj[0-9a-f]+)$/), isThere(String(match.output.1)) {
      return NameObstacle(sentence: "\(path) is a name that SQLite uses for files beside \(match.output.1)")
    }
    guard isWhole else { return nil }
    return ["-journal", "-wal"].map { path + $0 }.first(where: isThere).map {
      NameObstacle(sentence: "\($0) is there, which SQLite would take for a part of \(path)")
    }
  }

  /// True if a name is taken, even by a dangling link.
  private static func isThere(_ path: String) -> Bool {
    (try? FileManager.default.attributesOfItem(atPath: path)) != nil
  }

  private static func copy(
    _ backup: OpaquePointer, waitingBy hooks: ConnectionHooks, _ pagesPerStep: Int32,
    _ progress: (BackupProgress) throws -> Void
  ) throws {
    var attempt: Int32 = 0
    while true {
      let code = sqlite3_backup_step(backup, max(1, pagesPerStep))
      switch code & 0xFF {
      case SQLITE_OK, SQLITE_DONE:
        attempt = 0
        if hooks.isCancelled { throw SQLiteError.cancelled(sql: nil) }
        try progress(
          BackupProgress(
            remainingPages: Int(sqlite3_backup_remaining(backup)),
            totalPages: Int(sqlite3_backup_pagecount(backup))))
        if code == SQLITE_DONE { return }
      case SQLITE_BUSY, SQLITE_LOCKED:
        guard hooks.waitForLock(attempt: attempt) else {
          if hooks.takeGivingUp() { throw SQLiteError.cancelled(sql: nil) }
          throw SQLiteError(code: code, message: "the backup did not get the lock that it needs in time")
        }
        attempt += 1
      default:
        throw SQLiteError(
          code: code, message: sqlite3_errstr(code).map { "the backup failed: \(String(cString: $0))" } ?? "")
      }
    }
  }
}

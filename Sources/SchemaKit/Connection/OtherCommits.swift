import CSQLite

/// Notices that other connections have committed to a database, in this process or another.
///
/// [PRAGMA data_version](https://sqlite.org/pragma.html#pragma_data_version) decides, which commits of the connection
/// itself do not change. In rollback-journal mode it cannot be read while somebody commits again and again, and every
/// read of it could be in a writer's way; there a number in the file's header tells, unless the connection has written.
struct OtherCommits {
  private var version: Int64
  private var header: FileHeader?
  /// True if the header has told of commits that `version` does not know.
  private var isVersionBehind = false

  /// Begins with what is committed now; waits for a lock as any query does.
  init(on connection: SQLiteConnection) throws {
    header = connection.fileHeader
    version = try connection.integer("PRAGMA main.data_version") ?? 0
    connection.forgetWrites()
  }

  /// True if there was a commit since this last returned true.
  ///
  /// It returns false where a lock prevents it from knowing, and must then be asked again.
  ///
  /// In rollback-journal mode it may return true while the commit goes on, which whoever reads then waits for.
  ///
  /// *Cost:* a lock for reading, held for some microseconds; in rollback-journal mode a read of 40 bytes without a lock,
  /// and a lock only once after a commit.
  mutating func haveHappened(on connection: SQLiteConnection) -> Bool {
    let header = connection.fileHeader
    guard let header, header.hasRollbackJournal, !connection.mayHaveWritten else {
      guard let version = connection.dataVersion else { return false }
      connection.forgetWrites()
      self.header = header
      isVersionBehind = false
      defer { self.version = version }
      return version != self.version
    }
    let isNew = header != self.header
    self.header = header
    if isNew { isVersionBehind = true }
    if isVersionBehind, let version = connection.dataVersion, connection.fileHeader == header {
      self.version = version
      isVersionBehind = false
    }
    return isNew
  }
}

/// The first 40 bytes of a [database file](https://sqlite.org/fileformat.html#the_database_header): in
/// rollback-journal mode every commit counts up a number among them.
private struct FileHeader: Equatable {
  var bytes: (UInt64, UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0, 0)

  /// The write version at offset 18 is 1, and not 2 as in WAL mode; an encrypted file, which begins otherwise, does not say.
  var hasRollbackJournal: Bool { isPlain && withUnsafeBytes(of: bytes) { $0[18] == 1 } }

  /// True if the file is not encrypted.
  var isPlain: Bool { withUnsafeBytes(of: bytes) { $0.starts(with: "SQLite format 3\0".utf8) } }

  static func == (one: FileHeader, other: FileHeader) -> Bool { one.bytes == other.bytes }
}

extension SQLiteConnection {
  /// True if a commit of this connection may have changed the file since writes were last forgotten.
  ///
  /// A lender of the handle may have written at any time.
  fileprivate var mayHaveWritten: Bool { isBorrowed || hasWritten }

  /// Forgets what was written, unless it is still to be committed.
  fileprivate func forgetWrites() {
    if !isInTransaction { hasWritten = false }
  }

  /// True if the file begins as databases do that are not encrypted.
  package var isPlainFile: Bool { fileHeader?.isPlain ?? false }

  /// The header of the file at this moment, read without a lock; nil if it cannot be read.
  ///
  /// The file is read through SQLite, because closing another descriptor of it would release this process's locks.
  fileprivate var fileHeader: FileHeader? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK, let file,
      let read = file.pointee.pMethods?.pointee.xRead
    else { return nil }
    var header = FileHeader()
    let count = Int32(MemoryLayout.size(ofValue: header.bytes))
    guard read(file, &header.bytes, count, 0) == SQLITE_OK else { return nil }
    return header
  }

  /// The value of `PRAGMA data_version`; nil if it cannot be read at once.
  ///
  /// It is read beside what other statements go through, whose counts and hooks are those of the program's own work.
  fileprivate var dataVersion: Int64? {
    withoutWaiting {
      var statement: OpaquePointer?
      defer { sqlite3_finalize(statement) }
      guard sqlite3_prepare_v2(handle, "PRAGMA main.data_version", -1, &statement, nil) == SQLITE_OK,
        sqlite3_step(statement) == SQLITE_ROW
      else { return nil }
      return sqlite3_column_int64(statement, 0)
    }
  }
}

import CSQLite
import SchemaKitFoundation

/// An error reported by SQLite for a statement, a file or a call.
///
/// See [Result and Error Codes](https://sqlite.org/rescode.html). Bound values never appear in it.
public struct SQLiteError: Error, Sendable, Hashable {
  /// The primary result code, for example 5 for SQLITE_BUSY.
  public let resultCode: Int32
  /// The extended result code, for example 517 for SQLITE_BUSY_SNAPSHOT; the primary one if there is no other.
  public let extendedCode: Int32
  /// The description of the error, in SQLite's words or in SchemaKit's.
  public let message: String
  /// The full text of the statement that failed; nil if no statement was involved.
  public let sql: String?
  /// The offset of the error in the statement, in UTF-8 bytes; nil if unknown, and always before SQLite 3.38.
  public let offset: Int?

  /// The state of the file and what to do, in sentences without the last full stop; nil where the code alone says it.
  package var advice: String?

  /// Creates an error from its parts.
  public init(code: Int32, message: String, sql: String? = nil, offset: Int? = nil) {
    resultCode = code & 0xFF
    extendedCode = code
    self.message = message
    self.sql = sql
    self.offset = offset
  }
}

extension SQLiteError {
  /// True if another connection, or another statement of this one, holds a lock that is needed here.
  public var isBusy: Bool { resultCode == SQLITE_BUSY || resultCode == SQLITE_LOCKED }

  /// True if the work was interrupted or cancelled.
  public var isInterrupted: Bool { resultCode == SQLITE_INTERRUPT }

  /// True if a constraint was violated.
  public var isConstraint: Bool { resultCode == SQLITE_CONSTRAINT }

  /// True if the file is encrypted or not a SQLite database.
  public var isNotADatabase: Bool { resultCode == SQLITE_NOTADB }

  /// True if a write to something read-only was attempted.
  public var isReadOnly: Bool { resultCode == SQLITE_READONLY }

  /// True if an authorizer refused the statement.
  package var isNotAuthorized: Bool { resultCode == SQLITE_AUTH }

  /// True if the database file is damaged.
  public var isCorrupt: Bool { resultCode == SQLITE_CORRUPT }

  /// True if an index does not have the entry of a row.
  package var isOfIndex: Bool { extendedCode == SQLITE_CORRUPT | 3 << 8 }

  /// True if the content of a virtual table is not what its module expects; the file may be sound.
  package var isOfVirtualTable: Bool { extendedCode == SQLITE_CORRUPT | 1 << 8 }

  /// True if memory, or a limit that SQLite reports as such, is used up.
  package var isOutOfMemory: Bool { resultCode == SQLITE_NOMEM }

  /// True if the disk, or the database's page limit, is full.
  public var isFull: Bool { resultCode == SQLITE_FULL }

  /// True if a file could not be read or written, according to the operating system.
  public var isDiskFailure: Bool { resultCode == SQLITE_IOERR }

  /// True if a file could not be written, which a file size limit can cause.
  package var isFailedWrite: Bool {
    [3, 4, 6, 19].map { SQLITE_IOERR | $0 << 8 }.contains(extendedCode)
  }

  /// True if a file beside the database could not be created or written that even readers of a WAL database need.
  package var isLackingSharedMemory: Bool {
    // READONLY_RECOVERY, READONLY_CANTLOCK, READONLY_CANTINIT and READONLY_DIRECTORY.
    [1, 2, 5, 6].map { SQLITE_READONLY | $0 << 8 }.contains(extendedCode)
  }

  /// True if the file could not be opened.
  public var isCannotOpen: Bool { resultCode == SQLITE_CANTOPEN }
}

extension SQLiteError {
  /// The line of the error, given the line on which the statement begins; that line if the position is unknown.
  package func line(from first: Int) -> Int {
    guard let sql, let offset else { return first }
    return first + sql.utf8.prefix(offset).count { $0 == UInt8(ascii: "\n") }
  }
}

extension SQLiteError: CustomStringConvertible {
  /// The message, the name of the code, and the beginning of the statement.
  public var description: String {
    let said = "\(message) (\(codeName))" + (advice.map { ". \($0)" } ?? "")
    guard let sql else { return said }
    let words = sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let shown = words.count > 300 ? words.prefix(300) + "…" : words[...]
    return shown.isEmpty ? said : "\(said) in: \(shown)"
  }
}

extension SQLiteError {
  /// Captures the error that a connection currently reports.
  ///
  /// Call it immediately after the failing call: the next call overwrites the message.
  init(_ code: Int32, on handle: OpaquePointer, sql: String? = nil) {
    let extended = sqlite3_extended_errcode(handle)
    // A stale code from an earlier call says nothing about this one.
    let isCurrent = extended & 0xFF == code & 0xFF
    let message = isCurrent ? sqlite3_errmsg(handle) : sqlite3_errstr(code)
    let offset = isCurrent && sql != nil ? Int(schemakit_error_offset(handle)) : -1
    self.init(
      code: isCurrent ? extended : code,
      message: (message.map { Self.explained(String(cString: $0)) } ?? "unknown error")
        + (isCurrent ? Self.systemWords(extended, on: handle) : ""),
      sql: sql,
      offset: offset >= 0 ? offset : nil
    )
  }

  /// The system's message about a failed write, in parentheses; empty if that does not concern a disk.
  private static func systemWords(_ extended: Int32, on handle: OpaquePointer) -> String {
    guard extended & 0xFF == SQLITE_IOERR else { return "" }
    let number = sqlite3_system_errno(handle)
    return [EFBIG, ENOSPC, EDQUOT, EIO, EROFS].contains(number) ? " (\(String(cString: strerror(number))))" : ""
  }

  /// An error about how a function was called.
  static func misuse(_ message: String, sql: String? = nil) -> SQLiteError {
    SQLiteError(code: SQLITE_MISUSE, message: message, sql: sql)
  }

  /// The error for a disk that lacks the space for a write.
  static func full(_ message: String) -> SQLiteError { SQLiteError(code: SQLITE_FULL, message: message) }

  /// The error for work that was cancelled by its owner.
  static func cancelled(sql: String?) -> SQLiteError {
    SQLiteError(code: SQLITE_INTERRUPT, message: "the work was cancelled", sql: sql)
  }
}

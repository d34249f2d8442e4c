import CSQLite

/// A value as SQLite stores it, read through the bare C API.
package enum RawValue: Hashable, CustomStringConvertible {
  case null
  case int(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  /// The value as a SQL literal, which is also how a test prints it.
  package var description: String {
    switch self {
    case .null: return "NULL"
    case .int(let value): return String(value)
    case .real(let value): return value.isInfinite ? (value < 0 ? "-9e999" : "9e999") : "\(value)"
    case .text(let value):
      return "'" + value.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
    case .blob(let bytes):
      let digits = bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true) }
      return "x'" + digits.joined() + "'"
    }
  }

  /// The text of a text value, or nothing.
  package var string: String? {
    if case .text(let value) = self { return value }
    return nil
  }

  /// The integer of an integer value, or nothing.
  package var integer: Int64? {
    if case .int(let value) = self { return value }
    return nil
  }

  package var isNull: Bool { self == .null }
}

/// What SQLite said when a raw call failed.
package struct RawSQLiteError: Error, CustomStringConvertible {
  package let code: Int32
  package let message: String
  package let sql: String

  package init(code: Int32, message: String, sql: String) {
    self.code = code
    self.message = message
    self.sql = sql
  }

  package var description: String { "SQLite error \(code): \(message) in: \(sql)" }
}

/// A connection with no product code between the test and SQLite; it owns its handle, so it is a class.
package final class RawSQLite {
  private var handle: OpaquePointer?

  /// The C handle, to lend it to the product; nil once closed.
  package var pointer: OpaquePointer? { handle }

  package init(_ path: String = ":memory:") throws {
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    let status = sqlite3_open_v2(path, &handle, flags, nil)
    guard status == SQLITE_OK else {
      let message = handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      sqlite3_close_v2(handle)
      handle = nil
      throw RawSQLiteError(code: status, message: message, sql: "open \(path)")
    }
  }

  deinit { sqlite3_close_v2(handle) }

  /// Protects the catalog from being edited.
  /// See [SQLITE_DBCONFIG_DEFENSIVE](https://sqlite.org/c3ref/c_dbconfig_defensive.html).
  package func makeDefensive() {
    var now: Int32 = 0
    _ = handle.map { schemakit_db_config($0, SQLITE_DBCONFIG_DEFENSIVE, 1, &now) }
  }

  /// Closes the handle; later calls throw.
  package func close() {
    sqlite3_close_v2(handle)
    handle = nil
  }

  /// Copies the database into one in memory, page by page, so that rowids stay as they are.
  package func copiedToMemory() throws -> RawSQLite {
    let copy = try RawSQLite()
    let backup = sqlite3_backup_init(copy.handle, "main", handle, "main")
    sqlite3_backup_step(backup, -1)
    let status = sqlite3_backup_finish(backup)
    if status != SQLITE_OK { throw failure(status, "a copy") }
    return copy
  }

  /// Runs every statement of a script.
  package func exec(_ sql: String) throws {
    let status = sqlite3_exec(handle, sql, nil, nil, nil)
    if status != SQLITE_OK { throw failure(status, sql) }
  }

  /// Runs one statement and returns its rows.
  package func rows(_ sql: String) throws -> [[RawValue]] {
    let statement = try prepare(sql)
    defer { sqlite3_finalize(statement) }
    var result: [[RawValue]] = []
    while true {
      let status = sqlite3_step(statement)
      if status == SQLITE_DONE { return result }
      guard status == SQLITE_ROW else { throw failure(status, sql) }
      result.append((0..<sqlite3_column_count(statement)).map { value(of: statement, at: $0) })
    }
  }

  /// Runs one statement once for each row of bound values.
  package func run(_ sql: String, binding rows: [[RawValue]]) throws {
    let statement = try prepare(sql)
    defer { sqlite3_finalize(statement) }
    for row in rows {
      for (index, value) in row.enumerated() { bind(value, to: statement, at: Int32(index + 1)) }
      let status = sqlite3_step(statement)
      if status != SQLITE_DONE && status != SQLITE_ROW { throw failure(status, sql) }
      sqlite3_reset(statement)
    }
  }

  /// Compiles a statement without running it.
  package func compiles(_ sql: String) throws {
    sqlite3_finalize(try prepare(sql))
  }

  private func prepare(_ sql: String) throws -> OpaquePointer? {
    var statement: OpaquePointer?
    let status = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    if status != SQLITE_OK { throw failure(status, sql) }
    return statement
  }

  private func bind(_ value: RawValue, to statement: OpaquePointer?, at index: Int32) {
    switch value {
    case .null: sqlite3_bind_null(statement, index)
    case .int(let number): sqlite3_bind_int64(statement, index, number)
    case .real(let number): sqlite3_bind_double(statement, index, number)
    case .text(let text):
      var copy = text
      copy.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) { characters in
          let start = characters.baseAddress
          _ =
            start == nil
            ? sqlite3_bind_text(statement, index, "", 0, schemakit_transient())
            : sqlite3_bind_text(statement, index, start, Int32(characters.count), schemakit_transient())
        }
      }
    case .blob(let bytes):
      if bytes.isEmpty {
        sqlite3_bind_zeroblob(statement, index, 0)
      } else {
        sqlite3_bind_blob(statement, index, bytes, Int32(bytes.count), schemakit_transient())
      }
    }
  }

  private func value(of statement: OpaquePointer?, at column: Int32) -> RawValue {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: return .int(sqlite3_column_int64(statement, column))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column))
    case SQLITE_TEXT:
      guard let text = sqlite3_column_text(statement, column) else { return .null }
      let count = Int(sqlite3_column_bytes(statement, column))
      return .text(String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self))
    case SQLITE_BLOB:
      let count = Int(sqlite3_column_bytes(statement, column))
      guard count > 0, let bytes = sqlite3_column_blob(statement, column) else { return .blob([]) }
      return .blob([UInt8](UnsafeRawBufferPointer(start: bytes, count: count)))
    default: return .null
    }
  }

  private func failure(_ status: Int32, _ sql: String) -> RawSQLiteError {
    let message = handle.map { String(cString: sqlite3_errmsg($0)) } ?? "the connection is closed"
    return RawSQLiteError(code: status, message: message, sql: sql)
  }
}

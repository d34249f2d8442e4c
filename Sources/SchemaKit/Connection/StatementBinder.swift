import CSQLite

/// Binds the columns of a row to the parameters of a statement: column 0 to ?1, column 1 to ?2, and so on.
///
/// A column whose parameter the statement does not have is skipped, so that one row fits statements which write only
/// some of its columns. It has identity because it owns the bytes that SQLite reads while the statement runs; the
/// statement owns it, and clears its bindings whenever it is returned.
final class StatementBinder: RowSink {
  private let handle: OpaquePointer
  private let sql: String
  private let count: Int
  private var failure: Int32 = SQLITE_OK
  // Text and BLOBs are copied here rather than by SQLite, which would allocate and free memory for each of them.
  private let arena: UnsafeMutableRawBufferPointer
  private var used = 0
  /// Which columns form the key.
  private let isKey: [Bool]
  /// The values bound to the key columns since the last `begin()`.
  private(set) var key: [SQLValue] = []

  init(_ handle: OpaquePointer, sql: String, keyColumns: [Int]) {
    self.handle = handle
    self.sql = sql
    count = Int(sqlite3_bind_parameter_count(handle))
    arena = .allocate(byteCount: 1 << 14, alignment: 8)
    var isKey: [Bool] = []
    if let last = keyColumns.max() {
      isKey = Array(repeating: false, count: last + 1)
      for column in keyColumns { isKey[column] = true }
    }
    self.isKey = isKey
  }

  deinit { arena.deallocate() }

  /// Discards the previous row. The statement must have been reset.
  func begin() {
    used = 0
    failure = SQLITE_OK
    if !isKey.isEmpty { key.removeAll(keepingCapacity: true) }
  }

  /// Throws the first binding error since `begin()`.
  func check() throws {
    guard failure == SQLITE_OK else {
      throw SQLiteError(
        code: failure, message: sqlite3_errstr(failure).map { String(cString: $0) } ?? "", sql: sql)
    }
  }

  private func note(_ code: Int32) { if code != SQLITE_OK, failure == SQLITE_OK { failure = code } }

  private func noteKey(_ index: Int, _ value: @autoclosure () -> SQLValue) {
    if index < isKey.count, isKey[index] { key.append(value()) }
  }

  /// Rebinds a key column, the nth in `key`, to another value.
  func replace(key place: Int, at column: Int, with value: SQLValue) {
    let noted = key
    switch value {
    case .null: putNull(at: column)
    case .integer(let number): put(number, at: column)
    case .real(let number): put(number, at: column)
    case .text(let text): put(text, at: column)
    case .blob(let bytes): bytes.withUnsafeBytes { put($0, at: column) }
    }
    key = noted
    key[place] = value
  }

  func putNull(at index: Int) {
    noteKey(index, .null)
    if index < count { note(sqlite3_bind_null(handle, Int32(truncatingIfNeeded: index + 1))) }
  }

  func put(_ value: Int64, at index: Int) {
    noteKey(index, .integer(value))
    if index < count { note(sqlite3_bind_int64(handle, Int32(truncatingIfNeeded: index + 1), value)) }
  }

  func put(_ value: Double, at index: Int) {
    noteKey(index, .real(value))
    if index < count { note(sqlite3_bind_double(handle, Int32(truncatingIfNeeded: index + 1), value)) }
  }

  func put(_ value: String, at index: Int) {
    noteKey(index, .text(value))
    guard index < count else { return }
    var value = value
    value.withUTF8 { put(UnsafeRawBufferPointer($0), at: index, isText: true) }
  }

  func put(_ value: UnsafeRawBufferPointer, at index: Int) {
    noteKey(index, .blob([UInt8](value)))
    guard index < count else { return }
    put(value, at: index, isText: false)
  }

  private func put(_ bytes: UnsafeRawBufferPointer, at index: Int, isText: Bool) {
    let parameter = Int32(truncatingIfNeeded: index + 1)
    var start = bytes.baseAddress
    var destructor = schemakit_transient()
    if bytes.count <= arena.count - used, let base = arena.baseAddress {
      let place = base + used
      if let start { place.copyMemory(from: start, byteCount: bytes.count) }
      used += bytes.count
      start = UnsafeRawPointer(place)
      destructor = nil
    }
    // SQLite treats a null pointer as NULL; only an empty buffer may have one, and it always fits in the arena.
    let size = UInt64(bytes.count)
    if isText {
      note(
        sqlite3_bind_text64(
          handle, parameter, start?.assumingMemoryBound(to: CChar.self), size, destructor, UInt8(SQLITE_UTF8))
      )
    } else {
      note(sqlite3_bind_blob64(handle, parameter, start, size, destructor))
    }
  }
}

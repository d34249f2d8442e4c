import CSQLite
import SchemaKitFoundation

extension Statement: RowSource {
  func isNull(at index: Int) -> Bool { sqlite3_column_type(handle, Int32(truncatingIfNeeded: index)) == SQLITE_NULL }

  func integer(at index: Int) -> Int64? {
    let index = Int32(truncatingIfNeeded: index)
    return sqlite3_column_type(handle, index) == SQLITE_INTEGER ? sqlite3_column_int64(handle, index) : nil
  }

  func real(at index: Int) -> Double? {
    let index = Int32(truncatingIfNeeded: index)
    return sqlite3_column_type(handle, index) == SQLITE_FLOAT ? sqlite3_column_double(handle, index) : nil
  }

  func text(at index: Int) throws -> String? {
    let index = Int32(truncatingIfNeeded: index)
    guard sqlite3_column_type(handle, index) == SQLITE_TEXT else { return nil }
    guard let start = sqlite3_column_text(handle, index) else { return "" }
    let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, index)))
    let text = String(decoding: bytes, as: UTF8.self)
    // Swift repairs invalid UTF-8, and the repaired text has different bytes.
    let isWhole = text.utf8.withContiguousStorageIfAvailable {
      $0.count == bytes.count && $0.baseAddress.map { memcmp($0, start, bytes.count) == 0 } ?? true
    }
    guard isWhole ?? text.utf8.elementsEqual(bytes) else {
      throw ColumnValueError(expected: "a text", found: "text", problem: "is not valid UTF-8")
    }
    return text
  }

  func withBlob(at index: Int, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
    let index = Int32(truncatingIfNeeded: index)
    guard sqlite3_column_type(handle, index) == SQLITE_BLOB else { return false }
    // An empty BLOB has a null pointer.
    let start = sqlite3_column_blob(handle, index)
    body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, index))))
    return true
  }

  func sqlValue(at index: Int) throws -> SQLValue {
    if let text = try text(at: index) { return .text(text) }
    return value(at: Int32(truncatingIfNeeded: index))
  }
}

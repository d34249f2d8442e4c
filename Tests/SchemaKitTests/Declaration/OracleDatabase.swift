import CSQLite
import Testing

/// SQLite itself, in memory, to ask what it makes of a declaration.
final class OracleDatabase {
  private var handle: OpaquePointer?

  init() throws {
    try #require(sqlite3_open(":memory:", &handle) == SQLITE_OK)
    let compare:
      @convention(c) (UnsafeMutableRawPointer?, Int32, UnsafeRawPointer?, Int32, UnsafeRawPointer?) -> Int32 =
        { _, _, _, _, _ in 0 }
    sqlite3_create_collation(handle, "german", SQLITE_UTF8, nil, compare)
  }

  deinit { sqlite3_close(handle) }

  /// Runs statements and gives their rows, the values of each joined with a bar.
  @discardableResult
  func run(_ sql: String) throws -> [String] {
    var statement: OpaquePointer?
    try #require(sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, "\(message): \(sql)")
    defer { sqlite3_finalize(statement) }
    var rows: [String] = []
    while true {
      let code = sqlite3_step(statement)
      guard code == SQLITE_ROW else {
        try #require(code == SQLITE_DONE, "\(message): \(sql)")
        return rows
      }
      let values = (0..<sqlite3_column_count(statement)).map { column in
        sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "NULL"
      }
      rows.append(values.joined(separator: "|"))
    }
  }

  private var message: String { String(cString: sqlite3_errmsg(handle)) }
}

import CSQLite
import SchemaKit

/// A database in memory that runs what it is given, as far as that can neither take long nor leave the process.
///
/// It has identity because it owns a C handle.
final class OracleDatabase {
  let handle: OpaquePointer

  /// Opens an empty database.
  init() throws {
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(":memory:", &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil)
    guard code == SQLITE_OK, let opened else { throw FuzzFinding("SQLite cannot open a database in memory") }
    handle = opened
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, 1_000_000)
    sqlite3_progress_handler(handle, 200_000, { _ in 1 }, nil)
    sqlite3_set_authorizer(
      handle,
      { _, action, _, _, _, _ in
        switch action {
        case SQLITE_ATTACH, SQLITE_DETACH, SQLITE_TRANSACTION, SQLITE_SAVEPOINT: SQLITE_DENY
        default: SQLITE_OK
        }
      }, nil)
  }

  deinit { sqlite3_close_v2(handle) }

  /// Runs the statements of a text; those that SQLite refuses are left out.
  func runWhatWorks(_ text: String) {
    var bytes = Array(text.utf8CString)
    bytes.withUnsafeMutableBufferPointer { buffer in
      guard var position = UnsafePointer(buffer.baseAddress) else { return }
      while position.pointee != 0 {
        var statement: OpaquePointer?
        var end: UnsafePointer<CChar>?
        let code = sqlite3_prepare_v2(handle, position, -1, &statement, &end)
        if code == SQLITE_OK, Self.changesTheSchema(position) {
          while sqlite3_step(statement) == SQLITE_ROW {}
        }
        sqlite3_finalize(statement)
        guard let end, end > position else { return }
        position = end
      }
    }
  }

  /// Whether a statement begins with CREATE, ALTER or DROP: no other is run.
  private static func changesTheSchema(_ text: UnsafePointer<CChar>) -> Bool {
    let word = String(cString: text).drop { !$0.isASCII || !$0.isLetter }.prefix { $0.isLetter }.uppercased()
    return word == "CREATE" || word == "ALTER" || word == "DROP"
  }

  /// The same database for the product.
  func connection() throws -> SQLiteConnection {
    try SQLiteConnection(borrowing: handle, sourceID: SQLiteConnection.engineSourceID, busyTimeout: 0)
  }

  /// What SQLite itself says about the columns of a table.
  func columns(of table: String) throws -> [[SQLValue]] {
    try connection().rows("PRAGMA main.table_xinfo(\(SQLQuoting.identifier(table)))")
  }
}

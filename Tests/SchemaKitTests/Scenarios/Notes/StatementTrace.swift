import CSQLite
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

/// A connection whose statements are written down by SQLite itself. It has identity because SQLite keeps its address.
final class StatementTrace {
  private(set) var statements: [String] = []
  private let raw: RawSQLite
  let connection: SQLiteConnection

  init(_ path: String) throws {
    raw = try RawSQLite(path)
    let handle = try #require(raw.pointer)
    connection = try SQLiteConnection(borrowing: handle, sourceID: String(cString: sqlite3_sourceid()))
    sqlite3_trace_v2(
      handle, UInt32(SQLITE_TRACE_STMT),
      { _, context, _, text in
        guard let context, let text else { return 0 }
        let trace = Unmanaged<StatementTrace>.fromOpaque(context).takeUnretainedValue()
        trace.statements.append(String(cString: text.assumingMemoryBound(to: CChar.self)))
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit { sqlite3_trace_v2(raw.pointer, 0, nil, nil) }

  /// Forgets what was run so far.
  func clear() { statements = [] }

  /// The statements that define, change or drop anything that outlives the connection.
  var definitions: [String] {
    statements.filter { sql in
      ["CREATE ", "ALTER ", "DROP "].contains { sql.uppercased().hasPrefix($0) }
        && !sql.uppercased().hasPrefix("CREATE TEMP")
    }
  }

  /// The columns of a table that SQLite's program for a query takes out of its rows, by EXPLAIN.
  func columnsRead(by sql: String, of table: String) throws -> Set<String> {
    let reader = try RawSQLite(connection.filePath ?? "")
    defer { reader.close() }
    let root = try reader.rows("SELECT rootpage FROM sqlite_master WHERE name = '\(table)'").first?.first
    let columns = try reader.rows("SELECT name FROM pragma_table_info('\(table)') ORDER BY cid")
    let program = try reader.rows("EXPLAIN " + sql)
    let cursors = program.filter { $0[1] == .text("OpenRead") && $0[3] == root }.map { $0[2] }
    let reads = program.filter { $0[1] == .text("Column") && cursors.contains($0[2]) }.compactMap { $0[3].integer }
    return Set(reads.compactMap { columns[Int($0)][0].string })
  }
}

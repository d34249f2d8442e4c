import FloorStrategies
import Foundation

/// A file as C sees it.
struct FloorFile {
  let path: String

  init(_ path: String) { self.path = path }

  func make(rows: Int, parts: Int, refers: Bool) throws {
    try checked { strategies_make(path, Int64(rows), Int64(parts), refers ? 1 : 0, $0) }
  }

  func copy() throws -> String {
    try checked { strategies_copy(path, $0) }
    return "rebuild"
  }

  /// What a query yields, in a few characters.
  func checksum(_ sql: String) throws -> String {
    var hash: UInt64 = 0
    var rows: Int64 = 0
    try checked { strategies_checksum(path, sql, &hash, &rows, $0) }
    return "\(rows):\(String(hash, radix: 16))"
  }

  /// What must stay the same, and what must hold, after a change.
  func state(after change: Change) throws -> [String] {
    [
      try checksum("SELECT \(change.unchanged.joined(separator: ", ")) FROM item ORDER BY id"),
      // NULL becomes 0, and a text of digits the number that it says.
      try checksum("SELECT count(*), sum(qty), sum(CAST(code AS INTEGER)) FROM item"),
      try checksum("SELECT * FROM part ORDER BY id"),
      try checksum("SELECT name FROM sqlite_schema WHERE tbl_name = 'item' AND type = 'index' ORDER BY name"),
    ]
  }

  /// How many rows fail what the change makes true of all.
  func failures(of change: Change) throws -> Bool {
    try checksum("SELECT count(*) FROM item WHERE NOT (\(change.condition))") != checksum("SELECT 0")
  }

  private func checked(_ body: (UnsafeMutablePointer<CChar>) -> Int32) throws {
    try withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(STRATEGIES_MESSAGE)) { message in
      guard let start = message.baseAddress else { throw BenchmarkError("no memory") }
      message.initialize(repeating: 0)
      let code = body(start)
      if code != 0 { throw BenchmarkError("\(path): SQLite says \(code): \(String(cString: start))") }
    }
  }
}

import FloorRecords
import Foundation

/// The C API as one calls it from Swift without a library: `String`, `Data`, prepared statements, copying binds.
final class CAPIContender: Contender {
  private let connection: CConnection
  private let source: Source<PlainRecord>

  init(path: String, source: Source<PlainRecord>) throws {
    connection = try CConnection(path: path)
    self.source = source
    try connection.check(floor_execute(connection.handle, floor_create_sql))
  }

  func insert() throws { try write(source.records, floor_insert_sql) }

  func update() throws { try write(source.changes, floor_update_sql) }

  func fetchAll() throws -> any Fetched {
    try reading(floor_all_sql) { statement, found in try readRows(statement, into: &found) }
  }

  func fetchByKey() throws -> any Fetched {
    try reading(floor_find_sql) { statement, found in
      for key in source.keys {
        sqlite3_bind_int64(statement, 1, key)
        try readRows(statement, into: &found)
      }
    }
  }

  func filter(_ ranges: [Range<Int64>]) throws -> any Fetched {
    try reading(floor_filter_sql) { statement, found in
      for range in ranges {
        sqlite3_bind_int64(statement, 1, range.lowerBound)
        sqlite3_bind_int64(statement, 2, range.upperBound)
        try readRows(statement, into: &found)
      }
    }
  }

  func text(_ sql: String) throws -> String? { try connection.text(sql) }

  private func write(_ records: [PlainRecord], _ sql: UnsafePointer<CChar>) throws {
    try connection.execute("BEGIN IMMEDIATE")
    let statement = try connection.prepare(sql)
    defer { sqlite3_finalize(statement) }
    for record in records {
      try connection.check(bind(record, to: statement))
      guard sqlite3_step(statement) == SQLITE_DONE, sqlite3_changes(connection.handle) == 1 else {
        throw BenchmarkError("row \(record.id) was not written")
      }
      sqlite3_reset(statement)
    }
    try connection.execute("COMMIT")
  }

  private func reading(
    _ sql: UnsafePointer<CChar>, _ body: (OpaquePointer?, inout [PlainRecord]) throws -> Void
  ) throws -> [PlainRecord] {
    try connection.execute("BEGIN")
    let statement = try connection.prepare(sql)
    var found: [PlainRecord] = []
    do {
      defer { sqlite3_finalize(statement) }
      try body(statement, &found)
    }
    try connection.execute("COMMIT")
    return found
  }

  private func readRows(_ statement: OpaquePointer?, into found: inout [PlainRecord]) throws {
    var code = sqlite3_step(statement)
    while code == SQLITE_ROW {
      found.append(row(of: statement))
      code = sqlite3_step(statement)
    }
    try connection.check(sqlite3_reset(statement))
  }

  private func row(of statement: OpaquePointer?) -> PlainRecord {
    PlainRecord(
      id: sqlite3_column_int64(statement, 0),
      title: text(of: statement, 1),
      author: text(of: statement, 2),
      place: text(of: statement, 3),
      note: text(of: statement, 4),
      rank: sqlite3_column_int64(statement, 5),
      visits: sqlite3_column_int64(statement, 6),
      price: sqlite3_column_double(statement, 7),
      weight: sqlite3_column_double(statement, 8),
      payload: data(of: statement, 9)
    )
  }

  private func text(of statement: OpaquePointer?, _ column: Int32) -> String {
    let start = sqlite3_column_text(statement, column)
    let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
    return String(decoding: bytes, as: UTF8.self)
  }

  private func data(of statement: OpaquePointer?, _ column: Int32) -> Data? {
    guard sqlite3_column_type(statement, column) != SQLITE_NULL else { return nil }
    guard let start = sqlite3_column_blob(statement, column) else { return Data() }
    return Data(bytes: start, count: Int(sqlite3_column_bytes(statement, column)))
  }

  private func bind(_ record: PlainRecord, to statement: OpaquePointer?) -> Int32 {
    var failure = sqlite3_bind_int64(statement, 1, record.id)
    failure |= bind(record.title, to: statement, 2)
    failure |= bind(record.author, to: statement, 3)
    failure |= bind(record.place, to: statement, 4)
    failure |= bind(record.note, to: statement, 5)
    failure |= sqlite3_bind_int64(statement, 6, record.rank)
    failure |= sqlite3_bind_int64(statement, 7, record.visits)
    failure |= sqlite3_bind_double(statement, 8, record.price)
    failure |= sqlite3_bind_double(statement, 9, record.weight)
    if let payload = record.payload {
      failure |= payload.withUnsafeBytes {
        sqlite3_bind_blob(statement, 10, $0.baseAddress, Int32($0.count), floor_transient())
      }
    } else {
      failure |= sqlite3_bind_null(statement, 10)
    }
    return failure
  }

  private func bind(_ text: String, to statement: OpaquePointer?, _ index: Int32) -> Int32 {
    var text = text
    return text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        sqlite3_bind_text(statement, index, $0.baseAddress, Int32($0.count), floor_transient())
      }
    }
  }
}

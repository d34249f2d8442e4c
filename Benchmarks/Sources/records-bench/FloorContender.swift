import FloorRecords
import Foundation

/// The workload as C structs, kept as long as somebody measures with it.
final class FloorSource {
  fileprivate var records = floor_rows()
  fileprivate var changes = floor_rows()
  fileprivate let keys: [Int64]

  init(_ workload: Workload) {
    keys = workload.keys
    Self.fill(&records, with: workload.records)
    Self.fill(&changes, with: workload.changes)
  }

  deinit {
    floor_rows_free(&records)
    floor_rows_free(&changes)
  }

  private static func fill(_ rows: inout floor_rows, with records: [PlainRecord]) {
    for record in records {
      guard let row = floor_rows_add(&rows) else { return }
      row.pointee.id = record.id
      row.pointee.texts = (copy(record.title), copy(record.author), copy(record.place), copy(record.note))
      row.pointee.rank = record.rank
      row.pointee.visits = record.visits
      row.pointee.price = record.price
      row.pointee.weight = record.weight
      if let payload = record.payload {
        row.pointee.payload = payload.withUnsafeBytes { floor_copy($0.baseAddress, Int32($0.count)) }
      }
    }
  }

  private static func copy(_ text: String) -> floor_bytes {
    var text = text
    return text.withUTF8 { floor_copy($0.baseAddress, Int32($0.count)) }
  }
}

/// C structs that were read.
final class FloorRows: Fetched {
  fileprivate var rows = floor_rows()

  deinit { floor_rows_free(&rows) }

  func fetchAll(_ handle: OpaquePointer?) -> Int32 { floor_fetch_all(handle, &rows) }

  var checksum: Checksum {
    UnsafeBufferPointer(start: rows.rows, count: rows.count).reduce(into: Checksum()) { sum, row in
      var digest = RowDigest()
      digest.add(row.id)
      for text in [row.texts.0, row.texts.1, row.texts.2, row.texts.3] { digest.add(text.buffer) }
      digest.add(row.rank)
      digest.add(row.visits)
      digest.add(row.price)
      digest.add(row.weight)
      digest.add(row.payload.start == nil ? nil : row.payload.buffer)
      sum.add(digest)
    }
  }
}

extension floor_bytes {
  fileprivate var buffer: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: Int(length)) }
}

/// The work done in C; Swift only starts it.
final class FloorContender: Contender {
  private let connection: CConnection
  private let source: FloorSource

  init(path: String, source: FloorSource) throws {
    connection = try CConnection(path: path)
    self.source = source
    try connection.check(floor_execute(connection.handle, floor_create_sql))
  }

  func insert() throws { try connection.check(floor_insert(connection.handle, &source.records)) }

  func update() throws { try connection.check(floor_update(connection.handle, &source.changes)) }

  func fetchAll() throws -> any Fetched {
    let found = FloorRows()
    try connection.check(found.fetchAll(connection.handle))
    return found
  }

  func fetchByKey() throws -> any Fetched { try fetchByKey(source.keys) }

  func fetchByKey(_ keys: [Int64]) throws -> any Fetched {
    let found = FloorRows()
    try connection.check(floor_fetch_by_key(connection.handle, keys, keys.count, &found.rows))
    return found
  }

  func filter(_ ranges: [Range<Int64>]) throws -> any Fetched {
    let found = FloorRows()
    let lower = ranges.map(\.lowerBound)
    let upper = ranges.map(\.upperBound)
    try connection.check(floor_filter(connection.handle, lower, upper, ranges.count, &found.rows))
    return found
  }

  func text(_ sql: String) throws -> String? { try connection.text(sql) }
}

/// An SQLite connection with nothing around it.
final class CConnection {
  let handle: OpaquePointer?

  init(path: String) throws {
    var opened: OpaquePointer?
    let code = floor_open(path, &opened)
    handle = opened
    try check(code)
  }

  deinit { sqlite3_close_v2(handle) }

  func check(_ code: Int32) throws {
    guard code == SQLITE_OK else {
      throw BenchmarkError("SQLite says \(code): \(String(cString: sqlite3_errmsg(handle)))")
    }
  }

  func execute(_ sql: String) throws { try check(sqlite3_exec(handle, sql, nil, nil, nil)) }

  func prepare(_ sql: UnsafePointer<CChar>) throws -> OpaquePointer? {
    var statement: OpaquePointer?
    try check(sqlite3_prepare_v2(handle, sql, -1, &statement, nil))
    return statement
  }

  func text(_ sql: String) throws -> String? { try texts(sql).first }

  /// The first column of all rows.
  func texts(_ sql: String) throws -> [String] {
    let statement = try prepare(sql)
    defer { sqlite3_finalize(statement) }
    var found: [String] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      found.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "NULL")
    }
    return found
  }
}

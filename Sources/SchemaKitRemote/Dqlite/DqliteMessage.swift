import SchemaKit
import SchemaKitFoundation

/// The requests that a client sends, by their numbers in the
/// [wire protocol](https://github.com/canonical/dqlite-docs/blob/main/reference/wire-protocol.md).
enum DqliteRequest {
  case leader
  case client(id: UInt64)
  case open(database: String)
  case prepare(sql: String)
  case finalize(statement: UInt32)
  case execute(sql: String, [SQLValue])
  case query(sql: String, [SQLValue])
  /// Asks for the files of a database.
  case dump(database: String)

  private var type: UInt8 {
    switch self {
    case .leader: 0
    case .client: 1
    case .open: 3
    case .prepare: 4
    case .finalize: 7
    case .execute: 8
    case .query: 9
    case .dump: 15
    }
  }

  /// The message with its header.
  ///
  /// - Parameter database: The number of the open database that it is for.
  /// - Throws: `RemoteError` for a text with U+0000, which the protocol would cut there.
  func encoded(database: UInt32) throws(RemoteError) -> [UInt8] {
    var body = DqliteWriter()
    switch self {
    case .leader: body.add(UInt64(0))
    case .client(let id): body.add(id)
    case .open(let database):
      try body.add(text: database)
      body.add(UInt64(0))
      try body.add(text: "")
    case .dump(let database): try body.add(text: database)
    case .prepare(let sql):
      body.add(UInt64(database))
      try body.add(text: sql)
    case .finalize(let statement):
      body.add(database)
      body.add(statement)
    case .execute(let sql, let values), .query(let sql, let values):
      body.add(UInt64(database))
      try body.add(text: sql)
      try body.add(values)
    }
    var header = DqliteWriter()
    header.add(UInt32(body.bytes.count / 8))
    header.bytes += [type, 0, 0, 0]
    return header.bytes + body.bytes
  }
}

/// Writes fields as the protocol has them: little endian, padded to words of 8 bytes.
struct DqliteWriter {
  var bytes: [UInt8] = []

  mutating func add(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func add(text: String) throws(RemoteError) {
    guard !text.utf8.contains(0) else { throw RemoteError(reason: .unsupported(.nulInText)) }
    bytes.append(contentsOf: text.utf8)
    bytes.append(0)
    pad()
  }

  /// Adds the values of parameters: how many, their types, and then each.
  mutating func add(_ values: [SQLValue]) throws(RemoteError) {
    // Nothing at all stands for no parameters.
    guard !values.isEmpty else { return }
    // With more, servers before 1.14 would read another number.
    guard let count = UInt8(exactly: values.count) else {
      throw RemoteError(reason: .unsupported(.values(values.count)))
    }
    add(count)
    for value in values {
      let type: UInt8 =
        switch value {
        case .integer: 1
        case .real: 2
        case .text: 3
        case .blob: 4
        case .null: 5
        }
      add(type)
    }
    pad()
    for value in values {
      switch value {
      case .integer(let number): add(number)
      case .real(let number): add(number.bitPattern)
      case .text(let text): try add(text: text)
      case .null: add(UInt64(0))
      case .blob(let data):
        add(UInt64(data.count))
        bytes.append(contentsOf: data)
        pad()
      }
    }
  }

  private mutating func pad() { while bytes.count % 8 != 0 { bytes.append(0) } }
}

/// The answer of a server.
enum DqliteResponse {
  case failure(code: UInt64, message: String)
  /// The address of the leader; empty while there is none.
  case leader(address: String)
  case welcome
  case database(id: UInt32)
  case statement(id: UInt32)
  case result(rowID: Int64, changes: UInt64)
  /// - isLast: True if no more rows come.
  case rows([[SQLValue]], isLast: Bool)
  case acknowledged
  /// The files of a database by their names.
  case files([(name: String, content: [UInt8])])

  /// Reads the body of a message.
  ///
  /// - Throws: ``RemoteError`` for bytes that are not such a message.
  init(type: UInt8, schema: UInt8, body: [UInt8]) throws(RemoteError) {
    var reader = DqliteReader(bytes: body)
    guard schema == 0 else { throw RemoteError(reason: .malformed) }
    switch type {
    case 0: self = .failure(code: try reader.word(), message: try reader.text())
    case 1:
      _ = try reader.word()
      self = .leader(address: try reader.text())
    case 2: self = .welcome
    case 4: self = .database(id: UInt32(truncatingIfNeeded: try reader.word()))
    case 5: self = .statement(id: UInt32(truncatingIfNeeded: try reader.word() >> 32))
    case 6:
      self = .result(rowID: Int64(bitPattern: try reader.word()), changes: try reader.word())
    case 7: self = try Self.rows(&reader)
    case 8: self = .acknowledged
    case 9:
      // Each takes two words at least.
      let count = try reader.word()
      guard count <= UInt64(reader.remaining / 16) else { throw RemoteError(reason: .malformed) }
      var files: [(name: String, content: [UInt8])] = []
      for _ in 0..<count { files.append((try reader.text(), try reader.blob())) }
      self = .files(files)
    default: throw RemoteError(reason: .malformed)
    }
  }

  private static func rows(_ reader: inout DqliteReader) throws(RemoteError) -> DqliteResponse {
    let count = try reader.word()
    // Each name takes a word at least, and a row without columns would take nothing.
    guard count > 0, count <= UInt64(reader.remaining / 8) else { throw RemoteError(reason: .malformed) }
    let columns = Int(count)
    for _ in 0..<columns { _ = try reader.text() }
    var rows: [[SQLValue]] = []
    while true {
      switch try reader.peek() {
      case .max: return .rows(rows, isLast: true)
      case 0xeeee_eeee_eeee_eeee: return .rows(rows, isLast: false)
      default: rows.append(try reader.row(columns: columns))
      }
    }
  }
}

/// Reads fields as the protocol has them. Nothing is read beyond the end, and nothing is allocated for what is not there.
struct DqliteReader {
  let bytes: [UInt8]
  private var position = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  var remaining: Int { bytes.count - position }

  func peek() throws(RemoteError) -> UInt64 {
    guard remaining >= 8 else { throw RemoteError(reason: .malformed) }
    return (0..<8).reduce(0) { $0 | UInt64(bytes[position + $1]) << (8 * UInt64($1)) }
  }

  mutating func word() throws(RemoteError) -> UInt64 {
    let word = try peek()
    position += 8
    return word
  }

  mutating func text() throws(RemoteError) -> String {
    guard let end = bytes[position...].firstIndex(of: 0) else { throw RemoteError(reason: .malformed) }
    // SQLite's message about a statement can hold any bytes.
    let text = String(decoding: bytes[position..<end], as: UTF8.self)
    try skip(to: end + 1)
    return text
  }

  /// Bytes after their number.
  mutating func blob() throws(RemoteError) -> [UInt8] {
    let count = try word()
    guard count <= UInt64(remaining) else { throw RemoteError(reason: .malformed) }
    let start = position
    try skip(to: start + Int(count))
    return Array(bytes[start..<start + Int(count)])
  }

  /// A row: the types of its values, 4 bits each, and then the values.
  mutating func row(columns: Int) throws(RemoteError) -> [SQLValue] {
    let start = position
    try skip(to: start + (columns + 1) / 2)
    var row: [SQLValue] = []
    row.reserveCapacity(columns)
    for column in 0..<columns {
      let pair = bytes[start + column / 2]
      row.append(try value(type: column % 2 == 0 ? pair & 0xf : pair >> 4))
    }
    return row
  }

  private mutating func value(type: UInt8) throws(RemoteError) -> SQLValue {
    switch type {
    case 1: return .integer(Int64(bitPattern: try word()))
    case 2: return .real(Double(bitPattern: try word()))
    case 3: return .text(try text())
    case 4: return .blob(try blob())
    case 5:
      _ = try word()
      return .null
    // Dates and booleans: the server has made another value of what is stored. Queries are written so that it cannot.
    default: throw RemoteError(reason: .malformed)
    }
  }

  /// Goes on at the word after a position.
  private mutating func skip(to end: Int) throws(RemoteError) {
    let next = (end + 7) / 8 * 8
    guard next <= bytes.count else { throw RemoteError(reason: .malformed) }
    position = next
  }
}

import SchemaKit

/// The requests of a pipeline, as
/// [Hrana 3](https://github.com/tursodatabase/libsql/blob/main/docs/HRANA_3_SPEC.md) has them in Protobuf.
///
/// That encoding has every number as it is: in JSON, a server takes a fourth of all floating-point numbers for their neighbours,
/// and infinities are lost.
enum HranaRequest {
  case close
  case execute(sql: String, [SQLValue])
  /// Compiles a statement.
  case describe(sql: String)
  /// Asks whether no transaction is open.
  case autocommit

  /// The body that sends requests to a stream.
  ///
  /// - Parameter baton: The token that identifies the stream; nil to open one.
  static func pipeline(_ requests: [HranaRequest], baton: String?) -> [UInt8] {
    var body = ProtobufWriter()
    if let baton { body.add(1, baton) }
    for request in requests { body.add(2, request.write) }
    return body.bytes
  }

  /// The body that sends one statement whose rows are to come in any number.
  static func cursor(_ sql: String, _ bindings: [SQLValue], baton: String?) -> [UInt8] {
    var body = ProtobufWriter()
    if let baton { body.add(1, baton) }
    body.add(2) { batch in
      batch.add(1) { step in step.add(2) { Self.write(sql, bindings, to: &$0) } }
    }
    return body.bytes
  }

  private func write(to writer: inout ProtobufWriter) {
    switch self {
    case .close: writer.add(1) { _ in }
    case .execute(let sql, let bindings): writer.add(2) { $0.add(1) { Self.write(sql, bindings, to: &$0) } }
    case .describe(let sql): writer.add(5) { $0.add(1, sql) }
    case .autocommit: writer.add(8) { _ in }
    }
  }

  private static func write(_ sql: String, _ bindings: [SQLValue], to statement: inout ProtobufWriter) {
    statement.add(1, sql)
    for value in bindings {
      statement.add(3) { writer in
        switch value {
        case .null: writer.add(1) { _ in }
        case .integer(let number): writer.add(2, zigzag: number)
        case .real(let number): writer.add(3, double: number)
        case .text(let text): writer.add(4, text)
        case .blob(let bytes): writer.add(5, bytes)
        }
      }
    }
    statement.add(5, number: 1)
  }
}

/// The server's answer to a request.
enum HranaResult {
  case closed
  case rows(HranaRows)
  case described
  case autocommit(Bool)
  case failure(HranaError)
}

/// The rows that a statement returned, and the changes that it made.
struct HranaRows {
  var rows: [[SQLValue]] = []
  var changes: UInt64 = 0
  /// The rowid of the row that was inserted last; nil unless the statement is an INSERT.
  var lastRowID: Int64?
}

/// The answer to a pipeline or a cursor.
struct HranaAnswer {
  /// The token that identifies the stream from now on; nil if the server has closed it.
  var baton: String?
  /// Where the next request to the stream is to go; nil for where this one went.
  var place: String?
  var results: [HranaResult] = []

  /// Reads the answer to a pipeline.
  ///
  /// - Throws: ``RemoteError`` for bytes that are not one.
  init(pipeline bytes: [UInt8]) throws(RemoteError) {
    var reader = ProtobufReader(bytes[...])
    while let (field, content) = try reader.next() {
      switch field {
      case 1: baton = try content.text
      case 2: place = try content.text
      case 3: results.append(try HranaResult(content.bytes))
      default: continue
      }
    }
  }

  /// Reads the answer to a cursor over one statement: a head, and entries behind their lengths.
  ///
  /// - Throws: ``RemoteError`` for bytes that are not one, also where the end is missing.
  init(cursor bytes: [UInt8]) throws(RemoteError) {
    var stream = ProtobufReader(bytes[...])
    var head = ProtobufReader(try stream.sized())
    while let (field, content) = try head.next() {
      if field == 1 { baton = try content.text }
      if field == 2 { place = try content.text }
    }
    var rows = HranaRows()
    var result: HranaResult?
    while !stream.isAtEnd {
      var entry = ProtobufReader(try stream.sized())
      while let (field, content) = try entry.next() {
        switch field {
        case 2:
          try rows.read(end: content.bytes)
          if result == nil { result = .rows(rows) }
        case 3: result = .failure(try HranaError(step: content.bytes))
        case 4: rows.rows.append(try HranaRows.row(content.bytes))
        case 5: result = .failure(try HranaError(content.bytes))
        default: continue
        }
      }
    }
    guard let result else { throw RemoteError(reason: .malformed) }
    results = [result]
  }
}

extension HranaResult {
  fileprivate init(_ bytes: ArraySlice<UInt8>) throws(RemoteError) {
    var reader = ProtobufReader(bytes)
    guard let (field, content) = try reader.next() else { throw RemoteError(reason: .malformed) }
    switch field {
    case 1: self = try Self.response(content.bytes)
    case 2: self = .failure(try HranaError(content.bytes))
    default: throw RemoteError(reason: .malformed)
    }
  }

  private static func response(_ bytes: ArraySlice<UInt8>) throws(RemoteError) -> HranaResult {
    var reader = ProtobufReader(bytes)
    guard let (field, content) = try reader.next() else { throw RemoteError(reason: .malformed) }
    var inner = ProtobufReader(try content.bytes)
    switch field {
    case 1: return .closed
    case 2:
      guard let (field, result) = try inner.next(), field == 1 else { throw RemoteError(reason: .malformed) }
      return .rows(try HranaRows(result.bytes))
    case 5: return .described
    case 8:
      // A false is left out.
      let isOn = try inner.next()?.content.number ?? 0
      return .autocommit(isOn != 0)
    default: throw RemoteError(reason: .malformed)
    }
  }
}

extension HranaRows {
  fileprivate init(_ bytes: ArraySlice<UInt8>) throws(RemoteError) {
    var reader = ProtobufReader(bytes)
    while let (field, content) = try reader.next() {
      switch field {
      case 2: rows.append(try Self.row(content.bytes))
      case 3: changes = try content.number
      case 4: lastRowID = try content.zigzag
      default: continue
      }
    }
  }

  /// Reads the entry that ends the rows of a cursor.
  fileprivate mutating func read(end bytes: ArraySlice<UInt8>) throws(RemoteError) {
    var reader = ProtobufReader(bytes)
    while let (field, content) = try reader.next() {
      if field == 1 { changes = try content.number }
      if field == 2 { lastRowID = try content.zigzag }
    }
  }

  fileprivate static func row(_ bytes: ArraySlice<UInt8>) throws(RemoteError) -> [SQLValue] {
    var reader = ProtobufReader(bytes)
    var row: [SQLValue] = []
    while let (field, content) = try reader.next() {
      guard field == 1 else { continue }
      var value = ProtobufReader(try content.bytes)
      guard let (type, content) = try value.next() else { throw RemoteError(reason: .malformed) }
      switch (type, content) {
      case (1, _): row.append(.null)
      case (2, _): row.append(.integer(try content.zigzag))
      case (3, .word(let bits)): row.append(.real(Double(bitPattern: bits)))
      case (4, _): row.append(.text(try content.text))
      case (5, _): row.append(.blob(Array(try content.bytes)))
      default: throw RemoteError(reason: .malformed)
      }
    }
    return row
  }
}

import SchemaKit

/// Writes the fields of a message in the encoding of
/// [Protocol Buffers](https://protobuf.dev/programming-guides/encoding/).
struct ProtobufWriter {
  private(set) var bytes: [UInt8] = []

  mutating func add(_ field: Int, number: UInt64) {
    addVarint(UInt64(field) << 3)
    addVarint(number)
  }

  /// Adds a number of the type `sint64`.
  mutating func add(_ field: Int, zigzag number: Int64) {
    add(field, number: UInt64(bitPattern: number << 1 ^ number >> 63))
  }

  mutating func add(_ field: Int, double number: Double) {
    addVarint(UInt64(field) << 3 | 1)
    withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func add(_ field: Int, _ content: [UInt8]) {
    addVarint(UInt64(field) << 3 | 2)
    addVarint(UInt64(content.count))
    bytes.append(contentsOf: content)
  }

  mutating func add(_ field: Int, _ text: String) { add(field, Array(text.utf8)) }

  /// Adds a message within this one.
  mutating func add(_ field: Int, _ write: (inout ProtobufWriter) -> Void) {
    var inner = ProtobufWriter()
    write(&inner)
    add(field, inner.bytes)
  }

  private mutating func addVarint(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}

/// Reads the fields of such a message. Nothing is read beyond the end, and nothing is allocated for what is not there.
struct ProtobufReader {
  /// The content of a field.
  enum Content {
    case number(UInt64)
    /// Eight bytes.
    case word(UInt64)
    case bytes(ArraySlice<UInt8>)
    /// A type that no field of this protocol has.
    case other
  }

  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  var isAtEnd: Bool { rest.isEmpty }

  /// The next field with its number; nil after the last.
  mutating func next() throws(RemoteError) -> (field: Int, content: Content)? {
    guard !rest.isEmpty else { return nil }
    let key = try varint()
    guard key >> 3 > 0, key >> 3 < 1 << 29 else { throw RemoteError(reason: .malformed) }
    let content: Content
    switch key & 7 {
    case 0: content = .number(try varint())
    case 1: content = .word(try take(8).reversed().reduce(0) { $0 << 8 | UInt64($1) })
    case 2: content = .bytes(try sized())
    case 5:
      _ = try take(4)
      content = .other
    default: throw RemoteError(reason: .malformed)
    }
    return (Int(key >> 3), content)
  }

  /// Bytes after their number, as messages of a stream are.
  mutating func sized() throws(RemoteError) -> ArraySlice<UInt8> {
    let count = try varint()
    guard count <= UInt64(rest.count) else { throw RemoteError(reason: .malformed) }
    return try take(Int(count))
  }

  private mutating func take(_ count: Int) throws(RemoteError) -> ArraySlice<UInt8> {
    guard count <= rest.count else { throw RemoteError(reason: .malformed) }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  private mutating func varint() throws(RemoteError) -> UInt64 {
    var number: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      guard let byte = rest.popFirst(), shift < 63 || byte < 2 else { throw RemoteError(reason: .malformed) }
      number |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return number }
    }
    throw RemoteError(reason: .malformed)
  }
}

extension ProtobufReader.Content {
  var number: UInt64 {
    get throws(RemoteError) {
      guard case .number(let number) = self else { throw RemoteError(reason: .malformed) }
      return number
    }
  }

  /// A number of the type `sint64`.
  var zigzag: Int64 {
    get throws(RemoteError) {
      let number = try number
      return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }
  }

  var bytes: ArraySlice<UInt8> {
    get throws(RemoteError) {
      guard case .bytes(let bytes) = self else { throw RemoteError(reason: .malformed) }
      return bytes
    }
  }

  /// A text, which is in UTF-8 in this encoding.
  var text: String {
    get throws(RemoteError) {
      guard let text = String(validating: try bytes, as: UTF8.self) else { throw RemoteError(reason: .malformed) }
      return text
    }
  }
}

/// Encodes a Codable type into the values of a row, by the names of the columns.
///
/// It has identity because containers write into it.
final class SQLRowEncoder: Encoder {
  /// The value of a column, with the type that it had.
  typealias Column = (name: String, value: SQLValue, type: Any.Type)

  private(set) var columns: [Column] = []
  private let type: String
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  private init(_ type: String) { self.type = type }

  /// The values of a row; NULL for a property that is nil.
  static func columns(of row: some Encodable) throws -> [Column] {
    let encoder = SQLRowEncoder("\(Swift.type(of: row))")
    try row.encode(to: encoder)
    guard !encoder.columns.isEmpty else { throw encoder.refusal("encodes no values") }
    return encoder.columns
  }

  fileprivate func refusal(_ problem: String) -> RecordError { RecordError(.notARow(type: type, problem: problem)) }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(Columns<Key>(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { RefusingUnkeyed(error: refusal("is encoded as a list")) }
  func singleValueContainer() -> any SingleValueEncodingContainer { Wrapped(encoder: self) }

  /// A row inside of another type.
  struct Wrapped: SingleValueEncodingContainer {
    let encoder: SQLRowEncoder
    var codingPath: [any CodingKey] { [] }

    func encodeNil() throws { throw encoder.refusal("is encoded as nil") }

    func encode<T: Encodable>(_ value: T) throws {
      // A number or a text would encode itself again and again.
      if value is any ColumnValue, !(value is any JSONColumnValue) { throw encoder.refusal("is encoded as one value") }
      try value.encode(to: encoder)
    }
  }

  struct Columns<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: SQLRowEncoder
    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) { encoder.columns.append((key.stringValue, .null, Never.self)) }

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
      do {
        encoder.columns.append((key.stringValue, try StoredCodable.sqlValue(of: value), T.self))
      } catch var error as ColumnValueError {
        error.column = error.column ?? key.stringValue
        throw RecordError(.unstorable(error.description))
      }
    }

    /// Nil is NULL, so that an update can remove a value.
    private func optional<T: Encodable>(_ value: T?, _ key: Key) throws {
      if let value { try encode(value, forKey: key) } else { encodeNil(forKey: key) }
    }

    // The standard library has an implementation of each of these, which a generic function does not replace.
    func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: String?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try optional(value, key) }
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try optional(value, key) }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> { KeyedEncodingContainer(RefusingKeyed<Nested>(error: unsupported(key))) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      RefusingUnkeyed(error: unsupported(key))
    }

    /// The columns of a base class are those of the same row.
    func superEncoder() -> any Encoder { encoder }
    func superEncoder(forKey key: Key) -> any Encoder { encoder }

    private func unsupported(_ key: Key) -> RecordError {
      encoder.refusal("opens a container inside of column \(key.stringValue)")
    }
  }
}

/// A container that throws whatever it is given.
struct RefusingKeyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let error: any Error
  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) throws { throw error }
  func encode<T: Encodable>(_ value: T, forKey key: Key) throws { throw error }
  func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws { throw error }
  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> { KeyedEncodingContainer(RefusingKeyed<Nested>(error: error)) }
  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { RefusingUnkeyed(error: error) }
  func superEncoder() -> any Encoder { RefusingEncoder(error: error) }
  func superEncoder(forKey key: Key) -> any Encoder { RefusingEncoder(error: error) }
}

/// A container that throws whatever it is given.
struct RefusingUnkeyed: UnkeyedEncodingContainer, SingleValueEncodingContainer {
  let error: any Error
  var codingPath: [any CodingKey] { [] }
  var count: Int { 0 }

  func encodeNil() throws { throw error }
  func encode<T: Encodable>(_ value: T) throws { throw error }
  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
    KeyedEncodingContainer(RefusingKeyed<Nested>(error: error))
  }
  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { self }
  func superEncoder() -> any Encoder { RefusingEncoder(error: error) }
}

/// An encoder that throws whatever it is given.
private struct RefusingEncoder: Encoder {
  let error: any Error
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(RefusingKeyed<Key>(error: error))
  }
  func unkeyedContainer() -> any UnkeyedEncodingContainer { RefusingUnkeyed(error: error) }
  func singleValueContainer() -> any SingleValueEncodingContainer { RefusingUnkeyed(error: error) }
}

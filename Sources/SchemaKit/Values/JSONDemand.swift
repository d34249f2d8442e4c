import SchemaKitFoundation

/// The demands of a type on the JSON that it is read from: the keys that it requires, and the kinds of values.
///
/// The type is read from a decoder that has a value for everything that is asked for, and notes it.
enum JSONDemand {
  /// Returns the demands of a type, one line each.
  static func lines(of type: any Decodable.Type) -> [String] {
    let notes = Notes()
    _ = try? decode(type, AskingDecoder(notes: notes, path: "", depth: 0))
    return notes.lines
  }

  /// The depth to which a value that holds values of its own kind is read.
  fileprivate static let mostLevels = 6

  fileprivate static func decode<Value: Decodable>(_ type: Value.Type, _ decoder: AskingDecoder) throws -> Value {
    let known: (any Decodable)? =
      switch type {
      case is Date.Type: Date(timeIntervalSince1970: 0)
      case is URL.Type: URL(string: "a")
      case is Data.Type: Data()
      case is UUID.Type: UUID()
      case is Decimal.Type: Decimal(0)
      default: primitive(type)
      }
    if let known = known as? Value {
      decoder.notes.lines.append("\(decoder.path): \(type)")
      return known
    }
    if let listed = type as? any CaseIterable.Type, let first = firstCase(listed, decoder) as? Value { return first }
    return try Value(from: decoder)
  }

  private static func primitive(_ type: any Decodable.Type) -> (any Decodable)? {
    switch type {
    case is String.Type: ""
    case is Bool.Type: false
    case is Double.Type: 0.0
    case is Float.Type: Float(0)
    case let type as any (FixedWidthInteger & Decodable).Type: type.init(0)
    default: nil
    }
  }

  /// The first case of an enumeration that is read from a raw value; the cases are noted.
  private static func firstCase<Listed: CaseIterable>(_ type: Listed.Type, _ decoder: AskingDecoder) -> Any? {
    let values = Listed.allCases.compactMap { ($0 as? any RawRepresentable).map { "\($0.rawValue)" } }
    guard !values.isEmpty else { return nil }
    decoder.notes.lines.append("\(decoder.path): \(values.sorted())")
    return Listed.allCases.first
  }

  /// The demands so far. It has identity because all parts of a decoder add to it.
  fileprivate final class Notes {
    var lines: [String] = []
  }
}

/// A decoder that has everything.
private struct AskingDecoder: Decoder {
  let notes: JSONDemand.Notes
  let path: String
  let depth: Int
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func at(_ key: String) -> AskingDecoder { AskingDecoder(notes: notes, path: "\(path).\(key)", depth: depth + 1) }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    notes.lines.append("\(path): object")
    return KeyedDecodingContainer(KeyedContainer<Key>(decoder: self))
  }

  func unkeyedContainer() -> any UnkeyedDecodingContainer {
    notes.lines.append("\(path): list")
    return UnkeyedContainer(decoder: self)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { SingleContainer(decoder: self) }

  // One generic function covers all the overloads that a container must have for the single types.

  struct KeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: AskingDecoder
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    // Optional values are missing.
    func contains(_ key: Key) -> Bool { false }
    func decodeNil(forKey key: Key) -> Bool { true }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
      try JSONDemand.decode(type, decoder.at(key.stringValue))
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedDecodingContainer<Nested> { decoder.at(key.stringValue).container(keyedBy: type) }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
      decoder.at(key.stringValue).unkeyedContainer()
    }

    func superDecoder() -> any Decoder { decoder.at("super") }
    func superDecoder(forKey key: Key) -> any Decoder { decoder.at(key.stringValue) }
  }

  struct UnkeyedContainer: UnkeyedDecodingContainer {
    let decoder: AskingDecoder
    var codingPath: [any CodingKey] { [] }
    var count: Int? { nil }
    var currentIndex = 0

    // One element says what they are.
    var isAtEnd: Bool { currentIndex > 0 || decoder.depth >= JSONDemand.mostLevels }

    mutating func decodeNil() -> Bool { false }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
      currentIndex += 1
      return try JSONDemand.decode(type, decoder.at("[]"))
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedDecodingContainer<Nested> {
      currentIndex += 1
      return decoder.at("[]").container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer {
      currentIndex += 1
      return decoder.at("[]").unkeyedContainer()
    }

    mutating func superDecoder() -> any Decoder { decoder.at("super") }
  }

  struct SingleContainer: SingleValueDecodingContainer {
    let decoder: AskingDecoder
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { false }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try JSONDemand.decode(type, decoder) }
  }
}

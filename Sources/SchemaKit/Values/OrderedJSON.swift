import SchemaKitFoundation

/// Encodes a value so that equal values produce equal text, whatever is nested in them.
///
/// The elements of a `Set`, and of a `Dictionary` that `Codable` writes as an array of keys and values, come in hash
/// order, which differs between runs. Here they come in the order of their elements' text; `Codable` reads either.
struct OrderedJSON: Encodable {
  private let value: any Encodable

  /// A value to pass to `JSONEncoder`, which itself knows how to write dates, bytes and the like.
  static func of(_ value: some Encodable) -> any Encodable {
    switch value {
    // Numbers, strings and Booleans encode themselves by passing themselves on, so they must not be wrapped again.
    case is String, is any FixedWidthInteger, is any BinaryFloatingPoint, is Bool, is Date, is Data, is URL, is Decimal:
      value
    default: OrderedJSON(value: value)
    }
  }

  func encode(to encoder: any Encoder) throws {
    if let collection = value as? any HashedCollection {
      try collection.encodeInOrder(to: OrderedEncoder(base: encoder))
    } else {
      try value.encode(to: OrderedEncoder(base: encoder))
    }
  }
}

/// A collection whose elements come in hash order.
private protocol HashedCollection {
  func encodeInOrder(to encoder: OrderedEncoder) throws
}

extension Set: HashedCollection where Element: Encodable {
  fileprivate func encodeInOrder(to encoder: OrderedEncoder) throws {
    var container = encoder.unkeyedContainer()
    for (_, element) in try map({ (try JSONText.encode($0), $0) }).sorted(by: { $0.0 < $1.0 }) {
      try container.encode(element)
    }
  }
}

extension Dictionary: HashedCollection where Key: Encodable, Value: Encodable {
  fileprivate func encodeInOrder(to encoder: OrderedEncoder) throws {
    // The dictionary is then an object, whose keys the JSON encoder sorts.
    if Key.self is any CodingKeyRepresentable.Type { return try encode(to: encoder) }
    var container = encoder.unkeyedContainer()
    for (_, entry) in try map({ (try JSONText.encode($0.key), $0) }).sorted(by: { $0.0 < $1.0 }) {
      try container.encode(entry.key)
      try container.encode(entry.value)
    }
  }
}

/// An encoder that wraps whatever is encoded with it.
private struct OrderedEncoder: Encoder {
  let base: any Encoder
  var codingPath: [any CodingKey] { base.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { base.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(KeyedContainer(base: base.container(keyedBy: type)))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { UnkeyedContainer(base: base.unkeyedContainer()) }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    SingleContainer(base: base.singleValueContainer())
  }

  // One generic function covers all the overloads that a container must have for the single types.

  struct KeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    var base: KeyedEncodingContainer<Key>
    var codingPath: [any CodingKey] { base.codingPath }

    mutating func encodeNil(forKey key: Key) throws { try base.encodeNil(forKey: key) }

    mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
      try base.encode(OrderedJSON.of(value), forKey: key)
    }

    mutating func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
      KeyedEncodingContainer<Nested>(
        KeyedContainer<Nested>(base: base.nestedContainer(keyedBy: type, forKey: key)))
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      UnkeyedContainer(base: base.nestedUnkeyedContainer(forKey: key))
    }

    mutating func superEncoder() -> any Encoder { OrderedEncoder(base: base.superEncoder()) }

    mutating func superEncoder(forKey key: Key) -> any Encoder {
      OrderedEncoder(base: base.superEncoder(forKey: key))
    }
  }

  struct UnkeyedContainer: UnkeyedEncodingContainer {
    var base: any UnkeyedEncodingContainer
    var codingPath: [any CodingKey] { base.codingPath }
    var count: Int { base.count }

    mutating func encodeNil() throws { try base.encodeNil() }

    mutating func encode<T: Encodable>(_ value: T) throws { try base.encode(OrderedJSON.of(value)) }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
      KeyedEncodingContainer<Nested>(KeyedContainer<Nested>(base: base.nestedContainer(keyedBy: type)))
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
      UnkeyedContainer(base: base.nestedUnkeyedContainer())
    }

    mutating func superEncoder() -> any Encoder { OrderedEncoder(base: base.superEncoder()) }
  }

  struct SingleContainer: SingleValueEncodingContainer {
    var base: any SingleValueEncodingContainer
    var codingPath: [any CodingKey] { base.codingPath }

    mutating func encodeNil() throws { try base.encodeNil() }

    mutating func encode<T: Encodable>(_ value: T) throws { try base.encode(OrderedJSON.of(value)) }
  }
}

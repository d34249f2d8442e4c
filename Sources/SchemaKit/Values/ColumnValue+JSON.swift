import SchemaKitFoundation

/// A `Codable` type that a column holds as JSON text.
///
/// Keys are sorted, and so are the elements of sets, so that equal values give equal text; dates inside are seconds since
/// 1970.
public protocol JSONColumnValue: ColumnValue, Codable {}

extension JSONColumnValue {
  public static var columnType: ColumnType { .text }
  public static var isOrderedAsStored: Bool { false }
  public init(sqlValue: SQLValue) throws { self = try JSONText.decode(Self.self, from: sqlValue) }
  public func sqlValue() throws -> SQLValue { .text(try JSONText.encode(self)) }
}

extension JSONColumnValue where Self: RawRepresentable, RawValue: ColumnValue {
  public static var isOrderedAsStored: Bool { false }
}

/// A collection that a column can hold as JSON text.
private protocol JSONStored {}

extension ColumnValue {
  /// True if the values are stored as JSON text.
  static var isJSON: Bool {
    Unwrapped.self is any JSONColumnValue.Type
      || (Unwrapped.self is any JSONStored.Type && Unwrapped.self != [UInt8].self)
  }

  /// True if the values are dates.
  static var isDate: Bool { Unwrapped.self == Date.self }

  /// True if a value may be read back with fewer digits than it had, or another order inside.
  static var mayRound: Bool { isDate || isJSON || Unwrapped.self == Duration.self }
}

extension Array: JSONStored where Element: Codable {}
extension Set: JSONStored where Element: Codable {}
extension Dictionary: JSONStored where Key: Codable, Value: Codable {}

extension Array: RowValue where Element: Codable {}

/// An array of bytes is stored as a BLOB, any other as JSON text.
extension Array: ColumnValue where Element: Codable {
  public static var columnType: ColumnType { Element.self == UInt8.self ? .blob : .text }
  public static var isOrderedAsStored: Bool { Element.self == UInt8.self }

  public init(sqlValue: SQLValue) throws {
    guard Element.self == UInt8.self else {
      self = try JSONText.decode(Self.self, from: sqlValue)
      return
    }
    guard case .blob(let bytes) = sqlValue, let value = bytes as? [Element] else {
      throw ColumnValueError(expected: "[UInt8]", found: sqlValue)
    }
    self = value
  }

  public func sqlValue() throws -> SQLValue {
    if Element.self == UInt8.self, let bytes = self as? [UInt8] { return .blob(bytes) }
    return .text(try JSONText.encode(self))
  }
}

extension Set: RowValue where Element: Codable {}

/// A set is stored as a JSON array whose elements are sorted by their text, so that equal sets are stored identically.
extension Set: ColumnValue where Element: Codable {
  public static var columnType: ColumnType { .text }
  public static var isOrderedAsStored: Bool { false }
  public init(sqlValue: SQLValue) throws { self = try JSONText.decode(Self.self, from: sqlValue) }
  public func sqlValue() throws -> SQLValue { .text(try JSONText.encode(self)) }
}

extension Dictionary: RowValue where Key: Codable, Value: Codable {}

/// A dictionary is stored as a JSON object with sorted keys if its keys are of type `String` or `Int`, or
/// `CodingKeyRepresentable`.
///
/// Others are stored as `Codable` writes them, an array of keys and values, sorted by the text of the keys: equal
/// dictionaries are stored identically. Arrays stored earlier in another order can be read as well.
extension Dictionary: ColumnValue where Key: Codable, Value: Codable {
  public static var columnType: ColumnType { .text }
  public static var isOrderedAsStored: Bool { false }
  public init(sqlValue: SQLValue) throws { self = try JSONText.decode(Self.self, from: sqlValue) }
  public func sqlValue() throws -> SQLValue { .text(try JSONText.encode(self)) }
}

/// Writes and reads the JSON text of a column.
enum JSONText {
  static func encode(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .secondsSince1970
    do {
      return String(decoding: try encoder.encode(OrderedJSON.of(value)), as: UTF8.self)
    } catch {
      throw ColumnValueError(expected: "JSON", found: "\(type(of: value))", problem: "JSON cannot express")
    }
  }

  static func decode<T: Decodable>(_ type: T.Type, from sqlValue: SQLValue) throws -> T {
    guard case .text(let text) = sqlValue else { throw ColumnValueError(expected: "JSON text", found: sqlValue) }
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .secondsSince1970
    do {
      return try decoder.decode(type, from: Data(text.utf8))
    } catch {
      throw ColumnValueError(expected: "JSON of \(type)", found: sqlValue, problem: "is not")
    }
  }
}

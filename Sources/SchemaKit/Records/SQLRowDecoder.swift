/// Decodes the rows of one result into a Codable type, by the names of the columns.
///
/// It has identity because the places of the columns are found once for all rows.
final class SQLRowDecoder<Row: Decodable> {
  private let columns: ResultColumns
  /// True if the only column is the value.
  private let isValue: Bool

  init(_ type: Row.Type, columnNames: [String], of statement: Statement, codedColumns: CodedColumns) {
    columns = ResultColumns(names: columnNames, type: "\(type)", statement, codedColumns)
    isValue = columnNames.count == 1 && type is any ColumnValue.Type
  }

  /// The object in a row.
  func object(_ values: [SQLValue]) throws -> Row {
    if isValue { try columns.check(Row.self, at: 0) }
    if isValue { return try StoredCodable.decode(Row.self, from: values[0], column: columns.names[0]) }
    return try Row(from: RowDecoder(columns: columns, values: values))
  }
}

/// The columns of a result. It has identity because places are remembered.
private final class ResultColumns {
  let names: [String]
  let type: String
  private var places: [String: Int] = [:]

  /// The columns of models that values come from, as far as SQLite tells; empty where no model has codings.
  private var coded: [(column: CodedColumns.Column, table: String, name: String)?] = []

  init(names: [String], type: String, _ statement: Statement, _ codedColumns: CodedColumns) {
    self.names = names
    self.type = type
    guard !codedColumns.isEmpty else { return }
    coded = names.indices.map { index in
      guard let origin = statement.origin(ofColumn: index) else { return nil }
      return codedColumns[origin.table][SQLName(origin.column)].map { ($0, origin.table, origin.column) }
    }
  }

  /// Throws for a type whose values a model stores by a coding in the column of that place.
  func check(_ type: Any.Type, at place: Int) throws {
    guard !coded.isEmpty, let origin = coded[place] else { return }
    try origin.column.check(type, table: origin.table, column: origin.name)
  }

  /// The place of a column, spelled so or at least in other letters; if several have the name, the first.
  func place(of name: String) -> Int? {
    if let known = places[name] { return known }
    let folded = SQLName(name)
    let place = names.firstIndex(of: name) ?? names.firstIndex { SQLName($0) == folded }
    places[name] = place
    return place
  }
}

private struct RowDecoder: Decoder {
  let columns: ResultColumns
  let values: [SQLValue]
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Columns<Key>(decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw RecordError(.notARow(type: columns.type, problem: "is decoded from a list"))
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    guard values.count == 1 else {
      throw RecordError(
        .notARow(type: columns.type, problem: "is decoded from one value, and the result has \(values.count) columns"))
    }
    return ValueDecoder(value: values[0], column: columns.names[0])
  }

  struct Columns<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: RowDecoder
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { decoder.columns.names.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { decoder.columns.place(of: key.stringValue) != nil }

    private func value(_ key: Key, as type: Any.Type = Never.self) throws -> SQLValue {
      guard let place = decoder.columns.place(of: key.stringValue) else {
        throw RecordError(.missingColumn(model: decoder.columns.type, column: key.stringValue))
      }
      try decoder.columns.check(type, at: place)
      return decoder.values[place]
    }

    func decodeNil(forKey key: Key) throws -> Bool { try value(key).isNull }

    // One generic function covers all the overloads that a container must have for the single types.
    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
      try StoredCodable.decode(type, from: value(key, as: type), column: key.stringValue)
    }

    /// A column that is not there is an error for optional properties too: its name may be a slip.
    private func optional<T: Decodable>(_ type: T.Type, _ key: Key) throws -> T? {
      let value = try value(key, as: type)
      return value.isNull ? nil : try StoredCodable.decode(type, from: value, column: key.stringValue)
    }

    // The standard library has an implementation of each of these, which a generic function does not replace.
    func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? { try optional(type, key) }
    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? { try optional(type, key) }
    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? { try optional(type, key) }
    func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? { try optional(type, key) }
    func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? { try optional(type, key) }
    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? { try optional(type, key) }
    func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? { try optional(type, key) }
    func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? { try optional(type, key) }
    func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? { try optional(type, key) }
    func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? { try optional(type, key) }
    func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? { try optional(type, key) }
    func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? { try optional(type, key) }
    func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? { try optional(type, key) }
    func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? { try optional(type, key) }
    func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? { try optional(type, key) }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { throw unsupported(key) }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw unsupported(key) }

    /// The columns of a base class are those of the same row.
    func superDecoder() throws -> any Decoder { decoder }
    func superDecoder(forKey key: Key) throws -> any Decoder { decoder }

    private func unsupported(_ key: Key) -> RecordError {
      RecordError(
        .notARow(type: decoder.columns.type, problem: "opens a container inside of column \(key.stringValue)"))
    }
  }
}

/// Codable values in a single column.
enum StoredCodable {
  /// Thrown where a value is not a single one, and so is stored as JSON.
  struct NeedsJSON: Error {}

  /// Reads a value as its column type stores it; one that is neither, from JSON text or from what it wraps.
  static func decode<T: Decodable>(_ type: T.Type, from value: SQLValue, column: String) throws -> T {
    do {
      if let stored = type as? any ColumnValue.Type, let result = try stored.init(sqlValue: value) as? T {
        return result
      }
      do {
        return try T(from: ValueDecoder(value: value, column: column))
      } catch is NeedsJSON {
        return try JSONText.decode(type, from: value)
      } catch is DecodingError {
        throw ColumnValueError(expected: "\(type)", found: value, problem: "does not fit")
      }
    } catch var error as ColumnValueError {
      error.column = error.column ?? column
      throw error
    }
  }

  /// The value as stored: that of its column type; otherwise what it wraps, or JSON text.
  static func sqlValue(of value: some Encodable) throws -> SQLValue {
    if let value = value as? any ColumnValue { return try value.sqlValue() }
    let encoder = ValueEncoder()
    do {
      try value.encode(to: encoder)
    } catch is NeedsJSON {
      return .text(try JSONText.encode(value))
    }
    return try encoder.value ?? .text(JSONText.encode(value))
  }
}

/// Decodes what wraps a single value, such as an enumeration with raw values.
private struct ValueDecoder: Decoder, SingleValueDecodingContainer {
  let value: SQLValue
  let column: String
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw StoredCodable.NeedsJSON()
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw StoredCodable.NeedsJSON() }
  func singleValueContainer() -> any SingleValueDecodingContainer { self }
  func decodeNil() -> Bool { value.isNull }
  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try StoredCodable.decode(type, from: value, column: column)
  }
}

/// Encodes what wraps a single value. It has identity because containers write into it.
private final class ValueEncoder: Encoder, SingleValueEncodingContainer {
  var value: SQLValue?
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(RefusingKeyed<Key>(error: StoredCodable.NeedsJSON()))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { RefusingUnkeyed(error: StoredCodable.NeedsJSON()) }
  func singleValueContainer() -> any SingleValueEncodingContainer { self }
  func encodeNil() { value = .null }
  func encode<T: Encodable>(_ value: T) throws { self.value = try StoredCodable.sqlValue(of: value) }
}

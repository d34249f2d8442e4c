public import SchemaKitFoundation

/// A type that a column holds as the text that describes it.
///
/// A `LosslessStringConvertible` type conforms by naming this protocol:
///
/// ```swift
/// struct Version: TextColumnValue {
///   var major: Int
///   var minor: Int
///
///   init?(_ description: String) {
///     let parts = description.split(separator: ".").compactMap { Int($0) }
///     guard parts.count == 2 else { return nil }
///     (major, minor) = (parts[0], parts[1])
///   }
///
///   var description: String { "\(major).\(minor)" }
/// }
/// ```
///
/// A stored text that the type would write otherwise is an error when it is read, since the row would not be found by the
/// value. Declare a ``ColumnCoding`` to read such texts.
public protocol TextColumnValue: ColumnValue, LosslessStringConvertible {}

extension TextColumnValue {
  public static var columnType: ColumnType { .text }
  public static var isOrderedAsStored: Bool { false }

  public init(sqlValue: SQLValue) throws {
    self = try StoredText.value(from: sqlValue, Self.init, text: \.description)
  }

  public func sqlValue() throws -> SQLValue { .text(description) }
}

extension TextColumnValue where Self: RawRepresentable, RawValue: ColumnValue {
  public static var columnType: ColumnType { .text }
  public static var isOrderedAsStored: Bool { false }

  public init(sqlValue: SQLValue) throws {
    self = try StoredText.value(from: sqlValue, Self.init, text: \.description)
  }

  public func sqlValue() throws -> SQLValue { .text(description) }
}

/// A character is stored as text.
extension Character: ColumnValue {
  public static var columnType: ColumnType { .text }

  public init(sqlValue: SQLValue) throws {
    guard case .text(let text) = sqlValue else { throw ColumnValueError(expected: "Character", found: sqlValue) }
    guard text.count == 1, let value = text.first else {
      throw ColumnValueError(expected: "Character", found: sqlValue, problem: "is not a single character")
    }
    self = value
  }

  public func sqlValue() throws -> SQLValue { .text(String(self)) }

  public static func sampleSQLValue(_ seed: Int) -> SQLValue? {
    .text(String(Self(Unicode.Scalar(UInt8(97 + seed % 26)))))
  }
}

/// A time zone is stored as the text of its identifier, such as `Europe/Berlin`.
///
/// Another name that the system knows is read too: `UTC` is `GMT`.
extension TimeZone: ColumnValue {
  public static var columnType: ColumnType { .text }

  public init(sqlValue: SQLValue) throws {
    guard case .text(let text) = sqlValue else { throw ColumnValueError(expected: "TimeZone", found: sqlValue) }
    guard let value = Self(identifier: text) else {
      throw ColumnValueError(expected: "TimeZone", found: sqlValue, problem: "is not one")
    }
    self = value
  }

  public func sqlValue() throws -> SQLValue { .text(identifier) }

  public static func sampleSQLValue(_ seed: Int) -> SQLValue? {
    (Self(secondsFromGMT: (seed % 12) * 3600)?.identifier).map { .text($0) }
  }
}

/// A locale is stored as the text of its identifier, such as `de_AT`.
extension Locale: ColumnValue {
  public static var columnType: ColumnType { .text }

  public init(sqlValue: SQLValue) throws {
    self = try StoredText.value(from: sqlValue, { Self(identifier: $0) }, text: \.identifier)
  }

  public func sqlValue() throws -> SQLValue { .text(identifier) }

  public static func sampleSQLValue(_ seed: Int) -> SQLValue? { .text(["en", "de", "fr", "ja"][seed % 4]) }
}

/// Date components are stored as JSON text.
extension DateComponents: JSONColumnValue {}

/// Reads values that are stored as text.
private enum StoredText {
  /// The value of a text.
  ///
  /// - Throws: ``ColumnValueError`` if it has none, or one that is written otherwise.
  static func value<Value>(
    from sqlValue: SQLValue, _ make: (String) -> Value?, text written: (Value) -> String
  ) throws -> Value {
    guard case .text(let text) = sqlValue else { throw ColumnValueError(expected: "\(Value.self)", found: sqlValue) }
    guard let value = make(text) else {
      throw ColumnValueError(expected: "\(Value.self)", found: sqlValue, problem: "is not one")
    }
    guard written(value) == text else {
      throw ColumnValueError(expected: "\(Value.self)", found: sqlValue, problem: "is not as the type writes it")
    }
    return value
  }
}

/// A way to store a column's values that differs from the default of its Swift type.
///
/// ```swift
/// Column("created", \.created, storing: .iso8601)
/// Column("colour", \.colour, storing: ColumnCoding(type: .text, encode: { .text($0.hex) }, decode: { try Colour(hex: $0) }))
/// ```
public struct ColumnCoding<Value>: Sendable {
  /// The column type of the stored values.
  public let columnType: ColumnType
  /// True if SQLite sorts the stored values as Swift sorts the values.
  public let isOrdered: Bool
  /// The name of the coding, as used in messages; nil if values are stored as their type says.
  @usableFromInline let name: String?
  /// True if the sum of stored numbers is the stored form of the sum of the values.
  @usableFromInline let isAdditive: Bool
  let encode: @Sendable (Value) throws -> SQLValue
  let decode: @Sendable (SQLValue) throws -> Value

  /// Creates a coding. Each function throws ``ColumnValueError`` for values it cannot handle.
  ///
  /// Columns can be compared with each other only if their coding is the same: the one that this place in the source
  /// creates. So create a coding that several columns use in one place, such as a static property.
  ///
  /// - Parameters:
  ///   - columnType: The column type of the stored values.
  ///   - isOrdered: True if SQLite sorts the stored values as Swift sorts the values. Otherwise filters with `<` and
  ///     the like, and sorting, are refused.
  ///   - encode: Returns the stored form of a value.
  ///   - decode: Reads a stored value.
  ///   - fileID: The place in the source, which distinguishes codings. Leave it to the compiler.
  ///   - line: The place in the source.
  ///   - column: The place in the source.
  public init(
    type columnType: ColumnType, isOrdered: Bool = true, encode: @escaping @Sendable (Value) throws -> SQLValue,
    decode: @escaping @Sendable (SQLValue) throws -> Value, fileID: String = #fileID, line: UInt = #line,
    column: UInt = #column
  ) {
    self.init(
      "the coding in \(fileID):\(line):\(column)", type: columnType, isOrdered: isOrdered, encode: encode,
      decode: decode)
  }

  /// Creates a coding with a name that includes all its parameters.
  init(
    _ name: String?, type columnType: ColumnType, isOrdered: Bool = true, isAdditive: Bool = false,
    encode: @escaping @Sendable (Value) throws -> SQLValue, decode: @escaping @Sendable (SQLValue) throws -> Value
  ) {
    self.name = name
    self.columnType = columnType
    self.isOrdered = isOrdered
    self.isAdditive = isAdditive
    self.encode = encode
    self.decode = decode
  }

  /// The same coding for an optional, whose nil is NULL.
  public var optional: ColumnCoding<Value?> {
    let (encode, decode) = (encode, decode)
    return ColumnCoding<Value?>(
      name, type: columnType.optional, isOrdered: isOrdered, isAdditive: isAdditive,
      encode: { try $0.map(encode) ?? .null },
      decode: { $0.isNull ? nil : try decode($0) })
  }
}

/// A coding without its value's type, as stored in the list of a table's columns.
@usableFromInline
protocol AnyColumnCoding: Sendable {
  var name: String? { get }
  var columnType: ColumnType { get }
  var isOrdered: Bool { get }
  var isAdditive: Bool { get }

  /// Encodes a value of the coding's type, or of the type that its optional wraps; nil for any other.
  func stored(_ value: Any) throws -> SQLValue?

  /// Converts a stored value in the type's default form into this coding.
  func recoded(_ sample: SQLValue) -> SQLValue?
}

extension ColumnCoding: AnyColumnCoding {
  @usableFromInline
  func stored(_ value: Any) throws -> SQLValue? { try (value as? Value).map(encode) }

  @usableFromInline
  func recoded(_ sample: SQLValue) -> SQLValue? {
    guard let type = Value.self as? any ColumnValue.Type, let value = try? type.init(sqlValue: sample) as? Value else {
      return nil
    }
    return try? encode(value)
  }
}

/// A Swift value that can be stored in a single column.
///
/// Numbers, strings, bytes, dates, identifiers, optionals of these, and collections of `Codable` elements conform. An
/// enumeration with raw values conforms by declaring the protocol; a `Codable` type by declaring ``JSONColumnValue``:
///
/// ```swift
/// enum Priority: Int, ColumnValue { case low, high }
/// struct Style: JSONColumnValue { var font: String; var size: Double }
/// ```
public protocol ColumnValue: RowValue {
  /// The type itself, or the one that an optional wraps.
  associatedtype Unwrapped: ColumnValue = Self

  /// The column type for values of this type.
  static var columnType: ColumnType { get }

  /// The value itself, or what an optional holds.
  var unwrapped: Unwrapped? { get }

  /// True if SQLite sorts the stored values as Swift sorts the values; true unless a type says otherwise.
  static var isOrderedAsStored: Bool { get }

  /// Reads a stored value.
  ///
  /// - Throws: ``ColumnValueError`` if the stored value is not a value of this type.
  init(sqlValue: SQLValue) throws

  /// The value as stored.
  ///
  /// - Throws: ``ColumnValueError`` if SQLite cannot store it.
  func sqlValue() throws -> SQLValue

  /// A stored value for testing the declaration of a model, different for different seeds if the type allows it.
  ///
  /// Nil, the default, leaves it to SchemaKit to find one that the type accepts.
  static func sampleSQLValue(_ seed: Int) -> SQLValue?
}

extension ColumnValue where Unwrapped == Self {
  public var unwrapped: Self? { self }
}

extension ColumnValue {
  public static var isOrderedAsStored: Bool { true }

  @inlinable public init(row: inout RowReader) throws { try self.init(sqlValue: row.next()) }

  @inlinable public func write(to row: inout RowWriter) throws { row.append(try sqlValue()) }

  @inlinable public static func readOptional(from row: inout RowReader) throws -> Self? {
    row.nextIsNull() ? nil : try Self(row: &row)
  }

  @inlinable public static func writeNil(to row: inout RowWriter) { row.appendNull() }

  public static func sampleSQLValue(_ seed: Int) -> SQLValue? { nil }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
  public typealias Unwrapped = Wrapped
  public static var isOrderedAsStored: Bool { Wrapped.isOrderedAsStored }
  public var unwrapped: Wrapped? { self }

  public static var columnType: ColumnType { Wrapped.columnType.optional }

  @inlinable public init(sqlValue: SQLValue) throws {
    if case .null = sqlValue { self = nil } else { self = try Wrapped(sqlValue: sqlValue) }
  }

  @inlinable public func sqlValue() throws -> SQLValue { try self?.sqlValue() ?? .null }

  public static func sampleSQLValue(_ seed: Int) -> SQLValue? { Wrapped.sampleSQLValue(seed) }
}

extension ColumnValue where Self: RawRepresentable, RawValue: ColumnValue {
  public static var columnType: ColumnType { RawValue.columnType }

  /// True if the raw values are sorted as stored. The cases of an enumeration that is `Comparable` and `CaseIterable` must
  /// have the order of their raw values too.
  public static var isOrderedAsStored: Bool {
    guard RawValue.isOrderedAsStored else { return false }
    guard let listed = Self.self as? any (CaseIterable & Comparable & ColumnValue).Type else { return true }
    func isSame<Listed: CaseIterable & Comparable & ColumnValue>(_ listed: Listed.Type) -> Bool {
      let stored = Listed.allCases.sorted().compactMap { try? $0.sqlValue() }
      return zip(stored, stored.dropFirst()).allSatisfy { !$1.isBefore($0) }
    }
    return isSame(listed)
  }

  public init(sqlValue: SQLValue) throws {
    guard let value = Self(rawValue: try RawValue(sqlValue: sqlValue)) else {
      throw ColumnValueError(expected: "a raw value of \(Self.self)", found: sqlValue, problem: "is not one")
    }
    self = value
  }

  public func sqlValue() throws -> SQLValue { try rawValue.sqlValue() }
}

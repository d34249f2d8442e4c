#if canImport(CoreGraphics)
  public import CoreGraphics
#endif

// Integers are stored as INTEGER, floating-point numbers as REAL. A number of the other kind is accepted if reading it
// loses nothing: SQLite itself turns 3.0 into 3 under INTEGER affinity.

extension ColumnValue where Self: FixedWidthInteger {
  public static var columnType: ColumnType { .integer }

  @inlinable public init(sqlValue: SQLValue) throws {
    guard case .integer(let number) = sqlValue, let value = Self(exactly: number) else {
      self = try Self.converted(from: sqlValue)
      return
    }
    self = value
  }

  @usableFromInline static func converted(from sqlValue: SQLValue) throws -> Self {
    switch sqlValue {
    case .integer:
      throw ColumnValueError(expected: "\(Self.self)", found: sqlValue, problem: "is out of its range")
    case .real(let number):
      if let value = Self(exactly: number) { return value }
      throw ColumnValueError(expected: "\(Self.self)", found: sqlValue, problem: "is not a whole number in its range")
    default:
      throw ColumnValueError(expected: "\(Self.self)", found: sqlValue)
    }
  }

  @inlinable public func sqlValue() throws -> SQLValue {
    guard let number = Int64(exactly: self) else { throw Self.tooLarge() }
    return .integer(number)
  }

  @inlinable @inline(__always)
  public init(row: inout RowReader) throws {
    guard let number = row.nextInteger() else {
      self = try Self.converted(from: row.next())
      return
    }
    guard let value = Self(exactly: number) else {
      self = try Self.converted(from: .integer(number))
      return
    }
    self = value
  }

  @inlinable public static func readOptional(from row: inout RowReader) throws -> Self? {
    if let number = row.nextInteger() { return try Self(exactly: number) ?? converted(from: .integer(number)) }
    return row.nextIsNull() ? nil : try Self(row: &row)
  }

  @inlinable public func write(to row: inout RowWriter) throws {
    guard let number = Int64(exactly: self) else { throw Self.tooLarge() }
    row.append(integer: number)
  }

  @usableFromInline static func tooLarge() -> ColumnValueError {
    ColumnValueError(expected: "a 64-bit signed integer", found: "\(Self.self)", problem: "is greater than Int64.max")
  }

  public static func sampleSQLValue(_ seed: Int) -> SQLValue? { Self(exactly: seed).map { _ in .integer(Int64(seed)) } }
}

extension Int: ColumnValue {}
extension Int8: ColumnValue {}
extension Int16: ColumnValue {}
extension Int32: ColumnValue {}
extension Int64: ColumnValue {}
extension UInt: ColumnValue {}
extension UInt8: ColumnValue {}
extension UInt16: ColumnValue {}
extension UInt32: ColumnValue {}
extension UInt64: ColumnValue {}

extension Bool: ColumnValue {
  public static var columnType: ColumnType { .integer }

  public init(sqlValue: SQLValue) throws {
    switch sqlValue {
    case .integer(0): self = false
    case .integer(1): self = true
    case .integer: throw ColumnValueError(expected: "Bool", found: sqlValue, problem: "is neither 0 nor 1")
    default: throw ColumnValueError(expected: "Bool", found: sqlValue)
    }
  }

  public func sqlValue() throws -> SQLValue { .integer(self ? 1 : 0) }

  public func write(to row: inout RowWriter) throws { row.append(integer: self ? 1 : 0) }

  public static func sampleSQLValue(_ seed: Int) -> SQLValue? { .integer(Int64(seed & 1)) }
}

extension Double: ColumnValue {
  public static var columnType: ColumnType { .real }

  @inlinable public init(sqlValue: SQLValue) throws {
    switch sqlValue {
    case .real(let number): self = number
    case .integer(let number):
      guard let value = Double(exactly: number) else {
        throw ColumnValueError(
          expected: "Double", found: sqlValue.storageClass, problem: "has more digits than it can hold")
      }
      self = value
    default: throw ColumnValueError(expected: "Double", found: sqlValue.storageClass)
    }
  }

  @inlinable public func sqlValue() throws -> SQLValue {
    // SQLite stores NaN as NULL, which would be read back as another value or not at all.
    guard !isNaN else { throw ColumnValueError(expected: "a number", found: "Double", problem: "is not a number") }
    return .real(self)
  }

  @inlinable @inline(__always)
  public init(row: inout RowReader) throws {
    if let number = row.nextReal() { self = number } else { try self.init(sqlValue: row.next()) }
  }

  @inlinable public static func readOptional(from row: inout RowReader) throws -> Self? {
    if let number = row.nextReal() { return number }
    return row.nextIsNull() ? nil : try Self(row: &row)
  }

  @inlinable public func write(to row: inout RowWriter) throws {
    guard !isNaN else { throw ColumnValueError(expected: "a number", found: "Double", problem: "is not a number") }
    row.append(real: self)
  }
}

extension Float: ColumnValue {
  public static var columnType: ColumnType { .real }

  public init(sqlValue: SQLValue) throws {
    let number = try Double(sqlValue: sqlValue)
    let value = Float(number)
    guard value.isFinite || !number.isFinite else {
      throw ColumnValueError(expected: "Float", found: sqlValue, problem: "is out of its range")
    }
    self = value
  }

  public func sqlValue() throws -> SQLValue { try Double(self).sqlValue() }
}

#if canImport(CoreGraphics)
  extension CGFloat: ColumnValue {
    public static var columnType: ColumnType { .real }

    public init(sqlValue: SQLValue) throws { self = Self(try NativeType(sqlValue: sqlValue)) }

    public func sqlValue() throws -> SQLValue { try native.sqlValue() }
  }
#endif

/// A duration is stored as its whole nanoseconds, so that SQL compares and adds up what Swift does.
///
/// Parts of a nanosecond are rounded. The row is found by `==` with either duration. A duration beyond 292 years is an error.
extension Duration: ColumnValue {
  public static var columnType: ColumnType { .integer }

  public init(sqlValue: SQLValue) throws { self = .nanoseconds(try Int64(sqlValue: sqlValue)) }

  public func sqlValue() throws -> SQLValue {
    // The components of a much longer one would not fit their type either.
    guard (.nanoseconds(Int64.min) ... .nanoseconds(Int64.max)).contains(self) else {
      throw ColumnValueError(expected: "Duration", found: "Duration", problem: "is longer than 292 years")
    }
    let (nanoseconds, rest) = components.attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    let part = nanoseconds + (abs(rest) >= 500_000_000 ? rest.signum() : 0)
    return .integer(components.seconds * 1_000_000_000 + part)
  }
}

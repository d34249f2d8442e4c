public import SchemaKitFoundation

extension String: ColumnValue {
  public static var columnType: ColumnType { .text }

  @inlinable public init(sqlValue: SQLValue) throws {
    guard case .text(let text) = sqlValue else {
      throw ColumnValueError(expected: "String", found: sqlValue.storageClass)
    }
    self = text
  }

  @inlinable public func sqlValue() throws -> SQLValue { .text(self) }

  @inlinable @inline(__always)
  public init(row: inout RowReader) throws {
    if let text = try row.nextText() { self = text } else { try self.init(sqlValue: row.next()) }
  }

  @inlinable public static func readOptional(from row: inout RowReader) throws -> String? {
    if let text = try row.nextText() { return text }
    return row.nextIsNull() ? nil : try Self(row: &row)
  }

  @inlinable public func write(to row: inout RowWriter) throws { row.append(text: self) }
}

extension Data: ColumnValue {
  public static var columnType: ColumnType { .blob }

  public init(sqlValue: SQLValue) throws {
    guard case .blob(let bytes) = sqlValue else { throw ColumnValueError(expected: "Data", found: sqlValue) }
    self.init(bytes)
  }

  public func sqlValue() throws -> SQLValue { .blob([UInt8](self)) }

  public init(row: inout RowReader) throws {
    guard let data = row.nextData() else { throw ColumnValueError(expected: "Data", found: try row.next()) }
    self = data
  }

  public static func readOptional(from row: inout RowReader) throws -> Data? {
    if let data = row.nextData() { return data }
    return row.nextIsNull() ? nil : try Self(row: &row)
  }

  public func write(to row: inout RowWriter) throws { withUnsafeBytes { row.append(blob: $0) } }
}

/// A date is stored as its seconds since 1970 in UTC, the form that SQLite's `unixepoch()` understands.
///
/// It is read back as `Date(timeIntervalSince1970: date.timeIntervalSince1970)`: a `Date` counts from 2001, and the
/// last digits of many do not fit. Until 2037 the difference is below 0.12 µs. The row is found by `==` with either
/// date.
extension Date: ColumnValue {
  public static var columnType: ColumnType { .real }

  public init(sqlValue: SQLValue) throws {
    switch sqlValue {
    case .real(let seconds): self.init(timeIntervalSince1970: seconds)
    case .integer(let seconds): self.init(timeIntervalSince1970: Double(seconds))
    default: throw ColumnValueError(expected: "Date", found: sqlValue)
    }
  }

  public func sqlValue() throws -> SQLValue { try timeIntervalSince1970.sqlValue() }

  public init(row: inout RowReader) throws {
    if let seconds = row.nextReal() {
      self.init(timeIntervalSince1970: seconds)
    } else {
      try self.init(sqlValue: row.next())
    }
  }

  public func write(to row: inout RowWriter) throws { try timeIntervalSince1970.write(to: &row) }
}

/// A UUID is stored as text in lower case, as in RFC 9562.
///
/// Text in upper case is rejected: an object read from it would be saved under another key. Declare a column that has
/// it with `storing: .uppercaseText`, and one of 16 bytes with `storing: .bytes`.
extension UUID: ColumnValue {
  public static var columnType: ColumnType { .text }

  public init(sqlValue: SQLValue) throws {
    guard case .text(let text) = sqlValue else { throw ColumnValueError(expected: "UUID", found: sqlValue) }
    guard let value = UUID(uuidString: text) else {
      throw ColumnValueError(expected: "UUID", found: sqlValue, problem: "is not a UUID")
    }
    guard value.uuidString.lowercased() == text else {
      throw ColumnValueError(
        expected: "UUID", found: sqlValue,
        problem: "is not in lower case; declare the column with storing: .uppercaseText")
    }
    self = value
  }

  public func sqlValue() throws -> SQLValue { .text(uuidString.lowercased()) }

  public static func sampleSQLValue(_ seed: Int) -> SQLValue? {
    let digits = String(UInt32(truncatingIfNeeded: seed), radix: 16)
    return .text("00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits)
  }
}

extension URL: ColumnValue {
  public static var columnType: ColumnType { .text }

  public init(sqlValue: SQLValue) throws {
    guard case .text(let text) = sqlValue else { throw ColumnValueError(expected: "URL", found: sqlValue) }
    // Foundation repairs invalid URLs, and the repaired URL would be saved.
    guard let value = URL(string: text), value.absoluteString == text else {
      throw ColumnValueError(expected: "URL", found: sqlValue, problem: "is not a URL")
    }
    self = value
  }

  public func sqlValue() throws -> SQLValue { .text(absoluteString) }

  public static func sampleSQLValue(_ seed: Int) -> SQLValue? { .text("https://example.org/\(seed)") }
}

/// A decimal number is stored as text, since a REAL would round it.
///
/// As text, '10' comes before '9': to compare or sort decimals in SQL, store them with `.scaled(digits:)`.
extension Decimal: ColumnValue {
  public static var columnType: ColumnType { .text }
  public static var isOrderedAsStored: Bool { false }

  public init(sqlValue: SQLValue) throws {
    switch sqlValue {
    case .integer(let number): self.init(number)
    case .text(let text):
      // `Decimal(string:)` reads as far as it can and ignores the rest.
      guard Self.isNumeral(text), let value = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")) else {
        throw ColumnValueError(expected: "Decimal", found: sqlValue, problem: "is not a decimal number")
      }
      guard Self.significantDigits(of: text) <= 38 else {
        throw ColumnValueError(expected: "Decimal", found: sqlValue, problem: "has more than 38 digits")
      }
      self = value
    default: throw ColumnValueError(expected: "Decimal", found: sqlValue)
    }
  }

  public func sqlValue() throws -> SQLValue {
    guard !isNaN else { throw ColumnValueError(expected: "a number", found: "Decimal", problem: "is not a number") }
    return .text(description)
  }

  public static func sampleSQLValue(_ seed: Int) -> SQLValue? { .text("\(seed)") }

  /// The number of digits without leading and trailing zeros.
  private static func significantDigits(of text: String) -> Int {
    let mantissa = text.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }.filter { (48...57).contains($0) }
    return mantissa.drop { $0 == 48 }.reversed().drop { $0 == 48 }.count
  }

  private static func isNumeral(_ text: String) -> Bool {
    let parts = text.lowercased().split(separator: "e", omittingEmptySubsequences: false)
    guard let mantissa = parts.first, parts.count <= 2 else { return false }
    func unsigned(_ part: Substring) -> Substring { part.first == "-" || part.first == "+" ? part.dropFirst() : part }
    func isDigits(_ part: Substring) -> Bool { part.utf8.allSatisfy { $0 >= 48 && $0 <= 57 } }
    let digits = unsigned(mantissa).split(separator: ".", omittingEmptySubsequences: false)
    guard digits.count <= 2, digits.allSatisfy(isDigits), digits.contains(where: { !$0.isEmpty }) else { return false }
    guard parts.count == 2 else { return true }
    let exponent = unsigned(parts[1])
    return !exponent.isEmpty && isDigits(exponent)
  }
}

public import SchemaKitFoundation

extension ColumnCoding where Value == Date {
  /// Seconds since 1970 in UTC as a REAL, as a `Date` is stored without a coding.
  public static var secondsSince1970: Self {
    ColumnCoding(nil, type: .real, encode: { try $0.sqlValue() }, decode: { try Date(sqlValue: $0) })
  }

  /// Seconds since 2001 in UTC as a REAL, which keeps every bit of a `Date`. Core Data stores its dates so.
  ///
  /// SQLite's date functions do not know this form: add 978307200 for `unixepoch`.
  public static var secondsSince2001: Self {
    ColumnCoding(
      ".secondsSince2001", type: .real, encode: { try $0.timeIntervalSinceReferenceDate.sqlValue() },
      decode: { Date(timeIntervalSinceReferenceDate: try Double(sqlValue: $0)) })
  }

  /// Whole milliseconds since 1970 in UTC as an INTEGER, as JavaScript and many servers write them.
  public static var millisecondsSince1970: Self {
    ColumnCoding(
      ".millisecondsSince1970", type: .integer,
      encode: { date in
        guard let number = Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded()) else {
          throw ColumnValueError(expected: "a date", found: "Date", problem: "is out of range")
        }
        return .integer(number)
      },
      decode: { stored in
        switch stored {
        case .integer(let number): Date(timeIntervalSince1970: Double(number) / 1000)
        case .real(let number): Date(timeIntervalSince1970: number / 1000)
        default: throw ColumnValueError(expected: "milliseconds since 1970", found: stored)
        }
      })
  }

  /// ISO 8601 text in UTC with milliseconds, such as `2026-11-21T09:30:00.000Z`, which sorts chronologically.
  ///
  /// Also read: a space instead of the T, other fractions or none, a date alone, and an offset instead of the Z.
  /// Without either the time is UTC, as with SQLite's own `CURRENT_TIMESTAMP`. SQLite compares the texts, so rows of
  /// another program in such a form are neither found by `==` nor sorted among these until they are saved again.
  public static var iso8601: Self {
    ColumnCoding(
      ".iso8601", type: .text,
      encode: { date in
        guard let text = ISO8601Text.text(of: date) else {
          throw ColumnValueError(
            expected: "a date of the years 0 to 9999", found: "Date", problem: "is out of range")
        }
        return .text(text)
      },
      decode: { stored in
        guard case .text(let text) = stored else { throw ColumnValueError(expected: "ISO 8601 text", found: stored) }
        guard let date = ISO8601Text.date(in: text) else {
          throw ColumnValueError(expected: "a date", found: stored, problem: "is not in ISO 8601")
        }
        return date
      })
  }

  /// A Julian day number as a REAL, which `julianday()` and `date()` of SQLite understand; exact to about 0.05 ms.
  public static var julianDay: Self {
    ColumnCoding(
      ".julianDay", type: .real,
      encode: { try ($0.timeIntervalSince1970 / 86_400 + 2_440_587.5).sqlValue() },
      decode: { Date(timeIntervalSince1970: (try Double(sqlValue: $0) - 2_440_587.5) * 86_400) })
  }
}

extension ColumnCoding where Value == UInt64 {
  /// Decimal digits as TEXT: any value fits, but SQLite compares them as text, in which '10' comes before '9'.
  public static var text: Self {
    ColumnCoding(
      ".text", type: .text, isOrdered: false, encode: { .text("\($0)") },
      decode: { stored in
        guard case .text(let text) = stored else { throw ColumnValueError(expected: "digits", found: stored) }
        guard let value = UInt64(text) else {
          throw ColumnValueError(expected: "UInt64", found: stored, problem: "is not one")
        }
        return value
      })
  }

  /// Eight bytes, most significant first, as a BLOB: any value fits and SQLite sorts them as numbers.
  public static var bigEndianBlob: Self {
    ColumnCoding(
      ".bigEndianBlob", type: .blob,
      encode: { value in .blob((0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) }) },
      decode: { stored in
        guard case .blob(let bytes) = stored else { throw ColumnValueError(expected: "8 bytes", found: stored) }
        guard bytes.count == 8 else {
          throw ColumnValueError(expected: "8 bytes", found: stored, problem: "has \(bytes.count)")
        }
        return bytes.reduce(0) { $0 << 8 | UInt64($1) }
      })
  }
}

extension ColumnCoding where Value == UUID {
  /// Text in upper case, as Foundation writes it and many older files have it.
  public static var uppercaseText: Self {
    ColumnCoding(
      ".uppercaseText", type: .text, encode: { .text($0.uuidString) },
      decode: { stored in
        guard case .text(let text) = stored else { throw ColumnValueError(expected: "UUID", found: stored) }
        guard let value = UUID(uuidString: text), value.uuidString == text else {
          throw ColumnValueError(expected: "UUID", found: stored, problem: "is not one in upper case")
        }
        return value
      })
  }

  /// The 16 bytes as a BLOB.
  public static var bytes: Self {
    ColumnCoding(
      ".bytes", type: .blob, encode: { value in withUnsafeBytes(of: value.uuid) { .blob([UInt8]($0)) } },
      decode: { stored in
        guard case .blob(let bytes) = stored else { throw ColumnValueError(expected: "16 bytes", found: stored) }
        guard bytes.count == 16 else {
          throw ColumnValueError(expected: "16 bytes", found: stored, problem: "has \(bytes.count)")
        }
        var uuid = UUID().uuid
        withUnsafeMutableBytes(of: &uuid) { $0.copyBytes(from: bytes) }
        return UUID(uuid: uuid)
      })
  }
}

extension ColumnCoding where Value == Decimal {
  /// A whole number of the smallest unit as an INTEGER, such as cents with two digits: exact, and sorted as numbers.
  ///
  /// A value with more fractional digits is an error, and so is one beyond 64 bits.
  public static func scaled(digits: Int) -> Self {
    ColumnCoding(
      ".scaled(digits: \(digits))", type: .integer, isAdditive: true,
      encode: { value in
        let scaled = value * Decimal(sign: .plus, exponent: digits, significand: 1)
        guard let number = Int64(exactly: scaled) else {
          throw ColumnValueError(
            expected: "a number of \(digits) decimal places", found: "Decimal", problem: "has more digits")
        }
        return .integer(number)
      },
      decode: { stored in
        guard case .integer(let number) = stored else { throw ColumnValueError(expected: "an integer", found: stored) }
        return Decimal(sign: .plus, exponent: -digits, significand: 1) * Decimal(number)
      })
  }
}

extension Int64 {
  /// The value of a decimal number, if it is an integer and fits.
  fileprivate init?(exactly decimal: Decimal) {
    self.init(decimal.description)
  }
}

/// Dates as ISO 8601 text.
enum ISO8601Text {
  /// The text of a date, to the millisecond; nil outside the years 0 to 9999, whose text would not sort.
  static func text(of date: Date) -> String? {
    let seconds = date.timeIntervalSince1970
    guard seconds >= -62_167_219_200, seconds < 253_402_300_799.9995 else { return nil }
    let milliseconds = Int64((seconds * 1000).rounded())
    let day = milliseconds.flooredDivision(by: 86_400_000)
    let rest = milliseconds - day * 86_400_000
    let (year, month, dayOfMonth) = civil(fromDay: day)
    func padded(_ number: Int64, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
    let clock = "\(padded(rest / 3_600_000, 2)):\(padded(rest / 60_000 % 60, 2)):\(padded(rest / 1000 % 60, 2))"
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(dayOfMonth, 2))T\(clock).\(padded(rest % 1000, 3))Z"
  }

  /// The date in a text; nil if it is not in a supported form of ISO 8601.
  static func date(in text: String) -> Date? {
    var rest = text.utf8[...]
    func number(_ digits: Int) -> Int64? {
      let part = rest.prefix(digits)
      guard part.count == digits, part.allSatisfy({ (48...57).contains($0) }) else { return nil }
      rest = rest.dropFirst(digits)
      return part.reduce(0) { $0 * 10 + Int64($1 - 48) }
    }
    func take(_ characters: String) -> UInt8? {
      guard let first = rest.first, characters.utf8.contains(first) else { return nil }
      rest = rest.dropFirst()
      return first
    }
    guard let year = number(4), take("-") != nil, let month = number(2), take("-") != nil, let day = number(2),
      (1...12).contains(month), day >= 1
    else { return nil }
    let days = daysSince1970(year: year, month: month, day: day)
    guard civil(fromDay: days) == (year, month, day) else { return nil }
    var seconds = Double(days) * 86_400
    if rest.isEmpty { return Date(timeIntervalSince1970: seconds) }
    guard take("T t") != nil, let hour = number(2), hour < 24, take(":") != nil, let minute = number(2), minute < 60
    else { return nil }
    seconds += Double(hour * 3600 + minute * 60)
    if take(":") != nil {
      guard let second = number(2), second <= 60 else { return nil }
      seconds += Double(second)
      if take(".,") != nil {
        let digits = rest.prefix { (48...57).contains($0) }
        guard !digits.isEmpty, let fraction = Double("0." + String(decoding: digits, as: UTF8.self)) else { return nil }
        rest = rest.dropFirst(digits.count)
        seconds += fraction
      }
    }
    if take("Zz") == nil, let sign = take("+-") {
      guard let hours = number(2), hours < 24 else { return nil }
      let hasColon = take(":") != nil
      guard let minutes = rest.isEmpty && !hasColon ? 0 : number(2), minutes < 60 else { return nil }
      let offset = Double(hours * 3600 + minutes * 60)
      seconds += sign == UInt8(ascii: "-") ? offset : -offset
    }
    return rest.isEmpty ? Date(timeIntervalSince1970: seconds) : nil
  }

  // The proleptic Gregorian calendar in years that begin in March, so that the leap day is the last of its year.

  private static func daysSince1970(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted.flooredDivision(by: 400)
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func civil(fromDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = day + 719_468
    let era = shifted.flooredDivision(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let index = (5 * dayOfYear + 2) / 153
    let month = index < 10 ? index + 3 : index - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * index + 2) / 5 + 1)
  }
}

extension Int64 {
  fileprivate func flooredDivision(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}

import Foundation
import SchemaKit
import Testing

private enum Level: Int, ColumnValue {
  case low = 1
  case high = 2
}
private struct Release: TextColumnValue, Hashable {
  let major: Int, minor: Int

  init?(_ description: String) {
    let parts = description.split(separator: ".").map { Int($0) }
    guard parts.count == 2, let major = parts[0], let minor = parts[1] else { return nil }
    (self.major, self.minor) = (major, minor)
  }

  var description: String { "\(major).\(minor)" }
}
private enum Mode: String, TextColumnValue {
  case dark
  case light

  init?(_ description: String) { self.init(rawValue: description) }
  var description: String { rawValue }
}
private struct Point: JSONColumnValue, Hashable { var y: Double, x: Double, when: Date }

@Suite("values of a column")
struct ColumnValueTests {
  /// Checks the stored form of a value and that it comes back as it was.
  private func check<Value: ColumnValue & Equatable>(_ value: Value, _ stored: SQLValue, _ type: String) throws {
    #expect(try value.sqlValue() == stored)
    #expect(try Value(sqlValue: stored) == value)
    #expect(Value.columnType.name == type)
  }

  @Test("numbers are stored as integers and reals")
  func numbers() throws {
    try check(Int.min, .integer(.min), "INTEGER")
    try check(Int8(-128), .integer(-128), "INTEGER")
    try check(UInt16.max, .integer(65535), "INTEGER")
    try check(UInt64(Int64.max), .integer(.max), "INTEGER")
    try check(true, .integer(1), "INTEGER")
    try check(false, .integer(0), "INTEGER")
    try check(1.5, .real(1.5), "REAL")
    try check(Double.infinity, .real(.infinity), "REAL")
    try check(Float(0.25), .real(0.25), "REAL")
  }

  @Test("a number of the other kind is read when nothing of it is lost")
  func otherNumbers() throws {
    #expect(try Int(sqlValue: .real(3)) == 3)
    #expect(try Double(sqlValue: .integer(3)) == 3)
    #expect(throws: ColumnValueError.self) { try Int(sqlValue: .real(3.5)) }
    #expect(throws: ColumnValueError.self) { try Int(sqlValue: .real(1e300)) }
    #expect(throws: ColumnValueError.self) { try Double(sqlValue: .integer(.max)) }
  }

  @Test("a number out of range throws and does not trap")
  func ranges() {
    #expect(throws: ColumnValueError.self) { try UInt64.max.sqlValue() }
    #expect(throws: ColumnValueError.self) { try UInt(sqlValue: .integer(-1)) }
    #expect(throws: ColumnValueError.self) { try Int8(sqlValue: .integer(128)) }
    #expect(throws: ColumnValueError.self) { try Bool(sqlValue: .integer(2)) }
    #expect(throws: ColumnValueError.self) { try Float(sqlValue: .real(1e300)) }
    #expect(throws: ColumnValueError.self) { try Double.nan.sqlValue() }
  }

  @Test("texts, bytes, dates and identifiers")
  func foundation() throws {
    try check("a\0b\u{1F600}", .text("a\0b\u{1F600}"), "TEXT")
    try check([UInt8]([0, 255]), .blob([0, 255]), "BLOB")
    try check(Data([1, 2]), .blob([1, 2]), "BLOB")
    try check(Date(timeIntervalSince1970: 1_457_000_000.25), .real(1_457_000_000.25), "REAL")
    #expect(try Date(sqlValue: .integer(60)) == Date(timeIntervalSince1970: 60))
    let uuid = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
    try check(uuid, .text("e621e1f8-c36c-495a-93fc-0c247a3e6e5f"), "TEXT")
    #expect(throws: ColumnValueError.self) { try UUID(sqlValue: .text(uuid.uuidString)) }
    try check(try #require(URL(string: "https://example.org/a?b=c")), .text("https://example.org/a?b=c"), "TEXT")
    try check(try #require(Decimal(string: "-12345678901234567890.01")), .text("-12345678901234567890.01"), "TEXT")
  }

  @Test("durations, and what a program says of a place")
  func places() throws {
    try check(Duration.seconds(90) + .nanoseconds(5), .integer(90_000_000_005), "INTEGER")
    try check(Duration.nanoseconds(Int64.min + 1), .integer(.min + 1), "INTEGER")
    #expect(try Duration(secondsComponent: 0, attosecondsComponent: -1_500_000_001).sqlValue() == .integer(-2))
    #expect(try Duration.nanoseconds(Int64.min).sqlValue() == .integer(.min))
    for seconds: Int64 in [10_000_000_000, -10_000_000_000, .max, .min] {
      #expect(throws: ColumnValueError.self) { try (Duration.seconds(seconds) * 8).sqlValue() }
    }
    try check(Character("e\u{301}"), .text("e\u{301}"), "TEXT")
    try check(try #require(TimeZone(identifier: "Europe/Vienna")), .text("Europe/Vienna"), "TEXT")
    #expect(try TimeZone(sqlValue: .text("UTC")).secondsFromGMT() == 0)
    #expect(
      try (Duration.seconds(1) - Duration(secondsComponent: 0, attosecondsComponent: 1)).sqlValue()
        == .integer(1_000_000_000))
    #expect(
      try Duration(secondsComponent: 0, attosecondsComponent: 999_999_998_499_999_999).sqlValue()
        == .integer(999_999_998))
    try check(Locale(identifier: "de_AT"), .text("de_AT"), "TEXT")
    try check(DateComponents(year: 2026, month: 2), .text(#"{"month":2,"year":2026}"#), "TEXT")
    for text in ["", "ab"] { #expect(throws: ColumnValueError.self) { try Character(sqlValue: .text(text)) } }
    #expect(throws: ColumnValueError.self) { try TimeZone(sqlValue: .text("Atlantis/Town")) }
    #expect(throws: ColumnValueError.self) { try Locale(sqlValue: .integer(1)) }
  }

  @Test("a TextColumnValue is stored as its description, and no other text is read")
  func texts() throws {
    try check(try #require(Release("3.1")), .text("3.1"), "TEXT")
    try check(Mode.dark, .text("dark"), "TEXT")
    #expect(!Release.isOrderedAsStored)
    for (text, problem) in [("3.x", "is not one"), ("3.01", "is not as the type writes it")] {
      let error = #expect(throws: ColumnValueError.self) { try Release(sqlValue: .text(text)) }
      #expect(error == ColumnValueError(expected: "Release", found: "text", problem: problem))
    }
    #expect(throws: ColumnValueError.self) { try Release(sqlValue: .real(3.1)) }
  }

  @Test("a decimal is read whole or not at all", arguments: ["12abc", "", "-", "1.2.3", "1e", "NaN", "1,5", "e5", "."])
  func malformedDecimal(_ text: String) {
    #expect(throws: ColumnValueError.self) { try Decimal(sqlValue: .text(text)) }
  }

  @Test("a decimal may have an exponent")
  func decimalExponent() throws {
    #expect(try Decimal(sqlValue: .text("+1.5E+3")) == 1500)
  }

  @Test("NULL is nil, and nothing else")
  func optionals() throws {
    try check(Int?.none, .null, "INTEGER")
    try check(Int?(4), .integer(4), "INTEGER")
    #expect(Optional<Int>.columnType.isOptional)
    #expect(!Int.columnType.isOptional)
    #expect(throws: ColumnValueError(expected: "String", found: "null")) { try String(sqlValue: .null) }
  }

  @Test("an enumeration is stored as its raw value")
  func enumerations() throws {
    try check(Level.high, .integer(2), "INTEGER")
    let error = #expect(throws: ColumnValueError.self) { try Level(sqlValue: .integer(3)) }
    #expect(
      error?.description == "A column should hold a raw value of Level, but has an integer value that is not one.")
  }

  @Test("collections and Codable types are stored as JSON with sorted keys")
  func json() throws {
    try check(["a/b", "c"], .text(#"["a/b","c"]"#), "TEXT")
    try check([Int](), .text("[]"), "TEXT")
    try check(Set(["b", "a", "c"]), .text(#"["a","b","c"]"#), "TEXT")
    try check(["b": 1, "a": 2], .text(#"{"a":2,"b":1}"#), "TEXT")
    try check([String]?.none, .null, "TEXT")
    let point = Point(y: 1, x: 2.5, when: Date(timeIntervalSince1970: 3))
    try check(point, .text(#"{"when":3,"x":2.5,"y":1}"#), "TEXT")
  }

  @Test("a typeMismatch says what was expected and found, never the value")
  func messages() {
    let error = #expect(throws: ColumnValueError.self) { try [String](sqlValue: .text("secret")) }
    #expect(
      error?.description == "A column should hold JSON of Array<String>, but has a text value that is not.")
    #expect(throws: ColumnValueError(expected: "JSON text", found: "blob")) { try [String](sqlValue: .blob([])) }
    #expect(throws: ColumnValueError(expected: "[UInt8]", found: "text")) { try [UInt8](sqlValue: .text("a")) }
    #expect(throws: ColumnValueError.self) { try UUID(sqlValue: .text("nope")) }
    #expect(throws: ColumnValueError.self) { try [Double.nan].sqlValue() }
  }
}

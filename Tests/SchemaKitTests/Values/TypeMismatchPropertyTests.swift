import Foundation
import SchemaKit
import Testing

@Suite("Stored values that do not fit their type")
struct TypeMismatchPropertyTests {
  /// Values of every storage class, and odd ones, as SQL.
  private static let odd = [
    "NULL", "0", "1", "-1", "2", "127", "128", "-129", "300", "65536", "4294967296", "9223372036854775807",
    "-9223372036854775808", "9007199254740993", "0.5", "1.0", "-1.5", "1e300", "1e39", "9e999", "-9e999", "1e-320",
    "9223372036854775808.0", "''", "'a'", "'12'", "'12abc'", "'1e5'", "'null'", "'[]'", "'{}'", "'[1,2]'",
    "'{\"a\":1}'", "'[\"a\"]'", "'\"a\"'", "'[1'", "'monday'", "'2024-02-29'", "'ffffff'", "'a b'", "'1e200'",
    "'0.1234567890123456789012345678901234567890123'", "'E621E1F8-C36C-495A-93FC-0C247A3E6E5F'", "x''", "x'00'",
    "x'ff00'", "zeroblob(5)", "char(0)", "char(0x1F600)", "CAST(x'6100' AS TEXT)",
  ]

  /// Texts that are not valid UTF-8: a lone byte, a surrogate, cut short, too long, beyond Unicode.
  private static let invalid = [
    "CAST(x'ff' AS TEXT)", "CAST(x'61ff' AS TEXT)", "CAST(x'edb081' AS TEXT)", "CAST(x'c3' AS TEXT)",
    "CAST(x'efbfbd80' AS TEXT)", "CAST(x'f4908080' AS TEXT)", "CAST(x'c080' AS TEXT)", "CAST(x'5b22ff225d' AS TEXT)",
  ]

  private func fuzz<Value: ColumnValue & Sendable>(_ type: Value.Type) async throws {
    let values = Self.odd + Self.invalid
    let rowID = try await TypeMismatchScene(ValueCell<Value>.self, \.value, values, columns: "id, value") {
      "\($0), \($1)"
    }
    let text = try await TypeMismatchScene(TextKeyCell<Value>.self, \.value, values, columns: "key, value") {
      "'k\($0)', \($1)"
    }
    let kept = try await TypeMismatchScene(KeptCell<Value>.self, \.value, values, columns: "first, second, value") {
      "'f', \($0), \($1)"
    }
    for (index, sql) in values.enumerated() {
      let number = index + 1
      try await judge(
        rowID, sql, number, key: RecordKey([.integer(Int64(number))]), condition: "id = \(number)",
        where: { $0.id == Int64(number) }, find: { try $0.find(ValueCell<Value>.self, number) })
      try await judge(
        text, sql, number, key: RecordKey([.integer(Int64(number))]), condition: "key = 'k\(number)'",
        where: { $0.key == "k\(number)" }, find: { try $0.find(TextKeyCell<Value>.self, "k\(number)") },
        queryKey: RecordKey([.text("k\(number)")]))
      try await judge(
        kept, sql, number, key: RecordKey([.text("f"), .integer(Int64(number))]), condition: "second = \(number)",
        where: { $0.second == number }, find: { try $0.find(KeptCell<Value>.self, "f", number) })
    }
  }

  /// Loads a row in every way and compares the outcome with what is stored there.
  private func judge<M: Model, Value: ColumnValue & Sendable>(
    _ scene: TypeMismatchScene<M, Value>, _ sql: String, _ number: Int, key: RecordKey, condition: String,
    where filter: @escaping @Sendable (Fields<M>) -> Filter, find: (Session) throws -> M?, queryKey: RecordKey? = nil
  ) async throws {
    let stored = try scene.file.query("SELECT value, typeof(value) FROM cells WHERE \(condition)")
    let type = try #require(stored.first?[1].string)
    let outcomes = await scene.outcomes(where: filter, sql: condition, find: find)
    #expect(outcomes.count == 7)
    var successes: [String] = []
    for (how, outcome) in outcomes {
      let what: Comment = "\(M.self), \(how), \(sql): \(outcome)"
      switch outcome {
      case .success(let value):
        successes.append(how)
        // What was read is stored again as it is; else it was another value.
        #expect(!Self.invalid.contains(sql) || type != "text", what)
        #expect(isSame(value, stored[0][0]), what)
      case .failure(let error as RecordError):
        guard case .value(let table, let column, let row, let expected, let found, _) = error.reason else {
          Issue.record(what)
          continue
        }
        #expect(table == "cells" && column == "value" && found == type && !expected.isEmpty, what)
        if how == "query", let queryKey {
          #expect(row == queryKey, what)
        } else {
          #expect(row == key, what)
        }
        #expect(how != "select" && how != "row", what)
      case .failure(let error as ColumnValueError):
        #expect(how == "select" || how == "row", what)
        #expect(error.column == "value" && error.found == type && !error.expected.isEmpty, what)
      case .failure: Issue.record(what)
      }
    }
    #expect(successes.isEmpty || successes.count == 7, "\(M.self), \(sql): only \(successes)")
  }

  private func isSame<Value: ColumnValue>(_ value: Value, _ stored: RawValue) -> Bool {
    // A Date counts from 2001 and cannot hold fractions of 1970 that are as small.
    if let date = value as? Date, case .real(let seconds) = stored, abs(seconds) < 1 {
      return abs(date.timeIntervalSince1970 - seconds) < 1e-6
    }
    // Above Int64.max nothing but a real can be read, and it is not stored so again.
    guard let again = try? value.sqlValue() else {
      return stored == .real(0x1p63) && "\(value)" == "9223372036854775808"
    }
    switch (again, stored) {
    case (.null, .null): return true
    case (.integer(let one), .int(let other)): return one == other
    case (.integer(let one), .real(let other)): return Int64(exactly: other) == one
    case (.real(let one), .int(let other)): return Double(exactly: other) == one
    // A Float is the nearest one, but never an infinity or a zero for a number.
    case (.real(let one), .real(let other)):
      return one == other
        || value is Float && one == Double(Float(other)) && one.isFinite && (one != 0 || abs(other) < 1e-45)
    case (.text(let one), .text(let other)): return one == other || isAnotherSpelling(one, other, of: value)
    case (.blob(let one), .blob(let other)): return one == other
    case (.text(let one), .int(let other)): return Int64(one) == other
    default: return false
    }
  }

  /// Identifiers in another case, and numbers in another spelling.
  private func isAnotherSpelling(_ one: String, _ other: String, of value: some ColumnValue) -> Bool {
    if value is UUID { return one == other.lowercased() }
    if value is Decimal, other.utf8.count < 30 { return Double(one) == Double(other) }
    return value is [Int?] && one == other
  }

  @Test("whole numbers") func integers() async throws {
    try await fuzz(Int.self)
    try await fuzz(Int8.self)
    try await fuzz(Int16.self)
    try await fuzz(Int32.self)
    try await fuzz(Int64.self)
  }

  @Test("whole numbers without a sign") func unsigned() async throws {
    try await fuzz(UInt.self)
    try await fuzz(UInt8.self)
    try await fuzz(UInt16.self)
    try await fuzz(UInt32.self)
    try await fuzz(UInt64.self)
    try await fuzz(Bool.self)
  }

  @Test("reals and dates") func reals() async throws {
    try await fuzz(Double.self)
    try await fuzz(Float.self)
    try await fuzz(Date.self)
    try await fuzz(Decimal.self)
  }

  @Test("texts and bytes") func texts() async throws {
    try await fuzz(String.self)
    try await fuzz(Data.self)
    try await fuzz([UInt8].self)
    try await fuzz(UUID.self)
    try await fuzz(Gallery.File.self)
  }

  @Test("addresses") func addresses() async throws { try await fuzz(URL.self) }

  @Test("enumerations, collections and values of an author's own") func composed() async throws {
    try await fuzz(Weekday.self)
    try await fuzz(Rung.self)
    try await fuzz(Colour.self)
    try await fuzz([String].self)
    try await fuzz([Int].self)
    try await fuzz([String: Int].self)
    try await fuzz(Recipe.self)
  }

  @Test("optionals") func optionals() async throws {
    try await fuzz(Int8?.self)
    try await fuzz(String?.self)
    try await fuzz(Data?.self)
    try await fuzz(Double?.self)
    try await fuzz([Int]?.self)
    try await fuzz(Weekday?.self)
  }
}

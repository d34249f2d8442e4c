import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

/// One moment in every way to store it.
private struct Moment: Model, Hashable {
  let id: Int64?
  let seconds: Date
  let milliseconds: Date
  let text: Date
  let day: Date
  let plain: Date?

  init(_ id: Int64?, _ date: Date) { self.init(id: id, date, date, date, date, date) }

  init(id: Int64?, _ seconds: Date, _ milliseconds: Date, _ text: Date, _ day: Date, _ plain: Date?) {
    self.id = id
    (self.seconds, self.milliseconds, self.text, self.day, self.plain) = (seconds, milliseconds, text, day, plain)
  }

  static let table = ModelTable<Moment>("moments", as: Self.init(id:_:_:_:_:_:)) {
    Column("id", \.id).primaryKey()
    Column("seconds", \.seconds, storing: .secondsSince1970)
    Column("milliseconds", \.milliseconds, storing: .millisecondsSince1970)
    Column("text", \.text, storing: .iso8601)
    Column("day", \.day, storing: .julianDay)
    Column("plain", \.plain)
  }
}

@Suite("Codings of dates and numbers")
struct ColumnCodingTests {
  /// Seconds since 1970 with fractions of 1/8, which every form keeps exactly.
  private func moments(_ generator: inout SeededGenerator) -> [Double] {
    let special: [Double] = [
      0, -1, -0.125, 0.125, 951_782_400, 951_868_799.875, 4_107_542_400, -62_167_219_200, 253_402_300_799.875,
      -2_208_988_800, -11_644_473_600, 978_307_200, 1_709_164_800, 68_169_600, -62_162_035_200, 32_503_680_000,
    ]
    return special
      + (0..<200).map { _ in Double(generator.number(-62_167_219_200 * 8...253_402_300_799 * 8)) / 8 }
  }

  @Test("SQLite's own functions read the same moment from every coding", arguments: [1, 2])
  func againstSQLite(seed: Int) throws {
    var generator = SeededGenerator(seed: seed)
    print(generator)
    let seconds = moments(&generator)
    let file = try TemporaryDatabase()
    let schema = ModelSchema { Moment.self }
    do {
      let session = try Session(at: file.path, schema: schema)
      try session.save(seconds.map { Moment(nil, Date(timeIntervalSince1970: $0)) })
    }
    // Each form is printed by SQLite in its own words; of the Julian day only milliseconds are exact.
    let rows = try file.query(
      """
      SELECT datetime(seconds, 'unixepoch'), datetime(milliseconds / 1000.0, 'unixepoch'), datetime(text),
        datetime(plain, 'unixepoch'), strftime('%s', text), strftime('%Y-%m-%dT%H:%M:%S', text) || substr(text, 20),
        text, abs(julianday(text) - day) < 1e-8, date(day + 0.00000001), date(text)
      FROM moments ORDER BY id
      """)
    for (row, second) in zip(rows, seconds) {
      let texts = row.map(\.string)
      #expect(texts[0] == texts[2] && texts[1] == texts[2] && texts[3] == texts[2], "\(second): \(texts)")
      #expect(texts[4] == "\(Int64(second.rounded(.down)))", "\(second): \(texts)")
      #expect(texts[5] == texts[6], "\(second): \(texts)")
      #expect(row[7] == .int(1), "\(second): \(texts)")
      #expect(texts[8] == texts[9], "\(second): \(texts)")
    }
    #expect(
      try file.query("SELECT DISTINCT typeof(seconds), typeof(milliseconds), typeof(text), typeof(day) FROM moments")
        == [[.text("real"), .text("integer"), .text("text"), .text("real")]])
    // The texts sort as the moments do.
    let session = try Session(at: file.path, schema: schema)
    let sorted = try session.select(Moment.self, { $0.seconds }, orderBy: { [$0.text.ascending] })
    #expect(sorted.map(\.timeIntervalSince1970) == seconds.sorted())
    for (moment, second) in zip(try session.all(Moment.self, orderBy: { [$0.id.ascending] }), seconds) {
      let date = Date(timeIntervalSince1970: second)
      #expect(moment.seconds == date && moment.milliseconds == date && moment.text == date && moment.plain == date)
      #expect(abs(moment.day.timeIntervalSince1970 - second) < 0.0001, "\(second)")
    }
  }

  @Test("what SQLite writes is read: CURRENT_TIMESTAMP, datetime() and strftime()")
  func writtenBySQLite() throws {
    let file = try TemporaryDatabase()
    let schema = ModelSchema { CodedCell<ISOCoding>.self }
    do { _ = try Session(at: file.path, schema: schema) }
    try file.exec(
      """
      INSERT INTO coded_cells (value, maybe) VALUES ('2024-02-29 12:30:15', date('2024-02-29')),
      (strftime('%Y-%m-%dT%H:%M:%fZ', 1709209815.25, 'unixepoch'), datetime(1709209815, 'unixepoch')),
      (CURRENT_TIMESTAMP, CURRENT_DATE)
      """)
    let cells = try Session(at: file.path, schema: schema).all(CodedCell<ISOCoding>.self)
    #expect(cells[0].value == Date(timeIntervalSince1970: 1_709_209_815))
    #expect(cells[0].maybe == Date(timeIntervalSince1970: 1_709_164_800))
    #expect(cells[1].value == Date(timeIntervalSince1970: 1_709_209_815.25))
    #expect(cells[1].maybe == Date(timeIntervalSince1970: 1_709_209_815))
    #expect(cells[2].value.timeIntervalSince1970 > 1_700_000_000 && cells[2].maybe != nil)
  }

  @Test("codings of every kind through a saved and re-read row, optional and not", arguments: [3])
  func roundTrip(seed: Int) throws {
    var generator = SeededGenerator(seed: seed)
    print(generator)
    let dates = moments(&generator).map { Date(timeIntervalSince1970: $0) }
    try ValueJourney().run(SecondsCoding.self, dates, isSame: ==)
    try ValueJourney().run(MillisecondsCoding.self, dates, isSame: ==)
    try ValueJourney().run(ISOCoding.self, dates, isSame: ==)
    try ValueJourney().run(JulianCoding.self, dates, isSame: { abs($0.timeIntervalSince($1)) < 0.0001 })
    try ValueJourney().run(RomanCoding.self, [0, 1, 5, 20], isSame: ==)
    // Beyond what ISO 8601 has.
    let far = [Date(timeIntervalSince1970: -1e12), Date(timeIntervalSince1970: 1e15), .distantPast, .distantFuture]
    try ValueJourney().run(far)
    try ValueJourney().run(MillisecondsCoding.self, far, isSame: ==)
  }

  @Test(
    "ISO 8601 in many spellings",
    arguments: [
      ("1970-01-01", 0), ("1970-01-01T00:00", 0), ("1970-01-01 00:00:00", 0), ("1970-01-01T00:00:00Z", 0),
      ("1970-01-01t00:00:00z", 0), ("1970-01-01T00:00:00.5Z", 0.5), ("1970-01-01T00:00:00,25Z", 0.25),
      ("1970-01-01T00:00:00.000000001Z", 1e-9), ("1970-01-01T02:00:00+02:00", 0), ("1970-01-01T02:00:00+0200", 0),
      ("1970-01-01T02:00:00+02", 0), ("1969-12-31T18:30:00-05:30", 0), ("1970-01-01T00:00-00:00", 0),
      ("1970-01-01T14:00+14:00", 0), ("1969-12-31T23:59:59.875Z", -0.125), ("1970-01-01T23:59:60Z", 86_400),
      ("2000-02-29", 951_782_400), ("2024-02-29T00:00Z", 1_709_164_800), ("1600-02-29", -11_670_998_400),
      ("0000-01-01", -62_167_219_200), ("0000-02-29", -62_162_121_600), ("0000-12-31T23:59:59Z", -62_135_596_801),
      ("9999-12-31T23:59:59.500Z", 253_402_300_799.5), ("0001-01-01", -62_135_596_800),
    ] as [(String, Double)])
  func spellings(_ text: String, _ seconds: Double) throws {
    let date = try ColumnCoding.iso8601.decode(.text(text))
    // A Date counts from 2001, so it cannot hold a nanosecond of 1970.
    #expect(abs(date.timeIntervalSince1970 - seconds) < 1e-6, "\(date.timeIntervalSince1970)")
  }

  @Test(
    "what is not a date throws",
    arguments: [
      "", " ", "now", "2023-02-30", "2023-02-29", "1900-02-29", "2100-02-29", "2023-00-10", "2023-13-01", "2023-01-00",
      "2023-04-31", "2023-01-32", "2023-1-1", "23-01-01", "02023-01-01", "-001-01-01", "2023-01-01T", "2023-01-01T1",
      "2023-01-01T24:00", "2023-01-01T12", "2023-01-01T12:", "2023-01-01T12:60", "2023-01-01T12:00:61",
      "2023-01-01T12:00:", "2023-01-01T12:00:00.", "2023-01-01T12:00:00.Z", "2023-01-01T12:00:00ZZ",
      "2023-01-01T12:00:00+", "2023-01-01T12:00:00+1", "2023-01-01T12:00:00+02:", "2023-01-01T12:00:00+02:6",
      "2023-01-01T12:00:00+02:60", "2023-01-01T12:00:00+24:00", "2023-01-01T12:00:00+02:00Z", "2023-01-01Z",
      "2023-01-01T12:00:00\u{0}", "2023-01-01\u{0}", "2023-01-01 12:00:00 ", " 2023-01-01", "2023/01/01", "20230101",
      "2023-W01-1", "2023-001", "\u{0662}023-01-01", "2023-01-01T12:00:00.5e3", "2023-01-01T-1:00",
      "2023-01-01T12:00.5",
      "99999-01-01", "2023-01-01T12:00:00\u{2212}02:00",
    ])
  func malformed(_ text: String) {
    #expect(throws: ColumnValueError.self) { try ColumnCoding.iso8601.decode(.text(text)) }
  }

  @Test("milliseconds are rounded, also over the end of a second, a day, a year and before 1970")
  func rounding() throws {
    func text(_ seconds: Double) throws -> SQLValue {
      try ColumnCoding.iso8601.encode(Date(timeIntervalSince1970: seconds))
    }
    #expect(try text(0.9994) == .text("1970-01-01T00:00:00.999Z"))
    #expect(try text(0.9996) == .text("1970-01-01T00:00:01.000Z"))
    #expect(try text(86_399.9996) == .text("1970-01-02T00:00:00.000Z"))
    #expect(try text(1_704_067_199.9996) == .text("2024-01-01T00:00:00.000Z"))
    #expect(try text(-0.0004) == .text("1970-01-01T00:00:00.000Z"))
    #expect(try text(-0.0006) == .text("1969-12-31T23:59:59.999Z"))
    #expect(try text(-86_400.25) == .text("1969-12-30T23:59:59.750Z"))
    #expect(try text(253_402_300_799.999) == .text("9999-12-31T23:59:59.999Z"))
    #expect(throws: ColumnValueError.self) { try text(253_402_300_799.9996) }
    #expect(throws: ColumnValueError.self) { try text(-62_167_219_200.5) }
    #expect(throws: ColumnValueError.self) { try text(.infinity) }
    #expect(throws: ColumnValueError.self) { try text(-.infinity) }
    #expect(throws: ColumnValueError.self) {
      try ColumnCoding.millisecondsSince1970.encode(Date(timeIntervalSince1970: 1e17))
    }
    let half = Date(timeIntervalSince1970: -0.0006)
    #expect(try ColumnCoding.millisecondsSince1970.encode(half) == .integer(-1))
  }

  @Test("text of a date that was read is the same text", arguments: [4])
  func stability(seed: Int) throws {
    var generator = SeededGenerator(seed: seed)
    print(generator)
    for _ in 0..<5_000 {
      let milliseconds = generator.number(-62_167_219_200_000...253_402_300_799_999)
      let date = try ColumnCoding.millisecondsSince1970.decode(.integer(Int64(milliseconds)))
      #expect(try ColumnCoding.millisecondsSince1970.encode(date) == .integer(Int64(milliseconds)))
      let text = try ColumnCoding.iso8601.encode(date)
      let read = try ColumnCoding.iso8601.decode(text)
      #expect(try ColumnCoding.iso8601.encode(read) == text)
      #expect(try ColumnCoding.millisecondsSince1970.encode(read) == .integer(Int64(milliseconds)), "\(text)")
    }
  }

  @Test("a value of another storage class throws")
  func otherClasses() {
    func refused<Value>(_ coding: ColumnCoding<Value>, _ values: SQLValue...) {
      for value in values + [.null] {
        #expect(throws: ColumnValueError.self, "\(value)") { try coding.decode(value) }
      }
      #expect(throws: Never.self) { try coding.optional.decode(.null) }
    }
    refused(.secondsSince1970, .text("0"), .blob([0]))
    refused(.millisecondsSince1970, .text("0"), .blob([]))
    refused(.iso8601, .integer(0), .real(0), .blob(Array("1970-01-01".utf8)))
    refused(.julianDay, .text("2440587.5"), .blob([]), .integer(.max))
    refused(ColumnCoding<UInt64>.text, .integer(1), .real(1), .blob([]), .text(""), .text("-1"), .text(" 1"))
    refused(ColumnCoding<UInt64>.text, .text("18446744073709551616"), .text("1.0"), .text("0x1"))
    refused(.bigEndianBlob, .integer(1), .text("12345678"), .blob([]), .blob([1, 2, 3, 4, 5, 6, 7]))
    refused(.bigEndianBlob, .blob([0, 0, 0, 0, 0, 0, 0, 0, 1]))
  }
}

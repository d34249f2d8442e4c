import Foundation
import SchemaKit
import Testing

/// A date with a key of its own, in every way to store it.
private struct Moment: Model, Hashable {
  let id: Int64
  let plain: Date
  let maybe: Date?
  let milliseconds: Date
  let text: Date
  let day: Date
  let list: [Date]

  static let table = ModelTable("moments", as: Self.init) {
    Column("id", \.id).primaryKey()
    Column("plain", \.plain)
    Column("maybe", \.maybe)
    Column("milliseconds", \.milliseconds, storing: .millisecondsSince1970)
    Column("text", \.text, storing: .iso8601)
    Column("day", \.day, storing: .julianDay)
    Column("list", \.list)
  }
}

/// A date in the form that keeps all of it.
private struct Whole: Model, Hashable {
  let id: Int64?
  let date: Date
  let maybe: Date?

  static let table = ModelTable("wholes", as: Self.init) {
    Column("id", \.id).primaryKey()
    Column("date", \.date, storing: .secondsSince2001)
    Column("maybe", \.maybe, storing: .secondsSince2001)
  }
}

/// The same with a key that SQLite assigns.
private struct Keyless: Model, Hashable {
  let id: Int64?
  let plain: Date

  static let table = ModelTable("keyless", as: Self.init) {
    Column("id", \.id).primaryKey()
    Column("plain", \.plain)
  }
}

@Suite("What is kept of a date")
struct DateKeepingTests {
  private let schema = ModelSchema {
    Moment.self
    Keyless.self
    Whole.self
  }

  /// Dates with all digits that a `Date` can have: of our days, around 1970 and 2001, and far away.
  private func dates(_ generator: inout SeededGenerator) -> [Date] {
    func fraction() -> Double { Double(generator.next() >> 11) * 0x1p-53 }
    let ranges: [ClosedRange<Double>] = [
      700_000_000...900_000_000, -1_000...1_000, -978_310_000 ... -978_300_000, -978_307_201 ... -978_307_199,
      -500_000_000...0, 1_100_000_000...1_200_000_000, -60_000_000_000 ... -2_000_000_000,
      1_200_000_000...3_300_000_000, 10_000_000_000...250_000_000_000,
    ]
    return ranges.flatMap { range in
      (0..<50).map { _ in
        Date(timeIntervalSinceReferenceDate: range.lowerBound + fraction() * (range.upperBound - range.lowerBound))
      }
    }
  }

  @Test("a date keeps its seconds since 1970 as a Double has them, wherever it is read", arguments: [31, 32])
  func kept(seed: Int) throws {
    var generator = SeededGenerator(seed: seed)
    print(generator)
    let dates = dates(&generator)
    let file = try TemporaryDatabase()
    do {
      let session = try Session(at: file.path, schema: schema)
      for (id, date) in dates.enumerated() {
        try session.save(
          Moment(id: Int64(id), plain: date, maybe: date, milliseconds: date, text: date, day: date, list: [date]))
      }
    }
    let stored = try file.query("SELECT plain FROM moments ORDER BY id")
    let session = try Session(at: file.path, schema: schema)
    let found = try session.all(Moment.self, orderBy: { [$0.id.ascending] })
    for (index, date) in dates.enumerated() {
      let seconds = date.timeIntervalSince1970
      let kept = Date(timeIntervalSince1970: seconds)
      #expect(stored[index] == [.real(seconds)])
      #expect(found[index].plain == kept && found[index].maybe == kept && found[index].list == [kept])
      #expect(kept.timeIntervalSince1970 == seconds, "what is read is stored again as it was")
      let distance = abs(kept.timeIntervalSinceReferenceDate - date.timeIntervalSinceReferenceDate)
      // The numbers from 2^30 to 2^31, which are those from 2004 to 2038, lie 2^-22 apart.
      let limit = seconds < 489_153_600 ? 0 : seconds < 0x1p31 ? 0x1p-23 : seconds < 0x1p32 ? 0x1p-22 : 1e-4
      #expect(distance <= limit, "\(date.timeIntervalSinceReferenceDate)")
    }
  }

  @Test("a date keeps every bit in .secondsSince2001, and sorts", arguments: [34])
  func whole(seed: Int) throws {
    var generator = SeededGenerator(seed: seed)
    print(generator)
    let dates = dates(&generator) + [.distantPast, .distantFuture, Date(timeIntervalSinceReferenceDate: 0x1p-40)]
    let file = try TemporaryDatabase()
    do {
      let session = try Session(at: file.path, schema: schema)
      for date in dates {
        let saved = try session.save(Whole(id: nil, date: date, maybe: date))
        #expect(saved.date == date && saved.maybe == date)
      }
    }
    let session = try Session(at: file.path, schema: schema)
    #expect(try session.all(Whole.self, orderBy: { [$0.id.ascending] }).map(\.date) == dates)
    #expect(try session.all(Whole.self, orderBy: { [$0.date.ascending] }).map(\.date) == dates.sorted())
    #expect(try session.count(Whole.self, where: { $0.date == $0.maybe }) == dates.count)
    let distant = Date.distantFuture
    #expect(try session.count(Whole.self, where: { $0.date == distant }) == 1)
    #expect(
      try session.query("SELECT date FROM wholes ORDER BY id LIMIT 1")[0][0]
        == .real(dates[0].timeIntervalSinceReferenceDate))
  }

  @Test(
    "save returns the date as it is stored, and a row is found by that and by the one that was saved", arguments: [33])
  func found(seed: Int) throws {
    var generator = SeededGenerator(seed: seed)
    print(generator)
    let session = try Session(inMemory: schema)
    for (id, date) in dates(&generator).enumerated() {
      let id = Int64(id)
      let saved = try session.save(
        Moment(id: id, plain: date, maybe: date, milliseconds: date, text: date, day: date, list: [date]))
      #expect(try session.find(Moment.self, id) == saved)
      for (plain, milliseconds, text, day) in [
        (date, date, date, date), (saved.plain, saved.milliseconds, saved.text, saved.day),
      ] {
        #expect(
          try session.exists(Moment.self, where: { $0.id == id && $0.plain == plain && $0.maybe.isIn([plain]) }))
        #expect(try session.exists(Moment.self, where: { $0.id == id && $0.milliseconds == milliseconds }))
        #expect(try session.exists(Moment.self, where: { $0.id == id && $0.text == text }))
        #expect(try session.exists(Moment.self, where: { $0.id == id && $0.day == day && $0.list == [plain] }))
      }
      let keyless = try session.save(Keyless(id: nil, plain: date))
      #expect(try session.find(Keyless.self, keyless.id) == keyless && keyless.plain == saved.plain)
    }
  }
}

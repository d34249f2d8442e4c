import Foundation
import SchemaKit
import Testing

@Suite("Values through a saved and re-read row")
struct ValueRoundTripPropertyTests {
  private func integers<Number: FixedWidthInteger & ColumnValue & Sendable>(
    _ type: Number.Type, _ generator: inout SeededGenerator
  ) throws {
    let top = Number(clamping: Int64.max)
    var values: [Number] = [.min, 0, 1, top, top - 1, Number(clamping: -1), .min + 1]
    // Around the sizes in which SQLite stores integers.
    for bits in [7, 8, 15, 16, 23, 24, 31, 32, 47, 48] where bits < Number.bitWidth - 1 {
      values += [Number(1) << bits, (Number(1) << bits) - 1]
    }
    values += (0..<20).map { _ in Number.random(in: .min...top, using: &generator) }
    try ValueJourney().run(values)
  }

  @Test("integers of every width", arguments: [1, 2])
  func integers(seed: Int) throws {
    var generator = SeededGenerator(seed: seed)
    print(generator)
    try integers(Int.self, &generator)
    try integers(Int8.self, &generator)
    try integers(Int16.self, &generator)
    try integers(Int32.self, &generator)
    try integers(Int64.self, &generator)
    try integers(UInt.self, &generator)
    try integers(UInt8.self, &generator)
    try integers(UInt16.self, &generator)
    try integers(UInt32.self, &generator)
    try integers(UInt64.self, &generator)
  }

  @Test("an unsigned integer above Int64.max is refused, with its column named and nothing written")
  func tooLarge() throws {
    let file = try TemporaryDatabase()
    let session = try Session(at: file.path, schema: ModelSchema { ValueCell<UInt64>.self })
    let good = ValueCell<UInt64>(id: 1, value: 1, maybe: nil)
    for bad in [
      ValueCell<UInt64>(id: 2, value: 1 << 63, maybe: nil), ValueCell<UInt64>(id: 2, value: 0, maybe: .max),
    ] {
      let error = #expect(throws: RecordError.self) { try session.save(bad) }
      #expect(error?.description.contains(bad.maybe == nil ? "cells.value" : "cells.maybe") == true)
      #expect(throws: RecordError.self) { try session.save([good, bad]) }
    }
    #expect(try file.value("SELECT count(*) FROM cells") == .int(0))
  }

  @Test("durations, time zones, locales, date components and characters", arguments: [12, 13])
  func places(seed: Int) throws {
    var generator = SeededGenerator(seed: seed)
    print(generator)
    let durations = (0..<50).map { _ in Duration.nanoseconds(Int64.random(in: .min + 1 ... .max, using: &generator)) }
    try ValueJourney().run(durations + [.zero])
    try ValueJourney().run(["UTC", "GMT", "Europe/Berlin", "Asia/Tokyo"].compactMap(TimeZone.init(identifier:)))
    try ValueJourney().run(["", "en", "de_AT", "zh-Hant_TW", "en_US_POSIX"].map { Locale(identifier: $0) })
    try ValueJourney().run([DateComponents(), DateComponents(year: 2026, hour: 0), DateComponents(weekday: 3)])
    try ValueJourney().run(["a", "\0", "'", "\"", "\r\n", "\u{1F1E9}\u{1F1EA}"] as [Character])
    let session = try Session(inMemory: ModelSchema { ValueCell<Duration>.self })
    try session.save((1...4).map { ValueCell<Duration>(id: nil, value: .seconds($0), maybe: nil) })
    #expect(try session.value(ValueCell<Duration>.self, { $0.value.sum }) == .seconds(10))
    #expect(try session.value(ValueCell<Duration>.self, { $0.maybe.sum }) == .some(nil))
    #expect(throws: RecordError.self) { try session.value(ValueCell<Duration>.self, { $0.value.average }) }
    try session.update(
      ValueCell<Duration>.self, set: { [$0.value.increase(by: .milliseconds(1))] }, where: { $0.value > .seconds(3) })
    #expect(try session.value(ValueCell<Duration>.self, { $0.value.max }) == .milliseconds(4001))
  }

  @Test("all unsigned integers as digits and as bytes", arguments: [3, 4])
  func unsigned(seed: Int) throws {
    var generator = SeededGenerator(seed: seed)
    print(generator)
    let values: [UInt64] =
      [0, 1, 255, 256, UInt64(Int64.max), 1 << 63, .max, .max - 1] + (0..<50).map { _ in generator.next() }
    try ValueJourney().run(DigitsCoding.self, values, isSame: ==)
    try ValueJourney().run(BytesCoding.self, values, isSame: ==)
    let session = try Session(inMemory: ModelSchema { CodedCell<BytesCoding>.self })
    try session.save(values.map { CodedCell<BytesCoding>(id: nil, value: $0, maybe: nil) })
    // Bytes sort as the numbers do, and are found by number.
    let sorted = try session.select(CodedCell<BytesCoding>.self, { $0.value }, orderBy: { [$0.value.ascending] })
    #expect(sorted == values.sorted())
    #expect(try session.count(CodedCell<BytesCoding>.self, where: { $0.value == .max }) == 1)
    #expect(
      try session.count(CodedCell<BytesCoding>.self, where: { $0.value >= 1 << 63 }) == values.count { $0 >> 63 == 1 })
  }

  @Test("reals with their bits", arguments: [5, 6])
  func reals(seed: Int) throws {
    var generator = SeededGenerator(seed: seed)
    print(generator)
    let randomDoubles = (0..<100).map { _ in Double(bitPattern: generator.next()) }
    let doubles: [Double] =
      [
        0, 1, -1, 0.1, .pi, .infinity, -.infinity, .leastNonzeroMagnitude, -.leastNonzeroMagnitude,
        .leastNormalMagnitude,
        .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .ulpOfOne, 9_007_199_254_740_994, 9.223372036854775807e18,
        -9.3e18, 140_737_488_355_328, 1e15 + 0.5,
      ] + randomDoubles.filter { !$0.isNaN }
    try ValueJourney().run(doubles, isSame: { $0.bitPattern == $1.bitPattern })
    let randomFloats = (0..<100).map { _ in Float(bitPattern: UInt32(truncatingIfNeeded: generator.next())) }
    let floats: [Float] =
      [
        0, 1, 0.1, .infinity, -.infinity, .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude,
        16_777_216,
      ] + randomFloats.filter { !$0.isNaN }
    try ValueJourney().run(floats, isSame: { $0.bitPattern == $1.bitPattern })
    try ValueJourney().run([true, false, false, true])
  }

  @Test("negative zero comes back as a zero")
  func negativeZero() throws { try ValueJourney().run([-0.0, 0.0], isSame: ==) }

  @Test("what is not a number is refused, also in optionals, collections and codings")
  func notANumber() throws {
    func refused<M: Model>(_ object: M) throws {
      let session = try Session(inMemory: ModelSchema { M.self })
      #expect(throws: RecordError.self) { try session.save(object) }
      #expect(try session.count(M.self) == 0)
    }
    try refused(ValueCell(id: 1, value: Double.nan, maybe: nil))
    try refused(ValueCell(id: 1, value: 1, maybe: Double.signalingNaN))
    try refused(ValueCell(id: 1, value: Float.nan, maybe: nil))
    try refused(ValueCell(id: 1, value: [Double.nan], maybe: nil))
    try refused(ValueCell(id: 1, value: Decimal.nan, maybe: nil))
    let never = Date(timeIntervalSince1970: .nan)
    try refused(ValueCell(id: 1, value: never, maybe: nil))
    try refused(CodedCell<SecondsCoding>(id: 1, value: never, maybe: nil))
    try refused(CodedCell<MillisecondsCoding>(id: 1, value: never, maybe: nil))
    try refused(CodedCell<ISOCoding>(id: 1, value: never, maybe: nil))
    try refused(CodedCell<JulianCoding>(id: 1, value: .now, maybe: never))
  }

  @Test("texts with their bytes", arguments: [7, 8])
  func texts(seed: Int) throws {
    var generator = SeededGenerator(seed: seed)
    print(generator)
    let scalars: [ClosedRange<UInt32>] = [
      0...0x7F, 0x80...0x7FF, 0x800...0xD7FF, 0xE000...0xFFFF, 0x1_0000...0x10_FFFF,
    ]
    func random(_ count: Int) -> String {
      var text = ""
      for _ in 0..<count {
        let number = UInt32.random(in: generator.pick(scalars), using: &generator)
        if let scalar = Unicode.Scalar(number) { text.unicodeScalars.append(scalar) }
      }
      return text
    }
    let values =
      [
        "", "\0", "a\0b", "\0\0", "e\u{301}", "\u{E9}", "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", "\u{FEFF}x",
        "\u{FFFD}", "\u{FFFF}", "\u{10FFFF}", "'; DROP TABLE cells; --", "\r\n", "123", "1e5", " ", "NULL",
      ] + (0..<50).map { random($0) }
    try ValueJourney().run(values, isSame: { $0.utf8.elementsEqual($1.utf8) })
  }

  @Test("texts and bytes around the size of the binder's buffer, and a megabyte")
  func large() throws {
    let sizes = [16_383, 16_384, 16_385, 8_192, 0, 1_000_000]
    try ValueJourney().run(sizes.map { String(repeating: "x", count: $0) })
    try ValueJourney().run(sizes.map { String(repeating: "\u{1F600}", count: $0 / 4) })
    try ValueJourney().run(sizes.map { size in Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }) })
    try ValueJourney().run(sizes.map { size in (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) } })
  }

  @Test("bytes, identifiers, addresses and enumerations", arguments: [9])
  func others(seed: Int) throws {
    var generator = SeededGenerator(seed: seed)
    print(generator)
    try ValueJourney().run(
      [Data(), Data([0]), Data([255, 0, 255])]
        + (0..<30).map { count in Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }) })
    // A slice does not begin at 0.
    try ValueJourney().run([Data([1, 2, 3, 4]).dropFirst(2), Data([1]).dropFirst()])
    try ValueJourney().run([UUID(), UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))])
    let urls = [
      "https://example.org/a%20b?q=%F0%9F%98%80#f", "file:///tmp/x", "mailto:a@b.c", "relative/path", "data:,",
      "https://[::1]:8080/", "https://example.org/?a=b&c=%27",
    ]
    try ValueJourney().run(try urls.map { try #require(URL(string: $0)) })
    try ValueJourney().run(Weekday.allCases)
    try ValueJourney().run(Rung.allCases)
    try ValueJourney().run([Tag(rawValue: ""), Tag(rawValue: "\0")])
    try ValueJourney().run([Colour(0, 0, 0), Colour(255, 255, 255), Colour(0, 16, 1)])
    try ValueJourney().run([Gallery.File(id: "a"), Gallery.File(id: "b.jpg")])
  }

  @Test("decimal numbers with all their digits", arguments: [10, 11])
  func decimals(seed: Int) throws {
    var generator = SeededGenerator(seed: seed)
    print(generator)
    var texts = [
      "0", "-1", "0.1", "-12345678901234567890.01", "99999999999999999999999999999999999999", "1e127", "1e-127",
      "0.00000000000000000000000000000000000001", "-99999999999999999999999999999999999999e-10",
    ]
    for _ in 0..<60 {
      let digits = (0..<generator.number(1...38)).map { _ in "\(generator.number(0...9))" }.joined()
      texts.append("\(generator.chance(50) ? "-" : "")1\(digits.dropFirst())e\(generator.number(-60...60))")
    }
    try ValueJourney().run(try texts.map { try #require(Decimal(string: $0), "\($0)") })
  }
}

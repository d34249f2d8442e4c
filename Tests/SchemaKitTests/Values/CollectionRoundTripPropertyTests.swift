import Foundation
import SchemaKit
import Testing

@Suite("Collections and nested values through a saved and re-read row")
struct CollectionRoundTripPropertyTests {
  @Test("collections of every kind of element", arguments: [21, 22])
  func collections(seed: Int) throws {
    var generator = SeededGenerator(seed: seed)
    print(generator)
    let texts = ["", "a/b", "\"", "\\", "\u{0}", "\u{1F600}", "e\u{301}", "\u{2028}", "\u{7F}", "\u{FFFF}"]
    func numbers() -> [Double] {
      (0..<20).map { _ in Double(bitPattern: generator.next()) }.filter(\.isFinite)
    }
    try ValueJourney().run([[], texts, ["one"]], isSame: { $0.map { Array($0.utf8) } == $1.map { Array($0.utf8) } })
    try ValueJourney().run([numbers(), numbers(), [0.1, .greatestFiniteMagnitude, .leastNonzeroMagnitude]])
    try ValueJourney().run([[Int64.max, .min], [0]])
    try ValueJourney().run([[UInt64.max], []])
    try ValueJourney().run([[[1, 2], []], [[Int]]()])
    try ValueJourney().run([[Int?.none, 1, nil], []])
    try ValueJourney().run([Set(texts), [], ["x"]])
    try ValueJourney().run([Set([3, -1, Int.max]), []])
    try ValueJourney().run([["b": 1, "a": 2, "": 3], [:]])
    try ValueJourney().run([[1: "x", -5: "y"], [:]])
    try ValueJourney().run([["k": [Data([1, 2]), Data()]], [:]])
    try ValueJourney().run([[true: 1, false: 2], [true: 1], [:]])
    try ValueJourney().run([["a": Set(texts), "b": []]])
    try ValueJourney().run([[UUID(), UUID()]])
    try ValueJourney().run([[Decimal(string: "0.1") ?? 0, Decimal(string: "-12345678901234567.25") ?? 0]])
  }

  @Test("equal sets and dictionaries are stored alike, however they were built")
  func canonical() throws {
    let names = (0..<200).map { "name \($0)" }
    let (forwards, backwards) = (Set(names), Set(names.reversed()))
    #expect(try forwards.sqlValue() == backwards.sqlValue())
    let first = Dictionary(uniqueKeysWithValues: names.map { ($0, 1) })
    let second = Dictionary(uniqueKeysWithValues: names.reversed().map { ($0, 1) })
    #expect(try first.sqlValue() == second.sqlValue())
  }

  private func step(_ depth: Int, _ generator: inout SeededGenerator) -> Recipe.Step {
    let count = depth == 0 ? 0 : generator.number(0...3)
    return Recipe.Step(
      text: generator.pick(["", "stir", "\u{1F373}", "a\"b\\c/\n\0"]),
      minutes: generator.chance(30) ? nil : Double(generator.number(0...1000)) / 7,
      next: (0..<count).map { _ in step(depth - 1, &generator) })
  }

  @Test("a nested Codable value", arguments: [23, 24, 25])
  func nested(seed: Int) throws {
    var generator = SeededGenerator(seed: seed)
    print(generator)
    let recipes = (0..<20).map { number in
      Recipe(
        title: "recipe \(number)", steps: (0..<number % 4).map { _ in step(3, &generator) },
        amounts: ["salt": .max, "pepper": .min, "": Int64(number)], levels: [number: ["x", "y"], -1: []],
        image: generator.chance(50) ? nil : Data([0, 255, UInt8(number)]),
        cooked: generator.chance(50)
          ? nil : Date(timeIntervalSince1970: Double(generator.number(-4_000_000...4_000_000_000))),
        isGood: generator.chance(50))
    }
    try ValueJourney().run(recipes)
  }
}

/// A fragment with codings, embedded twice and inside another.
private struct Period: Fragment, Hashable {
  let start: Date
  let end: Date?
  let mask: UInt64

  static let columns = ColumnGroup(as: Self.init) {
    Column("start", \.start, storing: .iso8601)
    Column("end", \.end, storing: .millisecondsSince1970)
    Column("mask", \.mask, storing: .bigEndianBlob)
  }
}

private struct Visit: Fragment, Hashable {
  let place: String
  let period: Period

  static let columns = ColumnGroup(as: Self.init) {
    Column("place", \.place)
    Column(embedding: \.period, prefix: "at_")
  }
}

private struct Journey: Model, Hashable {
  let id: Int64?
  let planned: Period
  let made: Visit
  let booked: Date
  let paid: Date?

  static let table = ModelTable("journeys", as: Self.init) {
    Column("id", \.id).primaryKey()
    Column(embedding: \.planned, prefix: "planned_")
    Column(embedding: \.made, prefix: "made_")
    Column("booked", \.booked)
    Column("paid", \.paid, storing: .julianDay)
  }
}

@Suite("Fragments with codings")
struct CodedFragmentTests {
  @Test("every column of a fragment keeps its own coding, wherever the fragment is embedded")
  func fragments() throws {
    let file = try TemporaryDatabase()
    let schema = ModelSchema { Journey.self }
    let day = Date(timeIntervalSince1970: 86_400 * 20_000)
    let first = Journey(
      id: 1, planned: Period(start: day, end: day + 0.25, mask: .max),
      made: Visit(place: "Ulm", period: Period(start: day + 3600, end: nil, mask: 1)), booked: day - 1,
      paid: day + 43_200)
    let second = Journey(
      id: 2, planned: Period(start: day, end: nil, mask: 0),
      made: Visit(place: "", period: Period(start: day, end: day, mask: 1 << 63)), booked: day, paid: nil)
    do { try Session(at: file.path, schema: schema).save(first, second) }
    let session = try Session(at: file.path, schema: schema)
    #expect(try session.all(Journey.self, orderBy: { [$0.id.ascending] }) == [first, second])
    #expect(try session.query(Journey.self, "SELECT * FROM journeys ORDER BY id DESC") == [second, first])
    #expect(
      try file.query(
        """
        SELECT planned_start, planned_end, hex(planned_mask), made_place, made_at_start, made_at_end, \
        hex(made_at_mask), booked, datetime(paid) FROM journeys WHERE id = 1
        """) == [
          [
            .text("2024-10-04T00:00:00.000Z"), .int(1_728_000_000_250), .text("FFFFFFFFFFFFFFFF"), .text("Ulm"),
            .text("2024-10-04T01:00:00.000Z"), .null, .text("0000000000000001"), .real(1_727_999_999),
            .text("2024-10-04 12:00:00"),
          ]
        ])
    let selected = try session.select(Journey.self, { ($0.made.period.start, $0.planned.mask) })
    #expect(selected[1].0 == day && selected[1].1 == 0)
    #expect(try session.first(Journey.self, where: { $0.made.period.mask == 1 << 63 })?.id == 2)
    try session.update(
      Journey.self, set: { [$0.made.period.end.set(day)] }, where: { $0.planned.start == day && $0.id == 1 })
    #expect(try session.find(Journey.self, 1)?.made.period.end == day)
  }
}

import Foundation
import SchemaKit
import Testing

@Suite("Conditions")
struct FilterTests {
  typealias Odd = FilterModels.Odd
  typealias Part = FilterModels.Part
  typealias Place = FilterModels.Place
  typealias Sample = FilterModels.Sample

  let session: Session

  init() throws { session = try Session(inMemory: FilterModels.schema) }

  private func texts(_ filter: (Fields<Sample>) -> Filter?) throws -> [String] {
    try session.all(Sample.self, where: filter, orderBy: { [$0.id.ascending] }).map(\.text)
  }

  private func save(_ texts: String...) throws {
    try session.save(texts.map { FilterModels.sample($0) })
  }

  @Test("signs with a meaning in patterns are taken as they are by hasPrefix, hasSuffix and contains")
  func patternSigns() throws {
    for sign in ["%", "_", "*", "?", "[", "]", "[a]", "^", "\\", "'", "\"", "\u{301}", "-"] {
      try session.deleteAll(Sample.self)
      try save("\(sign)x", "x\(sign)", "x\(sign)x", "x", "")
      #expect(try texts { $0.text.hasPrefix(sign) } == ["\(sign)x"], "prefix \(sign)")
      #expect(try texts { $0.text.hasSuffix(sign) } == ["x\(sign)"], "suffix \(sign)")
      #expect(try texts { $0.text.contains(sign) } == ["\(sign)x", "x\(sign)", "x\(sign)x"], "contains \(sign)")
      #expect(try texts { $0.text == sign + "x" } == ["\(sign)x"])
    }
    #expect(try session.count(Sample.self, where: { $0.text.hasPrefix("") && $0.text.hasSuffix("") }) == 5)
    #expect(try session.count(Sample.self, where: { $0.text.contains("") }) == 5)
    #expect(try session.count(Sample.self, where: { $0.nick.hasPrefix("") || $0.nick.contains("") }) == 0)
  }

  @Test("a text with a NUL character is compared whole")
  func embeddedNUL() throws {
    try save("a", "a\u{0}b", "a\u{0}c", "\u{0}")
    #expect(try texts { $0.text == "a\u{0}b" } == ["a\u{0}b"])
    #expect(try texts { $0.text > "a\u{0}b" } == ["a\u{0}c"])
    #expect(try texts { $0.text.contains("\u{0}c") } == ["a\u{0}c"])
    #expect(try texts { $0.text.isIn(["a\u{0}b", "\u{0}"]) } == ["a\u{0}b", "\u{0}"])
    let prefixed = try texts { $0.text.hasPrefix("a\u{0}") }
    let suffixed = try texts { $0.text.hasSuffix("b") }
    #expect(prefixed == ["a\u{0}b", "a\u{0}c"])
    #expect(suffixed == ["a\u{0}b"])
  }

  @Test("a prefix of any length")
  func longPrefix() throws {
    let long = String(repeating: "x", count: 60_000)
    try save(long + "y", "z")
    let found = try texts { $0.text.hasPrefix(long) }
    #expect(found.count == 1)
    #expect(try texts { $0.text.contains(long) }.count == 1)
  }

  @Test("like with an escape, without regard to the case of ASCII, and glob in their own case")
  func patterns() throws {
    try save("100%", "1000", "Äpfel", "APPLE", "a_b", "axb")
    #expect(try texts { $0.text.like("100\\%", escape: "\\") } == ["100%"])
    #expect(try texts { $0.text.like("100%") } == ["100%", "1000"])
    #expect(try texts { $0.text.like("apple") } == ["APPLE"])
    #expect(try texts { $0.text.like("äpfel") } == [])
    #expect(try texts { $0.text.like("a!_b", escape: "!") } == ["a_b"])
    #expect(try texts { $0.text.glob("[aA]?*") } == ["APPLE", "a_b", "axb"])
    #expect(throws: SQLiteError.self) { try texts { $0.text.like("x", escape: "e\u{301}") } }
  }

  @Test("values are never SQL")
  func injection() throws {
    let evil = "x' OR '1'='1'; DROP TABLE samples; --"
    try save(evil, "y")
    #expect(try texts { $0.text == evil } == [evil])
    #expect(try texts { $0.text.contains("' OR '") } == [evil])
    #expect(try texts { $0.text.isIn([evil]) } == [evil])
    #expect(try texts { _ in .sql("text = \(evil)") } == [evil])
    #expect(try texts { $0.style.json("$.\(evil)", as: String.self) == "x" } == [])
    #expect(try session.count(Sample.self) == 2)
  }

  @Test("SQL of one's own with values, inside other conditions and negated")
  func ownSQL() throws {
    try save("a", "bb", "ccc", "dddd")
    #expect(try texts { _ in .sql("length(text) > \(1) AND length(text) < \(4)") } == ["bb", "ccc"])
    #expect(try texts { $0.text != "bb" && .sql("length(text) = \(2) OR length(text) = \(3)") } == ["ccc"])
    #expect(try texts { _ in !.sql("length(text) > \(1)") } == ["a"])
    #expect(try texts { Field<Int>.sql("length(text) + \(1)") == 3 && $0.flag == false } == ["bb"])
    #expect(try texts { _ in .always && !Filter.never } == ["a", "bb", "ccc", "dddd"])
    #expect(try texts { _ in nil }.count == 4)
  }

  @Test("parts of JSON text, and rows without it")
  func json() throws {
    try session.save([
      FilterModels.sample("a", style: .init(font: "Serif", size: 9)),
      FilterModels.sample("b", style: .init(font: nil, size: 12.5)), FilterModels.sample("c"),
    ])
    #expect(try texts { $0.style.json("$.font", as: String.self) == "Serif" } == ["a"])
    #expect(try texts { $0.style.json("$.font", as: String.self) != "Serif" } == ["b", "c"])
    #expect(try texts { $0.style.json("$.font", as: String.self) == nil } == ["b", "c"])
    #expect(try texts { $0.style.json("$.size", as: Double.self) > 9 } == ["b"])
    #expect(try texts { $0.style == .init(font: "Serif", size: 9) } == ["a"])
    let sizes = try session.select(
      Sample.self, { $0.style.json("$.size", as: Double.self) }, orderBy: { [$0.id.ascending] })
    #expect(sizes == [9, 12.5, nil])
  }

  @Test("full text through SQL of one's own", .needs(.fts5))
  func fullText() throws {
    try save("the desert planet", "a planet of oceans", "the sea")
    try session.execute("INSERT INTO sample_search (sample_search) VALUES ('rebuild')")
    let words = "planet NOT desert"
    #expect(
      try texts { _ in
        .sql("id IN (SELECT rowid FROM sample_search WHERE sample_search MATCH \(words))")
      } == ["a planet of oceans"])
  }

  @Test("full text through matches, negated and together with others", .needs(.fts5))
  func matches() throws {
    try save("the desert planet", "a planet of oceans", "the sea")
    try session.execute("INSERT INTO sample_search (sample_search) VALUES ('rebuild')")
    #expect(try texts { $0.matching("planet", in: "sample_search") } == ["the desert planet", "a planet of oceans"])
    #expect(try texts { !$0.matching("planet", in: "sample_search") && $0.id > 0 } == ["the sea"])
    #expect(try texts { $0.matching("pla* NOT desert", in: "sample_search") } == ["a planet of oceans"])
    #expect(throws: SQLiteError.self) { try texts { $0.matching("\"", in: "sample_search") } }
    #expect(throws: SQLiteError.self) { try texts { $0.matching("x", in: "no_search") } }
  }

  @Test("contains in either case takes signs of patterns as they are")
  func ignoringCase() throws {
    try save("100% Sure", "100 sure", "a_B", "axb", "back\\slash")
    #expect(try texts { $0.text.contains("% SURE", .ignoringCase) } == ["100% Sure"])
    #expect(try texts { $0.text.contains("A_b", .ignoringCase) } == ["a_B"])
    #expect(try texts { $0.text.contains("\\SL", .ignoringCase) } == ["back\\slash"])
    #expect(try texts { $0.text.contains("SURE") } == [])
  }

  @Test("ranges over optional columns leave out rows without a value")
  func optionalRanges() throws {
    try session.save([FilterModels.sample("a", ratio: 1), FilterModels.sample("b"), FilterModels.sample("c", ratio: 2)])
    #expect(try texts { $0.ratio.isIn(1..<2) } == ["a"])
    #expect(try texts { $0.ratio.isIn(1...2) } == ["a", "c"])
    #expect(try texts { !$0.ratio.between(1, 1.5) } == ["b", "c"])
    #expect(try session.exists(Sample.self))
  }

  @Test("columns of an embedded fragment, also in orders, selections and updates")
  func fragments() throws {
    try session.save([
      FilterModels.sample("a", city: "Oslo", code: 3), FilterModels.sample("b", city: "Rome"),
      FilterModels.sample("c", city: "Bern", code: 1),
    ])
    #expect(try texts { $0.origin.city == "Rome" && $0.origin.code == nil } == ["b"])
    #expect(try texts { $0.origin.code != 3 } == ["b", "c"])
    #expect(
      try session.select(Sample.self, { ($0.origin.city) }, orderBy: { [$0.origin.city.descending] })
        == ["Rome", "Oslo", "Bern"])
    #expect(try session.update(Sample.self, set: { [$0.origin.code.set(9)] }, where: { $0.origin.city == "Rome" }) == 1)
    #expect(try session.find(Sample.self, 2)?.origin == .init(city: "Rome", code: 9))
  }

  @Test("dates stored as ISO 8601 text compare as dates, before 1970 and to the millisecond")
  func codedDates() throws {
    let moments = [-3_000_000_000.0, -0.001, 0, 0.001, 59.999, 86_400, 4_102_444_800]
    try session.save(moments.map { FilterModels.sample("\($0)", moment: $0) })
    for moment in moments {
      let date = Date(timeIntervalSince1970: moment)
      #expect(try texts { $0.moment == date } == ["\(moment)"])
      #expect(try texts { $0.moment < date } == moments.filter { $0 < moment }.map { "\($0)" })
      #expect(try texts { $0.moment >= date } == moments.filter { $0 >= moment }.map { "\($0)" })
      #expect(try texts { $0.moment.isIn([date]) } == ["\(moment)"])
    }
    let (low, high) = (Date(timeIntervalSince1970: -1), Date(timeIntervalSince1970: 60))
    #expect(try texts { $0.moment.isIn(low..<high) }.count == 4)
    #expect(try texts { $0.moment.between(low, high) }.count == 4)
    #expect(try session.value(Sample.self, { $0.moment.max }) == Date(timeIntervalSince1970: 4_102_444_800))
    #expect(throws: RecordError.self) { try texts { $0.moment < .distantFuture.addingTimeInterval(1e12) } }
  }

  @Test("names that are keywords or have quotes, blanks and letters beyond ASCII")
  func oddNames() throws {
    let odds = [
      Odd(key: 1, order: "x", quoted: 5, spaced: nil, foreign: 0.5),
      Odd(key: 2, order: "y", quoted: 6, spaced: "s", foreign: 2),
    ]
    try session.save(odds)
    var changed = try session.save(odds[0], .update(\.quoted, \.spaced))
    #expect(try session.all(Odd.self, where: { $0.quoted == 5 && $0.spaced == nil && $0.foreign < 1 }) == [odds[0]])
    #expect(try session.find(Odd.self, 2) == odds[1])
    changed.quoted = 9
    try session.update(changed, \.quoted)
    #expect(try session.updateAll(Odd.self, set: { [$0.quoted.increase(by: 1), $0.spaced.set("t")] }) == 2)
    #expect(
      try session.select(Odd.self, { ($0.quoted, $0.order) }, orderBy: { [$0.quoted.descending] }).map(\.0) == [10, 7])
    let page = try session.page(Odd.self, size: 1, orderBy: { [$0.foreign.descending, $0.spaced.ascending] })
    let rest = try session.page(
      Odd.self, size: 1, after: page.next, orderBy: { [$0.foreign.descending, $0.spaced.ascending] })
    #expect((page.items + rest.items).map(\.order) == ["y", "x"])
    #expect(throws: RecordReason.violation(.unique, table: Odd.table.name, columns: ["order"])) {
      try reasoned { try session.save(Odd(key: 3, order: "y", quoted: 1, spaced: nil, foreign: 0)) }
    }
    let observation = try session.observe(Odd.self) { _ in }
    #expect(try session.delete(Odd.self, where: { $0.order.isIn(["x", "y"]) }) == 2)
    observation.cancel()
    #expect(try session.columnNames(of: Odd.table.name) == ["group", "order", "a\"b'c]", "two words; --", "größe"])
  }

  @Test("any goes along a foreign key from either side, nested, and to the same table")
  func related() throws {
    try session.save(Place(id: 1, name: "root", parent: nil), Place(id: 2, name: "leaf", parent: 1))
    try session.save([
      FilterModels.sample("a", id: 1, place: 1), FilterModels.sample("b", id: 2, place: 2),
      FilterModels.sample("c", id: 3),
    ])
    try session.save(
      Part(id: nil, sample: 1, size: 5), Part(id: nil, sample: 2, size: 50), Part(id: nil, sample: 2, size: 1))
    #expect(try texts { $0.any(Part.self) } == ["a", "b"])
    #expect(try texts { $0.any(Part.self) { $0.size > 10 } } == ["b"])
    #expect(try texts { !$0.any(Part.self) { $0.size > 10 } } == ["a", "c"])
    #expect(try texts { $0.any(Place.self) { $0.name == "leaf" } } == ["b"])
    #expect(try texts { sample in sample.any(Part.self) { $0.size == 5 } && sample.any(Place.self) } == ["a"])
    #expect(try texts { $0.any(Place.self) { $0.any(Place.self) { $0.name == "leaf" } } } == ["a"])
    #expect(try texts { outer in outer.any(Part.self) { $0.size > outer.number && $0.sample == 2 } } == ["b"])
    let parts = try session.all(Part.self, where: { $0.any(Sample.self) { $0.any(Place.self) { $0.parent == 1 } } })
    #expect(parts.map(\.size).sorted() == [1, 50])
    let places = try session.all(
      Place.self, where: { $0.any(Sample.self) { sample in sample.any(Part.self) { $0.size == 5 } } })
    #expect(places.map(\.name) == ["root"])
    #expect(try session.all(Place.self, where: { $0.any(Place.self) }).map(\.name) == ["root"])
    #expect(throws: RecordReason.noRelation(0)) {
      try reasoned { try session.all(Odd.self, where: { $0.any(Part.self) }) }
    }
    #expect(try session.delete(Sample.self, where: { !$0.any(Part.self) }) == 1)
    #expect(try session.update(Place.self, set: { [$0.name.set("x")] }, where: { $0.any(Place.self) }) == 1)
  }
}

import Foundation
import SchemaKit
import Testing

@Suite("Orders, limits and streams of rows")
struct OrderingTests {
  typealias Sample = FilterModels.Sample

  let session: Session

  init() throws {
    session = try Session(inMemory: FilterModels.schema)
    try session.save([
      FilterModels.sample("b", id: 1, nick: nil, number: 2), FilterModels.sample("B", id: 2, nick: "x", number: 1),
      FilterModels.sample("a", id: 3, nick: "Y", number: 2), FilterModels.sample("A", id: 4, nick: nil, number: 1),
      FilterModels.sample("c ", id: 5, nick: "", number: 3), FilterModels.sample("c", id: 6, nick: "z", number: 3),
    ])
  }

  private func ids(_ orderings: (Fields<Sample>) -> [Ordering]) throws -> [Int64] {
    try session.all(Sample.self, orderBy: orderings).compactMap(\.id)
  }

  @Test("where NULL stands, by itself and when it is said")
  func nulls() throws {
    #expect(try ids { [$0.nick.ascending, $0.id.ascending] } == [1, 4, 5, 2, 3, 6])
    #expect(try ids { [$0.nick.ascending.nullsFirst, $0.id.ascending] } == [1, 4, 5, 2, 3, 6])
    #expect(try ids { [$0.nick.ascending.nullsLast, $0.id.ascending] } == [5, 2, 3, 6, 1, 4])
    #expect(try ids { [$0.nick.descending, $0.id.ascending] } == [6, 3, 2, 5, 1, 4])
    #expect(try ids { [$0.nick.descending.nullsLast, $0.id.ascending] } == [6, 3, 2, 5, 1, 4])
    #expect(try ids { [$0.nick.descending.nullsFirst, $0.id.ascending] } == [1, 4, 6, 3, 2, 5])
    #expect(try ids { [$0.number.descending.nullsFirst, $0.id.descending] } == [6, 5, 3, 1, 4, 2])
  }

  @Test("collations of the column and of the order")
  func collations() throws {
    #expect(try ids { [$0.text.ascending] } == [4, 2, 3, 1, 6, 5])
    #expect(try ids { [$0.text.collate(.nocase).ascending, $0.id.descending] } == [4, 3, 2, 1, 6, 5])
    #expect(try ids { [$0.text.collate(.rtrim).descending, $0.id.ascending] } == [5, 6, 1, 3, 2, 4])
    #expect(try ids { [$0.nick.collate(.binary).ascending.nullsLast, $0.id.ascending] } == [5, 3, 2, 6, 1, 4])
    #expect(try session.count(Sample.self, where: { $0.text.collate(.nocase) == "B" }) == 2)
    #expect(try session.count(Sample.self, where: { $0.nick.collate(.binary) == "y" }) == 0)
    #expect(throws: SQLiteError.self) { try ids { [$0.text.collate("nobody's").ascending] } }
  }

  @Test("several keys, expressions, and orders of one's own")
  func terms() throws {
    #expect(try ids { [$0.number.descending, $0.text.ascending] } == [6, 5, 3, 1, 4, 2])
    #expect(try ids { [.sql("length(text)", descending: true), $0.id.ascending] } == [5, 1, 2, 3, 4, 6])
    #expect(try ids { [.sql("id = \(4)", descending: true), $0.id.ascending] }.first == 4)
    #expect(try ids { _ in [Field<Int>.sql("-id").ascending] } == [6, 5, 4, 3, 2, 1])
  }

  @Test("limit and offset, also beyond the end and without one another")
  func limits() throws {
    func ids(_ limit: Int?, _ offset: Int?) throws -> [Int64] {
      try session.all(Sample.self, orderBy: { [$0.id.ascending] }, limit: limit, offset: offset).compactMap(\.id)
    }
    #expect(try ids(2, nil) == [1, 2])
    #expect(try ids(2, 3) == [4, 5])
    #expect(try ids(nil, 4) == [5, 6])
    #expect(try ids(0, 0) == [])
    #expect(throws: RecordReason.other(.count("limit", -1, least: 0))) { try reasoned { try ids(-1, 5) } }
    #expect(throws: RecordReason.other(.count("offset", -5, least: 0))) { try reasoned { try ids(1, -5) } }
    #expect(try ids(Int.max, 5) == [6])
    #expect(try ids(3, Int.max) == [])
    #expect(try session.first(Sample.self, orderBy: { [$0.id.descending] })?.id == 6)
    #expect(try session.first(Sample.self, where: { $0.id > 6 }) == nil)
  }

  @Test("rows are handed over one by one, and an error of the body ends it and leaves the session usable")
  func streams() throws {
    struct Enough: Error {}
    var seen: [Int64?] = []
    #expect(throws: Enough.self) {
      try session.forEach(
        Sample.self, orderBy: { [$0.id.ascending] },
        { sample in
          seen.append(sample.id)
          if seen.count == 3 { throw Enough() }
        })
    }
    #expect(seen == [1, 2, 3])
    #expect(try session.deleteAll(Sample.self) == 6)
    try session.forEach(Sample.self) { _ in Issue.record("a row of an empty table") }
  }

  @Test("a stored value that does not fit names its column and row, and the rows before it are handed over")
  func typeMismatches() throws {
    try session.execute("UPDATE samples SET flag = 2 WHERE id = 3")
    var seen: [Int64?] = []
    let error = #expect(throws: RecordError.self) {
      try session.forEach(Sample.self, orderBy: { [$0.id.ascending] }, { seen.append($0.id) })
    }
    #expect(seen == [1, 2])
    #expect(error.map(RecordReason.init) == .typeMismatch(column: "flag"))
    #expect(error?.description.contains("in the row 3") == true)
    #expect(throws: RecordReason.typeMismatch(column: "flag")) { try reasoned { try session.find(Sample.self, 3) } }
    let page = { try session.page(Sample.self, size: 9) }
    #expect(throws: RecordReason.typeMismatch(column: "flag")) { try reasoned { try page() } }
    #expect(try session.find(Sample.self, 4)?.text == "A")
  }

  @Test("text that is not UTF-8 is refused by every way of reading objects, never repaired")
  func brokenText() throws {
    try session.execute("UPDATE samples SET text = CAST(x'61FF62' AS TEXT) WHERE id = 3")
    #expect(throws: RecordReason.typeMismatch(column: "text")) { try reasoned { try session.find(Sample.self, 3) } }
    #expect(throws: RecordReason.typeMismatch(column: "text")) { try reasoned { try session.all(Sample.self) } }
    try session.save(FilterModels.Place(id: 1, name: "p", parent: nil))
    try session.updateAll(Sample.self, set: { [$0.place.set(1)] })
    #expect(throws: RecordReason.typeMismatch(column: "text")) {
      try reasoned { try session.query(Sample.self, "SELECT * FROM samples") }
    }
    #expect(throws: RecordReason.typeMismatch(column: "text")) {
      try reasoned { try session.join(Sample.self, FilterModels.Place.self) }
    }
    #expect(throws: RecordReason.typeMismatch(column: "text")) {
      try reasoned { try session.all(FilterModels.Place.self, with: Sample.self) }
    }
  }
}

import Foundation
import SchemaKit
import Testing

@Suite("What older libraries could read, and what they got wrong", .needs(.fts5))
struct ReplacedReadingTests {
  typealias Volume = Shelf.Volume
  typealias Writer = Shelf.Writer

  private func ids(_ filter: (Fields<Volume>) -> Filter) throws -> [Int64] {
    try Shelf.session().all(Volume.self, where: filter, orderBy: { [$0.id.ascending] }).compactMap(\.id)
  }

  @Test("comparisons with values, with nil and with each other, joined by and, or and not")
  func comparisons() throws {
    #expect(try ids { $0.views == 7 } == [2])
    #expect(try ids { $0.views != 7 && $0.views >= 3 } == [1, 3])
    #expect(try ids { $0.price == nil || $0.price > 12 } == [3, 4])
    #expect(try ids { $0.price != nil && !($0.views < 5) } == [1, 2])
    #expect(try ids { $0.price != 9 } == [1, 3, 4])
    #expect(try ids { !($0.price > 10) } == [2, 4])
    #expect(try ids { $0.genre == .essay } == [3])
  }

  @Test("membership in lists, also empty and very long ones, and in ranges with and without their end")
  func membership() throws {
    #expect(try ids { $0.views.isIn([5, 7]) } == [1, 2])
    #expect(try ids { $0.views.isIn([]) } == [])
    #expect(try ids { !$0.price.isIn([9, 12]) } == [3, 4])
    #expect(try ids { $0.price.isIn([9, nil]) } == [2, 4])
    #expect(try ids { $0.views.isIn(Array(5...50_000)) } == [1, 2])
    #expect(try ids { $0.views.isIn(3..<5) } == [3])
    #expect(try ids { $0.views.isIn(3...5) } == [1, 3])
    #expect(try ids { $0.views.between(3, 5) } == [1, 3])
  }

  @Test("patterns with an escape, GLOB, and texts taken literally")
  func patterns() throws {
    #expect(try ids { $0.title.like("%o%") } == [1, 3, 4])
    #expect(try ids { $0.title.like("100\\%%", escape: "\\") } == [4])
    #expect(try ids { !$0.title.like("%o%") } == [2])
    #expect(try ids { $0.title.glob("*[WF]*") } == [2, 3])
    #expect(try ids { $0.title.hasPrefix("The") } == [2])
    #expect(try ids { $0.title.contains("0%") } == [4])
    #expect(try ids { $0.title.hasSuffix("es") } == [2, 3])
  }

  @Test("full-text search through a virtual table, and a condition in SQL with its values bound")
  func searches() throws {
    #expect(try ids { $0.matching("waves OR orlando", in: "volume_search") } == [1, 2])
    let name = "x' OR 1 --"
    #expect(try ids { _ in .sql("title = \(name)") } == [])
    #expect(try ids { _ in .sql("length(title) = \(9)") } == [2, 3, 4])
  }

  @Test("sorting by several keys, where NULL stands, a collation, and a part of the list")
  func order() throws {
    let session = try Shelf.session()
    #expect(
      try session.all(Volume.self, orderBy: { [$0.genre.ascending, $0.price.descending.nullsFirst] }).map(\.id)
        == [3, 4, 1, 2])
    #expect(try session.all(Volume.self, orderBy: { [$0.price.ascending] }).map(\.id) == [4, 2, 1, 3])
    #expect(
      try session.all(Volume.self, orderBy: { [$0.title.collate(.nocase).descending] }, limit: 2, offset: 1).map(\.id)
        == [1, 3])
    #expect(try session.first(Volume.self, orderBy: { [$0.views.descending] })?.id == 2)
  }

  @Test("counts, existence, aggregates, groups and distinct values")
  func aggregates() throws {
    let session = try Shelf.session()
    #expect(try session.count(Volume.self, where: { $0.price > 10 }) == 2)
    #expect(try session.exists(Volume.self, where: { $0.views > 100 }) == false)
    #expect(try session.exists(Volume.self, key: 3))
    #expect(try session.value(Volume.self, { $0.price.sum }) == 36)
    #expect(try session.value(Volume.self, { $0.price.average }) == 12)
    #expect(try session.value(Volume.self, { $0.views.max }) == 7)
    #expect(try session.value(Volume.self, { $0.views.min }, where: { $0.views > 1 }) == 3)
    #expect(try session.select(Volume.self, { $0.genre }, orderBy: { [$0.genre.ascending] }, distinct: true).count == 2)
    let groups = try session.select(
      Volume.self, { ($0.writerID, $0.id.count, $0.price.sum) }, groupBy: { [$0.writerID.grouped] },
      orderBy: { [$0.writerID.ascending] })
    #expect(groups.map(\.0) == [nil, 1, 2])
    #expect(groups.map(\.1) == [1, 2, 1])
    #expect(groups.map(\.2) == [nil, 21, 15])
  }

  @Test("functions of SQLite, window functions among them, as typed expressions")
  func functions() throws {
    let session = try Shelf.session()
    let rows = try session.select(
      Volume.self,
      { ($0.id, Field<String>.sql("upper(title)"), Field<Int>.sql("rank() OVER (ORDER BY views DESC)")) },
      orderBy: { [$0.id.ascending] })
    #expect(rows.map(\.1) == ["ORLANDO", "THE WAVES", "FICCIONES", "100% ANON"])
    #expect(rows.map(\.2) == [2, 1, 3, 4])
    #expect(try session.select(Volume.self, { $0.tags.json("$[0]", as: String.self) }) == ["time", nil, "maze", nil])
  }

  @Test("pairs along a foreign key, those without a partner too, and whole families in two queries")
  func relations() throws {
    let session = try Shelf.session()
    let pairs = try session.join(
      Volume.self, Writer.self, where: { volume, writer in writer.name == "Woolf" && volume.views > 5 })
    #expect(pairs.map { "\($0.1.name): \($0.0.title)" } == ["Woolf: The Waves"])
    let all = try session.leftJoin(Volume.self, Writer.self, orderBy: { volume, _ in [volume.id.ascending] })
    #expect(all.map { $0.1?.name } == ["Woolf", "Woolf", "Borges", nil])
    let families = try session.all(
      Writer.self, with: Volume.self, orderBy: { [$0.name.ascending] }, childrenOrderBy: { [$0.views.descending] })
    #expect(families.map(\.0.name) == ["Borges", "Woolf"])
    #expect(families.map { $0.1.map(\.title) } == [["Ficciones"], ["The Waves", "Orlando"]])
    let essayists = try session.all(Writer.self, where: { $0.any(Volume.self) { $0.genre == .essay } })
    #expect(essayists.map(\.name) == ["Borges"])
  }

  @Test("rows as they are stored, with columns by name and by position, and an error instead of a trap")
  func plainRows() throws {
    let session = try Shelf.session()
    let row = try #require(try session.rows(Volume.self, where: { $0.id == 4 }).first)
    #expect(row["title"] == .text("100% Anon"))
    #expect(row["price"] == .null && row["nothing"] == nil && row[99] == nil)
    #expect(try row.get("views", as: Int.self) == 1)
    #expect(throws: (any Error).self) { try row.get("title", as: Int.self) }
    #expect(throws: RecordError.self) { try row.get("nothing", as: Int.self) }
    #expect(row.dictionary.count == 8)
  }

  @Test("queries in SQL with values by position and name, unions, recursion, views, and models from any of them")
  func queries() throws {
    let session = try Shelf.session()
    #expect(try session.query("SELECT title FROM volumes WHERE id = ? AND views > ?", [1, 2]).count == 1)
    #expect(try session.query("SELECT title FROM volumes WHERE id = :id", ["id": 2])[0]["title"] == .text("The Waves"))
    #expect(try session.query("SELECT name FROM writers UNION SELECT title FROM volumes").count == 6)
    let numbers = try session.query(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(5)) SELECT sum(i) AS total FROM n")
    #expect(try numbers[0].get("total", as: Int.self) == 15)
    #expect(try session.query("SELECT title FROM expensive").count == 2)
    #expect(try session.query(Volume.self, "SELECT * FROM volumes WHERE price < \(10)").map(\.id) == [2])
    #expect(throws: RecordError.self) { try session.query("SELECT ?", [1, 2]) }
    #expect(throws: SQLiteError.self) { try session.query("SELECT nothing FROM volumes") }
    #expect(try session.query("SELECT ids.name FROM writers AS ids ORDER BY 1 LIMIT 1")[0][0] == .text("Borges"))
  }

  @Test("objects one by one without an array, synchronously and as an asynchronous sequence")
  func oneByOne() async throws {
    var titles: [String] = []
    try Shelf.session().forEach(Volume.self) { titles.append($0.title) }
    #expect(titles.count == 4)
    let file = try TemporaryDatabase()
    let db = try await Database(at: file.sibling("new.db"), schema: Shelf.schema)
    try await db.save((1...600).map { Shelf.volume(Int64($0), "Volume \($0)") })
    var count = 0
    for try await volume in db.stream(Volume.self, orderBy: { [$0.id.ascending] }) {
      count += 1
      #expect(volume.id == Int64(count))
    }
    #expect(count == 600)
  }
}

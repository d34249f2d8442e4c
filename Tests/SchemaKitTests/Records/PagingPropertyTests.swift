import Foundation
import SchemaKit
import Testing

/// Pages in random orders against the one SELECT that gives all rows.
@Suite("Pages of a long list")
struct PagingPropertyTests {
  /// A key of two columns in another order than the table's, one of them without regard to case, and no rowid.
  private struct Line: Model, Hashable {
    let part: String
    let number: Int
    var nick: String?
    var size: Double?
    var name: String
    var moment: Date?

    static let table = ModelTable("lines", as: Self.init) {
      Column("part", \Line.part).collate(.nocase)
      Column("number", \Line.number)
      Column("nick", \Line.nick).collate(.nocase)
      Column("size", \Line.size)
      Column("name", \Line.name)
      Column("moment", \Line.moment, storing: .iso8601)
    } constraints: {
      Constraint.primaryKey(\.number, \.part)
    }.withoutRowID()
  }

  private typealias Order = (Fields<Line>) -> [Ordering]

  private static let texts = ["", "a", "A", "b", "B ", "B", "é", "e\u{301}", "a\u{0}", "a\u{0}b"]

  private static func order(_ random: inout SeededGenerator) -> (name: String, order: Order) {
    var names: [String] = []
    var terms: [(Fields<Line>) -> Ordering] = []
    for _ in 0..<random.number(0...3) {
      let (isDescending, nulls, collation) = (random.chance(50), random.number(0...2), random.number(0...3))
      let collations: [Collation] = [.nocase, .rtrim, .binary]
      func ordering<Value: ColumnValue>(_ field: Field<Value>) -> Ordering {
        let field = collation < 3 ? field.collate(collations[collation]) : field
        let ordering = isDescending ? field.descending : field.ascending
        return nulls == 0 ? ordering : nulls == 1 ? ordering.nullsFirst : ordering.nullsLast
      }
      let kind = random.number(0...6)
      names.append("\(kind)\(isDescending ? "-" : "+")n\(nulls)c\(collation)")
      switch kind {
      case 0: terms.append { ordering($0.nick) }
      case 1: terms.append { ordering($0.size) }
      case 2: terms.append { ordering($0.name) }
      case 3: terms.append { ordering($0.moment) }
      case 4: terms.append { ordering($0.part) }
      case 5: terms.append { _ in ordering(Field<Int?>.sql("nullif(length(name), 1)")) }
      default: terms.append { _ in .sql("abs(size - \(2))", descending: isDescending) }
      }
    }
    return (names.joined(separator: " "), { fields in terms.map { $0(fields) } })
  }

  private static func rows(_ random: inout SeededGenerator, count: Int) -> [Line] {
    var seen: Set<String> = []
    return (0..<count).compactMap { _ in
      let (part, number) = (random.pick(["a", "b", "C"]), random.number(0...40))
      guard seen.insert("\(part) \(number)").inserted else { return nil }
      return Line(
        part: part, number: number, nick: random.chance(40) ? nil : random.pick(texts),
        size: random.chance(40) ? nil : random.pick([-1, 0, 2, 4, 1e18]), name: random.pick(texts),
        moment: random.chance(40) ? nil : Date(timeIntervalSince1970: Double(random.number(-2...2))))
    }
  }

  private static func key(_ line: Line) -> String { "\(line.part) \(line.number)" }

  @Test("the pages together are all rows, once and in the order of one SELECT", arguments: 1...8)
  func union(seed: Int) throws {
    print("PagingPropertyTests.union seed \(seed)")
    var random = SeededGenerator(seed: seed)
    let session = try Session(inMemory: ModelSchema { Line.self })
    try session.save(Self.rows(&random, count: 40))
    for _ in 0..<8 {
      let (name, order) = Self.order(&random)
      let isFiltered = random.chance(40)
      let filter: (Fields<Line>) -> Filter? = { isFiltered ? $0.size != 2 || $0.name == "a" : nil }
      let whole = try session.all(
        Line.self, where: filter, orderBy: { order($0) + [$0.number.ascending, $0.part.ascending] })
      for size in 1...7 {
        var pages: [Line] = []
        var cursor: PageCursor?
        var turns = 0
        repeat {
          let page = try session.page(Line.self, size: size, after: cursor, where: filter, orderBy: order)
          #expect(page.next == nil || page.items.count == size, "\(name) size \(size)")
          pages += page.items
          cursor = page.next
          turns += 1
        } while cursor != nil && turns < 100
        #expect(pages.map(Self.key) == whole.map(Self.key), "seed \(seed), order \(name), size \(size)")
      }
    }
  }

  @Test("rows that come and go between pages neither hide nor repeat the others", arguments: 1...6)
  func changesBetweenPages(seed: Int) throws {
    print("PagingPropertyTests.changesBetweenPages seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for _ in 0..<5 {
      let session = try Session(inMemory: ModelSchema { Line.self })
      let (name, order) = Self.order(&random)
      let first = Self.rows(&random, count: 40)
      try session.save(first)
      var staying = Set(first.map(Self.key))
      var seen: [String] = []
      var cursor: PageCursor?
      repeat {
        let page = try session.page(Line.self, size: 5, after: cursor, orderBy: order)
        seen += page.items.map(Self.key)
        cursor = page.next
        // Also the very row that the cursor stands on may go.
        for victim in [page.items.last, random.any(first)].compactMap({ $0 }) where random.chance(60) {
          try session.delete(victim)
          staying.remove(Self.key(victim))
        }
        for line in Self.rows(&random, count: 3) { try session.save(line, .ignore) }
      } while cursor != nil && seen.count < 500
      #expect(Set(seen).isSuperset(of: staying), "seed \(seed), order \(name)")
      // A row that went may have come again at another place.
      let lasting = seen.filter { staying.contains($0) }
      #expect(lasting.count == Set(lasting).count, "seed \(seed), order \(name)")
    }
  }

  @Test("a cursor of another order, table or direction is refused")
  func foreignCursors() throws {
    let session = try Session(
      inMemory: ModelSchema {
        Line.self
        SavingModels.Event.self
        SavingModels.Tag.self
      })
    try session.save((0..<9).map { Line(part: "a", number: $0, nick: nil, size: 1, name: "n", moment: nil) })
    try session.save((0..<9).map { SavingModels.Tag(name: "\($0)", weight: $0) })
    let cursor = try #require(try session.page(Line.self, size: 2, orderBy: { [$0.name.ascending] }).next)
    let orders: [Order] = [
      { _ in [] }, { [$0.name.descending] }, { [$0.name.ascending, $0.size.ascending] }, { [$0.size.ascending] },
      { [$0.name.collate(.nocase).ascending] },
    ]
    for order in orders {
      #expect(throws: RecordReason.foreignCursor) {
        try reasoned { try session.page(Line.self, size: 2, after: cursor, orderBy: order) }
      }
    }
    #expect(throws: RecordReason.foreignCursor) {
      try reasoned { try session.page(SavingModels.Tag.self, size: 2, after: cursor) }
    }
    let near = try #require(try session.page(Line.self, size: 2, orderBy: { _ in [.sql("abs(number - \(1))")] }).next)
    #expect(throws: RecordReason.foreignCursor) {
      try reasoned { try session.page(Line.self, size: 2, after: near, orderBy: { _ in [.sql("abs(number - \(8))")] }) }
    }
    #expect(throws: RecordReason.noPrimaryKey("events")) {
      try reasoned { try session.page(SavingModels.Event.self, size: 2) }
    }
  }

  @Test("pages of an empty table, and one that ends exactly at the end")
  func edges() throws {
    let session = try Session(inMemory: ModelSchema { SavingModels.Tag.self })
    let empty = try session.page(SavingModels.Tag.self, size: 3)
    #expect(empty.items.isEmpty && empty.next == nil)
    try session.save((0..<6).map { SavingModels.Tag(name: "\($0)", weight: $0) })
    let all = try session.page(SavingModels.Tag.self, size: 6)
    #expect(all.items.count == 6 && all.next == nil)
    let half = try session.page(SavingModels.Tag.self, size: 3, orderBy: { [$0.weight.descending] })
    let rest = try session.page(SavingModels.Tag.self, size: 3, after: half.next, orderBy: { [$0.weight.descending] })
    #expect((half.items + rest.items).map(\.weight) == [5, 4, 3, 2, 1, 0] && rest.next == nil)
  }
}

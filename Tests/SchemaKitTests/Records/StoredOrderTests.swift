import Foundation
import SchemaKit
import Testing

@Suite("Values that are stored in another order than they have")
struct StoredOrderTests {
  private struct Price: Model, Hashable {
    let id: UUID
    var amount: Decimal
    var rebate: Decimal?
    var mask: UInt64
    var serial: UInt64
    var day: Date

    static let table = ModelTable("prices", as: Self.init) {
      Column("id", \Price.id).primaryKey()
      Column("amount", \Price.amount)
      Column("rebate", \Price.rebate)
      Column("mask", \Price.mask, storing: .text)
      Column("serial", \Price.serial, storing: .bigEndianBlob)
      Column("day", \Price.day, storing: .millisecondsSince1970)
    }
  }

  private let session: Session

  init() throws { session = try Session(inMemory: ModelSchema { Price.self }) }

  private func fill() throws -> [Price] {
    let amounts = ["9", "10", "-1.5", "100.25", "0"]
    let prices = try amounts.enumerated().map { index, amount in
      Price(
        id: UUID(), amount: try #require(Decimal(string: amount)), rebate: nil, mask: UInt64(index) * 7,
        serial: index == 0 ? .max : UInt64(index), day: Date(timeIntervalSince1970: Double(index) - 2))
    }
    try session.save(prices)
    return prices
  }

  @Test("decimal numbers are found by value, and every comparison that would go by text is refused")
  func decimals() throws {
    let prices = try fill()
    #expect(try session.all(Price.self, where: { $0.amount == 10 }) == [prices[1]])
    #expect(try session.count(Price.self, where: { $0.amount != 10 && $0.rebate == nil }) == 4)
    #expect(try session.count(Price.self, where: { $0.amount.isIn([9, 10]) }) == 2)
    #expect(throws: RecordError.self) { try session.all(Price.self, where: { $0.amount > 9 }) }
    #expect(throws: RecordError.self) { try session.delete(Price.self, where: { $0.amount < 100 }) }
    #expect(throws: RecordError.self) { try session.all(Price.self, where: { $0.rebate.between(1, 2) }) }
    #expect(throws: RecordError.self) { try session.all(Price.self, where: { $0.amount.isIn(1...20) }) }
    #expect(throws: RecordError.self) { try session.all(Price.self, orderBy: { [$0.amount.ascending] }) }
    #expect(throws: RecordError.self) { try session.page(Price.self, size: 2, orderBy: { [$0.rebate.descending] }) }
    #expect(throws: RecordError.self) { try session.value(Price.self, { $0.amount.max }) }
    #expect(Set(try session.all(Price.self)) == Set(prices))
  }

  @Test("unsigned numbers sort as numbers when they are stored as bytes, and not at all as digits")
  func unsigned() throws {
    let prices = try fill()
    let sorted = try session.all(Price.self, orderBy: { [$0.serial.ascending] })
    #expect(sorted.map(\.serial) == prices.map(\.serial).sorted())
    #expect(try session.count(Price.self, where: { $0.serial > UInt64(Int64.max) }) == 1)
    #expect(try session.value(Price.self, { $0.serial.max }) == .some(.max))
    #expect(try session.count(Price.self, where: { $0.mask == 7 }) == 1)
    #expect(throws: RecordError.self) { try session.all(Price.self, where: { $0.mask < 8 }) }
    #expect(throws: RecordError.self) { try session.all(Price.self, orderBy: { [$0.mask.ascending] }) }
  }

  @Test("what is stored as bytes or digits is not added to, which would lose it")
  func addingToCodedNumbers() throws {
    _ = try fill()
    let first = try? session.updateAll(Price.self, set: { [$0.serial.increase(by: 1)] })
    let second = try? session.updateAll(Price.self, set: { [$0.mask.increase(by: 1)] })
    let stored = try session.query("SELECT count(*) FROM prices WHERE typeof(serial) <> 'blob' OR length(serial) <> 8")
    #expect(first == nil && second == nil)
    #expect(stored[0][0] == .integer(0))
    #expect(throws: RecordError.self) { try session.updateAll(Price.self, set: { [$0.amount.increase(by: 1)] }) }
  }

  @Test("dates as milliseconds compare as dates")
  func milliseconds() throws {
    _ = try fill()
    #expect(try session.count(Price.self, where: { $0.day < Date(timeIntervalSince1970: 0) }) == 2)
    #expect(try session.value(Price.self, { $0.day.min }) == .some(Date(timeIntervalSince1970: -2)))
  }

  @Test("a cursor survives being written and read, whatever values it holds")
  func cursors() throws {
    let session = try Session(inMemory: FilterModels.schema)
    let ratios = [-Double.infinity, -0.5, nil, 1e300, Double.infinity]
    try session.save(ratios.map { FilterModels.sample("a\u{0}\"é", number: .min, ratio: $0, bytes: Data([0, 255])) })
    var seen: [Double?] = []
    var cursor: PageCursor?
    repeat {
      let page = try session.page(
        FilterModels.Sample.self, size: 1, after: cursor,
        orderBy: { [$0.ratio.ascending, $0.text.descending, $0.bytes.ascending, $0.number.ascending] })
      seen += page.items.map(\.ratio)
      cursor = try page.next.map { try JSONDecoder().decode(PageCursor.self, from: JSONEncoder().encode($0)) }
    } while cursor != nil && seen.count < 9
    #expect(seen == [nil, -.infinity, -0.5, 1e300, .infinity])
  }
}

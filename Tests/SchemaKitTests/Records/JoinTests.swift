import Foundation
import SchemaKit
import Testing

@Suite("Joins of two to four models")
struct JoinTests {
  private typealias Customer = Shop.Customer
  private typealias Item = Shop.Item
  private typealias Order = Shop.Order
  private typealias Site = Shop.Site

  private let session: Session

  init() throws { session = try Shop.session() }

  @Test("the foreign key may be that of the second model")
  func parentFirst() throws {
    let pairs = try session.join(Site.self, Customer.self, orderBy: { site, _ in [site.id.ascending] })
    #expect(pairs.map { "\($0.name) \($1.name)" } == ["north Ada", "south Cid"])
    try session.save(Site(id: 3, name: "west"))
    let all = try session.leftJoin(Site.self, Customer.self, orderBy: { site, _ in [site.id.ascending] })
    #expect(all.map { "\($0.name) \($1?.name ?? "-")" } == ["north Ada", "south Cid", "west -"])
    let alone = try session.leftJoin(Site.self, Customer.self, where: { _, customer in customer.name.isNil })
    #expect(alone.map(\.0.name) == ["west"])
  }

  @Test("of several foreign keys one is named, in either direction")
  func named() throws {
    #expect(throws: RecordReason.noRelation(2)) { try reasoned { try session.join(Order.self, Customer.self) } }
    #expect(throws: RecordReason.noRelation(2)) { try reasoned { try session.join(Customer.self, Order.self) } }
    #expect(throws: RecordReason.noRelation(0)) {
      try reasoned { try session.join(Order.self, Customer.self, via: \.total) }
    }
    let payers = try session.join(
      Order.self, Customer.self, via: \.payer, orderBy: { order, _ in [order.id.ascending] })
    #expect(payers.map(\.1.name) == ["Cid", "Ada"])
    let paid = try session.leftJoin(
      Customer.self, Order.self, via: \.payer, orderBy: { customer, _ in [customer.id.ascending] })
    #expect(paid.map { "\($0.name) \($1?.id ?? 0)" } == ["Ada 2", "Bob 0", "Cid 1"])
    let placed = try session.join(
      Customer.self, Order.self, via: \Order.customer, orderBy: { _, order in [order.id.ascending] }, limit: 2)
    #expect(placed.map(\.0.name) == ["Ada", "Ada"])
  }

  @Test("three models in a chain, down and up")
  func three() throws {
    let down = try session.join(
      Site.self, Customer.self, Order.self, via: [\Order.customer],
      where: { site, _, order in site.name == "north" && order.total > 5 },
      orderBy: { _, _, order in [order.id.ascending] })
    #expect(down.map { "\($0.0.name) \($0.1.name) \($0.2.id ?? 0)" } == ["north Ada 1"])
    let up = try session.join(
      Item.self, Order.self, Customer.self, via: [\Order.customer], orderBy: { item, _, _ in [item.name.descending] })
    #expect(up.map { "\($0.0.name) \($0.2.name)" } == ["pen Ada", "ink Ada", "cup Bob"])
    // The second model is related to both of the others.
    let around = try session.join(
      Site.self, Customer.self, Order.self, via: [\Order.payer], orderBy: { _, _, order in [order.id.ascending] })
    #expect(around.map { "\($0.0.name) \($0.2.id ?? 0)" } == ["south 1", "north 2"])
  }

  @Test("what is missing is nil, and all that is related to it")
  func threeLeft() throws {
    let rows = try session.leftJoin(
      Order.self, Customer.self, Site.self, via: [\Order.payer], orderBy: { order, _, _ in [order.id.ascending] })
    #expect(
      rows.map { "\($0.0.id ?? 0) \($0.1?.name ?? "-") \($0.2?.name ?? "-")" } == [
        "1 Cid south", "2 Ada north", "3 - -",
      ])
    let homeless = try session.leftJoin(
      Order.self, Customer.self, Site.self, via: [\Order.customer], where: { _, _, site in site.id == nil })
    #expect(homeless.map { "\($0.0.id ?? 0) \($0.1?.name ?? "-")" } == ["3 Bob"])
  }

  @Test("four models, with an order, a limit and a condition over all")
  func four() throws {
    let rows = try session.join(
      Item.self, Order.self, Customer.self, Site.self, via: [\Order.customer],
      where: { item, order, customer, site in
        item.order == order.id && customer.id == order.customer && customer.site == site.id && item.name != "cup"
      }, orderBy: { item, _, _, site in [site.name.ascending, item.name.ascending] }, limit: 5)
    #expect(rows.map { "\($0.0.name) \($0.3.name)" } == ["ink north", "pen north"])
    let all = try session.leftJoin(
      Site.self, Customer.self, Order.self, Item.self, via: [\Order.customer],
      orderBy: { _, _, _, item in [item.id.ascending.nullsLast] })
    #expect(
      all.map { "\($0.0.name) \($0.3?.name ?? "-")" }.sorted() == ["north -", "north ink", "north pen", "south -"])
  }

  @Test("models that nothing relates, or several keys, are refused with what to do")
  func refusals() {
    #expect(
      recordReason { try session.join(Site.self, Item.self) } == .unrelated(model: "Item", others: ["Site"]))
    #expect(
      recordReason { try session.join(Site.self, Customer.self, Item.self) }
        == .unrelated(model: "Item", others: ["Site", "Customer"]))
    #expect(
      recordReason { try session.join(Item.self, Order.self, Customer.self, via: [\Site.name]) }
        == .unknownField(model: "Item or Order or Customer", field: "\(\Site.name)"))
    #expect(
      recordReason { try session.leftJoin(Site.self, Customer.self, Order.self) }
        == .noRelation(from: "Order", to: "Customer", count: 2))
    #expect(
      recordSentence { try session.join(Site.self, Item.self) }
        == "No foreign key relates Item to Site, in either direction. Declare one with references(…), name a model "
        + "between them first, or join in SQL.")
  }

  @Test("of models that are related to several others, the foreign keys are named")
  func severalOthers() throws {
    let schema = ModelSchema {
      Site.self
      Customer.self
      Visit.self
    }
    let session = try Session(inMemory: schema)
    #expect(
      recordReason { try session.join(Site.self, Customer.self, Visit.self) }
        == .severalRelations(model: "Visit", columns: ["visits.site", "visits.customer"]))
    try session.save(Site(id: 1, name: "a"), Site(id: 2, name: "b"))
    try session.save(Customer(id: 1, name: "c", site: 1))
    try session.save(Visit(id: 1, site: 2, customer: 1))
    #expect(try session.join(Site.self, Customer.self, Visit.self, via: [\Visit.site]).isEmpty)
    #expect(try session.join(Site.self, Customer.self, Visit.self, via: [\Visit.customer]).map(\.0.name) == ["a"])
  }

  private struct Visit: Model, Hashable {
    let id: Int64?
    var site: Int64
    var customer: Int64

    static let table = ModelTable("visits", as: Self.init) {
      Column("id", \Visit.id).primaryKey()
      Column("site", \Visit.site).references(Site.self)
      Column("customer", \Visit.customer).references(Customer.self)
    }
  }
}

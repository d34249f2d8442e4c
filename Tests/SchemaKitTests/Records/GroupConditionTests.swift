import Foundation
import SchemaKit
import Testing

@Suite("Conditions on groups, fields in SQL, and sums of Decimal")
struct GroupConditionTests {
  private typealias Customer = Shop.Customer
  private typealias Item = Shop.Item
  private typealias Order = Shop.Order

  private let session: Session

  init() throws { session = try Shop.session() }

  @Test("groups are chosen by their aggregates")
  func having() throws {
    let many = try session.select(
      Order.self, { ($0.customer, $0.id.count, $0.total.sum) }, groupBy: { [$0.customer.grouped] },
      having: { $0.id.count > 1 && $0.total.max > 9 }, orderBy: { [$0.total.sum.descending] })
    #expect(many.map { "\($0.0) \($0.1) \($0.2 ?? -1)" } == ["1 2 15"])
    let one = try session.select(
      Order.self, { $0.customer }, where: { $0.total > 1 }, groupBy: { [$0.customer.grouped] },
      having: { $0.id.count == 2 && $0.customer == 1 })
    #expect(one == [1])
    let bySQL = try session.select(
      Item.self, { $0.order }, groupBy: { [$0.order.grouped] }, having: { .sql("\($0.id.count) > \(1)") })
    #expect(bySQL == [1])
  }

  @Test("an aggregate where one row is looked at is an error that points to having, before anything runs")
  func aggregates() throws {
    let before = try session.rows(Order.self)
    let expected = RecordError.Reason.aggregate(#"count("orders"."id")"#)
    #expect(recordReason { try session.all(Order.self, where: { $0.id.count > 3 }) } == expected)
    #expect(recordReason { try session.count(Order.self, where: { $0.total > 1 && !($0.id.count > 3) }) } == expected)
    #expect(recordReason { try session.delete(Order.self, where: { $0.id.count > 3 }) } == expected)
    #expect(
      recordReason { try session.updateAll(Order.self, set: { [$0.payer.set($0.id.max)] }) }
        == .aggregate(#"max("orders"."id")"#))
    #expect(
      recordReason { try session.select(Order.self, { $0.id }, groupBy: { [$0.id.count.grouped] }) } == expected)
    #expect(
      recordReason { try session.all(Order.self, where: { order in order.any(Item.self) { $0.id.count > 1 } }) }
        == .aggregate(#"count(_t1."id")"#))
    #expect(recordReason { try session.select(Order.self, { $0.id.count }, having: { $0.id.count > 1 }) } == .noGroups)
    #expect(try session.rows(Order.self) == before)
    #expect(
      recordSentence { try session.all(Order.self, where: { $0.id.count > 3 }) }
        == #"count("orders"."id") is computed from many rows, and a condition, a group or a new value from one. Write a "#
        + "condition on groups in having: of select, beside groupBy:.")
  }

  @Test("a field in a piece of SQL stands for its column, qualified in joins and subqueries")
  func fieldsInSQL() throws {
    let name = "ADA"
    #expect(try session.all(Customer.self, where: { .sql("upper(\($0.name)) = \(name)") }).map(\.id) == [1])
    let pairs = try session.join(
      Customer.self, Shop.Site.self,
      where: { customer, site in .sql("length(\(customer.name)) + \(1) < length(\(site.name)) AND \(site.id) = \(2)") })
    #expect(pairs.map(\.0.name) == ["Cid"])
    let related = try session.all(
      Order.self,
      where: { order in order.any(Item.self) { .sql("\($0.name) = \("cup") AND \($0.order) = \(order.id)") } })
    #expect(related.map(\.id) == [3])
    let families = try session.all(
      Order.self, with: Item.self, where: { .sql("\($0.id) < \(3)") }, orderBy: { [.sql("-\($0.id)")] }, limit: 1)
    #expect(families.map(\.0.id) == [2])
    let lengths = try session.select(
      Customer.self, { ($0.id, Field<Int>.sql("length(\($0.name))")) }, where: { $0.id == 1 })
    #expect(lengths.map(\.1) == [3])
    #expect(
      try session.update(Customer.self, set: { [$0.name.set(sql: "\($0.name) || \("!")")] }, where: { $0.id == 2 }) == 1
    )
    #expect(try session.find(Customer.self, 2)?.name == "Bob!")
    #expect(
      recordReason { try session.all(Customer.self, where: { .sql("\($0.name.average) > 1") }) }
        == .notANumber("customers.name", storage: "TEXT"))
  }

  @Test("Decimals of .scaled are summed and increased exactly, and have no average")
  func decimals() throws {
    try session.save((4...33).map { Order(id: $0, customer: 1, payer: nil, total: 0.1, tip: 0.01) })
    #expect(try session.value(Order.self, { $0.total.sum }) == Decimal(string: "18.1"))
    #expect(try session.value(Order.self, { $0.tip.sum }) == Decimal(string: "1.5"))
    #expect(try session.value(Order.self, { $0.tip.sum }, where: { $0.id == 1 }) == nil)
    #expect(
      try session.update(
        Order.self, set: { [$0.total.increase(by: 0.05), $0.tip.increase(by: 1)] }, where: { $0.id < 3 }) == 2)
    #expect(try session.find(Order.self, 1)?.total == Decimal(string: "10.05"))
    #expect(try session.find(Order.self, 1)?.tip == nil && session.find(Order.self, 2)?.tip == 2)
    guard case .notANumber = recordReason({ try session.value(Order.self, { $0.total.average }) }),
      case .unstorable = recordReason({ try session.updateAll(Order.self, set: { [$0.total.increase(by: 0.001)] }) })
    else {
      Issue.record("a Decimal was averaged, or increased by what its column cannot hold")
      return
    }
    try session.updateAll(Order.self, set: { [$0.total.set(Decimal(string: "92233720368547758.07") ?? 0)] })
    #expect(throws: SQLiteError.self) { try session.updateAll(Order.self, set: { [$0.total.increase(by: 0.01)] }) }
    #expect(throws: SQLiteError.self) { try session.value(Order.self, { $0.total.sum }) }
    #expect(try session.find(Order.self, 1)?.total == Decimal(string: "92233720368547758.07"))
  }

  @Test("a page without a size, and a negative limit or offset, are errors")
  func counts() throws {
    #expect(recordReason { try session.page(Order.self, size: 0) } == .count("page size", 0, least: 1))
    #expect(recordReason { try session.page(Order.self, size: -1) } == .count("page size", -1, least: 1))
    #expect(recordReason { try session.all(Order.self, limit: -1) } == .count("limit", -1, least: 0))
    #expect(recordReason { try session.all(Order.self, offset: -2) } == .count("offset", -2, least: 0))
    #expect(
      recordReason { try session.select(Order.self, { $0.id }, limit: .min) } == .count("limit", .min, least: 0))
    #expect(
      recordReason { try session.all(Customer.self, with: Order.self, via: \.customer, limit: -1) }
        == .count("limit", -1, least: 0))
    #expect(try session.all(Order.self, limit: 0).isEmpty)
    #expect(try session.page(Order.self, size: .max).items.count == 3)
    #expect(recordSentence { try session.all(Order.self, limit: -1) } == "The limit is -1. It must be at least 0.")
  }

  @Test("an embedded fragment is updated whole, and nothing else")
  func fragments() throws {
    var task = Shop.Task(
      id: 1, isDone: false, isUrgent: nil, isHidden: false, rank: 1, limit: nil, state: .init(isOpen: true, isLate: nil)
    )
    try session.save(task)
    task.rank = 9
    task.state = .init(isOpen: false, isLate: true)
    try session.update(task, \.state)
    let stored = try session.find(Shop.Task.self, 1)
    #expect(stored?.state == task.state && stored?.rank == 1)
    task.state.isLate = nil
    #expect(try session.save(task, .update(\.state)).rank == 1)
    #expect(try session.find(Shop.Task.self, 1)?.state == task.state)
  }
}

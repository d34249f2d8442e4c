import Foundation
import SchemaKit
import Testing

@Suite("Columns whose stored form is not the value")
struct StoredFormTests {
  private struct Order: Model {
    let id: Int64?
    var created: Date
    var changed: Date
    var paid: Date
    var shipped: Date
    var price: Decimal
    var cost: Decimal
    var fee: Decimal
    var ratio: Double
    var share: Double
    var half: Double
    var serial: UInt64
    var digits: UInt64
    var small: Int8
    var isOpen: Bool
    var tags: [String]
    var labels: Set<String>
    var size: Size?
    var code: String

    static let table = ModelTable("orders", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("created", \.created)
      Column("changed", \.changed, storing: .iso8601)
      Column("paid", \.paid, storing: .secondsSince1970)
      Column("shipped", \.shipped, storing: .iso8601)
      Column("price", \.price, storing: .scaled(digits: 2))
      Column("cost", \.cost, storing: .scaled(digits: 2))
      Column("fee", \.fee, storing: .scaled(digits: 3))
      Column("ratio", \.ratio, storing: .times(100))
      Column("share", \.share, storing: .times(100))
      Column("half", \.half, storing: .times(50))
      Column("serial", \.serial, storing: .bigEndianBlob)
      Column("digits", \.digits, storing: .text)
      Column("small", \.small)
      Column("is_open", \.isOpen)
      Column("tags", \.tags)
      Column("labels", \.labels)
      Column("size", \.size)
      Column("code", \.code)
    }
    .withoutOrderCheck()
  }

  fileprivate struct Size: JSONColumnValue, Hashable {
    var width: Int
    var unit: String
  }

  private struct Event: Model {
    let id: Int64?
    var order: Int64
    var moment: Date

    static let table = ModelTable("events", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("order_id", \.order).references(Order.self)
      Column("moment", \.moment, storing: .millisecondsSince1970)
    }
  }

  private let session: Session

  init() throws {
    session = try Session(
      inMemory: ModelSchema {
        Order.self
        Event.self
      })
    try session.save(order(1, created: 100, changed: 50))
    try session.save(order(2, created: 100, changed: 200))
    try session.save(Event(id: 1, order: 1, moment: Date(timeIntervalSince1970: 50)))
  }

  private func order(_ number: Int, created: Double, changed: Double) -> Order {
    let (created, changed) = (Date(timeIntervalSince1970: created), Date(timeIntervalSince1970: changed))
    return Order(
      id: Int64(number), created: created, changed: changed, paid: created, shipped: changed, price: 10, cost: 9,
      fee: 9, ratio: 0.5, share: 0.5, half: 0.5, serial: 41, digits: 2, small: 100, isOpen: true, tags: ["yxy"],
      labels: ["yxy"], size: Size(width: 1, unit: "x"), code: "yxy")
  }

  private func ids(_ filter: (Fields<Order>) -> Filter?) throws -> [Int64?] {
    try session.all(Order.self, where: filter, orderBy: { [$0.id.ascending] }).map(\.id)
  }

  private func reason(_ body: () throws -> Void) -> RecordError.Reason? {
    do { try body() } catch { return (error as? RecordError)?.reason }
    return nil
  }

  @Test("two columns that store the same date differently are not compared, in either order, by any sign")
  func comparisons() {
    let expected = RecordError.Reason.otherCoding(
      column: "orders.created", coding: nil, other: "orders.changed", otherCoding: ".iso8601")
    let turned = RecordError.Reason.otherCoding(
      column: "orders.changed", coding: ".iso8601", other: "orders.created", otherCoding: nil)
    for filter: (Fields<Order>) -> Filter in [
      { $0.created == $0.changed }, { $0.created != $0.changed }, { $0.created < $0.changed },
      { $0.created <= $0.changed }, { $0.created > $0.changed }, { $0.created >= $0.changed },
      { !($0.created < $0.changed) || .always },
    ] {
      #expect(reason { _ = try session.all(Order.self, where: filter) } == expected)
      #expect(reason { _ = try session.delete(Order.self, where: filter) } == expected)
    }
    #expect(reason { _ = try ids { $0.changed > $0.created } } == turned)
    #expect(
      RecordErrorText.of { try ids { $0.created < $0.changed } }
        == "orders.created is stored as its type says and orders.changed with .iso8601, so SQLite can neither "
        + "compare them nor copy one to the other. Store both in the same way with storing:, or convert one of them in "
        + "SQL, with .sql(…) or set(sql:).")
  }

  @Test("columns of one coding are compared, and so are the type's own form and .secondsSince1970")
  func sameCoding() throws {
    #expect(try ids { $0.changed == $0.shipped && $0.created == $0.paid } == [1, 2])
    #expect(try ids { $0.shipped < $0.changed || $0.paid > $0.created }.isEmpty)
    #expect(try ids { $0.price > $0.cost } == [1, 2])
    #expect(try ids { $0.ratio == $0.share } == [1, 2])
    #expect(try session.updateAll(Order.self, set: { [$0.changed.set($0.shipped), $0.paid.set($0.created)] }) == 2)
    #expect(try ids { $0.changed.collate(.binary) == $0.shipped } == [1, 2])
  }

  @Test("codings of one function with other arguments are not the same")
  func parameters() {
    guard
      case .otherCoding(_, ".scaled(digits: 2)", _, ".scaled(digits: 3)") = reason({ _ = try ids { $0.cost == $0.fee } }
      )
    else {
      Issue.record("two scales were compared")
      return
    }
    guard
      case .otherCoding("orders.ratio", let coding?, "orders.half", _) = reason({ _ = try ids { $0.ratio < $0.half } })
    else {
      Issue.record("two factors were compared")
      return
    }
    #expect(coding.hasPrefix("the coding in SchemaKitTests/StoredFormTests.swift:"))
  }

  @Test("a column does not take the value of another that stores it differently")
  func setting() throws {
    let before = try session.rows(Order.self)
    for assignment: (Fields<Order>) -> Assignment in [
      { $0.created.set($0.changed) }, { $0.changed.set($0.created) }, { $0.cost.set($0.fee) },
      { $0.half.set($0.ratio) },
      { $0.serial.set($0.digits) },
    ] {
      guard case .otherCoding = reason({ _ = try session.updateAll(Order.self, set: { [assignment($0)] }) }) else {
        Issue.record("a value was copied in the wrong form")
        continue
      }
    }
    #expect(try session.rows(Order.self) == before)
  }

  @Test("conditions between two models, and those inside any, compare no different forms either")
  func relations() {
    guard
      case .otherCoding("events.moment", ".millisecondsSince1970", "orders.changed", ".iso8601") = reason({
        _ = try session.join(Event.self, Order.self, where: { $0.moment == $1.changed })
      })
    else {
      Issue.record("a join compared milliseconds with texts")
      return
    }
    guard
      case .otherCoding = reason({
        _ = try ids { order in order.any(Event.self) { $0.moment < order.created } }
      })
    else {
      Issue.record("any compared milliseconds with seconds")
      return
    }
  }

  @Test("SQLite sums and averages nothing that is not stored as the number that it is")
  func aggregates() throws {
    func refused<Value: ColumnValue>(_ column: String, _ field: (Fields<Order>) -> Field<Value>) {
      guard case .notANumber("orders.\(column)", _) = reason({ _ = try session.value(Order.self, field) }) else {
        Issue.record("\(column) was added up")
        return
      }
    }
    refused("price") { $0.price.average }
    refused("serial") { $0.serial.sum }
    refused("serial") { $0.serial.average }
    refused("digits") { $0.digits.sum }
    refused("digits") { $0.digits.average }
    refused("ratio") { $0.ratio.sum }
    refused("ratio") { $0.ratio.average }
    refused("created") { $0.created.average }
    refused("changed") { $0.changed.average }
    refused("code") { $0.code.average }
    refused("tags") { $0.tags.average }
    #expect(
      RecordErrorText.of { try session.value(Order.self, { $0.price.average }) }
        == "orders.price is stored as INTEGER with .scaled(digits: 2), and SQLite would calculate with that in place of "
        + "the value. Read the values and calculate in Swift, or write the expression in SQL, such as "
        + "Field<Int64?>.sql(\"sum(…)\") or set(sql:). A Decimal that is stored with .scaled(digits:) has a sum, and can be "
        + "increased.")
    #expect(try session.value(Order.self, { $0.small.sum }) == 200)
    #expect(try session.value(Order.self, { $0.small.average }) == 100)
    #expect(try session.value(Order.self, { $0.isOpen.average }) == 1)
    #expect(throws: RecordError.self) {
      try session.select(Order.self, { $0.id }, groupBy: { [$0.id.grouped] }, orderBy: { [$0.serial.sum.descending] })
    }
  }

  @Test("the least, the greatest and the number of different values are right in every form that sorts")
  func extremes() throws {
    #expect(try session.value(Order.self, { $0.price.max }) == 10)
    #expect(try session.value(Order.self, { $0.changed.min }) == Date(timeIntervalSince1970: 50))
    #expect(try session.value(Order.self, { $0.ratio.max }) == 0.5)
    #expect(try session.value(Order.self, { $0.serial.countDistinct }) == 1)
    #expect(try session.value(Order.self, { $0.changed.countDistinct }) == 2)
  }

  @Test("only plain numbers are increased, and never beyond their type")
  func increasing() throws {
    for assignment: (Fields<Order>) -> Assignment in [
      { $0.ratio.increase(by: 1) }, { $0.created.increase(by: Date()) },
      { $0.isOpen.increase(by: true) }, { $0.code.increase(by: "1") }, { $0.serial.increase(by: 1) },
    ] {
      guard case .notANumber = reason({ _ = try session.updateAll(Order.self, set: { [assignment($0)] }) }) else {
        Issue.record("something else than a number was increased")
        continue
      }
    }
    #expect(try session.updateAll(Order.self, set: { [$0.small.increase(by: 27)] }) == 2)
    #expect(throws: SQLiteError.self) { try session.updateAll(Order.self, set: { [$0.small.increase(by: 1)] }) }
    #expect(try session.find(Order.self, 1)?.small == 127)
  }

  @Test("texts are looked for in texts only, never in the JSON of a collection or in numbers")
  func texts() throws {
    for filter: (Fields<Order>) -> Filter in [
      { $0.tags.contains("x", .exact) }, { $0.tags.hasPrefix("[") }, { $0.tags.hasSuffix("]") },
      { $0.tags.like("%x%") },
      { $0.tags.glob("*x*") }, { $0.labels.contains("X", .ignoringCase) }, { $0.size.contains("x") },
      { $0.tags.hasSuffix("") }, { $0.tags.collate(.nocase).hasPrefix("x") }, { $0.id.contains("1") },
      { $0.created.hasPrefix("1") }, { $0.serial.contains("x") }, { $0.price.like("1%") },
    ] {
      guard case .notAText = reason({ _ = try ids(filter) }) else {
        Issue.record("a text was looked for in something else")
        continue
      }
    }
    #expect(
      RecordErrorText.of { try ids { $0.tags.like("x") } }
        == "orders.tags is stored as JSON, in which no text can be looked for. Compare it with ==, look for an element of "
        + "an array or a set with contains(_:), or at a part of JSON with json(\"$[0]\", as: String.self), or write the "
        + "condition in SQL, with .sql(…).")
    #expect(try ids { $0.code.contains("x") && $0.changed.hasPrefix("1970-") } == [1, 2])
    #expect(try ids { $0.tags.json("$[0]", as: String.self).contains("x") && $0.tags == ["yxy"] } == [1, 2])
    let tag = "yxy"
    #expect(try ids { _ in .sql("EXISTS (SELECT 1 FROM json_each(tags) WHERE value = \(tag))") } == [1, 2])
  }
}

/// What a ``RecordError`` says.
private enum RecordErrorText {
  static func of(_ body: () throws -> some Any) -> String? {
    do { _ = try body() } catch { return (error as? RecordError)?.description }
    return nil
  }
}

extension ColumnCoding where Value == Double {
  /// Multiples of a number, so that one place in the source makes several codings.
  fileprivate static func times(_ factor: Double) -> Self {
    ColumnCoding(
      type: .real, encode: { .real($0 * factor) }, decode: { try Double(sqlValue: $0) / factor })
  }
}

import Foundation
import SchemaKit

/// Models that refer to each other in a chain and across it, with columns of every kind that a condition can ask about.
enum Shop {
  static let schema = ModelSchema {
    Site.self
    Customer.self
    Order.self
    Item.self
    Task.self
  }

  struct Site: Model, Hashable {
    let id: Int64?
    var name: String

    static let table = ModelTable("sites", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("name", \.name)
    }
  }

  struct Customer: Model, Hashable {
    let id: Int64?
    var name: String
    var site: Int64?

    static let table = ModelTable("customers", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("name", \.name)
      Column("site_id", \.site).references(Site.self)
    }
  }

  struct Order: Model, Hashable {
    let id: Int64?
    var customer: Int64
    var payer: Int64?
    var total: Decimal
    var tip: Decimal?

    static let table = ModelTable("orders", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("customer_id", \.customer).references(Customer.self)
      Column("payer_id", \.payer).references(Customer.self)
      Column("total", \.total, storing: .scaled(digits: 2))
      Column("tip", \.tip, storing: .scaled(digits: 2))
    }
  }

  struct Item: Model, Hashable {
    let id: Int64?
    var order: Int64
    var name: String

    static let table = ModelTable("items", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("order_id", \.order).references(Order.self)
      Column("name", \.name)
    }
  }

  struct State: Fragment, Hashable {
    var isOpen: Bool
    var isLate: Bool?

    static let columns = ColumnGroup(as: Self.init) {
      Column("is_open", \.isOpen)
      Column("is_late", \.isLate)
    }
  }

  struct Task: Model, Hashable {
    let id: Int64?
    var isDone: Bool
    var isUrgent: Bool?
    var isHidden: Bool
    var rank: Int
    var limit: Int?
    var state: State

    static let table = ModelTable("tasks", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("is_done", \.isDone)
      Column("is_urgent", \.isUrgent)
      Column("is_hidden", \.isHidden, storing: .yesNo)
      Column("rank", \.rank)
      Column("limit", \.limit)
      Column(embedding: \.state, prefix: "state_")
    }
  }

  /// Customers at two sites and one without, orders by three of them, and items.
  static func session(at path: String? = nil) throws -> Session {
    let session = try path.map { try Session(at: $0, schema: schema) } ?? Session(inMemory: schema)
    try session.save(Site(id: 1, name: "north"), Site(id: 2, name: "south"))
    try session.save(
      Customer(id: 1, name: "Ada", site: 1), Customer(id: 2, name: "Bob", site: nil),
      Customer(id: 3, name: "Cid", site: 2))
    try session.save(
      Order(id: 1, customer: 1, payer: 3, total: 10, tip: nil), Order(id: 2, customer: 1, payer: 1, total: 5, tip: 1),
      Order(id: 3, customer: 2, payer: nil, total: 0.1, tip: 0.2))
    try session.save(
      Item(id: 1, order: 1, name: "pen"), Item(id: 2, order: 1, name: "ink"), Item(id: 3, order: 3, name: "cup"))
    return session
  }
}

extension ColumnCoding where Value == Bool {
  /// Letters in place of numbers.
  fileprivate static var yesNo: Self {
    ColumnCoding(
      type: .text, encode: { .text($0 ? "Y" : "N") },
      decode: { stored in
        guard let text = stored.text, text == "Y" || text == "N" else {
          throw ColumnValueError(expected: "Y or N", found: stored.storageClass)
        }
        return text == "Y"
      })
  }
}

/// The reason of the ``RecordError`` that work throws; nil if it succeeds or throws something else.
func recordReason(_ body: () throws -> some Any) -> RecordError.Reason? {
  do { _ = try body() } catch { return (error as? RecordError)?.reason }
  return nil
}

/// What the ``RecordError`` says that work throws; nil if it succeeds or throws something else.
func recordSentence(_ body: () throws -> some Any) -> String? {
  do { _ = try body() } catch { return (error as? RecordError)?.description }
  return nil
}

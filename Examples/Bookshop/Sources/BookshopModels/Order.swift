public import SchemaKit

/// What a customer bought at one time.
public struct Order: Model {
  public let id: Int64?
  public var customer: String
  /// The day, as in 2026-11-21.
  public var placed: String

  public static let table = ModelTable("orders", as: Self.init) {
    Column("id", \.id).primaryKey()
    Column("customer", \.customer)
    Column("placed", \.placed).default(sql: "CURRENT_DATE")
  }
}

/// How many of a book an order has.
public struct OrderLine: Model {
  public let orderID: Int64
  public let bookID: Int64
  public var quantity: Int

  public static let table = ModelTable("order_lines", as: Self.init) {
    Column("order_id", \.orderID).references(Order.self, onDelete: .cascade)
    Column("book_id", \.bookID).references(Book.self, onDelete: .restrict)
    Column("quantity", \.quantity).default(1).check("quantity > 0")
  } constraints: {
    Constraint.primaryKey(\.orderID, \.bookID)
  } indexes: {
    Index("order_lines_by_book", on: \.bookID)
  }
  .withoutRowID()
}

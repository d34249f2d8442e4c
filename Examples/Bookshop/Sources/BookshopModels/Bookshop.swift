public import SchemaKit

/// The schema of the shop's database.
public enum Bookshop {
  public static let schema = ModelSchema {
    Author.self
    Book.self
    Order.self
    OrderLine.self
  }
}

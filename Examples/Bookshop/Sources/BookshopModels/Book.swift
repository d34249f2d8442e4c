public import SchemaKit

/// A book that the shop sells.
public struct Book: Model {
  public let id: Int64?
  public var title: String
  public var authorID: Int64
  /// The price in cents.
  public var price: Int

  public static let table = ModelTable("books", as: Self.init) {
    Column("id", \.id).primaryKey()
    Column("title", \.title)
    Column("author_id", \.authorID).references(Author.self, onDelete: .restrict)
    Column("price", \.price).renamed(from: "cost").check("price >= 0")
  } indexes: {
    Index("books_by_author", on: \.authorID, \.title)
  }
}

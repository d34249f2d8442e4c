public import SchemaKit

/// Somebody who wrote books.
public struct Author: Model {
  public let id: Int64?
  public var name: String

  public static let table = ModelTable("authors", as: Self.init) {
    Column("id", \.id).primaryKey()
    Column("name", \.name).unique().check("name <> ''")
  }
}

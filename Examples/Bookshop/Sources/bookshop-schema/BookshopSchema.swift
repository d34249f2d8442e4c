import BookshopModels
import SchemaKit
import SchemaKitCommands

@main
struct BookshopSchema: SchemaTool {
  static let schema = Bookshop.schema
}

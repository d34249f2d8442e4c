import OrderedCollections
package import SchemaKit

extension SchemaReport {
  /// A page with a picture of the schema and a description of every table, which needs nothing from the network.
  ///
  /// - Parameters:
  ///   - schema: The schema.
  ///   - name: Its name, as given by the user.
  package static func html(_ schema: DatabaseSchema, name: String) -> String {
    let counts = [
      (schema.tables.count + schema.virtualTables.count, "table"), (schema.indexes.count, "index"),
      (schema.views.count, "view"), (schema.triggers.count, "trigger"),
    ]
    let words = counts.filter { $0.0 > 0 }.map { Wording.counted($0.0, $0.1) }
    let introduction = words.isEmpty ? "Nothing is in it." : Wording.list(words) + "."
    return SchemaPage(title: name, introduction: Markup.text("p", [:], introduction), schema: schema).html
  }
}

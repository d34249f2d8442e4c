import OrderedCollections
package import SchemaKit

/// A schema as Swift: a model for each table, and a `ModelSchema` of all of it.
///
/// Definitions that a model cannot express are written as SQL, so that the models always create the schema they were
/// generated from.
package struct SwiftModels: Sendable {
  /// The source.
  package private(set) var text = ""
  /// The objects that are written as SQL and the reasons, one sentence per object.
  package private(set) var notes: [String] = []

  /// Writes a schema.
  ///
  /// - Parameters:
  ///   - schema: The schema.
  ///   - name: The name of the schema in the ledger; nil for the default.
  ///   - hints: The declared migration hints.
  package init(_ schema: DatabaseSchema, name: String? = nil, hints: MigrationHints = MigrationHints()) {
    var names = SwiftNames(reserving: ["Models"])
    let all = schema.tables.values.map { table in (table, SwiftTable(table, names: &names)) }
    var models: [SwiftTable] = []
    var objects: [String] = []
    for (table, model) in all {
      let obstacle = model.map { $0.obstacle(in: schema) } ?? "its statement cannot be read"
      if let model, obstacle == nil {
        models.append(model)
        continue
      }
      let reason = SwiftText.comment(obstacle ?? "")
      notes.append("table \(table.name) has no model, because \(reason); it stands in the schema as SQL.")
      objects.append("// \(SwiftText.comment(table.name.text)) has no model, because \(reason).")
      objects.append(SwiftObjects.object(table.sql, indent: 4))
      objects += schema.indexes(on: table.name).map { SwiftObjects.object($0.sql, indent: 4) }
    }
    for step in hints.dataSteps {
      notes.append("the data step \(step.name) is not written; it is code of the program.")
    }

    let byName = Dictionary(models.map { ($0.schema.name, $0) }, uniquingKeysWith: { first, _ in first })
    let sources = models.map { model in
      model.source(
        among: SwiftTable.Surroundings(
          models: byName, indexes: schema.indexes(on: model.schema.name),
          triggers: schema.triggers(on: model.schema.name), hints: hints.tables[model.schema.name]))
    }
    var elements = models.map { $0.type + ".self" } + objects
    elements += schema.virtualTables.values.map { SwiftObjects.virtualTable($0, indent: 4) }
    elements += schema.views.values.map { SwiftObjects.view($0, indent: 4) }
    elements += schema.triggers.values.filter { byName[$0.table] == nil }.map {
      SwiftObjects.trigger($0, isNested: false, indent: 4)
    }
    let usesFoundation = models.contains { $0.columns.contains { $0.type == "Data" } }
    text =
      ((usesFoundation ? "import Foundation\n" : "") + "import SchemaKit\n\n")
      + (sources + [Self.source(of: elements, name: name, hints: hints)]).joined(separator: "\n")
  }

  /// The schema that has all models in it.
  private static func source(of elements: [String], name: String?, hints: MigrationHints) -> String {
    var arguments: [(label: String?, value: SwiftText.Value)] = []
    if let name { arguments.append(("name", .name(name))) }
    let removed = hints.removedTables.sorted().map(\.text)
    if !removed.isEmpty { arguments.append(("removing", .code(SwiftText.array(removed)))) }
    let call = arguments.isEmpty ? "ModelSchema" : SwiftText.call("ModelSchema", arguments, indent: 2)
    let body = elements.map { "    \($0)\n" }.joined()
    return """
      /// The models and whatever else the schema has.
      enum Models {
        static let schema = \(call) {
      \(body)  }
      }

      """
  }
}

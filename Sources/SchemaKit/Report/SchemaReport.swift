import OrderedCollections

/// One schema, printed.
package enum SchemaReport {
  /// The statements that make the schema in an empty database; reading them back gives an equal schema.
  package static func sql(_ schema: DatabaseSchema) -> String {
    let groups = [
      schema.tables.values.map(\.sql) + schema.virtualTables.values.map(\.sql), schema.indexes.values.map(\.sql),
      schema.views.values.map(\.sql), schema.triggers.values.map(\.sql),
    ]
    return groups.filter { !$0.isEmpty }
      .map { group in group.map { PlanReport.terminated($0) + "\n" }.joined() }.joined(separator: "\n")
  }
}

import SchemaKitFoundation

extension SchemaInspector {
  /// Plans the migration to a schema and saves the plan, for `Configuration.Migration.planned` or `apply --plan`.
  ///
  /// *Cost:* the same as `plan(to:)`.
  ///
  /// - Parameter policy: The consent given with the plan.
  public func savedPlan(to schema: ModelSchema, allowing policy: PlanPolicy = .lossless) throws -> SavedPlan {
    try connection.sharingAdditions {
      let loaded = try SchemaLoader(source: schema.name).load(schema.declaration())
      let known = try KnownCatalog(connection)
      var request = ChangeRequest()
      request.known = known
      request.plan.policy = policy
      var plan = try schema.withRowFunctions(on: connection) {
        try Change(over: connection, to: loaded.target, request).plan()
      }
      if connection.options.key != nil { plan.removeSamples() }
      return SavedPlan(
        plan, from: known.schema, to: loaded.target, consent: policy, createdAt: Date().formatted(.iso8601))
    }
  }
}

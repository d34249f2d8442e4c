import SchemaKitFoundation

extension Change {
  /// A plan with its cost and what surrounds it.
  func surrounded(
    _ plan: MigrationPlan, by builder: PlanBuilder, from source: DatabaseSchema,
    _ formerNames: [SQLName: [SQLName: SQLName]]?,
    catalog number: Int?, start: ContinuousClock.Instant
  ) throws -> Prepared {
    var plan = plan
    let orphans = plan.isEmpty || request.plan.isQuick ? [:] : try self.orphans(before: plan, in: source)
    plan.estimate.cost = try CostEstimator(
      connection: connection, target: builder.target.schema, verification: request.plan.verification,
      preparation: (WorkClock.now - start) / .milliseconds(1)
    ).cost(of: plan, source: source)
    plan.hazards += try SurroundingHazards(
      connection: connection, profile: builder.profile, freeSpace: freeSpace, mayCopyOnline: !isInside
    ).hazards(of: plan, orphans: orphans)
    plan.hazards += try WriterHazards(
      connection: connection, source: source, target: builder.target.schema
    ).hazards(of: plan)
    plan.hazards += try notes(on: plan, builder.ledger)
    return Prepared(
      version: try dataVersion(), plan: plan, source: source, target: builder.target, formerNames: formerNames,
      catalog: number, orphans: orphans)
  }

  /// The rows that break a foreign key already, among those that a plan could break.
  func orphans(before plan: MigrationPlan, in source: DatabaseSchema) throws -> ForeignKeyGuard.Findings {
    let children = ForeignKeyGuard.children(in: source, touching: plan.tablesToCheck(in: source))
    return try ForeignKeyGuard(connection: connection).orphans(of: children, in: source)
  }
}

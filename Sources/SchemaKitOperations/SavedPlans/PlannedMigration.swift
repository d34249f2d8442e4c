extension Configuration.Migration {
  /// Only this plan may run, and only if it leads to the declared schema and still matches the file; anything else throws
  /// `PlanError` with the plan. The consent given when it was made applies.
  public static func planned(_ plan: SavedPlan) -> Self { Self(PlannedMigration(saved: plan)) }

  /// Only the plans of this one may run, each on a file of the schema that it was made for, and only if it leads to the
  /// declared schema and no more is at stake than was planned for in that file; anything else throws ``FleetRefusal`` or
  /// `PlanError`. The consent given with the plan applies. A new file gets the declared schema.
  public static func fleet(_ plan: FleetPlan) -> Self { Self(FleetMigration(fleetPlan: plan)) }
}

/// Allows a saved plan.
private struct PlannedMigration: MigrationPermission {
  let saved: SavedPlan

  // Only a comparison tells if the plan leads to the declared schema.
  var takesSameText: Bool { false }

  func grant(_ request: inout ChangeRequest, for target: TargetSchema) -> Bool {
    guard saved.leads(to: target) else { return false }
    request.plan.policy = saved.consent
    request.plan.isOrderStrict = saved.isOrderStrict
    request.plan.isQuick = !saved.plan.areRowsExamined
    request.plan.profile = saved.profile
    return true
  }

  func check(_ plan: MigrationPlan, on connection: any SQLConnection) throws {
    try saved.check(plan, on: connection)
  }
}

/// Allows the plans of a fleet.
private struct FleetMigration: MigrationPermission {
  let fleetPlan: FleetPlan

  var takesSameText: Bool { false }
  var localWork: RemoteError.LocalWork? { .fleetPlans }

  func grant(_ request: inout ChangeRequest, for target: TargetSchema) -> Bool {
    guard fleetPlan.leads(to: target) else { return false }
    request.plan.policy = fleetPlan.consent
    request.plan.isOrderStrict = fleetPlan.isOrderStrict
    return true
  }

  func check(_ plan: MigrationPlan, on connection: any SQLConnection) throws {
    // A file without any object has nothing to lose.
    guard plan.sourceFingerprint != Fingerprint.of(DatabaseSchema()) else { return }
    try fleetPlan.check(plan, of: (connection as? any LocalEngine)?.filePath ?? "")
  }
}

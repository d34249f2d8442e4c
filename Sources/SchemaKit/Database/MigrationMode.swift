extension Configuration.Migration {
  /// Sets what a change may do, and returns whether a migration is allowed at all.
  func grant(_ request: inout ChangeRequest, for target: TargetSchema) -> Bool {
    switch self {
    case .automatic(let policy):
      request.plan.policy = policy
      return true
    case .planned(let saved):
      guard saved.leads(to: target) else { return false }
      request.plan.policy = saved.consent
      request.plan.isOrderStrict = saved.isOrderStrict
      request.plan.isQuick = !saved.plan.areRowsExamined
      request.plan.profile = saved.profile
      return true
    case .fleet(let plan):
      guard plan.leads(to: target) else { return false }
      request.plan.policy = plan.consent
      request.plan.isOrderStrict = plan.isOrderStrict
      return true
    case .recorded:
      request.plan.policy = .lossless
      return true
    case .refuse:
      return false
    }
  }

  /// Accepts a plan, unless another one was agreed on.
  ///
  /// - Throws: `PlanError.stale`, `MigrationError.otherModels`.
  func check(_ plan: MigrationPlan, on connection: any SQLConnection) throws {
    switch self {
    case .planned(let saved): try saved.check(plan, on: connection)
    case .fleet(let fleetPlan):
      // A file without any object has nothing to lose.
      guard plan.sourceFingerprint != Fingerprint.of(DatabaseSchema()) else { return }
      try fleetPlan.check(plan, of: (connection as? any LocalEngine)?.filePath ?? "")
    case .recorded(let migrations):
      let objects = plan.steps.filter { !$0.strategy.isProgramWork && $0.onBehalfOf == nil }.map(\.object.name.text)
      guard !objects.isEmpty else { return }
      throw MigrationError(.otherModels(last: migrations.steps.last ?? "", objects: objects.sorted()))
    case .automatic, .refuse: break
    }
  }
}

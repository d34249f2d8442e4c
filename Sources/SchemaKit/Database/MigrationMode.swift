extension Configuration.Migration {
  /// Sets what a migration may do, and returns whether a migration is allowed at all.
  func grant(_ options: inout Migrator.Options, for target: TargetSchema) -> Bool {
    switch self {
    case .automatic(let policy):
      options.request.policy = policy
      return true
    case .planned(let saved):
      guard saved.leads(to: target) else { return false }
      options.request.policy = saved.consent
      options.request.isOrderStrict = saved.isOrderStrict
      options.request.isQuick = !saved.plan.areRowsExamined
      options.request.profile = saved.profile
      return true
    case .fleet(let plan):
      guard plan.leads(to: target) else { return false }
      options.request.policy = plan.consent
      options.request.isOrderStrict = plan.isOrderStrict
      return true
    case .recorded:
      options.request.policy = .lossless
      return true
    case .refuse:
      return false
    }
  }

  /// Accepts a plan, unless another one was agreed on.
  ///
  /// - Throws: `PlanError.stale`, `MigrationError.otherModels`.
  func check(_ plan: MigrationPlan, on connection: SQLiteConnection) throws {
    switch self {
    case .planned(let saved): try saved.check(plan, on: connection)
    case .fleet(let fleetPlan):
      // A file without any object has nothing to lose.
      guard plan.sourceFingerprint != Fingerprint.of(DatabaseSchema()) else { return }
      try fleetPlan.check(plan, of: connection.filePath ?? "")
    case .recorded(let migrations):
      let objects = plan.steps.filter { !$0.strategy.isProgramWork && $0.onBehalfOf == nil }.map(\.object.name.text)
      guard !objects.isEmpty else { return }
      throw MigrationError(.otherModels(last: migrations.steps.last ?? "", objects: objects.sorted()))
    case .automatic, .refuse: break
    }
  }
}

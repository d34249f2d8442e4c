extension Configuration.Migration {
  /// Sets what a migration may do, and returns whether there may be one at all.
  func grant(_ options: inout Migrator.Options, for target: TargetSchema) -> Bool {
    switch self {
    case .automatic(let policy):
      options.policy = policy
      return true
    case .planned(let saved):
      guard saved.leads(to: target) else { return false }
      options.policy = saved.consent
      options.isOrderStrict = saved.isOrderStrict
      options.isQuick = !saved.plan.areRowsExamined
      return true
    case .recorded:
      options.policy = .lossless
      return true
    case .refuse:
      return false
    }
  }

  /// Lets a plan pass, unless another one was agreed on.
  ///
  /// - Throws: `PlanError.stale`, `MigrationError.otherModels`.
  func check(_ plan: MigrationPlan, on connection: SQLiteConnection) throws {
    switch self {
    case .planned(let saved): try saved.check(plan, on: connection)
    case .recorded(let migrations):
      let objects = plan.steps.filter { $0.strategy != .data && $0.onBehalfOf == nil }.map(\.object)
      guard !objects.isEmpty else { return }
      throw MigrationError(.otherModels(last: migrations.steps.last ?? "", objects: objects.sorted()))
    case .automatic, .refuse: break
    }
  }
}

extension Configuration.Migration {
  /// Sets what a migration may do, and returns whether there may be one at all.
  func grant(
    _ options: inout Migrator.Options, for target: DeclaredTarget, over connection: SQLiteConnection
  ) -> Bool {
    switch self {
    case .automatic(let policy):
      options.policy = policy
      return true
    case .planned(let saved):
      guard saved.leads(to: target) else { return false }
      options.policy = saved.consent
      options.isOrderStrict = saved.target.isOrderStrict
      options.isQuick = !saved.plan.areRowsExamined
      let onPlan = options.onPlan
      options.onPlan = { plan in
        try saved.check(plan, on: connection)
        try onPlan(plan)
      }
      return true
    case .refuse:
      return false
    }
  }
}

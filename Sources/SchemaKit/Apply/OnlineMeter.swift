/// Reports how far an online copy is.
struct OnlineMeter {
  let plan: MigrationPlan
  let step: Int
  let tell: (ApplyProgress) -> Void
  private let start = ContinuousClock.now

  init(plan: MigrationPlan, step: Int, tell: @escaping (ApplyProgress) -> Void) {
    self.plan = plan
    self.step = step
    self.tell = tell
  }

  func copied(_ rows: Int64) { report(.copying, rows) }

  func compared(_ rows: Int64) { report(.comparing, rows) }

  private func report(_ activity: ApplyProgress.Activity, _ rows: Int64) {
    let all = plan.steps[step].rows
    tell(
      ApplyProgress(
        activity: activity, stepIndex: step, stepCount: plan.steps.count, step: plan.steps[step], rows: all,
        rowsDone: all.map { min($0, Int(rows)) }, elapsed: .now - start))
  }
}

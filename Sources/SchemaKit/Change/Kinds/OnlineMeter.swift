import SchemaKitFoundation

/// Reports how far a part of an online copy is.
struct OnlineMeter {
  private let activity: ApplyProgress.Activity
  private let plan: MigrationPlan
  private let step: Int
  private let onProgress: (ApplyProgress) -> Void
  private let start = WorkClock.now

  init(
    activity: ApplyProgress.Activity, plan: MigrationPlan, step: Int, tell onProgress: @escaping (ApplyProgress) -> Void
  ) {
    self.activity = activity
    self.plan = plan
    self.step = step
    self.onProgress = onProgress
  }

  /// - Parameter rows: The number of rows that are done.
  func tell(_ rows: Int64) {
    let all = plan.steps[step].rows
    onProgress(
      ApplyProgress(
        activity: activity, stepIndex: step, stepCount: plan.steps.count, step: plan.steps[step], rows: all,
        rowsDone: all.map { min($0, Int(rows)) }, elapsed: WorkClock.now - start))
  }
}

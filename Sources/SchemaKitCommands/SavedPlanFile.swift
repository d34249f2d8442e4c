import SchemaKit
import SchemaKitFoundation
import SchemaKitOperations
import SchemaKitReports

/// A file that holds a saved plan.
struct SavedPlanFile {
  var path: String
  var plan: SavedPlan

  /// Reads a saved plan, and refuses one that this program cannot carry out.
  ///
  /// - Parameter models: The program's models, whose data steps it can do; nil when it has none.
  init(reading path: String, models: ModelSchema?) throws {
    guard let data = FileManager.default.contents(atPath: path) else {
      let exists = FileManager.default.fileExists(atPath: path)
      let problem = exists ? "cannot be read; check its permissions" : "there is no such file"
      throw SavedPlanError(source: path, problem: problem)
    }
    self.path = path
    try MergeConflict.check(data, source: path)
    plan = try SavedPlan(json: data, source: path)
    let known = Set(try models?.declaration().hints.dataSteps.map(\.name) ?? [])
    let unknown = plan.dataSteps.filter { !known.contains($0) }
    guard unknown.isEmpty else {
      let names = unknown.joined(separator: ", ")
      throw SavedPlanError(
        source: path,
        problem: unknown.count == 1
          ? "the data step \(names) is work of the program that declares it; apply the plan with that program's tool"
          : "the data steps \(names) are work of the program that declares them; apply the plan with its tool")
    }
  }

  /// Refuses to write over anything but a saved plan.
  static func checkWritable(_ path: String) throws {
    try PrivateFile.checkOverwritable(path, isOlder: SavedPlan.isSavedPlan, what: "a saved plan")
  }

  /// Writes a plan, in place of an older one if there is one.
  ///
  /// - Parameter database: The database that it is for.
  static func write(_ plan: SavedPlan, to path: String, for database: String?) throws {
    do {
      // A plan that cannot be read back is refused here, not when it is applied.
      _ = try plan.targetSchema(source: path)
    } catch let error as SavedPlanError {
      throw CommandError(code: .failed, sentence: "the plan cannot be saved: \(error.problem).")
    }
    try PrivateFile.write(plan.json(), to: path, like: database)
  }
}

extension ApplyFlow {
  /// Returns the outcome if the saved plan is not the one that the database needs now; nil to go on.
  func refuseStale(_ survey: Survey, _ report: PlanReport) -> Outcome? {
    guard let saved, !survey.plan.isEmpty, !saved.plan.isSame(as: survey.plan, file: survey.file) else {
      noteOtherSchema(survey)
      return nil
    }
    let differences = saved.plan.differences(from: survey.plan, file: survey.file)
    var report = report
    report.ending = .stale(differences)
    switch format {
    case .json: console.print(report.json())
    case .ndjson: console.print(report.eventLine())
    case .text: break
    }
    console.error("\(saved.path) is stale. Nothing was changed; make the plan again with plan --out.")
    for difference in differences { console.error("  \(difference.sentence)") }
    return .newer
  }

  /// A change that the plan does not depend on is said, and keeps nothing from going on.
  private func noteOtherSchema(_ survey: Survey) {
    guard let saved, !survey.plan.isEmpty else { return }
    if let difference = saved.plan.schemaDifference(file: survey.file) {
      console.note(["\(difference.sentence); the plan is the same."])
    }
  }
}

extension Consent {
  /// Adds the consent that a saved plan was made with.
  mutating func add(recorded saved: SavedPlanFile, console: Console) {
    policy.strategy = saved.plan.consent.strategy
    policy.keepsDropped = policy.keepsDropped || saved.plan.consent.keepsDropped
    let texts = saved.plan.consent.optionTexts
    guard !texts.isEmpty else { return }
    policy.allowances += saved.plan.consent.allowances
    policy.allowsDowngrade = policy.allowsDowngrade || saved.plan.consent.allowsDowngrade
    console.note(["\(saved.path) was made with --allow \(texts.joined(separator: " --allow "))."])
  }
}

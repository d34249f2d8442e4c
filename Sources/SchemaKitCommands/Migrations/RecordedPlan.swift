import SchemaKit
import SchemaKitOperations

/// The plan of the next recorded step that a database lacks, over the rows that it has.
///
/// Later steps meet rows that are not there yet, so they are only named.
struct RecordedPlan {
  /// The step; the last one where none is missing, of which nothing is left to do.
  let step: Migration
  let isMissing: Bool
  var plan: MigrationPlan { survey.plan }
  let survey: Survey
  let target: TargetSchema
  /// The request for this step.
  let request: ChangeRequest
  /// The consent that was given on the command line and in the step.
  let policy: PlanPolicy
  /// The schema of the database, and the one that the step leads to.
  let schemas: (from: DatabaseSchema, to: DatabaseSchema)
  /// Notes on the plan, a sentence each.
  private(set) var notes: [String] = []

  /// Plans over a database; changes nothing.
  ///
  /// - Throws: `MigrationError` for one that the steps were not made for.
  init(
    _ access: DatabaseAccess, runner: MigrationRunner, models: ModelSchema?, request: ChangeRequest, console: Console
  ) throws {
    let looking = try access.openedForInspection()
    let (runner, status) = try runner.fitted(to: looking)
    let missing = runner.folder.steps.filter { status.missing.contains($0.name) }
    guard let step = missing.first ?? runner.folder.steps.last, let target = runner.target(of: step.name) else {
      throw CommandError(code: .failed, sentence: "\(runner.folder.path) holds no step.")
    }
    var request = try runner.request(request, for: step)
    // The rows after the statements have worked on them are not known here.
    if step.before != nil { request.plan.isQuick = true }
    let survey = try Survey.of(access, models: models, target: target, request: request, console: console)
    self.step = step
    isMissing = !missing.isEmpty
    self.survey = survey
    self.target = target
    self.request = request
    policy = request.plan.policy
    schemas = (survey.file, target.schema)
    guard !missing.isEmpty else {
      notes.append("\(access.path) has every step of \(runner.folder.path).")
      return
    }
    notes.append("this is the plan of step \(step.name), the next that \(access.path) lacks.")
    if step.before != nil {
      notes.append("\(step.dataPath(isBefore: true)) works on rows before it, so that they were not examined.")
    }
    if step.after != nil { notes.append("\(step.dataPath(isBefore: false)) works on rows after it.") }
    let later = missing.dropFirst().map(\.name)
    if !later.isEmpty {
      notes.append(
        "\(later.joined(separator: ", ")) \(later.count == 1 ? "stands" : "stand") behind it; apply --migrations "
          + "--dry-run does all of them, and rolls them back.")
    }
  }
}

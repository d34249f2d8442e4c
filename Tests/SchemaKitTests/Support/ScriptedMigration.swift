import SchemaKitReports

@testable import SQLiteSchema
@testable import SchemaKit

/// A migration by the script for an engine, in place of one by the library.
struct ScriptedMigration {
  let examination: PlanExamination
  private let change: Change

  var plan: MigrationPlan { examination.plan }

  /// Plans the way from a file to a schema for an engine.
  init(
    of path: String, to target: TargetSchema, for name: EngineProfile.Name, allowing policy: PlanPolicy = .destructive
  ) throws {
    var request = ChangeRequest(allowing: policy)
    request.plan.profile = name
    request.scriptTime = "2026-01-01T00:00:00Z"
    let connection = try SQLiteConnection(path: path, mode: .readOnly)
    change = Change(over: connection, to: target, request)
    examination = try change.examine()
  }

  /// The script, with what it writes into the history.
  func script() throws -> String {
    let history = try change.historyScript(
      of: examination, isHistoryKnown: true, maximumBytes: plan.profile?.maximumStatementBytes)
    return PlanReport(plan, database: "x", policy: change.request.plan.policy).sql(history: history)
  }
}

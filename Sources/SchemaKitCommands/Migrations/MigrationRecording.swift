import SchemaKit
import SchemaKitOperations
import SchemaKitReports

/// Plans and writes a step behind others.
struct MigrationRecording {
  /// The steps that there are.
  var replay: MigrationReplay
  /// The program's models, whose functions the plan may need.
  var models: ModelSchema?
  var isOrderStrict = false

  /// The plan for any rows, of which none are here.
  func plan(_ target: TargetSchema, policy: PlanPolicy) throws -> MigrationPlan {
    var request = ChangeRequest(allowing: policy)
    request.plan.policy.strategy = .alter
    request.plan.isForRecording = true
    request.plan.isOrderStrict = isOrderStrict
    return try (models ?? ModelSchema {}).withRowFunctions(on: replay.database) {
      try Change(over: replay.database, to: target, request).plan()
    }
  }

  /// Refuses to record what only today's program can compute.
  func refuseFunctions(_ plan: MigrationPlan, to target: TargetSchema) throws {
    for (table, hints) in target.hints.tables where plan.touchedTables.contains(table) {
      for (column, hint) in hints.columns where hint.needsProgram {
        throw CommandError(
          code: .failed,
          sentence:
            "the values of \(table).\(column) are computed in Swift, which a recorded step cannot hold. Give the "
            + "expression as SQL, or let RecordedWork compute them: \"-- schemakit: run NAME\" in the step's .after.sql "
            + "file. Nothing was recorded.")
      }
    }
  }

  /// The plan as a step, which is proved to lead where it should before anyone relies on it.
  func step(
    _ plan: MigrationPlan, name: String, path: String, behind steps: [Migration], to target: TargetSchema
  ) throws -> Migration {
    let writer = MigrationWriter(plan, from: self.replay.schema, to: target)
    let step = try Migration(name: name, path: path, sql: writer.text(name: name))
    let replay = try MigrationReplay(steps + [step])
    let difference = DiffReport(
      from: (name, replay.schema.removing(target.ignores)), to: ("the schema", target.schema.removing(target.ignores)))
    guard difference.isEmpty, replay.problems.isEmpty else {
      throw CommandError(
        code: .failed, sentence: "the step would not lead to the schema, so it was not written: \(difference.text())")
    }
    return step
  }
}

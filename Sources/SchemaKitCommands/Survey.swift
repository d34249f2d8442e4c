import SchemaKit

/// The state of a database before it is changed: its schema, the plan, and whether it is newer.
struct Survey {
  var file: DatabaseSchema
  var plan: MigrationPlan { examination.plan }
  let examination: PlanExamination
  /// True if the file has moved on from the schema.
  var isNewer: Bool { newer != nil }
  /// The error that says what is newer, even if the way back is allowed; nil if nothing is.
  var newer: HistoryError?
  /// The reason why the schema may not be applied if the file has moved on from it and the way back is not allowed.
  var newerSentence: String?

  /// Looks at a database until a signal stops that, and tells that it goes on where that takes long.
  static func of(
    _ access: DatabaseAccess, models: ModelSchema?, target: TargetSchema, request: ChangeRequest, console: Console
  ) throws -> Survey {
    let interruption = Interruption()
    let connection =
      try access.isOnServer
      ? access.openedOnServer { interruption.isRequested } : access.openedForInspection()
    let progress = ProgressPrinter(console: console)
    progress.tell("examining the rows of \(access.name)")
    defer { progress.end() }
    guard let connection = connection as? SQLiteConnection else {
      return try Survey(connection: connection, target: target, request: request)
    }
    return try Interruption.ending(connection) {
      try (models ?? ModelSchema {}).withRowFunctions(on: connection) {
        try Survey(connection: connection, target: target, request: request)
      }
    }
  }

  init(connection: any SQLConnection, target: TargetSchema, request: ChangeRequest) throws {
    var request = request
    let known = try request.known ?? KnownCatalog(connection)
    request.known = known
    file = known.schema
    examination = try Change(over: connection, to: target, request).examine()
    if case .contract = request.phase, !examination.plan.isEmpty,
      try Ledger(connection: connection).expansion(of: target.name) == nil
    {
      throw HistoryError(reason: .notExpanded)
    }
    var strict = request
    strict.plan.policy.allowsDowngrade = false
    do {
      try Change(over: connection, to: target, strict).refuseNewerFile()
    } catch let error as HistoryError {
      switch error.reason {
      case .newerFile, .newerForm: break
      default: throw error
      }
      newer = error
      newerSentence = request.plan.policy.allowsDowngrade ? nil : error.message.words(for: .commandLine)
    }
  }
}

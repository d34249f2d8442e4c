import SchemaKit
import SchemaKitFoundation
import SchemaKitOperations
import SchemaKitReports

/// The work of `apply` after the command line is parsed: it plans, shows the plan, asks, applies it and reports.
struct ApplyFlow {
  var console: Console
  var access: DatabaseAccess
  var target: TargetSchema
  var consent: Consent
  var loading: TargetLoading
  /// The change that is wished for, without what a connection adds.
  var request: ChangeRequest
  /// The program's models, whose data steps the plan may have.
  var models: ModelSchema?
  var renames: [String] = []
  /// The questions about renames that were asked.
  var questions = RenameQuestions()
  /// The renames that were confirmed.
  var confirmed: [RenameOption] = []
  /// The plan that is to be applied; nil when it is made now.
  var saved: SavedPlanFile?
  /// The options for trying the plan on a copy; nil when it is applied.
  var rehearsal: RehearsalOptions?
  var isConfirmed = false
  /// True if a yes to the plan is one to a new file as well.
  var asksToCreate = false
  /// True if a database that has nothing may be filled without a question.
  var mayCreate = false
  var backup: DatabaseBackup
  var format = ApplyFormat.text

  private var isDryRun: Bool { request.isDryRun }

  func run() throws -> Outcome {
    let isNewFile = access.isMissing
    let survey = try Survey.of(access, models: models, target: target, request: request, console: console)
    try checkName(survey)
    try loading.warnOfIdleRenames(renames, in: survey.file)
    consent.warnOfUnused(in: survey.plan, isNewer: survey.isNewer, console: console)
    var report = PlanReport(survey.plan, database: access.path, isNewFile: isNewFile, policy: consent.policy)
    if let sentence = survey.newerSentence {
      report.ending = .newer(sentence)
      show(report)
      console.error(sentence)
      return .newer
    }
    if let outcome = refuseStale(survey, report) { return outcome }
    if let flow = askedForRenames(survey, report) { return try flow.run() }
    guard report.refusals.isEmpty else {
      report.ending = .refused
      show(report)
      if format != .text || !console.showsBoth {
        console.error("refused: \(report.refusalSummary). Nothing was changed.")
      }
      tellAnswers()
      return .refused
    }
    // Nothing may come of a rehearsal, not even an entry of the history.
    if survey.plan.isEmpty, try (rehearsal != nil && request.undo == nil) || isReadOnly() {
      report.ending = .unchanged
      show(report)
      return .done
    }
    if let rehearsal {
      report.ending = .pending
      if format != .json { show(report) }
      return try rehearse(report, rehearsal)
    }
    let isIdle = survey.plan.isEmpty && request.undo == nil
    let mustAsk = !isIdle && !isConfirmed && !isDryRun
    report.ending = mustAsk && !console.canAsk ? .planned : .pending
    if format == .text || format == .ndjson && !survey.plan.isEmpty { show(report) }
    if !isIdle { try ask(report) }
    return try apply(report, survey.examination)
  }

  /// A server makes a database of any name, also of one with a slip in it.
  private func checkName(_ survey: Survey) throws {
    guard access.isOnServer, survey.file.isEmpty, !survey.plan.isEmpty, !mayCreate, !isDryRun else { return }
    guard isConfirmed || !console.canAsk else { return }
    throw CommandError(
      code: .failed,
      sentence: "\(access.path) has no object. Pass --create if it is to get the schema. Nothing was changed.")
  }

  /// This work with the renames that somebody confirmed; nil where nobody did.
  private func askedForRenames(_ survey: Survey, _ report: PlanReport) -> ApplyFlow? {
    guard console.canAsk, !isConfirmed, saved == nil, request.undo == nil else { return nil }
    var flow = self
    // A kept table or column is gone from its place all the same.
    let kept = survey.plan.hazards.filter { hazard in
      [.droppedTable, .droppedColumn].contains(hazard.code) && hazard.count.map { $0 > 0 } ?? false
        && !hazard.isConsentedByDeclaration && consent.policy.keepsDropped
    }
    let renames = flow.questions.ask(
      about: survey.plan, report.refusals + kept, from: survey.file, to: target.schema, on: console)
    guard !renames.isEmpty else { return nil }
    for rename in renames { flow.target.hints.add(rename) }
    flow.renames += renames.map(\.text)
    flow.confirmed += renames
    return flow
  }

  /// Says how the next run knows what somebody has answered in this one, which ends without a change.
  private func tellAnswers() {
    guard !confirmed.isEmpty else { return }
    let given = CommandLine.arguments.dropFirst()
    let options = given.prefix { $0 != "--" } + confirmed.flatMap { ["--rename", $0.text] }
    let words = [console.program] + options + given.drop { $0 != "--" }
    console.note(["with your answers about renames, the command is: \(words.map(\.shellWord).joined(separator: " "))"])
  }

  /// True if the file cannot be written; not a failure if there is nothing to do.
  private func isReadOnly() throws -> Bool {
    try !access.isMissing && !access.isOnServer && access.openedForInspection().isReadOnly
  }

  /// Asks for leave, and throws without it.
  private func ask(_ report: PlanReport) throws {
    if isConfirmed || isDryRun { return }
    guard console.canAsk else {
      throw CommandError.usage("there is no terminal to ask on; pass --yes to apply the plan. Nothing was changed.")
    }
    if format != .text { Console.write(report.text(), to: .error) }
    guard console.ask(access.question(creating: asksToCreate)) else {
      tellAnswers()
      throw CommandError(code: .failed, sentence: "not applied. Nothing was changed.")
    }
  }

  private func show(_ report: PlanReport) {
    switch format {
    case .json: console.print(report.json())
    case .ndjson: console.print(report.eventLine())
    case .text:
      if !console.isQuiet { console.print(report.text(style: console.style, isVerbose: console.isVerbose)) }
    }
  }
}

// MARK: - Applying

extension ApplyFlow {
  /// Returns the request for changing the rehearsal's copy.
  func rehearsalRequest(on copy: SQLiteConnection) -> ChangeRequest {
    var request = request
    request.known = nil
    if let models { request.runDataStep = models.dataStepRunner(over: copy) }
    request.observer.onPlan = { plan in try saved?.plan.check(plan, on: copy) }
    return request
  }

  private func apply(_ shown: PlanReport, _ examination: PlanExamination) throws -> Outcome {
    if access.isOnServer { return try applyOnServer(shown) }
    // Nothing may come of a rehearsal, not even an empty file.
    let connection =
      try isDryRun && shown.isNewFile
      ? SQLiteConnection.memory() : access.openedForChange(isIdle: shown.plan.isEmpty)
    let interruption = Interruption()
    interruption.stop(connection.interruptHandle)
    let isCancelled = { interruption.isRequested }
    let progress = ProgressTeller(console: console, database: access.path, format: format)
    defer { progress.end() }
    let copy =
      shown.isNewFile
      ? nil
      : backup.copy(of: access.path, on: connection, tell: progress.tell) { copy in
        progress.end()
        console.note(["another program has made the change meanwhile; \(copy.path) was removed again."])
      }
    var request = request
    request.copy = copy
    request.examination = examination
    request.observer.isCancelled = isCancelled
    if let models { request.runDataStep = models.dataStepRunner(over: connection) }
    request.observer.onProgress = progress.tell
    request.observer.onPlan = { plan in
      try saved?.plan.check(plan, on: connection)
      try checkStale(plan, shown: shown.plan)
    }
    let result: ApplyReport
    do {
      result = try connection.withCancellation(check: isCancelled) {
        try (models ?? ModelSchema {}).withRowFunctions(on: connection) {
          try Change(over: connection, to: target, request).apply()
        }
      }
    } catch {
      if shown.isNewFile, !isDryRun { access.removeIfEmpty() }
      if let made = copy?.made { backup.tellUnneeded(made, of: access.path) }
      throw error
    }
    progress.end()
    finish(shown, result)
    console.note(result.notes)
    if result.outcome == .applied { console.noteFreePages(of: connection, at: access.path) }
    guard !result.leavesOnlineCopy else {
      console.error(
        "a copy of a table that was killed stays in \(access.path), since another program keeps the lock; its triggers note "
          + "each write until an apply has removed them. Run apply again.")
      return .busy
    }
    return .done
  }

  /// Changes a database on a server, with the same proof, transaction and verification; a copy of it is made on this machine.
  private func applyOnServer(_ shown: PlanReport) throws -> Outcome {
    if let step = shown.plan.steps.first(where: { $0.strategy.isProgramWork }) {
      throw CommandError(
        code: .failed,
        sentence: "the data step \(step.object.name) is written in Swift over a session, which a server does not have. "
          + "Nothing was changed.")
    }
    let interruption = Interruption()
    let connection = try access.openedOnServer { interruption.isRequested }
    defer { withExtendedLifetime(interruption) {} }
    let progress = ProgressTeller(console: console, database: access.path, format: format)
    defer { progress.end() }
    let copy = ServerCopy(of: access, over: connection, backup.policy)
    var request = request
    request.copy = copy
    request.observer.isCancelled = { interruption.isRequested }
    request.observer.onProgress = progress.tell
    request.observer.onPlan = { plan in
      try saved?.plan.check(plan, on: connection)
      try checkStale(plan, shown: shown.plan)
    }
    let result: ApplyReport
    do {
      result = try RemoteDatabase(over: connection).migrate(to: target, request)
    } catch {
      if let file = copy.file { console.note(["the copy of the unchanged database is in \(file)."]) }
      throw error
    }
    progress.end()
    finish(shown, result)
    console.note(result.notes)
    if let file = copy.file { console.note(["the database as it was before is in \(file)."]) }
    return .done
  }

  /// A plan that somebody said yes to must not become another one, unless there is nothing left to do.
  private func checkStale(_ plan: MigrationPlan, shown: MigrationPlan) throws {
    guard plan.statements != shown.statements, !plan.isEmpty else { return }
    guard isConfirmed else {
      throw CommandError(
        code: .newer,
        sentence: "the database changed after the plan was shown. Nothing was changed; run apply again.")
    }
    console.note(["the database changed meanwhile, and the plan was made again."])
  }

  private func finish(_ shown: PlanReport, _ result: ApplyReport) {
    var report = shown
    report.plan = result.plan
    report.ending =
      switch result.outcome {
      case .applied: .applied(milliseconds: result.milliseconds, verifying: result.verificationMilliseconds)
      case .rehearsed: .rehearsed(milliseconds: result.milliseconds)
      case .baselined: .baselined
      case .unchanged: .unchanged
      }
    if isDryRun, result.outcome == .baselined { report.ending = .unchanged }
    switch format {
    case .json: console.print(report.json())
    case .ndjson: console.print(report.eventLine())
    case .text: if !console.isQuiet { console.print(report.lastLine(style: console.style) + "\n") }
    }
  }
}

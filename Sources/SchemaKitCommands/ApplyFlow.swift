import Foundation
import SchemaKit

/// What `apply` does once everything on the command line is understood: plan, show, ask, apply, tell.
struct ApplyFlow {
  var console: Console
  var access: DatabaseAccess
  var target: DeclaredTarget
  var consent: Consent
  var loading: TargetLoading
  /// The name and version of the program, for the history.
  var program: String
  /// The program's models, whose data steps the plan may have.
  var models: ModelSchema?
  /// What the database's catalog said before.
  var known: KnownCatalog?
  var renames: [String] = []
  /// The plan that is to be applied; nil when it is made now.
  var saved: SavedPlanFile?
  /// How the plan is tried on a copy; nil when it is applied.
  var rehearsal: RehearsalOptions?
  var isOrderStrict = false
  /// Whether the plan is made without examining rows.
  var isQuick = false
  var isConfirmed = false
  var isDryRun = false
  var backup: DatabaseBackup?
  var verification = VerificationLevel.full
  /// The change that is undone, when the target is the schema before it.
  var undo: UndoContext?
  var format = TextFormat.text

  private var options: Migrator.Options {
    var options = Migrator.Options()
    options.policy = consent.policy
    options.isOrderStrict = isOrderStrict
    options.isQuick = isQuick
    options.program = program
    options.isDryRun = isDryRun
    options.known = known
    options.undo = undo
    options.verification = verification
    return options
  }

  func run() throws -> Outcome {
    let isNewFile = access.isMissing
    let survey = try survey()
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
    guard report.refusals.isEmpty else {
      report.ending = .refused
      show(report)
      console.error("refused: \(report.refusalSummary). Nothing was changed.")
      return .refused
    }
    if survey.plan.isEmpty, try isReadOnly() {
      report.ending = .unchanged
      show(report)
      return .done
    }
    if let rehearsal, !survey.plan.isEmpty {
      report.ending = .pending
      if format == .text { show(report) }
      return try rehearse(report, rehearsal)
    }
    let isIdle = survey.plan.isEmpty && undo == nil
    let mustAsk = !isIdle && !isConfirmed && !isDryRun
    report.ending = mustAsk && !console.canAsk ? .planned : .pending
    if format == .text { show(report) }
    if !isIdle, let answer = try ask(report) { return answer }
    return try apply(report)
  }

  private func survey() throws -> Survey {
    let connection = try access.openedForInspection()
    return try (models ?? ModelSchema {}).withRowFunctions(on: connection) {
      try Survey(connection: connection, target: target, options: options)
    }
  }

  /// Whether the file cannot be written; with nothing to do that is no failure.
  private func isReadOnly() throws -> Bool { try !access.isMissing && access.openedForInspection().isReadOnly }

  /// Asks for leave; returns how to end without it, or nil to go on.
  private func ask(_ report: PlanReport) throws -> Outcome? {
    if isConfirmed || isDryRun { return nil }
    guard console.canAsk else {
      throw CommandError.usage("there is no terminal to ask on; pass --yes to apply the plan. Nothing was changed.")
    }
    if format == .json { Console.write(report.text(), to: .standardError) }
    if console.ask("Apply this to \(access.path)?") { return nil }
    console.error("not applied. Nothing was changed.")
    return .failed
  }

  private func show(_ report: PlanReport) {
    switch format {
    case .json: console.print(report.json())
    case .text:
      if !console.isQuiet { console.print(report.text(style: console.style, isVerbose: console.isVerbose)) }
    }
  }
}

// MARK: - Applying

extension ApplyFlow {
  /// What a migration of the rehearsal's copy goes by.
  func rehearsalOptions(on copy: SQLiteConnection) -> Migrator.Options {
    var options = options
    options.known = nil
    if let models { options.runDataStep = models.dataStepRunner(over: copy) }
    options.onPlan = { plan in try saved?.plan.check(plan, on: copy) }
    return options
  }

  private func apply(_ shown: PlanReport) throws -> Outcome {
    // Nothing may come of a rehearsal, not even an empty file.
    let connection = try isDryRun && shown.isNewFile ? SQLiteConnection.memory() : access.openedForChange()
    if !shown.plan.isEmpty, connection.isReadOnly {
      throw CommandError(
        code: .failed,
        sentence: "\(access.path) is read-only; nothing was changed. Check its permissions and its folder's.")
    }
    if let backup, !isDryRun, !shown.isNewFile {
      try backup.copy(connection, of: access.path, before: shown.plan)
    }
    let interruption = Interruption()
    interruption.stop(connection.interruptHandle)
    let progress = ProgressPrinter(console: console)
    defer { progress.end() }
    var options = options
    let isCancelled = { interruption.isRequested }
    options.isCancelled = isCancelled
    if let models { options.runDataStep = models.dataStepRunner(over: connection) }
    options.onProgress = progress.begin
    options.onPlan = { plan in
      try saved?.plan.check(plan, on: connection)
      try checkStale(plan, shown: shown.plan)
    }
    let result: ApplyReport
    do {
      result = try connection.withCancellation(check: isCancelled) {
        try (models ?? ModelSchema {}).withRowFunctions(on: connection) {
          try Migrator(connection: connection, target: target, options: options).migrate()
        }
      }
    } catch {
      if shown.isNewFile, !isDryRun { access.removeIfEmpty() }
      throw error
    }
    finish(shown, result)
    console.note(result.notes)
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
    case .text: if !console.isQuiet { console.print(report.lastLine(style: console.style) + "\n") }
    }
  }
}

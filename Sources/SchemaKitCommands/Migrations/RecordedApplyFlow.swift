import SchemaKit
import SchemaKitFoundation
import SchemaKitOperations
import SchemaKitReports

/// The work of `apply --migrations`: it finds the missing steps, shows them, asks, applies each step and reports.
///
/// Each step is a transaction of its own; whatever stops the work leaves the database at the end of a step.
struct RecordedApplyFlow {
  var console: Console
  var access: DatabaseAccess
  var runner: MigrationRunner
  /// The request for each step, without what its directives say.
  var request: ChangeRequest
  /// The program's models, whose functions the steps may need.
  var models: ModelSchema?
  var isConfirmed = false
  /// True if a yes to the steps is one to a new file as well.
  var asksToCreate = false
  var backup: DatabaseBackup
  var format = ApplyFormat.text

  private var isDryRun: Bool { request.isDryRun }

  func run() throws -> Outcome {
    let looking = try access.openedForInspection()
    var flow = self
    let status: MigrationRunner.Status
    (flow.runner, status) = try runner.fitted(to: looking)
    return try flow.run(status, looking)
  }

  private func run(_ status: MigrationRunner.Status, _ looking: SQLiteConnection) throws -> Outcome {
    let isNewFile = access.isMissing
    let missing = runner.folder.steps.filter { status.missing.contains($0.name) }
    var report = RecordedApplyReport(database: access.path, folder: runner.folder.path)
    guard !missing.isEmpty else {
      if !isDryRun, !status.unsettled.isEmpty { try runner.settle(access.openedForChange()) }
      show(report.ending(style: console.style), report)
      return .done
    }
    if format == .text, !console.isQuiet { console.print(try announcement(missing, isNewFile: isNewFile, looking)) }
    let undone = try runner.undone(on: looking)
    for step in missing where undone.contains(step.title) {
      let words = "step \(step.name) was applied to \(access.path) and undone before. "
      if step.before != nil || step.after != nil {
        console.warn(words + "What it did to rows stayed then, and is done once more now.")
      }
      if !step.directives.conversions.isEmpty {
        console.warn(words + "Its conversion is not done again; values that were written since stay as they are.")
      }
    }
    let shown = try ask(about: missing, looking)
    let connection = try isDryRun && isNewFile ? SQLiteConnection.memory() : access.openedForChange()
    let interruption = Interruption()
    interruption.stop(connection.interruptHandle)
    let work = { try apply(missing, shown, isNewFile: isNewFile, on: connection, interruption, into: &report) }
    do {
      if isDryRun {
        report.isDryRun = true
        try runner.rehearsing(on: connection, work)
      } else {
        try work()
      }
    } catch {
      if isNewFile, !isDryRun { access.removeIfEmpty() }
      if !report.steps.isEmpty, !isDryRun {
        console.error(
          "\(access.path) has \(Wording.counted(report.steps.count, "step")) more and stays at "
            + "\(report.steps.last?.name ?? ""). What follows is about the next step alone."
        )
      }
      if let step = missing.dropFirst(report.steps.count).first, step.before != nil || step.after != nil,
        let error = error as? ApplyError, case .newViolations = error.reason
      {
        console.error(
          "step \(step.name) works on rows, where ON DELETE and ON UPDATE do nothing: delete the rows that refer to others "
            + "before these.")
      }
      throw error
    }
    show(report.ending(style: console.style), report)
    if !isDryRun { console.noteFreePages(of: connection, at: access.path) }
    return .done
  }

  private func apply(
    _ missing: [Migration], _ shown: PlanExamination?, isNewFile: Bool, on connection: SQLiteConnection,
    _ interruption: Interruption, into report: inout RecordedApplyReport
  ) throws {
    try runner.settle(connection)
    var teller: ProgressTeller?
    let copy =
      isDryRun || isNewFile
      ? nil
      : backup.copy(
        of: access.path, on: connection, tell: { teller?.tell($0, figures: $1) },
        onDiscard: { console.note(["\($0.path) was removed again."]) })
    for step in missing {
      if interruption.isRequested { throw ApplyError(reason: .cancelled) }
      let progress = ProgressTeller(console: console, database: access.path, format: format)
      teller = progress
      defer { progress.end() }
      var request = request
      // The steps are rolled back together.
      request.isDryRun = false
      request.copy = copy
      request.observer.isCancelled = { interruption.isRequested }
      request.observer.onProgress = progress.tell
      progress.tell("step \(step.name): examining the rows of \(access.path)")
      if let models { request.work = models.recordedWork(over: connection) }
      let former = copy?.made
      let result: ApplyReport?
      do {
        result = try apply(step, on: connection, request, known: step.name == missing.first?.name ? shown : nil)
      } catch {
        if former == nil, let made = copy?.made { backup.tellUnneeded(made, of: access.path) }
        throw error
      }
      progress.end()
      guard let result else {
        console.note(["another program has applied \(step.name) meanwhile."])
        copy?.discardIfIdle()
        continue
      }
      report.steps.append(.init(name: step.name, plan: result.plan, milliseconds: result.milliseconds))
      switch format {
      case .text: if !console.isQuiet { console.print(line(for: step, result)) }
      case .ndjson: report.stepLine().map(console.print)
      case .json: break
      }
    }
  }

  /// Applies one step; nil if another program has applied it meanwhile.
  ///
  /// - Parameter known: The examination for the plan that was shown.
  private func apply(
    _ step: Migration, on connection: SQLiteConnection, _ request: ChangeRequest, known: PlanExamination?
  ) throws -> ApplyReport? {
    try connection.withCancellation(check: request.observer.isCancelled) {
      try (models ?? ModelSchema {}).withRowFunctions(on: connection) {
        var request = request
        request.examination = try examination(of: step, on: connection, request, known: known)
        if let plan = request.examination?.plan { try refuse(plan, step, request) }
        do {
          return try runner.apply(step, on: connection, request)
        } catch let error as MigrationError where error.reason == .overtaken(step.name) {
          // Where it is the step's own work that another program did, there is nothing left to do for it.
          guard try !runner.status(of: connection).missing.contains(step.name) else { throw error }
          return nil
        }
      }
    }
  }

  /// The plan of a step as it is now, to be carried out without another look at the rows; nil where work on rows comes
  /// first, which may change it.
  ///
  /// - Parameter known: The examination for the plan that was shown, which counts unless somebody has written since.
  private func examination(
    of step: Migration, on connection: SQLiteConnection, _ request: ChangeRequest, known: PlanExamination? = nil
  ) throws -> PlanExamination? {
    guard step.before == nil, let target = runner.target(of: step.name) else { return nil }
    if let known, try known.isCurrent(over: connection) { return known }
    return try Change(over: connection, to: target, runner.request(request, for: step)).examine()
  }

  /// Refuses before anything is copied or written, and shows the plan that stands against it.
  private func refuse(_ plan: MigrationPlan, _ step: Migration, _ request: ChangeRequest) throws {
    let policy = try runner.request(request, for: step).plan.policy
    let report = PlanReport(plan, database: access.path, policy: policy, ending: .refused)
    guard !report.refusals.isEmpty else { return }
    if format == .text { console.print(report.text(style: console.style)) }
    let (before, after) = runner.schemas(around: step.name)
    let ways = step.ways(outOf: report.refusals, from: before, to: after).map {
      " \($0) Where other databases have the step already, fix the rows here instead."
    }
    throw CommandError(
      code: .refused,
      sentence: "step \(step.name) is refused: \(report.refusalSummary). Nothing of it was changed.\(ways ?? "")")
  }

  private func announcement(
    _ missing: [Migration], isNewFile: Bool, _ looking: SQLiteConnection
  ) throws -> String {
    let head = console.style.bold(
      "\(access.path)\(isNewFile ? " (new file)" : ""): \(Wording.counted(missing.count, "step")) of \(runner.folder.path) to apply"
    )
    return
      try
      ([head]
      + missing.map { step in
        let plan = try runner.plan(of: step, for: looking) { database, plan in
          try (models ?? ModelSchema {}).withRowFunctions(on: database, plan)
        }
        let changes = plan.map(MigrationWriter.lines) ?? []
        let data = (step.before == nil ? [] : ["before"]) + (step.after == nil ? [] : ["after"])
        let rows = data.isEmpty ? "" : "  works on rows \(Wording.list(data)) it"
        return
          (["  \(step.name)\(rows)"] + changes.map { "    " + $0 }
          + step.directives.allowances.map { "    consents to \($0)" }).joined(separator: "\n")
      }).joined(separator: "\n") + "\n"
  }

  /// Asks for leave, and throws without it. Before that it says what the next step takes away, or refuses it: those
  /// behind it meet rows that nobody has seen yet. Returns what it found of the rows.
  private func ask(about missing: [Migration], _ looking: SQLiteConnection) throws -> PlanExamination? {
    if isConfirmed || isDryRun { return nil }
    guard console.canAsk else {
      throw CommandError.usage("there is no terminal to ask on; pass --yes to apply the steps. Nothing was changed.")
    }
    var shown: PlanExamination?
    if let next = missing.first, next.before == nil {
      let request = try runner.request(request, for: next)
      let progress = ProgressTeller(console: console, database: access.path, format: format)
      progress.tell("step \(next.name): examining the rows of \(access.path)")
      defer { progress.end() }
      shown = try Interruption.ending(looking) {
        try (models ?? ModelSchema {}).withRowFunctions(on: looking) { try examination(of: next, on: looking, request) }
      }
      if let plan = shown?.plan {
        progress.end()
        try refuse(plan, next, request)
        let losses = plan.losses.map { "  \($0)\n" }
        if format == .text, !losses.isEmpty {
          console.print("in \(access.path), \(next.name) takes away:\n\(losses.joined())")
        }
      }
    }
    if missing.count > 1 {
      console.note([
        "what later steps meet is counted when their turn comes; --dry-run does everything before, and rolls it back."
      ])
    }
    guard console.ask(access.question(creating: asksToCreate)) else {
      throw CommandError(code: .failed, sentence: "not applied. Nothing was changed.")
    }
    return shown
  }

  /// Returns a line on the work that was done. It may be cheaper than the recorded step, because the plan is made for the
  /// present rows and SQLite version.
  private func line(for step: Migration, _ result: ApplyReport) -> String {
    let word = isDryRun ? "rehearsed" : "applied"
    var seen: Set<String> = []
    let done = result.plan.steps.filter { $0.onBehalfOf == nil }.map { "\($0.strategy.rawValue) \($0.object)" }
      .filter { seen.insert($0).inserted }
    let named = done.count > 8 ? Array(done.prefix(7)) + ["\(done.count - 7) more"] : done
    let ways = done.isEmpty ? "" : ": \(Wording.list(named))"
    let losses = result.plan.losses.map { "    \($0)\n" }.joined()
    return console.style.green("\(word):")
      + " \(step.name) in \(Wording.duration(milliseconds: result.milliseconds))\(ways)\n\(losses)"
  }

  private func show(_ text: String, _ report: RecordedApplyReport) {
    switch format {
    case .json: console.print(report.json())
    case .ndjson: console.print(report.eventLine())
    case .text: if !console.isQuiet { console.print(text) }
    }
  }
}

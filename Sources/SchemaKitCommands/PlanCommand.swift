import ArgumentParser
import SchemaKit
import SchemaKitFoundation
import SchemaKitOperations
import SchemaKitReports

/// Prints what it takes to bring a database to its schema.
struct PlanCommand<Tool: SchemaCommandLine>: ParsableCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable { case text, sql, json, markdown, html }

  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "plan", abstract: "Print the steps to a schema, their cost and hazards; change nothing.")
  }

  @Argument(
    help: ArgumentHelp("The database file; a missing one counts as empty and is not created.", valueName: "database"),
    completion: .file())
  var database: String?
  @OptionGroup var origin: OriginOptions
  @OptionGroup var target: TargetOptions
  @OptionGroup var engine: ProfileOptions
  @Option(
    help: ArgumentHelp(
      "Plan the next recorded step that the database lacks, instead of --to.", valueName: "folder"),
    completion: .directory)
  var migrations: String?
  @OptionGroup var consent: ConsentOptions
  @OptionGroup var creation: CreationOptions
  @OptionGroup var speed: QuickOptions
  @OptionGroup var ways: StrategyOptions
  @OptionGroup var phase: PhaseOptions
  @OptionGroup var program: RunningOptions
  @OptionGroup var keeping: KeepOptions
  @OptionGroup var history: LedgerOptions
  @Option(
    help: ArgumentHelp(
      "The format of the plan: text; sql, a script for sqlite3 or for --profile; json; markdown, for a pull request; or html, "
        + "with a picture."))
  var format = Format.text
  @Option(
    help: ArgumentHelp(
      "Save the plan for apply --plan, with the consent given here. Only an older saved plan is overwritten.",
      valueName: "file"), completion: .file())
  var out: String?
  @Flag(help: "Exit with 2 when changes are pending, and with 3 or 4 when apply would refuse them.")
  var exitCode = false
  @OptionGroup(visibility: .shared) var output: OutputOptions

  func validate() throws {
    try history.refuse(["--migrations": migrations != nil, "--keep": keeping.keep, "--out": out != nil])
    try phase.refuse([
      "--out": out != nil, "--migrations": migrations != nil, "--no-ledger": history.noLedger, "--keep": keeping.keep,
      "--profile": engine.profile != nil, "--format sql": format == .sql,
    ])
    if engine.profile != nil, let option = keeping.keep ? "--keep" : migrations.map({ _ in "--migrations" }) {
      throw ValidationError("--profile and \(option) cannot be combined.")
    }
    if program.running != nil, format == .sql {
      throw ValidationError("--running and --format sql cannot be combined: a script holds no notes.")
    }
    guard migrations != nil else { return }
    if origin.from != nil {
      throw ValidationError("--migrations and --from cannot be combined: which steps are due stands in the database.")
    }
    var target = target
    target.ignore = []
    if let option = target.firstGiven ?? out.map({ _ in "--out" }) {
      throw ValidationError("--migrations and \(option) cannot be combined: the recorded steps say what they lead to.")
    }
  }

  func run() throws {
    let console = Console(program: Tool.programName, options: output)
    try reporting(console, options: output) { try outcome(console) }
  }

  private func outcome(_ console: Console) throws -> Outcome {
    let origin = try origin.origin(database, path: required, output: output)
    let (database, access) = (origin.name, origin.access)
    var consent = try Consent(consent)
    consent.policy.keepsDropped = keeping.keep
    consent.policy.strategy = ways.choice
    try creation.check(access)
    try access.checkFolder()
    var request = ChangeRequest(allowing: consent.policy)
    request.plan.isQuick = speed.quick || !origin.hasRows
    request.plan.assumesRows = !origin.hasRows
    request.plan.recording = history.recording
    request.plan.profile = try engine.profile ?? access.profile
    request.program = "\(Tool.programName) \(SchemaKitVersion.current)"
    request.phase = phase.phase
    if phase.firstGiven != nil { try access.refuseServer() }
    if origin.isElsewhere { request.freeSpace = { _ in nil } }
    if migrations != nil { try access.refuseServer() }
    if let migrations { return try naming(database) { try recorded(migrations, access, request, consent, console) } }
    let loading = TargetLoading(console: console, output: output)
    if let out { try SavedPlanFile.checkWritable(out) }
    var target = target
    target.ignore += engine.profile?.ignoredNames ?? []
    let named = try loading.target(target, models: Tool.models, database: access)
    try history.check(named.target)
    return try naming(database) {
      request.plan.isOrderStrict = target.strictOrder
      request.known = named.known
      let survey = try Survey.of(access, models: Tool.models, target: named.target, request: request, console: console)
      try loading.warnOfIdleRenames(target.rename, in: survey.file)
      consent.warnOfUnused(in: survey.plan, isNewer: survey.isNewer, console: console)
      var report = PlanReport(
        survey.plan, database: database, isNewFile: access.isMissing, policy: consent.policy)
      if let sentence = survey.newerSentence { report.ending = .newer(sentence) }
      report.notice = creation.notice(access)
      report.running = try program.notes(after: survey, of: access, to: named.target, request, loading)
      let script = try historyScript(of: survey, report, over: origin, to: named.target, request)
      show(report, history: script, from: survey.file, to: named.target.schema, on: console)
      if let out { try save(survey, report, to: named, at: out, console: console) }
      guard exitCode else { return .done }
      return survey.newerSentence == nil ? outcome(of: report, isPending: !survey.plan.isEmpty) : .newer
    }
  }

  private func recorded(
    _ folder: String, _ access: DatabaseAccess, _ request: ChangeRequest, _ consent: Consent, _ console: Console
  ) throws -> Outcome {
    var runner = try MigrationRunner(MigrationFolder(reading: folder))
    runner.ignores = NamePatterns.matcher(target.ignore)
    let next = try RecordedPlan(access, runner: runner, models: Tool.models, request: request, console: console)
    console.note(next.notes)
    consent.warnOfUnused(in: next.plan, isNewer: false, console: console)
    var report = PlanReport(next.plan, database: access.path, isNewFile: access.isMissing, policy: next.policy)
    report.notice = creation.notice(access)
    report.running = try program.notes(
      after: next.survey, of: access, to: next.target, next.request,
      TargetLoading(console: console, output: output))
    show(report, from: next.schemas.from, to: next.schemas.to, on: console)
    if let ways = next.step.ways(outOf: report.refusals, from: next.schemas.from, to: next.schemas.to) {
      console.note([ways])
    }
    return exitCode ? outcome(of: report, isPending: next.isMissing) : .done
  }

  /// Returns the statements that a script for the engine of `--profile` writes into the history.
  private func historyScript(
    of survey: Survey, _ report: PlanReport, over origin: Origin, to target: TargetSchema, _ request: ChangeRequest
  ) throws -> HistoryScript {
    guard format == .sql, let profile = survey.plan.profile, report.refusals.isEmpty, survey.newerSentence == nil else {
      return HistoryScript()
    }
    if let step = survey.plan.steps.first(where: { $0.strategy.isProgramWork }) {
      throw CommandError(
        code: .failed,
        sentence: "no script can do the data step \(step.object), which is work of the program that declares it.")
    }
    var request = request
    request.scriptTime = Date().formatted(.iso8601)
    return try Change(over: origin.access.opened(), to: target, request)
      .historyScript(
        of: survey.examination, isHistoryKnown: origin.hasHistory, maximumBytes: profile.maximumStatementBytes)
  }

  private func show(
    _ report: PlanReport, history: HistoryScript = HistoryScript(), from old: DatabaseSchema, to new: DatabaseSchema,
    on console: Console
  ) {
    switch format {
    case .text: console.print(report.text(style: console.style, isVerbose: output.verbose))
    case .sql: console.print(report.sql(history: history))
    case .json: console.print(report.json())
    case .markdown: console.print(report.markdown())
    case .html: console.print(report.html(from: old, to: new))
    }
    if format == .sql, !report.refusals.isEmpty {
      console.warn("the script holds comments only, because \(report.refusalSummary).")
    }
  }

  private func outcome(of report: PlanReport, isPending: Bool) -> Outcome {
    if !report.refusals.isEmpty { return .refused }
    return isPending ? .pending : .done
  }

  /// Writes the plan for `apply --plan`.
  private func save(
    _ survey: Survey, _ report: PlanReport, to named: TargetLoading.Named, at path: String, console: Console
  ) throws {
    var plan = survey.plan
    if SQLiteConnection.hasInheritedKey { plan.removeSamples() }
    let saved = SavedPlan(
      plan, from: survey.file, to: named.target, ignored: named.ignored,
      isOrderStrict: self.target.strictOrder, consent: report.policy, createdAt: Date().formatted(.iso8601))
    try SavedPlanFile.write(saved, to: path, for: database ?? origin.from)
    console.note(["the plan was saved to \(path)."])
    if survey.newerSentence != nil {
      console.warn("apply will refuse \(path): the database is newer than the schema.")
    } else if !report.refusals.isEmpty {
      console.warn("apply will refuse \(path): \(report.refusalSummary).")
    }
  }
}

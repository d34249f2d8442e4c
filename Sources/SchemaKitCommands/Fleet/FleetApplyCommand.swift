import ArgumentParser
import SchemaKit
import SchemaKitFoundation
import SchemaKitOperations
import SchemaKitReports

/// The forms of output of what changes many files.
enum FleetFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json
  /// A line for each wave, as it ends, and one for the end.
  case ndjson
  case html, junit

  static let help: ArgumentHelp =
    "The format of the report: text; json; ndjson, a line of JSON for each wave and for the end; html, a page; or junit."
}

/// Changes many files in waves.
struct FleetApplyCommand<Tool: SchemaCommandLine>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "apply", abstract: "Change the databases in waves, each in a transaction of its own.",
      discussion: """
        Each file is planned, proved, changed and verified as by apply alone. A run that was stopped or killed goes on where it \
        was when the same command is given again. Asks first on a terminal; elsewhere --yes is needed.
        """)
  }

  @OptionGroup var files: FleetFileOptions
  @OptionGroup var target: TargetOptions
  @Option(
    help: ArgumentHelp(
      "Apply the plan that fleet plan --out saved, instead of --to.", valueName: "file"), completion: .file())
  var plan: String?
  @OptionGroup var consent: ConsentOptions
  @OptionGroup var ways: StrategyOptions
  @OptionGroup var keeping: KeepOptions
  @OptionGroup var journal: FleetJournalOptions
  @OptionGroup var rollout: RolloutOptions
  @OptionGroup var jobs: FleetJobOptions
  @Option(
    help: ArgumentHelp(
      "Copy each database into a folder before it is changed. Without this it is copied to DATABASE.before-FINGERPRINT.db "
        + "before values are lost or replaced.", valueName: "folder"), completion: .directory)
  var backup: String?
  @Flag(help: "Do not make copies, even before values are lost or replaced.")
  var noBackup = false
  @Option(
    name: .customLong("verify"),
    help:
      "The proof of copied rows: full, the default, compares every value; counts, the rows; paranoid checks the file too."
  )
  var givenVerify: Verification?
  @Flag(help: "Do not ask.")
  var yes = false
  @Option(help: FleetFormat.help)
  var format = FleetFormat.text
  @OptionGroup(visibility: .shared) var output: OutputOptions

  func validate() throws {
    guard backup == nil || !noBackup else { throw ValidationError("--backup and --no-backup contradict each other.") }
    guard plan != nil else { return }
    let option =
      target.firstGiven ?? (consent.allow.isEmpty ? nil : "--allow") ?? (keeping.keep ? "--keep" : nil)
      ?? ways.strategy.map({ _ in "--strategy" })
    if let option {
      throw ValidationError(
        "--plan and \(option) cannot be combined: a saved plan says what it leads to, how, and with which consent.")
    }
  }

  func run() throws {
    let console = Console(program: Tool.programName, options: output)
    try reporting(console, options: output, events: format == .ndjson) { try outcome(console) }
  }

  private func outcome(_ console: Console) throws -> Outcome {
    let interruption = Interruption()
    let progress = FleetProgress(console, verb: plan == nil ? "examining rows" : "changing files")
    defer { progress.end() }
    let loading = FleetLoading(console: console, output: output, models: Tool.models)
    var options = output.fleetOptions(jobs, interruption: interruption, progress: progress)
    options.verification = givenVerify.flatMap { VerificationLevel(rawValue: $0.rawValue) } ?? .full
    options.backup =
      backup.map { .beforeChange($0.hasSuffix("/") ? $0 : $0 + "/") } ?? (noBackup ? .never : .beforeLoss)
    options.program = "\(Tool.programName) \(SchemaKitVersion.current)"
    var (fleet, agreed) = try prepare(loading, options)
    if interruption.isRequested { throw ApplyError(reason: .cancelled) }
    progress.end()
    try ask(agreed, fleet, console)
    let changing = FleetProgress(console, verb: "changing files")
    defer { changing.end() }
    fleet.options.onProgress = changing.tell
    let rollout = try rollout.rollout { [format] wave in
      if format == .ndjson { console.print(FleetRunReport.eventLine(wave)) }
    }
    let result = try fleet.apply(agreed, journal: journal.journal, rollout: rollout)
    changing.end()
    show(FleetRunReport(result, title: files.title, verb: .apply), on: console, format)
    if result.ending == .cancelled { return StopSignal.current.outcome }
    return .of(result.problems, hasFailed: result.ending != .complete, isPending: result.counts[.waiting] != nil)
  }

  /// The files, and the plan that was saved or is made now.
  private func prepare(_ loading: FleetLoading, _ options: FleetOptions) throws -> (Fleet, FleetPlan) {
    if let plan {
      let saved = try loading.plan(at: plan)
      var fleet = Fleet(try files.files(), target: try saved.targetSchema(source: plan), models: Tool.models)
      fleet.options = options
      fleet.request.isOrderStrict = saved.isOrderStrict
      return (fleet, saved)
    }
    var policy = try Consent(consent).policy
    policy.keepsDropped = keeping.keep
    policy.strategy = ways.choice
    let fleet = try loading.fleet(files, target, options)
    // The run of the journal goes on with its own plan.
    if let begun = try FleetJournal.plan(at: journal.journal), begun.leads(to: fleet.target), begun.consent == policy {
      loading.console.note(["going on with the run of \(journal.journal), and its plan."])
      return (fleet, begun)
    }
    return (fleet, fleet.plan(allowing: policy))
  }

  private func ask(_ agreed: FleetPlan, _ fleet: Fleet, _ console: Console) throws {
    if agreed.totalCount > fleet.files.files.count + fleet.files.missing.count {
      console.warn(
        "the plan was made for \(Wording.counted(agreed.totalCount, "file")), and there are "
          + "\(Wording.number(fleet.files.files.count)) here.")
    }
    var report = FleetPlanReport(agreed, of: fleet.files, title: files.title)
    report.isBeforeApply = true
    if format == .text, plan == nil, !console.isQuiet {
      console.print(report.text(style: console.style, isVerbose: output.verbose))
    }
    guard !yes else { return }
    guard console.canAsk else {
      throw CommandError.usage("there is no terminal to ask on; pass --yes to apply the plan. Nothing was changed.")
    }
    guard console.ask("Apply this to \(Wording.counted(fleet.files.files.count, "file"))?") else {
      throw CommandError(code: .failed, sentence: "not applied. Nothing was changed.")
    }
  }
}

/// Prints what a run did.
func show(_ report: FleetRunReport, on console: Console, _ format: FleetFormat) {
  switch format {
  case .text: if !console.isQuiet { console.print(report.text(style: console.style, isVerbose: console.isVerbose)) }
  case .json: console.print(report.json())
  case .ndjson: console.print(report.eventLine())
  case .html: console.print(report.html())
  case .junit: console.print(report.junit(program: console.program))
  }
}

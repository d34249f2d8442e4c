import ArgumentParser
import SchemaKit
import SchemaKitFoundation
import SchemaKitOperations
import SchemaKitReports

/// Shows which schemas many files have.
struct FleetCensusCommand<Tool: SchemaCommandLine>: FleetComparison {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "census", abstract: "Show which schemas the databases have, and what each lacks; change nothing.")
  }

  @OptionGroup var files: FleetFileOptions
  @OptionGroup var target: TargetOptions
  @OptionGroup var jobs: FleetJobOptions
  @Option(help: "The format of the report: text or json.")
  var format = TextFormat.text
  @OptionGroup(visibility: .shared) var output: OutputOptions

  func run() throws { try look(isSilent: false) { census, _ in .of(census.problems) } }
}

/// Plans for many files.
struct FleetPlanCommand<Tool: SchemaCommandLine>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "plan", abstract: "Make one plan for each schema, and count in every file what it could lose.",
      discussion: "Changes nothing. --out saves the plan for fleet apply --plan, and for programs that open such files."
    )
  }

  @OptionGroup var files: FleetFileOptions
  @OptionGroup var target: TargetOptions
  @OptionGroup var consent: ConsentOptions
  @OptionGroup var ways: StrategyOptions
  @OptionGroup var keeping: KeepOptions
  @OptionGroup var jobs: FleetJobOptions
  @Option(
    help: ArgumentHelp(
      "Save the plan for fleet apply --plan, with the consent given here. Only an older plan is overwritten.",
      valueName: "file"), completion: .file())
  var out: String?
  @Option(help: "The format of the report: text or json.")
  var format = TextFormat.text
  @OptionGroup(visibility: .shared) var output: OutputOptions

  func run() throws {
    let console = Console(program: Tool.programName, options: output)
    try reporting(console, options: output) {
      if let out { try PrivateFile.checkOverwritable(out, isOlder: FleetPlan.isFleetPlan, what: "a plan for a fleet") }
      let interruption = Interruption()
      let progress = FleetProgress(console, verb: "examining rows")
      defer { progress.end() }
      let fleet = try FleetLoading(console: console, output: output, models: Tool.models).fleet(
        files, target, output.fleetOptions(jobs, interruption: interruption, progress: progress))
      var policy = try Consent(consent).policy
      policy.keepsDropped = keeping.keep
      policy.strategy = ways.choice
      let plan = fleet.plan(allowing: policy)
      if interruption.isRequested { throw ApplyError(reason: .cancelled) }
      progress.end()
      let report = FleetPlanReport(plan, of: fleet.files, title: files.title)
      switch format {
      case .text: console.print(report.text(style: console.style, isVerbose: output.verbose))
      case .json: console.print(report.json())
      }
      if let out {
        try PrivateFile.write(plan.json(), to: out, like: fleet.files.files.first?.path)
        console.note(["the plan was saved in \(out); fleet apply --plan \(out.shellWord) carries it out."])
      }
      let outcome = Outcome.of(plan.problems)
      return outcome == .done || outcome == .busy ? (report.isRefused ? .refused : outcome) : outcome
    }
  }
}

/// Says whether many files have the schema.
struct FleetCheckCommand<Tool: SchemaCommandLine>: FleetComparison {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "check", abstract: "Say whether all databases are in sync with a schema, for CI; change nothing.")
  }

  @OptionGroup var files: FleetFileOptions
  @OptionGroup var target: TargetOptions
  @OptionGroup var jobs: FleetJobOptions
  @Option(help: "The format of the report: text or json.")
  var format = TextFormat.text
  @OptionGroup(visibility: .shared) var output: OutputOptions

  func run() throws {
    try look(isSilent: output.quiet) { census, report in .of(census.problems, isPending: !report.isInSync) }
  }
}

/// A command that compares many files with a schema, and tells what it finds.
private protocol FleetComparison: ParsableCommand {
  associatedtype Tool: SchemaCommandLine
  var files: FleetFileOptions { get }
  var target: TargetOptions { get }
  var jobs: FleetJobOptions { get }
  var format: TextFormat { get }
  var output: OutputOptions { get }
}

extension FleetComparison {
  /// Compares the files, and prints the report.
  ///
  /// - Parameter isSilent: True if the report is not printed as text.
  fileprivate func look(isSilent: Bool, outcome: (FleetCensus, FleetCensusReport) -> Outcome) throws {
    let console = Console(program: Tool.programName, options: output)
    try reporting(console, options: output) {
      let (census, report) = try FleetLoading(console: console, output: output, models: Tool.models).census(
        files, target, jobs)
      switch format {
      case .text: if !isSilent { console.print(report.text(style: console.style, isVerbose: output.verbose)) }
      case .json: console.print(report.json())
      }
      return outcome(census, report)
    }
  }
}

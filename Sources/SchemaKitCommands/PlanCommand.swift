import ArgumentParser
import SchemaKit

/// Prints what it takes to bring a database to its schema.
struct PlanCommand<Tool: SchemaCommandLine>: ParsableCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable { case text, sql, json }

  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "plan", abstract: "Print the steps to a schema, their cost and their hazards; change nothing.")
  }

  @Argument(
    help: ArgumentHelp("The database file; a missing one counts as empty and is not created.", valueName: "database"))
  var database: String
  @OptionGroup var target: TargetOptions
  @OptionGroup var consent: ConsentOptions
  @Option(help: "The form of the plan: text; sql, a script for the sqlite3 shell; or json.")
  var format = Format.text
  @Flag(help: "Exit with 2 when changes are pending, and with 3 or 4 when apply would refuse them.")
  var exitCode = false
  @OptionGroup var output: OutputOptions

  func run() throws {
    let console = Console(program: Tool.programName, options: output)
    try reporting(console, options: output) { try outcome(console) }
  }

  private func outcome(_ console: Console) throws -> Outcome {
    let consent = try Consent(consent)
    let loading = TargetLoading(console: console, output: output)
    let access = output.access(to: database)
    let named = try loading.target(target, models: Tool.models, database: access)
    return try naming(database) {
      let connection = try access.openedForInspection()
      var options = Migrator.Options()
      options.policy = consent.policy
      options.isOrderStrict = target.strictOrder
      options.known = named.known
      let survey = try (Tool.models ?? ModelSchema {}).withRowFunctions(on: connection) {
        try Survey(connection: connection, target: named.target, options: options)
      }
      try loading.warnOfIdleRenames(target.rename, in: survey.file)
      consent.warnOfUnused(in: survey.plan, isNewer: survey.isNewer, console: console)
      var report = PlanReport(
        survey.plan, database: database, isNewFile: access.isMissing, policy: consent.policy)
      if let sentence = survey.newerSentence { report.ending = .newer(sentence) }
      switch format {
      case .text: console.print(report.text(style: console.style, isVerbose: output.verbose))
      case .sql: console.print(report.sql())
      case .json: console.print(report.json())
      }
      if format == .sql, !report.refusals.isEmpty {
        console.warn("the script holds comments only, because \(report.refusalSummary).")
      }
      guard exitCode else { return .done }
      if survey.newerSentence != nil { return .newer }
      if !report.refusals.isEmpty { return .refused }
      return survey.plan.isEmpty ? .done : .pending
    }
  }
}

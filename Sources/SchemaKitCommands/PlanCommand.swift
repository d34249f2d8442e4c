import ArgumentParser
import Foundation
import SchemaKit

/// Prints what it takes to bring a database to its schema.
struct PlanCommand<Tool: SchemaCommandLine>: ParsableCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable { case text, sql, json, markdown, html }

  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "plan", abstract: "Print the steps to a schema, their cost and their hazards; change nothing.")
  }

  @Argument(
    help: ArgumentHelp("The database file; a missing one counts as empty and is not created.", valueName: "database"),
    completion: .file())
  var database: String?
  @OptionGroup var target: TargetOptions
  @OptionGroup var consent: ConsentOptions
  @OptionGroup var speed: QuickOptions
  @OptionGroup var ways: StrategyOptions
  @OptionGroup var keeping: KeepOptions
  @Option(
    help: ArgumentHelp(
      "The form of the plan: text; sql, a script for the sqlite3 shell; json; markdown, a comment for a pull request; "
        + "or html, a page with a picture."))
  var format = Format.text
  @Option(
    help: ArgumentHelp(
      "Save the plan for apply --plan, with the consent given here. Only an older saved plan is overwritten.",
      valueName: "file"), completion: .file())
  var out: String?
  @Flag(help: "Exit with 2 when changes are pending, and with 3 or 4 when apply would refuse them.")
  var exitCode = false
  @OptionGroup var output: OutputOptions

  func run() throws {
    let console = Console(program: Tool.programName, options: output)
    try reporting(console, options: output) { try outcome(console) }
  }

  private func outcome(_ console: Console) throws -> Outcome {
    let database = try required(database)
    var consent = try Consent(consent)
    consent.policy.keepsDropped = keeping.keep
    consent.policy.strategy = ways.choice
    let loading = TargetLoading(console: console, output: output)
    let access = output.access(to: database)
    if let out { try SavedPlanFile.checkWritable(out) }
    let named = try loading.target(target, models: Tool.models, database: access)
    return try naming(database) {
      var options = Migrator.Options()
      options.policy = consent.policy
      options.isOrderStrict = target.strictOrder
      options.isQuick = speed.quick
      options.known = named.known
      let survey = try Survey.of(access, models: Tool.models, target: named.target, options: options, console: console)
      try loading.warnOfIdleRenames(target.rename, in: survey.file)
      consent.warnOfUnused(in: survey.plan, isNewer: survey.isNewer, console: console)
      var report = PlanReport(
        survey.plan, database: database, isNewFile: access.isMissing, policy: consent.policy)
      if let sentence = survey.newerSentence { report.ending = .newer(sentence) }
      switch format {
      case .text: console.print(report.text(style: console.style, isVerbose: output.verbose))
      case .sql: console.print(report.sql())
      case .json: console.print(report.json())
      case .markdown: console.print(report.markdown())
      case .html: console.print(report.html(from: survey.file, to: named.target.schema))
      }
      if format == .sql, !report.refusals.isEmpty {
        console.warn("the script holds comments only, because \(report.refusalSummary).")
      }
      if let out { try save(survey, report, to: named.target, at: out, console: console) }
      guard exitCode else { return .done }
      if survey.newerSentence != nil { return .newer }
      if !report.refusals.isEmpty { return .refused }
      return survey.plan.isEmpty ? .done : .pending
    }
  }
  /// Writes the plan for `apply --plan`.
  private func save(
    _ survey: Survey, _ report: PlanReport, to target: DeclaredTarget, at path: String, console: Console
  ) throws {
    let saved = SavedPlan(
      survey.plan, from: survey.file, to: target, ignored: self.target.ignore,
      isOrderStrict: self.target.strictOrder, consent: report.policy, createdAt: Date().formatted(.iso8601))
    try SavedPlanFile.write(saved, to: path)
    console.note(["the plan was saved to \(path)."])
    if survey.newerSentence != nil {
      console.warn("apply will refuse \(path): the database is newer than the schema.")
    } else if !report.refusals.isEmpty {
      console.warn("apply will refuse \(path): \(report.refusalSummary).")
    }
  }
}

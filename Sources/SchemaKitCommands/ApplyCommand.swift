import ArgumentParser
import SchemaKit

/// Brings a database to its schema.
struct ApplyCommand<Tool: SchemaCommandLine>: ParsableCommand {
  enum Verification: String, ExpressibleByArgument, CaseIterable { case full, counts, paranoid }

  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "apply", abstract: "Bring a database to a schema, in one transaction, and verify the result.",
      discussion: "Asks first on a terminal; elsewhere --yes is needed. Whatever fails leaves the file as it was.")
  }

  @Argument(help: ArgumentHelp("The database file; it is created when it is missing.", valueName: "database"))
  var database: String
  @OptionGroup var target: TargetOptions
  @OptionGroup var consent: ConsentOptions
  @Flag(help: "Do not ask.")
  var yes = false
  @Flag(help: "Do everything and verify it, then roll it back.")
  var dryRun = false
  @OptionGroup var backup: BackupOptions
  @Flag(help: "Keep the rows and values that are dropped in the database, so that undo brings them back.")
  var keep = false
  @Option(
    help:
      "How the copied rows are proved: full compares every value; counts the rows; paranoid checks the file as well.")
  var verify = Verification.full
  @Option(help: "The form of the report: text or json.")
  var format = TextFormat.text
  @OptionGroup var output: OutputOptions

  func run() throws {
    let console = Console(program: Tool.programName, options: output)
    try reporting(console, options: output) {
      var consent = try Consent(consent)
      consent.policy.keepsDropped = keep
      let loading = TargetLoading(console: console, output: output)
      let access = output.access(to: database)
      let named = try loading.target(target, models: Tool.models, database: access)
      try access.checkFolder()
      var flow = ApplyFlow(
        console: console, access: access, target: named.target, consent: consent, loading: loading,
        program: "\(Tool.programName) \(SchemaKitVersion.current)")
      flow.known = named.known
      flow.models = Tool.models
      flow.renames = target.rename
      flow.isOrderStrict = target.strictOrder
      flow.isConfirmed = yes
      flow.isDryRun = dryRun
      flow.backup = DatabaseBackup(console: console, options: backup)
      flow.verification = VerificationLevel(rawValue: verify.rawValue) ?? .full
      flow.format = format
      return try naming(database) { try flow.run() }
    }
  }
}

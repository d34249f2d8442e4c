import ArgumentParser
import SchemaKit

/// Says whether a database, and a folder of recorded migrations, have the schema.
struct CheckCommand<Tool: SchemaCommandLine>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "check", abstract: "Say whether a database is in sync with a schema, for CI; change nothing.",
      discussion: "Exits with 0 when in sync, 2 when changes are pending, 4 when the database is newer than the schema."
    )
  }

  @Argument(
    help: ArgumentHelp("The database file; a missing one counts as empty and is not created.", valueName: "database"))
  var database: String?
  @OptionGroup var target: TargetOptions
  @Option(help: ArgumentHelp("A folder of recorded migrations that must lead to the schema.", valueName: "folder"))
  var migrations: String?
  @Option(help: "The form of the answer: text or json.")
  var format = TextFormat.text
  @OptionGroup var output: OutputOptions

  func validate() throws {
    if database == nil, migrations == nil {
      throw ValidationError("Nothing to check: name a DATABASE, or a folder with --migrations, or both.")
    }
  }

  func run() throws {
    let console = Console(program: Tool.programName, options: output)
    try reporting(console, options: output) { try outcome(console) }
  }

  private func outcome(_ console: Console) throws -> Outcome {
    let loading = TargetLoading(console: console, output: output)
    let access = database.map { output.access(to: $0) }
    let target = try loading.target(target, models: Tool.models, database: access)
    var report = CheckReport(schema: target.name)
    if let migrations {
      let folder = try SchemaSource.folder(path: migrations).load()
      console.note(folder.notes)
      report.migrations = DiffReport(
        from: (migrations, folder.target.schema), to: (target.name, target.target.schema),
        isOrderStrict: self.target.strictOrder)
    }
    if let database, let access {
      let status = try naming(database) { try self.status(of: access, target: target, loading: loading) }
      report.database = (name: database, isNewFile: access.isMissing, status: status)
    }
    switch format {
    case .text: if !output.quiet { console.print(report.text(style: console.style)) }
    case .json: console.print(report.json())
    }
    if report.isNewer { return .newer }
    return report.isInSync ? .done : .pending
  }

  private func status(
    of access: DatabaseAccess, target: TargetLoading.Named, loading: TargetLoading
  ) throws -> CheckReport.DatabaseStatus {
    var options = Migrator.Options()
    options.isOrderStrict = self.target.strictOrder
    options.known = target.known
    let connection = try access.openedForInspection()
    let survey = try (Tool.models ?? ModelSchema {}).withRowFunctions(on: connection) {
      try Survey(connection: connection, target: target.target, options: options)
    }
    try loading.warnOfIdleRenames(self.target.rename, in: survey.file)
    if let sentence = survey.newerSentence { return .newer(sentence) }
    return survey.plan.isEmpty ? .inSync : .pending(survey.plan)
  }
}

import ArgumentParser
import SchemaKit
import SchemaKitOperations
import SchemaKitReports

/// Says whether a database, and a folder of recorded migrations, have the schema.
struct CheckCommand<Tool: SchemaCommandLine>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "check", abstract: "Say whether a database is in sync with a schema, for CI; change nothing.",
      discussion: """
        Exits with 0 when in sync, 1 when recorded migrations are not as they were recorded, 2 when changes are pending, 4 \
        when the database is newer than the schema. Possible losses of steps that --base lacks are reported, and fail nothing.
        """)
  }

  @Argument(
    help: ArgumentHelp("The database file; a missing one counts as empty and is not created.", valueName: "database"),
    completion: .file())
  var database: String?
  @OptionGroup var origin: OriginOptions
  @OptionGroup var target: TargetOptions
  @Option(
    help: ArgumentHelp("A folder of recorded migrations that must lead to the schema.", valueName: "folder"),
    completion: .directory)
  var migrations: String?
  @Option(
    help: ArgumentHelp(
      "Report what the steps do that this base lacks: a git revision such as origin/main, or a folder.",
      valueName: "rev|folder"))
  var base: String?
  @OptionGroup var creation: CreationOptions
  @OptionGroup var program: RunningOptions
  @OptionGroup var findings: FindingOptions
  @OptionGroup(visibility: .shared) var output: OutputOptions

  func run() throws {
    let console = Console(program: Tool.programName, options: output)
    try reporting(console, options: output) { try outcome(console) }
  }

  private func outcome(_ console: Console) throws -> Outcome {
    let loading = TargetLoading(console: console, output: output)
    let unreadable = UnreadableReport(
      findings: findings, program: Tool.programName, title: "check", console: console, lockTimeout: output.lockTimeout)
    let isNamed = database != nil || self.origin.from != nil
    if program.running != nil, !isNamed {
      throw CommandError.usage(
        "--running needs a database, or --from: a program meets what becomes of that. diff compares two schemas alone.")
    }
    let origin: Origin? = try unreadable.telling {
      isNamed ? try self.origin.origin(self.database, path: required, output: output) : nil
    }
    let (database, access) = (origin?.name, origin?.access)
    if let access { try unreadable.telling(of: access.path) { try creation.check(access) } }
    let target = try unreadable.telling {
      try loading.target(self.target, models: Tool.models, database: access)
    }
    var report = CheckReport(schema: target.name)
    if self.target.to != ["-"], target.scripts.count == 1 {
      report.schemaPlaces = DefinitionPlaces(of: target.scripts[0].text)
    }
    if let migrations {
      let check = FolderCheck(path: migrations, isOrderStrict: self.target.strictOrder, models: Tool.models)
      try check.run(against: target, base: base, into: &report, console: console)
    }
    if let database, let access {
      let found = try unreadable.telling(of: database) {
        try naming(database) { try self.status(of: access, target: target, loading: loading, console) }
      }
      report.database = (name: database, isNewFile: access.isMissing, status: found.status)
      report.notice = creation.notice(access)
      report.idleHints = found.idleHints
      report.running = found.running
    }
    switch findings.format {
    case .text: if !output.quiet { console.print(report.text(style: console.style)) }
    case .json: console.print(report.json())
    case .github, .sarif, .junit, .markdown:
      console.print(findings.text(report.questions, program: Tool.programName, title: "check"))
    }
    let threshold = findings.givenFailOn ?? .error
    if threshold == .never { return .done }
    if !report.isFolderIntact { return .failed }
    if report.isNewer { return .newer }
    let fails = report.questions.contains { $0.findings.contains { threshold.fails($0.level) } }
    return report.isInSync && !fails ? .done : .pending
  }

  private func status(
    of access: DatabaseAccess, target: TargetLoading.Named, loading: TargetLoading, _ console: Console
  ) throws -> (status: CheckReport.DatabaseStatus, idleHints: [Hazard], running: RunningProgram?) {
    var request = ChangeRequest()
    request.plan.isOrderStrict = self.target.strictOrder
    request.known = target.known
    let survey = try Survey.of(
      access, models: Tool.models, target: target.target, request: request, console: console)
    try loading.warnOfIdleRenames(self.target.rename, in: survey.file)
    console.note(survey.plan.hazards.filter { $0.code == .servesOlderProgram }.map(\.message))
    if let newer = survey.newer { return (.newer(newer.checkDescription), [], nil) }
    let running = try program.notes(after: survey, of: access, to: target.target, request, loading)
    return (survey.plan.isEmpty ? .inSync : .pending(survey.plan), survey.plan.idleHints, running)
  }
}

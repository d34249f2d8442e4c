import ArgumentParser
import SchemaKit
import SchemaKitFoundation
import SchemaKitOperations
import SchemaKitReports
import SchemaKitTesting

/// The commands that test how files of older releases come to the schema.
struct TestCommand<Tool: SchemaCommandLine>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "test", abstract: "Test how files of older releases come to the schema.",
      discussion: """
        A case is a folder with before.sql or before.db, the file as a release left it. Beside it may stand expect.sql, queries \
        with the rows that they must give in the end, as comments on the lines behind each: -- 1 | 'Ada' | NULL, or -- (no rows); schema.sql, what the release declared; to.sql, a schema for this case \
        alone; and case.toml with its consent. test FOLDER is test run FOLDER.
        """,
      subcommands: [TestRunCommand<Tool>.self, TestNewCommand<Tool>.self],
      defaultSubcommand: TestRunCommand<Tool>.self)
  }
}

enum TestFormat: String, ExpressibleByArgument, CaseIterable { case text, json, junit }

/// Runs the cases of a folder.
struct TestRunCommand<Tool: SchemaCommandLine>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "run",
      abstract: "Bring the file of each case to the schema in every way, and look at what comes of it.",
      discussion: """
        Works on copies: in one go, version by version through the cases behind it, stopped by a power cut, and undone. \
        Exits with 0 when all cases pass and with 2 when one fails.
        """)
  }

  @Argument(
    help: ArgumentHelp("The folder of the cases, or one case; by default upgrades.", valueName: "folder"),
    completion: .directory)
  var folder = "upgrades"
  @OptionGroup var target: TargetOptions
  @Option(
    help: ArgumentHelp("Apply the recorded migrations of a folder, instead of going to a schema.", valueName: "folder"),
    completion: .directory)
  var migrations: String?
  @OptionGroup var consent: ConsentOptions
  @OptionGroup var keeping: KeepOptions
  @Option(
    help: ArgumentHelp(
      "Stop the migrations at the moments that this number chooses; another one each time by default.",
      valueName: "number"))
  var seed: UInt64?
  @Option(help: "The format of the answer: text; json; junit, for CI systems.")
  var format = TestFormat.text
  @OptionGroup(visibility: .shared) var output: OutputOptions

  func validate() throws {
    var target = target
    target.ignore = []
    guard migrations != nil, let option = target.firstGiven else { return }
    throw ValidationError("--migrations and \(option) cannot be combined: the recorded steps say what they lead to.")
  }

  func run() throws {
    let console = Console(program: Tool.programName, options: output)
    try reporting(console, options: output) { try outcome(console) }
  }

  private func outcome(_ console: Console) throws -> Outcome {
    let cases = try UpgradeCase.read(folder)
    var policy = try Consent(consent).policy
    policy.keepsDropped = keeping.keep
    let seed = seed ?? .random(in: 0..<1_000_000)
    let interruption = Interruption()
    let loading = CaseLoading(
      target: TargetLoading(console: console, output: output), options: target, migrations: migrations,
      models: Tool.models, policy: policy)
    var report = UpgradeTestReport(folder: folder, seed: seed)
    let progress = ProgressPrinter(console: console)
    defer { progress.end() }
    for loaded in try loading.trials(of: cases) {
      var trial = loaded.trial
      trial.seed = seed
      trial.trustsSchema = !output.untrusted
      trial.isCancelled = { interruption.isRequested }
      let lockTimeout = output.lockTimeout
      trial.describe = { ErrorReport.of($0, lockTimeout: lockTimeout, isVerbose: false).sentence }
      progress.tell("testing \(loaded.upgrade.path)")
      do {
        report.cases.append(
          .init(
            name: loaded.upgrade.name, path: loaded.upgrade.path, target: loaded.targetName, outcome: try trial.run()))
      } catch is CancellationError {
        throw ApplyError(reason: .cancelled)
      }
    }
    progress.end()
    switch format {
    case .text where output.quiet: console.print(report.failures(style: console.style))
    case .text: console.print(report.text(style: console.style, isVerbose: output.verbose))
    case .json: console.print(report.json())
    case .junit: console.print(report.junit(program: Tool.programName))
    }
    return report.failed == 0 ? .done : .pending
  }
}

/// Writes a case from a database.
struct TestNewCommand<Tool: SchemaCommandLine>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "new", abstract: "Write a case from a database: its schema, and made-up rows in place of its own.",
      discussion: """
        before.sql gets the schema of the database and a few rows for each table, which its keys and rules accept; expect.sql \
        gets the number of rows of each table. Nothing is overwritten, and no value of the database is written down.
        """)
  }

  @Argument(help: ArgumentHelp("The database file.", valueName: "database"), completion: .file())
  var database: String
  @Argument(
    help: ArgumentHelp(
      "The folder of the new case; by default upgrades/ and the name of the database.", valueName: "case"),
    completion: .directory)
  var folder: String?
  @OptionGroup(visibility: .shared) var output: OutputOptions

  func run() throws {
    let console = Console(program: Tool.programName, options: output)
    try reporting(console, options: output) { try outcome(console) }
  }

  private func outcome(_ console: Console) throws -> Outcome {
    let access = output.access(to: database)
    try access.refuseServer()
    guard !access.isMissing else {
      throw CommandError(code: .failed, sentence: "\(database) does not exist.\(access.suggestion)")
    }
    let written = try naming(database) {
      let connection = try access.openedForInspection()
      let schema = try connection.transaction(.deferred) { try SchemaReader.read(connection) }
      guard !schema.isEmpty else {
        throw CommandError(
          code: .failed, sentence: "\(database) has no table, so there is nothing to test. No case was written.")
      }
      return try NewCase(schema, database: database)
    }
    let folder = folder ?? "upgrades/\(NewCase.name(for: database))"
    for path in try written.write(to: folder) { console.print("\(path)\n") }
    console.note(written.remarks)
    return .done
  }
}

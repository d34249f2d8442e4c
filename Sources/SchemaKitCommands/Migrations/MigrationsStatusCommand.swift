import ArgumentParser
import SchemaKit
import SchemaKitFoundation
import SchemaKitOperations
import SchemaKitReports

/// Says which steps a database has.
struct MigrationsStatusCommand<Tool: SchemaCommandLine>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "status", abstract: "Say which recorded steps a database has; change nothing.",
      discussion: """
        Exits with 0 when it has them all, 2 when some are missing, 4 when it has others or its schema is not what the \
        last one left.
        """)
  }

  @Argument(
    help: ArgumentHelp("The database file; a missing one counts as empty and is not created.", valueName: "database"),
    completion: .file())
  var database: String?
  @OptionGroup var folder: FolderOptions
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("Leave objects alone whose names match a pattern. May be repeated.", valueName: "glob"))
  var ignore: [String] = []
  @OptionGroup var creation: CreationOptions
  @Option(help: "The format of the answer: text or json.")
  var format = TextFormat.text
  @OptionGroup(visibility: .shared) var output: OutputOptions

  func run() throws {
    let console = Console(program: Tool.programName, options: output)
    try reporting(console, options: output) {
      let database = try required(database)
      var runner = try MigrationRunner(MigrationFolder(reading: folder.migrations))
      runner.ignores = NamePatterns.matcher(ignore)
      let access = output.access(to: database)
      try creation.check(access)
      if access.isMissing { console.note(["\(database) does not exist; it counts as empty."]) }
      return try naming(database) {
        let connection = try access.openedForInspection()
        let steps = runner.folder.steps.map(\.name)
        let (status, problem) = try connection.snapshot { () -> (MigrationRunner.Status, String?) in
          let status = try runner.status(of: connection)
          do {
            (runner, _) = try runner.fitted(to: connection)
          } catch let error as MigrationError {
            return (status, error.description)
          }
          return (status, nil)
        }
        var report = MigrationStatusReport(
          database: database, folder: folder.migrations, steps: steps, applied: status.applied, changed: status.changed,
          unknown: status.unknown)
        for step in status.applied { report.former[step.name] = status.formerName(of: step.name) }
        report.problem = problem
        switch format {
        case .text: if !output.quiet { console.print(report.text(style: console.style)) }
        case .json: console.print(report.json())
        }
        if let problem = report.problem {
          console.error(problem)
          return .newer
        }
        return status.missing.isEmpty ? .done : .pending
      }
    }
  }
}

/// Notes that a database has steps which it got in another way.
struct MigrationsBaselineCommand<Tool: SchemaCommandLine>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "baseline", abstract: "Note that a database has the steps up to one already, without running them.",
      discussion: "The database must have exactly the schema that the step leads to; rows are not looked at.")
  }

  @Argument(help: ArgumentHelp("The database file.", valueName: "database"), completion: .file())
  var database: String?
  @OptionGroup var folder: FolderOptions
  @Option(
    help: ArgumentHelp("The last step that the database has; by default the last of the folder.", valueName: "step"))
  var at: String?
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("Leave objects alone whose names match a pattern. May be repeated.", valueName: "glob"))
  var ignore: [String] = []
  @OptionGroup(visibility: .shared) var output: OutputOptions

  func run() throws {
    let console = Console(program: Tool.programName, options: output)
    try reporting(console, options: output) {
      let database = try required(database)
      var runner = try MigrationRunner(MigrationFolder(reading: folder.migrations))
      runner.ignores = NamePatterns.matcher(ignore)
      let access = output.access(to: database)
      guard !access.isMissing else {
        throw CommandError(code: .failed, sentence: "\(database) does not exist.\(access.suggestion)")
      }
      let names = runner.folder.steps.map(\.name)
      guard let last = names.firstIndex(of: at ?? names.last ?? "") else {
        throw CommandError.usage(
          "\(folder.migrations) has no step \(at ?? ""); it has \(names.joined(separator: ", ")).")
      }
      return try naming(database) {
        let connection = try access.openedForChange()
        let status = try runner.status(of: connection)
        if let has = status.unknown.first ?? status.changed.first {
          throw CommandError(
            code: .failed,
            sentence:
              "\(database) has step \(has.name), which the folder lacks or has with different contents. Nothing was "
              + "changed; see schemactl migrations status.")
        }
        guard status.missing.contains(names[last]) else {
          throw CommandError(
            code: .failed, sentence: "\(database) has step \(names[last]) already. Nothing was changed.")
        }
        try runner.baseline(through: last, on: connection, program: "\(Tool.programName) \(SchemaKitVersion.current)")
        if !output.quiet {
          console.print("\(database) counts as having \(Wording.counted(last + 1, "step")), up to \(names[last])\n")
        }
        return .done
      }
    }
  }
}

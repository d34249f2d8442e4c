import ArgumentParser
import SchemaKit
import SchemaKitReports

/// Examines a database file.
struct DoctorCommand<Tool: SchemaCommandLine>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "doctor",
      abstract: "Examine a database: damage, broken references, leftovers; change nothing.",
      discussion:
        "Exits with 0 when it is healthy, 2 when there are warnings, 1 when it is damaged or cannot be read; notes do not count."
    )
  }

  @Argument(help: ArgumentHelp("The database file.", valueName: "database"), completion: .file())
  var database: String?
  @Flag(help: "Check with quick_check, which does not hold indexes against their tables.")
  var quick = false
  @Option(help: "The format of the report: text or json.")
  var format = TextFormat.text
  @OptionGroup(visibility: .shared) var output: OutputOptions

  func run() throws {
    let console = Console(program: Tool.programName, options: output)
    try reporting(console, options: output) {
      let database = try required(database)
      let access = output.access(to: database)
      guard !access.isMissing else {
        throw CommandError(code: .failed, sentence: "\(database) does not exist.\(access.suggestion)")
      }
      return try naming(database) { try outcome(console, access, database) }
    }
  }

  private func outcome(_ console: Console, _ access: DatabaseAccess, _ database: String) throws -> Outcome {
    let journal = DatabaseDoctor.Journal(beside: database)
    let connection = try access.openedForInspection()
    let interruption = Interruption()
    interruption.stop(connection.interruptHandle)
    let progress = ProgressPrinter(console: console)
    defer { progress.end() }
    var doctor = DatabaseDoctor(over: connection, journal: journal, isQuick: quick)
    doctor.onActivity = { progress.tell($0) }
    let isCancelled = { interruption.isRequested }
    let examination = try connection.withCancellation(check: isCancelled) {
      try (Tool.models ?? ModelSchema {}).withRowFunctions(on: connection) { try doctor.examine() }
    }
    progress.end()
    let report = DoctorReport(database: database, examination: examination)
    switch format {
    case .text:
      if !output.quiet { console.print(report.text(style: console.style, isVerbose: output.verbose)) }
    case .json: console.print(report.json())
    }
    return report.isDamaged ? .failed : report.hasWarnings ? .pending : .done
  }
}

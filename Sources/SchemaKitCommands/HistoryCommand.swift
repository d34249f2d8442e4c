import ArgumentParser
import SchemaKit
import SchemaKitReports

/// Prints what was done to a database.
struct HistoryCommand<Tool: SchemaCommandLine>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "history", abstract: "Print what SchemaKit did to a database, oldest first.",
      discussion: """
        With --discard-kept: throw away what apply --keep has kept, in one transaction. undo then says what it cannot bring \
        back any more. Asks first on a terminal; elsewhere --yes is needed.
        """)
  }

  @Argument(help: ArgumentHelp("The database file.", valueName: "database"), completion: .file())
  var database: String?
  @Flag(help: "Discard the rows and values that apply --keep has kept for undo.")
  var discardKept = false
  @Flag(help: "Do not ask before --discard-kept.")
  var yes = false
  @Option(help: "The format of the history: text or json.")
  var format = TextFormat.text
  @OptionGroup(visibility: .shared) var output: OutputOptions

  func validate() throws {
    if yes, !discardKept { throw ValidationError("--yes goes with --discard-kept; nothing else is asked here.") }
  }

  func run() throws {
    let console = Console(program: Tool.programName, options: output)
    try reporting(console, options: output) {
      let database = try required(database)
      guard !DatabaseAccess(path: database, lockTimeout: 0).isMissing else {
        throw CommandError(
          code: .failed, sentence: "\(database) does not exist.\(output.access(to: database).suggestion)")
      }
      if discardKept {
        let flow = DiscardFlow(
          console: console, access: output.access(to: database), format: format, isConfirmed: yes)
        return try naming(database) { try flow.run() }
      }
      let report = try naming(database) { try read(database) }
      switch format {
      case .text: console.print(report.text(style: console.style, isVerbose: output.verbose))
      case .json: console.print(report.json())
      }
      return .done
    }
  }

  private func read(_ database: String) throws -> HistoryReport {
    let connection = try output.access(to: database).opened()
    return try connection.transaction(.deferred) {
      var report = HistoryReport(database: database, entries: try Ledger(connection: connection).entries())
      do {
        report.findings = try LedgerComparison(connection: connection, schema: SchemaReader.read(connection)).findings()
      } catch is IntrospectionError {
        // doctor reports a schema that cannot be read.
      } catch is HistoryError {
        // The meaning of a newer history is not known here.
      }
      return report
    }
  }
}

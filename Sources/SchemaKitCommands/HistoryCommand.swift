import ArgumentParser
import SchemaKit

/// Prints what was done to a database.
struct HistoryCommand<Tool: SchemaCommandLine>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(commandName: "history", abstract: "Print what SchemaKit did to a database, oldest first.")
  }

  @Argument(help: ArgumentHelp("The database file.", valueName: "database"))
  var database: String
  @Option(help: "The form of the history: text or json.")
  var format = TextFormat.text
  @OptionGroup var output: OutputOptions

  func run() throws {
    let console = Console(program: Tool.programName, options: output)
    try reporting(console, options: output) {
      guard !DatabaseAccess(path: database, lockTimeout: 0).isMissing else {
        throw CommandError(code: .failed, sentence: "\(database) does not exist.")
      }
      let entries = try naming(database) {
        try SchemaInspector(at: database, busyTimeout: output.lockTimeout, trustsSchema: !output.untrusted).history()
      }
      let report = HistoryReport(database: database, entries: entries)
      switch format {
      case .text: console.print(report.text(style: console.style, isVerbose: output.verbose))
      case .json: console.print(report.json())
      }
      return .done
    }
  }
}

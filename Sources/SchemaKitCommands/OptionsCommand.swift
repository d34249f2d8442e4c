import ArgumentParser

/// Shows the options that several commands take, which their own help leaves out.
struct OptionsCommand<Tool: SchemaCommandLine>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "options", abstract: "Show the options that commands share.",
      usage: "\(Tool.programName) <command> [<options>]")
  }

  @OptionGroup(title: "Options of schemas") var target: TargetOptions
  @OptionGroup(title: "Options of the history") var history: LedgerOptions
  @OptionGroup(title: "Options of online copies") var online: OnlineOptions
  @OptionGroup(title: "Options of every command") var output: OutputOptions

  func run() throws { throw CleanExit.helpRequest(self) }
}

extension ArgumentVisibility {
  /// The visibility of an option that `help options` explains once for all commands: the help of a command leaves it out.
  static let shared: ArgumentVisibility = {
    let words = CommandLine.arguments.dropFirst()
    let asksForHelp = words.first == "help" || words.contains("--help") || words.contains("-h")
    return asksForHelp && !words.contains("options") ? .hidden : .default
  }()
}

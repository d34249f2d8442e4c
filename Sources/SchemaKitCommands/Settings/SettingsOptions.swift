import ArgumentParser
import SchemaKitFoundation

/// Where settings come from.
struct SettingsOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The environment of schemactl.toml to use: [environments.NAME].", valueName: "name"),
    completion: .custom { _, _, _ in SettingsFile.environmentNames() })
  var env: String?

  @Option(
    help: ArgumentHelp(
      "Read settings from this file, or from none; by default from schemactl.toml here or in a folder above.",
      valueName: "file|none"), completion: .file())
  var config: String?

  /// The settings that took the place of options.
  var taken: Set<Setting> = []
  /// The rules for `lint` that the settings hold.
  var rules: [SettledRule] = []

  private enum CodingKeys: CodingKey { case env, config }
}

/// A command that takes settings where its options are silent.
protocol SettledCommand: ParsableCommand {
  var output: OutputOptions { get set }

  /// Fills the options that were not given, and refuses combinations that make no sense.
  mutating func adopt(_ settings: inout Settings) throws
}

extension SettledCommand {
  /// Takes the settings; what is wrong with them is said, and ends the command.
  mutating func settle(program: String) throws {
    let console = Console(program: program, options: output)
    var settled = self
    try reporting(console, options: output, opensFiles: false) {
      let variables = try SettingsVariables(ProcessInfo.processInfo.environment)
      variables.warnings.forEach(console.warn)
      var settings = try Settings(options: output.settings, variables: variables)
      settings.take(into: &settled.output)
      try settled.adopt(&settings)
      settled.output.settings.taken = Set(settings.taken)
      console.note((output.verbose ? settings.notes : []) + settings.remarks)
      return .done
    }
    self = settled
  }

  /// The database that the command line or a setting names.
  func required(_ database: String?) throws -> String {
    guard let database else { throw CommandError.usage("DATABASE is missing.") }
    guard !database.isEmpty else {
      throw CommandError.usage("DATABASE is empty; perhaps a variable of the shell is not set.")
    }
    if let problem = DatabaseAccess.obstacle(at: database) {
      throw CommandError(code: .failed, sentence: "\(database) cannot be reached: \(problem). Nothing was changed.")
    }
    return database
  }
}

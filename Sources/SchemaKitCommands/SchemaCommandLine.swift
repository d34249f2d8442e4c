import ArgumentParser
public import SchemaKit
import SchemaKitFoundation

/// A program with SchemaKit's commands: plan, apply, check, lint, doctor, diff, inspect, history, undo and test.
public protocol SchemaCommandLine {
  /// The name by which the program calls itself; the type's name in lower case with hyphens unless said otherwise.
  static var programName: String { get }
  /// The models whose schema is meant where no `--to` is given; nil when there are none.
  static var models: ModelSchema? { get }
  /// Functions in Swift that the schema may call; none unless said otherwise. See `Configuration.functions`.
  static var functions: [SQLFunction] { get }
  /// Collations in Swift that the schema may name; none unless said otherwise.
  static var collations: [SQLCollation] { get }
  /// The servers on which databases can be named by their addresses; none unless said otherwise.
  static var servers: [any DatabaseServer.Type] { get }
}

/// A program of your own with SchemaKit's commands, for your models.
///
/// ```swift
/// @main struct NotesTool: SchemaTool {
///   static let schema = ModelSchema { Note.self; Author.self }
/// }
/// ```
///
/// The models own what they declare; other objects of a file are left alone.
public protocol SchemaTool: SchemaCommandLine {
  /// The models.
  static var schema: ModelSchema { get }
}

extension SchemaTool {
  public static var models: ModelSchema? { schema }
}

extension SchemaCommandLine {
  public static var models: ModelSchema? { nil }

  public static var functions: [SQLFunction] { [] }

  public static var collations: [SQLCollation] { [] }

  public static var servers: [any DatabaseServer.Type] { [] }

  public static var programName: String {
    let letters = String(describing: Self.self).split(separator: "<").first ?? ""
    return letters.enumerated().map { index, letter in
      letter.isUppercase && index > 0 ? "-\(letter.lowercased())" : letter.lowercased()
    }.joined()
  }

  /// Runs the program: data goes to standard output, everything else to standard error behind the program's name.
  public static func main() {
    // A reader that has seen enough, such as head, is no error.
    signal(SIGPIPE, SIG_IGN)
    // Nor does a limit of file sizes end the program: the write fails, and what was begun is rolled back.
    signal(SIGXFSZ, SIG_IGN)
    SQLiteConnection.stopCountingMemory()
    // Before anything can repeat what was given.
    if CommandLine.arguments.dropFirst().contains(where: ServerSecrets.hasSecret) {
      Console.write("\(programName): \(ServerSecrets.refusal)\n", to: .error)
      exit(Outcome.usage.rawValue)
    }
    let arguments = Array(CommandLine.arguments.dropFirst())
    if let problem = unknownCommand(among: arguments)
      ?? RepeatedOption.problem(among: arguments, of: RootCommand<Self>.self)
    {
      Console.write("\(programName): \(problem)\n", to: .error)
      exit(Outcome.usage.rawValue)
    }
    do {
      var command = try RootCommand<Self>.parseAsRoot()
      if var settled = command as? any SettledCommand {
        try settled.settle(program: programName)
        command = settled
      }
      try DatabaseAccess.$servers.withValue(servers) {
        try SQLiteConnection.knowing(functions: functions, collations: collations) { try command.run() }
      }
    } catch {
      let code = RootCommand<Self>.exitCode(for: error)
      let text = RootCommand<Self>.fullMessage(for: error)
      if code.isSuccess {
        let asksForHelp = arguments.first == "help" || arguments.contains { ["--help", "-h"].contains($0) }
        let isPart = asksForHelp && !arguments.contains("options")
        // The overview of all commands has the codes itself.
        let isOverview = arguments.allSatisfy { ["help", "--help", "-h", "--help-hidden"].contains($0) }
        let codes = isOverview ? "" : "\(Outcome.summary)\n"
        let more = isPart ? "Options that commands share: \(programName) help options\n\(codes)" : ""
        Console.write(text + "\n" + more, to: .output)
      } else if !text.isEmpty {
        let sentence = text.hasPrefix("Error: ") ? String(text.dropFirst("Error: ".count)) : text
        Console.write("\(programName): \(sentence)\n", to: .error)
      }
      exit(code.rawValue)
    }
  }
}

extension SchemaCommandLine {
  /// The message for a first word that is not a command; nil if it is one.
  static func unknownCommand(among arguments: [String]) -> String? {
    var commands: [any ParsableCommand.Type] = RootCommand<Self>.configuration.subcommands
    var place = programName
    var path = ""
    var hasDefault = false
    for word in arguments {
      guard !word.hasPrefix("-"), word != "help", !commands.isEmpty else { return nil }
      // Another word is an argument of the command that is meant without a name.
      if hasDefault { return nil }
      let names = commands.compactMap { command -> String? in command.configuration.commandName }
      guard let index = names.firstIndex(of: word), names.count == commands.count else {
        let hint = NearestName.hint(for: word, among: names)
        return "there is no command \(path)\(word); \(hint) See \(place) --help."
      }
      path += word + " "
      place += " " + word
      hasDefault = commands[index].configuration.defaultSubcommand != nil
      commands = commands[index].configuration.subcommands
    }
    return nil
  }
}

/// The command that holds all others.
struct RootCommand<Tool: SchemaCommandLine>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: Tool.programName,
      abstract: Tool.models == nil
        ? "Bring SQLite databases to their declared schema, and say beforehand what that costs."
        : "Bring databases to the schema of this program's models, and say beforehand what that costs.",
      discussion: """
        A SCHEMA is a .sql file, a database file, a snapshot (.json), a folder of recorded migrations, or - for SQL on \
        standard input.

        Options that are not given are taken from SCHEMACTL_ variables and from schemactl.toml, here or in a folder above; \
        --allow and --yes never are.

        Exit codes: 0 done or in sync, 1 error, 2 changes pending, warnings found or a test failed, 3 refused for lack of consent, 4 file newer than \
        the schema, 5 database locked: run the command again, 64 wrong usage.
        """,
      version: versionText,
      subcommands: [
        PlanCommand<Tool>.self, ApplyCommand<Tool>.self, CheckCommand<Tool>.self, LintCommand<Tool>.self,
        DoctorCommand<Tool>.self, DiffCommand<Tool>.self, InspectCommand<Tool>.self, HistoryCommand<Tool>.self,
        UndoCommand<Tool>.self, MigrationsCommand<Tool>.self, FleetCommand<Tool>.self, TestCommand<Tool>.self,
        OptionsCommand<Tool>.self,
      ])
  }

  private static var versionText: String {
    "\(Tool.programName) \(SchemaKitVersion.current)\n"
      + "SQLite \(SQLiteConnection.engineVersion) \(SQLiteConnection.engineSourceID)"
  }
}

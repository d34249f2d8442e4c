import ArgumentParser
import SchemaKit
import SchemaKitFoundation
import SchemaKitOperations

/// The commands that keep a folder of recorded migrations.
struct MigrationsCommand<Tool: SchemaCommandLine>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "migrations", abstract: "Record migrations in a folder, and keep it in order.",
      discussion: """
        A folder holds steps such as 0001-notes.sql, checksums.txt, and snapshot.json with the schema after the last step. \
        apply --migrations brings a database through the steps that it lacks.
        """,
      subcommands: [
        MigrationsNewCommand<Tool>.self, MigrationsStatusCommand<Tool>.self, MigrationsVerifyCommand<Tool>.self,
        MigrationsHashCommand<Tool>.self, MigrationsBaselineCommand<Tool>.self, MigrationsRebaseCommand<Tool>.self,
        MigrationsSquashCommand<Tool>.self,
      ])
  }
}

/// Which folder is meant.
struct FolderOptions: ParsableArguments {
  @Option(
    name: .customLong("migrations"),
    help: ArgumentHelp("The folder of recorded migrations; by default migrations.", valueName: "folder"),
    completion: .directory)
  var givenMigrations: String?

  var migrations: String { givenMigrations ?? "migrations" }

  /// Reads the folder as it was recorded.
  ///
  /// - Throws: `MigrationFolderError` when it is not as it was recorded.
  func intact() throws -> (folder: MigrationFolder, replay: MigrationReplay) {
    let folder = try MigrationFolder(reading: migrations)
    let replay = try MigrationReplay(folder.steps)
    let problems = folder.problems + replay.problems
    guard problems.isEmpty else { throw MigrationFolderError(problems: problems) }
    return (folder, replay)
  }
}

extension MigrationReplay {
  /// The schema after the last step as the folder keeps it.
  func snapshot() throws -> String {
    try SchemaSnapshot(schema, engine: SQLiteConnection.engineVersion).json() + "\n"
  }
}

extension MigrationFolder {
  /// Writes steps after proving that they can be replayed.
  mutating func record(_ written: [Migration], removing removed: [Migration] = []) throws {
    let gone = Set((written + removed).map(\.name))
    let steps = (steps.filter { !gone.contains($0.name) } + written).sorted { $0.name < $1.name }
    try store(written, removing: removed, snapshot: try MigrationReplay(steps).snapshot())
  }
}

/// Checks a title that becomes part of a file's name.
func checkTitle(_ title: String) throws {
  if title == Migration.squashedTitle {
    throw CommandError.usage("\"\(title)\" is the name that migrations squash gives; take another one.")
  }
  let isFine = title.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
  guard isFine, !title.isEmpty, title.first?.isNumber == false else {
    throw CommandError.usage(
      "\"\(title)\" cannot be the name of a step; take letters, digits, - and _, with a letter first, such as "
        + "add-authors. The number is put before it.")
  }
}

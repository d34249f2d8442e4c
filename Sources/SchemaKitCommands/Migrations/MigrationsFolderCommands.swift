import ArgumentParser
import SchemaKit
import SchemaKitFoundation
import SchemaKitOperations
import SchemaKitReports

/// Says whether a folder is as it was recorded.
struct MigrationsVerifyCommand<Tool: SchemaCommandLine>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "verify", abstract: "Say whether the folder is as it was recorded, and can be replayed.",
      discussion: "Exits with 1 when it is not. check --migrations does this as well, and compares with a schema.")
  }

  @OptionGroup var folder: FolderOptions
  @OptionGroup(visibility: .shared) var output: OutputOptions

  func run() throws {
    let console = Console(program: Tool.programName, options: output)
    try reporting(console, options: output) {
      let (read, replay) = try folder.intact()
      if let problem = try read.snapshotProblem(replay) { throw MigrationFolderError(problems: [problem]) }
      if !output.quiet {
        console.print(
          console.style.green("in order:")
            + " \(folder.migrations) has \(Wording.counted(read.steps.count, "step")), as recorded\n")
      }
      return .done
    }
  }
}

/// Takes the steps as they are.
struct MigrationsHashCommand<Tool: SchemaCommandLine>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "hash", abstract: "Write the checksums of the steps as they are now.",
      discussion: """
        For steps written by hand; what their comments say is tried first. A step that a database has got must not be \
        changed: apply --migrations refuses a database whose steps were other ones.
        """)
  }

  @OptionGroup var folder: FolderOptions
  @OptionGroup(visibility: .shared) var output: OutputOptions

  func run() throws {
    let console = Console(program: Tool.programName, options: output)
    try reporting(console, options: output) {
      var read = try MigrationFolder(reading: folder.migrations, ignoringChecksums: true)
      let replay = try MigrationReplay(read.steps)
      let problems = replay.problems + read.numberProblems
      guard problems.isEmpty else { throw MigrationFolderError(problems: problems) }
      try MigrationValidation(read.steps, replay: replay).run(except: read.sealedNames)
      try read.seal(snapshot: replay.snapshot())
      console.print("\(read.checksumPath)\n")
      return .done
    }
  }
}

extension MigrationFolder {
  /// Returns the problem with the stored snapshot, if there is one.
  func snapshotProblem(_ replay: MigrationReplay) throws -> FolderProblem? {
    let file = "\(path)/\(Self.snapshotName)"
    guard let snapshot else {
      return FolderProblem(.noSnapshot, file: file)
    }
    let stored = try SchemaSource.snapshot(snapshot, source: file).load()
    let difference = DiffReport(from: (file, stored.target.schema), to: (path, replay.schema))
    guard !difference.isEmpty else { return nil }
    return FolderProblem(.otherSnapshot(difference.objects), file: file)
  }
}

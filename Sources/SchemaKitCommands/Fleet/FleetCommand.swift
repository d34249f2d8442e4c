import ArgumentParser
import SchemaKit
import SchemaKitFoundation
import SchemaKitOperations
import SchemaKitReports

/// The commands for many files that are to have one schema.
struct FleetCommand<Tool: SchemaCommandLine>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "fleet", abstract: "Bring many databases to one schema, such as one for each tenant.",
      discussion: """
        census shows which schemas there are, plan what each needs and what rows it could lose, apply changes the files in \
        waves. No database is created.

        Exits with 0 when all is done; 1 when a file failed, or more did than --max-failures allows; 4 when files are newer \
        than the schema, or the plan does not fit them; 3 when files were left out pending a decision; 5 when files were only \
        locked; 2 when changes are pending; 64 for wrong usage. Of several, the first in this order.
        """,
      subcommands: [
        FleetCensusCommand<Tool>.self, FleetPlanCommand<Tool>.self, FleetApplyCommand<Tool>.self,
        FleetCheckCommand<Tool>.self, FleetStatusCommand<Tool>.self, FleetUndoCommand<Tool>.self,
        FleetPruneCommand<Tool>.self,
      ])
  }
}

/// Which files are meant.
struct FleetFileOptions: ParsableArguments {
  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "The databases: files, folders, which stand for all databases in them at any depth, patterns such as 'tenants/**/*.db', quoted or "
        + "not, @LIST for a file with a path on each line, or - for such a list on standard input.",
      valueName: "file|folder|pattern|@list|-"), completion: .file())
  var databases: [String] = []
  @Flag(name: [.customShort("0"), .long], help: "Paths in lists end with a NUL character instead of a line.")
  var null = false
  @Flag(help: "Follow symbolic links.")
  var follow = false

  func validate() throws {
    guard !databases.isEmpty else { throw ValidationError("--databases is missing: name files, folders or a pattern.") }
  }

  /// The user's name for the files.
  var title: String {
    databases.count > 3 ? "\(databases[0]) … \(databases[databases.count - 1])" : databases.joined(separator: " ")
  }

  /// Finds the files.
  func files() throws -> FleetFiles {
    var places: [String] = []
    var listed: [String] = []
    for name in databases {
      if name == "-" {
        guard let bytes = StandardStream.input.readToEnd() else {
          throw CommandError(
            code: .failed, sentence: "standard input cannot be read: \(String(cString: strerror(errno))).")
        }
        listed += try paths(in: bytes, source: "standard input")
      } else if name.hasPrefix("@"), !FileManager.default.fileExists(atPath: name) {
        let list = String(name.dropFirst())
        guard let data = FileManager.default.contents(atPath: list) else {
          throw CommandError.usage("--databases \(name): the list \(list) does not exist or cannot be read.")
        }
        listed += try paths(in: [UInt8](data), source: list)
      } else {
        places.append(name)
      }
    }
    return try FleetFiles(at: places, paths: listed, followsLinks: follow)
  }

  private func paths(in bytes: [UInt8], source: String) throws -> [String] {
    let lines = bytes.split(separator: null ? 0 : UInt8(ascii: "\n"))
    let paths = try lines.map { line in
      let line = !null && line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      guard let path = String(validating: line, as: UTF8.self) else {
        throw CommandError.usage("--databases: \(source) has a path that is not text in UTF-8.")
      }
      guard !path.utf8.contains(0) else {
        throw CommandError.usage("--databases: \(source) has a NUL character; pass -0 for paths that end with one.")
      }
      return path
    }
    guard paths.contains(where: { !$0.isEmpty }) else {
      throw CommandError.usage("--databases: \(source) names no file.")
    }
    return paths
  }
}

/// The option for the number of files that are worked on at once.
struct FleetJobOptions: ParsableArguments {
  @Option(help: ArgumentHelp("How many files are worked on at once; by default twice the processors, at most 8."))
  var jobs: Int?

  func validate() throws {
    guard jobs.map({ 1...256 ~= $0 }) ?? true else { throw ValidationError("--jobs takes a number from 1 to 256.") }
  }
}

/// The journal of a run.
struct FleetJournalOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The journal of the run; by default schemactl.fleet-journal. It must not be in a folder whose files are worked on.",
      valueName: "file"), completion: .file())
  var journal = "schemactl\(FleetJournal.suffix)"
}

extension OutputOptions {
  /// Returns the options for work on the files of a fleet. The default wait for a lock is one second.
  func fleetOptions(_ jobs: FleetJobOptions, interruption: Interruption, progress: FleetProgress) -> FleetOptions {
    var options = FleetOptions()
    if let jobs = jobs.jobs { options.jobs = jobs }
    let wait = givenLockTimeout ?? options.busyTimeout
    options.busyTimeout = wait
    options.trustsSchema = !untrusted
    options.isCancelled = { interruption.isRequested }
    options.onProgress = progress.tell
    options.describe = { [verbose] error, path in
      ErrorReport.of(error, path: path, lockTimeout: wait, isVerbose: verbose).sentence
    }
    return options
  }
}

/// Says how far the work on a fleet is.
final class FleetProgress: Sendable {
  private let printer: ProgressPrinter
  private let verb: String
  private let start = ContinuousClock.now

  init(_ console: Console, verb: String) {
    printer = ProgressPrinter(console: console)
    self.verb = verb
  }

  /// To be called after each file.
  @Sendable func tell(_ done: Int, _ total: Int) {
    let elapsed = ContinuousClock.now - start
    let rate = Double(done) / max(0.001, elapsed / .seconds(1))
    let left = Duration.seconds(Double(total - done) / max(0.001, rate))
    printer.tell(
      verb,
      figures: [
        "about \(Wording.span(left)) left", "\(Wording.number(done)) of \(Wording.counted(total, "file"))",
        "\(Wording.number(Int(rate))) a second",
      ])
  }

  /// To be called when nothing more is to be said.
  func end() { printer.end() }
}

extension Outcome {
  /// The exit code for a fleet: the gravest state of a file decides.
  static func of(_ problems: [FleetProblem], hasFailed: Bool = false, isPending: Bool = false) -> Outcome {
    let states = Set(problems.map(\.state))
    if hasFailed || states.contains(.failed) { return .failed }
    if states.contains(.stale) || states.contains(.newer) { return .newer }
    if states.contains(.refused) { return .refused }
    if states.contains(.busy) { return .busy }
    return isPending || states.contains(.pending) || states.contains(.waiting) ? .pending : .done
  }
}

/// The loading that the commands that look at a fleet share.
struct FleetLoading {
  var console: Console
  var output: OutputOptions
  var models: ModelSchema?

  /// A fleet whose files are to have a schema.
  func fleet(_ files: FleetFileOptions, _ target: TargetOptions, _ options: FleetOptions) throws -> Fleet {
    let found = try files.files()
    let named = try TargetLoading(console: console, output: output).target(target, models: models)
    var fleet = Fleet(found, target: named.target, models: models)
    fleet.ignored = named.ignored
    fleet.request.isOrderStrict = target.strictOrder
    fleet.options = options
    fleet.options.program = "\(console.program) \(SchemaKitVersion.current)"
    return fleet
  }

  /// Looks at the schemas of the files that the options name, showing progress.
  func census(
    _ files: FleetFileOptions, _ target: TargetOptions, _ jobs: FleetJobOptions
  ) throws -> (census: FleetCensus, report: FleetCensusReport) {
    let interruption = Interruption()
    let progress = FleetProgress(console, verb: "reading schemas")
    defer { progress.end() }
    let fleet = try fleet(
      files, target, output.fleetOptions(jobs, interruption: interruption, progress: progress))
    let census = fleet.census()
    if interruption.isRequested { throw ApplyError(reason: .cancelled) }
    return (census, FleetCensusReport(census, of: fleet.files, title: files.title))
  }

  /// Reads a plan for a fleet.
  func plan(at path: String) throws -> FleetPlan {
    guard let data = FileManager.default.contents(atPath: path) else {
      let exists = FileManager.default.fileExists(atPath: path)
      throw SavedPlanError(
        source: path, problem: exists ? "cannot be read; check its permissions" : "there is no such file")
    }
    try MergeConflict.check(data, source: path)
    let plan = try FleetPlan(json: data, source: path)
    let known = Set(try models?.declaration().hints.dataSteps.map(\.name) ?? [])
    let unknown = plan.dataSteps.filter { !known.contains($0) }
    guard unknown.isEmpty else {
      throw SavedPlanError(
        source: path,
        problem:
          "data steps (\(unknown.joined(separator: ", "))) are work of the program that declares them; apply the plan "
          + "with its tool")
    }
    return plan
  }
}

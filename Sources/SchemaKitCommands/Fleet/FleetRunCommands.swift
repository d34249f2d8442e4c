import ArgumentParser
import SchemaKit
import SchemaKitFoundation
import SchemaKitOperations
import SchemaKitReports

/// Shows what a run has done.
struct FleetStatusCommand<Tool: SchemaCommandLine>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "status", abstract: "Show what a run has done, and which files it has not; change nothing.",
      discussion: """
        With --plan the unfinished files are looked at: one that a program has opened since, with the same plan, counts as in \
        sync; the others have not been seen.
        """)
  }

  @OptionGroup var journal: FleetJournalOptions
  @Option(help: ArgumentHelp("The plan of the run.", valueName: "file"), completion: .file())
  var plan: String?
  @OptionGroup var jobs: FleetJobOptions
  @Option(help: FleetFormat.help)
  var format = FleetFormat.text
  @OptionGroup(visibility: .shared) var output: OutputOptions

  func run() throws {
    let console = Console(program: Tool.programName, options: output)
    try reporting(console, options: output, events: format == .ndjson) {
      let interruption = Interruption()
      let progress = FleetProgress(console, verb: "looking at files")
      defer { progress.end() }
      let report: FleetReport
      if let plan {
        let saved = try FleetLoading(console: console, output: output, models: Tool.models).plan(at: plan)
        report = try Fleet.status(
          ofJournal: journal.journal, plan: saved, models: Tool.models,
          options: output.fleetOptions(jobs, interruption: interruption, progress: progress))
      } else {
        report = try FleetReport(journal: journal.journal)
      }
      progress.end()
      let words = FleetRunReport(report, title: journal.journal, verb: .status)
      if format == .ndjson { console.print(words.waveLines) }
      show(words, on: console, format)
      return .of(report.problems, isPending: report.counts[.waiting] != nil)
    }
  }
}

/// Undoes what a run changed.
struct FleetUndoCommand<Tool: SchemaCommandLine>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "undo", abstract: "Undo what a run changed, in all of its files or in those of one wave.",
      discussion: """
        Each file goes back as by undo alone; one that something else has changed since is left alone and reported. Rows \
        and values that were written since into new tables and columns are lost with them, which requires consent.
        """)
  }

  @OptionGroup var journal: FleetJournalOptions
  @Option(help: ArgumentHelp("Undo this wave only.", valueName: "number"))
  var wave: Int?
  @OptionGroup var consent: ConsentOptions
  @OptionGroup var jobs: FleetJobOptions
  @Flag(help: "Do not ask.")
  var yes = false
  @Option(help: FleetFormat.help)
  var format = FleetFormat.text
  @OptionGroup(visibility: .shared) var output: OutputOptions

  func run() throws {
    let console = Console(program: Tool.programName, options: output)
    try reporting(console, options: output, events: format == .ndjson) {
      let before = try FleetReport(journal: journal.journal)
      let waves = before.waves.filter { wave == nil || $0.number == wave }
      // A run that was killed can have changed files that its journal does not know of.
      let settled = Set([FleetState.undone, .skipped, .current].map(\.rawValue))
      let count = waves.reduce(0) { $0 + $1.counts.filter { !settled.contains($0.key) }.values.reduce(0, +) }
      try agree(to: count, console)
      let interruption = Interruption()
      let progress = FleetProgress(console, verb: "changing files back")
      defer { progress.end() }
      var undo = FleetUndo(journal: journal.journal)
      undo.options = output.fleetOptions(jobs, interruption: interruption, progress: progress)
      undo.options.program = "\(Tool.programName) \(SchemaKitVersion.current)"
      let report = try undo.apply(wave: wave, allowing: Consent(consent).policy)
      progress.end()
      let words = FleetRunReport(report, title: journal.journal, verb: .undo)
      if format == .ndjson { console.print(words.waveLines) }
      show(words, on: console, format)
      if report.ending == .cancelled { return StopSignal.current.outcome }
      return .of(report.problems)
    }
  }

  private func agree(to count: Int, _ console: Console) throws {
    guard !yes, count > 0 else { return }
    guard console.canAsk else {
      throw CommandError.usage("there is no terminal to ask on; pass --yes to undo the run. Nothing was changed.")
    }
    guard console.ask("Undo what the run did to \(Wording.counted(count, "file"))?") else {
      throw CommandError(code: .failed, sentence: "not undone. Nothing was changed.")
    }
  }
}

/// Removes old copies.
struct FleetPruneCommand<Tool: SchemaCommandLine>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "prune", abstract: "Remove the copies that were made beside the databases before they were changed.",
      discussion: """
        Shows them first. The copies of a file stay whose change is unfinished or failed, as the journal says. Without \
        --older-than and --over, all others go.
        """)
  }

  @OptionGroup var files: FleetFileOptions
  @Option(
    help: ArgumentHelp(
      "Remove copies older than this, such as 30d, 12h or 45m.", valueName: "time"))
  var olderThan: String?
  @Option(
    help: ArgumentHelp(
      "Remove the oldest copies until all take no more than this, such as 10GB or 500MB.", valueName: "size"))
  var over: String?
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "The journal of a run; may be repeated. By default schemactl.fleet-journal, if there is one.", valueName: "file"),
    completion: .file())
  var journal: [String] = []
  @Flag(help: "Do not ask.")
  var yes = false
  @OptionGroup(visibility: .shared) var output: OutputOptions

  func validate() throws {
    guard olderThan.map({ Quantity.seconds($0) != nil }) ?? true else {
      throw ValidationError("--older-than takes a time such as 30d, 12h, 45m or 90s.")
    }
    guard over.map({ Quantity.bytes($0) != nil }) ?? true else {
      throw ValidationError("--over takes a size such as 10GB, 500MB or 64KB.")
    }
  }

  func run() throws {
    let console = Console(program: Tool.programName, options: output)
    try reporting(console, options: output) {
      let common = "schemactl\(FleetJournal.suffix)"
      let journals =
        journal.isEmpty ? FileManager.default.fileExists(atPath: common) ? [common] : [] : journal
      let copies = try FleetCopies(of: files.files(), journals: journals)
      let now = time(nil)
      let due = copies.due(
        before: olderThan.flatMap(Quantity.seconds).map { Int(now) - $0 }, over: over.flatMap(Quantity.bytes))
      let size = Wording.bytes(due.reduce(0) { $0 + $1.size })
      if !console.isQuiet {
        for copy in output.verbose ? due[...] : due.prefix(20) { console.print("\(copy.path)\n") }
        if due.count > 20, !output.verbose {
          console.print("and \(Wording.number(due.count - 20)) more; -v shows all\n")
        }
      }
      if !copies.kept.isEmpty {
        let count = copies.kept.count
        console.note([
          "\(count == 1 ? "1 copy" : "\(Wording.number(count)) copies") of files whose change is unfinished or failed "
            + (count == 1 ? "stays." : "stay.")
        ])
      }
      guard !due.isEmpty else {
        console.note(["there is no copy to remove."])
        return .done
      }
      guard yes || console.canAsk else {
        throw CommandError.usage(
          "there is no terminal to ask on; pass --yes to remove these copies. Nothing was removed.")
      }
      guard
        yes
          || console.ask(
            "Remove \(due.count == 1 ? "this copy" : "these \(Wording.number(due.count)) copies") (\(size)) for good?")
      else {
        throw CommandError(code: .failed, sentence: "nothing was removed.")
      }
      let left = try copies.remove(due)
      for copy in left { console.error("\(copy.path) could not be removed.") }
      if !console.isQuiet {
        console.print("Removed \(Wording.number(due.count - left.count)) of \(Wording.number(due.count)), \(size).\n")
      }
      return left.isEmpty ? .done : .failed
    }
  }
}

/// Times and sizes as they are given on the command line.
enum Quantity {
  /// A time such as 30d, in seconds; nil for anything else.
  static func seconds(_ text: String) -> Int? { number(text, units: ["s": 1, "m": 60, "h": 3600, "d": 86_400]) }

  /// A size such as 10GB, in bytes; nil for anything else.
  static func bytes(_ text: String) -> Int? {
    number(text.uppercased(), units: ["KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30, "TB": 1 << 40, "B": 1])
  }

  private static func number(_ text: String, units: [String: Int]) -> Int? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard let number = Int(digits), let unit = units[String(text.dropFirst(digits.count))] else { return nil }
    let (product, isTooLarge) = number.multipliedReportingOverflow(by: unit)
    return isTooLarge ? nil : product
  }
}

// MARK: - Settings

extension FleetCensusCommand: SettledCommand {
  mutating func adopt(_ settings: inout Settings) throws { settings.take(into: &target, hasModels: Tool.models != nil) }
}

extension FleetPlanCommand: SettledCommand {
  mutating func adopt(_ settings: inout Settings) throws {
    settings.take(.strategy, into: &ways.strategy)
    settings.take(into: &target, hasModels: Tool.models != nil)
  }
}

extension FleetCheckCommand: SettledCommand {
  mutating func adopt(_ settings: inout Settings) throws { settings.take(into: &target, hasModels: Tool.models != nil) }
}

extension FleetApplyCommand: SettledCommand {
  mutating func adopt(_ settings: inout Settings) throws {
    settings.take(.verify, into: &givenVerify)
    guard plan == nil else { return }
    settings.take(.strategy, into: &ways.strategy)
    settings.take(into: &target, hasModels: Tool.models != nil)
  }
}

extension FleetStatusCommand: SettledCommand {
  mutating func adopt(_ settings: inout Settings) throws {}
}

extension FleetUndoCommand: SettledCommand {
  mutating func adopt(_ settings: inout Settings) throws {}
}

extension FleetPruneCommand: SettledCommand {
  mutating func adopt(_ settings: inout Settings) throws {}
}

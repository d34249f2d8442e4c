import ArgumentParser
import SchemaKit
import SchemaKitFoundation
import SchemaKitOperations
import SchemaKitReports

/// Records the next step.
struct MigrationsNewCommand<Tool: SchemaCommandLine>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "new", abstract: "Write the step from where the folder leads to the declared schema.",
      discussion: """
        No database is needed. A possible loss requires consent now, which is recorded in it: whoever reviews \
        the step sees it, and apply --migrations does not ask again. Work on rows goes into NAME.before.sql or \
        NAME.after.sql beside the step; run migrations hash after writing one.
        """)
  }

  @Argument(help: ArgumentHelp("A name for the step, such as add-authors.", valueName: "name"))
  var name: String
  @OptionGroup var folder: FolderOptions
  @OptionGroup var target: TargetOptions
  @OptionGroup var consent: ConsentOptions
  @Flag(help: "Write a step without statements, for one that only works on rows.")
  var empty = false
  @OptionGroup(visibility: .shared) var output: OutputOptions

  func validate() throws {
    if empty, let option = target.firstGiven {
      throw ValidationError("--empty and \(option) cannot be combined: an empty step leads nowhere.")
    }
  }

  func run() throws {
    let console = Console(program: Tool.programName, options: output)
    try reporting(console, options: output) { try outcome(console) }
  }

  private func outcome(_ console: Console) throws -> Outcome {
    try checkTitle(name)
    let isNew = !FileManager.default.fileExists(atPath: folder.migrations)
    var (recorded, replay) =
      try isNew
      ? (MigrationFolder(path: folder.migrations), MigrationReplay([])) : intactOrUnused()
    let stepName = Migration.name(number: recorded.nextNumber, title: name)
    let path = "\(folder.migrations)/\(stepName).sql"
    guard !empty else { return try recordEmpty(stepName, path: path, in: &recorded, console) }
    let loading = TargetLoading(console: console, output: output)
    var named = try loading.target(target, models: Tool.models)
    named.target.leaveOut(replay.states, console: console)
    let consent = try Consent(consent)
    let recording = MigrationRecording(replay: replay, models: Tool.models, isOrderStrict: target.strictOrder)
    var plan = try recording.plan(named.target, policy: consent.policy)
    var questions = RenameQuestions()
    while console.canAsk {
      let renames = questions.ask(
        about: plan, plan.refusals(under: consent.policy), from: replay.schema, to: named.target.schema, on: console)
      guard !renames.isEmpty else { break }
      for rename in renames { named.target.hints.add(rename) }
      plan = try recording.plan(named.target, policy: consent.policy)
    }
    try loading.warnOfIdleRenames(target.rename, in: replay.schema)
    consent.warnOfUnused(in: plan, isNewer: false, console: console)
    if plan.isEmpty {
      console.note(["\(folder.migrations) leads to \(named.name) already; there is nothing to record."])
      return .done
    }
    var report = PlanReport(plan, database: folder.migrations, policy: consent.policy)
    guard report.refusals.isEmpty else {
      report.ending = .refused
      console.print(report.text(style: console.style))
      console.error("refused: \(report.refusalSummary). Nothing was recorded.")
      return .refused
    }
    try recording.refuseFunctions(plan, to: named.target)
    let step = try recording.step(plan, name: stepName, path: path, behind: recorded.steps, to: named.target)
    try recorded.record([step])
    console.print(path + "\n")
    // The hazards that need no consent, but that the rows of a database may still refuse.
    let open = plan.hazards.filter {
      $0.code.hazardClass == .blocked && !$0.isPotential && !plan.idleHints.contains($0)
    }
    console.note((open + plan.idleHints).map { "\($0.code.rawValue) \($0.object): \($0.message) \($0.remedy ?? "")" })
    if let ways = step.ways(outOf: open, from: replay.schema, to: named.target.schema) { console.note([ways]) }
    return .done
  }

  /// Records a step that works on rows only.
  private func recordEmpty(
    _ stepName: String, path: String, in recorded: inout MigrationFolder, _ console: Console
  ) throws -> Outcome {
    let text = """
      -- Step \(stepName): works on rows only. Its statements stand in \(stepName).after.sql.
      -- Run migrations hash when they are written.

      """
    try recorded.record([Migration(name: stepName, path: path, sql: text)])
    console.print(path + "\n")
    return .done
  }

  /// The folder, which may be one without any step yet.
  private func intactOrUnused() throws -> (MigrationFolder, MigrationReplay) {
    let read = try MigrationFolder(reading: folder.migrations)
    return try read.steps.isEmpty && read.checksums == nil ? (read, MigrationReplay([])) : folder.intact()
  }
}

extension TargetSchema {
  /// Takes out the hints that earlier steps have carried out, and says which.
  fileprivate mutating func leaveOut(_ states: [MigrationReplay.State], console: Console) {
    let applied: [String]
    (hints, applied) = hints.withoutConversions(in: states.map(\.hints))
    for column in applied {
      console.note(["the conversion of \(column) is that of an earlier step, and is not recorded again."])
    }
    for names in settleNames(of: states) {
      console.note([
        "the exchange of \(Wording.list(names)) is that of an earlier step, and is not recorded again. To "
          + "exchange them once more, go through a third name."
      ])
    }
  }
}

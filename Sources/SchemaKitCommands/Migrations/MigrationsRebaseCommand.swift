import ArgumentParser
import SchemaKit
import SchemaKitFoundation
import SchemaKitOperations
import SchemaKitReports

/// Puts steps of a branch behind those of another.
struct MigrationsRebaseCommand<Tool: SchemaCommandLine>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "rebase", abstract: "Put the steps of this branch behind those of another, after a merge.",
      discussion: """
        Steps that the base does not have get new numbers behind those that it has. Where both change the same objects, \
        this branch's steps are written anew from the difference to the declared schema, which must be the merged one; \
        without --to that is refused.
        """)
  }

  @Option(
    help: ArgumentHelp(
      "The folder as the other branch has it: a git revision such as origin/main, or a folder.", valueName: "rev|folder"
    ))
  var base: String
  @OptionGroup var folder: FolderOptions
  @OptionGroup var target: TargetOptions
  @OptionGroup var consent: ConsentOptions
  @OptionGroup(visibility: .shared) var output: OutputOptions

  func run() throws {
    let console = Console(program: Tool.programName, options: output)
    try reporting(console, options: output) { try outcome(console) }
  }

  private func outcome(_ console: Console) throws -> Outcome {
    var read = try MigrationFolder(reading: folder.migrations, ignoringChecksums: true)
    let baseNames = try BaseFolder(base, of: folder.migrations).stepNames()
    if let gone = baseNames.first(where: { name in !read.steps.contains { $0.name == name } }) {
      throw CommandError(
        code: .failed, sentence: "\(folder.migrations) lacks step \(gone) of \(base); merge \(base) first.")
    }
    let theirs = read.steps.filter { baseNames.contains($0.name) }
    let own = read.steps.filter { !baseNames.contains($0.name) }
    guard !own.isEmpty else {
      try read.seal(snapshot: MigrationReplay(read.steps).snapshot())
      console.note(["\(folder.migrations) has no step that \(base) lacks."])
      return .done
    }
    var next = (theirs.compactMap(\.number).max() ?? 0) + 1
    var moved: [Migration] = []
    for step in own {
      let name = Migration.name(number: next, title: step.title.isEmpty ? "step" : step.title)
      moved.append(try step.renamed(to: name))
      next += 1
    }
    let overlaps = try overlap(theirs: theirs, own: own)
    if !overlaps.isEmpty {
      moved = [try rewritten(moved, behind: theirs, overlaps: overlaps, console)]
    } else {
      let replay = try MigrationReplay(theirs + moved)
      guard replay.problems.isEmpty else { throw MigrationFolderError(problems: replay.problems) }
    }
    try read.record(moved, removing: own)
    for (old, new) in zip(own, moved) where old.name != new.name { console.note(["\(old.name) is now \(new.name)."]) }
    console.print(moved.map { $0.path + "\n" }.joined())
    return .done
  }

  /// The objects that both sides change since they parted.
  private func overlap(theirs: [Migration], own: [Migration]) throws -> [String] {
    // Both sides begin with the steps that came before the first of this branch.
    let common = theirs.filter { $0.name < (own.first?.name ?? "") && !isAlternative($0, to: own) }
    let start = try MigrationReplay(common).schema
    let left = DiffReport(from: ("", start), to: ("", try MigrationReplay(theirs).schema)).tables
    guard let right = try? MigrationReplay(common + own) else { return left.sorted().map(\.text) }
    return left.intersection(DiffReport(from: ("", start), to: ("", right.schema)).tables).sorted().map(\.text)
  }

  /// True if a step of the base has a number that one of this branch has too, so that it came after they parted.
  private func isAlternative(_ step: Migration, to own: [Migration]) -> Bool {
    guard let number = step.number, let first = own.compactMap(\.number).min() else { return false }
    return number >= first
  }

  private func rewritten(
    _ moved: [Migration], behind theirs: [Migration], overlaps: [String], _ console: Console
  ) throws -> Migration {
    let objects = overlaps.joined(separator: ", ")
    guard !target.to.isEmpty || Tool.models != nil else {
      throw CommandError(
        code: .failed,
        sentence:
          "both \(base) and this branch change \(objects). Pass the merged schema with --to, so that this branch's "
          + "steps can be rewritten. Nothing was changed.")
    }
    if let data = moved.first(where: { $0.before != nil || $0.after != nil }) {
      throw CommandError(
        code: .failed,
        sentence:
          "both \(base) and this branch change \(objects), and \(data.name) works on rows: SchemaKit cannot know "
          + "how that fits. Delete this branch's steps, record them again with migrations new, and put the work on "
          + "rows beside them again. Nothing was changed.")
    }
    let loading = TargetLoading(console: console, output: output)
    let replay = try MigrationReplay(theirs)
    var named = try loading.target(target, models: Tool.models)
    named.target.hints = named.target.hints.withoutConversions(in: replay.states.map(\.hints)).hints
    for step in moved { step.directives.add(to: &named.target.hints) }
    _ = named.target.settleNames(of: replay.states)
    var consent = try Consent(consent)
    for text in moved.flatMap(\.directives.allowances) { try consent.policy.add(allow: text) }
    let name = moved[0].name
    let recording = MigrationRecording(replay: replay, models: Tool.models, isOrderStrict: target.strictOrder)
    let plan = try recording.plan(named.target, policy: consent.policy)
    let report = PlanReport(plan, database: folder.migrations, policy: consent.policy, ending: .refused)
    guard report.refusals.isEmpty else {
      console.print(report.text(style: console.style))
      throw CommandError(code: .refused, sentence: "refused: \(report.refusalSummary). Nothing was changed.")
    }
    try recording.refuseFunctions(plan, to: named.target)
    console.note(["both \(base) and this branch change \(objects): the step was rewritten."])
    return try recording.step(plan, name: name, path: moved[0].path, behind: theirs, to: named.target)
  }
}

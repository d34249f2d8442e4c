import ArgumentParser
import SchemaKit
import SchemaKitOperations

/// Brings a database to its schema.
struct ApplyCommand<Tool: SchemaCommandLine>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "apply", abstract: "Bring a database to a schema, in one transaction, and verify the result.",
      discussion: "Asks first on a terminal; elsewhere --yes is needed. Whatever fails leaves the file as it was.")
  }

  @Argument(
    help: ArgumentHelp("The database file; a missing one is created with --create.", valueName: "database"),
    completion: .file())
  var database: String?
  @OptionGroup var target: TargetOptions
  @Option(
    help: ArgumentHelp(
      "Apply a plan that plan --out saved, instead of --to; one that no longer fits is refused.", valueName: "file"),
    completion: .file())
  var plan: String?
  @Option(
    help: ArgumentHelp(
      "Apply the recorded steps that the database lacks, in order, instead of --to.", valueName: "folder"),
    completion: .directory)
  var migrations: String?
  @OptionGroup var consent: ConsentOptions
  @OptionGroup var creation: CreationOptions
  @OptionGroup var speed: QuickOptions
  @OptionGroup var ways: StrategyOptions
  @OptionGroup(visibility: .shared) var online: OnlineOptions
  @OptionGroup var phase: PhaseOptions
  @Flag(help: "Do not ask.")
  var yes = false
  @Flag(help: "Do everything and verify it, then roll it back.")
  var dryRun = false
  @OptionGroup var backup: BackupOptions
  @OptionGroup var keeping: KeepOptions
  @OptionGroup var history: LedgerOptions
  @Option(
    name: .customLong("verify"),
    help:
      "The proof of copied rows: full, the default, compares every value; counts, the rows; paranoid checks the file too."
  )
  var givenVerify: Verification?
  @Option(help: ApplyFormat.help)
  var format = ApplyFormat.text
  @OptionGroup var rehearsal: RehearsalOptions
  @OptionGroup(visibility: .shared) var output: OutputOptions

  func validate() throws {
    try history.refuse(["--migrations": migrations != nil, "--keep": keeping.keep, "--plan": plan != nil])
    try phase.refuse([
      "--plan": plan != nil, "--migrations": migrations != nil, "--no-ledger": history.noLedger, "--keep": keeping.keep,
    ])
    if rehearsal.isRehearsal, let option = dryRun ? "--dry-run" : backup.backup.map({ _ in "--backup" }) {
      throw ValidationError("--rehearse and \(option) cannot be combined: a rehearsal changes a copy only.")
    }
    if let option = online.firstGiven, ways.strategy != .online, plan == nil {
      throw ValidationError("\(option) needs --strategy online.")
    }
    if migrations != nil, let option = recordedExclusion {
      throw ValidationError("--migrations and \(option) cannot be combined: the recorded steps say what they lead to.")
    }
    guard plan != nil,
      let option = target.firstGiven ?? (speed.quick ? "--quick" : nil)
        ?? ways.strategy.map({ _ in "--strategy" })
    else { return }
    throw ValidationError("--plan and \(option) cannot be combined: a saved plan says what it leads to and how.")
  }

  /// An option that means nothing where recorded steps are applied.
  var recordedExclusion: String? {
    if plan != nil { return "--plan" }
    var target = target
    target.ignore = []
    if let option = target.firstGiven { return option }
    if speed.quick { return "--quick" }
    if rehearsal.isRehearsal { return "--rehearse" }
    return history.noLedger ? "--no-ledger" : nil
  }

  func run() throws {
    let console = Console(program: Tool.programName, options: output)
    try reporting(console, options: output, events: format == .ndjson) {
      let database = try required(database)
      if migrations != nil || rehearsal.isRehearsal { try output.access(to: database).refuseServer() }
      if let migrations { return try applyRecorded(migrations, database, console) }
      var consent = try Consent(consent)
      consent.policy.keepsDropped = keeping.keep
      consent.policy.strategy = ways.choice
      let loading = TargetLoading(console: console, output: output)
      let access = output.access(to: database)
      let saved = try plan.map { try SavedPlanFile(reading: $0, models: Tool.models) }
      if let saved { consent.add(recorded: saved, console: console) }
      let named =
        try saved.map { try loading.target(of: $0, database: access) }
        ?? loading.target(target, models: Tool.models, database: access)
      try history.check(named.target)
      warnOfOtherTool(console)
      try checkCreation(access, console)
      var flow = ApplyFlow(
        console: console, access: access, target: named.target, consent: consent, loading: loading,
        request: try request(access, saved, allowing: consent.policy), models: Tool.models,
        backup: DatabaseBackup(console: console, options: backup))
      flow.request.known = named.known
      flow.renames = target.rename
      flow.saved = saved
      flow.rehearsal = rehearsal.isRehearsal ? rehearsal : nil
      if phase.firstGiven != nil { try access.refuseServer() }
      flow.isConfirmed = yes || phase.quietFor != nil
      flow.asksToCreate = creation.needsAgreement(access)
      flow.mayCreate = creation.givenCreate == true
      flow.format = format
      return try naming(database) { try flow.run() }
    }
  }

  /// The change that the options wish for.
  private func request(
    _ access: DatabaseAccess, _ saved: SavedPlanFile? = nil, allowing policy: PlanPolicy
  ) throws -> ChangeRequest {
    var request = ChangeRequest(allowing: policy, program: "\(Tool.programName) \(SchemaKitVersion.current)")
    request.plan.isQuick = saved.map { !$0.plan.plan.areRowsExamined } ?? speed.quick
    request.plan.isOrderStrict = saved?.plan.isOrderStrict ?? target.strictOrder
    request.plan.recording = history.recording
    request.plan.verification = givenVerify.flatMap { VerificationLevel(rawValue: $0.rawValue) } ?? .full
    // A plan for another engine may have statements that the server refuses.
    let own = try access.profile
    request.plan.profile = own == .libsql ? own : saved?.plan.profile ?? own
    request.isDryRun = dryRun
    request.phase = phase.phase
    request.online = online.limits
    return request
  }

  /// Warns that the tool whose folder is the schema does not learn of the change.
  private func warnOfOtherTool(_ console: Console) {
    if let room = target.to.first.flatMap(RoomSchema.found) {
      console.warn(
        "Room does not learn of this change, and would migrate the file again or refuse it. Before Room opens it, run "
          + room.adoption)
      return
    }
    guard let folder = target.to.first, TargetLoading.canBeLaidOut(folder),
      let layout = target.layout ?? (try? MigrationLayout.recognised(at: folder)), layout != .plain
    else { return }
    console.warn(
      "\(layout.rawValue) does not learn of this change, so it would run the migrations of \(folder) again; rows that they insert "
        + "are not made.")
  }

  /// Refuses a missing database that nobody agreed to create, or that cannot be; nothing is created by a trial.
  private func checkCreation(_ access: DatabaseAccess, _ console: Console) throws {
    let isTrial = dryRun || rehearsal.isRehearsal
    try creation.check(access)
    try access.checkFolder()
    try creation.checkAgreement(access, isAsked: isTrial || console.canAsk && !yes)
  }

  private func applyRecorded(_ folder: String, _ database: String, _ console: Console) throws -> Outcome {
    var consent = try Consent(consent)
    consent.policy.keepsDropped = keeping.keep
    consent.policy.strategy = ways.choice
    var runner = try MigrationRunner(MigrationFolder(reading: folder))
    runner.ignores = NamePatterns.matcher(target.ignore)
    let access = output.access(to: database)
    try checkCreation(access, console)
    var flow = RecordedApplyFlow(
      console: console, access: access, runner: runner, request: try request(access, allowing: consent.policy),
      backup: DatabaseBackup(console: console, options: backup))
    flow.models = Tool.models
    flow.isConfirmed = yes
    flow.asksToCreate = creation.needsAgreement(access)
    flow.format = format
    return try naming(database) { try flow.run() }
  }
}

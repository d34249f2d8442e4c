import SchemaKitFoundation

extension Fleet {
  /// Changes the files by a plan: in waves, each file in a transaction of its own.
  ///
  /// A run that was stopped or killed goes on where it was when it is called again with its journal: files that are done
  /// are not touched again. What failed before, was locked or was left out is tried again.
  ///
  /// - Parameters:
  ///   - journal: The file in which the run is noted; it is made if it is not there, and must not be among the files.
  ///   - rollout: The order of the files, and when to stop.
  /// - Throws: ``FleetError`` before any file is changed, or when the journal cannot be written. What goes wrong with a
  ///   single file is in the report.
  public func apply(
    _ plan: FleetPlan, journal path: String, rollout: FleetRollout = FleetRollout()
  ) throws -> FleetReport {
    let start = ContinuousClock.now
    try checkPlace(ofJournal: path)
    let folders = Self.lockable(files.folders)
    let lock = try FleetLock(of: folders, for: folders.first ?? path)
    defer { withExtendedLifetime(lock) {} }
    let journal = try FleetJournal(at: path, mayCreate: true)
    let (run, isResumed) = try begin(plan, in: journal, rollout: rollout)
    var fleet = self
    fleet.memory = PlanningMemory()
    var work = FleetRun(
      fleet: fleet, plan: plan, journal: journal, rollout: rollout, run: run, isResumed: isResumed)
    let ending = try work.carryOut()
    var report = try FleetReport(
      of: journal, run, ending, milliseconds: start.milliseconds, processed: work.processed)
    report.problems = problems(report.problems)
    return report
  }

  /// Notes the run in a new journal; in the journal of the same plan, takes it up again with the files that came since.
  private func begin(
    _ plan: FleetPlan, in journal: FleetJournal, rollout: FleetRollout
  ) throws(FleetError) -> (FleetJournal.Run, isResumed: Bool) {
    let checksum = plan.checksum
    if let run = try journal.run() {
      guard run.plan == checksum else { throw FleetError(reason: .otherRun(journal.path)) }
      let known = Set(try journal.entries().map(\.path))
      let new = files.files.filter { !known.contains($0.absolutePath) }
      if !new.isEmpty { try journal.add(new, wave: try journal.lastWave() + 1) }
      return (run, true)
    }
    let id = String(UUID().uuidString.prefix(8)).lowercased()
    let run = FleetJournal.Run(
      id: id, plan: checksum, startedAt: Date().formatted(.iso8601),
      program: options.program.isEmpty ? "fleet run \(id)" : "\(options.program), fleet run \(id)")
    try journal.begin(run, plan, waves: rollout.waves(of: files.files, examples: plan.groups.map(\.example)))
    return (run, false)
  }

  /// Refuses a journal in a folder whose files are worked on.
  private func checkPlace(ofJournal path: String) throws(FleetError) {
    let folder = SQLiteConnection.folder(of: path)
    guard let identity = FileIdentity(ofFileAt: folder) else {
      throw FleetError(reason: .journal(path, problem: "its folder does not exist"))
    }
    for searched in files.folders where FileIdentity(ofFileAt: searched) == identity {
      throw FleetError(reason: .journalAmongFiles(journal: path, folder: searched))
    }
  }

  /// Folders that hold all others between them, and are few enough for a lock on each.
  static func lockable(_ folders: Set<String>) -> [String] {
    var folders = Set(folders.map(FleetFiles.absolute))
    while true {
      var outermost: [String] = []
      for folder in folders.sorted() {
        if let last = outermost.last, folder == last || folder.hasPrefix(last == "/" ? last : last + "/") { continue }
        outermost.append(folder)
      }
      guard outermost.count > mostLocks else { return outermost }
      folders = Set(outermost.map(SQLiteConnection.folder))
    }
  }

  private static let mostLocks = 64
}

/// A run over the files of a fleet.
private struct FleetRun {
  let fleet: Fleet
  let plan: FleetPlan
  let journal: FleetJournal
  let rollout: FleetRollout
  let run: FleetJournal.Run
  /// Whether an earlier part of the run may have changed files that the journal does not know of.
  let isResumed: Bool
  /// How many files were worked on.
  private(set) var processed = 0
  private var failures = 0

  /// What is taken up again.
  private static let unfinished: Set<FleetState> = [
    .waiting, .pending, .refused, .stale, .newer, .busy, .failed, .skipped,
  ]

  init(
    fleet: Fleet, plan: FleetPlan, journal: FleetJournal, rollout: FleetRollout, run: FleetJournal.Run,
    isResumed: Bool
  ) {
    self.fleet = fleet
    self.plan = plan
    self.journal = journal
    self.rollout = rollout
    self.run = run
    self.isResumed = isResumed
  }

  /// Goes through the waves, and then once more to the files that were locked.
  mutating func carryOut() throws -> FleetReport.Ending {
    let last = try journal.lastWave()
    var isFirst = true
    for number in 0..<last {
      let entries = try journal.entries(wave: number + 1, states: Self.unfinished)
      guard !entries.isEmpty else { continue }
      if !isFirst { pause() }
      isFirst = false
      try change(entries)
      if let ending = try ending(after: number + 1, of: last) { return ending }
    }
    let busy = try journal.entries(states: [.busy])
    if !busy.isEmpty { try change(busy, isRetry: true) }
    return fleet.options.isCancelled() ? .cancelled : .complete
  }

  private func pause() {
    let end = ContinuousClock.now + .seconds(rollout.pause)
    while ContinuousClock.now < end, !fleet.options.isCancelled() { usleep(20_000) }
  }

  /// Why the run ends after a wave; nil where it goes on.
  private func ending(after number: Int, of last: Int) throws -> FleetReport.Ending? {
    if fleet.options.isCancelled() { return .cancelled }
    if rollout.failureLimit.isExceeded(by: failures, of: fleet.files.files.count) { return .tooManyFailures }
    let counts = try journal.counts()[number] ?? [:]
    do {
      let wave = FleetReport.Wave(number, of: last, counts: counts, run: run.id)
      return try rollout.continues(wave) ? nil : .stopped(reason: "")
    } catch {
      return .stopped(reason: "\(error)")
    }
  }

  private mutating func change(_ entries: [FleetJournal.Entry], isRetry: Bool = false) throws {
    // That they are damaged is known, and was agreed to.
    let known = Set(plan.problems.filter { $0.state == .failed }.map { FleetFiles.absolute($0.path) })
    let (before, count, limit) = (failures, fleet.files.files.count, rollout.failureLimit)
    let stop = FleetOptions.Stop(
      isFailure: { $0.state == .failed && !known.contains($0.path) },
      isExceeded: { limit.isExceeded(by: before + $0, of: count) })
    let done = try fleet.options.process(entries, in: journal, until: stop) { [fleet, plan, run, isResumed] entry in
      fleet.change(entry, by: plan, program: run.program, isResumed: isResumed || isRetry)
    }
    if !isRetry { processed += done.count }
    failures += done.failures
  }
}

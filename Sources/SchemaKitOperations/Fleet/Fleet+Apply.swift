import SchemaKitFoundation

extension Fleet {
  /// Changes the files by a plan: in waves, each file in a transaction of its own.
  ///
  /// A run that was stopped or killed goes on where it was when it is called again with its journal: files that are done
  /// are not touched again. Files that failed before, were locked or were left out are tried again.
  ///
  /// - Parameters:
  ///   - path: The file in which the run is noted; it is made if it is not there, and must not be among the files.
  ///   - rollout: The order of the files, and when to stop.
  /// - Throws: ``FleetError`` before any file is changed, or when the journal cannot be written. A problem with a single
  ///   file is in the report.
  public func apply(
    _ plan: FleetPlan, journal path: String, rollout: FleetRollout = FleetRollout()
  ) throws -> FleetReport {
    let start = WorkClock.now
    try checkPlace(ofJournal: path)
    let lock = try FleetLock(folders: Self.lockable(files.folders))
    defer { withExtendedLifetime(lock) {} }
    let journal = try FleetJournal(at: path, mayCreate: true)
    let (run, isResumed) = try begin(plan, in: journal, rollout: rollout)
    var fleet = self
    fleet.memory = memory.emptied()
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
    let (document, checksum) = plan.sealed()
    if let run = try journal.run() {
      guard run.plan == checksum else { throw FleetError(reason: .otherRun(journal.path)) }
      let entries = try journal.entries()
      // The files that the paths lead to now: an inode can have become another file's.
      let identities = entries.compactMap { FileIdentity(ofFileAt: $0.path) }
      let known = (paths: Set(entries.map { ExactText($0.path) }), files: Set(identities))
      let new = files.files.filter {
        !known.paths.contains(ExactText($0.absolutePath)) && !known.files.contains($0.identity)
      }
      try journal.add(rollout.waves(of: new, examples: plan.groups.map(\.example)))
      return (run, true)
    }
    try rollout.checkCanaries(files.files)
    let id = String(UUID().uuidString.prefix(8)).lowercased()
    let run = FleetJournal.Run(
      id: id, plan: checksum, startedAt: Date().formatted(.iso8601),
      program: options.program.isEmpty ? "fleet run \(id)" : "\(options.program), fleet run \(id)")
    try journal.begin(
      run, document: document, waves: rollout.waves(of: files.files, examples: plan.groups.map(\.example)))
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
    var folders = Set(folders.map { FleetLock.real($0) ?? FilePaths.absolute($0) })
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
  /// True if an earlier part of the run may have changed files that the journal does not know of.
  let isResumed: Bool
  /// Where each file is among those of the fleet, by its absolute path.
  private let indices: [ExactText: Int]
  /// The number of files that were worked on.
  private(set) var processed = 0
  private var failures = 0

  /// The states of files that are taken up again; a change that was undone is made again.
  private static let unfinished = Set(FleetState.allCases).subtracting([.applied, .current])

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
    let paths = fleet.files.files.enumerated().lazy.map { (ExactText($0.element.absolutePath), $0.offset) }
    indices = Dictionary(paths, uniquingKeysWith: { first, _ in first })
  }

  /// Goes through the waves, and then once more to the files that were locked.
  mutating func carryOut() throws -> FleetReport.Ending {
    let last = try journal.lastWave()
    let accepted = try journal.acceptedWaves()
    var isFirst = true
    for number in 0..<last {
      let entries = try entries(wave: number + 1, states: Self.unfinished)
      if entries.isEmpty {
        // Nothing is left of it, or nothing but files that are not named now.
        let isOpen = try !journal.entries(wave: number + 1, states: [.waiting]).isEmpty
        if isOpen || accepted.contains(number + 1) { continue }
      } else {
        if !isFirst { pause() }
        isFirst = false
        try journal.withdraw(number + 1)
        try change(entries)
      }
      // The condition that stopped the run after a wave is checked again before it goes on.
      if let ending = try ending(after: number + 1, of: last) { return ending }
      try journal.accept(number + 1)
    }
    let busy = try entries(states: [.busy])
    if !busy.isEmpty { try change(busy, isRetry: true) }
    return fleet.options.isCancelled() ? .cancelled : .complete
  }

  /// The entries of files that this part of the run is for, each with what the file is now.
  private func entries(wave: Int? = nil, states: Set<FleetState>) throws(FleetError) -> [FleetJournal.Entry] {
    try journal.entries(wave: wave, states: states).compactMap { entry in
      guard
        let file = indices[ExactText(entry.path)].map({ fleet.files.files[$0] })
          ?? FileIdentity(ofFileAt: entry.path).flatMap(fleet.files.file)
      else { return nil }
      var entry = entry
      entry.identity = file.identity
      return entry
    }
  }

  private func pause() {
    let end = WorkClock.now + .seconds(rollout.pause)
    while WorkClock.now < end, !fleet.options.isCancelled() { WorkClock.pause(.milliseconds(20)) }
  }

  /// The reason why the run ends after a wave; nil if it goes on.
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

  /// The paths by which the journal knows files, under whatever name the plan has them.
  private func files(_ paths: Set<ExactText>) -> Set<ExactText> {
    let identities = paths.compactMap { FileIdentity(ofFileAt: $0.text) }
    return paths.union(identities.compactMap { fleet.files.file($0).map { ExactText($0.absolutePath) } })
  }

  private mutating func change(_ entries: [FleetJournal.Entry], isRetry: Bool = false) throws {
    // That they are damaged is known, and was agreed to.
    let known = files(plan.pathsOfProblems([.failed]))
    let others = files(plan.pathsOfProblems([.skipped]))
    let (before, count, limit) = (failures, fleet.files.files.count, rollout.failureLimit)
    let stop = FleetOptions.Stop(
      isFailure: { $0.state == .failed && !known.contains(ExactText($0.path)) },
      isExceeded: { limit.isExceeded(by: before + $0, of: count) })
    let done = try fleet.options.process(entries, in: journal, until: stop) { [fleet, plan, run, isResumed] entry in
      var result = fleet.change(entry, by: plan, program: run.program, isResumed: isResumed || isRetry)
      // A file that was a database when the plan was made, or is new, has to be one.
      if result.state == .skipped, !others.contains(ExactText(entry.path)) { result.state = .failed }
      return result
    }
    if !isRetry { processed += done.count }
    failures += done.failures
  }
}

import SchemaKitFoundation

/// Carries out a plan that copies tables while others read and write them.
///
/// Each table is copied in short transactions into a shadow table, while triggers log which rows others write. Then the logged rows are
/// copied again, everything is compared in short snapshots, and a last transaction copies what was logged meanwhile, lets the two
/// tables change places and does the rest of the plan. The old rows are freed in short transactions afterwards.
///
/// Until the last transaction, others see the old schema; whatever fails leaves the file as it was. See
/// [Write-Ahead Logging](https://sqlite.org/wal.html) for why readers and writers go on.
struct OnlineRun {
  let change: Change
  let journal: OnlineJournal
  let owner = OnlineOwner.begin()
  let pace: Pace
  private var plan: MigrationPlan?

  init(change: Change, journal: OnlineJournal) throws {
    self.change = change
    self.journal = journal
    pace = try Pace(change.connection)
  }

  var connection: any SQLConnection { change.connection }
  var steps: [MigrationStep] { plan?.steps ?? [] }
  var observer: ChangeObserver { change.request.observer }
  var limits: OnlineLimits { change.request.online }

  /// The most logged rows that are copied under the lock of the last transaction.
  private static let mostAtTheEnd: Int64 = 200

  /// Runs the plan; nil if it copies nothing online, and nothing was done.
  mutating func run(start: ContinuousClock.Instant) throws -> ApplyReport? {
    defer { OnlineOwner.end(owner) }
    // The examination that showed the plan may be out of date: all is examined again once writes are logged.
    var first = try change.request.examination?.prepared ?? change.looking { try change.prepare() }
    plan = first.plan
    guard !first.plan.onlineCopies.isEmpty else { return nil }
    try finishFreeing()
    try change.refuseNewerFile()
    try observer.onPlan(first.plan)
    try change.refuse(first.plan)
    try change.copy?.make(before: first.plan, losesRows: false)
    try FileCheck(connection: connection, onProgress: observer.onProgress, isCancelled: observer.isCancelled)
      .run(before: first.plan)
    let checkpointing = try connection.integer("PRAGMA wal_autocheckpoint") ?? 1000
    let durability = try connection.integer("PRAGMA main.synchronous") ?? 2
    defer {
      try? connection.execute("PRAGMA wal_autocheckpoint = \(checkpointing)")
      try? connection.execute("PRAGMA main.synchronous = \(durability)")
    }
    // A checkpoint after a commit would count as time under the lock.
    try connection.execute("PRAGMA wal_autocheckpoint = 0")
    // A batch that a power cut takes back is copied again: only the last transaction has to wait for the disk.
    try connection.execute("PRAGMA main.synchronous = \(min(durability, 1))")
    var copied = try begin(first)
    var report: ApplyReport?
    var attempts = 0
    while report == nil {
      do {
        report = try carryOut(first, durability: durability, start: start)
      } catch is OtherPlan where attempts < 3 {
        attempts += 1
        try removeOwn(after: OtherPlan(), first.plan)
        first = try change.looking { try change.prepare() }
        plan = first.plan
        guard !first.plan.onlineCopies.isEmpty else { return nil }
        try observer.onPlan(first.plan)
        try change.refuse(first.plan)
        try change.copy?.make(before: first.plan, losesRows: false)
        copied = try begin(first)
      } catch {
        try removeOwn(after: error, first.plan)
        let table = first.plan.onlineCopies[0].table.text
        throw error is OtherPlan ? ApplyError(reason: .onlineCopyDisturbed(table: table)) : error
      }
    }
    do {
      try free(first.plan)
    } catch {
      // The change is made. The rest is freed at once, or by whoever opens the file next.
      try? connection.suspendingCancellation { try connection.transaction(.immediate) { try removeOwn() } }
    }
    if copied > 0 {
      let rows = Int(copied).counted("row")
      report?.notes.append("The copy went on where an earlier one had ended: \(rows) were there already.")
    }
    return report
  }

  // MARK: - Beginning

  /// Creates the shadow tables, logs and triggers, or finds those of a run that was killed.
  ///
  /// - Returns: The number of rows that the killed run has copied.
  private func begin(_ prepared: Change.Prepared) throws -> Int64 {
    let copies = prepared.plan.onlineCopies
    var parts = prepared.plan.statements.map(\.sql) + copies.flatMap(\.definitions)
    // A value that a program computes may be something else in its next version.
    let isComputed = change.target.hints.tables.values.contains { $0.columns.values.contains(where: \.needsProgram) }
    parts.append("-- \(SchemaKitVersion.current)" + (isComputed ? " \(owner)" : ""))
    let statements = parts.joined(separator: ";\n")
    return try connection.transaction(.immediate) {
      if let run = try journal.run() {
        try journal.refuseRunning()
        let cookie = try connection.integer("PRAGMA main.schema_version")
        if run.phase == .copying, run.statements == statements, run.cookie == cookie {
          try journal.take(over: owner)
          return try copies.reduce(0) { try $0 + journal.progress(of: $1.table).rows }
        }
        try journal.remove()
      }
      guard try Fingerprint.of(SchemaReader.read(connection)) == prepared.plan.sourceFingerprint else {
        throw ApplyError(reason: .onlineCopyDisturbed(table: copies.first?.table.text ?? ""))
      }
      for copy in copies {
        for statement in copy.definitions { try connection.run(statement) }
      }
      try journal.begin(statements, tables: copies.map(\.table), owner: owner)
      return 0
    }
  }

  /// Removes what this run has in the file, unless somebody else has taken it over.
  func removeOwn() throws {
    if try journal.run()?.owner == owner { try journal.remove() }
  }

  /// Removes what this run has in the file because it ends, or begins again.
  ///
  /// - Throws: `ApplyError.onlineCopyLeft` where somebody else keeps the lock.
  private func removeOwn(after cause: any Error, _ plan: MigrationPlan) throws {
    do {
      try connection.suspendingCancellation { try waiting(isEnding: true) { try removeOwn() } }
    } catch {
      throw ApplyError(reason: .onlineCopyLeft(table: plan.onlineCopies[0].table.text, cause: cause))
    }
  }

  // MARK: - Copying

  /// - Parameter durability: The setting of `PRAGMA synchronous` for the last transaction.
  private func carryOut(
    _ first: Change.Prepared, durability: Int64, start: ContinuousClock.Instant
  ) throws -> ApplyReport {
    let copies = first.plan.onlineCopies
    try announceSilence(over: copies)
    // The rows are examined once more, since those were not logged that changed since the first time.
    var examining = change
    // The room is looked at before each batch.
    examining.request.freeSpace = { _ in nil }
    var (examined, seen) = try change.looking { (try examining.prepare(), try lastLogged(copies)) }
    guard examined.plan.statements == first.plan.statements else { throw OtherPlan() }
    if examined.plan != first.plan { try observer.onPlan(examined.plan) }
    try change.refuse(examined.plan)
    try change.copy?.make(before: examined.plan, losesRows: false)
    for (index, step) in examined.plan.steps.enumerated() {
      guard let copy = step.onlineCopy else { continue }
      func meter(_ activity: ApplyProgress.Activity) -> OnlineMeter {
        OnlineMeter(activity: activity, plan: examined.plan, step: index, tell: observer.onProgress)
      }
      try namingRefused(of: copies, since: seen, examined, at: step) {
        try copyRows(copy, meter(.copying))
        try drain(copy)
        try fillIndexes(of: copy, meter(.indexing))
        try compare(copy, meter(.comparing))
        try drain(copy)
        try announceSilence(over: [copy])
        try compareCounts(copy)
      }
    }
    try announceSilence(over: copies)
    var distinct = try connection.transaction(.deferred) { try refuseDuplicates(copies, since: nil, examined) }
    var written: [Hazard] = []
    var most = Self.mostAtTheEnd
    while true {
      try stopIfCancelled()
      for step in examined.plan.steps {
        guard let copy = step.onlineCopy else { continue }
        try namingRefused(of: copies, since: seen, examined, at: step) { try drain(copy) }
      }
      (written, seen) = try connection.transaction(.deferred) {
        distinct = try refuseDuplicates(copies, since: distinct, examined)
        return (written + (try refuseHazards(of: copies, since: seen, examined)), try lastLogged(copies))
      }
      for copy in copies { try drain(copy) }
      try connection.execute("PRAGMA main.synchronous = \(durability)")
      defer { try? connection.execute("PRAGMA main.synchronous = \(min(durability, 1))") }
      let report = try waiting {
        try cutOver(copies, seen: seen, distinct: distinct, examined, most: most, start: start)
      }
      if var report {
        report.notes += notes(of: written, to: examined.target)
        return report
      }
      // Others write faster than this: it takes a longer lock to get ahead of them.
      most *= 4
    }
  }

  /// Copies rows, and names those that were written meanwhile and that a new table refuses, as the examination finds them.
  private func namingRefused(
    of copies: [OnlineCopy], since seen: [SQLName: Int64], _ examined: Change.Prepared, at step: MigrationStep,
    _ body: () throws -> Void
  ) throws {
    do {
      try body()
    } catch let error as SQLiteError where error.isConstraint {
      _ = try connection.transaction(.deferred) { try refuseHazards(of: copies, since: seen, examined) }
      throw ApplyError(reason: .statement(step: step, sql: step.onlineCopy?.copyRange ?? "", cause: error))
    }
  }

  private func copyRows(_ copy: OnlineCopy, _ meter: OnlineMeter) throws {
    var size = BatchSize(limits.lock)
    var isDone = false
    let last = try lastRow(of: copy)
    while !isDone {
      try stopIfCancelled()
      try waitForRoom(copy)
      var progress = OnlineJournal.Progress(copied: nil, rows: 0, drained: 0)
      let took = try batch {
        try journal.beat(owner: owner, table: copy.table)
        progress = try journal.progress(of: copy.table)
        guard progress.copied != .max else { return }
        let from = progress.copied.map { $0 + 1 } ?? .min
        guard from <= last,
          let end = try connection.integer(copy.endOfRange, [.integer(from), .integer(Int64(size.rows))])
        else {
          progress.copied = .max
          return try journal.note(progress, of: copy.table)
        }
        progress.rows += Int64(try connection.run(copy.copyRange, [.integer(from), .integer(end)]))
        progress.copied = end
        try journal.note(progress, of: copy.table)
      }
      isDone = progress.copied == .max
      size.adapt(to: took)
      meter.tell(progress.rows)
      try pace.rest(took)
    }
  }

  /// The last row that the table has now. Rows added behind it are in the log: a writer that adds rows all the time would be
  /// run after for ever.
  private func lastRow(of copy: OnlineCopy) throws -> Int64 {
    try connection.integer("SELECT max(\(copy.key)) FROM main.\(copy.table.quoted) NOT INDEXED") ?? .min
  }

  /// Copies the rows again that others have written until now. Rows that they write meanwhile are left for the next time, or
  /// a busy writer would never let this end.
  func drain(_ copy: OnlineCopy) throws {
    var size = BatchSize(limits.lock)
    let last = try lastLogged(copy)
    while try journal.progress(of: copy.table).drained < last {
      try stopIfCancelled()
      try waitForRoom(copy)
      let took = try batch {
        try journal.beat(owner: owner, table: copy.table)
        try drain(copy, most: Int64(size.rows))
      }
      size.adapt(to: took)
      try pace.rest(took)
    }
  }

  /// Copies rows of the log again, inside a transaction.
  func drain(_ copy: OnlineCopy, most: Int64) throws {
    var progress = try journal.progress(of: copy.table)
    let from = progress.drained
    let entries = "SELECT number FROM main.\(copy.log.quoted) WHERE number > \(from) ORDER BY number LIMIT \(most)"
    guard let end = try connection.integer("SELECT max(number) FROM (\(entries))") else { return }
    progress.rows -= Int64(try connection.run(copy.forgetLogged, [.integer(from), .integer(end)]))
    progress.rows += Int64(try connection.run(copy.copyLogged, [.integer(from), .integer(end)]))
    try refuse(try connection.rows(copy.differencesInLogged, [.integer(from), .integer(end)]), copy)
    progress.drained = end
    try journal.note(progress, of: copy.table)
  }

  /// Waits until another batch can be written.
  ///
  /// - Throws: `ApplyError` if the log was not checkpointed in time, `PlanError` if the disk fills.
  func waitForRoom(_ copy: OnlineCopy) throws {
    if var plan,
      let shortage = try OnlineRoom(connection: connection, plan: plan, freeSpace: change.freeSpace).shortage()
    {
      let hazard = Hazard(lacking: shortage, for: plan, table: copy.table)
      plan.hazards.append(hazard)
      throw PlanError(reason: .refused(plan, hazards: [hazard]))
    }
    try waitForLog(copy)
  }

  // MARK: - Comparing

  /// Compares all rows, in snapshots that are short enough for others to reset the log between them.
  private func compare(_ copy: OnlineCopy, _ meter: OnlineMeter) throws {
    var size = BatchSize(.milliseconds(50), rows: 5000)
    var next: Int64? = .min
    let last = try lastRow(of: copy)
    var rows: Int64 = 0
    var heard = WorkClock.now
    while let from = next {
      try stopIfCancelled()
      let start = WorkClock.now
      if start - heard > .seconds(5) {
        heard = start
        _ = try batch { try journal.beat(owner: owner, table: copy.table) }
      }
      try connection.transaction(.deferred) {
        guard let end = try connection.integer(copy.endOfRange, [.integer(from), .integer(Int64(size.rows))]) else {
          next = nil
          return
        }
        let drained = try journal.progress(of: copy.table).drained
        try refuse(
          try connection.rows(copy.differencesInRange, [.integer(from), .integer(end), .integer(drained)]), copy)
        next = end >= last ? nil : end + 1
        rows += Int64(size.rows)
      }
      size.adapt(to: WorkClock.now - start)
      meter.tell(rows)
    }
  }

  private func compareCounts(_ copy: OnlineCopy) throws {
    let isEqual = try connection.transaction(.deferred) {
      let progress = try journal.progress(of: copy.table)
      let copied = try connection.integer("SELECT count(*) FROM main.\(copy.shadow.quoted) NOT INDEXED")
      return try copied == progress.rows && connection.integer(copy.surplus, [.integer(progress.drained)]) == 0
    }
    if !isEqual { try refuse([[.text("row count")]], copy) }
  }

  func refuse(_ differences: [[SQLValue]], _ copy: OnlineCopy) throws {
    guard !differences.isEmpty else { return }
    let keys = differences.map { $0.first.map { $0.text ?? $0.integer.map { "\($0)" } ?? "\($0)" } ?? "" }
    guard let step = step(of: copy) else { return }
    throw ApplyError(reason: .verification(step: steps[step], sql: copy.differencesInRange, keys: keys))
  }

  /// Asks of the rows that others have written since what was asked of all rows before. Returns what may happen to them.
  func refuseHazards(
    of copies: [OnlineCopy], since seen: [SQLName: Int64], _ prepared: Change.Prepared
  ) throws -> [Hazard] {
    var rows: [SQLName: String] = [:]
    for copy in copies {
      let number = seen[copy.table] ?? 0
      guard try lastLogged(copy) > number else { continue }
      rows[copy.table] = copy.isLogged(after: number)
    }
    guard !rows.isEmpty else { return [] }
    let found = try change.builder(nil, Ledger(connection: connection), to: prepared.target).hazards(
      in: rows, from: prepared.source)
    let refusals = found.filter { !change.request.plan.policy.permits($0) }
    guard !refusals.isEmpty else { return found }
    var plan = prepared.plan
    plan.hazards += found
    throw PlanError(reason: .refused(plan, hazards: refusals))
  }
}

/// The rows that others have written meanwhile ask for another plan.
private struct OtherPlan: Error {}

extension MigrationPlan {
  /// The tables that are copied online.
  var onlineCopies: [OnlineCopy] { steps.compactMap(\.onlineCopy) }
}

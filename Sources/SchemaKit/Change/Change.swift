import OrderedCollections
import SchemaKitFoundation

/// Brings one database to its declared schema: plans, asks the policy, applies in one transaction, verifies, remembers.
package struct Change {
  let connection: any SQLConnection
  var target: TargetSchema
  var request: ChangeRequest
  /// True if the work is done inside a transaction of somebody else.
  let isInside: Bool

  package init(over connection: any SQLConnection, to target: TargetSchema, _ request: ChangeRequest = ChangeRequest())
  {
    self.connection = connection
    self.target = target
    self.request = request
    isInside = connection.isInTransaction
  }

  /// Makes the plan under a read snapshot; writes nothing to the file.
  package func plan() throws -> MigrationPlan { try examine().plan }

  /// Makes the plan, to be carried out without another look at the rows unless somebody writes meanwhile.
  package func examine() throws -> PlanExamination {
    var environment = ConnectionEnvironmentOptions()
    environment.turnsForeignKeysOff = false
    // Asked before the snapshot, inside which foreign keys could not be switched off.
    let profile = try profile()
    return try withMigrationEnvironment(on: connection, environment) {
      try RecodingFunctions(on: connection).installed {
        if connection.isInTransaction { return PlanExamination(try prepare(profile), over: connection) }
        return PlanExamination(try looking { try prepare(profile) }, over: connection)
      }
    }
  }

  /// Runs work under a read snapshot.
  ///
  /// An engine without temporary tables takes the lock for writing where rows are examined, which a snapshot cannot once
  /// somebody else has written. There the work is done again with the lock.
  func looking<T>(_ body: () throws -> T) throws -> T {
    do {
      return try connection.transaction(.deferred, body)
    } catch let error as SQLiteError where error.isBusy && connection.schemaForWork == "main" {
      return try connection.transaction(.immediate, body)
    }
  }

  /// Brings the database to the declared schema, or leaves it exactly as it was.
  ///
  /// - Throws: `PlanError.refused` for hazards without consent, `HistoryError` for a newer file, `ApplyError` for a
  ///   failure that was rolled back, `SQLiteError` when the file cannot be locked or written.
  package func apply() throws -> ApplyReport {
    let start = WorkClock.now
    var environment = ConnectionEnvironmentOptions()
    // As the plan takes it: inside a lender's transaction, and on some engines, the setting cannot be changed.
    environment.turnsForeignKeysOff =
      try request.plan.profile?.canSuspendForeignKeys != false && connection.canSuspendForeignKeys
    let profile = request.memory == nil ? nil : try profile()
    let report = try withMigrationEnvironment(on: connection, environment) {
      try RecodingFunctions(on: connection).installed { try apply(profile, start: start) }
    }
    if report.outcome != .applied { copy?.discardIfIdle() }
    return report
  }

  private func apply(_ profile: EngineProfile?, start: ContinuousClock.Instant) throws -> ApplyReport {
    let journal = OnlineJournal(connection: connection)
    if request.plan.policy.strategy == .online, !isInside, !request.isDryRun {
      var run = try OnlineRun(change: self, journal: journal)
      if let report = try run.run(start: start) { return report }
    }
    // Rows are checked under a read snapshot, so that writers wait for the change itself only.
    var snapshot: Prepared?
    if !connection.isInTransaction {
      snapshot = try looking {
        let ledger = ledgerHere
        let snapshot = try request.examination?.take(over: connection) ?? prepare(profile, ledger)
        try refuseNewerFile(ledger)
        return snapshot
      }
      if let plan = snapshot?.plan {
        try request.observer.onPlan(plan)
        try refuse(plan)
        if snapshot?.formerNames == nil,
          let report = try finishedWithoutWaiting(plan, seen: snapshot?.version, start: start)
        {
          return report
        }
        try journal.refuseRunning()
        try copy?.make(before: plan, losesRows: false)
      }
    }
    return try locked {
      let ledger = ledgerHere
      try ledger.checkFormat()
      try request.observer.onLocked()
      try refuseNewerFile(ledger)
      var prepared = snapshot
      let version = try dataVersion()
      if prepared == nil || prepared?.version == nil || prepared?.version != version {
        // Somebody else has written since: the plan is made again for what is there now.
        prepared = try prepare()
        if let plan = prepared?.plan {
          if plan != snapshot?.plan { try request.observer.onPlan(plan) }
          try refuse(plan)
          try copy?.make(before: plan, losesRows: false)
        }
      }
      guard let prepared else { throw PlanError(reason: .unprovable(.unreadable)) }
      if !prepared.plan.isEmpty { try journal.cleanUp() }
      return try apply(prepared, start: start)
    }
  }

  /// - Parameter profile: The permissions of the connection, if they were asked already.
  /// - Parameter target: The schema that the plan leads to.
  func builder(_ profile: EngineProfile?, _ ledger: Ledger, to target: TargetSchema? = nil) throws -> PlanBuilder {
    PlanBuilder(
      connection: connection, ledger: ledger, target: target ?? self.target, request: request.plan,
      profile: try profile ?? self.profile(), onRowCheck: request.observer.onRowCheck)
  }

  /// The profile of what the engine permits.
  private func profile() throws -> EngineProfile {
    guard let memory = request.memory, !connection.isInTransaction else {
      return try EngineProfile(of: connection, for: request.plan.profile)
    }
    return try memory.profile(of: connection, for: request.plan.profile)
  }

  /// A plan with what it was made from.
  struct Prepared {
    var version: DataVersion?
    var plan: MigrationPlan
    var source: DatabaseSchema
    var target: TargetSchema
    /// The names of columns that have two, where the plan leads to more than the declared schema.
    var formerNames: [SQLName: [SQLName: SQLName]]?
    /// The number of the file's catalog; nil where none are remembered.
    var catalog: Int?
    /// The rows that break a foreign key already, among those that the plan could break.
    var orphans: ForeignKeyGuard.Findings
  }

  func prepare(_ profile: EngineProfile? = nil, _ ledger: Ledger? = nil) throws -> Prepared {
    do {
      return try prepared(profile, ledger ?? ledgerHere)
    } catch let error as SQLiteError where error.isBusy {
      // A statement that is still being read keeps the temporary tables of the results of row checks from being dropped.
      guard let sql = openStatement else { throw error }
      throw SQLiteConnectionError.statementOpen(sql: sql)
    }
  }

  /// The copy that is made before a change; none before one that is rolled back.
  var copy: (any ChangeCopy)? { request.isDryRun ? nil : request.copy }

  /// True if the change is written into the history.
  var isRecorded: Bool { request.plan.recording == .ledger }

  /// SchemaKit's own tables, looked for once in a transaction, where nobody else changes them.
  private var ledgerHere: Ledger { Ledger(connection: connection, isAlone: connection.isInTransaction) }

  private func prepared(_ profile: EngineProfile?, _ ledger: Ledger) throws -> Prepared {
    try ledger.checkFormat()
    if !isRecorded, try ledger.exists() { throw HistoryError(reason: .existingHistory) }
    var known = request.known
    if let part = known, part.scope != nil {
      let isPlain = try request.undo == nil && request.phase == .complete && ledger.expansion(of: target.name) == nil
      if isPlain, try part.isCurrent(on: connection), let plan = try builder(profile, ledger).emptyPlan(from: part) {
        return Prepared(version: try dataVersion(), plan: plan, source: part.schema, target: target, orphans: [:])
      }
      known = nil
    }
    let source = try KnownCatalog.schema(of: connection, known: known)
    if let undo = request.undo {
      let owned = try ledger.record(of: target.name)?.ownedObjects ?? []
      try undo.checkUnchanged(source, objects: owned)
    }
    var target = target
    var formerNames: [SQLName: [SQLName: SQLName]]?
    switch try destination(from: source, ledger) {
    case .target(let reached): target = reached
    case .expansion(let expanded, let names): (target, formerNames) = (expanded, names)
    case .served(let expansion):
      let engine = SQLiteVersion(number: connection.engineVersionNumber)
      let plan = try plan(serving: expansion, source: source, engine: engine)
      return Prepared(version: try dataVersion(), plan: plan, source: source, target: target, orphans: [:])
    }
    let start = WorkClock.now
    var builder = try builder(profile, ledger, to: target)
    let number = try request.known.flatMap { try $0.isCurrent(on: connection) ? $0.number : nil }
    if let memory = request.memory, let number {
      builder.remembering = PlanBuilder.Remembering(memory: memory, catalog: number)
    }
    if formerNames != nil, request.phase == .prepare {
      guard let plan = try planWithoutRows(by: builder, from: source) else {
        return try complete.prepared(profile, ledger)
      }
      return try surrounded(plan, by: builder, from: source, formerNames, catalog: number, start: start)
    }
    var plan = try builder.build(from: source)
    plan =
      try request.undo?.checked(plan, to: target.schema, on: connection) ?? tellingDifferences(in: plan, from: source)
    return try surrounded(plan, by: builder, from: source, formerNames, catalog: number, start: start)
  }

  /// The free space for a file; not known for one that an engine elsewhere has.
  var freeSpace: (String) -> Int64? { connection is any LocalEngine ? request.freeSpace : { _ in nil } }

  /// A statement that has begun on the connection and not ended, where the engine tells.
  private var openStatement: String? { (connection as? any LocalEngine)?.openStatements.first }

  func dataVersion() throws -> DataVersion? { try DataVersion(of: connection) }

  func refuse(_ plan: MigrationPlan) throws {
    let refusals = plan.refusals(under: request.plan.policy)
    if !refusals.isEmpty { throw PlanError(reason: .refused(plan, hazards: refusals)) }
    if !plan.isEmpty, let sql = openStatement { throw SQLiteConnectionError.statementOpen(sql: sql) }
  }

  private func locked<T>(_ body: () throws -> T) throws -> T {
    if connection.isInTransaction { return try connection.savepoint(body) }
    return try namingRefusedRows {
      try request.isDryRun ? connection.rehearsal(body) : connection.transaction(.immediate, body)
    }
  }

  /// Ends here when there is nothing to apply. A record that the ledger does not have yet, or has under an older cookie (after
  /// ANALYZE or VACUUM), is written when that needs no waiting; the next open compares again otherwise.
  ///
  /// - Parameter version: The data version that the plan was made at.
  private func finishedWithoutWaiting(
    _ plan: MigrationPlan, seen version: DataVersion?, start: ContinuousClock.Instant
  ) throws -> ApplyReport? {
    guard plan.isEmpty, request.undo == nil, request.recordedMigration == nil else { return nil }
    var outcome = ApplyReport.Outcome.unchanged
    var isOvertaken = false
    let journal = OnlineJournal(connection: connection)
    // Whoever copies a table online counts on nobody else to change the schema.
    if try journal.isRunning() {
      return ApplyReport(plan: plan, outcome: .unchanged, milliseconds: start.milliseconds)
    }
    let isLeft = try journal.exists()
    if try isRecorded && !isRemembered() || isLeft, !request.isDryRun {
      // A copy that was left notes each write of others until it is gone.
      let waits: (() throws -> Void) throws -> Void = isLeft ? { try $0() } : connection.withoutWaiting
      do {
        try waits {
          try connection.transaction(.immediate) {
            // Somebody else may have written since the comparison.
            guard try version != nil && version == dataVersion() || prepare().plan.isEmpty else {
              isOvertaken = true
              return
            }
            try journal.cleanUp()
            if isRecorded {
              outcome = try remember(plan, kind: .baseline, milliseconds: 0) ? .unchanged : .baselined
            }
          }
        }
      } catch let error as SQLiteError where error.isBusy || error.isReadOnly {
        outcome = .unchanged
      }
    }
    let isLeftStill = try !request.isDryRun && journal.exists()
    return isOvertaken
      ? nil : ApplyReport(plan: plan, outcome: outcome, milliseconds: start.milliseconds, leavesOnlineCopy: isLeftStill)
  }

  /// True if the ledger has this declaration, with the cookie that the file has now.
  private func isRemembered() throws -> Bool {
    let ledger = Ledger(connection: connection)
    if let expansion = try servedExpansion(ledger) {
      return try expansion.declarations.contains(target.digest)
        && expansion.cookie == connection.integer("PRAGMA main.schema_version")
    }
    if try ledger.expansion(of: target.name) != nil { return false }
    guard let record = try ledger.record(of: target.name) else { return false }
    let cookie = try connection.integer("PRAGMA main.schema_version")
    return try record.ownedObjects == target.objectNames && record.declarationDigest == target.digest
      && record.schemaCookie == cookie && isDeclared(record)
  }

  // MARK: - Inside the transaction

  /// - Parameter hasOnlineCopies: True if the tables that are copied online have their copies already.
  func apply(
    _ prepared: Prepared, start: ContinuousClock.Instant, hasOnlineCopies: Bool = false
  ) throws -> ApplyReport {
    var change = self
    change.target = prepared.target
    return try change.carryOut(prepared, start: start, hasOnlineCopies: hasOnlineCopies, declared: target)
  }

  /// - Parameter declared: The declared schema, which the plan may lead to in two phases.
  private func carryOut(
    _ prepared: Prepared, start: ContinuousClock.Instant, hasOnlineCopies: Bool, declared: TargetSchema
  ) throws -> ApplyReport {
    let plan = prepared.plan
    if plan.isEmpty, request.undo == nil, request.recordedMigration == nil {
      let former = try formerFingerprint(of: prepared, declared)
      let wasKnown = try !isRecorded || remember(plan, kind: .baseline, milliseconds: 0)
      try noteExpansion(of: prepared, former: former, declared: declared)
      return ApplyReport(plan: plan, outcome: wasKnown ? .unchanged : .baselined, milliseconds: start.milliseconds)
    }
    let cookie = try connection.integer("PRAGMA main.schema_version")
    if !plan.isEmpty {
      // Where tables are copied online, the copy of the file is from before that: nothing so long is done under the lock.
      try copy?.begin(plan, isRenewing: !hasOnlineCopies)
      try request.observer.onChange()
    }
    if !request.isFileChecked {
      try FileCheck(
        connection: connection, onProgress: request.observer.onProgress, isCancelled: request.observer.isCancelled
      ).run(before: plan)
    }
    let failuresBefore = failures(in: prepared.source, prepared.catalog, touching: plan)
    let faultsBefore = try request.plan.verification == .paranoid ? faults().values.map(\.text) : []
    var prepared = prepared
    // Without them, orphans that were there before would pass for new ones.
    if request.plan.isQuick { prepared.orphans = try orphans(before: plan, in: prepared.source) }
    var baseline = ForeignKeyGuard.Baseline(schema: prepared.source, orphans: prepared.orphans, renames: plan.renames)
    baseline.returning = request.undo?.returningOrphans ?? [:]
    let nulls =
      request.undo == nil && isRecorded
      ? try NullKeeper(connection: connection).gather(plan.filledColumns) : .init()
    let applier = applier(for: plan, baseline, hasOnlineCopies: hasOnlineCopies)
    var speed = ConnectionEnvironmentOptions()
    speed.turnsForeignKeysOff = false
    speed.isNested = true
    speed.sortsInThreads = plan.sortsRows
    speed.allowsFastDelete = !plan.losesContent
    let verifying: Int?
    do {
      verifying = try withMigrationEnvironment(on: connection, speed) { try applier.run() }
    } catch let error as ApplyError {
      throw request.undo?.explaining(error, in: target.schema) ?? error
    }
    if request.plan.verification == .paranoid { try checkIntegrity(after: plan, knowing: faultsBefore) }
    let result = try verify(plan, from: prepared.source, failuresBefore: failuresBefore)
    var notes: [String] = []
    if let undo = request.undo {
      notes = try remember(undo, plan: plan, milliseconds: start.milliseconds)
    } else if isRecorded {
      let former = try formerFingerprint(of: prepared, declared)
      _ = try remember(
        plan, kind: .apply, milliseconds: start.milliseconds,
        change: Made(prepared, after: result, cookieBefore: cookie, nulls: nulls))
      try noteExpansion(of: prepared, former: former, declared: declared)
    }
    return ApplyReport(
      plan: plan, outcome: request.isDryRun ? .rehearsed : .applied, milliseconds: start.milliseconds,
      verificationMilliseconds: verifying, notes: notes)
  }
}

extension Change {
  /// Returns the applier of a plan, which tells the observer how far it is.
  private func applier(
    for plan: MigrationPlan, _ baseline: ForeignKeyGuard.Baseline, hasOnlineCopies: Bool
  ) -> Applier {
    var applier = Applier(connection: connection, plan: plan, baseline: baseline)
    applier.onProgress = request.observer.onProgress
    applier.onStatement = request.observer.onStatement
    applier.isCancelled = request.observer.isCancelled
    applier.hasOnlineCopies = hasOnlineCopies
    applier.runDataStep = request.runDataStep
    applier.readSchema = { try catalogNow().schema }
    return applier
  }
}

extension MigrationPlan {
  /// A line for each step that is a change of its own.
  package var summaryLines: [String] {
    steps.filter { $0.onBehalfOf == nil }.map { step in
      let name = step.strategy.kind == .work ? "\(step.object)" : step.object.label
      return "\(step.strategy.rawValue) \(name)"
        + (step.edits.isEmpty ? "" : ": \(step.changes.joined(separator: ", "))")
    }
  }
}

import OrderedCollections

/// Applies the recorded steps that a database lacks.
package struct MigrationRunner {
  /// The name in the ledger of whole-file schemas, and of these steps with them.
  package static let schemaName = "(file)"

  package let folder: MigrationFolder
  package let replay: MigrationReplay
  /// Objects that are ignored.
  package var ignores: @Sendable (SQLName) -> Bool = { _ in false }
  /// The checksum of each step by itself.
  let checksums: [String: String]

  /// Prepares the steps of a folder.
  ///
  /// - Throws: `MigrationFolderError` for a folder that differs from what was recorded, `SchemaError` for a statement
  ///   that SQLite refuses.
  package init(_ folder: MigrationFolder) throws {
    let replay = try MigrationReplay(folder.steps)
    let problems = folder.problems + replay.problems
    guard problems.isEmpty else { throw MigrationFolderError(problems: problems) }
    self.folder = folder
    self.replay = replay
    checksums = Dictionary(folder.steps.map { ($0.name, MigrationChecksums.own(of: $0)) }) { $1 }
  }

  /// The same steps in another order.
  ///
  /// - Throws: `SchemaError` if they cannot be run in this order.
  init(_ runner: MigrationRunner, inOrder steps: [Migration]) throws {
    var folder = runner.folder
    folder.steps = steps
    self.folder = folder
    replay = try MigrationReplay(steps)
    ignores = runner.ignores
    checksums = runner.checksums
  }

  /// The titles of the steps that a database once had and that were undone there: a step may have been renumbered
  /// since.
  package func undone(on connection: any SQLConnection) throws -> Set<String> {
    let entries = try Ledger(connection: connection).entries().filter { !$0.isLive }
    return Set(entries.compactMap { $0.recordedStep.map(Migration.title) })
  }

  /// The plan of a step for files with any rows, from the schema that the steps before it lead to. It leaves out
  /// conversions that a database has already done.
  ///
  /// - Parameters:
  ///   - connection: The database.
  ///   - planning: Makes the plan over a connection that may need the functions of the program.
  package func plan(
    of step: Migration, for connection: SQLiteConnection,
    planning: (SQLiteConnection, () throws -> MigrationPlan) throws -> MigrationPlan
  ) throws -> MigrationPlan? {
    guard let index = folder.steps.firstIndex(where: { $0.name == step.name }), var target = target(of: step.name)
    else { return nil }
    try target.markAppliedConversions(on: connection)
    try target.settleNames(on: connection)
    let database = try replay.database(before: index)
    var request = try self.request(ChangeRequest(), for: step)
    request.plan.policy.strategy = .alter
    request.plan.isForRecording = true
    return try planning(database) { try Change(over: database, to: target, request).plan() }
  }
}

extension MigrationRunner {
  /// The schema after a step, as a target.
  package func target(of name: String) -> TargetSchema? {
    guard let index = folder.steps.firstIndex(where: { $0.name == name }) else { return nil }
    let state = replay.states[index]
    var target = TargetSchema(
      name: Self.schemaName, schema: state.schema, hints: state.hints, ownsWholeFile: true,
      digest: Fingerprint.of(state.schema), ignores: ignores)
    target.step = folder.steps[index].title
    return target
  }

  /// The schemas before and after a step.
  package func schemas(around name: String) -> (before: DatabaseSchema, after: DatabaseSchema) {
    guard let index = folder.steps.firstIndex(where: { $0.name == name }) else {
      return (DatabaseSchema(), DatabaseSchema())
    }
    return (index == 0 ? DatabaseSchema() : replay.states[index - 1].schema, replay.states[index].schema)
  }

  /// Adds what a step says to a request: the consent that was recorded with it, and its name.
  package func request(_ request: ChangeRequest, for step: Migration) throws -> ChangeRequest {
    var request = request
    for text in step.directives.allowances { try request.plan.policy.add(allow: text) }
    // Which step is older than which is told by their names, not by the schemas that they lead to.
    request.plan.policy.allowsDowngrade = true
    request.recordedMigration = AppliedMigration(name: step.name, checksum: checksums[step.name] ?? "")
    request.recordedMigration?.dataFiles =
      (step.before == nil ? [] : [step.name + Migration.beforeSuffix])
      + (step.after == nil ? [] : [step.name + Migration.afterSuffix])
    return request
  }

  /// Applies one step with its scripts before and after, in one transaction.
  ///
  /// - Throws: The errors of `Change.apply()`; `ApplyError` for a statement of the step's data files.
  package func apply(
    _ step: Migration, on connection: SQLiteConnection, _ request: ChangeRequest
  ) throws -> ApplyReport {
    guard let target = target(of: step.name) else { throw MigrationError(.unknown(step.name)) }
    if let unknown = try step.unknownWork(request.work) {
      throw MigrationError(.unknownWork(unknown.name, source: unknown.source))
    }
    var request = try self.request(request, for: step)
    request.observer.onLocked = { try refuseOvertaken(step, on: connection) }
    request.isFileChecked = step.before != nil || step.after != nil
    let change = Change(over: connection, to: target, request)
    guard request.isFileChecked else { return try change.apply() }
    // Once the step's own work has begun in its transaction, nothing can be copied any more.
    try request.copy?.make(before: request.examination?.plan, losesRows: true)
    return try withMigrationEnvironment(on: connection) {
      let run = {
        try request.observer.onLocked()
        try request.copy?.begin(request.examination?.plan, isRenewing: true)
        try FileCheck(connection: connection, isCancelled: request.observer.isCancelled).run()
        let guardian = ForeignKeyGuard(connection: connection)
        var baseline = try guardian.baseline(of: SchemaReader.read(connection))
        try work(step.beforeScript, on: connection, request)
        let report = try change.apply()
        try work(step.afterScript, on: connection, request)
        let result = try SchemaReader.read(connection)
        baseline.renames = report.plan.renames
        try guardian.refuseNewOrphans(
          in: Set(result.tables.keys), of: result, since: baseline, by: report.plan)
        return report
      }
      return connection.isInTransaction
        ? try connection.savepoint(run) : try connection.transaction(.immediate, run)
    }
  }

  /// Runs the work on the rows beside a step.
  private func work(_ script: MigrationScript?, on connection: SQLiteConnection, _ request: ChangeRequest) throws {
    guard let script else { return }
    try UpdatedIndexes(connection: connection).mending(try script.statements()) {
      try script.run(on: connection, work: request.work)
    }
  }

  /// Refuses a step if its status from before the lock is outdated: another program may have applied it meanwhile, and more.
  private func refuseOvertaken(_ step: Migration, on connection: SQLiteConnection) throws {
    let status = try status(of: connection)
    guard status.missing.first == step.name else { throw MigrationError(.overtaken(step.name)) }
    // If rows have been worked on in this transaction, the schema is still the same.
    try check(status, of: connection)
  }

  /// Records that a database has the first steps already, without running them.
  ///
  /// - Parameter last: The index of the last of them, whose schema the database must have.
  /// - Throws: `MigrationError` if it has a different schema.
  package func baseline(through last: Int, on connection: SQLiteConnection, program: String) throws {
    let names = folder.steps[...last].map(\.name)
    try connection.transaction(.immediate) {
      let objects = differences(from: replay.states[last].schema, to: try SchemaReader.read(connection))
      guard objects.isEmpty, let target = target(of: names[last]) else {
        throw MigrationError(.otherSchema(step: names[last], objects: objects))
      }
      var request = ChangeRequest(program: program)
      request.plan.policy.allowsDowngrade = true
      _ = try Change(over: connection, to: target, request).apply()
      let known = Set(try status(of: connection).applied.map(\.name))
      try note(names.filter { !known.contains($0) }, on: connection)
      let ledger = Ledger(connection: connection)
      for (step, state) in zip(folder.steps, replay.states[...last]) {
        try ledger.noteApplied(
          state.hints.conversions + state.hints.fills, step: step.title, of: Self.schemaName)
        _ = try ledger.noteFormerNames(state.hints, in: state.schema, step: step.title, of: Self.schemaName)
      }
    }
  }

  /// Records steps in the open transaction.
  func note(_ names: [String], on connection: SQLiteConnection) throws {
    let ledger = Ledger(connection: connection)
    try ledger.create()
    for name in names {
      try ledger.note(AppliedMigration(name: name, checksum: checksums[name] ?? ""), of: Self.schemaName)
    }
  }

  /// Runs work in a transaction that is rolled back at the end.
  package func rehearsing<T>(on connection: SQLiteConnection, _ body: () throws -> T) throws -> T {
    try withMigrationEnvironment(on: connection) { try connection.rehearsal(body) }
  }
}

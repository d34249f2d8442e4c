// Which of the recorded steps a database has, and whether the others may be applied.
extension MigrationRunner {
  /// The recorded steps that a database has and lacks.
  package struct Status: Sendable, Hashable {
    /// The folder's steps that the database has, in order.
    package var applied: [AppliedMigration]
    /// The names of the steps that it lacks, in order.
    package var missing: [String]
    /// Steps that the database has and the folder does not.
    package var unknown: [AppliedMigration]
    /// Steps that were changed after they were applied to the database.
    package var changed: [AppliedMigration]
    /// Steps that the database has under other names, by their current names, under which they are not recorded yet.
    package var unsettled: [String: [AppliedMigration]] = [:]

    /// The number under which the database got a step that has been renumbered since; nil for any other.
    package func formerName(of step: String) -> String? {
      guard let former = applied.first(where: { $0.name == step })?.former, former.count == 1 else { return nil }
      return Migration.title(of: former[0].name) == Migration.title(of: step) ? former[0].name : nil
    }
  }

  /// Compares a database's ledger with the folder.
  package func status(of connection: any SQLConnection) throws -> Status {
    let recorded = try Ledger(connection: connection).recordedMigrations(of: Self.schemaName)
    var known = Dictionary(recorded.map { ($0.name, $0) }) { $1 }
    var found: [String: AppliedMigration] = [:]
    // A step is identified by its content, whatever its name. Only one that is found nowhere has been changed.
    for step in folder.steps where known[step.name]?.checksum == checksums[step.name] {
      found[step.name] = known.removeValue(forKey: step.name)
    }
    var status = Status(applied: [], missing: [], unknown: [], changed: [])
    for step in folder.steps where found[step.name] == nil {
      let former = try formerSteps(of: step, among: known)
      guard let last = former.max(by: { $0.appliedAt < $1.appliedAt }) else { continue }
      for other in former { known[other.name] = nil }
      var applied = AppliedMigration(name: step.name, checksum: checksums[step.name] ?? "", appliedAt: last.appliedAt)
      applied.former = former.flatMap { $0.former.isEmpty ? [$0] : $0.former }
      found[step.name] = applied
      status.unsettled[step.name] = former
    }
    for step in folder.steps where found[step.name] == nil {
      guard let changed = known.removeValue(forKey: step.name) else {
        status.missing.append(step.name)
        continue
      }
      found[step.name] = changed
      status.changed.append(changed)
    }
    status.applied = folder.steps.compactMap { found[$0.name] }
    status.unknown = known.values.sorted { $0.name < $1.name }
    return status
  }

  /// The steps under whose names a database has this one; empty if it lacks it.
  private func formerSteps(of step: Migration, among known: [String: AppliedMigration]) throws -> [AppliedMigration] {
    let folded = step.directives.replaces
    if !folded.isEmpty, step.lacking(in: Set(known.keys)).isEmpty { return folded.compactMap { known[$0] } }
    let same = try known.values.first { other in
      try Migration.title(of: other.name) == step.title
        && MigrationChecksums.own(of: step.renamed(to: other.name)) == other.checksum
    }
    return same.map { [$0] } ?? []
  }
}

extension MigrationRunner {
  /// Compares a database with the folder, in one state of the database.
  ///
  /// - Returns: The runner with the steps in the order that the database has them, and the comparison.
  /// - Throws: `MigrationError` if the steps were not made for this database.
  package func fitted(
    to connection: any SQLConnection, checkingResult: Bool = true
  ) throws -> (runner: MigrationRunner, status: Status) {
    try connection.snapshot {
      let status = try status(of: connection)
      let runner = try following(status)
      try runner.check(status, of: connection)
      if checkingResult { try runner.checkSchema(status, of: connection) }
      return (runner, status)
    }
  }

  /// Throws if the missing steps were not made for this database.
  ///
  /// - Throws: `MigrationError`.
  package func check(_ status: Status, of connection: any SQLConnection) throws {
    if let changed = status.changed.first { throw MigrationError(.changed(changed.name)) }
    if let folded = folder.steps.first(where: { status.missing.contains($0.name) && !$0.directives.replaces.isEmpty }
    ),
      let has = status.unknown.first(where: { folded.directives.replaces.contains($0.name) })
    {
      throw MigrationError(
        .partlyReplaced(
          step: folded.name, has: has.name, needs: folded.lacking(in: Set(status.unknown.map(\.name)))))
    }
    if let unknown = status.unknown.first {
      let title = Migration.title(of: unknown.name)
      let anew = status.missing.first { Migration.title(of: $0) == title }
      throw MigrationError(anew.map { .recordedAnew($0, has: unknown.name) } ?? .unknown(unknown.name))
    }
    if let last = ahead(in: status).last, let early = status.missing.first {
      throw MigrationError(.outOfOrder(missing: early, applied: last.name))
    }
    guard !status.missing.isEmpty else { return }
    try refuseIgnored(status.missing)
    let file = try SchemaReader.read(connection)
    let expected = status.applied.isEmpty ? DatabaseSchema() : replay.states[status.applied.count - 1].schema
    let differences = differences(from: expected, to: file)
    guard !differences.isEmpty else { return }
    guard status.applied.isEmpty else {
      throw MigrationError(
        .drifted(after: status.applied.last?.name ?? "", objects: diff(from: expected, to: file).phrases))
    }
    let fitting = replay.states.lastIndex { self.differences(from: $0.schema, to: file).isEmpty }
    throw MigrationError(.notBaselined(fitting: fitting.map { folder.steps[$0].name }))
  }

  private func refuseIgnored(_ missing: [String]) throws {
    var old = DatabaseSchema()
    for (step, state) in zip(folder.steps, replay.states) {
      defer { old = state.schema }
      guard missing.contains(step.name) else { continue }
      let diff = SchemaDiff(from: old, to: state.schema, isOrderStrict: false)
      let ignored = diff.names.filter(ignores)
      if !ignored.isEmpty { throw MigrationError(.ignored(step: step.name, objects: ignored.map(\.text))) }
    }
  }

  /// The objects in which two schemas differ.
  package func differences(from old: DatabaseSchema, to new: DatabaseSchema) -> [String] {
    diff(from: old, to: new).names.map(\.text)
  }

  private func diff(from old: DatabaseSchema, to new: DatabaseSchema) -> SchemaDiff {
    SchemaDiff(from: old.removing(ignores), to: new.removing(ignores), isOrderStrict: false)
  }
  /// Throws if a database has every step but a different schema than the last of them would have left.
  ///
  /// - Throws: `MigrationError`.
  package func checkSchema(_ status: Status, of connection: any SQLConnection) throws {
    guard status.missing.isEmpty, let last = status.applied.last, let state = replay.states.last else { return }
    let diff = diff(from: state.schema, to: try SchemaReader.read(connection))
    guard diff.isEmpty else { throw MigrationError(.drifted(after: last.name, objects: diff.phrases)) }
  }
}

extension MigrationRunner {
  /// Records the folder's names for steps that a database got under others.
  package func settle(_ connection: SQLiteConnection) throws {
    guard try !status(of: connection).unsettled.isEmpty else { return }
    let settle = {
      let status = try status(of: connection)
      let ledger = Ledger(connection: connection)
      // A former name of one step may now be the name of another.
      for step in status.unsettled.values.joined() { try ledger.forget(step, of: Self.schemaName) }
      for step in status.applied where status.unsettled[step.name] != nil {
        try ledger.note(step, of: Self.schemaName)
      }
    }
    try connection.isInTransaction ? connection.savepoint(settle) : connection.transaction(.immediate, settle)
  }
}

extension MigrationRunner {
  /// The steps that a database has although it lacks one before them.
  private func ahead(in status: Status) -> ArraySlice<AppliedMigration> {
    guard let first = folder.steps.firstIndex(where: { status.missing.contains($0.name) }) else { return [] }
    return status.applied[min(first, status.applied.count)...]
  }

  /// The steps in the order in which a database gets them.
  ///
  /// A step that it got on a branch, and that has since been moved after those of another branch, comes before them
  /// here. This is allowed if the steps lead to the same schema in this order, and to the same rows as far as can be
  /// told.
  ///
  /// - Throws: `MigrationError` if it is not allowed.
  package func following(_ status: Status) throws -> MigrationRunner {
    let ahead = ahead(in: status).map(\.name)
    guard let last = ahead.last, let was = status.formerName(of: last),
      ahead.allSatisfy({ status.formerName(of: $0) != nil })
    else { return self }
    let has = folder.steps.filter { !status.missing.contains($0.name) }
    let lacks = folder.steps.filter { status.missing.contains($0.name) }
    let late = lacks.filter { $0.name < last }
    func refusal(_ reason: String) -> MigrationError {
      MigrationError(.renumbered(last, was: was, missing: late.map(\.name), because: reason))
    }
    for step in has where ahead.contains(step.name) {
      for other in late {
        if let reason = reasonForOrder(of: step, other) { throw refusal(reason) }
      }
    }
    let runner: MigrationRunner
    do {
      runner = try MigrationRunner(self, inOrder: has + lacks)
    } catch {
      throw refusal("they cannot be run in this order")
    }
    guard differences(from: replay.schema, to: runner.replay.schema).isEmpty else {
      throw refusal("they lead to another schema in this order")
    }
    return runner
  }

  /// Returns the reason why the rows could differ if a step runs before another one instead of after it; nil if they could
  /// not.
  private func reasonForOrder(of step: Migration, _ other: Migration) -> String? {
    if other.hasDataFiles { return "\(other.name) works on rows" }
    let (own, others) = (changes(of: step), changes(of: other))
    if step.hasDataFiles, !others.existing.isEmpty { return "\(step.name) works on rows" }
    guard let busy = [step, other].first(where: \.hasExpressions) else { return nil }
    if let both = own.all.intersection(others.all).min() { return "both change \(both)" }
    return [step, other].contains(where: \.hasQueries) ? "\(busy.name) computes values from other rows" : nil
  }

  /// The objects that a step changes, and those of them that exist before it.
  private func changes(of step: Migration) -> (all: Set<SQLName>, existing: Set<SQLName>) {
    let (before, after) = schemas(around: step.name)
    let all = Set(SchemaDiff(from: before, to: after, isOrderStrict: false).names)
    return (all, all.filter { before.table($0) != nil })
  }
}

extension Migration {
  /// True if it has statements on rows in separate files.
  fileprivate var hasDataFiles: Bool { before != nil || after != nil }

  private var expressions: [String] { (directives.fills + directives.conversions).map(\.expression) }

  /// True if it computes values.
  fileprivate var hasExpressions: Bool { !expressions.isEmpty }

  /// True if it computes values from rows other than their own.
  fileprivate var hasQueries: Bool {
    expressions.contains { text in ((try? SQLLexer.tokens(of: text)) ?? []).contains { $0.isKeyword("SELECT") } }
  }
}

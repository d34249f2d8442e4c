// What a database has of the recorded steps, and whether it may get the others.
extension StepRunner {
  /// How a database stands to the steps.
  package struct Standing: Sendable, Hashable {
    /// What the database has of the folder's steps, in order.
    package var applied: [AppliedStep]
    /// The names of the steps that it lacks, in order.
    package var missing: [String]
    /// Steps that the database has and the folder does not.
    package var unknown: [AppliedStep]
    /// Steps that were changed after the database got them.
    package var changed: [AppliedStep]
    /// The steps that the database has under other names: those of the steps that a squashed one stands for, and the
    /// number that a step had before it was put behind another branch's.
    package var former: [String: [String]]

    /// The name that a step had when the database got it; nil where it has it still, or where it is a squashed one.
    package func formerName(of step: String) -> String? {
      former[step].flatMap { names in
        names.count == 1 && RecordedStep.title(of: names[0]) == RecordedStep.title(of: step) ? names[0] : nil
      }
    }
  }

  /// Compares a database's ledger with the folder.
  package func standing(of connection: any SQLConnection) throws -> Standing {
    let recorded = try Ledger(connection: connection).recordedSteps(of: Self.schemaName)
    var known = Dictionary(recorded.map { ($0.name, $0) }) { $1 }
    var standing = Standing(applied: [], missing: [], unknown: [], changed: [], former: [:])
    for step in folder.steps {
      if let applied = known.removeValue(forKey: step.name) {
        standing.applied.append(applied)
        if applied.checksum != checksums[step.name] { standing.changed.append(applied) }
        continue
      }
      let former = try formerNames(of: step, among: known)
      let last = former.compactMap { known.removeValue(forKey: $0) }.max { $0.appliedAt < $1.appliedAt }
      guard let last else {
        standing.missing.append(step.name)
        continue
      }
      standing.applied.append(
        AppliedStep(name: step.name, checksum: checksums[step.name] ?? "", appliedAt: last.appliedAt))
      standing.former[step.name] = former
    }
    standing.unknown = known.values.sorted { $0.name < $1.name }
    return standing
  }

  /// Under which other names a database has a step; empty where it lacks it.
  private func formerNames(of step: RecordedStep, among known: [String: AppliedStep]) throws -> [String] {
    let folded = step.directives.replaces
    if !folded.isEmpty, step.lacking(in: Set(known.keys)).isEmpty { return folded }
    let same = try known.values.first { other in
      try !folder.steps.contains { $0.name == other.name } && RecordedStep.title(of: other.name) == step.title
        && StepChecksums.own(of: step.renamed(to: other.name)) == other.checksum
    }
    return same.map { [$0.name] } ?? []
  }
}

extension StepRunner {
  /// Refuses a database that the missing steps were not made for.
  ///
  /// - Throws: `StepError`.
  package func check(_ standing: Standing, of connection: any SQLConnection) throws {
    if let changed = standing.changed.first { throw StepError(.changed(changed.name)) }
    if let folded = folder.steps.first(where: { standing.missing.contains($0.name) && !$0.directives.replaces.isEmpty }
    ),
      let has = standing.unknown.first(where: { folded.directives.replaces.contains($0.name) })
    {
      throw StepError(
        .partlyReplaced(
          step: folded.name, has: has.name, needs: folded.lacking(in: Set(standing.unknown.map(\.name)))))
    }
    if let unknown = standing.unknown.first {
      let title = RecordedStep.title(of: unknown.name)
      let anew = standing.missing.first { RecordedStep.title(of: $0) == title }
      throw StepError(anew.map { .recordedAnew($0, has: unknown.name) } ?? .unknown(unknown.name))
    }
    if let last = ahead(in: standing).last, let early = standing.missing.first {
      throw StepError(.outOfOrder(missing: early, applied: last.name))
    }
    guard !standing.missing.isEmpty else { return }
    try refuseIgnored(standing.missing)
    let file = try SchemaReader.read(connection)
    let expected = standing.applied.isEmpty ? DatabaseSchema() : replay.states[standing.applied.count - 1].schema
    let differences = differences(from: expected, to: file)
    guard !differences.isEmpty else { return }
    guard standing.applied.isEmpty else {
      throw StepError(
        .drifted(after: standing.applied.last?.name ?? "", objects: diff(from: expected, to: file).phrases))
    }
    let fitting = replay.states.lastIndex { self.differences(from: $0.schema, to: file).isEmpty }
    throw StepError(.notBaselined(fitting: fitting.map { folder.steps[$0].name }))
  }

  private func refuseIgnored(_ missing: [String]) throws {
    var old = DatabaseSchema()
    for (step, state) in zip(folder.steps, replay.states) {
      defer { old = state.schema }
      guard missing.contains(step.name) else { continue }
      let diff = SchemaDiff(from: old, to: state.schema, isOrderStrict: false)
      let ignored = diff.names.filter(ignores)
      if !ignored.isEmpty { throw StepError(.ignored(step: step.name, objects: ignored.map(\.text))) }
    }
  }

  /// The objects in which two schemas differ.
  package func differences(from old: DatabaseSchema, to new: DatabaseSchema) -> [String] {
    diff(from: old, to: new).names.map(\.text)
  }

  private func diff(from old: DatabaseSchema, to new: DatabaseSchema) -> SchemaDiff {
    SchemaDiff(from: old.removing(ignores), to: new.removing(ignores), isOrderStrict: false)
  }
  /// Refuses a database that has every step and another schema, where the last of them would have left it.
  ///
  /// - Throws: `StepError`.
  package func checkSchema(_ standing: Standing, of connection: any SQLConnection) throws {
    guard standing.missing.isEmpty, let last = standing.applied.last, let state = replay.states.last else { return }
    let diff = diff(from: state.schema, to: try SchemaReader.read(connection))
    guard diff.isEmpty else { throw StepError(.drifted(after: last.name, objects: diff.phrases)) }
  }
}

extension StepRunner {
  /// Notes the names that the folder has for steps which a database got under others. Where steps are missing yet this
  /// waits, because their order depends on it.
  package func settle(_ connection: SQLiteConnection) throws {
    let standing = try standing(of: connection)
    guard !standing.former.isEmpty, standing.missing.isEmpty else { return }
    try connection.transaction(.immediate) {
      let ledger = Ledger(connection: connection)
      for step in standing.applied where standing.former[step.name] != nil {
        try ledger.note(step, of: Self.schemaName)
        try ledger.forgetSteps(standing.former[step.name] ?? [], of: Self.schemaName)
      }
    }
  }
}

extension StepRunner {
  /// The steps that a database has, though it lacks one before them.
  private func ahead(in standing: Standing) -> ArraySlice<AppliedStep> {
    guard let first = folder.steps.firstIndex(where: { standing.missing.contains($0.name) }) else { return [] }
    return standing.applied[min(first, standing.applied.count)...]
  }

  /// The steps in the order in which a database gets them.
  ///
  /// A step that it got on a branch, and that was put behind those of another branch since, comes before them here. It
  /// may where the steps lead to the same schema in this order, and what comes later does not look at rows.
  ///
  /// - Throws: `StepError` where it may not.
  package func following(_ standing: Standing) throws -> StepRunner {
    let ahead = ahead(in: standing)
    guard let last = ahead.last, let was = standing.formerName(of: last.name),
      ahead.allSatisfy({ standing.formerName(of: $0.name) != nil })
    else { return self }
    let has = folder.steps.filter { !standing.missing.contains($0.name) }
    let lacks = folder.steps.filter { standing.missing.contains($0.name) }
    let late = lacks.filter { $0.name < last.name }
    func refusal(_ reason: String) -> StepError {
      StepError(.renumbered(last.name, was: was, missing: late.map(\.name), because: reason))
    }
    if let step = late.first(where: \.looksAtRows) { throw refusal("\(step.name) works on rows") }
    guard let runner = try? StepRunner(self, inOrder: has + lacks),
      differences(from: replay.schema, to: runner.replay.schema).isEmpty
    else { throw refusal("they lead to another schema in this order") }
    return runner
  }
}

extension RecordedStep {
  /// Whether what the step does to rows may depend on what other steps do: it has statements of its own, or an
  /// expression with a query.
  fileprivate var looksAtRows: Bool {
    before != nil || after != nil
      || (directives.fills + directives.conversions).contains { value in
        ((try? SQLLexer.tokens(of: value.expression)) ?? []).contains { $0.isKeyword("SELECT") }
      }
  }
}

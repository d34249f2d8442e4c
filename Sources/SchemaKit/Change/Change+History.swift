extension Change {
  /// A change that was made.
  struct Made {
    let prepared: Prepared
    /// The file's schema now.
    let after: DatabaseSchema
    /// The file's schema cookie before.
    let cookieBefore: Int64?
    /// The NULLs that were replaced: those that are kept, and the losses.
    let nulls: NullKeeper.Gathered

    init(
      _ prepared: Prepared, after: DatabaseSchema, cookieBefore: Int64?, nulls: NullKeeper.Gathered
    ) {
      self.prepared = prepared
      self.after = after
      self.cookieBefore = cookieBefore
      self.nulls = nulls
    }
  }

  /// Writes the history and the schema's row in the transaction of the change. Returns whether all was known before.
  ///
  /// - Parameter change: The basis of the plan, and the schema that it made; nil when nothing was changed.
  func remember(
    _ plan: MigrationPlan, kind: HistoryEntry.Kind, milliseconds: Int,
    change: Made? = nil
  ) throws -> Bool {
    let ledger = Ledger(connection: connection, isAlone: true)
    if let expansion = try servedExpansion(ledger) { return try remember(serving: expansion) }
    let before = try ledger.record(of: target.name)
    // The name that the schema has in this file already: it may be one that an older version gave it, and that such a
    // version still looks for.
    let present = try before.flatMap { try isDeclared($0) ? $0.fingerprint : nil }
    let declared =
      try present ?? ledger.liveFingerprints(of: target.name).last(where: target.isKnown) ?? target.fingerprint
    let cookie = try connection.integer("PRAGMA main.schema_version") ?? -1
    if kind == .baseline, let before, before.fingerprint == declared, before.declarationDigest == target.digest,
      before.schemaCookie == cookie
    {
      return true
    }
    let ended = try before == nil ? nil : ledger.expansion(of: target.name)
    if ended != nil { try ledger.forgetExpansion(of: target.name) }
    let formsBefore = try before == nil ? nil : ledger.forms(of: target.name)
    let doneSteps = try ledger.doneDataSteps(of: target.name)
    var target = target
    try target.markAppliedConversions(on: connection)
    try ledger.create()
    if let step = request.recordedMigration { try ledger.note(step, of: target.name) }
    // Data steps that a new file never needed count as done.
    let dataSteps = target.hints.dataSteps.map(\.name)
    try ledger.noteDataSteps(dataSteps, of: target.name)
    let formerNames = try ledger.noteFormerNames(
      target.hints, in: target.schema, step: target.step, of: target.name)
    let isKnown = kind == .baseline && before?.fingerprint == declared
    if !isKnown {
      let again = change.map {
        ConversionUse(source: $0.prepared.source, renames: plan.renames) {
          plan.changesForm(of: $0.column, in: $0.table)
        }
        .changingType(target.hints.appliedConversions, in: $0.after)
      }
      try ledger.noteApplied(
        applied(of: target.hints, by: plan, change, isFirst: before == nil), again: again ?? [], step: target.step,
        of: target.name)
    }
    if !isKnown {
      var undo = change.map {
        UndoRecord(
          of: plan, target: target, before: $0.prepared.source, after: $0.after,
          orphans: $0.prepared.orphans, former: before,
          dataSteps: dataSteps.filter { !doneSteps.contains($0) }, nulls: $0.nulls)
      }
      undo?.former?.isUnchanged = before?.schemaCookie == change?.cookieBefore
      undo?.formerNames = formerNames
      undo?.forms = change.map { plan.formsBefore(knowing: formsBefore, in: $0.prepared.source) } ?? formsBefore
      if ended?.servesOlder == true { undo?.isContraction = true }
      let source = kind == .baseline ? declared : before?.fingerprint ?? plan.sourceFingerprint
      let entry = entry(plan, kind: kind, from: source, to: declared, milliseconds: milliseconds)
      try append(entry, undo: undo, keptValues: plan.keptValues, nulls: change?.nulls, to: ledger)
    }
    try store(declared, of: target, after: plan, knowing: formsBefore, in: ledger)
    return isKnown
  }

  /// Writes the schema's row, and what is remembered of its columns.
  private func store(
    _ fingerprint: String, of target: TargetSchema, after plan: MigrationPlan, knowing forms: FormMemory?,
    in ledger: Ledger
  ) throws {
    try ledger.store(
      Ledger.Record(
        fingerprint: fingerprint, declarationDigest: target.digest,
        schemaCookie: try connection.integer("PRAGMA main.schema_version") ?? -1, ownedObjects: target.objectNames),
      of: target.name)
    try ledger.note(target.forms(after: plan, knowing: forms, entry: ledger.lastEntry() ?? 0), of: target.name)
  }

  /// Writes an entry of the history, with what undoing it needs.
  private func append(
    _ entry: HistoryEntry, undo: UndoRecord?, keptValues: [KeptValues], nulls: NullKeeper.Gathered?, to ledger: Ledger
  ) throws {
    var undo = undo
    if let step = request.recordedMigration {
      undo?.recordedMigration = step.name
      undo?.losses += step.dataFiles.map { Loss(.dataFile, name: $0) }
    }
    undo?.copy = request.copy?.name
    try ledger.append(entry, undo: undo)
    guard let nulls, let number = try ledger.lastEntry() else { return }
    if !keptValues.isEmpty { try KeptTables(connection: connection).assign(keptValues, to: number) }
    try NullKeeper(connection: connection).store(nulls, of: number)
  }

  /// The conversions that the file has no more use for after a plan.
  private func applied(
    of hints: MigrationHints, by plan: MigrationPlan, _ change: Made?, isFirst: Bool
  ) -> [ColumnConversion] {
    // Where nothing is to be changed, somebody else has done what it took.
    guard let change else { return hints.appliedConversions + hints.conversions + hints.fills }
    return hints.appliedConversions
      + ConversionUse(source: change.prepared.source, renames: plan.renames) {
        plan.changesForm(of: $0.column, in: $0.table)
      }
      .applied(of: hints, in: change.after, changed: plan.touchedTables, isFirst: isFirst)
  }

  /// Notes that a change was undone: the ledger says again what it said before. Returns what is worth saying.
  func remember(_ undo: UndoContext, plan: MigrationPlan, milliseconds: Int) throws -> [String] {
    let ledger = Ledger(connection: connection, isAlone: true)
    let staying = try KeptTables(connection: connection).release(undo.kept, after: plan)
    var entry = entry(
      plan, kind: .undo, from: undo.entry.toFingerprint,
      to: undo.record.former?.fingerprint ?? undo.entry.fromFingerprint, milliseconds: milliseconds)
    entry.isLive = false
    entry.summary = ([HistoryEntry.line(ofUndoing: undo.entry.id)] + plan.summaryLines).joined(separator: "\n")
    try ledger.append(entry)
    try ledger.leave(undo.entry.id)
    try ledger.forgetExpansion(of: target.name)
    try NullKeeper(connection: connection).forget(undo.entry.id)
    try ledger.forgetDataSteps(undo.record.dataSteps, of: target.name)
    try ledger.forgetFormerNames(undo.record.formerNames ?? [], of: target.name)
    try ledger.noteUndone(undo.record.conversions ?? [], of: target.name)
    if let step = undo.record.recordedMigration { try ledger.forgetUndone(step, of: target.name) }
    if let former = undo.record.former {
      let owned = Set(former.objects.map { SQLName($0) })
      // An object that came back may be as somebody else had made it before the change; the next open has to compare.
      let cookie = former.isUnchanged == true ? try connection.integer("PRAGMA main.schema_version") : nil
      try ledger.store(
        Ledger.Record(
          fingerprint: former.fingerprint, declarationDigest: former.declaration, schemaCookie: cookie ?? -1,
          ownedObjects: owned),
        of: target.name)
    } else {
      try ledger.removeRecord(of: target.name)
    }
    try ledger.note(undo.forms(entry: ledger.lastEntry() ?? 0), of: target.name)
    return staying.map { kept, count in
      let what = count.counted(kept.column == nil ? "row" : "value")
      let cause = kept.column == nil ? "" : count == 1 ? ": its row no longer exists" : ": their rows no longer exist"
      let place = "\(count == 1 ? "It remains" : "They remain") in \(kept.storage)."
      return "\(what) of \(kept.object) could not be restored\(cause). \(place)"
    }
  }

  /// The recorded step of the change, and what it runs on rows.
  private var stepLines: [String] {
    guard let step = request.recordedMigration else { return [] }
    return HistoryEntry.lines(ofStep: step.name, dataFiles: step.dataFiles)
  }

  func entry(
    _ plan: MigrationPlan, kind: HistoryEntry.Kind, from: String, to: String, milliseconds: Int
  ) -> HistoryEntry {
    HistoryEntry(
      id: 0, schema: target.name, appliedAt: request.scriptTime ?? "", kind: kind, fromFingerprint: from,
      toFingerprint: to,
      summary: (stepLines + plan.summaryLines).joined(separator: "\n"),
      plan: plan.statements.map(\.sql).joined(separator: ";\n"),
      milliseconds: milliseconds, program: request.program, library: SchemaKitVersion.current,
      engine: request.scriptTime == nil ? "" : "\(plan.engine), script for \(request.plan.profile?.rawValue ?? "")",
      isLive: true)
  }
}

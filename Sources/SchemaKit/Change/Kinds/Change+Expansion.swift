import OrderedCollections

extension Change {
  /// The outcome that a migration has for a file, by its phase and by what the file serves.
  enum Destination {
    /// A schema is reached.
    case target(TargetSchema)
    /// A schema is reached that serves more than one program, or has what is removed later.
    case expansion(TargetSchema, formerNames: [SQLName: [SQLName: SQLName]])
    /// The file serves the declared schema, and stays as it is.
    case served(Expansion)
  }

  /// Where the migration leads from a file's schema.
  func destination(from source: DatabaseSchema, _ ledger: Ledger) throws -> Destination {
    guard request.undo == nil, isRecorded else { return .target(target) }
    let found = try ledger.expansion(of: target.name)
    if request.recordedMigration != nil {
      guard found?.servesOlder != true, request.phase == .complete else {
        throw HistoryError(reason: .recordedStepsInPhases)
      }
      return .target(target)
    }
    if let expansion = found, expansion.servesOlder || serves(expansion) {
      if contracts(expansion) {
        try refuseOlderWrites()
        let settled = try settledNames(of: expansion, in: source)
        // A name that stays would have no trigger any more.
        if target.keepsUndeclaredColumns, settled.values.reduce(0, { $0 + $1.count }) < expansion.pairCount {
          throw HistoryError(reason: .expandedSchemaChanged(since: expansion.start))
        }
        return .target(target.contracting(settled, in: source))
      }
      guard serves(expansion) else {
        throw HistoryError(reason: .expandedForAnother(since: expansion.start))
      }
      guard try isIntact(expansion, source: source) else {
        throw HistoryError(reason: .expandedSchemaChanged(since: expansion.start))
      }
      return .served(expansion)
    }
    switch request.phase {
    case .complete, .contract(nil): return .target(target)
    // Where nothing was expanded, nobody has been listened for.
    case .expand, .contract: return try expansion(from: source, ledger, servesOlder: true)
    case .prepare:
      // A change that cannot be begun in this way is done as a whole.
      do {
        return try expansion(from: source, ledger, servesOlder: false)
      } catch is PlanError, is SchemaError {
        return .target(target)
      }
    }
  }

  /// The schema that serves the program of a file's schema too; the declared one where nothing has to be shared.
  func expansion(from source: DatabaseSchema, _ ledger: Ledger, servesOlder: Bool) throws -> Destination {
    let owned = try target.droppableObjects(in: ledger)
    let recoded = try recodedColumns(in: source, ledger)
    guard recoded.isEmpty else { throw PlanError(reason: .cannotExpand(recoded)) }
    // A new file has nothing that an older program could use.
    guard !target.part(of: source, owned: owned).isEmpty, try !builder(nil, ledger).isReached(source) else {
      return .target(target)
    }
    if servesOlder, let step = try builder(nil, ledger).dueDataSteps(in: source, renames: SchemaRenames()).first {
      throw PlanError(reason: .cannotExpand([.dataStep(step.name)]))
    }
    let expanded = try target.expanded(over: source, owned: owned, servesOlder: servesOlder)
    var loaded = try SchemaLoader(source: target.name).load(expanded.declaration).target
    loaded.ignores = target.ignores
    loaded.keepsUndeclaredColumns = target.keepsUndeclaredColumns
    return .expansion(loaded, formerNames: expanded.formerNames)
  }

  /// The columns whose values one program would take for others than the other one does.
  private func recodedColumns(in source: DatabaseSchema, _ ledger: Ledger) throws -> [ExpandObstacle] {
    var builder = try builder(nil, ledger)
    try builder.settleForms(in: source)
    return builder.target.hints.formChanges.filter { $0.change.way != .keep }.map {
      .changedTable($0.table.text, .column($0.column.text))
    }
  }

  /// True if the declared schema is one of those that a file serves.
  func serves(_ expansion: Expansion) -> Bool {
    target.isKnown(as: expansion.newer) || (expansion.servesOlder && target.isKnown(as: expansion.older))
  }

  /// True if what a file has beside the declared schema is to be removed.
  private func contracts(_ expansion: Expansion) -> Bool {
    // A later schema ends it as well, but not that of the older program.
    if case .contract = request.phase { return !target.isKnown(as: expansion.older) }
    return request.phase == .complete && !expansion.servesOlder && target.isKnown(as: expansion.newer)
  }

  /// The former names whose values are all the same under the new ones, so that nothing is lost with them.
  ///
  /// Triggers keep them alike. Somebody may have dropped these, or written with triggers switched off.
  ///
  /// *Cost:* scans the tables with renamed columns.
  private func settledNames(of expansion: Expansion, in source: DatabaseSchema) throws -> [SQLName: Set<SQLName>] {
    var settled: [SQLName: Set<SQLName>] = [:]
    for (table, names) in expansion.formerNames {
      guard let table = source.tables[SQLName(table)] else { continue }
      for (old, new) in names.map({ (SQLName($0.key), SQLName($0.value)) }) {
        guard table.column(old) != nil, table.column(new) != nil else { continue }
        let isDifferent = try connection.integer(
          "SELECT EXISTS (SELECT 1 FROM main.\(table.name.quoted) \(table.rowOrder) WHERE \(Self.differs(old, new)))")
        if isDifferent == 0 { settled[table.name, default: []].insert(old) }
      }
    }
    return settled
  }

  /// The condition for a row in which the two names of a column have other values.
  private static func differs(_ old: SQLName, _ new: SQLName) -> String {
    "\(old.quoted) IS NOT \(new.quoted) COLLATE BINARY OR typeof(\(old.quoted)) <> typeof(\(new.quoted))"
  }

  /// The plan that ends an expansion, with the rows that differ under the two names of a column.
  ///
  /// *Cost:* a scan of each table with such a column.
  func tellingDifferences(in plan: MigrationPlan, from source: DatabaseSchema) throws -> MigrationPlan {
    guard request.undo == nil, isRecorded, !request.plan.isQuick,
      let expansion = try Ledger(connection: connection).expansion(of: target.name), expansion.servesOlder
    else { return plan }
    var plan = plan
    for index in plan.hazards.indices where plan.hazards[index].code == .droppedColumn {
      let hazard = plan.hazards[index]
      guard let former = hazard.column, let name = expansion.formerNames[hazard.table]?[former],
        let table = source.tables[SQLName(hazard.table)]
      else { continue }
      let (old, new) = (SQLName(former), SQLName(name))
      guard table.column(old) != nil, table.column(new) != nil else { continue }
      let rows = RowProjection(reading: table)
      let which = "FROM \(rows.fromClauseInOrder) WHERE \(Self.differs(old, new))"
      let count = Int(try connection.integer("SELECT count(*) \(which)") ?? 0)
      guard count > 0 else { continue }
      plan.hazards[index].count = count
      plan.hazards[index].samples = try connection.rows("SELECT \(rows.sampleKey) \(which) LIMIT 10").map {
        RowCheckReader.text($0.first ?? .null)
      }
      plan.hazards[index].cause = DroppedColumnHazard(newerName: new).cause
    }
    return plan
  }

  /// The expansion that the file serves beside the declared schema; nil where it has the declared schema alone, or another one.
  func servedExpansion(_ ledger: Ledger) throws -> Expansion? {
    guard request.undo == nil, request.recordedMigration == nil else { return nil }
    guard let expansion = try ledger.expansion(of: target.name), serves(expansion) else { return nil }
    return contracts(expansion) ? nil : expansion
  }

  /// True if a file has what was made for both programs.
  private func isIntact(_ expansion: Expansion, source: DatabaseSchema) throws -> Bool {
    if try connection.integer("PRAGMA main.schema_version") == expansion.cookie { return true }
    return try Self.shape(of: source, on: connection, schema: target.name) == expansion.shape
  }

  /// The fingerprint of what a schema has in a file.
  private static func shape(of source: DatabaseSchema, on connection: any SQLConnection, schema: String) throws
    -> String
  {
    let owned = try Ledger(connection: connection).record(of: schema)?.ownedObjects ?? []
    return Fingerprint.of(source.removing { !owned.contains($0) })
  }

  // MARK: - The writes of the older program

  /// When an older program was last seen to write, in seconds since 1970; nil if it never was.
  private func lastOlderWrite() throws -> Int64? {
    let names = [ExpandedTable.writesTable(of: target.name), ExpandedTable.formerWritesTable(of: target.name)]
    let table = try names.first { name in
      try connection.integer(
        "SELECT count(*) FROM main.sqlite_master WHERE type = 'table' AND name = ?1", [.text(name.text)]) == 1
    }
    guard let table else { return nil }
    return try connection.integer("SELECT written FROM main.\(table.quoted) WHERE schema = ?1", [.text(target.name)])
  }

  private func now() throws -> Int64 { try connection.integer("SELECT CAST(strftime('%s', 'now') AS INTEGER)") ?? 0 }

  /// Refuses to end the service of an older program that was not quiet for as long as was asked for.
  func refuseOlderWrites() throws {
    guard case .contract(.some(let seconds)) = request.phase,
      let expansion = try Ledger(connection: connection).expansion(of: target.name), expansion.servesOlder
    else { return }
    let last = max(expansion.since, try lastOlderWrite() ?? 0)
    let silence = Int(try now() - last)
    guard silence >= seconds else {
      throw HistoryError(reason: .olderProgramWrites(secondsAgo: max(0, silence), quietFor: seconds))
    }
  }

  /// The plan for a file that stays as it is, since it serves the declared schema.
  func plan(serving expansion: Expansion, source: DatabaseSchema, engine: SQLiteVersion) throws -> MigrationPlan {
    var plan = MigrationPlan.empty(
      from: Fingerprint.of(source), to: target.fingerprint, unmanaged: [], engine: engine,
      areRowsExamined: !request.plan.isQuick)
    plan.hazards += try notes(on: expansion, isEnding: false)
    return plan
  }

  /// The remarks about a change as a whole.
  func notes(on plan: MigrationPlan, _ ledger: Ledger) throws -> [Hazard] {
    if plan.isEmpty { return [] }
    if !isRecorded {
      return [
        Hazard(.noHistory, table: SQLName(target.name), cause: HazardCause(SurroundingHazard.noHistory), isNote: true)
      ]
    }
    guard request.undo == nil, let expansion = try ledger.expansion(of: target.name) else { return [] }
    return try notes(on: expansion, isEnding: true)
  }

  /// The remarks about the older program that a file serves.
  func notes(on expansion: Expansion, isEnding: Bool) throws -> [Hazard] {
    guard expansion.servesOlder else { return [] }
    let minutes = try lastOlderWrite().map { Int(max(0, try now() - $0) / 60) }
    return [
      Hazard(
        .servesOlderProgram, table: SQLName(target.name),
        cause: HazardCause(
          SurroundingHazard.servesOlderProgram(since: expansion.start, lastWrite: minutes, isEnding: isEnding)),
        isNote: true)
    ]
  }

  /// The plan for what takes no time, without a look at the rows; nil where it could lose something, or cannot be made.
  func planWithoutRows(by builder: PlanBuilder, from source: DatabaseSchema) throws -> MigrationPlan? {
    var builder = builder
    builder.request.isQuick = true
    do {
      let plan = try builder.build(from: source)
      return plan.refusals(under: request.plan.policy).isEmpty ? plan : nil
    } catch is PlanError {
      return nil
    }
  }

  /// Runs a change that was planned without a look at the rows. The rows that break it are reported with their keys.
  func namingRefusedRows<T>(_ change: () throws -> T) throws -> T {
    do {
      return try change()
    } catch let error as ApplyError where request.phase == .prepare {
      guard case .statement(_, _, let cause) = error.reason, cause.isConstraint else { throw error }
      guard let plan = try? looking({ try complete.prepare() }).plan else { throw error }
      let broken: Set<HazardCode> = [.duplicates, .failingCheck, .nullsUnderNotNull, .notStorable]
      let hazards = plan.refusals(under: request.plan.policy).filter { broken.contains($0.code) }
      throw hazards.isEmpty ? error : PlanError(reason: .refused(plan, hazards: hazards)) as any Error
    }
  }

  /// The same, all the way.
  var complete: Change {
    var change = self
    change.request.phase = .complete
    return change
  }

  // MARK: - The history

  /// The fingerprint of what the older program declares. It gets into the history where that begins with the expansion, so
  /// that the older program is known as such later.
  func formerFingerprint(of prepared: Prepared, _ declared: TargetSchema) throws -> String {
    guard prepared.formerNames != nil else { return "" }
    let ledger = Ledger(connection: connection)
    // An unfinished expansion is that program's own.
    if let pending = try ledger.expansion(of: declared.name), !pending.servesOlder { return pending.newer }
    if let record = try ledger.record(of: declared.name) { return record.fingerprint }
    let former = Fingerprint.of(declared.part(of: prepared.source, owned: []))
    try ledger.create()
    var nothing = prepared.plan
    nothing.steps = []
    try ledger.append(entry(nothing, kind: .baseline, from: former, to: former, milliseconds: 0))
    return former
  }

  /// Notes what a change has made of the file, in its transaction.
  ///
  /// - Parameter former: The fingerprint of the schema before.
  func noteExpansion(of prepared: Prepared, former: String, declared: TargetSchema) throws {
    guard let formerNames = prepared.formerNames else { return }
    let ledger = Ledger(connection: connection)
    let after = try SchemaReader.read(connection)
    let expansion = Expansion(
      older: former, newer: declared.fingerprint,
      shape: try Self.shape(of: after, on: connection, schema: declared.name),
      formerNames: Dictionary(
        uniqueKeysWithValues: formerNames.map { table, names in
          (table.text, Dictionary(uniqueKeysWithValues: names.map { ($0.key.text, $0.value.text) }))
        }),
      since: try now(), cookie: try connection.integer("PRAGMA main.schema_version") ?? -1,
      servesOlder: request.phase != .prepare)
    try ledger.note(expansion, of: declared.name)
  }

  /// Notes that a file was opened with the declared schema, so that the next open need not compare it.
  func remember(serving expansion: Expansion) throws -> Bool {
    let cookie = try connection.integer("PRAGMA main.schema_version") ?? -1
    if expansion.cookie == cookie, expansion.declarations.contains(target.digest) { return true }
    var expansion = expansion
    if expansion.cookie != cookie { expansion.declarations = [] }
    expansion.cookie = cookie
    expansion.declarations.insert(target.digest)
    try Ledger(connection: connection).note(expansion, of: target.name)
    return true
  }
}

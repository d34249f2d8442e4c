import OrderedCollections

// The parts of one attempt at a plan.
extension PlanBuilder {
  /// The schemas that are compared, and how they differ.
  struct Comparison {
    /// The file's schema.
    var source: DatabaseSchema
    /// The file's schema after the renames.
    var renamed: DatabaseSchema
    /// The declared schema, with what the file has beside it.
    var target: DatabaseSchema
    /// Objects that the declared schema does not own.
    var unmanaged: [SQLName]
    var diff: SchemaDiff
    var renames: SchemaRenames
    /// The renames that ALTER TABLE carries out.
    var nativeRenames: SchemaRenames
  }

  /// Compares the renamed schema with the declared one.
  func compare(
    source: DatabaseSchema, renamed: DatabaseSchema, owned: Set<SQLName>,
    renames: (all: SchemaRenames, native: SchemaRenames), knowledge: Knowledge
  ) throws(PlanError) -> Comparison {
    let (effective, unmanaged) = try target.effectiveSchema(
      over: renamed, owned: owned.union(renames.all.replacedTables.keys))
    var compared = renamed
    for table in knowledge.renamesByRebuild.keys {
      compared.tables[table] = compared.tables[table]?.renamingColumns(renames.all.formerColumns[table] ?? [:])
    }
    var diff = SchemaDiff(
      from: compared, to: effective, isOrderStrict: request.isOrderStrict, unmanaged: Set(unmanaged))
    diff.addFormChanges(of: target.hints, from: compared, to: effective)
    // New names alone are no difference between the compared tables, but they are why the table is rebuilt.
    for table in knowledge.renamesByRebuild.keys.sorted()
    where !diff.changedTables.contains(where: { $0.to.name == table }) {
      guard let from = compared.tables[table], let to = effective.tables[table] else { continue }
      diff.changedTables.append(TableChange(from: from, to: to))
    }
    return Comparison(
      source: source, renamed: renamed, target: effective, unmanaged: unmanaged, diff: diff, renames: renames.all,
      nativeRenames: renames.native)
  }

  /// Examines the rows, unless that was done for the same checks.
  func check(_ checks: RowChecks, into knowledge: inout Knowledge, measuresRows: Bool = true) throws {
    guard knowledge.questions != checks else { return }
    var reader = RowCheckReader(connection: connection, profile: profile, onTable: onRowCheck)
    reader.measuresRows = measuresRows
    knowledge.checkResults =
      try request.isQuick || request.isForRecording
      ? reader.answerWithoutRows(checks, assumesRows: request.isForRecording || request.assumesRows)
      : reader.answer(checks)
    knowledge.questions = checks
    knowledge.rounds += 1
    knowledge.rowClasses = PlanningMemory.RowClass.of(knowledge.checkResults)
  }

  /// The profile that the steps of the plan may take for granted.
  var profileOfSteps: EngineProfile {
    var own = request.isForRecording ? profile.forRecording : profile
    own.canEditCatalog = request.policy.strategy.takesEveryWay && profile.canEditCatalog
    return own
  }

  /// The planner with all that is known.
  func planner(for comparison: Comparison, knowledge: Knowledge) throws -> Planner {
    let byRebuild = knowledge.renamesByRebuild
    var planner = Planner(
      source: comparison.source, renamed: comparison.renamed, target: comparison.target, diff: comparison.diff,
      renames: comparison.nativeRenames, hints: target.hints, checkResults: knowledge.checkResults,
      profile: profileOfSteps)
    planner.copiesBare = request.policy.strategy != .alter && profile.canEditCatalog && !request.isForRecording
    planner.isQuick = request.isQuick && !request.isForRecording
    planner.assumesRows = request.assumesRows
    planner.tablesWithLeftoverFields = knowledge.tablesWithLeftoverFields ?? []
    planner.standing = knowledge.standing
    planner.columnSources = comparison.renames.formerColumns.filter { byRebuild[$0.key] != nil }
    planner.strategy = request.policy.strategy
    planner.refused = knowledge.refused
    planner.forcedRebuilds = byRebuild
    planner.renamesInCatalog = knowledge.renamesInCatalog
    planner.avoidsAlter = knowledge.avoidsAlter
    planner.suspendedObjects = knowledge.suspendedObjects
    planner.unfillable = knowledge.unfillable
    planner.dataSteps = try dueDataSteps(in: comparison.source, renames: comparison.renames)
    planner.lostShadows = try lostShadows(of: comparison)
    planner.verificationLevel = request.verification
    planner.recording = request.recording
    if planner.keepsForeignKeysOn, !request.isQuick, !request.isForRecording {
      planner.rowCounts = try rowCounts(of: planner.tablesToCount, renames: comparison.renames)
    }
    if planner.keepsForeignKeysOn, !request.isForRecording, !request.assumesRows {
      planner.harmlessReferences = try planner.mistypedReferences.filter { try isHarmless($0, in: comparison) }
    }
    if request.policy.keepsDropped {
      planner.keptValues = KeepRule(
        source: comparison.source, firstNumber: try KeptTables(connection: connection).nextNumber(),
        areFilled: areFilled
      ).values(dropping: comparison.diff, renames: comparison.renames, hints: target.hints)
    }
    return planner
  }

  /// The tables that get a column, of which a row has fields for more columns than they have.
  func tablesWithLeftoverFields(_ comparison: Comparison) throws -> Set<SQLName> {
    guard !request.isForRecording, !request.assumesRows else { return [] }
    let growing = comparison.diff.changedTables.filter { $0.addedColumns.contains { $0.generation == nil } }
    let tables = growing.compactMap { comparison.source.tables[comparison.renames.formerTable($0.to.name)] }
    let found = try leftoverFields(in: tables)
    return Set(growing.map(\.to.name).filter { found.contains(comparison.renames.formerTable($0)) })
  }

  /// The tables of which a row has fields for more columns than they have, among some.
  func leftoverFields(in tables: [TableSchema]) throws -> Set<SQLName> {
    guard let local = connection as? any LocalEngine else { return [] }
    let found = try local.tablesWithLeftoverFields(
      among: tables.map { table in
        // A key stores a column once for each collation.
        let terms = Set(
          (table.primaryKey?.columns ?? []).map {
            KeyColumn(name: $0.name, collation: $0.collation, isDescending: false)
          })
        guard table.isWithoutRowID else { return (table.name.text, table.holdingColumns.count, nil) }
        let repeated = terms.count - Set(terms.map(\.name)).count
        return (table.name.text, table.holdingColumns.count + repeated, terms.count)
      })
    return Set(found.map { SQLName($0) })
  }

  /// True if no row of a table has NULL in some columns.
  private func areFilled(_ table: TableSchema, _ columns: [SQLName]) -> Bool {
    guard !request.isQuick, !request.isForRecording, !request.assumesRows else { return false }
    // IS NULL would be answered from an index or a declaration.
    let nulls = columns.map { "typeof(\($0.quoted)) = 'null'" }.joined(separator: " OR ")
    let sql = "SELECT EXISTS (SELECT 1 FROM main.\(table.name.quoted) \(table.rowOrder) WHERE \(nulls))"
    return (try? connection.integer(sql)) == 0
  }

  /// The numbers of rows in tables, by their new names.
  private func rowCounts(of tables: Set<SQLName>, renames: SchemaRenames) throws -> [SQLName: Int] {
    try tables.reduce(into: [:]) { counts, table in
      let sql = "SELECT count(*) FROM \"main\".\(renames.formerTable(table).quoted) NOT INDEXED"
      counts[table] = Int(try connection.integer(sql) ?? 0)
    }
  }

  /// True if no value of a file makes SQLite miscount a reference.
  private func isHarmless(_ reference: MistypedReference, in comparison: Comparison) throws -> Bool {
    let (source, renames) = (comparison.source, comparison.renames)
    let formerTable = renames.formerTable(reference.isOfKey ? reference.parent : reference.child)
    guard let former = source.table(formerTable) else { return true }
    let hasRows = "SELECT EXISTS (SELECT 1 FROM \(former.rows))"
    guard try connection.integer(hasRows) != 0 else { return true }
    if request.isQuick { return false }
    var ends = [(reference.parent, reference.parentColumn)]
    if !reference.isOfKey { ends.append((reference.child, reference.column)) }
    for (table, column) in ends {
      let former = source.table(renames.formerTable(table))?.column(renames.formerColumn(column, of: table))
      let declared = comparison.target.tables[table]?.column(column)
      let hints = target.hints.tables[table]?.columns[column] ?? ColumnHints()
      // Other values than the file's are not known.
      let isFilled =
        declared?.defaultValue != nil && (former == nil || declared?.isNotNull == true && former?.isNotNull == false)
      if hints != ColumnHints(renamedFrom: hints.renamedFrom) || isFilled { return false }
      // A new column holds NULL.
      if former == nil { return table == reference.child && column == reference.column }
    }
    do {
      return try connection.integer(reference.query(rows: former.rows) { renames.formerColumn($0, of: $1) }) == 0
    } catch let error as SQLiteError where !error.isEnvironmental {
      // A function or collation that is not there.
      return false
    }
  }

  /// Counts the rows of tables that are copied, which is known only when there are steps.
  ///
  /// - Returns: True if any were counted.
  func countCopiedRows(
    of steps: [MigrationStep], asked checks: RowChecks, into knowledge: inout Knowledge
  ) throws -> Bool {
    let uncounted = checks.tables.filter { table in
      table.questions.isEmpty && knowledge.checkResults[table.name]?.isCounted == false
        && steps.contains {
          ($0.strategy.copiesRows || $0.dropsColumns)
            && ($0.object.name == table.name || $0.copiedChildren.contains(table.name))
        }
    }
    guard !uncounted.isEmpty, !request.isQuick, !request.isForRecording else { return false }
    let counts = try RowCheckReader(connection: connection, profile: profile).count(uncounted)
    knowledge.checkResults.merge(counts) { $1 }
    knowledge.counted += uncounted
    return true
  }

  /// Looks for what the rows break already that the steps copy or update, where that was not done.
  ///
  /// - Returns: True if anything was looked at.
  func findStandingFaults(
    for steps: [MigrationStep], by planner: Planner, into knowledge: inout Knowledge
  ) throws -> Bool {
    guard !request.isQuick, !request.isForRecording, !request.assumesRows else { return false }
    // Questions are only added: two strategies that reject each other would ask by turns.
    let checks = planner.standingChecks(for: steps).compactMap { check -> StandingChecks? in
      guard let known = knowledge.standingChecks.first(where: { $0.table == check.table }) else { return check }
      return known.covers(check) ? nil : check.merging(known)
    }
    guard !checks.isEmpty else { return false }
    knowledge.standingChecks.removeAll { known in checks.contains { $0.table == known.table } }
    knowledge.standingChecks += checks
    let counted = knowledge.checkResults.compactMapValues(\.countedRows)
    knowledge.standing.merge(try StandingFaultReader(connection: connection).answer(checks, counted: counted)) { $1 }
    return true
  }

  /// The plan of the steps, with the hazards that the rows and the schemas show.
  func plan(
    _ steps: [MigrationStep], by planner: Planner, comparison: Comparison, knowledge: Knowledge
  ) throws -> MigrationPlan {
    let (source, diff) = (comparison.source, comparison.diff)
    var rules = HazardRules(
      diff: diff, hints: target.hints, isForRecording: request.isForRecording,
      engineChecksRows: profile.checksRowsOfAddedColumns)
    rules.filledIndexes = Set(steps.filter(\.fillsIndex).map(\.object.name))
    let unasked = planner.unaskedFillings(of: rules.filledIndexes).flatMap {
      rules.hazards(of: $0.key, checkResults: $0.value)
    }
    let found = knowledge.checkResults.sorted { $0.key < $1.key }.flatMap {
      // Nothing else of a replaced table is asked about than its rows: they go, under its name in the file.
      rules.hazards(of: comparison.renames.replacedTables[$0.key] ?? $0.key, checkResults: $0.value)
    }
    var plan = MigrationPlan(
      steps: steps, hazards: found + unasked + knowledge.notes,
      unmanaged: (whole?.unmanaged(with: comparison.unmanaged) ?? comparison.unmanaged).map(\.text),
      sourceFingerprint: Fingerprint.of(whole?.source ?? source), targetFingerprint: target.fingerprint, engine: engine,
      areRowsExamined: !request.isQuick && !request.isForRecording)
    plan.renames = comparison.renames
    plan.formChanges = target.hints.tables.mapValues(\.formChanges).filter { !$0.value.isEmpty }
    plan.keptValues = planner.keptValues
    plan.scriptConditions = ScriptConditions(of: plan, source: source, target: comparison.target, diff: diff)
    if request.policy.keepsDropped { plan.noteKeptValues() }
    plan.hazards += planner.hazardsOfStandingFaults(in: steps)
    if planner.isQuick, !planner.assumesRows { plan.hazards += planner.hazardsOfUnexaminedCopies(in: steps) }
    plan.hazards += hazardsOfRestoring(planner.lostShadows)
    if request.policy.strategy == .online {
      plan.hazards += OnlineObstacle.hazards(of: steps, removed: target.hints.removedTables)
    }
    if !request.isForRecording {
      plan.filledColumns = planner.filledColumns(renames: comparison.renames).map { $0.copiedOnline(by: steps) }
      plan.hazards += plan.filledColumns.map { $0.note(isUndo: rules.isUndo) }
    }
    if plan.hasDataSteps { leaveUnreadable(to: &plan, comparison) }
    if plan.hasDataSteps || target.hints.isUndo {
      // The rows that are missing may still come, or were missing before the change that is undone; foreign keys are
      // checked before the commit.
      for index in plan.hazards.indices where plan.hazards[index].code == .orphans { plan.hazards[index].isNote = true }
    }
    var schemas = ComparedSchemas(
      source: source, target: comparison.target, diff: diff, renames: comparison.renames, isUndo: rules.isUndo)
    schemas.rules = target.hints.rules
    plan.hazards += HazardRules.schemaRules.flatMap { $0.hazards(in: schemas) }
    plan.hazards += profile.hazards(of: plan, to: comparison.target)
    plan.hazards += notesOfRegisters(comparison)
    plan.note(
      idleHints(
        from: whole?.source ?? source, effective: whole?.effective(with: comparison.target) ?? comparison.target,
        renames: comparison.renames))
    plan.profile = profile.name == nil ? nil : profile
    if profile.name != nil { plan.scriptConditions.rows = try rowConditions(of: plan, rules: rules, knowledge) }
    return plan
  }

  /// Runs the plan on a clone, where it must read back as the target.
  func validate(_ plan: MigrationPlan, comparison: Comparison, knowledge: Knowledge) throws -> Attempt {
    let validation = PlanValidation(
      database: connection, source: comparison.source, target: comparison.target, declared: target.schema,
      renames: comparison.renames, keepsForeignKeysOn: !profile.canSuspendForeignKeys)
    switch try prove(plan, by: validation) {
    case .holds(let hazards, let dependencies):
      return .proved(proved(plan, comparison, hazards, dependencies), knowledge)
    case .lacks(let refusals, let hazards, let dependencies):
      // ALTER TABLE reads the whole catalog; another way may need less.
      if let next = refusals.lazy.compactMap({ lesson(of: $0, comparison, knowledge: knowledge) }).first {
        return try .again(learning(next, from: knowledge))
      }
      return .proved(proved(plan, comparison, hazards, dependencies), knowledge)
    case .differs(let names):
      return try .again(
        learning(lesson(of: names, plan, from: comparison.source, knowledge: knowledge), from: knowledge))
    case .failed(let step, let error):
      if let next = Self.lesson(of: error, at: step, knowledge: knowledge) {
        return try .again(learning(next, from: knowledge))
      }
      // That no way is safe while foreign keys stay on is said once, as SK202.
      let isRefused = step.dropsReferencedTable && !profile.canSuspendForeignKeys
      var plan = plan
      if !isRefused, knowledge.checkResults[step.object.name]?.tell(of: error) != true {
        plan.hazards.append(Self.failed(step, error, hints: target.hints))
      }
      return .proved(plan, knowledge)
    }
  }

  private func proved(
    _ plan: MigrationPlan, _ comparison: Comparison, _ hazards: [Hazard], _ dependencies: Dependencies
  ) -> MigrationPlan {
    var plan = plan
    let inquiry = ImpactInquiry(
      source: comparison.source, renamed: comparison.renamed, diff: comparison.diff, renames: comparison.renames)
    plan.impacts = inquiry.impacts(dependencies)
    plan.hazards += hazards.map { inquiry.naming(plan.impacts, in: $0) }
    blockClockReads(in: &plan, comparison)
    return plan
  }

  /// Returns the next way for a step that needs something which the file's own connection lacks; nil if there is none.
  private func lesson(
    of refusal: EnvironmentCheck.Refusal, _ comparison: Comparison, knowledge: Knowledge
  ) -> Lesson? {
    let (step, table) = (refusal.step, refusal.step.object.name)
    guard step.object.kind == .table else { return nil }
    let renamesColumns = step.edits.contains { if case .renameColumn = $0 { true } else { false } }
    if renamesColumns, !step.strategy.copiesRows {
      if knowledge.renamesInCatalog == nil, canRenameInCatalog(comparison.nativeRenames) {
        return .renameInCatalog(problem: refusal.problem)
      }
      return knowledge.renamesByRebuild[table] == nil ? .renameByRebuild(table, problem: refusal.problem) : nil
    }
    if step.strategy.copiesRows, !step.strategy.hasAlternative, profileOfSteps.canEditCatalog, !request.isForRecording,
      !knowledge.avoidsAlter.contains(table)
    {
      return .avoidAlter(table)
    }
    guard step.strategy.hasAlternative, knowledge.refused[table]?[step.strategy] == nil else { return nil }
    return .refused(table, step.strategy, problem: refusal.problem)
  }

  /// The lesson of objects that do not read back as declared.
  private func lesson(
    of names: [SQLName], _ plan: MigrationPlan, from source: DatabaseSchema, knowledge: Knowledge
  ) throws -> Lesson {
    // A native change can do less than it says: after DROP COLUMN oid, a CHECK that reads oid means the rowid.
    let cheap = plan.steps.first { step in
      (step.strategy.hasAlternative || step.statements.contains(where: \.editsCatalog))
        && names.contains(step.object.name) && step.object.kind == .table
        && knowledge.refused[step.object.name]?[step.strategy] == nil
    }
    if let cheap {
      return .refused(cheap.object.name, cheap.strategy, problem: "the result differs from the declared table")
    }
    // SQLite rewrites what it re-reads: a text in double quotes gets single ones.
    let rewritten = names.first { name in
      !knowledge.suspendedObjects.contains(name) && (source.views[name] != nil || source.triggers[name] != nil)
    }
    if let rewritten { return .rewritten(rewritten) }
    throw PlanError(reason: .unprovable(.otherThanDeclared(names)))
  }
}

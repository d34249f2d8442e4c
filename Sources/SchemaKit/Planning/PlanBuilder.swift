import OrderedCollections

/// Makes a plan for a database and proves it on a clone of its catalog before anyone sees it.
///
/// *Cost:* reads the catalog; scans the tables that the plan's hazards depend on; writes nothing to the file.
struct PlanBuilder {
  let connection: any SQLConnection
  var target: TargetSchema
  var request = PlanRequest()
  let profile: EngineProfile
  /// Called before the rows of each table are examined.
  var onRowCheck: (String, Int, Int) -> Void = { _, _, _ in }

  /// What one attempt at a plan has learned for the next.
  private struct Knowledge {
    /// Strategies that SQLite refused for a table, with what it said.
    var refused: [SQLName: [MigrationStep.Strategy: String]] = [:]
    /// Tables whose columns SQLite cannot rename, with what it said; a rebuild gives them their new names.
    var renamesByRebuild: [SQLName: String] = [:]
    /// Views and triggers that SQLite stumbled over.
    var suspendedObjects: Set<SQLName> = []
    /// Full-text indexes that cannot be filled.
    var unfillable: Set<SQLName> = []
    var questions: RowChecks?
    var checkResults: [SQLName: RowCheckResults] = [:]
    var notes: [Hazard] = []
  }

  /// How an attempt ended.
  private enum Attempt {
    case proved(MigrationPlan)
    case again(Knowledge)
  }

  /// Makes the plan from a database's schema, which must be what its catalog says now.
  func build(from source: DatabaseSchema) throws -> MigrationPlan {
    var builder = self
    try builder.target.markAppliedConversions(on: connection, source: source)
    try builder.target.settleNames(on: connection)
    return try builder.plan(from: source)
  }

  private func plan(from source: DatabaseSchema) throws -> MigrationPlan {
    let owned = try target.droppableObjects(on: connection)
    let quick = target.effectiveSchema(over: source, owned: owned)
    let renames = try SchemaRenames.resolve(from: source, to: quick.schema, hints: target.hints)
    if try isReached(source, effective: quick, renames: renames) {
      var plan = MigrationPlan.empty(
        from: Fingerprint.of(source), to: target.fingerprint, unmanaged: quick.unmanaged.map(\.text),
        engine: engine, areRowsExamined: !request.isQuick)
      plan.note(idleHints(from: source, effective: quick.schema, renames: renames))
      return plan
    }
    var knowledge = Knowledge()
    // Every round learns of one more object; there are no more rounds than objects.
    for _ in 0...(3 * (source.objectCount + target.schema.objectCount)) {
      switch try attempt(source: source, owned: owned, renames: renames, knowledge: knowledge) {
      case .proved(let plan): return plan
      case .again(let learned): knowledge = learned
      }
    }
    throw PlanError(reason: .unprovable("no order of steps was found that SQLite accepts"))
  }

  /// The plan where nothing is to be done, told from a part of a file's schema; nil where all of it must be read.
  ///
  /// What was not read is neither declared nor the schema's to drop. It would be kept as it is, and what is kept differs
  /// from itself in nothing.
  func emptyPlan(from part: KnownCatalog) throws -> MigrationPlan? {
    var builder = self
    try builder.target.markAppliedConversions(on: connection, source: part.schema)
    return try builder.emptyPlan(where: part)
  }

  private func emptyPlan(where part: KnownCatalog) throws -> MigrationPlan? {
    let owned = try target.droppableObjects(on: connection)
    guard let scope = part.scope, !target.ownsWholeFile, owned.isSubset(of: scope.names) else { return nil }
    let quick = target.effectiveSchema(over: part.schema, owned: owned)
    // What cannot be decided here is said where everything is known.
    guard let renames = try? SchemaRenames.resolve(from: part.schema, to: quick.schema, hints: target.hints),
      try isReached(part.schema, effective: quick, renames: renames)
    else { return nil }
    var plan = MigrationPlan.empty(
      from: target.fingerprint, to: target.fingerprint, unmanaged: (quick.unmanaged + part.others).map(\.text),
      engine: engine, areRowsExamined: !request.isQuick)
    plan.note(idleHints(from: part.schema, effective: quick.schema, renames: renames))
    return plan
  }

  /// Whether there is nothing to do.
  private func isReached(
    _ source: DatabaseSchema, effective: (schema: DatabaseSchema, unmanaged: [SQLName]), renames: SchemaRenames
  ) throws -> Bool {
    try renames.isEmpty
      && SchemaDiff(
        from: source, to: effective.schema, isOrderStrict: request.isOrderStrict, unmanaged: Set(effective.unmanaged)
      ).isEmpty
      && dueDataSteps(in: source, renames: renames).isEmpty
  }

  private var engine: SQLiteVersion { profile.version }

  /// The data steps that this file still needs. A file that has none of the schema's tables is new.
  private func dueDataSteps(in source: DatabaseSchema, renames: SchemaRenames) throws -> [DataStepHint] {
    guard !target.hints.dataSteps.isEmpty else { return [] }
    let isNew = renames.isEmpty && target.schema.tables.keys.allSatisfy { source.tables[$0] == nil }
    let done = try Ledger(connection: connection).doneDataSteps(of: target.name)
    return target.hints.dataSteps.filter { !done.contains($0.name) && (!isNew || $0.isForNewFiles) }
  }

  private func attempt(
    source: DatabaseSchema, owned: Set<SQLName>, renames: SchemaRenames, knowledge: Knowledge
  ) throws -> Attempt {
    var knowledge = knowledge
    let byRebuild = knowledge.renamesByRebuild
    let nativeRenames = renames.without(columnsOf: Set(byRebuild.keys))
    // 1. SQLite itself carries out the renames on a clone, rewriting everything that mentions them.
    var renamed = source
    if !nativeRenames.isEmpty {
      let clone = try CatalogClone(of: connection, schema: source)
      if let lesson = try rename(
        on: clone, source: source, renames: nativeRenames, suspendedObjects: knowledge.suspendedObjects)
      {
        return try .again(learning(lesson, from: knowledge))
      }
      renamed = try SchemaReader.read(clone.connection, known: source)
      // A new name that a table has already is no view's or index's: only the case changes, or two change places.
      let takenOver = nativeRenames.tables.map(\.new).filter { source.tables[$0] == nil }
      renamed.restore(
        views: knowledge.suspendedObjects.union(takenOver), triggers: knowledge.suspendedObjects, from: source)
      renamed.keepMissing(clone.missing.keys, from: source)
      renamed.systemTables = source.systemTables
    }
    // 2. What differs now is compared, asked about, and planned: pure functions of values.
    let (effective, unmanaged) = target.effectiveSchema(over: renamed, owned: owned)
    var compared = renamed
    for table in byRebuild.keys {
      compared.tables[table] = compared.tables[table]?.renamingColumns(renames.formerColumns[table] ?? [:])
    }
    var diff = SchemaDiff(
      from: compared, to: effective, isOrderStrict: request.isOrderStrict, unmanaged: Set(unmanaged))
    // New names alone are no difference between the compared tables, but they are why the table is rebuilt.
    for table in byRebuild.keys.sorted() where !diff.changedTables.contains(where: { $0.to.name == table }) {
      guard let from = compared.tables[table], let to = effective.tables[table] else { continue }
      diff.changedTables.append(TableChange(from: from, to: to))
    }
    let questions = RowCheckPlanner.questions(
      source: source, target: effective, diff: diff, renames: renames, hints: target.hints,
      profile: profile)
    if knowledge.questions != questions {
      let reader = RowCheckReader(connection: connection, onTable: onRowCheck)
      knowledge.checkResults =
        try request.isQuick || request.isForRecording
        ? reader.answerWithoutRows(questions, assumesRows: request.isForRecording) : reader.answer(questions)
      knowledge.questions = questions
    }
    let kept =
      request.policy.keepsDropped
      ? KeepRule(source: source, firstNumber: try KeptTables(connection: connection).nextNumber())
        .values(dropping: diff, renames: renames, hints: target.hints) : []
    var planner = Planner(
      source: source, renamed: renamed, target: effective, diff: diff, renames: nativeRenames, hints: target.hints,
      checkResults: knowledge.checkResults, profile: request.isForRecording ? profile.forRecording : profile)
    planner.profile.canEditCatalog = request.policy.strategy == .auto && profile.canEditCatalog
    planner.columnSources = renames.formerColumns.filter { byRebuild[$0.key] != nil }
    planner.strategy = request.policy.strategy
    planner.refused = knowledge.refused
    planner.forcedRebuilds = byRebuild
    planner.suspendedObjects = knowledge.suspendedObjects
    planner.unfillable = knowledge.unfillable
    planner.dataSteps = try dueDataSteps(in: source, renames: renames)
    planner.verificationLevel = request.verification
    planner.keptValues = kept
    var steps = try planner.steps()
    if let (index, problem) = try unusableIndex(filledBy: steps, in: source) {
      return try .again(learning(.unfillable(index, problem: problem), from: knowledge))
    }
    // Rows are counted where they are copied, which is known only now.
    let uncounted = questions.tables.filter { table in
      table.questions.isEmpty && planner.checkResults[table.name]?.isCounted == false
        && steps.contains { ($0.strategy.copiesRows || $0.dropsColumns) && $0.object.name == table.name }
    }
    if !uncounted.isEmpty, !request.isQuick, !request.isForRecording {
      let counts = try RowCheckReader(connection: connection).count(uncounted)
      knowledge.checkResults.merge(counts) { $1 }
      planner.checkResults = knowledge.checkResults
      steps = try planner.steps()
    }
    let rules = HazardRules(
      diff: diff, hints: target.hints, isForRecording: request.isForRecording,
      engineChecksRows: profile.checksRowsOfAddedColumns)
    var plan = MigrationPlan(
      steps: steps,
      hazards: knowledge.checkResults.sorted { $0.key < $1.key }.flatMap {
        rules.hazards(of: $0.key, checkResults: $0.value)
      }
        + knowledge.notes,
      unmanaged: unmanaged.map(\.text), sourceFingerprint: Fingerprint.of(source),
      targetFingerprint: target.fingerprint, engine: engine,
      areRowsExamined: !request.isQuick && !request.isForRecording, renames: renames, keptValues: kept)
    plan.scriptConditions = ScriptConditions(of: plan, source: source, diff: diff)
    if request.policy.keepsDropped { plan.noteKeptValues() }
    if !request.isForRecording {
      plan.filledColumns = planner.filledColumns(renames: renames)
      plan.hazards += plan.filledColumns.map { $0.note(isUndo: rules.isUndo) }
    }
    if plan.hasDataSteps || target.hints.isUndo {
      // The rows that are missing may still come, or were missing before the change that is undone; foreign keys are
      // checked before the commit.
      plan.hazards = plan.hazards.map { hazard in
        var hazard = hazard
        if hazard.code == .orphans { hazard.isNote = true }
        return hazard
      }
    }
    plan.hazards +=
      unsupported(diff) + followers(source: source, target: effective, renames: renames)
    plan.note(idleHints(from: source, effective: effective, renames: renames))
    // 3. The whole plan runs on another clone and must read back as the target.
    let proof = PlanValidation(
      database: connection, source: source, target: effective, declared: target.schema, renames: renames)
    switch try proof.run(plan) {
    case .holds(let hazards, let dependencies):
      let inquiry = ImpactInquiry(source: source, renamed: renamed, diff: diff, renames: renames)
      plan.impacts = inquiry.impacts(dependencies)
      plan.hazards += hazards.map { inquiry.naming(plan.impacts, in: $0) }
      return .proved(plan)
    case .differs(let names):
      // A native change can do less than it says: after DROP COLUMN oid, a CHECK that reads oid means the rowid.
      let cheap = plan.steps.first { step in
        step.strategy.hasAlternative && names.contains(step.object.name) && step.object.kind == .table
          && knowledge.refused[step.object.name]?[step.strategy] == nil
      }
      // SQLite rewrites what it re-reads: a text in double quotes gets single ones.
      let rewritten = names.first { name in
        !knowledge.suspendedObjects.contains(name) && (source.views[name] != nil || source.triggers[name] != nil)
      }
      if cheap == nil, let rewritten { return try .again(learning(.rewritten(rewritten), from: knowledge)) }
      guard let cheap else {
        let objects = names.map(\.text).joined(separator: ", ")
        throw PlanError(reason: .unprovable("the plan would leave \(objects) other than declared"))
      }
      let problem = "the result differs from the declared table"
      let lesson = Lesson.refused(cheap.object.name, cheap.strategy, problem: problem)
      return try .again(learning(lesson, from: knowledge))
    case .failed(let step, let error):
      if let next = Self.lesson(of: error, at: step, knowledge: knowledge) {
        return try .again(learning(next, from: knowledge))
      }
      if knowledge.checkResults[step.object.name]?.tell(of: error) != true {
        plan.hazards.append(Self.failed(step, error, hints: target.hints))
      }
      return .proved(plan)
    }
  }

  // MARK: - Renaming on the clone

  private enum Lesson {
    case suspend(SQLName)
    case rewritten(SQLName)
    case refused(SQLName, MigrationStep.Strategy, problem: String)
    case renameByRebuild(SQLName, problem: String)
    case unfillable(SQLName, problem: String)
  }

  private func rename(
    on clone: CatalogClone, source: DatabaseSchema, renames: SchemaRenames, suspendedObjects: Set<SQLName>
  ) throws -> Lesson? {
    for name in renames.tables.map(\.new) {
      if source.views[name] != nil { try clone.connection.run("DROP VIEW IF EXISTS \(name.quoted)") }
      if source.indexes[name] != nil { try clone.connection.run("DROP INDEX IF EXISTS \(name.quoted)") }
    }
    for name in suspendedObjects {
      if source.triggers[name] != nil { try clone.connection.run("DROP TRIGGER IF EXISTS \(name.quoted)") }
      if source.views[name] != nil { try clone.connection.run("DROP VIEW IF EXISTS \(name.quoted)") }
    }
    var statements: [(sql: String, columnsOf: SQLName?)] = renames.tables.map {
      (sql: "ALTER TABLE \"main\".\($0.old.quoted) RENAME TO \($0.new.quoted)", columnsOf: nil)
    }
    for change in renames.columns {
      statements += change.renames.map {
        let sql = "ALTER TABLE \"main\".\(change.table.quoted) RENAME COLUMN \($0.old.quoted) TO \($0.new.quoted)"
        return (sql: sql, columnsOf: change.table)
      }
    }
    try clone.connection.execute("PRAGMA legacy_alter_table = OFF")
    for statement in statements {
      do {
        try clone.connection.runStubbing(statement.sql)
      } catch let error as SQLiteError {
        if let object = error.namedObject, !suspendedObjects.contains(object) {
          return .suspend(object)
        }
        if let table = statement.columnsOf { return .renameByRebuild(table, problem: error.message) }
        throw PlanError(reason: .unprovable("\(statement.sql) fails: \(error.message)"))
      }
    }
    return nil
  }

  /// What a failed step teaches: an object to suspend, or a table to rebuild; nil when nothing helps.
  private static func lesson(of error: SQLiteError, at step: MigrationStep, knowledge: Knowledge) -> Lesson? {
    let table = step.object.name
    if step.fillsIndex, !knowledge.unfillable.contains(table) { return .unfillable(table, problem: error.message) }
    guard step.strategy.hasAlternative else { return nil }
    if let object = error.namedObject, !knowledge.suspendedObjects.contains(object) {
      return .suspend(object)
    }
    guard knowledge.refused[table]?[step.strategy] == nil else { return nil }
    return .refused(table, step.strategy, problem: error.message)
  }

  private func learning(_ lesson: Lesson, from knowledge: Knowledge) throws -> Knowledge {
    var learned = knowledge
    switch lesson {
    case .suspend(let name):
      learned.suspendedObjects.insert(name)
      if let before = try brokenBefore(name) {
        learned.notes.append(
          Hazard(
            .brokenObject, table: name,
            message:
              "\(name) does not work already: \(before). It is suspended during the change and restored unchanged.",
            remedy: "Fix or drop it.", isNote: true))
      }
    case .rewritten(let name): learned.suspendedObjects.insert(name)
    case .refused(let table, let strategy, let problem):
      learned.refused[table, default: [:]][strategy] = problem
    case .renameByRebuild(let table, let problem):
      learned.renamesByRebuild[table] = problem
    case .unfillable(let index, let problem):
      learned.unfillable.insert(index)
      learned.notes.append(Self.unfilled(index, problem: problem))
    }
    return learned
  }

  /// What SQLite says against a view as it is in the file, or nil when it works.
  private func brokenBefore(_ name: SQLName) throws -> String? {
    let isView = "SELECT 1 FROM \"main\".sqlite_master WHERE type = 'view' AND name = ?1 COLLATE NOCASE"
    guard try connection.integer(isView, [.text(name.text)]) == 1 else { return nil }
    do {
      try connection.prepareOnly("EXPLAIN SELECT * FROM main.\(name.quoted)")
      return nil
    } catch let error as SQLiteError {
      return error.message
    }
  }
}

extension SQLiteError {
  /// The view, trigger or index that SQLite names when it cannot re-read it: `error in view v: …`.
  var namedObject: SQLName? {
    for kind in ["view", "trigger"] {
      let prefix = "error in \(kind) "
      guard message.hasPrefix(prefix) else { continue }
      let rest = message.dropFirst(prefix.count)
      let end = rest.firstRange(of: " after ")?.lowerBound ?? rest.firstRange(of: ": ")?.lowerBound ?? rest.endIndex
      return SQLName(String(rest[..<end]))
    }
    return nil
  }
}

extension DatabaseSchema {
  /// Restores what was suspended while others were renamed.
  ///
  /// - Parameter views: The names of views and indexes. With a view its triggers come back.
  fileprivate mutating func restore(
    views names: Set<SQLName>, triggers triggerNames: Set<SQLName>, from source: DatabaseSchema
  ) {
    for name in names {
      if let view = source.views[name] { views[name] = view }
      if let index = source.indexes[name] { indexes[name] = index }
    }
    for trigger in source.triggers.values {
      let isOfView = names.contains(trigger.table) && source.views[trigger.table] != nil
      if isOfView || triggerNames.contains(trigger.name) { triggers[trigger.name] = trigger }
    }
  }

  /// Puts back what the clone could not hold.
  fileprivate mutating func keepMissing(_ names: some Sequence<SQLName>, from source: DatabaseSchema) {
    for name in names {
      if let table = source.virtualTables[name] { virtualTables[name] = table }
    }
  }
}

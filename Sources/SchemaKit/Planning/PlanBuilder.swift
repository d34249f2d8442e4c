import OrderedCollections

/// Makes a plan for a database and proves it on a clone of its catalog before anyone sees it.
///
/// *Cost:* reads the catalog; scans the tables that the plan's hazards depend on; writes nothing to the file.
struct PlanBuilder {
  let connection: any SQLConnection
  let ledger: Ledger
  var target: TargetSchema
  var request = PlanRequest()
  let profile: EngineProfile
  /// Called before the rows of each table are examined.
  var onRowCheck: (String, Int, Int) -> Void = { _, _, _ in }
  /// The memory from file to file; nil where there is one file only.
  var remembering: Remembering?
  /// All of the schemas where the target is a part of the declared one.
  var whole: Whole?

  /// The knowledge that one attempt at a plan has gained for the next.
  struct Knowledge {
    /// Strategies that SQLite refused for a table, with what it said.
    var refused: [SQLName: [MigrationStep.Strategy: String]] = [:]
    /// Tables whose columns SQLite cannot rename, with what it said; a rebuild gives them their new names.
    var renamesByRebuild: [SQLName: String] = [:]
    /// The tables whose copies must not be renamed by ALTER TABLE on the file's connection.
    var avoidsAlter: Set<SQLName> = []
    /// The reason why ALTER TABLE cannot rename columns on the file's connection; nil if it can.
    var renamesInCatalog: String?
    /// Views and triggers that SQLite stumbled over.
    var suspendedObjects: Set<SQLName> = []
    /// Full-text indexes that cannot be filled.
    var unfillable: Set<SQLName> = []
    var questions: RowChecks?
    var checkResults: [SQLName: RowCheckResults] = [:]
    /// The faults that rows which the plan copies or updates already have, with the questions.
    var standing: [SQLName: [RowCheckResults.Finding]] = [:]
    var standingChecks: [StandingChecks] = []
    /// The tables that get a column, of which a row has fields for more columns than they have; nil if nobody has looked.
    var tablesWithLeftoverFields: Set<SQLName>?
    /// The columns of which a step converts values that their rows should not hold.
    var converted: [SQLName: Set<SQLName>] = [:]
    /// The number of times that rows were examined, each time for other questions.
    var rounds = 0
    /// The kinds of rows; nil if anything was found that a plan could lose or break.
    var rowClasses: [SQLName: PlanningMemory.RowClass]?
    /// The tables that were counted because the plan copies them.
    var counted: [RowChecks.TableChecks] = []
    var notes: [Hazard] = []
  }

  /// The result of an attempt.
  enum Attempt {
    case proved(MigrationPlan, Knowledge)
    case again(Knowledge)
  }

  /// Makes the plan from a database's schema, which must be what its catalog says now.
  func build(from source: DatabaseSchema) throws -> MigrationPlan {
    var builder = self
    try builder.target.markAppliedConversions(on: connection, source: source)
    try builder.target.settleNames(on: connection)
    try builder.settleForms(in: source)
    if let remembering { return try builder.rememberedPlan(from: source, remembering) }
    return try builder.plan(from: source, knowing: Knowledge())
  }

  /// - Parameter knowledge: The knowledge that there is already.
  func plan(from source: DatabaseSchema, knowing knowledge: Knowledge) throws -> MigrationPlan {
    let owned = try target.droppableObjects(in: ledger)
    let quick = try target.effectiveSchema(over: source, owned: owned, isRenamed: false)
    let renames = try SchemaRenames.resolve(from: source, to: quick.schema, hints: target.hints)
    let difference = difference(from: source, to: quick)
    if try isReached(source, by: difference, renames: renames) {
      var plan = MigrationPlan.empty(
        from: Fingerprint.of(source), to: target.fingerprint, unmanaged: quick.unmanaged.map(\.text),
        engine: engine, areRowsExamined: !request.isQuick)
      plan.note(idleHints(from: source, effective: quick.schema, renames: renames))
      if let remembering, let key = remembering.key { remembering.memory.remember(plan, asCurrent: key) }
      return plan
    }
    let (builder, part) =
      request.plansWhole ? (self, source) : limited(to: difference, renames: renames, source: source, effective: quick)
    var knowledge = knowledge
    // Every round learns of one more object; there are no more rounds than objects.
    for _ in 0...(3 * (part.objectCount + builder.target.schema.objectCount)) {
      switch try builder.attempt(source: part, owned: owned, renames: renames, knowledge: knowledge) {
      case .proved(let plan, let knowledge):
        remember(plan, knowledge)
        return plan
      case .again(let learned): knowledge = learned
      }
    }
    throw PlanError(reason: .unprovable(.noOrder))
  }

  /// The hazards of a plan in some rows of tables that it copies.
  ///
  /// - Parameter rows: The condition for the rows of each table, over its columns.
  func hazards(in rows: [SQLName: String], from source: DatabaseSchema) throws -> [Hazard] {
    var builder = self
    try builder.target.markAppliedConversions(on: connection, source: source)
    try builder.target.settleNames(on: connection)
    try builder.settleForms(in: source)
    return try builder.hazardsOfRows(rows, from: source)
  }

  private func hazardsOfRows(_ rows: [SQLName: String], from source: DatabaseSchema) throws -> [Hazard] {
    let owned = try target.droppableObjects(in: ledger)
    let quick = try target.effectiveSchema(over: source, owned: owned, isRenamed: false)
    let renames = try SchemaRenames.resolve(from: source, to: quick.schema, hints: target.hints)
    var knowledge = Knowledge()
    guard case .renamed(let renamed) = try schema(of: source, after: renames, knowledge: knowledge) else {
      throw PlanError(reason: .unprovable(.noOrder))
    }
    let comparison = try compare(
      source: source, renamed: renamed, owned: owned, renames: (all: renames, native: renames), knowledge: knowledge)
    let checks = RowCheckPlanner.questions(
      source: source, target: comparison.target, diff: comparison.diff, renames: renames, hints: target.hints,
      profile: profile, rows: rows)
    try check(checks, into: &knowledge, measuresRows: false)
    let rules = HazardRules(
      diff: comparison.diff, hints: target.hints, engineChecksRows: profile.checksRowsOfAddedColumns)
    return knowledge.checkResults.sorted { $0.key < $1.key }.flatMap {
      rules.hazards(of: $0.key, checkResults: $0.value)
    }
  }

  /// The plan where nothing is to be done, told from a part of a file's schema; nil where all of it must be read.
  ///
  /// An object that was not read is neither declared nor the schema's to drop. It would be kept as it is, and a kept object
  /// does not differ from itself.
  func emptyPlan(from part: KnownCatalog) throws -> MigrationPlan? {
    var builder = self
    try builder.target.markAppliedConversions(on: connection, source: part.schema)
    try builder.settleForms(in: part.schema)
    return try builder.emptyPlan(where: part)
  }

  private func emptyPlan(where part: KnownCatalog) throws -> MigrationPlan? {
    let owned = try target.droppableObjects(in: ledger)
    guard let scope = part.scope, !target.ownsWholeFile, owned.isSubset(of: scope.names) else { return nil }
    let quick = try target.effectiveSchema(over: part.schema, owned: owned, isRenamed: false)
    // An obstacle that cannot be judged here is reported where everything is known.
    guard let renames = try? SchemaRenames.resolve(from: part.schema, to: quick.schema, hints: target.hints),
      try isReached(part.schema, by: difference(from: part.schema, to: quick), renames: renames)
    else { return nil }
    var plan = MigrationPlan.empty(
      from: target.fingerprint, to: target.fingerprint, unmanaged: (quick.unmanaged + part.others).map(\.text),
      engine: engine, areRowsExamined: !request.isQuick)
    plan.note(idleHints(from: part.schema, effective: quick.schema, renames: renames))
    return plan
  }

  /// True if a file has the declared schema, as far as names tell without hints about its past.
  func isReached(_ source: DatabaseSchema) throws -> Bool {
    let owned = try target.droppableObjects(in: ledger)
    let quick = try target.effectiveSchema(over: source, owned: owned, isRenamed: false)
    let renames = try SchemaRenames.resolve(from: source, to: quick.schema, hints: target.hints)
    return try isReached(source, by: difference(from: source, to: quick), renames: renames)
  }

  private func difference(
    from source: DatabaseSchema, to effective: (schema: DatabaseSchema, unmanaged: [SQLName])
  ) -> SchemaDiff {
    SchemaDiff(
      from: source, to: effective.schema, isOrderStrict: request.isOrderStrict, unmanaged: Set(effective.unmanaged))
  }

  /// True if there is nothing to do.
  private func isReached(
    _ source: DatabaseSchema, by difference: SchemaDiff, renames: SchemaRenames
  ) throws -> Bool {
    try renames.isEmpty && !target.hints.changesForms && difference.isEmpty
      && dueDataSteps(in: source, renames: renames).isEmpty
  }

  var engine: SQLiteVersion { profile.version }

  /// The data steps that this file still needs. A file that has none of the schema's tables is new.
  func dueDataSteps(in source: DatabaseSchema, renames: SchemaRenames) throws -> [DataStepHint] {
    guard !target.hints.dataSteps.isEmpty else { return [] }
    let present = (whole?.source ?? source).tables
    let isNew = renames.isEmpty && (whole?.declared ?? target.schema).tables.keys.allSatisfy { present[$0] == nil }
    let done = try ledger.doneDataSteps(of: target.name)
    return target.hints.dataSteps.filter { !done.contains($0.name) && (!isNew || $0.isForNewFiles) }
  }

  private func attempt(
    source: DatabaseSchema, owned: Set<SQLName>, renames: SchemaRenames, knowledge: Knowledge
  ) throws -> Attempt {
    var knowledge = knowledge
    for change in renames.columns where knowledge.renamesByRebuild[change.table] == nil {
      let names = change.renames.flatMap { [$0.old, $0.new] }
      let former = renames.formerTable(change.table)
      if request.isForRecording, let name = names.first(where: \.isNameOfRowID) {
        knowledge.renamesByRebuild[change.table] = SQLName.refusalOfRowIDName(name)
      } else if let word = change.renames.map(\.new).first(where: { source.reads(word: $0, in: former) }) {
        knowledge.renamesByRebuild[change.table] = SQLName.otherMeaning(of: word, in: former)
      }
    }
    // 1. SQLite itself carries out the renames on a clone, rewriting everything that mentions them.
    let nativeRenames = renames.without(columnsOf: Set(knowledge.renamesByRebuild.keys))
    let renamed: DatabaseSchema
    switch try schema(of: source, after: nativeRenames, knowledge: knowledge) {
    case .again(let lesson): return try .again(learning(lesson, from: knowledge))
    case .renamed(let schema): renamed = schema
    }
    // 2. The remaining differences are compared, asked about, and planned: pure functions of values.
    let comparison = try compare(
      source: source, renamed: renamed, owned: owned, renames: (all: renames, native: nativeRenames),
      knowledge: knowledge)
    let checks = RowCheckPlanner.questions(
      source: source, target: comparison.target, diff: comparison.diff, renames: renames, hints: target.hints,
      profile: profileOfSteps, converted: knowledge.converted)
    try check(checks, into: &knowledge)
    if knowledge.tablesWithLeftoverFields == nil {
      knowledge.tablesWithLeftoverFields = try tablesWithLeftoverFields(comparison)
    }
    var planner = try planner(for: comparison, knowledge: knowledge)
    var steps = try planner.steps()
    if let (index, problem) = try unusableIndex(filledBy: steps, in: source, besides: Set(planner.lostShadows.keys)) {
      return try .again(learning(.unfillable(index, problem: problem), from: knowledge))
    }
    if try countCopiedRows(of: steps, asked: checks, into: &knowledge) {
      planner.checkResults = knowledge.checkResults
      steps = try planner.steps()
    }
    // A step is not taken where the rows say so, and its successor may have other questions.
    while try findStandingFaults(for: steps, by: planner, into: &knowledge) {
      planner.standing = knowledge.standing
      steps = try planner.steps()
    }
    let converted = planner.convertedColumns(by: steps).filter { table, columns in
      knowledge.converted[table]?.isSuperset(of: columns) != true
    }
    guard converted.isEmpty else { return try .again(learning(.converts(converted), from: knowledge)) }
    let plan = try plan(steps, by: planner, comparison: comparison, knowledge: knowledge)
    // 3. The whole plan runs on another clone and must read back as the target.
    return try validate(plan, comparison: comparison, knowledge: knowledge)
  }

  // MARK: - Renaming on the clone

  enum Lesson {
    case suspend(SQLName)
    case rewritten(SQLName)
    case refused(SQLName, MigrationStep.Strategy, problem: String)
    case renameByRebuild(SQLName, problem: String)
    case renameInCatalog(problem: String)
    case avoidAlter(SQLName)
    case unfillable(SQLName, problem: String)
    case converts([SQLName: Set<SQLName>])
  }

  func rename(
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
    for name in renames.replacedTables.values { try clone.connection.run("DROP TABLE IF EXISTS \(name.quoted)") }
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
        try clone.connection.runOfSchema(statement.sql)
      } catch let error as SQLiteError {
        if let object = error.namedObject.map({ SQLName($0) }), !suspendedObjects.contains(object) {
          return .suspend(object)
        }
        if let table = statement.columnsOf { return .renameByRebuild(table, problem: error.message) }
        throw PlanError(reason: .unprovable(.statement(statement.sql, message: error.message)))
      }
    }
    return nil
  }

  /// The lesson of a failed step: an object to suspend, or a table to rebuild; nil when nothing helps.
  static func lesson(of error: SQLiteError, at step: MigrationStep, knowledge: Knowledge) -> Lesson? {
    let table = step.object.name
    if step.fillsIndex, !knowledge.unfillable.contains(table) { return .unfillable(table, problem: error.message) }
    // A rebuild whose copy is bare has one whose copy is not.
    guard step.strategy.hasAlternative || step.statements.contains(where: \.editsCatalog) else { return nil }
    if let object = error.namedObject.map({ SQLName($0) }), !knowledge.suspendedObjects.contains(object) {
      return .suspend(object)
    }
    guard knowledge.refused[table]?[step.strategy] == nil else { return nil }
    return .refused(table, step.strategy, problem: error.message)
  }

  func learning(_ lesson: Lesson, from knowledge: Knowledge) throws -> Knowledge {
    var learned = knowledge
    switch lesson {
    case .suspend(let name):
      learned.suspendedObjects.insert(name)
      if let before = try brokenBefore(name) {
        learned.notes.append(
          Hazard(
            .brokenObject, table: name, cause: HazardCause(BrokenObjectHazard.brokenBefore(problem: before)),
            isNote: true))
      }
    case .rewritten(let name): learned.suspendedObjects.insert(name)
    case .refused(let table, let strategy, let problem):
      learned.refused[table, default: [:]][strategy] = problem
    case .renameByRebuild(let table, let problem):
      learned.renamesByRebuild[table] = problem
    case .avoidAlter(let table): learned.avoidsAlter.insert(table)
    case .converts(let columns): learned.converted.merge(columns) { $0.union($1) }
    case .renameInCatalog(let problem): learned.renamesInCatalog = problem
    case .unfillable(let index, let problem):
      learned.unfillable.insert(index)
      learned.notes.append(Self.unfilled(index, problem: problem))
    }
    return learned
  }

  /// SQLite's error for a view as it is in the file; nil if it works.
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

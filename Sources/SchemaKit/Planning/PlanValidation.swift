import OrderedCollections

/// Runs a plan on a clone of the file's catalog: it must read back as the target, and everything that compiled before
/// must compile after.
struct PlanValidation {
  /// The result of a proof.
  enum Outcome {
    /// The plan leads to the target; the hazards say what it would break all the same, and the dependencies which view
    /// or trigger of the source needs which column.
    case holds([Hazard], Dependencies)
    /// As `holds`, but for steps that need what the file's own connection lacks.
    case lacks([EnvironmentCheck.Refusal], [Hazard], Dependencies)
    /// The steps run and leave these objects other than declared.
    case differs([SQLName])
    /// A step fails.
    case failed(MigrationStep, SQLiteError)
  }

  private let database: any SQLConnection
  private let source: DatabaseSchema
  private let target: DatabaseSchema
  private let declared: DatabaseSchema
  private let renames: SchemaRenames
  private let keepsForeignKeysOn: Bool

  /// - Parameters:
  ///   - target: The schema that the file shall have.
  ///   - declared: The part of it that its author declares.
  ///   - keepsForeignKeysOn: True if the plan runs with foreign keys on.
  init(
    database: any SQLConnection, source: DatabaseSchema, target: DatabaseSchema, declared: DatabaseSchema,
    renames: SchemaRenames, keepsForeignKeysOn: Bool
  ) {
    self.database = database
    self.source = source
    self.target = target
    self.declared = declared
    self.renames = renames
    self.keepsForeignKeysOn = keepsForeignKeysOn
  }

  /// Runs the plan.
  func run(_ plan: MigrationPlan) throws -> Outcome {
    let clone = try CatalogClone(of: database, schema: source)
    let connection = clone.connection
    let dependencies = try DependencyReader(connection: connection).read(source)
    if let limits = plan.profile?.limits {
      connection.limit(
        expressionDepth: limits.expressionDepth, compoundSelects: limits.compoundSelects,
        instructions: limits.instructions, functionArguments: limits.functionArguments)
    }
    try connection.execute("PRAGMA foreign_keys = ON")
    // A probe that fails before as well is not new, also where only the change makes it a suspect.
    let suspectsBefore = WriteProbes.suspects(in: source, touching: plan.touchedObjects).union(
      WriteProbes.suspects(in: target, touching: plan.touchedObjects).map(renames.formerTable))
    let failuresBefore = WriteProbes(connection: connection).failures(in: source, objects: suspectsBefore)
    // A key that does not match its parent is an error as soon as a statement needs it, whether there are rows or not.
    if keepsForeignKeysOn, plan.violatesReferencesForAWhile {
      try connection.execute("BEGIN")
      try connection.execute("PRAGMA defer_foreign_keys = ON")
    } else {
      try connection.execute("PRAGMA foreign_keys = OFF")
    }
    // A local engine refuses a double-quoted name that matches nothing while it migrates; another may not.
    let allowed = try connection.allowsDoubleQuotedQueries
    if !(database is any LocalEngine) { try connection.setAllowsDoubleQuotedQueries(false) }
    var trial = EnvironmentCheck(database: database, clone: connection)
    let executor = StatementExecutor(connection: connection)
    for step in plan.steps where clone.missing[step.object.name] == nil {
      for statement in step.statements {
        if statement.role == .statistics, try !hasStatistics(statement, on: connection) { continue }
        do {
          _ = try executor.run(statement, of: step) {
            try trial.run($0.sql, of: step)
            return []
          }
        } catch let error as SQLiteError {
          return .failed(step, error)
        }
      }
    }
    if connection.isInTransaction { try connection.execute("COMMIT") }
    try connection.setAllowsDoubleQuotedQueries(allowed)
    let result = try SchemaReader.read(connection, known: source)
    var wanted = target
    for name in clone.missing.keys { wanted.virtualTables[name] = nil }
    let difference = SchemaDiff(from: result, to: wanted)
    guard difference.isEmpty else { return .differs(difference.names) }
    try connection.execute("PRAGMA foreign_keys = ON")
    let touched = plan.touchedObjects.union(plan.touchedObjects.compactMap { source.indexes[$0]?.table })
    let suspectsAfter = WriteProbes.suspects(in: result, touching: touched)
    let failuresAfter = WriteProbes(connection: connection).failures(in: result, objects: suspectsAfter)
      .mapValues { $0.explained(by: plan.profile) }
    var hazards = broken(before: failuresBefore, after: failuresAfter, on: connection)
    hazards += deadUpdateColumns(in: result)
    hazards += try otherMeanings(in: result, needed: dependencies, on: connection)
    hazards += trial.hazards
    return trial.refusals.isEmpty
      ? .holds(hazards, dependencies) : .lacks(trial.refusals, hazards, dependencies)
  }

  /// Views and triggers that compile, and mean something else by the names that columns get and lose.
  private func otherMeanings(
    in result: DatabaseSchema, needed: Dependencies, on clone: SQLiteConnection
  ) throws -> [Hazard] {
    let names = NameUsers(source: source, result: result, renames: renames, needed: needed)
    let found =
      try LostColumns(source: source, result: result, renames: renames, needed: needed).hazards(on: clone)
      + CapturedNames(names: names).hazards(on: clone)
    return found + (try LostNames(names: names).hazards(on: clone, besides: Set(found.map(\.table))))
  }

  /// The clone has the statistics tables that this build of SQLite makes, which may be fewer than the file has.
  private func hasStatistics(_ statement: PlannedStatement, on connection: SQLiteConnection) throws -> Bool {
    let table = statement.sql.contains("sqlite_stat4") ? "sqlite_stat4" : "sqlite_stat1"
    return try connection.integer("SELECT count(*) FROM sqlite_master WHERE name = '\(table)'") == 1
  }

  /// Whatever compiled before and does not compile after, and whatever is new and does not compile.
  private func broken(
    before: [WriteProbes.Probe: WriteProbes.Failure], after: [WriteProbes.Probe: WriteProbes.Failure],
    on clone: SQLiteConnection
  ) -> [Hazard] {
    let new = after.filter {
      before[WriteProbes.Probe(object: renames.formerTable($0.key.object), action: $0.key.action)] == nil
    }
    guard !new.isEmpty else { return [] }
    let faults = declaredFaults(among: Set(new.keys.map(\.object)), on: clone)
    let groups = Dictionary(grouping: new.sorted { $0.key.action < $1.key.action }) { probe, failure in
      BrokenObject(name: probe.object, failure: failure, isDeclaredFault: faults[probe] == failure)
    }
    return groups.sorted { ($0.key.name, $0.value[0].key.action) < ($1.key.name, $1.value[0].key.action) }.map {
      hazard(of: $0.key, actions: $0.value.map(\.key.action))
    }
  }

  private struct BrokenObject: Hashable {
    var name: SQLName
    var failure: WriteProbes.Failure
    var isDeclaredFault: Bool
  }

  private func hazard(of object: BrokenObject, actions: [String]) -> Hazard {
    let name = object.name
    if let lacked = object.failure.lacked {
      return Hazard(
        .unsupportedEngine, table: name,
        cause: HazardCause(UnsupportedEngineHazard.uncheckedWrite(actions: actions, lacked: "\(lacked)")), isNote: true)
    }
    if let isComputed = object.failure.clockIsReadForRows {
      var hazard = Hazard(
        .brokenObject, table: name,
        cause: HazardCause(
          BrokenObjectHazard.readsClock(problem: object.failure.message, isComputedForRows: isComputed)))
      hazard.isDeclaredFault = object.isDeclaredFault
      return hazard
    }
    let triggers = target.triggers.values.filter { $0.table == name && actions.contains($0.event) }.map(\.name)
    var hazard = Hazard(
      .brokenObject, table: name,
      cause: HazardCause(
        BrokenObjectHazard.failingWrite(actions: actions, problem: object.failure.message, triggers: triggers.sorted()))
    )
    hazard.isDeclaredFault = object.isDeclaredFault
    return hazard
  }

  /// The failures in a new database with nothing but the declared schema, and the functions that the clone has.
  private func declaredFaults(
    among objects: Set<SQLName>, on clone: SQLiteConnection
  ) -> [WriteProbes.Probe: WriteProbes.Failure] {
    guard let database = try? SQLiteConnection.memory() else { return [:] }
    try? database.installCollationStubs()
    try? database.installStubs(of: clone)
    try? database.setAllowsDoubleQuotedText(true)
    for statement in declared.creationStatements { try? database.runStubbing(statement) }
    try? database.execute("PRAGMA foreign_keys = ON")
    return WriteProbes(connection: database).failures(in: declared, objects: objects)
  }

  /// Triggers whose `UPDATE OF` names a column that goes: SQLite accepts that and never fires them again.
  private func deadUpdateColumns(in result: DatabaseSchema) -> [Hazard] {
    result.triggers.values.compactMap { trigger in
      guard let table = result.tables[trigger.table],
        let before = source.triggers[trigger.name], let tableBefore = source.tables[before.table],
        let dead = trigger.updateColumns.first(where: { table.column($0) == nil && tableBefore.column($0) != nil })
      else { return nil }
      return Hazard(
        .brokenObject, table: trigger.name,
        cause: HazardCause(BrokenObjectHazard.deadUpdateColumn(column: dead, table: table.name)))
    }
  }
}

extension SchemaDiff {
  /// The names of all objects that differ.
  package var names: [SQLName] {
    addedTables.map(\.name) + droppedTables.map(\.name) + changedTables.map(\.to.name)
      + virtualTables.compactMap { ($0.new ?? $0.old)?.name } + indexes.compactMap { ($0.new ?? $0.old)?.name }
      + views.compactMap { ($0.new ?? $0.old)?.name } + triggers.compactMap { ($0.new ?? $0.old)?.name }
  }
}

import OrderedCollections

/// Runs a plan on a clone of the file's catalog: it must read back as the target, and everything that compiled before
/// must compile after.
struct PlanProof {
  /// How a proof ended.
  enum Outcome {
    /// The plan leads to the target; the hazards say what it would break all the same, and the dependencies which view
    /// or trigger of the source needs which column.
    case holds([Hazard], Dependencies)
    /// The steps run and leave these objects other than declared.
    case differs([SQLName])
    /// A step fails.
    case failed(MigrationStep, SQLiteError)
  }

  private let database: any SQLConnection
  private let source: DatabaseSchema
  private let target: DatabaseSchema
  private let renames: SchemaRenames

  init(database: any SQLConnection, source: DatabaseSchema, target: DatabaseSchema, renames: SchemaRenames) throws {
    self.database = database
    self.source = source
    self.target = target
    self.renames = renames
  }

  /// Runs the plan.
  func run(_ plan: MigrationPlan) throws -> Outcome {
    let clone = try CatalogClone(of: database, schema: source)
    let connection = clone.connection
    let dependencies = try DependencyReader(connection: connection).read(source)
    try connection.execute("PRAGMA foreign_keys = ON")
    let suspectsBefore = WriteProbes.suspects(in: source, touching: plan.touchedObjects)
    let failuresBefore = WriteProbes(connection: connection).failures(in: source, objects: suspectsBefore)
    try connection.execute("PRAGMA foreign_keys = OFF")
    var trial = FaithfulTrial(database: database, clone: connection)
    for step in plan.steps where clone.missing[SQLName(step.object)] == nil {
      for statement in step.statements {
        do {
          try run(statement, of: step, on: connection, &trial)
        } catch let error as SQLiteError {
          return .failed(step, error)
        }
      }
    }
    let result = try SchemaReader.read(connection, known: source)
    var wanted = target
    for name in clone.missing.keys { wanted.virtualTables[name] = nil }
    let difference = SchemaDiff(from: result, to: wanted)
    guard difference.isEmpty else { return .differs(difference.names) }
    try connection.execute("PRAGMA foreign_keys = ON")
    let touched = plan.touchedObjects.union(plan.touchedObjects.compactMap { source.indexes[$0]?.table })
    let suspectsAfter = WriteProbes.suspects(in: result, touching: touched)
    let failuresAfter = WriteProbes(connection: connection).failures(in: result, objects: suspectsAfter)
    let lost = LostColumns(source: source, result: result, renames: renames, needed: dependencies)
    var hazards = broken(before: failuresBefore, after: failuresAfter, connection: connection)
    hazards += deadUpdateColumns(in: result)
    hazards += try lost.hazards(on: connection)
    hazards += trial.hazards
    return .holds(hazards, dependencies)
  }

  private func run(
    _ statement: PlannedStatement, of step: MigrationStep, on connection: SQLiteConnection, _ trial: inout FaithfulTrial
  ) throws {
    if statement.role == .catalog {
      return try CatalogEditor(connection: connection).run(statement.sql, on: SQLName(step.object))
    }
    if statement.role == .swap {
      return try CatalogEditor(connection: connection).swap(statement.sql, on: SQLName(step.object))
    }
    if statement.role == .statistics, try !hasStatistics(statement, on: connection) { return }
    if statement.leavesReferences { try connection.execute("PRAGMA legacy_alter_table = ON") }
    defer { if statement.leavesReferences { try? connection.execute("PRAGMA legacy_alter_table = OFF") } }
    try trial.run(statement.sql, of: step)
  }

  /// The clone has the statistics tables that this build of SQLite makes, which may be fewer than the file has.
  private func hasStatistics(_ statement: PlannedStatement, on connection: SQLiteConnection) throws -> Bool {
    let table = statement.sql.contains("sqlite_stat4") ? "sqlite_stat4" : "sqlite_stat1"
    return try connection.integer("SELECT count(*) FROM sqlite_master WHERE name = '\(table)'") == 1
  }

  /// Whatever compiled before and does not compile after, and whatever is new and does not compile.
  private func broken(
    before: [WriteProbes.Probe: String], after: [WriteProbes.Probe: String], connection: SQLiteConnection
  ) -> [Hazard] {
    after.sorted { ($0.key.object, $0.key.action) < ($1.key.object, $1.key.action) }.compactMap { probe, problem in
      let former = WriteProbes.Probe(object: renames.formerTable(probe.object), action: probe.action)
      if before[former] != nil { return nil }
      // A function that only this process lacks is no fault of the plan.
      if problem.hasPrefix("no such function: ") || problem.hasPrefix("no such module: ") { return nil }
      let isNew = source.tables[former.object] == nil && source.views[former.object] == nil
      return Hazard(
        .brokenObject, table: probe.object,
        message: "\(probe.action) on \(probe.object) would fail after the change: \(problem).",
        remedy: remedy(for: probe),
        // SQLite lets a new table refer to one that is still to come.
        isNote: isNew && target.lacksParent(of: probe.object))
    }
  }

  private func remedy(for probe: WriteProbes.Probe) -> String {
    let triggers = target.triggers.values.filter { $0.table == probe.object && $0.event == probe.action }.map(\.name)
    guard !triggers.isEmpty else {
      return "Change the view, trigger or foreign key behind it in the declared schema as well."
    }
    let names = triggers.sorted().map(\.quotedIfNeeded).joined(separator: ", ")
    let subject = triggers.count == 1 ? "Trigger" + " \(names) fires" : "Triggers \(names) fire"
    return
      "\(subject) then; change what no longer fits, "
      + "or a foreign key behind it, in the declared schema as well."
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
        message:
          "Trigger \(trigger.name) fires on UPDATE OF \(dead), a column that \(table.name) would no longer have.",
        remedy: "Change or drop the trigger in the declared schema as well.")
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

extension DatabaseSchema {
  /// Whether a table refers to one that the schema does not have.
  fileprivate func lacksParent(of table: SQLName) -> Bool {
    tables[table]?.foreignKeys.contains { tables[$0.parent] == nil } ?? false
  }
}

/// Runs a plan's statements on a clone of a catalog as they would run on the file's own connection: with the collations
/// and functions that it has, and no others.
///
/// SQLite re-reads the whole schema when it renames something or drops a column, and refuses when an index of any table
/// has a collation that is not registered: https://sqlite.org/lang_altertable.html
struct EnvironmentCheck {
  /// The reason a step would fail on the file's own connection.
  struct Refusal {
    let step: MigrationStep
    let lacked: StubRegistry.Stub
    /// SQLite's error.
    let problem: String
  }

  private let database: any SQLConnection
  private let clone: SQLiteConnection
  /// The stubs of the clone that the file's connection lacks.
  private var lacking: Set<StubRegistry.Stub>
  /// The first refusal of each step.
  private(set) var refusals: [Refusal] = []

  init(database: any SQLConnection, clone: SQLiteConnection) {
    self.database = database
    self.clone = clone
    lacking = clone.stubs.all.filter { !database.has($0) }
  }

  /// Runs a statement.
  ///
  /// - Throws: Errors unrelated to what the file's program lacks.
  mutating func run(_ sql: String, of step: MigrationStep) throws {
    // A file that was itself created from a schema's text, with stubs, accepts whatever the clone accepts.
    if (database as? any LocalEngine)?.stubsCollations == true { return try clone.runStubbing(sql) }
    while true {
      do {
        return try clone.without(lacking) { try clone.run(sql) }
      } catch let error as SQLiteError where error.isMissingQueryPlan {
        // A table WITHOUT ROWID whose key has the collation: reading it needs no comparison.
        return try clone.watchingCollations { watch in _ = try watch.asking { try clone.run(sql) } }
      } catch let error as SQLiteError {
        guard let lacked = error.lackedStub, !clone.stubs.all.contains(lacked) || lacking.contains(lacked) else {
          throw error
        }
        if database.has(lacked) {
          try clone.install(lacked)
          continue
        }
        lacking.insert(lacked)
        if refusals.last?.step.object != step.object {
          refusals.append(Refusal(step: step, lacked: lacked, problem: error.message))
        }
        let before = clone.stubs.all
        try clone.runStubbing(sql)
        lacking.formUnion(clone.stubs.all.subtracting(before).filter { !database.has($0) })
        return
      }
    }
  }

  /// The hazards for the steps that would fail.
  var hazards: [Hazard] {
    refusals.map { refusal in
      let step = refusal.step.object
      return Hazard(
        .unsupportedEngine, table: step.name,
        cause: HazardCause(
          UnsupportedEngineHazard.failingStep(
            kind: step.kind, object: step.name, lackedKind: refusal.lacked.kind.rawValue, lacked: refusal.lacked.name,
            problem: refusal.problem)))
    }
  }
}

extension SQLConnection {
  /// True if statements of this connection can use something. A program may add it at the moment it is used.
  func has(_ stub: StubRegistry.Stub) -> Bool {
    let name = SQLQuoting.identifier(stub.name)
    do {
      try prepareOnly(stub.kind == .collation ? "SELECT '' < '' COLLATE \(name)" : "SELECT \(name)()")
      return true
    } catch {
      // Any other error, such as a wrong number of arguments, is about something that exists.
      return (error as? SQLiteError)?.lackedStub == nil
    }
  }
}

import OrderedCollections
import SchemaKitFoundation

/// Runs a proved plan inside an open transaction and verifies the result before it is committed.
struct Applier {
  let connection: any SQLConnection
  let plan: MigrationPlan
  /// The state before the plan ran, including the orphans that existed then.
  let baseline: ForeignKeyGuard.Baseline
  var onProgress: (ApplyProgress) -> Void = { _ in }
  /// Called after each statement that ran, with its number.
  var onStatement: (Int) -> Void = { _ in }
  var isCancelled: () -> Bool = { false }
  /// Runs the data step with the given name.
  var runDataStep: (String) throws -> Void = { throw ApplyError(reason: .unknownDataStep($0)) }
  /// True if the tables that are copied online have their copies already.
  var hasOnlineCopies = false
  /// Reads the file's schema; nil where nothing is remembered of others.
  var readSchema: (() throws -> DatabaseSchema)?

  /// Runs every step, then checks the foreign keys. Returns how long verifying the copied rows took, in milliseconds.
  func run() throws -> Int? {
    // Foreign keys that stay on are checked before the commit, by what follows the steps and by SQLite itself.
    let isDeferring = try plan.violatesReferencesForAWhile && connection.pragmaInteger("foreign_keys") == 1
    // They would change or delete the rows that refer to a table which is dropped.
    if isDeferring, plan.steps.contains(where: \.dropsReferencedTable) {
      throw SQLiteConnectionError.environmentNotSettable("foreign_keys")
    }
    if isDeferring { try connection.execute("PRAGMA defer_foreign_keys = ON") }
    defer { if isDeferring { try? connection.execute("PRAGMA defer_foreign_keys = OFF") } }
    var verifying: Duration?
    let meter = WorkMeter(connection: connection, plan: plan, onProgress: onProgress)
    var temporary = TemporaryObjects(on: connection)
    var number = 0
    for (index, step) in plan.steps.enumerated() {
      onProgress(ApplyProgress(activity: .step, stepIndex: index, stepCount: plan.steps.count, step: step))
      try temporary.setAside(before: step)
      if step.strategy.isProgramWork {
        if isCancelled() { throw ApplyError(reason: .cancelled) }
        try meter.measure(.dataStep, at: index) { try run(dataStep: step) }
        number += 1
        onStatement(number)
      }
      for statement in step.statements {
        if hasOnlineCopies, step.strategy.isOnline, ![.swap, .statistics].contains(statement.role) { continue }
        if isCancelled() { throw ApplyError(reason: .cancelled) }
        let start = WorkClock.now
        try meter.measure(statement, at: index) { try run(statement, of: step) }
        if statement.role == .verification { verifying = (verifying ?? .zero) + (WorkClock.now - start) }
        number += 1
        onStatement(number)
      }
    }
    try temporary.restore()
    let result = try readSchema?() ?? SchemaReader.read(connection)
    try meter.measure(.references, at: plan.steps.count - 1) {
      let children = ForeignKeyGuard.children(in: result, touching: plan.tablesToCheck(in: result))
      // Orphans that existed before the migration are tolerated.
      try ForeignKeyGuard(connection: connection).refuseNewOrphans(in: children, of: result, since: baseline, by: plan)
    }
    return verifying.map { Int($0 / .milliseconds(1)) }
  }

  /// The program's work runs in a savepoint, so that a transaction it begins is nested in ours.
  private func run(dataStep step: MigrationStep) throws {
    do {
      try connection.savepoint { try runDataStep(step.object.name.text) }
    } catch let error as SQLiteError where error.isInterrupted {
      throw ApplyError(reason: .cancelled)
    } catch let error as ApplyError {
      throw error
    } catch {
      throw ApplyError(reason: .dataStep(step.object.name.text, problem: "\(error)"))
    }
    guard connection.isInTransaction else {
      throw ApplyError(reason: .dataStep(step.object.name.text, problem: "it ended the transaction of the migration"))
    }
  }

  private func run(_ statement: PlannedStatement, of step: MigrationStep) throws {
    do {
      let faults = try StatementExecutor(connection: connection).run(statement, of: step) { statement in
        // What is kept is read without comparing anything, whatever collation orders the key of its table.
        if statement.role == .verification || step.object.kind == .values {
          return try connection.watchingCollations { try $0.asking { try connection.rows(statement.sql) } }
        }
        try connection.run(statement.sql)
        return []
      }
      guard faults.isEmpty else {
        let keys = faults.map { row in
          row.map { $0.text ?? $0.integer.map { "\($0)" } ?? "\($0)" }.joined(separator: "/")
        }
        throw ApplyError(reason: .verification(step: step, sql: statement.sql, keys: keys))
      }
    } catch let error as LackedCollation {
      let cause = SQLiteError.misuse("\(error)", sql: statement.sql)
      throw ApplyError(reason: .statement(step: step, sql: statement.sql, cause: cause))
    } catch let error as SQLiteError {
      if error.isInterrupted { throw ApplyError(reason: .cancelled) }
      throw ApplyError(reason: .statement(step: step, sql: statement.sql, cause: error))
    }
  }
}

extension MigrationPlan {
  /// The tables whose foreign keys may be violated after the plan.
  func tablesToCheck(in schema: DatabaseSchema) -> Set<SQLName> {
    hasDataSteps ? tablesWithReferencesAtRisk.union(schema.tables.keys) : tablesWithReferencesAtRisk
  }
}

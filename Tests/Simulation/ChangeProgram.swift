import RandomSchemas
import SchemaKit
import SchemaKitFoundation
import SchemaKitOperations
import SchemaKitReports

/// A program that changes the file with SchemaKit, in the way that the scene says.
struct ChangeProgram: Sendable {
  enum Ending: Sendable {
    /// The file has the new schema, or the old one again where the change was undone.
    case done
    case refused(String)
    /// Others had the file locked for too long.
    case busy
    /// Another program copies a table online, or changed the schema meanwhile.
    case overtaken(String)
    case failed(String)
  }

  let scene: Scene
  let target: TargetSchema
  let policy: PlanPolicy
  /// The recorded migrations; none where the scene has none, and for a change that cannot be recorded.
  let migrations: [Migration]

  init(_ scene: Scene) throws {
    self.scene = scene
    var target = try SchemaSource.sql(SchemaPair.script(scene.newDDL), source: "new.sql").load().target
    for hint in scene.hints { try target.hints.add(rename: hint) }
    self.target = target
    // What is undone must come back whole, so that nothing may be dropped that cannot be kept.
    let isUndone = scene.entry == .undo || scene.entry == .undone
    var policy = isUndone ? .lossless : PlanPolicy(allowing: [PlanPolicy.Allowance(.hazardClass(.destructive))])
    policy.strategy = StrategyChoice(rawValue: scene.entry == .online ? "online" : scene.strategy) ?? .auto
    policy.keepsDropped = isUndone
    self.policy = policy
    migrations = scene.entry == .recorded ? (try? Self.migrations(from: scene.oldDDL, to: target, policy)) ?? [] : []
  }

  private static func migrations(
    from old: [String], to target: TargetSchema, _ policy: PlanPolicy
  ) throws -> [Migration] {
    let first = try Migration(name: "0001-old", path: "0001-old.sql", sql: SchemaPair.script(old))
    let replay = try MigrationReplay([first])
    var request = ChangeRequest(allowing: policy)
    request.plan.policy.strategy = .alter
    request.plan.isForRecording = true
    let plan = try Change(over: replay.database, to: target, request).plan()
    let text = MigrationWriter(plan, from: replay.schema, to: target).text(name: "0002-new")
    return [first, try Migration(name: "0002-new", path: "0002-new.sql", sql: text)]
  }

  /// Changes the file.
  func run(interrupting: (InterruptHandle) -> Void = { _ in }) -> Ending { ending(interrupting, change) }

  /// Undoes the last change, with consent to lose what was written since.
  func undo(interrupting: (InterruptHandle) -> Void = { _ in }) -> Ending {
    ending(interrupting) { try MigrationUndo(over: $0).apply(allowing: .everything) }
  }

  /// The losses that undoing the last change does not restore.
  func lossesOfUndo() throws -> [Loss] {
    let connection = try SQLiteConnection(path: Scene.path, mode: .readWrite, busyTimeout: 10)
    do {
      return try MigrationUndo(over: connection).context.losses
    } catch is HistoryError {
      // The change had nothing to do.
      return []
    }
  }

  private func ending(
    _ interrupting: (InterruptHandle) -> Void, _ body: (SQLiteConnection) throws -> Void
  ) -> Ending {
    do {
      let connection = try SQLiteConnection(path: Scene.path, mode: .readWrite, busyTimeout: 10)
      interrupting(connection.interruptHandle)
      for pragma in scene.settings.split(separator: ";") { try connection.execute(String(pragma)) }
      try body(connection)
      return .done
    } catch let error as PlanError {
      guard case .refused(_, let hazards) = error.reason else { return .refused("\(error)") }
      return .refused(hazards.map { "\($0.code.rawValue) \($0.message)" }.joined(separator: "\n"))
    } catch let error as MigrationError {
      if case .overtaken = error.reason { return .overtaken("\(error)") }
      return .refused("\(error)")
    } catch let error as HistoryError {
      return .refused("\(error)")
    } catch let error as ApplyError {
      switch error.reason {
      case .onlineCopyRunning, .onlineCopyDisturbed: return .overtaken("\(error)")
      default: return .failed("\(error)")
      }
    } catch let error as SQLiteError where error.isBusy {
      return .busy
    } catch {
      return .failed("\(error)")
    }
  }

  private func change(_ connection: SQLiteConnection) throws {
    var request = ChangeRequest(allowing: policy)
    switch scene.entry {
    case .apply, .online, .undone, .undo:
      _ = try Change(over: connection, to: target, request).apply()
    case .expandAndContract:
      request.phase = .expand
      _ = try Change(over: connection, to: target, request).apply()
      request.phase = .contract(quietFor: nil)
      _ = try Change(over: connection, to: target, request).apply()
    case .examined:
      request.examination = try Change(over: connection, to: target, request).examine()
      _ = try Change(over: connection, to: target, request).apply()
    case .saved:
      let source = try SchemaReader.read(connection)
      let plan = try Change(over: connection, to: target, request).plan()
      let document = SavedPlan(
        plan, from: source, to: target, consent: policy, createdAt: "2026-12-01T00:00:00Z"
      ).json()
      let saved = try SavedPlan(json: Data(document.utf8))
      request.observer.onPlan = { try saved.check($0, on: connection) }
      _ = try Change(over: connection, to: saved.targetSchema(source: "plan.json"), request).apply()
    case .recorded:
      if migrations.isEmpty {
        _ = try Change(over: connection, to: target, request).apply()
      } else {
        try applyMigrations(on: connection, request)
      }
    case .inside:
      try connection.transaction(.immediate) {
        _ = try Change(over: connection, to: target, request).apply()
      }
    case .dryRun:
      request.isDryRun = true
      _ = try Change(over: connection, to: target, request).apply()
    }
  }

  private func applyMigrations(on connection: SQLiteConnection, _ request: ChangeRequest) throws {
    var folder = MigrationFolder(path: "migrations")
    folder.steps = migrations
    folder.checksums = MigrationChecksums(of: migrations)
    let runner = try MigrationRunner(folder)
    if try runner.status(of: connection).applied.isEmpty {
      try runner.baseline(through: 0, on: connection, program: "simulate")
    }
    let status = try runner.status(of: connection)
    try runner.check(status, of: connection)
    for step in folder.steps where status.missing.contains(step.name) {
      _ = try runner.apply(step, on: connection, request)
    }
  }

  /// The number of steps that the file still needs.
  func stepsLeft() throws -> Int {
    let connection = try SQLiteConnection(path: Scene.path, mode: .readWrite, busyTimeout: 10)
    return try Change(over: connection, to: target, ChangeRequest(allowing: policy)).plan().steps.count
  }
}

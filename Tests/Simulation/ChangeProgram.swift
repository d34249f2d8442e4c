import RandomSchemas
import SchemaKit
import SchemaKitOperations

/// A program that changes the file with SchemaKit, in the way that the scene says.
struct ChangeProgram: Sendable {
  enum Ending: Sendable {
    /// The file has the new schema, or the old one again where the change was undone.
    case done
    case refused(String)
    /// Others had the file locked for too long.
    case busy
    case failed(String)
  }

  let scene: Scene
  let target: TargetSchema
  let policy: PlanPolicy

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
  }

  /// Changes the file.
  func run(interrupting: (InterruptHandle) -> Void = { _ in }) -> Ending { ending(interrupting, change) }

  /// Undoes the last change, with consent to lose what was written since.
  func undo(interrupting: (InterruptHandle) -> Void = { _ in }) -> Ending {
    ending(interrupting) { try MigrationUndo(over: $0).apply(allowing: .everything) }
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
    } catch let error as HistoryError {
      return .refused("\(error)")
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
    case .inside:
      try connection.transaction(.immediate) {
        _ = try Change(over: connection, to: target, request).apply()
      }
    case .dryRun:
      request.isDryRun = true
      _ = try Change(over: connection, to: target, request).apply()
    }
  }

  /// The number of steps that the file still needs.
  func stepsLeft() throws -> Int {
    let connection = try SQLiteConnection(path: Scene.path, mode: .readWrite, busyTimeout: 10)
    return try Change(over: connection, to: target, ChangeRequest(allowing: policy)).plan().steps.count
  }
}

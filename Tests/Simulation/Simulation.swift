import CSQLite
import RandomSchemas
import SchemaKit
import SchemaKitFoundation

/// One run of a scene, from the making of the file to the judgement.
package struct Simulation {
  /// The findings of a run.
  package struct Result: Sendable {
    package var steps = 0
    package var faults = 0
    package var violations: [String] = []
    package var trace: UInt64 = 0
    /// The way in which the undisturbed change ended.
    package var ending = ""
  }

  let scene: Scene

  /// Prepares the run of a seed.
  ///
  /// - Parameter isLying: True for a disk that forgets what it was told to keep, which must be noticed.
  /// - Throws: The error of SQLite for a seed that gives no schemas.
  package init(seed: Int, onLyingDisk isLying: Bool = false) throws {
    // Schemas are tried out, and some read the clock.
    scene = try World(seed: seed, restlessness: 0, plan: []).providingTime { try Scene(seed: seed, isLying: isLying) }
  }

  init(scene: Scene) { self.scene = scene }

  package var description: String { "\(scene)" }

  /// The schemas, rows and hints.
  package var script: String {
    """
    \(scene.pair)
    --- beside them
    \(SchemaPair.script(scene.witness.oldDDL))--- new
    \(SchemaPair.script(scene.witness.newDDL))--- renames: \(scene.witness.hints)
    """
  }

  package func run() -> Result {
    let world = World(seed: scene.seed, restlessness: scene.restlessness, plan: scene.faults, isLying: scene.isLying)
    return world.providingTime { run(in: world) }
  }

  private func run(in world: World) -> Result {
    var result = Result()
    do {
      try run(in: world, &result)
    } catch {
      result.violations.append("the judge failed: \(error)")
    }
    world.observe(result.violations.joined(separator: "\n"))
    result.steps = world.steps
    result.faults = world.faults
    result.trace = world.trace.value
    return result
  }

  private func run(in world: World, _ result: inout Result) throws {
    let program = try ChangeProgram(scene)
    let before = try makeFile()
    defer { before.close() }
    let files = ["database.db": world.files.bytes(of: "database.db") ?? []]
    // Without any disturbance, the change is carried out or refused.
    let calm = program.run()
    result.ending = calm.name
    switch calm {
    case .failed(let problem), .overtaken(let problem):
      result.violations.append("undisturbed, the change fails: \(problem)")
    case .busy: result.violations.append("undisturbed, the change waits for a lock")
    case .done, .refused: break
    }
    var judge = Judge(scene: scene, world: world, before: before)
    if scene.entry == .undo, case .done = calm {
      try runUndo(program, &judge, in: world, &result)
    } else {
      world.files.replace(with: files)
      try run(program, calm, &judge, in: world, &result)
    }
  }

  /// The change is disturbed; tried again in peace, it arrives.
  private func run(
    _ program: ChangeProgram, _ calm: ChangeProgram.Ending, _ judge: inout Judge, in world: World,
    _ result: inout Result
  ) throws {
    let arrived: Judge.State = scene.entry == .dryRun ? .old : .new
    for _ in 0..<scene.rounds {
      let isDone = disturb({ program.run(interrupting: $0) }, &judge, in: world, &result)
      let state = try look(judge, &result)
      if isDone, !state.agrees(with: arrived) { result.violations.append("done, but the file is \(state.rawValue)") }
      if case .refused = calm, !state.agrees(with: .old) {
        result.violations.append("refused, but the file is \(state.rawValue)")
      }
    }
    guard case .done = calm else { return }
    let again = program.run()
    // Which tables are copied online depends on their rows, and others have written some meanwhile.
    if scene.entry == .online, !judge.writers.isEmpty, case .refused = again { return }
    guard case .done = again else {
      result.violations.append("tried again, the change \(again)")
      return
    }
    let state = try look(judge, &result)
    if !state.agrees(with: arrived) { result.violations.append("tried again, the file is \(state.rawValue)") }
    let left = try program.stepsLeft()
    if state != .both, (left == 0) != (arrived == .new) {
      result.violations.append("tried again, \(left) steps are left")
    }
    guard scene.entry == .undone, state != .both else { return }
    var undoing = judge
    undoing.losses = try program.lossesOfUndo()
    try checkUndone(program.undo(), undoing, &result)
  }

  /// The change has been made. Undoing it is disturbed; tried again in peace, the undo arrives.
  private func runUndo(
    _ program: ChangeProgram, _ judge: inout Judge, in world: World, _ result: inout Result
  ) throws {
    var isDone = false
    judge.losses = try program.lossesOfUndo()
    for _ in 0..<scene.rounds {
      isDone = disturb({ program.undo(interrupting: $0) }, &judge, in: world, &result) || isDone
      let state = try look(judge, &result)
      if isDone, !state.agrees(with: .old) { result.violations.append("undone, but the file is \(state.rawValue)") }
      if state.agrees(with: .old) { isDone = true }
    }
    if !isDone { try checkUndone(program.undo(), judge, &result) }
  }

  private func checkUndone(_ ending: ChangeProgram.Ending, _ judge: Judge, _ result: inout Result) throws {
    switch ending {
    case .done:
      let file = try RawSQLite(Scene.path)
      defer { file.close() }
      result.violations += try SchemaOracle.integrityProblems(of: file).map { "after the undo: \($0)" }
      result.violations += try judge.differencesFromOld(file, isUndone: true).map { "after the undo: \($0)" }
    case .refused(let reason): result.violations.append("the undo is refused: \(reason)")
    case .busy, .overtaken, .failed: result.violations.append("the undo fails: \(ending)")
    }
  }

  /// Looks at the file as it is now.
  private func look(_ judge: Judge, _ result: inout Result) throws -> Judge.State {
    let file = try RawSQLite(Scene.path)
    defer { file.close() }
    let state = try judge.state(of: file, problems: &result.violations)
    result.violations += try judge.witnessProblems(file, state)
    if state == .new { result.violations += try judge.leftovers(file) }
    return state
  }

  /// Makes the file.
  ///
  /// - Returns: A copy of it.
  private func makeFile() throws -> RawSQLite {
    let file = try RawSQLite(Scene.path)
    defer { file.close() }
    try file.exec("PRAGMA page_size = \(scene.pageSize); PRAGMA auto_vacuum = \(scene.autoVacuum)")
    try file.exec("PRAGMA journal_mode = \(scene.journal)")
    try scene.pair.fill(file)
    for statement in scene.witness.oldDDL + scene.witness.rows(scene.witnessRows) { try file.exec(statement) }
    return try file.copiedToMemory()
  }

  // MARK: - Programs

  /// Runs all programs of the scene against each other, with the faults, and starts the machine again where it stopped.
  ///
  /// - Parameter work: Changes the file.
  /// - Returns: True if a program said that it has changed the file.
  private func disturb(
    _ work: @escaping @Sendable ((InterruptHandle) -> Void) -> ChangeProgram.Ending, _ judge: inout Judge,
    in world: World, _ result: inout Result
  ) -> Bool {
    let round = judge.writers.count
    let endings = Endings()
    var bodies: [(name: String, body: @Sendable () -> Void)] = []
    for number in 0..<scene.appliers {
      bodies.append(
        (
          "applier-\(number)",
          {
            let ending = work { handle in world.interrupt = { handle.interrupt() } }
            world.interrupt = nil
            world.observe("\(ending)")
            endings.add(ending)
          }
        ))
    }
    for number in 0..<scene.oldWriters + scene.newWriters {
      let isOld = number < scene.oldWriters
      let writer = WriterProgram(
        "w\(round + number)", table: isOld ? "witness" : scene.witness.newName,
        amount: isOld ? "amount" : scene.witness.newAmount, world: world, seed: scene.seed &* 31 &+ round &+ number,
        settings: scene.settings, transactions: 12)
      judge.writers.append(writer)
      bodies.append((writer.name, { writer.run() }))
    }
    for number in 0..<scene.readers {
      bodies.append(("r\(number)", { Bystander(world: world, settings: scene.settings).read(scene.seed &+ number) }))
    }
    for number in 0..<scene.checkpointers {
      bodies.append(
        ("c\(number)", { Bystander(world: world, settings: scene.settings).checkpoint(scene.seed &+ number) }))
    }
    world.disturbed { world.schedule.run(bodies) }
    if world.isEndless { result.violations.append("it does not end within \(world.steps) operations") }
    world.restart()
    // Without faults, only a lock may keep the change from being carried out.
    for ending in endings.all where scene.faults.isEmpty {
      switch ending {
      case .overtaken(let problem) where scene.appliers == 1, .failed(let problem):
        result.violations.append("without any fault, the change fails: \(problem)")
      default: break
      }
    }
    return endings.all.contains { if case .done = $0 { true } else { false } }
  }
}

/// The endings of the programs that change the file.
private final class Endings: @unchecked Sendable {
  // Only the thread whose turn it is adds to it.
  private(set) var all: [ChangeProgram.Ending] = []
  func add(_ ending: ChangeProgram.Ending) { all.append(ending) }
}

extension ChangeProgram.Ending {
  fileprivate var name: String {
    switch self {
    case .done: "done"
    case .refused: "refused"
    case .busy: "busy"
    case .overtaken: "overtaken"
    case .failed: "failed"
    }
  }
}

import SchemaKitFoundation

/// Reports the progress of long work while SQLite does it.
///
/// *Cost:* an EXPLAIN of each statement that works on many rows, and a look at the clock every 4,000 operations. A
/// borrowed handle is left alone, and nothing is reported there, nor of what another engine than a local one does.
struct WorkMeter {
  let connection: any SQLConnection
  let plan: MigrationPlan
  let onProgress: (ApplyProgress) -> Void

  /// The minimum interval between reports.
  private static let interval = Duration.milliseconds(100)
  /// The number of rows below which nothing is reported.
  private static let manyRows = 10_000

  /// Runs a statement of a step.
  func measure<T>(_ statement: PlannedStatement, at index: Int, _ body: () throws -> T) throws -> T {
    let step = plan.steps[index]
    guard let activity = Self.activity(of: statement, in: step) else { return try body() }
    guard let rows = rows(of: step), rows >= Self.manyRows, connection is any LocalEngine else {
      return try measure(activity, at: index, body)
    }
    let perRow = try StatementProgram(explaining: statement.sql, on: connection).operationsPerRow
    return try measure(activity, at: index, rows: perRow > 0 ? rows : nil, operations: rows * perRow, body)
  }

  /// Runs work that can only be reported as being in progress.
  func measure<T>(_ activity: ApplyProgress.Activity, at index: Int, _ body: () throws -> T) rethrows -> T {
    try measure(activity, at: index, rows: nil, operations: 0, body)
  }

  private func measure<T>(
    _ activity: ApplyProgress.Activity, at index: Int, rows: Int?, operations: Int, _ body: () throws -> T
  ) rethrows -> T {
    guard plan.steps.indices.contains(index), let local = connection as? any LocalEngine else { return try body() }
    let start = WorkClock.now
    var last = start
    var done = 0
    let tell = { (more: Int) in
      done += more
      let now = WorkClock.now
      guard now - last >= Self.interval else { return }
      last = now
      let rowsDone = rows.map { min($0 - 1, Int(Double($0) * Double(done) / Double(operations))) }
      onProgress(
        ApplyProgress(
          activity: activity, stepIndex: index, stepCount: plan.steps.count, step: plan.steps[index], rows: rows,
          rowsDone: rowsDone, elapsed: now - start))
    }
    return try local.metering(tell, body)
  }

  /// The activity of a statement that can take long; nil for one that touches no rows.
  private static func activity(of statement: PlannedStatement, in step: MigrationStep) -> ApplyProgress.Activity? {
    switch statement.role {
    case .copy: .copying
    case .update: .rewriting
    case .verification: .comparing
    case .definition:
      if ["CREATE INDEX", "CREATE UNIQUE INDEX", "REINDEX"].contains(where: { statement.sql.hasPrefix($0) }) {
        .indexing
      } else {
        step.strategy.isPlainAlter ? .rewriting : nil
      }
    case .catalog, .swap, .adopt, .bookkeeping, .statistics: nil
    }
  }

  /// The number of rows in a step's table, if the plan has counted them.
  private func rows(of step: MigrationStep) -> Int? {
    step.rows
      ?? step.onBehalfOf.flatMap { table in plan.steps.first { $0.object.name == table && $0.rows != nil }?.rows }
  }
}

/// The virtual machine program of a statement. See [EXPLAIN](https://sqlite.org/lang_explain.html).
struct StatementProgram {
  /// An instruction, with its jump target.
  struct Instruction {
    var opcode: String
    var jump: Int
  }
  let instructions: [Instruction]

  init(_ instructions: [Instruction]) { self.instructions = instructions }

  init(explaining sql: String, on connection: any SQLConnection) throws {
    instructions = try connection.rows("EXPLAIN \(sql)").map { row in
      Instruction(opcode: row[1].text ?? "", jump: Int(row[3].integer ?? 0))
    }
  }

  /// About how many operations a row takes, assuming that every loop of the program is run once per row; 0 for a
  /// program without a loop.
  ///
  /// The code behind the jump of the first instruction prepares the program, and its jump back is not a loop. `Halt` ends
  /// a program that has found an error.
  var operationsPerRow: Int {
    guard let first = instructions.first, first.opcode == "Init" else { return 0 }
    let body = instructions[..<min(max(first.jump, 1), instructions.count)]
    var isLooped = Array(repeating: false, count: body.count)
    for (address, instruction) in body.enumerated()
    where Self.loopEnds.contains(instruction.opcode) && instruction.jump < address && instruction.jump >= 0 {
      for inside in instruction.jump...address { isLooped[inside] = true }
    }
    return zip(body, isLooped).count { $1 && !$0.opcode.hasPrefix("Halt") }
  }

  private static let loopEnds: Set<String> = ["Next", "Prev", "SorterNext", "VNext", "Goto"]
}

extension ContinuousClock.Instant {
  package var milliseconds: Int {
    let (seconds, attoseconds) = (WorkClock.now - self).components
    return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
  }
}

import Foundation

@testable import SQLiteSchema
@testable import SchemaKit

/// Changes mistreated files by the library and has them judged; a failure is made as small as it can be.
struct MistreatedRun {
  let cases: Int
  let baseSeed: Int

  private(set) var applied = 0
  private(set) var refused = 0
  private(set) var undone = 0
  private(set) var failureCount = 0
  /// Refusals that the rows do not explain, with how many there were of each code.
  private(set) var unconfirmed: [String: Int] = [:]
  /// Seeds of such refusals, by their code.
  private(set) var unconfirmedSeeds: [String: [Int]] = [:]
  private(set) var unavailable = 0
  /// How many steps were carried out by each strategy.
  private(set) var strategies: [String: Int] = [:]
  private(set) var failures: [String] = []
  private(set) var failedSeeds: [(seed: Int, problem: String)] = []

  init(cases: Int, baseSeed: Int) {
    self.cases = cases
    self.baseSeed = baseSeed
  }

  var summary: String {
    "mistreated files: base seed \(baseSeed), \(cases) cases, \(applied) applied, \(undone) of them undone, "
      + "\(refused) refused and confirmed, \(unconfirmed.values.reduce(0, +)) refused and not confirmed, "
      + "\(unavailable) not available, \(failureCount) failed; steps: "
      + strategies.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
  }

  mutating func run(isMistreated: (Int) -> Bool = { !$0.isMultiple(of: 8) }) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "schemakit-mistreated-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for seed in baseSeed..<(baseSeed + cases) {
      let file = try MistreatedFile.make(seed: seed, isMistreated: isMistreated(seed))
      let result = MistreatedTrial(file, in: folder).result()
      count(result, of: file)
      if result.problems.isEmpty { continue }
      failureCount += 1
      failedSeeds.append((seed, result.problems.first ?? ""))
      guard failures.count < 5 else { continue }
      if ProcessInfo.processInfo.environment["SCHEMAKIT_MISTREATED_SHOW"] != nil {
        print("whole: \(result.problems)\n\(file)")
      }
      let small = file.shrunk { smaller in
        let problems = MistreatedTrial(smaller, in: folder).result().problems
        return problems.contains { $0.kind == result.problems[0].kind }
      }
      let problems = MistreatedTrial(small, in: folder).result().problems
      failures.append((problems + ["\(small)"]).joined(separator: "\n"))
    }
  }

  private mutating func count(_ result: MistreatedTrial.Result, of file: MistreatedFile) {
    for strategy in result.strategies { strategies[strategy, default: 0] += 1 }
    switch result.outcome {
    case .applied: applied += 1
    case .undone:
      applied += 1
      undone += 1
    case .refused: refused += 1
    case .unconfirmed(let reason):
      unconfirmed[reason, default: 0] += 1
      unconfirmedSeeds[reason, default: []].append(file.seed)
    case .unavailable: unavailable += 1
    case .failed: break
    }
  }
}

extension String {
  /// The word before the first colon of a problem.
  fileprivate var kind: Substring { prefix { $0 != ":" } }
}

/// One file, changed and judged.
struct MistreatedTrial {
  enum Outcome {
    case applied, undone, refused, unavailable, failed
    case unconfirmed(String)
  }

  struct Result {
    var outcome: Outcome
    var problems: [String] = []
    /// The strategies of the steps that were carried out.
    var strategies: [String] = []
  }

  let file: MistreatedFile
  private let path: String
  private var before: String { path + ".before" }

  init(_ file: MistreatedFile, in folder: URL) {
    self.file = file
    path = folder.appendingPathComponent("t.db").path
  }

  func result() -> Result {
    defer { remove() }
    remove()
    do {
      try file.build(path)
    } catch {
      // Smaller than SQLite takes.
      return Result(outcome: .unavailable)
    }
    do {
      try FileManager.default.copyItem(atPath: path, toPath: before)
      return try changed()
    } catch {
      return Result(outcome: .failed, problems: ["threw: \(error)"])
    }
  }

  private func remove() {
    for suffix in ["", "-wal", "-shm", "-journal"] {
      for file in [path, before] { try? FileManager.default.removeItem(atPath: file + suffix) }
    }
  }

  private func changed() throws -> Result {
    let original = try Data(contentsOf: URL(fileURLWithPath: path))
    let oracle = try MistreatedOracle(file, before: before)
    let attempt =
      switch file.way {
      case .transaction: try applyInside()
      case .script: try applyScript()
      default: try apply()
      }
    if !attempt.problems.isEmpty { return Result(outcome: .failed, problems: attempt.problems) }
    guard attempt.refusals.isEmpty else {
      let isChanged = try file.way != .online && Data(contentsOf: URL(fileURLWithPath: path)) != original
      let problems = isChanged ? ["refused: but the file changed"] : []
      return Result(outcome: try outcome(of: attempt.refusals, oracle), problems: problems)
    }
    var problems = try oracle.problems(of: path)
    if try !change(on: SQLiteConnection(path: path, mode: .readWrite)).plan().isEmpty {
      problems.append("again: a second plan is not empty")
    }
    guard file.isUndone, problems.isEmpty, !attempt.isEmpty else {
      return Result(outcome: .applied, problems: problems, strategies: attempt.strategies)
    }
    var result = try undone(oracle)
    result.strategies = attempt.strategies
    return result
  }

  private func outcome(of refusals: [Hazard], _ oracle: MistreatedOracle) throws -> Outcome {
    if refusals.allSatisfy({ [.notOnline, .openTransaction].contains($0.code) }) { return .unavailable }
    // A copy without an edit of the catalog cannot carry what is not as declared.
    if [.transaction, .script, .alter].contains(file.way), !file.mistreatments.isEmpty { return .refused }
    if try !oracle.demands().isEmpty { return .refused }
    if ProcessInfo.processInfo.environment["SCHEMAKIT_MISTREATED_SHOW"] != nil {
      print("not confirmed: \(refusals.map(\.message))\n\(file)")
    }
    return .unconfirmed(Set(refusals.map(\.code.rawValue)).sorted().joined(separator: " "))
  }

  // MARK: - By the library

  /// What came of trying: the hazards that stood against it, or what was wrong with how it went.
  private struct Attempt {
    var refusals: [Hazard] = []
    var problems: [String] = []
    var isEmpty = false
    var strategies: [String] = []
  }

  private var policy: PlanPolicy {
    var policy = PlanPolicy(
      allowing: file.allowances.compactMap { allowance in
        HazardCode(rawValue: allowance.code).map { code in
          .init(.code(code), table: SQLName(allowance.table), column: allowance.column.map { SQLName($0) })
        }
      })
    policy.strategy = StrategyChoice(rawValue: file.way.rawValue) ?? .auto
    policy.keepsDropped = file.keepsDropped
    return policy
  }

  private func change(on connection: SQLiteConnection) throws -> Change {
    var target = try TemporaryDatabase.target(file.target.script)
    for rename in file.renames { try target.hints.add(rename: rename) }
    var request = ChangeRequest(allowing: policy)
    request.online.lock = .nanoseconds(1)
    return Change(over: connection, to: target, request)
  }

  private func apply() throws -> Attempt {
    let plan = try change(on: SQLiteConnection.openedForInspection(path: path)).plan()
    return try attempt(plan) {
      let connection = try SQLiteConnection(path: path, mode: .readWrite)
      try connection.execute("PRAGMA synchronous = OFF")
      return try change(on: connection).apply()
    }
  }

  private func applyInside() throws -> Attempt {
    let lender = try RawSQLite(path)
    defer { lender.close() }
    lender.makeDefensive()
    try lender.exec("PRAGMA synchronous = OFF; PRAGMA foreign_keys = ON; BEGIN IMMEDIATE")
    let plan = try change(on: lender.lent()).plan()
    let result = try attempt(plan) { try change(on: lender.lent()).apply() }
    try lender.exec(result.refusals.isEmpty && result.problems.isEmpty ? "COMMIT" : "ROLLBACK")
    return result
  }

  private func applyScript() throws -> Attempt {
    // The rules for libSQL are those of its parser, which sees no statement of FTS5's own.
    let hasSearch = file.declared.tables.contains { $0.search != nil }
    let names: [EngineProfile.Name] = [.inTransaction, .d1, .rqlite, hasSearch ? .rqlite : .libsql]
    let name = names[abs(file.seed) % names.count]
    let migration = try ScriptedMigration(
      of: path, to: change(on: SQLiteConnection(path: path, mode: .readWrite)).target, for: name, allowing: policy)
    let refusals = migration.plan.refusals(under: policy)
    if !refusals.isEmpty || migration.plan.isEmpty { return Attempt(refusals: refusals, isEmpty: true) }
    let database = try RawSQLite(path)
    defer { database.close() }
    do {
      try EngineRules(name).run(migration.script(), on: database)
    } catch {
      return Attempt(problems: [
        "apply: the script for \(name.rawValue) was ready, but \((error as? RawSQLiteError)?.message ?? "\(error)")"
      ])
    }
    return Attempt(strategies: migration.plan.steps.map(\.strategy.rawValue))
  }

  /// Carries a plan out; whether it is must be what the plan said.
  private func attempt(_ plan: MigrationPlan, policy: PlanPolicy? = nil, _ apply: () throws -> ApplyReport) throws
    -> Attempt
  {
    let expected = plan.refusals(under: policy ?? self.policy)
    do {
      _ = try apply()
      return expected.isEmpty
        ? Attempt(isEmpty: plan.isEmpty, strategies: plan.steps.map(\.strategy.rawValue))
        : Attempt(problems: ["plan: it was refused for \(expected.map(\.code.rawValue)), but applied"])
    } catch let error as PlanError {
      guard case .refused(_, let hazards) = error.reason else { return Attempt(problems: ["apply: \(error)"]) }
      return expected.isEmpty
        ? Attempt(problems: ["plan: it was ready, but refused: \(hazards.map(\.message))"]) : Attempt(refusals: hazards)
    } catch {
      let steps = plan.steps.map { "\($0.strategy.rawValue) \($0.object.name)" }
      return Attempt(problems: ["apply: ready by \(steps), but \(error)"])
    }
  }

  private func undone(_ oracle: MistreatedOracle) throws -> Result {
    let undo: MigrationUndo
    do {
      undo = try MigrationUndo(at: path)
    } catch let error as HistoryError {
      return Result(outcome: .applied, problems: ["undo: \(error)"])
    }
    let policy = PlanPolicy.destructive
    let plan = try undo.plan()
    let filled = Set(plan.filledColumns.map { [$0.table.text, $0.column.text] })
    let attempt = try attempt(plan, policy: policy) { try undo.apply(allowing: policy) }
    if !attempt.problems.isEmpty { return Result(outcome: .failed, problems: attempt.problems.map { "undo " + $0 }) }
    if !attempt.refusals.isEmpty { return Result(outcome: .applied) }
    return Result(
      outcome: .undone,
      problems: try oracle.undoProblems(of: path, areLossesTold: !undo.losses.isEmpty, filled: filled).map {
        "undo " + $0
      })
  }
}

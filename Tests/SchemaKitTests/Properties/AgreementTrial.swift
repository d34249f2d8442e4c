import Foundation
import OrderedCollections

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitOperations

/// Plans a change of one file, carries it out whatever the plan says, and tells where the two disagree.
struct AgreementTrial {
  enum Outcome: Equatable {
    case applied, undone
    /// Force proves the refusal right.
    case refused
    /// Nothing was lost and nothing failed when the plan was forced.
    case unfounded(String)
    /// The way is not for this change.
    case unavailable(String)
  }

  let agreement: AgreementPair
  let folder: URL
  private var path: String { folder.appendingPathComponent("files/t.db").path }
  /// The file before, which stays as it was.
  var before: String { folder.appendingPathComponent("before").path }
  private var forced: String { folder.appendingPathComponent("forced").path }

  /// A disagreement, in a sentence.
  struct Disagreement: Error { var text: String }

  func outcome() throws -> Outcome {
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("files"), withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try agreement.build(path)
    try FileManager.default.copyItem(atPath: path, toPath: before)
    let original = try Data(contentsOf: URL(fileURLWithPath: path))
    let refusals =
      switch agreement.way {
      case .script: try byScript()
      case .fleet: try byFleet()
      case .transaction: try inTransaction()
      default: try byMigrator()
      }
    guard let refusals else { return try applied() }
    guard try agreement.way == .online || Data(contentsOf: URL(fileURLWithPath: path)) == original else {
      throw Disagreement(text: "refused, but the file changed")
    }
    return try judge(refusals)
  }

  // MARK: - Ways

  private var policy: PlanPolicy {
    var policy = PlanPolicy.destructive
    policy.strategy = StrategyChoice(rawValue: agreement.way.rawValue) ?? .auto
    return policy
  }

  private func change(on connection: SQLiteConnection) throws -> Change {
    var request = ChangeRequest(allowing: policy)
    request.online.lock = .nanoseconds(1)
    return Change(over: connection, to: try agreement.target(), request)
  }

  /// What stands against a plan, or that none can be made.
  private enum Refusal {
    case hazards([Hazard], MigrationPlan)
    case error(String)

    var codes: [String] {
      switch self {
      case .hazards(let hazards, _): hazards.map(\.code.rawValue)
      case .error(let text): [text]
      }
    }
  }

  /// Carries a plan out, and compares what becomes of it with what the plan said.
  ///
  /// - Returns: What stood against it; nil if it was applied.
  private func compare(
    plan: () throws -> MigrationPlan, apply: () throws -> Void
  ) throws -> Refusal? {
    let expected: Refusal?
    do {
      let plan = try plan()
      let refusals = plan.refusals(under: policy)
      expected = refusals.isEmpty ? nil : .hazards(refusals, plan)
    } catch let error as PlanError {
      expected = .error("\(error)")
    }
    do {
      try apply()
    } catch let error as PlanError {
      if let expected { return expected }
      throw Disagreement(text: "the plan was ready, but refused: \(error)")
    } catch {
      throw Disagreement(
        text: "\(expected.map { "the plan was refused for \($0.codes)" } ?? "the plan was ready"), but \(error)")
    }
    if let expected { throw Disagreement(text: "the plan was refused for \(expected.codes), but applied") }
    return nil
  }

  private func byMigrator() throws -> Refusal? {
    try compare(
      plan: { try change(on: SQLiteConnection.openedForInspection(path: path)).plan() },
      apply: {
        let connection = try SQLiteConnection(path: path, mode: .readWrite)
        try connection.execute("PRAGMA synchronous = OFF")
        _ = try change(on: connection).apply()
      })
  }

  private func inTransaction() throws -> Refusal? {
    let lender = try RawSQLite(path)
    defer { lender.close() }
    lender.makeDefensive()
    try lender.exec("PRAGMA synchronous = OFF; PRAGMA foreign_keys = ON; BEGIN IMMEDIATE")
    let refusal = try compare(
      plan: { try change(on: lender.lent()).plan() }, apply: { _ = try change(on: lender.lent()).apply() })
    try lender.exec(refusal == nil ? "COMMIT" : "ROLLBACK")
    return refusal
  }

  /// The profile of a script.
  private var profile: EngineProfile.Name {
    let names = EngineProfile.Name.allCases
    let name = names[abs(agreement.pair.seed) % names.count]
    // The rules for libSQL are those of its parser, which sees no statement of FTS5's own.
    return name == .libsql && agreement.oddities.contains { $0.kind == .lostShadow } ? .rqlite : name
  }

  private func byScript() throws -> Refusal? {
    let name = profile
    let migration: ScriptedMigration
    do {
      migration = try ScriptedMigration(of: path, to: agreement.target(), for: name, allowing: policy)
    } catch let error as PlanError {
      return .error("\(error)")
    }
    let refusals = migration.plan.refusals(under: policy)
    if !refusals.isEmpty { return .hazards(refusals, migration.plan) }
    if migration.plan.isEmpty { return nil }
    let database = try RawSQLite(path)
    defer { database.close() }
    do {
      try EngineRules(name).run(migration.script(), on: database)
    } catch {
      throw Disagreement(text: "the script for \(name.rawValue) was ready, but \(error)")
    }
    return nil
  }

  private func byFleet() throws -> Refusal? {
    let fleet = Fleet(try FleetFiles(at: [path]), target: try agreement.target(), models: nil)
    let plan = fleet.plan(allowing: policy)
    var report: FleetReport?
    let refusal = try compare(
      plan: {
        guard let group = plan.groups.first else {
          if plan.currentCount == 1 { return try change(on: SQLiteConnection.openedForInspection(path: path)).plan() }
          throw PlanError(reason: .unprovable(.noOrder))
        }
        return group.plan
      },
      apply: {
        report = try fleet.apply(plan, journal: folder.appendingPathComponent("j").path)
        if let problem = report?.problems.first {
          if problem.state == .refused || plan.groups.isEmpty { throw PlanError(reason: .unprovable(.noOrder)) }
          throw Disagreement(text: "\(problem)")
        }
      })
    return refusal
  }

  // MARK: - After

  private func applied() throws -> Outcome {
    if try !change(on: SQLiteConnection.openedForInspection(path: path)).plan().isEmpty {
      throw Disagreement(text: "the second plan is not empty")
    }
    let losses = try losses(in: path)
    if !losses.isEmpty { throw Disagreement(text: "ready and applied, but \(losses[0])") }
    guard agreement.isUndone, agreement.way != .script else { return .applied }
    let undo: MigrationUndo
    do { undo = try MigrationUndo(at: path) } catch is HistoryError { return .applied }
    let refusals = try undo.plan().refusals(under: .destructive)
    do {
      _ = try undo.apply(allowing: .destructive)
      if !refusals.isEmpty { throw Disagreement(text: "undo was refused for \(refusals.map(\.code)), but applied") }
      return .undone
    } catch let error as PlanError {
      if refusals.isEmpty { throw Disagreement(text: "undo was ready, but refused: \(error)") }
      return .applied
    } catch let error where !(error is Disagreement) {
      throw Disagreement(text: "undo: \(refusals.isEmpty ? "ready" : "refused"), but \(error)")
    }
  }

  /// Whether a refusal is right: the target refuses the rows, or the plan fails or loses something when it is forced.
  private func judge(_ refusal: Refusal) throws -> Outcome {
    guard case .hazards(let hazards, let plan) = refusal else {
      if case .error(let text) = refusal { return .unavailable(text) }
      return .refused
    }
    let ways: Set<HazardCode> = [.notOnline, .openTransaction]
    if hazards.allSatisfy({ ways.contains($0.code) }) { return .unavailable("not by this way") }
    let was = try RawSQLite(before)
    defer { was.close() }
    if try SchemaOracle.targetRejects(before: was, pair: agreement.pair) { return .refused }
    try FileManager.default.copyItem(atPath: before, toPath: forced)
    guard try isForced(plan) else { return .refused }
    guard try losses(in: forced).isEmpty, try !isComputedAnew(in: forced) else { return .refused }
    return .unfounded(hazards.map { "\($0.code.rawValue) \($0.message)" }.joined(separator: " "))
  }

  /// The tables, by their new names, whose rows this connection cannot update or delete.
  private func unwritableTables(in raw: RawSQLite) throws -> Set<RawValue> {
    let tables = try raw.rows("SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'")
    return Set(
      tables.map { $0[0] }.filter { table in
        guard case .text(let name) = table,
          case .text(let column)? = try? raw.rows("SELECT name FROM pragma_table_info(\(SQLQuoting.literal(name)))")
            .first?[0]
        else { return false }
        do {
          try raw.compiles("UPDATE \(SQLName(name).quoted) SET \(SQLName(column).quoted) = NULL")
          try raw.compiles("DELETE FROM \(SQLName(name).quoted)")
          return false
        } catch {
          return true
        }
      })
  }

  /// Carries a plan out in spite of its hazards, where the catalog is as protected as by its way; false if it fails.
  private func isForced(_ plan: MigrationPlan) throws -> Bool {
    let raw = try RawSQLite(forced)
    defer { raw.close() }
    if agreement.way == .transaction || agreement.way == .script && [.inTransaction, .d1].contains(profile) {
      raw.makeDefensive()
    }
    // Foreign keys with actions are part of what a program's own connection compiles.
    try raw.exec("PRAGMA foreign_keys = ON")
    let unwritable = try unwritableTables(in: raw)
    try raw.exec("PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE")
    let connection = try raw.lent()
    let schema = try SchemaReader.read(connection)
    let orphans = try ForeignKeyGuard(connection: connection).orphans(of: Set(schema.tables.keys), in: schema)
    var baseline = ForeignKeyGuard.Baseline(schema: schema, orphans: orphans)
    baseline.renames = plan.renames
    do {
      _ = try Applier(connection: connection, plan: plan, baseline: baseline).run()
      try raw.exec("COMMIT; PRAGMA foreign_keys = ON")
      return try unwritableTables(in: raw).isSubset(of: unwritable)
    } catch is ApplyError {
      return false
    } catch is SQLiteError {
      return false
    } catch is RawSQLiteError {
      return false
    }
  }
}

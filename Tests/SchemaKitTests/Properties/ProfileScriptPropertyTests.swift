import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Scripts for random schema pairs")
struct ProfileScriptPropertyTests {
  private final class Tally {
    var strategies: [MigrationStep.Strategy: Int] = [:]
  }

  @Test(
    "under the rules of each engine, a script loses no row, or the plan is refused",
    arguments: EngineProfile.Name.allCases)
  func underRules(of name: EngineProfile.Name) throws {
    let environment = ProcessInfo.processInfo.environment
    let pairs = environment["SCHEMAKIT_PROPERTY_PAIRS"].flatMap(Int.init) ?? 80
    let seed = environment["SCHEMAKIT_PROPERTY_SEED"].flatMap(Int.init) ?? 42_260_101
    let tally = Tally()
    var run = PropertyRun(
      pairs: pairs, baseSeed: seed, migrate: { try Self.migrate($0, $1, $2, name, tally) },
      planIsEmpty: { try Self.prepare($0, $1, $2, name).plan.isEmpty })
    run.makePair = { try SchemaPair.make(seed: $0, prefersReferences: true) }
    try run.run()
    let unavailable = run.unavailable.values.reduce(0, +)
    print(
      "\(name.rawValue): " + run.summary + ", \(unavailable) not available; "
        + tally.strategies.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.value) \($0.key.rawValue)" }
        .joined(separator: ", "))
    for (reason, count) in run.unavailable.sorted(by: { $0.value > $1.value }).prefix(12) {
      print("\(count) \(reason)")
    }
    for failure in run.failures { print(failure) }
    #expect(run.failureCount == 0)
    // libSQL cannot suspend CHECK constraints. A hundred pairs may have some fewer than thousands by chance.
    let least = name == .libsql ? 0.8 : pairs >= 1_000 ? 0.95 : 0.9
    if pairs >= 80 { #expect(Double(run.applied) >= least * Double(run.applied + unavailable)) }
  }

  private static func prepare(
    _ file: URL, _ script: String, _ hints: [String], _ name: EngineProfile.Name
  ) throws -> ScriptedMigration {
    var target = try TemporaryDatabase.target(script)
    for hint in hints { try target.hints.add(rename: hint) }
    return try ScriptedMigration(of: file.path, to: target, for: name)
  }

  private static func migrate(
    _ file: URL, _ script: String, _ hints: [String], _ name: EngineProfile.Name, _ tally: Tally
  ) throws -> PropertyRun.Outcome {
    let text: String
    do {
      let migration = try prepare(file, script, hints, name)
      if migration.plan.isEmpty { return .applied }
      let refusals = migration.plan.refusals(under: .destructive)
      guard refusals.isEmpty else {
        let rest = refusals.filter { $0.code != .openTransaction }
        return rest.isEmpty
          ? .unavailable(reason(of: migration.plan) ?? refusals.map(\.message).joined(separator: " "))
          : .refused(rest.map { "\($0.code.rawValue) \($0.message)" }.joined(separator: "\n"))
      }
      text = try migration.script()
      for step in migration.plan.steps { tally.strategies[step.strategy, default: 0] += 1 }
    } catch let error as PlanError {
      return .refused("\(error)")
    }
    // Each script with the file before and after, for scripts/try-pyturso.py.
    let folder = ProcessInfo.processInfo.environment["SCHEMAKIT_PROPERTY_SCRIPTS"].map { URL(fileURLWithPath: $0) }
    let place = folder?.appendingPathComponent("\(name.rawValue)-\(file.deletingPathExtension().lastPathComponent)")
    if let place {
      try Data(text.utf8).write(to: place.appendingPathExtension("sql"))
      try FileManager.default.copyItem(at: file, to: place.appendingPathExtension("before"))
    }
    let database = try RawSQLite(file.path)
    defer { database.close() }
    try database.exec("PRAGMA synchronous = OFF")
    do {
      try EngineRules(name).run(text, on: database)
    } catch {
      return .failed("\(error)")
    }
    if let place { try FileManager.default.copyItem(at: file, to: place.appendingPathExtension("after")) }
    return .applied
  }

  private static func reason(of plan: MigrationPlan) -> String? {
    plan.steps.first(where: \.dropsReferencedTable).map { step in
      step.strategy.rawValue + ": "
        + step.passedOver.flatMap(\.rejections).filter { $0.code != .catalogIsProtected }.suffix(5).map {
          $0.code == .refusedBySQLite ? "\($0.values)" : $0.code.rawValue
        }.joined(separator: ", ")
    }
  }
}

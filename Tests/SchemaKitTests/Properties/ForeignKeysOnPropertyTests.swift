import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Random schema pairs inside an open transaction")
struct ForeignKeysOnPropertyTests {
  private static let sliceCount = 4

  /// What the plans of a slice did.
  private final class Tally {
    var strategies: [MigrationStep.Strategy: Int] = [:]
  }

  @Test(
    "with foreign keys on and the catalog protected, no row is lost, or the plan is refused", arguments: 0..<sliceCount)
  func insideTransaction(slice: Int) throws {
    let environment = ProcessInfo.processInfo.environment
    let pairs = environment["SCHEMAKIT_PROPERTY_PAIRS"].flatMap(Int.init) ?? 400
    let seed = environment["SCHEMAKIT_PROPERTY_SEED"].flatMap(Int.init) ?? 41_260_101
    let start = pairs * slice / Self.sliceCount
    let tally = Tally()
    var run = PropertyRun(
      pairs: pairs * (slice + 1) / Self.sliceCount - start, baseSeed: seed + start,
      migrate: { file, script, hints in try Self.migrate(file, script, hints, tally) },
      planIsEmpty: { file, script, hints in
        let connection = try SQLiteConnection(path: file.path, mode: .readWrite)
        return try Change(over: connection, to: Self.target(script, hints)).plan().isEmpty
      })
    run.makePair = { try SchemaPair.make(seed: $0, prefersReferences: true) }
    try run.run()
    let unavailable = run.unavailable.values.reduce(0, +)
    print(
      run.summary + ", \(unavailable) not available; "
        + tally.strategies.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.value) \($0.key.rawValue)" }
        .joined(separator: ", "))
    for (reason, count) in run.unavailable.sorted(by: { $0.value > $1.value }) { print("\(count) \(reason)") }
    for failure in run.failures { print(failure) }
    #expect(run.failureCount == 0)
    // Of thousands 96 in 100 are applied; a hundred may have four fewer by chance.
    let least = run.pairs >= 1_000 ? 0.95 : 0.9
    if run.pairs >= 100 { #expect(Double(run.applied) >= least * Double(run.applied + unavailable)) }
  }

  private static func target(_ script: String, _ hints: [String]) throws -> TargetSchema {
    var target = try TemporaryDatabase.target(script)
    for hint in hints { try target.hints.add(rename: hint) }
    return target
  }

  private static func migrate(
    _ file: URL, _ script: String, _ hints: [String], _ tally: Tally
  ) throws -> PropertyRun.Outcome {
    let lender = try RawSQLite(file.path)
    defer { lender.close() }
    lender.makeDefensive()
    try lender.exec("PRAGMA synchronous = OFF; PRAGMA foreign_keys = ON; BEGIN IMMEDIATE")
    let request = ChangeRequest(allowing: .destructive)
    do {
      let connection = try lender.lent()
      let report = try Change(over: connection, to: target(script, hints), request).apply()
      guard try lender.rows("PRAGMA foreign_keys") == [[.int(1)]],
        try lender.rows("PRAGMA defer_foreign_keys") == [[.int(0)]]
      else { return .failed("the lender's settings changed") }
      try lender.exec("COMMIT")
      for step in report.plan.steps { tally.strategies[step.strategy, default: 0] += 1 }
      return .applied
    } catch let error as PlanError {
      try lender.exec("ROLLBACK")
      guard case .refused(let plan, let hazards) = error.reason else { return .failed("\(error)") }
      let rest = hazards.filter { $0.code != .openTransaction }
      if rest.isEmpty {
        let reasons = plan.steps.filter(\.dropsReferencedTable).map { step in
          step.strategy.rawValue + ": "
            + step.passedOver.flatMap(\.rejections).filter { $0.code != .catalogIsProtected }.suffix(5).map {
              $0.code == .refusedBySQLite ? "\($0.values)" : $0.code.rawValue
            }.joined(separator: ", ")
        }
        return .unavailable(reasons.first ?? hazards.map(\.message).joined(separator: " "))
      }
      return .refused(rest.map { "\($0.code.rawValue) \($0.message)" }.joined(separator: "\n"))
    } catch {
      try lender.exec("ROLLBACK")
      return .failed("\(error)")
    }
  }
}

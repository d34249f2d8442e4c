import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Random schema pairs")
struct SchemaPairPropertyTests {
  /// The pairs are dealt out to slices that run at the same time.
  private static let sliceCount = 4

  @Test("any schema reaches any other, keeps the rows, and a second plan is empty", arguments: 0..<sliceCount)
  func anySchemaReachesAnyOther(slice: Int) throws {
    let environment = ProcessInfo.processInfo.environment
    let pairs = environment["SCHEMAKIT_PROPERTY_PAIRS"].flatMap(Int.init) ?? 400
    let seed = environment["SCHEMAKIT_PROPERTY_SEED"].flatMap(Int.init) ?? 20_260_101
    let start = pairs * slice / Self.sliceCount
    var run = PropertyRun(
      pairs: pairs * (slice + 1) / Self.sliceCount - start, baseSeed: seed + start,
      migrate: { file, script, hints in
        do {
          _ = try Self.change(file, script, hints).apply()
          return .applied
        } catch let error as PlanError {
          guard case .refused(_, let hazards) = error.reason else { return .failed("\(error)") }
          return .refused(hazards.map { "\($0.code.rawValue) \($0.message)" }.joined(separator: "\n"))
        } catch {
          return .failed("\(error)")
        }
      },
      planIsEmpty: { file, script, hints in try Self.change(file, script, hints).plan().isEmpty })
    try run.run()
    print(run.summary)
    for failure in run.failures { print(failure) }
    #expect(run.failureCount == 0)
    // A handful of pairs says nothing about the share.
    if run.pairs >= 100 { #expect(run.appliedShare >= 0.7) }
  }

  /// Every strategy has its turn, unless one is asked for: auto, alter or rebuild.
  private static func strategy(for script: String) -> StrategyChoice {
    let asked = ProcessInfo.processInfo.environment["SCHEMAKIT_PROPERTY_STRATEGY"].flatMap(StrategyChoice.init)
    return asked
      ?? (script.utf8.count.isMultiple(of: 4) ? .alter : script.utf8.count.isMultiple(of: 7) ? .rebuild : .auto)
  }

  private static func change(_ file: URL, _ script: String, _ hints: [String]) throws -> Change {
    let connection = try SQLiteConnection(path: file.path, mode: .readWrite)
    try connection.execute("PRAGMA synchronous = OFF")
    var target = try TemporaryDatabase.target(script)
    for hint in hints { try target.hints.add(rename: hint) }
    var request = ChangeRequest(allowing: .destructive)
    request.plan.policy.strategy = strategy(for: script)
    return Change(over: connection, to: target, request)
  }
}

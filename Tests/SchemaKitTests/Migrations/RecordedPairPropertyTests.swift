import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitCommands
@testable import SchemaKitOperations
@testable import SchemaKitReports

@Suite("Random schema pairs, recorded")
struct RecordedPairPropertyTests {
  @Test("a step recorded without rows brings any rows to the schema, and is replayed to the same")
  func recordedMigrations() throws {
    let environment = ProcessInfo.processInfo.environment
    let pairs = environment["SCHEMAKIT_PROPERTY_PAIRS"].flatMap(Int.init) ?? 100
    let seed = environment["SCHEMAKIT_PROPERTY_SEED"].flatMap(Int.init) ?? 20_260_401
    var run = PropertyRun(
      pairs: pairs, baseSeed: seed,
      migrate: { file, script, hints in
        do {
          return try Self.recordAndApply(file, script, hints)
        } catch let error as PlanError {
          guard case .refused(_, let hazards) = error.reason else { return .failed("\(error)") }
          return .refused(hazards.map { "\($0.code.rawValue) \($0.message)" }.joined(separator: "\n"))
        } catch {
          return .failed("\(error)")
        }
      },
      planIsEmpty: { file, script, _ in
        let connection = try SQLiteConnection(path: file.path, mode: .readWrite)
        return try Change(over: connection, to: TemporaryDatabase.target(script)).plan().isEmpty
      })
    try run.run()
    print(run.summary)
    for failure in run.failures { print(failure) }
    #expect(run.failureCount == 0)
    if run.pairs >= 100 { #expect(run.appliedShare >= 0.6) }
  }

  private static func recordAndApply(_ file: URL, _ script: String, _ hints: [String]) throws -> PropertyRun.Outcome {
    let connection = try SQLiteConnection(path: file.path, mode: .readWrite)
    try connection.execute("PRAGMA synchronous = OFF")
    // The second run has nothing to do.
    if try !Ledger(connection: connection).recordedMigrations(of: MigrationRunner.schemaName).isEmpty {
      return .applied
    }
    let old = try SchemaReader.read(connection)
    var fixture = try MigrationFixture([("0001-old", SchemaReport.sql(old))])
    try fixture.record("0002-new", to: script, renames: hints)
    let runner = try MigrationRunner(fixture.folder)
    // The ledger must not stay when the step is refused.
    try connection.execute("PRAGMA foreign_keys = OFF")
    try connection.transaction(.immediate) {
      try runner.note(["0001-old"], on: connection)
      _ = try runner.apply(fixture.folder.steps[1], on: connection, ChangeRequest())
    }
    return .applied
  }
}

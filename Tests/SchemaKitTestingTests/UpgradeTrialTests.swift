import Foundation
import Testing

@testable import SchemaKit
@testable import SchemaKitOperations
@testable import SchemaKitTesting

@Suite("A trial of an upgrade")
struct UpgradeTrialTests {
  /// A change in two transactions, which leaves half of it behind when it is stopped between them.
  private static func careless(seed: UInt64) -> CrashMatrix {
    var matrix = CrashMatrix(faults: []) { connection in
      try connection.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    } migrate: { connection in
      try connection.execute("UPDATE t SET a = 2")
      try connection.execute("UPDATE t SET a = 3")
    }
    matrix.sample = CrashSample(seed: seed, count: 5)
    return matrix
  }

  private static func report(_ matrix: CrashMatrix) throws -> CrashReport {
    do {
      return try CrashRun(matrix, onProgress: { _ in }, isCancelled: { false }).report()
    } catch CrashMatrixError.violated(let report) {
      return report
    }
  }

  @Test("stops at a few moments, the same for the same seed, and finds a change that is done by half")
  func sample() throws {
    let reports = try (UInt64(0)..<12).map { try Self.report(Self.careless(seed: $0)) }
    #expect(reports.allSatisfy { $0.crashPoints == 5 && $0.diskStates <= 5 })
    #expect(reports.contains { !$0.violations.isEmpty })
    #expect(Set(reports.map { $0.violations.map(\.point) }).count > 1)
    for (seed, report) in reports.enumerated() { #expect(try Self.report(Self.careless(seed: UInt64(seed))) == report) }
  }

  private static func trial(_ old: String, _ new: TestedSchema) -> UpgradeTrial {
    UpgradeTrial(stops: [UpgradeStop("new", new)]) { path in
      try SQLiteConnection(path: path, mode: .readWriteCreate).execute(old)
    }
  }

  private static let old = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); INSERT INTO t VALUES (1, 'x'), (2, NULL)"

  @Test("tells an undo that does not lead back to the file of before")
  func undo() throws {
    let folder = try TestFolder()
    let newest = UpgradeStop("new", "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT)")
    let paths = UpgradePaths(
      make: { try SQLiteConnection(path: $0, mode: .readWriteCreate).execute(Self.old) }, stops: [newest],
      policy: .lossless, fresh: try UpgradePaths.fresh(of: newest))
    let result = try paths.run(in: folder, named: "file")
    let direct = try #require(result.direct)
    // The file of before is said to be another one than it was.
    for (change, message) in [
      ("DELETE FROM t WHERE id = 2", "does not bring back the rows of t"),
      ("CREATE TABLE u (a)", "another schema than before: u"),
    ] {
      let original = folder.path(of: "\(UUID().uuidString).db")
      try paths.make(original)
      try SQLiteConnection(path: original).execute(change)
      let copy = folder.path(of: "\(UUID().uuidString).db")
      try FileManager.default.copyItem(atPath: folder.path(of: "file-direct.db"), toPath: copy)
      var outcome = UpgradeOutcome()
      try UndoTrial(paths: paths, newest: newest, original: original, direct: direct).run(copy, &outcome)
      #expect(outcome.findings.contains { $0.code == .undo && $0.message.contains(message) }, "\(outcome.findings)")
    }
  }

  @Test("takes files that had rows without a parent before as they are, and no others")
  func orphans() throws {
    let schema = "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (p INTEGER REFERENCES p, x);"
    let trial = Self.trial(schema.replacing(", x", with: "") + "INSERT INTO c VALUES (7)", .sql(schema))
    #expect(try trial.run().findings == [])
  }

  @Test("takes every way, and counts")
  func ways() throws {
    let outcome = try Self.trial(Self.old, "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT)").run()
    #expect(outcome.findings == [] && outcome.losses == [])
    #expect(outcome.ways == [.direct, .interrupted, .undone])
    #expect(outcome.rows == 2 && outcome.migrations == 1 && outcome.interruptions == 5)
  }

  @Test("of a file that has the schema already ends without an interruption or an undo of changes")
  func unchanged() throws {
    let outcome = try Self.trial(Self.old, "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT)").run()
    #expect(outcome.hasPassed && !outcome.ways.contains(.undone))
  }

  @Test("ends when it is cancelled")
  func cancelled() throws {
    var trial = Self.trial(Self.old, "CREATE TABLE t (id INTEGER PRIMARY KEY)")
    trial.isCancelled = { true }
    #expect(throws: CancellationError.self) { try trial.run() }
  }
}

import Foundation
import SchemaKit
import Testing

@testable import SchemaKitTesting

@Suite("A migration that is interrupted")
struct CrashMatrixTests {
  @Test(
    "leaves the old file or the new one, wherever the machine stops or the disk fails", arguments: Way.all,
    [CrashMatrix.Journal.rollback, .wal])
  func ways(way: Way, journal: CrashMatrix.Journal) async throws {
    let report = try await way.matrix(journal).run()
    print("\(way.name), \(journal.rawValue): \(report.oneLine)")
    #expect(report.crashPoints == report.operations + 1)
    #expect(report.diskStates > report.crashPoints)
    #expect(report.faultPoints >= report.operations)
    #expect(report.leftOld > 0 && report.leftNew > 0)
  }

  @Test(
    "is undone wholly or not at all", arguments: [Way.createAndDrop, .rebuild],
    [CrashMatrix.Journal.rollback, .wal])
  func undo(way: Way, journal: CrashMatrix.Journal) async throws {
    var keeping = PlanPolicy.everything
    keeping.keepsDropped = true
    let policy = keeping
    let matrix = CrashMatrix(journal: journal, faults: [.failing]) { connection in
      try TestedSchema.sql(way.old).bring(connection, allowing: .lossless)
      for statement in way.rows { try connection.execute(statement) }
      try TestedSchema.sql(way.new).bring(connection, allowing: policy)
    } migrate: { connection in
      guard try connection.rows("SELECT 1 FROM _schemakit_history WHERE kind = 'undo'").isEmpty else { return }
      try MigrationUndo(over: connection).apply(allowing: .everything)
    }
    let report = try await matrix.run()
    print("undo of \(way.name), \(journal.rawValue): \(report.oneLine)")
    #expect(report.leftOld > 0 && report.leftNew > 0)
  }

  @Test("also with journals that are kept, and under every fault", arguments: [CrashMatrix.Journal.truncate, .persist])
  func keptJournals(journal: CrashMatrix.Journal) async throws {
    let report = try await Way.native.matrix(journal, faults: DiskFault.allCases).run()
    #expect(report.faultPoints > 3 * report.operations)
  }

  @Test("writes the file before the commit when the cache is small, so that taking back is put to the test")
  func spilling() async throws {
    let small = try await Way.spilling.matrix(.rollback, faults: []).run()
    var large = Way.spilling
    large.pragmas = []
    #expect(try await small.operations > large.matrix(.rollback, faults: []).run().operations)
  }

  @Test("takes a data step along", arguments: [CrashMatrix.Journal.rollback, .wal])
  func dataStep(journal: CrashMatrix.Journal) async throws {
    let old = ModelSchema { Sentence.self }
    let new = ModelSchema {
      Sentence.self
      Word.self
      DataStep("split", after: .tableAdded(Word.self)) { session in
        for sentence in try session.all(Sentence.self) {
          try session.save(sentence.text.split(separator: " ").map { Word(id: nil, text: String($0)) })
        }
      }
    }
    let report = try await CrashMatrix(schema: old, to: new, journal: journal, faults: [.failing]) { session in
      try session.save([Sentence(id: nil, text: "one two"), Sentence(id: nil, text: "three")])
    }.run()
    print("data step, \(journal.rawValue): \(report.oneLine)")
    #expect(report.leftOld > 0 && report.leftNew > 0)
  }

  struct Sentence: Model, Hashable {
    let id: Int64?
    var text: String
    static let table = ModelTable("sentence", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("text", \.text)
    }
  }

  struct Word: Model, Hashable {
    let id: Int64?
    var text: String
    static let table = ModelTable("word", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("text", \.text)
    }
  }

  @Test("tells how far it is, and ends when its task is cancelled")
  func progress() async throws {
    let seen = Counts()
    let report = try await Way.native.matrix(.rollback, faults: [.failing]).run { seen.add($0) }
    #expect(seen.last(.crashPoints) == report.crashPoints)
    #expect(seen.last(.faultPoints) == report.faultPoints)

    let task = Task { try await Way.spilling.matrix(.rollback).run { _ in withUnsafeCurrentTask { $0?.cancel() } } }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  /// The latest number of each stage.
  private final class Counts: @unchecked Sendable {
    // `lock` guards `counts`.
    private let lock = NSLock()
    private var counts: [CrashMatrix.Progress.Stage: Int] = [:]

    func add(_ progress: CrashMatrix.Progress) { lock.withLock { counts[progress.stage] = progress.done } }
    func last(_ stage: CrashMatrix.Progress.Stage) -> Int? { lock.withLock { counts[stage] } }
  }
}

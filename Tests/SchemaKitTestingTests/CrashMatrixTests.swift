import Foundation
import SchemaKit
import SchemaKitTesting
import Testing

@Suite("A migration that is interrupted")
struct CrashMatrixTests {
  @Test(
    "leaves the old file or the new one, wherever the machine stops or the disk fails", arguments: Way.all,
    [CrashMatrix.Journal.rollback, .wal])
  func ways(way: Way, journal: CrashMatrix.Journal) async throws {
    let start = ContinuousClock.now
    let report = try await way.matrix(journal).run()
    print("\(way.name), \(journal.rawValue): \(report) \(ContinuousClock.now - start)")
    #expect(report.crashPoints == report.operations + 1)
    #expect(report.leftOld > 0 && report.leftNew > 0)
  }
}

import Foundation
import Testing

/// Files whose rows are not what their catalog says, such as other engines, crashes and edits of the catalog leave.
@Suite("Mistreated files")
struct MistreatedFileTests {
  /// The files are dealt out to slices that run at the same time.
  private static let sliceCount = 4

  @Test(
    "no value, class, rowid, index entry or search result differs from before but as the plan said",
    arguments: 0..<sliceCount)
  func nothingElseChanges(slice: Int) throws {
    let environment = ProcessInfo.processInfo.environment
    let cases = environment["SCHEMAKIT_MISTREATED_CASES"].flatMap(Int.init) ?? 300
    let seed = environment["SCHEMAKIT_MISTREATED_SEED"].flatMap(Int.init) ?? 44_260_101
    let start = cases * slice / Self.sliceCount
    var run = MistreatedRun(cases: cases * (slice + 1) / Self.sliceCount - start, baseSeed: seed + start)
    let isWellTreated = environment["SCHEMAKIT_MISTREATED_KIND"] == "none"
    try run.run { !isWellTreated && !$0.isMultiple(of: 8) }
    print(run.summary)
    for (code, seeds) in run.unconfirmedSeeds.sorted(by: { $0.key < $1.key }) {
      print("not confirmed: \(code): \(seeds.count), such as \(seeds.prefix(8))")
    }
    for (seed, problem) in run.failedSeeds { print("failed: \(seed): \(problem)") }
    for failure in run.failures { print(failure + "\n") }
    #expect(run.failureCount == 0)
  }
}

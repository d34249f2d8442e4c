import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

/// Random changes of files with odd things in them: functions, collations and modules that nobody has, orphans, lost shadow
/// tables, views and triggers of what is gone, rows that become equal.
@Suite("Plan and apply agree")
struct AgreementPropertyTests {
  private static let sliceCount = 4

  @Test("a ready plan is carried out, and a refused one fails or loses something by force", arguments: 0..<sliceCount)
  func agreement(slice: Int) throws {
    let environment = ProcessInfo.processInfo.environment
    let pairs = environment["SCHEMAKIT_AGREEMENT_CASES"].flatMap(Int.init) ?? 500
    let seed = environment["SCHEMAKIT_AGREEMENT_SEED"].flatMap(Int.init) ?? 45_260_101
    let (start, end) = (seed + pairs * slice / Self.sliceCount, seed + pairs * (slice + 1) / Self.sliceCount)
    var counts: [String: Int] = [:]
    var failures: [String] = []
    for seed in start..<end {
      let agreement = try AgreementPair.make(seed: seed)
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("schemakit-agreement-\(UUID())")
      do {
        switch try AgreementTrial(agreement: agreement, folder: folder).outcome() {
        case .applied: counts["applied", default: 0] += 1
        case .undone:
          counts["applied", default: 0] += 1
          counts["undone", default: 0] += 1
        case .refused: counts["refused", default: 0] += 1
        case .unavailable: counts["unavailable", default: 0] += 1
        case .unfounded(let codes): failures.append("refused for \(codes), but nothing fails or is lost\n\(agreement)")
        }
      } catch let error as AgreementTrial.Disagreement {
        failures.append("\(error.text)\n\(agreement)")
      } catch {
        failures.append("threw: \(error)\n\(agreement)")
      }
    }
    let (applied, undone) = (counts["applied"] ?? 0, counts["undone"] ?? 0)
    print(
      "agreement: base seed \(start), \(end - start) cases, \(applied) applied, \(undone) of them undone, "
        + "\(counts["refused"] ?? 0) refused and confirmed, 0 refused and not confirmed, "
        + "\(counts["unavailable"] ?? 0) not available, \(failures.count) failed")
    for failure in failures.prefix(5) { print(failure) }
    #expect(failures.count == 0)
    if end - start >= 100 { #expect(applied >= (end - start) / 5 && (counts["unavailable"] ?? 0) <= (end - start) / 8) }
  }
}

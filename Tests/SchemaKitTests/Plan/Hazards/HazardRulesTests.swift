import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitReports

@Suite("HazardRules")
struct HazardRulesTests {
  static let kinds: [(RowCheckResults.Finding.Kind, HazardCode?)] = [
    (.droppedTable, .droppedTable), (.droppedColumn, .droppedColumn),
    (.lossyConversion(fromType: "TEXT", toType: ""), .lossyConversion), (.emptiedByConversion, .lossyConversion),
    (.nulls, .nullsUnderNotNull), (.duplicates(of: "UNIQUE (a)", reading: ["a"]), .duplicates),
    (.orphans(parent: "p"), .orphans),
    (.failingCheck("a > 0"), .failingCheck), (.computed(by: "Index i"), nil),
    (.unprovable(condition: "The new CHECK", problem: "overflow"), .failingCheck),
    (.notStorable(type: "INTEGER"), .notStorable), (.renumberedRows(wasKey: false), .renumberedRows),
    (.droppedRowIDs(isFollowed: true), .renumberedRows),
  ]

  /// The hazards of one finding of each kind.
  private func hazards(isCounted: Bool = true) throws -> [Hazard] {
    let findings = Self.kinds.map { kind, _ in
      RowCheckResults.Finding(kind: kind, column: "a", count: 2, isCounted: isCounted, samples: ["7"])
    }
    let diff = try SchemaText.diff("CREATE TABLE t (a TEXT)", "CREATE TABLE t (a TEXT)")
    return HazardRules(diff: diff, hints: MigrationHints())
      .hazards(of: "t", checkResults: RowCheckResults(rowCount: 9, findings: findings))
  }

  @Test("each finding becomes the hazard of its code, in the order in which they were found")
  func codes() throws {
    #expect(try hazards().map(\.code) == Self.kinds.compactMap(\.1))
  }

  @Test("every hazard has a count and samples where rows could be counted, and always a message and a way out")
  func contents() throws {
    for hazard in try hazards() {
      let isCounted = !hazard.message.contains("overflow")
      #expect(hazard.count == (isCounted ? 2 : nil))
      #expect(hazard.samples == (isCounted ? ["7"] : []))
      #expect(hazard.message.contains("t") && hazard.message.hasSuffix("."))
      #expect(hazard.remedy?.hasSuffix(".") == true)
    }
  }

  @Test("rows that nobody looked at have neither count nor samples")
  func uncounted() throws {
    for hazard in try hazards(isCounted: false) {
      #expect(!hazard.isCounted && hazard.count == nil && hazard.samples.isEmpty)
      #expect(hazard.remedy?.contains("--quick") == true)
    }
  }
}

import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitReports

/// One finding, put before the rules of hazards: results of row checks in, hazard out.
struct HazardScene {
  /// The schema of the file, and the declared one.
  var from = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);"
  var to = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);"
  var hints = MigrationHints()
  var engineChecksRows = true

  /// What the rules say of so many rows with the keys 1, 2 and so on; of rows that nobody looked at where there is no
  /// count.
  func hazard(
    _ kind: RowCheckResults.Finding.Kind, column: SQLName? = nil, count: Int?, table: SQLName = "t"
  ) throws -> Hazard? {
    let keys = (0..<min(count ?? 0, 10)).map { "\($0 + 1)" }
    let finding = RowCheckResults.Finding(
      kind: kind, column: column, count: count ?? 0, isCounted: count != nil, samples: keys)
    let rules = HazardRules(
      diff: try SchemaText.diff(from, to), hints: hints, engineChecksRows: engineChecksRows)
    let hazards = rules.hazards(of: table, checkResults: RowCheckResults(rowCount: 9, findings: [finding]))
    #expect(hazards.count <= 1)
    return hazards.first
  }
}

extension Hazard {
  /// The same of rows that nobody looked at.
  var uncounted: Hazard {
    var hazard = self
    hazard.isCounted = false
    return hazard
  }
}

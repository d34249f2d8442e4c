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

/// What a hazard says and how far it goes, put down by hand.
struct DescribedHazard: Hashable {
  var code: HazardCode
  var table: String
  var column: String?
  var count: Int?
  var samples: [String]
  var message: String
  var remedy: String?
  var isNote: Bool
  var isPotential = false
  var isCounted = true

  init(
    _ code: HazardCode, table: String, column: String? = nil, count: Int? = nil, samples: [String] = [],
    message: String, remedy: String? = nil, isNote: Bool = false
  ) {
    self.code = code
    self.table = table
    self.column = column
    self.count = count
    self.samples = samples
    self.message = message
    self.remedy = remedy
    self.isNote = isNote
  }

  /// The same where no row here is concerned, and rows elsewhere could be.
  var potential: DescribedHazard {
    var hazard = self
    hazard.isPotential = true
    return hazard
  }

  /// The same of rows that nobody looked at.
  var uncounted: DescribedHazard {
    var hazard = self
    hazard.isCounted = false
    return hazard
  }

  static func == (hazard: Hazard?, described: DescribedHazard) -> Bool {
    guard let hazard else { return false }
    var found = DescribedHazard(
      hazard.code, table: hazard.table, column: hazard.column, count: hazard.count, samples: hazard.samples,
      message: hazard.message, remedy: hazard.remedy, isNote: hazard.isNote)
    found.isPotential = hazard.isPotential
    found.isCounted = hazard.isCounted
    return found == described
  }
}

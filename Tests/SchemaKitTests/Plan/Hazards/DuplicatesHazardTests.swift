import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitReports

@Suite("Hazard SK105: duplicates under a new UNIQUE")
struct DuplicatesHazardTests {
  private let scene = HazardScene()
  private let kind = RowCheckResults.Finding.Kind.duplicates(of: "UNIQUE (a, b)", reading: ["a", "b"])

  @Test("rows are counted, and no consent is offered")
  func counted() throws {
    let hazard = try scene.hazard(kind, count: 2)
    #expect(
      hazard
        == DescribedHazard(
          .duplicates, table: "t", count: 2, samples: ["1", "2"],
          message: "2 rows of t are not distinct in UNIQUE (a, b).", remedy: "Make them distinct first."))
    #expect(hazard?.hazardClass == .blocked)
  }

  @Test("where all rows are distinct there is nothing to say")
  func none() throws {
    #expect(try scene.hazard(kind, count: 0) == nil)
  }

  @Test("rows that nobody compared are left to SQLite")
  func uncounted() throws {
    let hazard = try scene.hazard(kind, count: nil)
    #expect(
      hazard
        == DescribedHazard(
          .duplicates, table: "t", message: "Whether the rows of t are distinct in UNIQUE (a, b) was not examined.",
          remedy: "SQLite refuses such rows while the plan runs, and everything is then rolled back; plan without "
            + "--quick (or from a dump with rows) to know before.", isNote: true
        ).uncounted)
    #expect(hazard?.hazardClass == .note)
  }
}

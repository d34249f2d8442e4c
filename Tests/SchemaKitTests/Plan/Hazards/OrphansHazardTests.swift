import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitReports

@Suite("Hazard SK106: orphans under a new foreign key")
struct OrphansHazardTests {
  private let scene = HazardScene()
  private let kind = RowCheckResults.Finding.Kind.orphans(parent: "p")

  @Test("rows are counted, and no consent is offered")
  func counted() throws {
    let hazard = try scene.hazard(kind, column: "a", count: 2)
    #expect(
      hazard
        == DescribedHazard(
          .orphans, table: "t", column: "a", count: 2, samples: ["1", "2"],
          message: "2 rows of t refer through a to a row of p that is not there.",
          remedy: "Add the missing rows of p, or clear the references first."))
    #expect(hazard?.hazardClass == .blocked)
    #expect(
      try scene.hazard(kind, count: 1)?.message
        == "1 row of t refers through a foreign key to a row of p that is not there.")
  }

  @Test("where every row has its parent there is nothing to say")
  func none() throws {
    #expect(try scene.hazard(kind, column: "a", count: 0) == nil)
  }

  @Test("rows whose parents nobody looked for are left to the check before the commit")
  func uncounted() throws {
    let hazard = try scene.hazard(kind, column: "a", count: nil)
    #expect(
      hazard
        == DescribedHazard(
          .orphans, table: "t", column: "a",
          message: "Whether a of t always refers to a row of p was not examined.",
          remedy: "The check before the commit refuses such rows while the plan runs, and everything is then rolled "
            + "back; plan without --quick (or from a dump with rows) to know before.", isNote: true
        ).uncounted)
    #expect(hazard?.hazardClass == .note)
    #expect(
      try scene.hazard(kind, count: nil)?.message
        == "Whether a foreign key of t always refers to a row of p was not examined.")
  }
}

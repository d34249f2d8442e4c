import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitReports

@Suite("Hazard SK108: values not storable in the new type")
struct NotStorableHazardTests {
  private let scene = HazardScene(
    from: "CREATE TABLE t (a, b);", to: "CREATE TABLE t (a INTEGER, b INTEGER AS (a) STORED) STRICT;")
  private let kind = RowCheckResults.Finding.Kind.notStorable(type: "INTEGER")

  @Test("rows are counted, and no consent is offered")
  func counted() throws {
    let hazard = try scene.hazard(kind, column: "a", count: 2)
    #expect(
      hazard
        == DescribedHazard(
          .notStorable, table: "t", column: "a", count: 2, samples: ["1", "2"],
          message: "2 rows of t.a hold a value that INTEGER cannot store.",
          remedy: "Declare a conversion for the column, or fix these rows first."))
    #expect(hazard?.hazardClass == .blocked)
    #expect(
      try scene.hazard(kind, column: "a", count: 1)?.message == "1 row of t.a holds a value that INTEGER cannot store.")
  }

  @Test("where every value can be stored there is nothing to say")
  func none() throws {
    #expect(try scene.hazard(kind, column: "a", count: 0) == nil)
  }

  @Test("values that nobody tried are left to SQLite")
  func uncounted() throws {
    let hazard = try scene.hazard(kind, column: "a", count: nil)
    #expect(
      hazard
        == DescribedHazard(
          .notStorable, table: "t", column: "a",
          message: "Whether INTEGER can store every value of t.a was not examined.",
          remedy: "SQLite refuses such rows while the plan runs, and everything is then rolled back; plan without "
            + "--quick (or from a dump with rows) to know before.", isNote: true
        ).uncounted)
    #expect(hazard?.hazardClass == .note)
  }

  @Test("a computed column stays blocked, whose values SQLite does not test")
  func computed() throws {
    let hazard = try scene.hazard(kind, column: "b", count: nil)
    #expect(hazard?.hazardClass == .blocked)
    #expect(
      hazard?.remedy == "SQLite would not refuse such rows here; plan without --quick (or from a dump with rows).")
  }
}

import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitReports

@Suite("Hazard SK107: rows failing a new CHECK")
struct FailingCheckHazardTests {
  private let scene = HazardScene()
  private let failing = RowCheckResults.Finding.Kind.failingCheck("a > 0")
  private let unprovable = RowCheckResults.Finding.Kind.unprovable(
    condition: "The new CHECK (a > 0)", problem: "overflow")

  @Test("rows are counted, and no consent is offered")
  func counted() throws {
    let hazard = try scene.hazard(failing, count: 2)
    #expect(
      hazard
        == DescribedHazard(
          .failingCheck, table: "t", count: 2, samples: ["1", "2"], message: "2 rows of t fail the new CHECK (a > 0).",
          remedy: "Fix these rows first."))
    #expect(hazard?.hazardClass == .blocked)
    #expect(try scene.hazard(failing, count: 1)?.message == "1 row of t fails the new CHECK (a > 0).")
  }

  @Test("rows have nothing to mend in a column that comes with the change, and get something else there")
  func newColumn() throws {
    var scene = scene
    let kind = RowCheckResults.Finding.Kind.failingCheck("b > length(a)")
    scene.to = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b INT DEFAULT 0, CHECK (b > length(a)));"
    let new =
      "b comes with this change: declare another DEFAULT, or what the rows get: \"-- schemakit: fill EXPR\" on the "
    let remedy = try scene.hazard(kind, count: 1)?.remedy
    #expect(remedy == new + "line of the column, backfill(sql:) in a model. Or fix these rows first.")
    scene.to = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b INT DEFAULT 0 CHECK (b > 1));"
    #expect(try scene.hazard(.failingCheck("b > 1"), count: 1)?.remedy?.hasSuffix("in a model.") == true)
    scene.to = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT CHECK (a > 1));"
    #expect(try scene.hazard(.failingCheck("a > 1"), count: 1)?.remedy == "Fix these rows first.")
    scene.to = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, g AS (a * 2) CHECK (g < 10));"
    #expect(try scene.hazard(.failingCheck("g < 10"), count: 1)?.remedy == "Fix these rows first.")
    // Undoing has no declaration that could say more.
    scene.to = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b INT DEFAULT 0 CHECK (b > 1));"
    scene.hints.knownRenames = KnownRenames()
    #expect(try scene.hazard(.failingCheck("b > 1"), count: 1)?.remedy == "Fix these rows first.")
  }

  @Test("where every row passes there is nothing to say")
  func none() throws {
    #expect(try scene.hazard(failing, count: 0) == nil)
  }

  @Test("rows that nobody tested are left to SQLite")
  func uncounted() throws {
    let hazard = try scene.hazard(failing, count: nil)
    #expect(
      hazard
        == DescribedHazard(
          .failingCheck, table: "t", message: "Whether the rows of t pass the new CHECK (a > 0) was not examined.",
          remedy: "SQLite refuses such rows while the plan runs, and everything is then rolled back; plan without "
            + "--quick (or from a dump with rows) to know before.", isNote: true
        ).uncounted)
    #expect(hazard?.hazardClass == .note)
  }

  @Test("an engine that does not test rows against an added CHECK is not relied on")
  func olderEngine() throws {
    var scene = scene
    scene.engineChecksRows = false
    let hazard = try scene.hazard(failing, count: nil)
    #expect(hazard?.hazardClass == .blocked)
    #expect(
      hazard?.remedy == "SQLite would not refuse such rows here; plan without --quick (or from a dump with rows).")
  }

  @Test("an expression that fails blocks, with what SQLite said and without a count", arguments: [0, 2])
  func unprovable(count: Int) throws {
    let hazard = try scene.hazard(unprovable, column: "a", count: count)
    #expect(
      hazard
        == DescribedHazard(
          .failingCheck, table: "t", column: "a",
          message: "The new CHECK (a > 0) cannot be evaluated on the rows of t: overflow.",
          remedy: "Fix the expression in the declared schema, or the rows that it fails on."))
    #expect(hazard?.hazardClass == .blocked)
  }

  @Test("an expression that nobody evaluated is left to the apply without a word")
  func unevaluated() throws {
    #expect(try scene.hazard(unprovable, count: nil) == nil)
    #expect(try scene.hazard(.computed(by: "Index i"), count: nil) == nil)
    #expect(try scene.hazard(.computed(by: "Index i"), count: 2) == nil)
  }
}

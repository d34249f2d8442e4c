import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Hazard SK104: NULL under a new NOT NULL")
struct NullsUnderNotNullHazardTests {
  private func scene(_ columns: String, engineChecksRows: Bool = true) -> HazardScene {
    HazardScene(
      from: "CREATE TABLE t (a TEXT);", to: "CREATE TABLE t (\(columns));", engineChecksRows: engineChecksRows)
  }

  @Test("rows are counted, and no consent is offered")
  func counted() throws {
    let hazard = try scene("a TEXT NOT NULL").hazard(.nulls, column: "a", count: 2)
    #expect(
      hazard
        == DescribedHazard(
          .nullsUnderNotNull, table: "t", column: "a", count: 2, samples: ["1", "2"],
          message: "t.a becomes NOT NULL, but 2 rows would have NULL there.",
          remedy: "Declare a DEFAULT, or what they get: \"-- schemakit: fill EXPR\" on the line of the column, "
            + "backfill(sql:) in a model. Or give these rows a value first."))
    #expect(hazard?.hazardClass == .blocked)
  }

  @Test("one row is one row")
  func singular() throws {
    #expect(
      try scene("a TEXT NOT NULL").hazard(.nulls, column: "a", count: 1)?.message
        == "t.a becomes NOT NULL, but 1 row would have NULL there.")
  }

  @Test("where no row holds NULL there is nothing to say")
  func none() throws {
    #expect(try scene("a TEXT NOT NULL").hazard(.nulls, column: "a", count: 0) == nil)
  }

  @Test("rows that nobody looked at are left to SQLite, which refuses NULL")
  func uncounted() throws {
    let hazard = try scene("a TEXT NOT NULL").hazard(.nulls, column: "a", count: nil)
    #expect(
      hazard
        == DescribedHazard(
          .nullsUnderNotNull, table: "t", column: "a",
          message: "t.a becomes NOT NULL; whether rows would have NULL there was not examined.",
          remedy: "SQLite refuses such rows while the plan runs, and everything is then rolled back; plan without "
            + "--quick (or from a dump with rows) to know before.", isNote: true
        ).uncounted)
    #expect(hazard?.hazardClass == .note)
  }

  @Test("the rowid stays blocked, where SQLite would invent a number")
  func invented() throws {
    let hazard = try scene("a INTEGER PRIMARY KEY").hazard(.nulls, column: "a", count: nil)
    #expect(hazard?.hazardClass == .blocked)
    #expect(
      hazard?.remedy == "SQLite would not refuse such rows here; plan without --quick (or from a dump with rows).")
  }

  @Test("a computed column is left to an engine that tests rows, and to no other")
  func computed() throws {
    let columns = "a TEXT, b TEXT AS (a) NOT NULL"
    #expect(try scene(columns).hazard(.nulls, column: "b", count: nil)?.hazardClass == .note)
    let older = scene(columns, engineChecksRows: false)
    #expect(try older.hazard(.nulls, column: "b", count: nil)?.hazardClass == .blocked)
    #expect(try older.hazard(.nulls, column: "a", count: nil)?.hazardClass == .note)
  }

  @Test("nobody is told to declare a DEFAULT or a fill for a computed column")
  func wayOutOfComputed() throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a INT); INSERT INTO t VALUES (1, 1), (2, NULL)")
    let plan = try file.plan(
      to: "CREATE TABLE t (id INTEGER PRIMARY KEY, a INT, g INT AS (a + 1) STORED, h INT AS (g + 1) STORED NOT NULL)")
    let hazards = plan.hazards.filter { $0.code == .nullsUnderNotNull }
    #expect(hazards.map(\.column) == ["h"])
    #expect(
      hazards.first?.remedy
        == "Let the expression of t.h give a value for them, or give the columns that it reads one first.")
  }

  @Test("a constant default takes the place of every NULL; what an author's expression gives may be NULL")
  func filled() throws {
    #expect(try scene("a TEXT NOT NULL DEFAULT ''").hazard(.nulls, column: "a", count: nil) == nil)
    #expect(try scene("a TEXT, b INT NOT NULL DEFAULT 0").hazard(.nulls, column: "b", count: nil) == nil)
    #expect(try scene("a TEXT NOT NULL DEFAULT NULL").hazard(.nulls, column: "a", count: nil) != nil)
    var backfilled = scene("a TEXT NOT NULL DEFAULT ''")
    backfilled.hints = MigrationHints(tables: ["t": TableHints(columns: ["a": ColumnHints(backfill: "b")])])
    #expect(try backfilled.hazard(.nulls, column: "a", count: nil) != nil)
  }
}

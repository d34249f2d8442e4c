import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Hazard SK101: rows dropped with a table")
struct DroppedTableHazardTests {
  private let scene = HazardScene(from: "CREATE TABLE t (a); CREATE TABLE \"order\" (b);", to: "CREATE TABLE u (x);")

  @Test("rows are counted, and consent names the table")
  func counted() throws {
    let hazard = try scene.hazard(.droppedTable, count: 2)
    #expect(
      hazard
        == DescribedHazard(
          .droppedTable, table: "t", count: 2, samples: ["1", "2"], message: "Table t is dropped with 2 rows.",
          remedy: "Allow the drop with --allow SK101:t."))
    #expect(hazard?.hazardClass == .destructive)
    let quoted = try scene.hazard(.droppedTable, count: 1, table: "order")
    #expect(quoted?.message == "Table order is dropped with 1 row.")
    #expect(quoted?.remedy == "Allow the drop with --allow 'SK101:\"order\"'.")
  }

  @Test("an empty table is a note: others may hold rows")
  func empty() throws {
    let hazard = try scene.hazard(.droppedTable, count: 0)
    #expect(
      hazard
        == DescribedHazard(
          .droppedTable, table: "t", count: 0, message: "Table t is dropped; it is empty here.",
          remedy: "Allow the drop with --allow SK101:t."
        ).potential)
    #expect(hazard?.hazardClass == .note)
  }

  @Test("rows that nobody counted are lost all the same")
  func uncounted() throws {
    let hazard = try scene.hazard(.droppedTable, count: nil)
    #expect(
      hazard
        == DescribedHazard(
          .droppedTable, table: "t", message: "Table t is dropped with all rows; they were not counted.",
          remedy:
            "Plan without --quick (or from a dump with rows) to count what SQLite can read, or "
            + "allow it with --allow SK101:t."
        ).uncounted)
    #expect(hazard?.hazardClass == .destructive)
  }

  @Test("a declared removal consents to this table, in any spelling, and to no other")
  func declared() throws {
    var scene = scene
    scene.hints = MigrationHints(removedTables: ["T"])
    for count in [2, 0, nil] {
      #expect(try scene.hazard(.droppedTable, count: count)?.isConsentedByDeclaration == true)
      #expect(try scene.hazard(.droppedTable, count: count, table: "order")?.isConsentedByDeclaration == false)
    }
  }

  @Test("a table that looks renamed is told how to say so", arguments: [2, 0, nil])
  func guess(count: Int?) throws {
    let scene = HazardScene(from: "CREATE TABLE t (a, b);", to: "CREATE TABLE u (a, c);")
    #expect(
      try scene.hazard(.droppedTable, count: count)?.remedy?.hasPrefix(
        "If it was renamed, say so: \"-- schemakit: renamed from t\" on the CREATE TABLE line of u (or --rename t=u). ")
        == true)
  }

  @Test("a table whose new name is there already is told that nothing is renamed", arguments: [2, 0, nil])
  func idleRename(count: Int?) throws {
    var scene = HazardScene(from: "CREATE TABLE t (a); CREATE TABLE u (a);", to: "CREATE TABLE u (a);")
    scene.hints = MigrationHints(tables: ["u": TableHints(renamedFrom: ["t"])])
    let remedy = try scene.hazard(.droppedTable, count: count)?.remedy
    #expect(
      remedy?.hasPrefix(
        "u is declared as renamed from t, but u is there already, so nothing is renamed. To have the rows of t in u, "
          + "drop u first, in a change of its own, or copy them with INSERT. ") == true)
    #expect(remedy?.contains("--allow SK101:t") == true)
  }
}

import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Hazard SK102: values dropped with a column")
struct DroppedColumnHazardTests {
  private let scene = HazardScene(
    from: "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, \"to\" BLOB);",
    to: "CREATE TABLE t (id INTEGER PRIMARY KEY);")

  @Test("values are counted, and consent names the column")
  func counted() throws {
    let hazard = try scene.hazard(.droppedColumn, column: "a", count: 1)
    #expect(
      hazard
        == DescribedHazard(
          .droppedColumn, table: "t", column: "a", count: 1, samples: ["1"],
          message: "Column t.a is dropped with its values in 1 row.",
          remedy: "Allow the drop with --allow SK102:t.a."))
    #expect(hazard?.hazardClass == .destructive)
    #expect(
      try scene.hazard(.droppedColumn, column: "to", count: 1)?.remedy
        == "Allow the drop with --allow 'SK102:t.\"to\"'.")
  }

  @Test("a column without values is a note: others may hold some")
  func empty() throws {
    let hazard = try scene.hazard(.droppedColumn, column: "a", count: 0)
    #expect(
      hazard
        == DescribedHazard(
          .droppedColumn, table: "t", column: "a", count: 0,
          message: "Column t.a is dropped; it holds no value here.",
          remedy: "Allow the drop with --allow SK102:t.a."
        ).potential)
    #expect(hazard?.hazardClass == .note)
  }

  @Test("values that nobody counted are lost all the same")
  func uncounted() throws {
    let hazard = try scene.hazard(.droppedColumn, column: "a", count: nil)
    #expect(
      hazard
        == DescribedHazard(
          .droppedColumn, table: "t", column: "a", message: "Column t.a is dropped; its values were not counted.",
          remedy:
            "Plan without --quick (or from a dump with rows) to count what SQLite can read, or "
            + "allow it with --allow SK102:t.a."
        ).uncounted)
    #expect(hazard?.hazardClass == .destructive)
  }

  @Test("a declared removal consents to this column, in any spelling, and to no other")
  func declared() throws {
    var scene = scene
    scene.hints = MigrationHints(tables: ["T": TableHints(removedColumns: ["A"])])
    for count in [2, 0, nil] {
      #expect(try scene.hazard(.droppedColumn, column: "a", count: count)?.isConsentedByDeclaration == true)
      #expect(try scene.hazard(.droppedColumn, column: "to", count: count)?.isConsentedByDeclaration == false)
      #expect(
        try scene.hazard(.droppedColumn, column: "a", count: count, table: "u")?.isConsentedByDeclaration == false)
    }
  }

  @Test("a column that looks renamed is told how to say so", arguments: [2, 0, nil])
  func guess(count: Int?) throws {
    var scene = scene
    scene.to = "CREATE TABLE t (id INTEGER PRIMARY KEY, b TEXT);"
    #expect(
      try scene.hazard(.droppedColumn, column: "a", count: count)?.remedy?.hasPrefix(
        "If it was renamed, say so: \"-- schemakit: renamed from a\" on the line of b (or --rename t.a=t.b). ") == true)
  }

  @Test("a column whose new name is there already is told that nothing is renamed", arguments: [2, 0, nil])
  func idleRename(count: Int?) throws {
    var scene = HazardScene(
      from: "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT);",
      to: "CREATE TABLE t (id INTEGER PRIMARY KEY, b TEXT);")
    scene.hints = MigrationHints(tables: ["t": TableHints(columns: ["b": ColumnHints(renamedFrom: ["a"])])])
    let remedy = try scene.hazard(.droppedColumn, column: "a", count: count)?.remedy
    #expect(
      remedy?.hasPrefix(
        "b is declared as renamed from a, but b is there already, so nothing is renamed. To have the values of a in b, "
          + "drop b first, in a change of its own, or copy them with UPDATE. ") == true)
    #expect(remedy?.contains("--allow SK102:t.a") == true)
    scene.hints = MigrationHints()
    #expect(try scene.hazard(.droppedColumn, column: "a", count: count)?.remedy?.contains("declared") == false)
  }

  @Test("a column whose new name went to a newer former one is not said to have been there")
  func newerName() throws {
    var scene = HazardScene(
      from: "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT);",
      to: "CREATE TABLE t (id INTEGER PRIMARY KEY, b TEXT);")
    scene.hints = MigrationHints(tables: ["t": TableHints(columns: ["b": ColumnHints(renamedFrom: ["x", "a"])])])
    #expect(try scene.hazard(.droppedColumn, column: "a", count: 1)?.remedy == "Allow the drop with --allow SK102:t.a.")
  }
}

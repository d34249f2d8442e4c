import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitReports

@Suite("Hazard SK103: values changed by a conversion")
struct LossyConversionHazardTests {
  private let scene = HazardScene()
  private static let way =
    "\"-- schemakit: convert EXPR\" on the line of the column, converting(sql:) in a model"
  private let changed = RowCheckResults.Finding.Kind.lossyConversion(fromType: "TEXT", toType: "")

  @Test("values that change under the new type are counted, and consent names the column")
  func counted() throws {
    let hazard = try scene.hazard(changed, column: "a", count: 2)
    #expect(
      hazard
        == DescribedHazard(
          .lossyConversion, table: "t", column: "a", count: 2, samples: ["1", "2"],
          message: "2 rows of t.a hold a value that changes when TEXT becomes no type.",
          remedy: "Give a conversion with this change: \(Self.way). Or allow it with --allow SK103:t.a."))
    #expect(hazard?.hazardClass == .lossy)
    #expect(
      try scene.hazard(changed, column: "a", count: 1)?.message
        == "1 row of t.a holds a value that changes when TEXT becomes no type.")
  }

  @Test("a column that becomes a computed one has no conversion")
  func computed() throws {
    let computed = RowCheckResults.Finding.Kind.lossyConversion(fromType: "TEXT", toType: nil)
    let hazard = try scene.hazard(computed, column: "a", count: 2)
    #expect(
      hazard?.message == "2 rows of t.a hold a value that changes when TEXT becomes a computed column.")
    #expect(
      hazard?.remedy
        == "Keep the values in another column, or change the expression. Or allow it with --allow SK103:t.a.")
    #expect(try scene.hazard(computed, column: "a", count: 0)?.remedy == nil)
  }

  @Test("a type under which every value survives is a note: others may hold such that do not")
  func survives() throws {
    let hazard = try scene.hazard(changed, column: "a", count: 0)
    #expect(
      hazard
        == DescribedHazard(
          .lossyConversion, table: "t", column: "a", count: 0,
          message: "Column t.a changes from TEXT to no type; every value here survives.",
          remedy: "Where values would not survive, give a conversion with this change: \(Self.way)."
        ).potential
    )
    #expect(hazard?.hazardClass == .note)
  }

  @Test("a type under which nobody looked at the values is taken for lossy")
  func uncounted() throws {
    let hazard = try scene.hazard(changed, column: "a", count: nil)
    #expect(
      hazard
        == DescribedHazard(
          .lossyConversion, table: "t", column: "a",
          message: "Column t.a changes from TEXT to no type; whether every value survives was not examined.",
          remedy:
            "Plan without --quick (or from a dump with rows) to count what SQLite can read, or "
            + "allow it with --allow SK103:t.a."
        ).uncounted)
    #expect(hazard?.hazardClass == .lossy)
  }

  @Test("values that the declared conversion makes NULL of are counted")
  func emptied() throws {
    let hazard = try scene.hazard(.emptiedByConversion, column: "a", count: 2)
    #expect(
      hazard
        == DescribedHazard(
          .lossyConversion, table: "t", column: "a", count: 2, samples: ["1", "2"],
          message: "The conversion of t.a gives NULL for the values of 2 rows.",
          remedy: "Let the conversion keep them, fix these rows first, or allow it with --allow SK103:t.a."))
    #expect(hazard?.hazardClass == .lossy)
    #expect(
      try scene.hazard(.emptiedByConversion, column: "a", count: 1)?.message
        == "The conversion of t.a gives NULL for the value of 1 row.")
  }

  @Test("a conversion that empties no value is nothing to speak of")
  func emptiesNothing() throws {
    #expect(try scene.hazard(.emptiedByConversion, column: "a", count: 0) == nil)
  }

  @Test("a conversion that nobody tried is taken for lossy")
  func untried() throws {
    let hazard = try scene.hazard(.emptiedByConversion, column: "a", count: nil)
    #expect(
      hazard
        == DescribedHazard(
          .lossyConversion, table: "t", column: "a",
          message: "Whether the conversion of t.a gives NULL for a value was not examined.",
          remedy:
            "Plan without --quick (or from a dump with rows) to count what SQLite can read, or "
            + "allow it with --allow SK103:t.a."
        ).uncounted)
    #expect(hazard?.hazardClass == .lossy)
  }

  @Test("a declared removal of the column is not consent to a change of its values")
  func declared() throws {
    var scene = scene
    scene.hints = MigrationHints(tables: ["t": TableHints(removedColumns: ["a"])], removedTables: ["t"])
    #expect(try scene.hazard(changed, column: "a", count: 2)?.isConsentedByDeclaration == false)
  }

  @Test("a conversion done before is a note where every value is of the new kind, and requires consent elsewhere")
  func unconverted() throws {
    let kind = RowCheckResults.Finding.Kind.unconverted(type: "INTEGER")
    let note = try scene.hazard(kind, column: "a", count: 0)
    #expect(note?.hazardClass == .note)
    #expect(
      note?.message
        == "The conversion of t.a counts as done in this file and is not done again; the values are taken over as they are."
    )
    let hazard = try scene.hazard(kind, column: "a", count: 2)
    #expect(hazard?.hazardClass == .lossy)
    #expect(hazard?.message.hasSuffix("is not done again, but 2 rows hold a value that is not INTEGER.") == true)
    #expect(hazard?.remedy?.hasSuffix("allow it with --allow SK103:t.a.") == true)
    #expect(try scene.hazard(kind, column: "a", count: nil)?.hazardClass == .lossy)
    let since = RowCheckResults.Finding.Kind.unconvertedSince(type: "TEXT")
    #expect(try scene.hazard(since, column: "a", count: 0)?.hazardClass == .note)
    #expect(try scene.hazard(since, column: "a", count: 1)?.hazardClass == .lossy)
    #expect(try scene.hazard(since, column: "a", count: nil)?.hazardClass == .lossy)
  }

  @Test("beside a conversion that is not done again, nobody is told that all is well, nor to give one")
  func besideApplied() throws {
    var hint = ColumnHints(conversion: "a * 2")
    hint.appliedConversion = "a * 2"
    var scene = scene
    scene.hints = MigrationHints(tables: ["t": TableHints(columns: ["a": hint])])
    #expect(try scene.hazard(changed, column: "a", count: 0) == nil)
    #expect(
      try scene.hazard(changed, column: "a", count: 1)?.remedy
        == "Write another conversion. Or allow it with --allow SK103:t.a.")
  }

  @Test("texts that stay texts in a column of numbers are a note; nothing is said where there are none")
  func stray() throws {
    let kind = RowCheckResults.Finding.Kind.stray(type: "REAL")
    let hazard = try scene.hazard(kind, column: "a", count: 1)
    #expect(hazard?.hazardClass == .note)
    #expect(
      hazard?.message == "1 row of t.a holds a value that is not a number and stays as it is under REAL.")
    #expect(hazard?.remedy?.hasSuffix("give a conversion with this change: \(Self.way).") == true)
    #expect(try scene.hazard(kind, column: "a", count: 0) == nil)
    #expect(try scene.hazard(kind, column: "a", count: nil) == nil)
  }

  @Test("texts that a conversion makes 0 of are counted, those that say 0 are not, and no row stops the change")
  func zeroed() throws {
    let file = try TemporaryDatabase(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT);
      INSERT INTO t VALUES (1, '12', 'yes'), (2, 'n/a', 'no'), (3, '', 'no'), (4, 'EUR 5', 'no'), (5, '0', 'no'), (6, ' 0,00', 'no'),
        (7, NULL, NULL), (8, '10', 'yes');
      """)
    let target = """
      CREATE TABLE t (id INTEGER PRIMARY KEY,
        a INTEGER, -- schemakit: convert CAST(a AS INTEGER) * 100
        b INTEGER -- schemakit: convert b = 'yes'
      );
      """
    let notes = try file.plan(to: target).hazards.filter { $0.message.contains("turns into 0") }
    #expect(notes.map(\.object) == ["t.a"] && notes.map(\.hazardClass) == [.note], "\(notes)")
    #expect(notes.first?.count == 3 && notes.first?.samples == ["2", "3", "4"])
    #expect(
      notes.first?.message
        == "3 rows of t.a hold text that is not a number, which the conversion turns into 0.")
    try file.migrate(to: target)
    try file.expectSettled(at: target)
    let still = RowCheckResults.Finding.Kind.zeroedByConversion
    #expect(try scene.hazard(still, column: "a", count: 0) == nil)
    #expect(try scene.hazard(still, column: "a", count: nil) == nil)
  }
}

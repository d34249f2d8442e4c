import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitReports

@Suite("Hazard SK205: row numbers that change or go")
struct RenumberedRowsHazardTests {
  private let scene = HazardScene()

  @Test("rows that get another rowid are counted, and consent names the table")
  func counted() throws {
    let hazard = try scene.hazard(.renumberedRows(wasKey: false), count: 2)
    #expect(
      hazard
        == DescribedHazard(
          .renumberedRows, table: "t", count: 2, samples: ["1", "2"], message: "2 rows of t get another rowid.",
          remedy: "If nothing refers to them, allow it with --allow SK205:t."))
    #expect(hazard?.hazardClass == .lossy)
    #expect(
      try scene.hazard(.renumberedRows(wasKey: false), count: 1)?.message == "1 row of t gets another rowid.")
  }

  @Test("rows that keep their key are a note")
  func keyed() throws {
    let hazard = try scene.hazard(.renumberedRows(wasKey: true), count: 2)
    #expect(
      hazard
        == DescribedHazard(
          .renumberedRows, table: "t", count: 2, samples: ["1", "2"],
          message: "The key of t becomes its rowid; 2 rows had another one.",
          remedy: "Nothing in the file keeps rowids of t; a program that does must look them up again.", isNote: true))
    #expect(hazard?.hazardClass == .note)
  }

  @Test("rowids that go need consent where something in the file follows them, and are a note elsewhere")
  func dropped() throws {
    let hazard = try scene.hazard(.droppedRowIDs(isFollowed: true), count: 2)
    #expect(
      hazard
        == DescribedHazard(
          .renumberedRows, table: "t", count: 2, samples: ["1", "2"],
          message: "The rowids of 2 rows go: t becomes WITHOUT ROWID.",
          remedy: "If nothing refers to them, allow it with --allow SK205:t."))
    #expect(hazard?.hazardClass == .lossy)
    #expect(try scene.hazard(.droppedRowIDs(isFollowed: false), count: 2)?.hazardClass == .note)
  }

  static let kinds: [(RowCheckResults.Finding.Kind, String, HazardClass)] = [
    (.renumberedRows(wasKey: false), "Rows of t may get another rowid; that was not examined.", .lossy),
    (.renumberedRows(wasKey: true), "Rows of t may get another rowid; that was not examined.", .note),
    (.droppedRowIDs(isFollowed: true), "The rowids go: t becomes WITHOUT ROWID.", .lossy),
    (.droppedRowIDs(isFollowed: false), "The rowids go: t becomes WITHOUT ROWID.", .note),
  ]

  @Test("where no row gets another rowid there is nothing to say", arguments: kinds.indices)
  func none(index: Int) throws {
    #expect(try scene.hazard(Self.kinds[index].0, count: 0) == nil)
  }

  @Test("rows that nobody looked at are taken for renumbered", arguments: kinds.indices)
  func uncounted(index: Int) throws {
    let (kind, message, hazardClass) = Self.kinds[index]
    let hazard = try scene.hazard(kind, count: nil)
    #expect(
      hazard
        == DescribedHazard(
          .renumberedRows, table: "t", message: message,
          remedy:
            "Plan without --quick (or from a dump with rows) to count what SQLite can read, or "
            + "allow it with --allow SK205:t.",
          isNote: hazardClass == .note
        ).uncounted)
    #expect(hazard?.hazardClass == hazardClass)
  }

  @Test("a declared removal of the table is not consent to new numbers")
  func declared() throws {
    var scene = scene
    scene.hints = MigrationHints(removedTables: ["t"])
    #expect(try scene.hazard(.renumberedRows(wasKey: false), count: 2)?.isConsentedByDeclaration == false)
  }
}

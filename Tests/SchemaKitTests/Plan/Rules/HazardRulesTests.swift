import Testing

@testable import SchemaKit

@Suite("HazardRules")
struct HazardRulesTests {
  static let diff = try? SchemaText.diff(
    "CREATE TABLE t (id INTEGER PRIMARY KEY, old TEXT, gone BLOB); CREATE TABLE person (id INT, name TEXT, born INT);",
    "CREATE TABLE t (id INTEGER PRIMARY KEY, new TEXT); CREATE TABLE people (id INT, name TEXT, born INT);")

  private func hazards(
    _ kind: TableFacts.Finding.Kind, column: SQLName? = "old", count: Int, table: SQLName = "t",
    hints: MigrationHints = MigrationHints()
  ) throws -> [Hazard] {
    let finding = TableFacts.Finding(kind: kind, column: column, count: count, samples: count == 0 ? [] : ["7"])
    return HazardRules(diff: try #require(Self.diff), hints: hints)
      .hazards(of: table, facts: TableFacts(rowCount: 9, findings: [finding]))
  }

  static let kinds: [(TableFacts.Finding.Kind, HazardCode, HazardClass)] = [
    (.droppedTable, .droppedTable, .destructive), (.droppedColumn, .droppedColumn, .destructive),
    (.lossyConversion(fromType: "TEXT", toType: ""), .lossyConversion, .lossy),
    (.nulls, .nullsUnderNotNull, .blocked), (.duplicates(of: "UNIQUE (a)"), .duplicates, .blocked),
    (.orphans(parent: "p"), .orphans, .blocked), (.failingCheck("a > 0"), .failingCheck, .blocked),
    (.notStorable(type: "INTEGER"), .notStorable, .blocked),
    (.renumberedRows(wasKey: false), .renumberedRows, .lossy), (.renumberedRows(wasKey: true), .renumberedRows, .note),
    (.droppedRowIDs(isFollowed: true), .renumberedRows, .lossy),
    (.droppedRowIDs(isFollowed: false), .renumberedRows, .note),
    (.unprovable(condition: "The new CHECK", problem: "overflow"), .failingCheck, .blocked),
  ]

  @Test("each finding in rows becomes its hazard, with count, samples, a message and a way out")
  func findings() throws {
    for (kind, code, hazardClass) in Self.kinds {
      let hazard = try #require(try hazards(kind, count: 2).first, "\(kind)")
      #expect(hazard.code == code)
      #expect(hazard.hazardClass == hazardClass, "\(kind)")
      if case .unprovable = kind {
        #expect(hazard.message.contains("overflow"))
      } else {
        #expect(hazard.count == 2)
        #expect(hazard.samples == ["7"])
        #expect(hazard.message.contains("2 rows") || code == .droppedColumn, "\(hazard.message)")
      }
      #expect(hazard.message.contains("t"))
      #expect(hazard.remedy?.hasSuffix(".") == true)
    }
  }

  @Test("one row is one row")
  func singular() throws {
    #expect(try hazards(.nulls, count: 1).first?.message == "t.old becomes NOT NULL, but 1 row would have NULL there.")
  }

  @Test("where no row is concerned, losses are potential and the rest is nothing")
  func noRows() throws {
    for (kind, code, _) in Self.kinds {
      if case .unprovable = kind { continue }
      let hazard = try hazards(kind, count: 0).first
      let isLoss = [.droppedTable, .droppedColumn, .lossyConversion].contains(code)
      #expect((hazard != nil) == isLoss, "\(kind)")
      #expect(hazard?.isPotential ?? true)
      #expect(hazard?.hazardClass ?? .note == .note)
    }
  }

  @Test("consent in the declaration is found under the object's own name")
  func declaredConsent() throws {
    let hints = MigrationHints(tables: ["T": TableHints(removedColumns: ["OLD"])], removedTables: ["Person"])
    #expect(try hazards(.droppedColumn, count: 1, hints: hints).map(\.isConsentedByDeclaration) == [true])
    #expect(
      try hazards(.droppedColumn, column: "gone", count: 1, hints: hints).map(\.isConsentedByDeclaration) == [false])
    #expect(
      try hazards(.droppedTable, column: nil, count: 1, table: "person", hints: hints).map(\.isConsentedByDeclaration)
        == [true])
    #expect(try hazards(.droppedTable, column: nil, count: 1, hints: hints).map(\.isConsentedByDeclaration) == [false])
  }

  @Test("a likely rename is offered as a hint, and only where the shapes fit")
  func guesses() throws {
    let diff = try #require(Self.diff)
    #expect(RenameGuess.column("old", of: "t", in: diff)?.contains("t.old=t.\"new\"") == false)
    #expect(RenameGuess.column("old", of: "t", in: diff)?.contains("--rename t.old=t.new") == true)
    #expect(RenameGuess.column("gone", of: "t", in: diff) == nil)
    #expect(RenameGuess.table("person", in: diff)?.contains("--rename person=people") == true)
    #expect(RenameGuess.table("t", in: diff) == nil)
  }
}

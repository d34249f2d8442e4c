import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Evolution B of the notes: renaming, converting, a new key")
struct ReshapingEvolutionTests {
  @Test("without hints, renamed columns are values to lose, and nothing happens")
  func refusedWithoutHint() throws {
    let database = try LegacyNotes.adopted()
    let before = try database.bytes
    let hazards = try database.refusal(of: ReshapedNotes.v2WithoutHints)
    #expect(hazards.map(\.object).sorted() == ["Note.text", "Note.textColor"])
    #expect(hazards.allSatisfy { $0.code == .droppedColumn && $0.count == 3 })
    #expect(try database.bytes == before)
  }

  @Test("a column that only gets another name is renamed in place, and views and triggers follow")
  func renames() throws {
    let database = try LegacyNotes.adopted()
    try database.exec(
      """
      CREATE VIEW bodies AS SELECT noteID, text FROM Note;
      CREATE TABLE edits (noteID, before);
      CREATE TRIGGER note_edited AFTER UPDATE OF text ON Note BEGIN
        INSERT INTO edits VALUES (new.noteID, old.text); END;
      """)
    let plan = try database.plan(to: ReshapedNotes.renamedOnly)
    #expect(plan.outline == ["native table Note"])
    #expect(plan.statements.map(\.sql) == [#"ALTER TABLE "main"."Note" RENAME COLUMN "text" TO "body""#])
    try database.open(ReshapedNotes.renamedOnly)
    try database.exec("UPDATE Note SET body = 'Milk' WHERE noteID = 1457000000")
    #expect(try database.query("SELECT * FROM edits") == [[.int(1_457_000_000), .text("Milk and bread")]])
    #expect(try database.query("SELECT * FROM bodies ORDER BY 1").first == [.int(1_457_000_000), .text("Milk")])
  }

  @Test("with hints, columns are renamed and one is converted, and views and triggers stay")
  func versionTwo() throws {
    let database = try LegacyNotes.adopted()
    try database.exec(
      """
      CREATE VIEW titles AS SELECT noteID, title FROM Note;
      CREATE TABLE edits (noteID, title);
      CREATE TRIGGER note_titled AFTER UPDATE OF title ON Note BEGIN
        INSERT INTO edits VALUES (new.noteID, old.title); END;
      """)
    let plan = try database.plan(to: ReshapedNotes.v2)
    #expect(plan.refusals(under: .lossless) == [])
    #expect(plan.statements.contains { $0.sql == #"ALTER TABLE "main"."Note" RENAME COLUMN "text" TO "body""# })
    #expect(plan.steps.count { $0.strategy == .rebuild } == 1)
    try database.open(ReshapedNotes.v2)
    #expect(
      try database.query("SELECT textColorHex, wordCount, fontSize FROM Note ORDER BY noteID")
        == [
          [.text("#000000FF"), .int(3), .real(15)], [.text("#0000FFFF"), .int(3), .real(21)],
          [.text("#FF0000FF"), .int(1), .real(28)],
        ])
    #expect(try database.value("SELECT body FROM Note WHERE noteID = 1457000120") == .text("🎉\na\0b c"))
    try database.exec("UPDATE Note SET title = 'Journey' WHERE title = 'Trip'")
    #expect(try database.query("SELECT * FROM edits") == [[.int(1_457_000_060), .text("Trip")]])
    #expect(try database.query("SELECT title FROM titles WHERE noteID = 1457000060") == [[.text("Journey")]])
  }

  @Test("a colour that cannot be read stops the conversion, names its row and leaves the file alone")
  func stopsAtUnreadableColour() throws {
    let database = try LegacyNotes.adopted()
    try database.exec("UPDATE Note SET textColor = x'0102' WHERE noteID = 1457000060")
    let before = try database.bytes
    let hazards = try database.refusal(of: ReshapedNotes.v2, allowing: .everything)
    #expect(hazards.map(\.code) == [.nullsUnderNotNull])
    #expect(hazards.first?.count == 1 && hazards.first?.samples == ["1457000060"])
    #expect(try database.bytes == before)
  }

  @Test("the key is replaced by one derived from it, and two columns become one")
  func versionThree() throws {
    let database = try LegacyNotes.adopted()
    try database.open(ReshapedNotes.v2)
    let plan = try database.plan(to: ReshapedNotes.v3)
    #expect(plan.refusals(under: .lossless) == [])
    #expect(plan.copiedRows == 3)
    try database.open(ReshapedNotes.v3)
    #expect(
      try database.query("SELECT id, legacyID, style, textColorHex FROM Note ORDER BY legacyID")
        == [
          [
            .text("00000000-0000-4000-8000-000056d80e40"), .int(1_457_000_000),
            .text(#"{"name":"Helvetica Neue","size":15.0}"#), .text("#000000FF"),
          ],
          [
            .text("00000000-0000-4000-8000-000056d80e7c"), .int(1_457_000_060),
            .text(#"{"name":"Futura","size":21.0}"#), .text("#0000FFFF"),
          ],
          [
            .text("00000000-0000-4000-8000-000056d80eb8"), .int(1_457_000_120),
            .text(#"{"name":"Georgia","size":28.0}"#), .text("#FF0000FF"),
          ],
        ])
    let before = try database.bytes
    guard case .warm = try database.open(ReshapedNotes.v3) else {
      Issue.record("the second run found something to do")
      return
    }
    #expect(try database.plan(to: ReshapedNotes.v3).isEmpty)
    #expect(try database.bytes == before)
  }

  @Test("a title that is too long is reported with its row before anything is changed")
  func stopsAtLongTitle() throws {
    let database = try LegacyNotes.adopted()
    try database.exec("UPDATE Note SET title = printf('%.201c', 'x') WHERE noteID = 1457000060")
    try database.open(ReshapedNotes.v2)
    let before = try database.bytes
    let hazards = try database.refusal(of: ReshapedNotes.v3, allowing: .everything)
    #expect(hazards.map(\.code) == [.failingCheck])
    #expect(hazards.first?.count == 1 && hazards.first?.samples == ["1457000060"])
    #expect(try database.bytes == before)
    try database.exec("UPDATE Note SET title = substr(title, 2) WHERE noteID = 1457000060")
    try database.open(ReshapedNotes.v3)
    #expect(try database.value("SELECT max(length(title)) FROM Note") == .int(200))
  }

  @Test("the way over version 2 and the direct way end in the same schema and data")
  func sameEnd() throws {
    let stepwise = try LegacyNotes.adopted()
    try stepwise.open(ReshapedNotes.v2)
    try stepwise.open(ReshapedNotes.v3)
    let direct = try LegacyNotes.adopted()
    try direct.open(ReshapedNotes.v3)
    let leap = try LegacyNotes.file()
    try leap.open(ReshapedNotes.v3, allowing: LegacyNotes.adoption)
    let contents = try stepwise.contents()
    #expect(contents.count { $0.hasPrefix("Note: ") } == 3)
    #expect(try direct.contents() == contents)
    #expect(try leap.contents() == contents)
  }
}

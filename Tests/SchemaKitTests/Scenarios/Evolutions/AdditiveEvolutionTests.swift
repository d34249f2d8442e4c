import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Evolution A of the notes: additions")
struct AdditiveEvolutionTests {
  @Test("two columns and an index come without a copy")
  func versionTwo() throws {
    let database = try LegacyNotes.adopted()
    let plan = try database.plan(to: AdditiveNotes.v2)
    #expect(plan.outline == ["native table Note", "create index Note_by_date"])
    #expect(plan.statements.count { $0.sql.contains(" ADD COLUMN ") } == 2)
    #expect(plan.statements.count == 3)
    #expect(plan.copiedRows == 0)
    try database.open(AdditiveNotes.v2)
    #expect(try database.query("SELECT DISTINCT isPinned, author FROM Note") == [[.int(0), .null]])
    let list = "SELECT noteID, title, creationDate, modificationDate FROM Note ORDER BY modificationDate DESC"
    #expect(try database.query("EXPLAIN QUERY PLAN " + list).contains { "\($0)".contains("Note_by_date") })
  }

  @Test("tables come with their foreign keys, an index is replaced, and an index made by hand stays")
  func versionThree() throws {
    let database = try LegacyNotes.adopted()
    try database.open(AdditiveNotes.v2)
    try database.exec("CREATE INDEX by_hand ON Note (fontName)")
    let plan = try database.plan(to: AdditiveNotes.v3)
    #expect(
      plan.outline == [
        "drop index Note_by_date", "create table Tag", "create table NoteTag", "create index Note_pinned",
        "create index Note_by_pin_and_date",
      ])
    #expect(plan.unmanaged == ["by_hand"])
    try database.open(AdditiveNotes.v3)
    #expect(
      try database.query("SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL ORDER BY 1")
        == [[.text("Note_by_pin_and_date")], [.text("Note_pinned")], [.text("by_hand")]])
    let raw = try database.reopened()
    try raw.exec(
      """
      PRAGMA foreign_keys = ON;
      INSERT INTO Tag (id, name) VALUES (1, 'home'), (2, 'work');
      INSERT INTO NoteTag VALUES (1457000000, 1), (1457000060, 1), (1457000060, 2);
      DELETE FROM Note WHERE noteID = 1457000000;
      """)
    #expect(try raw.rows("SELECT noteID, tagID FROM NoteTag ORDER BY 2").map { $0[1] } == [.int(1), .int(2)])
    try raw.exec("DELETE FROM Tag WHERE id = 1")
    #expect(try raw.rows("SELECT count(*) FROM Note") == [[.int(2)]])
    #expect(throws: RawSQLiteError.self) { try raw.exec("INSERT INTO Tag (name) VALUES ('WORK')") }
  }

  @Test("the way over version 2 and the direct way end in the same schema and data")
  func sameEnd() throws {
    let stepwise = try LegacyNotes.adopted()
    try stepwise.open(AdditiveNotes.v2)
    try stepwise.open(AdditiveNotes.v3)
    let direct = try LegacyNotes.adopted()
    try direct.open(AdditiveNotes.v3)
    let leap = try LegacyNotes.file()
    try leap.open(AdditiveNotes.v3, allowing: LegacyNotes.adoption)
    let contents = try stepwise.contents()
    #expect(contents.contains { $0.hasPrefix("Note: ") })
    #expect(try direct.contents() == contents)
    #expect(try leap.contents() == contents)
    #expect(try stepwise.value("SELECT count(*) FROM _schemakit_history") == .int(3))
  }

  @Test("an app of version 1 or 2 refuses the file that version 3 has left")
  func refusesNewerFile() throws {
    let database = try LegacyNotes.adopted()
    try database.open(AdditiveNotes.v2)
    try database.open(AdditiveNotes.v3)
    let before = try database.bytes
    for older in [NotesV1.schema, AdditiveNotes.v2] {
      #expect(throws: HistoryError.self) { try database.open(older, allowing: .everything) }
    }
    #expect(try database.bytes == before)
  }
}

import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Notes: opening, reopening, adopting an older file")
struct LegacyAdoptionTests {
  @Test("without a file, opening creates it with the declared table and one history entry")
  func coldStart() throws {
    let database = try TemporaryDatabase()
    try FileManager.default.removeItem(atPath: database.path)
    var plans: [MigrationPlan] = []
    do {
      let session = try Session(at: database.path, schema: NotesV1.schema) { $0.onPlan = { plans.append($0) } }
      #expect(try session.history().map(\.kind) == [.apply])
    }
    #expect(plans.map(\.summaryLines) == [["create Note: with 9 columns"]])
    #expect(try database.plan(to: NotesV1.schema).isEmpty)
    #expect(try database.value("SELECT count(*) FROM Note") == .int(0))
  }

  @Test("reopening changes no byte and does not even compare")
  func warmStart() throws {
    let database = try LegacyNotes.adopted()
    let cookie = try database.value("PRAGMA schema_version")
    let before = try database.bytes
    guard case .warm = try database.open(NotesV1.schema) else {
      Issue.record("the second opening compared the schemas")
      return
    }
    #expect(try database.bytes == before)
    #expect(try database.value("PRAGMA schema_version") == cookie)
  }

  @Test("reopening runs no statement that defines anything, even over a connection that forbids writing")
  func warmStartWritesNothing() throws {
    let database = try LegacyNotes.adopted()
    let connection = try SQLiteConnection(path: database.path, mode: .readOnly)
    guard case .warm = try Session(over: connection, schema: NotesV1.schema).openReport else {
      Issue.record("the second opening compared the schemas")
      return
    }
  }

  @Test("the plan for an older file is one copy of the table, names every difference and loses nothing")
  func legacyPlan() throws {
    let database = try LegacyNotes.file()
    let before = try database.bytes
    let plan = try database.plan(to: NotesV1.schema)
    #expect(plan.outline == ["rebuild table Note"])
    #expect(plan.copiedRows == 3)
    #expect(plan.refusals(under: LegacyNotes.adoption) == [])
    #expect(!plan.steps[0].changes.contains { $0.hasPrefix("drop column") })
    #expect(
      plan.steps[0].changes == [
        "column noteID: NUMERIC → INTEGER",
        "column title: NOT NULL",
        "column text: NOT NULL",
        "column textColor: NOT NULL",
        "column fontName: NOT NULL, DEFAULT 'Helvetica Neue'",
        "column fontSize: NUMERIC → REAL, NOT NULL, DEFAULT 15.0",
        "column creationDate: NOT NULL",
        "column modificationDate: NOT NULL",
        "primary key (noteID) is the rowid",
        "add CHECK (length(title) > 0)",
        "add CHECK (length(text) > 0)",
      ])
    #expect(try database.bytes == before)
  }

  @Test("adopting keeps every value, and the key becomes the rowid")
  func adopts() throws {
    let database = try LegacyNotes.file()
    let query = """
      SELECT noteID, title, text, textColor, fontName, CAST(fontSize AS REAL), creationDate, modificationDate,
        imagesData
      FROM Note ORDER BY noteID
      """
    let before = try database.query(query)
    try database.open(NotesV1.schema, allowing: LegacyNotes.adoption)
    #expect(try database.query(query) == before)
    #expect(before.count == 3 && before[2][2] == .text("🎉\na\0b c"))
    #expect(try database.query("SELECT rowid FROM Note ORDER BY 1") == before.map { [$0[0]] })
    #expect(try database.value("SELECT group_concat(DISTINCT typeof(fontSize)) FROM Note") == .text("real"))
    #expect(throws: RawSQLiteError.self) { try database.exec("UPDATE Note SET title = NULL") }
  }

  @Test("NULL in a required field stops the plan and names the rows")
  func stopsAtNull() throws {
    let database = try LegacyNotes.file()
    try database.exec("UPDATE Note SET title = NULL WHERE noteID > 1457000000")
    let before = try database.bytes
    let hazards = try database.refusal(of: NotesV1.schema, allowing: .everything)
    #expect(hazards.map(\.code) == [.nullsUnderNotNull])
    #expect(hazards.first?.object == "Note.title" && hazards.first?.count == 2)
    #expect(hazards.first?.samples == ["1457000060", "1457000120"])
    #expect(try database.bytes == before)
  }

  @Test("NULL in a required field takes the default where there is one, and a declared fill where there is none")
  func fillsNull() throws {
    let database = try LegacyNotes.file()
    try database.exec("UPDATE Note SET title = NULL, fontName = NULL WHERE noteID = 1457000060")
    let declared = try NotesV1.schema.declaration().statements.map(\.sql).joined(separator: ";\n")
    let lines = declared.split(separator: "\n").map { line in
      line.contains("\"title\"") || line.contains(" title ")
        ? "\(line) -- schemakit: fill 'Note ' || noteID" : String(line)
    }
    try database.migrate(to: lines.joined(separator: "\n"), allowing: LegacyNotes.adoption)
    #expect(
      try database.query("SELECT title, fontName FROM Note WHERE noteID = 1457000060")
        == [[.text("Note 1457000060"), .text("Helvetica Neue")]])
    #expect(try database.value("SELECT title FROM Note WHERE noteID = 1457000000") == .text("Groceries"))
  }
}

import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Notes script, step 17: the file that the older library left")
struct NotesAdoptionTests {
  @Test("its plan is one copy of the table without a lost column, and names every difference and no other")
  func plan() throws {
    let file = try LegacyNotesFile.make()
    let plan = try file.plan(to: NotesScript.schema)
    #expect(plan.outline == ["rebuild table Note"])
    #expect(plan.copiedRows == 3)
    #expect(plan.refusals(under: .lossless) == [])
    #expect(
      plan.steps.first?.changes == [
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
  }

  @Test("every value of every note is loaded, archived images too, and the key becomes the rowid")
  func adopts() async throws {
    let file = try LegacyNotesFile.make()
    let db = try await Database(at: file.path, schema: NotesScript.schema)
    var expected = [NotesScript.first, NotesScript.second, NotesScript.third]
    // The older app archived a marker for no images.
    expected[0].images = []
    #expect(try await db.all(ScriptNote.self, orderBy: { [$0.noteID.ascending] }) == expected)
    #expect(try file.query("SELECT rowid FROM Note ORDER BY 1") == expected.map { [.int($0.noteID)] })
    #expect(try await db.history().map(\.kind) == [.apply])
  }

  @Test("rows without a required value stop it with their keys, unless a value is declared for them")
  func missingValues() throws {
    let file = try LegacyNotesFile.make()
    try file.exec("UPDATE Note SET title = NULL WHERE noteID > 1457000000")
    let before = try file.bytes
    let hazards = try file.refusal(of: NotesScript.schema, allowing: .everything)
    #expect(hazards.map(\.code) == [.nullsUnderNotNull])
    #expect(hazards.first?.object == "Note.title")
    #expect(hazards.first?.samples == ["1457000060", "1457000120"])
    #expect(try file.bytes == before)
    let session = try Session(at: file.path, schema: ModelSchema { Filled.self })
    #expect(
      try session.all(Filled.self, orderBy: { [$0.noteID.ascending] }).map(\.title)
        == ["Groceries", "Note 1457000060", "Note 1457000120"])
  }

  @Test("an image that a note of the older app drops is reported, and its file removed")
  func archivedNamesAreFollowed() async throws {
    let file = try LegacyNotesFile.make()
    let removed = Gathered<[String]>()
    let db = try await Database(at: file.path, schema: NotesScript.schema) {
      $0.onAttachmentsRemoved = { removed.append($0.map(\.id)) }
    }
    try await db.run { session in
      for name in ["img_1457000060_0", "img_1457000060_1", "img_1457000120_0"] {
        _ = try session.attachments.store(Data([1]), as: name)
      }
    }
    try await db.delete(ScriptNote.self, key: NotesScript.second.noteID)
    #expect(removed.all == [["img_1457000060_0", "img_1457000060_1"]])
    #expect(try await db.run { try $0.attachments.report() } == AttachmentReport(orphans: [], missing: []))
  }

  /// A part of the note that declares what a missing title becomes, and leaves the other columns as they are.
  private struct Filled: Model {
    let noteID: Int64
    let title: String
    let text: String?
    let textColor: Data?
    let fontName: String?
    let fontSize: Double?
    let creationDate: Date?
    let modificationDate: Date?
    let imagesData: Data?

    static let table = ModelTable("Note", as: Self.init) {
      Column("noteID", \.noteID).primaryKey()
      Column("title", \.title).backfill(sql: "'Note ' || noteID")
      Column("text", \.text)
      Column("textColor", \.textColor)
      Column("fontName", \.fontName)
      Column("fontSize", \.fontSize)
      Column("creationDate", \.creationDate)
      Column("modificationDate", \.modificationDate)
      Column("imagesData", \.imagesData)
    }
  }
}

/// The file of the older library with the three notes, their images in real archives.
enum LegacyNotesFile {
  static func make() throws -> TemporaryDatabase {
    let file = try TemporaryDatabase(LegacyNotes.table)
    let notes = [NotesScript.first, NotesScript.second, NotesScript.third]
    let raw = try file.reopened()
    defer { raw.close() }
    try raw.run("INSERT INTO Note VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", binding: try notes.map { try row(of: $0) })
    return file
  }

  private static func row(of note: ScriptNote) throws -> [RawValue] {
    [
      .int(note.noteID), .text(note.title), .text(note.text), .blob([UInt8](note.textColor)), .text(note.fontName),
      .real(note.fontSize), .real(note.creationDate.timeIntervalSince1970),
      .real(note.modificationDate.timeIntervalSince1970),
      .blob([UInt8](try note.images.map { try LegacyArchive.data(of: $0) } ?? LegacyArchive.null())),
    ]
  }
}

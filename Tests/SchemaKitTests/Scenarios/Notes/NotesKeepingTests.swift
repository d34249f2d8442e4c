import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Notes script, steps 4 to 8: saving and loading")
struct NotesKeepingTests {
  @Test("4: an empty title is refused by a typed error that names the column, and nothing is stored")
  func rejectsEmptyTitle() async throws {
    let desk = try await NotesDesk()
    let error = await #expect(throws: RecordError.self) {
      try await desk.db.save(NotesScript.note(0, "", "Milk and bread"))
    }
    #expect(error?.violation == "CHECK Note.title")
    #expect(try desk.file.value("SELECT count(*) FROM Note") == .int(0))
  }

  @Test("5: three saves at once store three notes, each returned and loaded as it was, to the byte")
  func concurrentSaves() async throws {
    let desk = try await NotesDesk()
    let (db, notes) = (desk.db, [NotesScript.first, NotesScript.second, NotesScript.third])
    async let first = db.save(notes[0])
    async let second = db.save(notes[1])
    async let third = db.save(notes[2])
    #expect(try await [first, second, third] == notes)
    let reopened = try await Database(at: desk.file.path, schema: NotesScript.schema)
    #expect(try await reopened.all(ScriptNote.self, orderBy: { [$0.noteID.ascending] }) == notes)
    #expect(
      try desk.file.query("SELECT CAST(title AS BLOB), CAST(text AS BLOB) FROM Note WHERE noteID = 1457000120") == [
        [.blob(Array(#"O'Neil "quote" ; DROP"#.utf8)), .blob(Array("🎉\na\0b c".utf8))]
      ])
    #expect(try desk.file.value("SELECT imagesData FROM Note WHERE noteID = 1457000000") == .null)
  }

  @Test("6: inserting a second note with the same key is an error, and the first stays as it was")
  func duplicateKey() async throws {
    let desk = try await NotesDesk(NotesScript.first)
    let error = await #expect(throws: RecordError.self) {
      try await desk.db.save(NotesScript.note(0, "Another", "note"), .insert)
    }
    #expect(error?.violation == "PRIMARY KEY Note.noteID")
    #expect(try await desk.db.all(ScriptNote.self) == [NotesScript.first])
  }

  @Test("7: the list is read newest first, and SQLite's program for it takes no BLOB out of the rows")
  func projection() async throws {
    let desk = try await NotesDesk(NotesScript.first, NotesScript.second, NotesScript.third)
    let trace = try StatementTrace(desk.file.path)
    let session = try Session(over: trace.connection, schema: NotesScript.schema)
    trace.clear()
    let list = try session.select(
      ScriptNote.self, { ($0.noteID, $0.title, $0.creationDate, $0.modificationDate) },
      orderBy: { [$0.modificationDate.descending] })
    #expect(list.map(\.1) == [NotesScript.third.title, "Trip", "Groceries"])
    #expect(list.map(\.2) == [NotesScript.date(120), NotesScript.date(60), NotesScript.date(0)])
    #expect(list.map(\.0) == [NotesScript.start + 120, NotesScript.start + 60, NotesScript.start])
    let sql = try #require(trace.statements.last)
    // The key is the rowid, which is no column of the stored row.
    #expect(try trace.columnsRead(by: sql, of: "Note") == ["title", "creationDate", "modificationDate"])
    trace.clear()
    _ = try session.all(ScriptNote.self)
    let whole = try #require(trace.statements.last)
    #expect(try trace.columnsRead(by: whole, of: "Note").isSuperset(of: ["textColor", "imagesData"]))
  }

  @Test("8: a note is found with its images in order, and one that is not there is nil")
  func loadsOne() async throws {
    let desk = try await NotesDesk(NotesScript.first, NotesScript.second)
    let found = try #require(try await desk.db.find(ScriptNote.self, NotesScript.start + 60))
    #expect(found == NotesScript.second)
    #expect(found.images?.map(\.imageName) == ["img_1457000060_0", "img_1457000060_1"])
    #expect(found.images?[1].frame == .init(x: 10, y: 160, width: 133, height: 200))
    #expect(try await desk.db.find(ScriptNote.self, Int64(999)) == nil)
  }
}

import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Notes script, steps 9 to 13: changing, deleting, following, taking back")
struct NotesChangingTests {
  private struct Regret: Error {}

  @Test("9: changing one note changes one row in the columns named, and moves it up in the list")
  func changes() async throws {
    let desk = try await NotesDesk(NotesScript.first, NotesScript.second, NotesScript.third)
    let before = try desk.file.query("SELECT * FROM Note ORDER BY noteID")
    var note = NotesScript.first
    note.text = "Milk, bread and tea"
    note.textColor = Data([0, 128, 0, 255])
    note.fontSize = 18
    note.modificationDate = NotesScript.date(300)
    note.title = "not to be stored"
    try await desk.db.update(note, \.text, \.textColor, \.fontSize, \.modificationDate)
    let after = try desk.file.query("SELECT * FROM Note ORDER BY noteID")
    #expect(after[1...] == before[1...])
    #expect(
      after[0] == [
        .int(1_457_000_000), .text("Groceries"), .text("Milk, bread and tea"), .blob([0, 128, 0, 255]),
        .text("Helvetica Neue"), .real(18), .real(1_457_000_000), .real(1_457_000_300), .null,
      ])
    #expect(try await desk.list() == [0, 120, 60])
  }

  @Test("9: saving a changed note keeps one row and its date of creation")
  func savesAgain() async throws {
    let desk = try await NotesDesk(NotesScript.first, NotesScript.second, NotesScript.third)
    var note = try #require(try await desk.db.find(ScriptNote.self, NotesScript.start))
    note.text = "Milk"
    note.modificationDate = NotesScript.date(300)
    #expect(try await desk.db.save(note) == note)
    #expect(try await desk.list() == [0, 120, 60])
    #expect(try await desk.db.find(ScriptNote.self, NotesScript.start)?.creationDate == NotesScript.date(0))
  }

  @Test("10: an image that a note drops is reported and its file removed; one that moves keeps its file")
  func changesImages() async throws {
    let desk = try await NotesDesk(NotesScript.first, NotesScript.second)
    #expect(try desk.imageFiles == ["img_1457000060_0", "img_1457000060_1"])
    var note = NotesScript.second
    note.images?.removeFirst()
    note.images?[0].frame.x = 77
    try await desk.db.save(note)
    #expect(try await desk.db.find(ScriptNote.self, note.noteID)?.images?.map(\.frame.x) == [77])
    #expect(desk.removed.all == [["img_1457000060_0"]])
    #expect(try desk.imageFiles == ["img_1457000060_1"])
    let report = try await desk.db.run { try $0.attachments.report() }
    #expect(report == AttachmentReport(orphans: [], missing: []))
  }

  @Test("11: a subscriber is told of every creation, change and deletion, in its own isolation and without asking")
  func changeStream() async throws {
    let desk = try await NotesDesk()
    let reader = ChangeReader()
    let stream = try await desk.db.changes(ScriptNote.self)
    let reading = Task { await reader.follow(stream, count: 5) }
    for note in [NotesScript.first, NotesScript.second, NotesScript.third] { try await desk.db.save(note) }
    try await desk.db.update(
      ScriptNote.self, set: { [$0.text.set("Milk")] }, where: { $0.noteID == NotesScript.start })
    try await desk.db.delete(NotesScript.third)
    await reading.value
    #expect(
      await reader.seen == [
        "insert 1457000000", "insert 1457000060", "insert 1457000120", "update 1457000000", "delete 1457000120",
      ])
  }

  @Test("12: deleting a note says 1 the first time and 0 the second, and its image is reported")
  func deletes() async throws {
    let desk = try await NotesDesk(NotesScript.first, NotesScript.second, NotesScript.third)
    let key = NotesScript.third.noteID
    #expect(try await desk.db.delete(ScriptNote.self, where: { $0.noteID == key }) == 1)
    #expect(try await desk.db.delete(ScriptNote.self, where: { $0.noteID == key }) == 0)
    #expect(try await desk.list() == [60, 0])
    #expect(desk.removed.all == [["img_1457000120_0"]])
    #expect(try desk.imageFiles == ["img_1457000060_0", "img_1457000060_1"])
  }

  @Test("13: notes of a transaction that throws are rolled back with their files, and the database goes on")
  func rollsBack() async throws {
    let desk = try await NotesDesk(NotesScript.first, NotesScript.second)
    await #expect(throws: Regret.self) {
      try await desk.db.transaction { session in
        _ = try session.attachments.store(Data([1]), as: "img_4")
        try session.save(NotesScript.note(400, "Four", "4"), NotesScript.note(500, "Five", "5"))
        throw Regret()
      }
    }
    #expect(try desk.file.value("SELECT count(*) FROM Note") == .int(2))
    #expect(try desk.imageFiles == ["img_1457000060_0", "img_1457000060_1"])
    try await desk.db.save(NotesScript.note(600, "Six", "6"))
    #expect(try await desk.list() == [600, 60, 0])
  }

  @Test("13: a savepoint that throws rolls back its own work only")
  func rollsBackSavepoint() async throws {
    let desk = try await NotesDesk(NotesScript.first, NotesScript.second)
    try await desk.db.transaction { session in
      try session.save(NotesScript.note(400, "Four", "4"))
      #expect(throws: Regret.self) {
        try session.savepoint {
          try session.save(NotesScript.note(500, "Five", "5"))
          throw Regret()
        }
      }
    }
    #expect(try await desk.list() == [400, 60, 0])
    #expect(try await desk.db.run { $0.connection.isInTransaction } == false)
  }
}

/// Reads changes in an isolation of its own.
private actor ChangeReader {
  private(set) var seen: [String] = []

  func follow(_ changes: AsyncStream<RecordChange<ScriptNote>>, count: Int) async {
    for await change in changes {
      assertIsolated()
      seen.append("\(change.kind) \(change.key)")
      if seen.count == count { return }
    }
  }
}

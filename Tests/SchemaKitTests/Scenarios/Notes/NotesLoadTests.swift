import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Notes script, steps 14 and 15: many notes, many tasks, another process")
struct NotesLoadTests {
  @Test("14: ten thousand notes saved in one call come back page by page, each of them once and in order")
  func bulk() async throws {
    let desk = try await NotesDesk()
    var random = SeededGenerator(seed: 14)
    let notes = (0..<10_000).map { number in
      var note = NotesScript.note(Int64(number), "Note \(number)", "Text \(number)")
      // Few different dates, so that the key has to decide.
      note.modificationDate = NotesScript.date(Int64(random.number(0...97)))
      return note
    }
    #expect(try await desk.db.save(notes.shuffled(using: &random)).count == 10_000)
    var keys: [Int64] = []
    var pages = 0
    var cursor: PageCursor?
    repeat {
      let page = try await desk.db.page(
        ScriptNote.self, size: 50, after: cursor, orderBy: { [$0.modificationDate.ascending, $0.noteID.ascending] })
      keys += page.items.map(\.noteID)
      pages += 1
      cursor = page.next
    } while cursor != nil
    let inOrder = notes.sorted { ($0.modificationDate, $0.noteID) < ($1.modificationDate, $1.noteID) }
    #expect(keys == inOrder.map(\.noteID), "\(random)")
    #expect(pages == 200)
  }

  @Test("15: eight tasks read and write until another process has locked the file thirty times, and no write is lost")
  func concurrency() async throws {
    let desk = try await NotesDesk(NotesScript.first)
    let db = desk.db
    let other = try KillProbe(arguments: ["lock", desk.file.path, "30", "20"])
    try #require(other.firstLine() == "locked", "the other process did not lock the file")
    let ended = Gathered<Bool>()
    async let work = withThrowingTaskGroup(of: Int.self) { group in
      for task in 1...8 {
        group.addTask {
          var increases = 0
          var turn = 0
          while turn < 200 || ended.all.isEmpty {
            switch turn % 4 {
            case 0 where turn < 200:
              try await db.save(NotesScript.note(Int64(task * 1000 + turn), "Task \(task)", "Turn \(turn)"))
            case 1:
              increases += try await db.update(
                ScriptNote.self, set: { [$0.fontSize.increase(by: 1)] }, where: { $0.noteID == NotesScript.start })
            case 2:
              let title = try await db.find(ScriptNote.self, NotesScript.start)?.title
              #expect(title == "Groceries")
            default:
              let count = try await db.count(ScriptNote.self, where: { $0.title == "Task \(task)" })
              #expect(count == min(turn, 199) / 4 + 1)
            }
            turn += 1
          }
          return increases
        }
      }
      return try await group.reduce(0, +)
    }
    while other.isRunning { try await Task.sleep(for: .milliseconds(5)) }
    ended.append(true)
    let increases = try await work
    let outcome = try other.wait()
    try #require(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(increases >= 8 * 50)
    #expect(try desk.file.value("SELECT count(*) FROM Note") == .int(1 + 8 * 50))
    #expect(
      try desk.file.value("SELECT fontSize FROM Note WHERE noteID = 1457000000") == .real(15 + Double(increases)))
    #expect(try desk.file.query("PRAGMA integrity_check") == [[.text("ok")]])
  }

  @Test("15: a write waits for a lock that goes, and fails as busy only when the timeout is over")
  func busyTimeout() async throws {
    let desk = try await NotesDesk(NotesScript.first)
    let impatient = try await Database(at: desk.file.path, schema: NotesScript.schema) { $0.busyTimeout = 0.2 }
    let other = try KillProbe(arguments: ["lock", desk.file.path, "held"])
    try #require(other.firstLine() == "locked", "the other process did not lock the file")
    let error = await #expect(throws: SQLiteError.self) { try await impatient.save(NotesScript.second) }
    #expect(error?.isBusy == true)
    #expect(try await impatient.find(ScriptNote.self, NotesScript.start) == NotesScript.first)
    let db = desk.db
    let saving = Task { try await db.save(NotesScript.third) }
    try await Task.sleep(for: .milliseconds(100))
    other.endInput()
    #expect(try await saving.value == NotesScript.third)
    #expect(try other.wait().exitCode == 0)
    #expect(try await impatient.save(NotesScript.second) == NotesScript.second)
    #expect(try await desk.list() == [120, 60, 0])
  }
}

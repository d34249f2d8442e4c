import CSQLite
import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Moving from other libraries, in the documentation")
struct DocumentedMovingTests {
  @Test("every call that a table names is compiled, and the plans are those that are shown")
  func tables() throws {
    let document = try Document("docs/moving.md")
    let examples = try SourceTree.swiftFiles(in: "Tests/SchemaKitTests/Documentation/Examples").map(\.text).joined()
    var count = 0
    for row in document.prose where row.hasPrefix("| `") {
      let cells = row.split(separator: "|")
      for match in cells[1].matches(of: /`([^`]+)`/) {
        count += 1
        #expect(examples.contains(match.output.1), "docs/moving.md names \(match.output.1)")
      }
    }
    #expect(count > 30)
    // The plans are those of one version, as in all documents.
    guard Engine.version.hasPrefix("3.40.") else { return }
    let shown = document.blocks.filter { $0.language == "text" }.map { $0.lines.joined(separator: "\n") }
    let baseball = try TemporaryDatabase(Self.block("baseball.sql", in: document))
    let pets = try TemporaryDatabase(Self.block("pets.sql", in: document))
    for plan in [try SwiftDataExample.look(pets.path), try SQLiteSwiftExample.look(baseball.path)] {
      #expect(shown.contains { Self.normalized($0) == Self.normalized(plan) }, "the plan is now:\n\(plan)")
    }
  }

  private static func block(_ name: String, in document: Document) throws -> String {
    try #require(document.blocks.first { $0.fileName == name }).lines.joined(separator: "\n")
  }

  private static func normalized(_ text: String) -> [String] {
    Transcript(["$ plan"] + text.split(separator: "\n").map { String($0) }).normalized
  }

  @Test("a file of SwiftyDB is adopted, its images become rows, and the calls work")
  func swiftyDB() async throws {
    let file = try TemporaryDatabase(Self.block("legacy.sql", in: Document("docs/moving.md")))
    let db = try await Database(at: file.path, schema: SwiftyDBExample.schema)
    #expect(
      try file.query("SELECT noteID, name, width FROM NoteImage ORDER BY id") == [
        [.int(1_457_000_060), .text("img_1457000060_0"), .real(200)],
        [.int(1_457_000_060), .text("img_1457000060_1"), .real(133)],
      ])
    #expect(try file.query("SELECT name FROM pragma_table_info('Note') WHERE name = 'imagesData'").isEmpty)
    let note = try #require(try await db.find(SwiftyDBExample.Note.self, 1_457_000_000))
    #expect(note.created == Date(timeIntervalSince1970: 1_457_000_000))
    let fifth = SwiftyDBExample.Note(
      noteID: 5, title: "Joh", text: "", textColor: nil, fontName: "Futura", fontSize: 15, created: note.created,
      modified: note.modified)
    #expect(try await SwiftyDBExample.calls(db, note, [note, fifth], fifth) == 9)
    #expect(try file.value("SELECT count(*) FROM Note") == .int(2))
  }

  @Test("an image that cannot be read keeps the file as it is")
  func unreadable() throws {
    let file = try TemporaryDatabase(Self.block("legacy.sql", in: Document("docs/moving.md")))
    try file.exec("UPDATE Note SET imagesData = x'00' WHERE noteID = 1457000060")
    let before = try file.query("SELECT * FROM Note")
    #expect(throws: ApplyError.self) { try Session(at: file.path, schema: SwiftyDBExample.schema) }
    #expect(try file.query("SELECT * FROM Note") == before)
  }

  @Test("a file of SwiftData is adopted, its dates and images too, and the calls work")
  func swiftData() throws {
    let file = try TemporaryDatabase(Self.block("pets.sql", in: Document("docs/moving.md")))
    let folder = file.folder.appendingPathComponent("SwiftDataImages")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data([7]).write(to: folder.appendingPathComponent("5D0E"))
    let session = try Session(at: file.path, schema: SwiftDataExample.schema)
    let pet = try #require(try session.find(SwiftDataExample.Pet.self, 1))
    let local = try file.value("SELECT CAST(strftime('%s', '2015-01-02 03:04:05', 'utc') AS REAL)")
    #expect(try file.value("SELECT born FROM Pets WHERE ID = 1") == local)
    #expect(pet.isTame == true && pet.photo == FileAttachment(id: "5D0E"))
    try SwiftDataExample.takeImages(from: folder.path, into: session)
    #expect(try session.attachments.data(of: FileAttachment(id: "5D0E")) == Data([7]))
    #expect(try SwiftDataExample.calls(session, "Ida", "name", Data([1])) == [3, 1, 3, 1, 1, 0])
    #expect(try SwiftDataExample.readOnly(file.path).count(SwiftDataExample.Pet.self) == 4)
  }

  @Test("a file made with SQLite.swift is adopted, owned or borrowed, and the calls work")
  func sqliteSwift() throws {
    let document = try Document("docs/moving.md")
    let file = try TemporaryDatabase(Self.block("baseball.sql", in: document))
    let session = try Session(at: file.path, schema: SQLiteSwiftExample.schema)
    let ada = try #require(try session.find(SQLiteSwiftExample.Player.self, 1))
    #expect(ada.position == .pitcher && ada.born == Date(timeIntervalSince1970: 315_532_800))
    var other = ada
    other.number = 95
    let copy = file.path + ".copy"
    #expect(try SQLiteSwiftExample.calls(session, ada, [other], copy) == [1, 2, 1, 1, 0, 2, 1, 2, 1, 1, 0, 0, 1])
    #expect(FileManager.default.fileExists(atPath: copy))

    let second = try TemporaryDatabase(Self.block("baseball.sql", in: document))
    var handle: OpaquePointer?
    #expect(sqlite3_open(second.path, &handle) == SQLITE_OK)
    let opened = try #require(handle)
    defer { sqlite3_close(opened) }
    #expect(try SQLiteSwiftExample.borrow(opened, String(cString: sqlite3_sourceid())).map(\.name) == ["Owls"])
    #expect(try second.value("SELECT count(*) FROM pragma_foreign_key_list('Players')") == .int(1))
  }
}

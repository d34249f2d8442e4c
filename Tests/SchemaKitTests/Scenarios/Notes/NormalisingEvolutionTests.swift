import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Evolution C of the notes: archives become rows")
struct NormalisingEvolutionTests {
  typealias NoteImage = NormalisedNotes.NoteImage
  typealias Notebook = NormalisedNotes.Notebook
  typealias NoteV3 = NormalisedNotes.NoteV3

  /// A file of version 1: the first note has the older app's marker for no images, a fourth has NULL.
  private func versionOne() throws -> TemporaryDatabase {
    let file = try LegacyNotesFile.make()
    try file.exec("INSERT INTO Note SELECT 7, 'Plain', 'x', x'00', 'Futura', 12, 7, 7, NULL")
    try file.open(NotesV1.schema)
    return file
  }

  private func images(_ file: TemporaryDatabase) throws -> [[RawValue]] {
    try file.query("SELECT noteID, position, x, y, width, height, imageName FROM NoteImage ORDER BY noteID, position")
  }

  private let expectedImages: [[RawValue]] = [
    [.int(1_457_000_060), .int(0), .real(0), .real(0), .real(200), .real(150), .text("img_1457000060_0")],
    [.int(1_457_000_060), .int(1), .real(10), .real(160), .real(133), .real(200), .text("img_1457000060_1")],
    [.int(1_457_000_120), .int(0), .real(5.5), .real(0), .real(64), .real(64), .text("img_1457000120_0")],
  ]

  @Test("version 2 makes a row of every archived image in order, and none of NULL and of the marker for none")
  func versionTwo() throws {
    let file = try versionOne()
    let notes = try file.query("SELECT * FROM Note ORDER BY noteID")
    let plan = try file.plan(to: NormalisedNotes.v2)
    #expect(plan.outline == ["create table NoteImage", "data data step split-images"])
    try file.open(NormalisedNotes.v2)
    #expect(try images(file) == expectedImages)
    #expect(try file.query("SELECT * FROM Note ORDER BY noteID") == notes)
    #expect(try file.query("PRAGMA foreign_key_check") == [])
    guard case .warm = try file.open(NormalisedNotes.v2) else {
      Issue.record("the second opening found something to do")
      return
    }
  }

  @Test("an archive that cannot be read is reported with its note, and nothing is changed", arguments: [2, 3])
  func corruptArchive(version: Int) throws {
    let file = try versionOne()
    try file.exec("UPDATE Note SET imagesData = substr(imagesData, 1, 40) WHERE noteID = 1457000120")
    let before = try file.contents()
    let schema = version == 2 ? NormalisedNotes.v2 : NormalisedNotes.v3
    let error = #expect(throws: ApplyError.self) { try file.open(schema, allowing: .everything) }
    guard case .dataStep(let name, let problem) = error?.reason else {
      Issue.record("another error: \(String(describing: error))")
      return
    }
    #expect(name == "split-images")
    #expect(problem.contains("the images of note 1457000120 cannot be read"))
    #expect(try file.contents() == before)
    #expect(try file.value("SELECT count(*) FROM _schemakit_history") == .int(1))
  }

  @Test("a step that is added later runs at the next open, once")
  func stepAddedLater() throws {
    let file = try versionOne()
    try file.open(NormalisedNotes.v2WithoutStep)
    #expect(try images(file) == [])
    try file.open(NormalisedNotes.v2)
    #expect(try images(file) == expectedImages)
    try file.exec("DELETE FROM NoteImage")
    try file.open(NormalisedNotes.v2)
    try file.open(NormalisedNotes.v3)
    #expect(try images(file) == [])
  }

  @Test("version 3 copies the notes into a table with a required notebook, and keeps the rows that refer to them")
  func versionThree() throws {
    let file = try versionOne()
    try file.open(NormalisedNotes.v2)
    let plan = try file.plan(to: NormalisedNotes.v3)
    #expect(plan.outline == ["create table Notebook", "data data step first-notebook", "rebuild table Note"])
    #expect(plan.copiedRows == 4)
    #expect(plan.refusals(under: .lossless) == [])
    try file.open(NormalisedNotes.v3)
    #expect(try images(file) == expectedImages)
    #expect(try file.query("SELECT id, name FROM Notebook") == [[.int(1), .text("Notes")]])
    #expect(try file.query("SELECT DISTINCT notebookID FROM Note") == [[.int(1)]])
    #expect(try file.value("SELECT count(*) FROM Note") == .int(4))
    #expect(try file.query("PRAGMA foreign_key_check") == [])
    #expect(try file.query("SELECT * FROM pragma_table_info('Note') WHERE name = 'imagesData'") == [])
  }

  @Test("the way over version 2, the direct way and the leap from the older library's file end alike")
  func sameEnd() throws {
    let stepwise = try versionOne()
    try stepwise.open(NormalisedNotes.v2)
    try stepwise.open(NormalisedNotes.v3)
    let direct = try versionOne()
    try direct.open(NormalisedNotes.v3)
    let leap = try LegacyNotesFile.make()
    try leap.exec("INSERT INTO Note SELECT 7, 'Plain', 'x', x'00', 'Futura', 12, 7, 7, NULL")
    try leap.open(NormalisedNotes.v3)
    let contents = try stepwise.contents().sorted()
    #expect(contents.count { $0.hasPrefix("NoteImage: ") } == 3)
    #expect(contents.count { $0.hasPrefix("Note: ") } == 4)
    #expect(try direct.contents().sorted() == contents)
    #expect(try leap.contents().sorted() == contents)
  }

  @Test("deleting goes two levels: a notebook with notes stays, and a note takes its images with it")
  func deletesOverTwoLevels() throws {
    let file = try versionOne()
    let session = try Session(at: file.path, schema: NormalisedNotes.v3)
    let error = #expect(throws: RecordError.self) { try session.delete(Notebook.self, key: 1) }
    #expect(error?.violation?.hasPrefix("FOREIGN KEY") == true)
    #expect(try session.delete(NoteV3.self, key: 1_457_000_060))
    #expect(try session.all(NoteImage.self).map(\.imageName) == ["img_1457000120_0"])
    try session.deleteAll(NoteV3.self)
    #expect(try session.count(NoteImage.self) == 0)
    #expect(try session.delete(Notebook.self, key: 1))
  }

  @Test("a new file gets the notebook that every file begins with, and no step for older files runs in it")
  func newFile() throws {
    let file = try TemporaryDatabase()
    let session = try Session(at: file.path, schema: NormalisedNotes.v3)
    #expect(try session.all(Notebook.self) == [Notebook(id: 1, name: "Notes")])
    try session.save(NoteV3(NotesScript.first, notebook: 1))
    #expect(throws: RecordError.self) { try session.save(NoteV3(NotesScript.second, notebook: 2)) }
    #expect(try file.open(NormalisedNotes.v3).isWarm)
  }
}

extension NormalisedNotes.NoteV3 {
  fileprivate init(_ note: ScriptNote, notebook: Int64) {
    self.init(
      noteID: note.noteID, title: note.title, text: note.text, textColor: note.textColor, fontName: note.fontName,
      fontSize: note.fontSize, creationDate: note.creationDate, modificationDate: note.modificationDate,
      notebookID: notebook)
  }
}

extension Session.OpenReport {
  /// Whether nothing was compared.
  fileprivate var isWarm: Bool { if case .warm = self { true } else { false } }
}

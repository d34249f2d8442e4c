import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Undo of the evolutions of the notes")
struct UndoEvolutionTests {
  /// A step of an evolution: the versions to open first, and the one to open and to undo.
  struct Step: Sendable, CustomTestStringConvertible {
    let name: String
    let first: [ModelSchema]
    let last: ModelSchema
    /// A column whose values the step converts for good.
    var converted: String?

    var testDescription: String { name }
  }

  static let steps = [
    Step(name: "A: v1 to v2", first: [NotesV1.schema], last: AdditiveNotes.v2),
    Step(name: "A: v2 to v3", first: [NotesV1.schema, AdditiveNotes.v2], last: AdditiveNotes.v3),
    Step(name: "A: v1 to v3", first: [NotesV1.schema], last: AdditiveNotes.v3),
    Step(name: "B: v1 to v2", first: [NotesV1.schema], last: ReshapedNotes.v2, converted: "textColor"),
    Step(name: "B: v2 to v3", first: [NotesV1.schema, ReshapedNotes.v2], last: ReshapedNotes.v3),
    Step(name: "B: v1 to v3", first: [NotesV1.schema], last: ReshapedNotes.v3, converted: "textColor"),
  ]

  @Test("restores the schema and, where it was kept, the data", arguments: steps)
  func step(_ step: Step) throws {
    let file = try LegacyNotes.file()
    for schema in step.first { try file.open(schema, allowing: .keepingEverything) }
    let before = try file.rowsAndColumns(without: step.converted)
    let fingerprint = try fingerprint(of: file)
    try file.open(step.last, allowing: .keepingEverything)
    #expect(try self.fingerprint(of: file) != fingerprint)
    let way = try MigrationUndo(at: file.path)
    #expect(way.losses.contains { $0.contains("converted") } == (step.converted != nil))
    try way.apply(allowing: .everything)
    #expect(try self.fingerprint(of: file) == fingerprint)
    #expect(try file.rowsAndColumns(without: step.converted) == before)
    if let former = step.first.last { #expect(try file.plan(to: former).isEmpty) }
    if step.converted == nil { try file.open(step.last, allowing: .keepingEverything) }
  }

  @Test("of evolution C, whose archives come back as they were, and its data step runs again", arguments: [2, 3])
  func normalised(version: Int) throws {
    let file = try LegacyNotesFile.make()
    try file.open(NotesV1.schema)
    let before = try file.rowsAndColumns()
    let fingerprint = try fingerprint(of: file)
    let schema = version == 2 ? NormalisedNotes.v2 : NormalisedNotes.v3
    try file.open(schema, allowing: .keepingEverything)
    let images = try file.query("SELECT * FROM NoteImage ORDER BY noteID, position")
    #expect(!images.isEmpty)
    let way = try MigrationUndo(at: file.path)
    #expect(way.losses.contains("What data step split-images did to the rows stays."))
    // The images that the step made go with their table.
    #expect(throws: PlanError.self) { try way.apply() }
    try MigrationUndo(at: file.path).apply(allowing: .everything)
    #expect(try self.fingerprint(of: file) == fingerprint)
    #expect(try file.rowsAndColumns() == before)
    try file.open(schema, allowing: .keepingEverything)
    #expect(try file.query("SELECT * FROM NoteImage ORDER BY noteID, position") == images)
  }

  private func fingerprint(of file: TemporaryDatabase) throws -> String {
    Fingerprint.of(try SchemaReader.read(SQLiteConnection.openedForInspection(path: file.path)))
  }
}

extension TemporaryDatabase {
  /// What the file holds apart from the spelling of its statements, which a rename there and back puts into quotes.
  ///
  /// - Parameter column: A column whose values are left out.
  func rowsAndColumns(without column: String? = nil) throws -> [String] {
    let copy = try TemporaryDatabase()
    try FileManager.default.removeItem(atPath: copy.path)
    try FileManager.default.copyItem(atPath: path, toPath: copy.path)
    if let column {
      for row in try copy.query(
        "SELECT m.name FROM sqlite_master m, pragma_table_info(m.name) c WHERE c.name = '\(column)'")
      {
        try copy.exec("UPDATE \"\(row[0].string ?? "")\" SET \"\(column)\" = ''")
      }
    }
    return try copy.contents().filter { !$0.contains("CREATE ") }.sorted()
  }

  @Test(
    "a file that was changed by others before the change is not taken for the former declaration", .needs(.dropColumn))
  func drifted() throws {
    let file = try TemporaryDatabase()
    _ = try Session(at: file.path, schema: Pets.two)
    try file.exec("ALTER TABLE pets DROP COLUMN age")
    _ = try Session(at: file.path, schema: Pets.withToys)
    try MigrationUndo(at: file.path).apply()
    #expect(try file.query("SELECT name FROM sqlite_master WHERE name IN ('pets', 'toys')") == [[.text("pets")]])
    let session = try Session(at: file.path, schema: Pets.two)
    #expect(session.outcome == .applied)
    #expect(try file.query("SELECT age FROM pets") == [])
  }

  @Test("a copy that leaves no trace of what was before says so when it is undone")
  func copiedOtherwise() throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, code); INSERT INTO t VALUES (2, '777')")
    try file.migrate(to: "CREATE TABLE t (id INTEGER PRIMARY KEY, code INTEGER);", allowing: .everything)
    let undo = try MigrationUndo(at: file.path)
    #expect(
      undo.losses == [
        "The values of column t.code that changed in 1 row stay as they are now.",
        "Table t gives keys of deleted rows again: AUTOINCREMENT begins anew.",
      ])
  }

  @Test("integers that became reals stay so in a column without a type, and the undo says it", arguments: ["", "BLOB"])
  func widened(type: String) throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, code \(type)); INSERT INTO t VALUES (2, 7)")
    try file.migrate(to: "CREATE TABLE t (id INTEGER PRIMARY KEY, code REAL);", allowing: .everything)
    let undo = try MigrationUndo(at: file.path)
    #expect(undo.losses == ["Integers of column t.code that became reals stay reals."])
    try undo.apply(allowing: .everything)
    #expect(try file.query("SELECT typeof(code), code = 7 FROM t") == [[.text("real"), .int(1)]])
  }

  @Test("reals of a column of integers become integers again, and nothing is lost")
  func widenedAndBack() throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, code INTEGER); INSERT INTO t VALUES (2, 7)")
    try file.migrate(to: "CREATE TABLE t (id INTEGER PRIMARY KEY, code REAL);", allowing: .everything)
    let undo = try MigrationUndo(at: file.path)
    #expect(undo.losses == [])
    try undo.apply(allowing: .everything)
    #expect(try file.query("SELECT typeof(code) FROM t") == [[.text("integer")]])
  }
}

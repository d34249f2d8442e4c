import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitOperations

/// The schema that every program of the story began with.
private struct FirstNote: Model {
  let id: Int64?
  var title: String

  static let table = ModelTable("notes", as: Self.init) {
    Column("id", \.id).primaryKey()
    Column("title", \.title)
  }
}

/// One branch's next version.
private struct RatedNote: Model {
  let id: Int64?
  var title: String
  var stars: Int?

  static let table = ModelTable("notes", as: Self.init) {
    Column("id", \.id).primaryKey()
    Column("title", \.title)
    Column("stars", \.stars)
  }
}

/// The other branch's next version.
private struct ColouredNote: Model {
  let id: Int64?
  var title: String
  var colour: String

  static let table = ModelTable("notes", as: Self.init) {
    Column("id", \.id).primaryKey()
    Column("title", \.title)
    Column("colour", \.colour).default("white")
  }
}

/// What the branches' merge declares.
private struct MergedNote: Model {
  let id: Int64?
  var title: String
  var stars: Int?
  var colour: String

  static let table = ModelTable("notes", as: Self.init) {
    Column("id", \.id).primaryKey()
    Column("title", \.title)
    Column("stars", \.stars)
    Column("colour", \.colour).default("white")
  }
}

/// A table that only one branch has.
private struct BranchTag: Model {
  let id: Int64?
  var name: String

  static let table = ModelTable("tags", as: Self.init) {
    Column("id", \.id).primaryKey()
    Column("name", \.name)
  }
}

@Suite("Two programs on one file")
struct TwoProgramsTests {
  private static let first = ModelSchema { FirstNote.self }
  private static let rated = ModelSchema {
    RatedNote.self
    BranchTag.self
  }
  private static let coloured = ModelSchema { ColouredNote.self }
  private static let merged = ModelSchema {
    MergedNote.self
    BranchTag.self
  }

  /// A file of the first version with two notes, brought on by a branch's program.
  private func file(_ schema: ModelSchema? = nil) throws -> TemporaryDatabase {
    let file = try TemporaryDatabase()
    let session = try Session(at: file.path, schema: Self.first)
    try session.save(FirstNote(id: nil, title: "one"))
    try session.save(FirstNote(id: nil, title: "two"))
    if let schema { _ = try Session(at: file.path, schema: schema) }
    return file
  }

  private func titles(_ file: TemporaryDatabase) throws -> [String] {
    try file.query("SELECT title FROM notes ORDER BY id").compactMap { $0[0].string }
  }

  @Test("an old program on a newer file is refused in every mode, by its own name for the reason, and writes nothing")
  func oldProgram() throws {
    let file = try file(Self.rated)
    try file.exec("UPDATE notes SET stars = id; INSERT INTO tags VALUES (1, 'home')")
    let before = try file.bytes
    for mode in [Configuration.Migration.automatic(.everything), .automatic(.lossless), .refuse] {
      let error = try #require(throws: HistoryError.self) {
        try Session(at: file.path, schema: Self.first) { $0.migration = mode }
      }
      #expect("\(error)".contains("newer"), "\(error)")
    }
    #expect(throws: HistoryError.self) {
      try Session(at: file.path, schema: Self.first) { $0.isReadOnly = true }
    }
    #expect(try file.bytes == before)
  }

  @Test("a program that has the file open goes on saving and loading after a newer one has migrated it")
  func openProgram() throws {
    let file = try file()
    let old = try Session(at: file.path, schema: Self.first)
    try old.save(FirstNote(id: nil, title: "before"))
    let new = try Session(at: file.path, schema: Self.rated)
    try old.save(FirstNote(id: nil, title: "after"))
    #expect(try old.all(FirstNote.self).map(\.title) == ["one", "two", "before", "after"])
    #expect(try new.all(RatedNote.self).map(\.stars) == [nil, nil, nil, nil])
    try new.save(RatedNote(id: 1, title: "rated", stars: 5))
    // An old program's save of a whole row names the columns that it knows, and leaves the others.
    try old.save(FirstNote(id: 1, title: "renamed"))
    #expect(try new.all(RatedNote.self).first.map { [$0.title, "\($0.stars ?? 0)"] } == ["renamed", "5"])
  }

  @Test("a new program on an older file migrates it, whichever version it skips")
  func newProgram() throws {
    for schema in [Self.rated, Self.coloured, Self.merged] {
      let file = try file()
      let session = try Session(at: file.path, schema: schema)
      #expect(session.outcome == .applied)
      #expect(try titles(file) == ["one", "two"])
      #expect(try session.history().map(\.isLive) == [true, true])
    }
  }

  @Test("the other branch's program is refused where it would lose values or rows, and the file keeps every byte")
  func otherBranchWithValues() throws {
    let ratedFile = try file(Self.rated)
    try ratedFile.exec("UPDATE notes SET stars = 4 WHERE id = 2; INSERT INTO tags VALUES (1, 'home')")
    var before = try ratedFile.bytes
    let error = try #require(throws: PlanError.self) { try Session(at: ratedFile.path, schema: Self.coloured) }
    guard case .refused(_, let hazards) = error.reason else {
      Issue.record("\(error)")
      return
    }
    #expect(Set(hazards.map { "\($0.code.rawValue) \($0.object)" }) == ["SK102 notes.stars", "SK101 tags"])
    #expect(try ratedFile.bytes == before)

    let colouredFile = try file(Self.coloured)
    before = try colouredFile.bytes
    let other = try #require(throws: PlanError.self) { try Session(at: colouredFile.path, schema: Self.rated) }
    guard case .refused(_, let found) = other.reason else {
      Issue.record("\(other)")
      return
    }
    // Every row has the default's value.
    #expect(found.map { "\($0.code.rawValue) \($0.object) \($0.count ?? 0)" } == ["SK102 notes.colour 2"])
    #expect(try colouredFile.bytes == before)
  }

  @Test(
    "where the branch's columns and tables are empty, the other's program takes their place; the first is then refused")
  func otherBranchWithoutValues() throws {
    let file = try file(Self.rated)
    let session = try Session(at: file.path, schema: Self.coloured)
    #expect(session.outcome == .applied)
    #expect(try titles(file) == ["one", "two"])
    #expect(
      try file.query("SELECT name FROM pragma_table_info('notes')").compactMap { $0[0].string } == [
        "id", "title", "colour",
      ])
    #expect(try file.query("SELECT 1 FROM sqlite_master WHERE name = 'tags'").isEmpty)
    // The file has been this one's once: to it, the file is newer now. The two do not take turns.
    let before = try file.bytes
    #expect(throws: HistoryError.self) { try Session(at: file.path, schema: Self.rated) }
    #expect(try file.bytes == before)
    #expect(try Session(at: file.path, schema: Self.coloured).isWarm)
  }

  @Test("the merge of both branches opens either's file and keeps what each has added", arguments: [true, false])
  func merge(fromRated: Bool) throws {
    let file = try file(fromRated ? Self.rated : Self.coloured)
    try file.exec(
      fromRated ? "UPDATE notes SET stars = id; INSERT INTO tags VALUES (1, 'home')" : "UPDATE notes SET colour = 'red'"
    )
    let session = try Session(at: file.path, schema: Self.merged)
    #expect(session.outcome == .applied)
    let expected: [[RawValue]] =
      fromRated
      ? [[.text("one"), .int(1), .text("white")], [.text("two"), .int(2), .text("white")]]
      : [[.text("one"), .null, .text("red")], [.text("two"), .null, .text("red")]]
    #expect(try file.query("SELECT title, stars, colour FROM notes ORDER BY id") == expected)
    #expect(try file.value("SELECT count(*) FROM tags") == .int(fromRated ? 1 : 0))
    for schema in [Self.first, fromRated ? Self.rated : Self.coloured] {
      #expect(throws: HistoryError.self) { try Session(at: file.path, schema: schema) }
    }
  }
}

import Foundation
import SchemaKit
import Testing

@Suite("Records in the documentation", .needs(.fts5))
struct DocumentedRecordTests {
  typealias Examples = RecordExamples
  typealias Note = RecordExamples.Note
  typealias Author = RecordExamples.Author

  /// A session with two authors, three notes and a reading.
  private func session() throws -> Session {
    let session = try Session(inMemory: Examples.schema)
    try session.save(Author(id: 1, name: "Ada"), Author(id: 2, name: "Grace"))
    try session.save(
      Examples.note("Groceries", stars: 3, author: 1, day: 1), Examples.note("Trip", stars: 5, day: 2),
      Examples.note("Draft", author: 1, day: 3))
    try session.save(Examples.Reading(sensor: "attic", day: 12, value: 3))
    return session
  }

  @Test("saving works as shown")
  func saving() throws {
    let file = try TemporaryDatabase()
    let (stored, found, best) = try Examples.glance(path: file.path, Examples.note("Groceries", stars: 3))
    #expect(stored.id == 1 && found?.title == "Groceries" && best.map(\.id) == [1])
    let session = try session()
    let now = Date(timeIntervalSince1970: 864_000)
    let saved = try Examples.saving(session, Examples.note("Groceries"), now)
    #expect(saved.id == 4)
    #expect(try session.find(Note.self, 4) == saved)
    var other = saved
    other.title = "Other"
    other.text = "Not taken"
    let (present, changed) = try Examples.policies(session, other)
    #expect(present == saved)
    let row = try #require(try session.find(Note.self, 4))
    #expect(changed.title == "Other" && row.title == "Other" && row.text == saved.text)
    #expect(throws: RecordError.self) { try Examples.inserting(session, other) }
    #expect(try Examples.unique(session, "Ada").id == 1)
    #expect(try Examples.many(session, ["Alan", "Barbara"]) == [3, 4])
    #expect(throws: RecordError.self) { try Examples.many(session, ["Kurt", "Ada"]) }
    #expect(try session.count(Author.self) == 4)
    #expect(try Examples.errors(session, saved) == "there is such a note already")
    #expect(try Examples.errors(session, Examples.note("")) == "refused: [\"title\"]")
  }

  @Test("functions in Swift, prepared statements and closing work as shown")
  func connections() async throws {
    let file = try TemporaryDatabase()
    let session = try Examples.configured(path: file.path)
    try Examples.preparing(session, ["Al", "Barbara", "Bo"])
    let row = try session.query("SELECT longest(name), slug(max(name)) FROM authors")
    #expect(row[0].values == [.integer(7), .text("bo")])
    #expect(
      try session.query("SELECT name FROM authors ORDER BY name COLLATE length DESC")[0][0] == .text("Barbara"))
    #expect(throws: SQLiteError.self) {
      _ = try Session(at: file.path + ".none", schema: Examples.schema) { $0.openParameters.mustExist = true }
    }
    let db = try await Database(at: file.path, schema: Examples.schema)
    try await Examples.closing(db)
    await #expect(throws: SQLiteConnectionError.self) { try await db.count(Author.self) }
  }

  @Test("finding and filtering work as shown")
  func finding() throws {
    let session = try session()
    let (note, reading, newest, count, isRated, isThere) = try Examples.finding(session)
    #expect(note == nil && reading?.value == 3 && newest?.title == "Draft" && count == 1 && isRated && !isThere)
    let day = Date(timeIntervalSince1970: 0)
    try session.update(Note.self, set: { [$0.text.set("x"), $0.tags.set(["home"])] }, where: { $0.stars > 0 })
    #expect(try Examples.filtering(session, day).map(\.title).sorted() == ["Groceries", "Trip"])
    #expect(try Examples.optionalFilter(session, nil, 3).count == 2)
    #expect(try Examples.optionalFilter(session, "ip", nil).map(\.title) == ["Trip"])
    try session.execute("UPDATE notes SET text = 'milk and bread' WHERE id = 1")
    #expect(
      try Examples.everyFilter(session, Date(timeIntervalSince1970: 86_400), [1, 3, 9])
        == [1, 1, 1, 2, 0, 2, 1, 2, 1, 1, 1, 1, 2, 0, 2, 1, 2, 0, 1, 0])
    let (found, shown) = try Examples.search(session, "milk")
    #expect(found.map(\.id) == [1])
    #expect(shown.isEmpty || shown.map(\.2) == ["<b>milk</b> and bread"])
  }

  @Test("ordering, paging, changing and deleting work as shown")
  func changing() throws {
    let session = try session()
    #expect(try Examples.ordering(session).isEmpty)
    #expect(try Examples.paging(session) == ["Draft", "Trip", "Groceries"])
    let trip = try #require(try session.find(Note.self, 2))
    let result = try Examples.changing(session, trip, Date(timeIntervalSince1970: 2 * 86_400))
    #expect(result == (1, true, false, 1))
    #expect(try session.all(Note.self).map(\.stars) == [1])
    #expect(try Examples.emptying(session) == 1)
  }

  @Test("selections, relations and SQL work as shown")
  func selecting() throws {
    let session = try session()
    #expect(try Examples.selecting(session) == ["Draft", "Trip", "Groceries", "0", "3", "5"])
    let (total, average, perAuthor) = try Examples.aggregates(session)
    #expect(total == 8 && average == 4)
    #expect(perAuthor.map { "\($0.0 ?? 0) \($0.1) \($0.2 ?? 0)" } == ["1 2 3"])
    #expect(try Examples.expressions(session).map(\.1) == [0, 0, 0])
    #expect(try Examples.rows(session) == (.text("Trip"), "Trip"))
    let (pairs, all, shown, families) = try Examples.relations(session)
    #expect(
      pairs.map(\.0.title) == ["Groceries"] && all.count == 3 && all.filter { $0.1 == nil }.count == 1 && shown.isEmpty)
    #expect(families.map { "\($0.0.name) \($0.1.map(\.title))" } == ["Ada [\"Groceries\", \"Draft\"]", "Grace []"])
    let (illustrated, silent, stars, albums) = try Examples.related(session)
    #expect(illustrated.isEmpty && silent.map(\.name) == ["Grace"])
    #expect(stars.map(\.1) == [3, nil] && albums.map { $0.1.map(\.1.count) } == [[0, 0], []])
    let (key, size, count, notes) = try Examples.sql(session, "Trip", "notes")
    #expect(key == 3 && size == 0 && count == 2 && notes.count == 3)
    let (tables, columns, indexes, types) = try Examples.catalog(session)
    #expect(tables.contains("notes") && columns.first == "id" && indexes == ["notes_by_author", "notes_by_modified"])
    #expect(types == ["INTEGER", "TEXT", "TEXT", "INTEGER", "INTEGER", "TEXT", "REAL", "REAL"])
  }

  @Test("families, rows of Codable types and memory work as shown")
  func families() throws {
    let session = try session()
    try session.execute("CREATE TABLE totals (name TEXT PRIMARY KEY, notes INTEGER)")
    let (names, totals) = try Examples.codable(session)
    #expect(names == ["Ada", "Grace"] && totals == ["Ada 0", "Grace 0"])
    #expect(try session.query("SELECT notes FROM totals ORDER BY name", as: Int.self) == [2, 0])
    let photo = Examples.Photo(id: nil, noteID: 0, width: 9, image: FileAttachment(id: "a"))
    let (notes, kept, photos) = try Examples.families(session, [Examples.note("One"), Examples.note("Two")], photo)
    #expect(notes.map(\.authorID) == [3, 3] && kept.map(\.title) == ["One"])
    #expect(photos.map { $0.map(\.noteID) } == notes.map { [$0.id ?? 0] })
    #expect(try Examples.memory().count(Note.self) == 0)
  }

  @Test("transactions, streams and changes work as shown")
  func transactions() async throws {
    let session = try session()
    try session.deleteAll(Author.self)
    let stored = try #require(try Examples.transaction(session, Examples.note("New")))
    #expect(try session.find(Note.self, stored.id)?.authorID == stored.authorID)
    #expect(try session.count(Examples.Reading.self) == 1)
    #expect(try Examples.observing(session, Examples.note("Seen")) == 1)
    let file = try TemporaryDatabase(name: "new.db")
    try FileManager.default.removeItem(atPath: file.path)
    let (note, best, titles, count) = try await Examples.actor(file.path, Examples.note("Shared", stars: 5))
    #expect(note.id == 1 && best == [note] && titles == ["Shared"] && count == 1)
    let db = try await Database(at: file.path, schema: Examples.schema)
    try await db.updateAll(Note.self, set: { [$0.text.set("abc")] })
    #expect(try await Examples.streaming(db) == 3)
    #expect(try await db.run { try Examples.forEach($0) } == 3)
    #expect(try await Examples.fresh(db).last == [])
    #expect(try await Examples.following(db) == [.insert, .delete])
  }

  @Test("attachments and codings work as shown")
  func attachments() throws {
    let file = try TemporaryDatabase()
    let session = try Session(at: file.path, schema: Examples.schema)
    let note = try session.save(Examples.note("Illustrated"))
    let noteID = try #require(note.id)
    let (data, path, photo) = try Examples.attaching(session, Data([1, 2]), noteID)
    #expect(data == Data([1, 2]) && path == file.path + ".attachments/" + photo.image.id)
    try Data([3]).write(to: URL(fileURLWithPath: file.path + ".attachments/stray"))
    let (missing, removed) = try Examples.cleaning(session)
    #expect(missing.isEmpty && removed == [FileAttachment(id: "stray")])
    try session.delete(note)
    #expect(!FileManager.default.fileExists(atPath: path))

    let events = try Session(inMemory: Examples.eventSchema)
    let event = Examples.Event(
      id: 1, day: Date(timeIntervalSince1970: 0.5), changed: Date(timeIntervalSince1970: 2), mask: .max,
      angle: .init(radians: .pi), picture: .init(caption: "x", file: FileAttachment(id: "a")))
    #expect(try events.save(event) == event)
    #expect(
      try events.query("SELECT day, changed, hex(mask), angle, picture FROM events")[0].values == [
        .text("1970-01-01T00:00:00.500Z"), .integer(2000), .text("FFFFFFFFFFFFFFFF"), .real(180),
        .text(#"{"caption":"x","file":"a"}"#),
      ])
    let samples = try Session(inMemory: Examples.sampleSchema)
    #expect(try samples.save(Examples.Sample(id: nil, value: 2)).id == 1)
  }
}

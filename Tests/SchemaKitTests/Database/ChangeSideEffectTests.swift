import Foundation
import SchemaKit
import Testing

/// What is written for observers, and by them, must not show in what the program is told of its own writing.
@Suite("Observers do not disturb what they observe")
struct ChangeSideEffectTests {
  typealias Author = RecordModels.Author
  typealias Book = RecordModels.Book
  typealias Reading = RecordModels.Reading

  @Test("the key of a saved object is its own when an observer writes")
  func keys() throws {
    let session = try Session(inMemory: RecordModels.schema)
    let observation = try session.observe(Book.self) { changes in
      for _ in changes { _ = try? session.save(Author(id: 1_000, name: "log", email: nil)) }
    }
    let saved = try session.save(RecordModels.book("Dune"))
    #expect(saved.id == 1)
    #expect(try session.save([RecordModels.book("a"), RecordModels.book("b")]).integers == [2, 3])
    #expect(try session.execute("INSERT INTO books (title) VALUES (\("c"))").lastInsertedID == 4)
    #expect(try session.save(Reading(sensor: "a", value: 2, unit: nil, doubled: nil), .insert).doubled == 4)
    observation.cancel()
  }

  @Test("the count of changed rows is not that of the changes that are told")
  func counts() throws {
    let session = try Session(inMemory: RecordModels.schema)
    try session.save(Author(id: 1, name: "Herbert", email: nil))
    try session.save((1...5).map { RecordModels.book("b\($0)", author: 1) })
    let books = try session.observe(Book.self) { _ in }
    let authors = try session.observe(Author.self) { _ in }
    #expect(try session.update(Author.self, set: { [$0.name.set("Frank")] }, where: { $0.id == 1 }) == 1)
    #expect(try session.delete(Author.self, where: { $0.id == 1 }) == 1)
    try session.save((1...5).map { RecordModels.book("b\($0)") })
    #expect(try session.deleteAll(Book.self) == 5)
    #expect(try session.execute("INSERT INTO books (title) VALUES ('x'), ('y')").changes == 2)
    books.cancel()
    authors.cancel()
  }

  @Test("an observer that changes nothing does not make the change look like none")
  func nothingChanged() throws {
    let session = try Session(inMemory: RecordModels.schema)
    let author = try session.save(Author(id: 1, name: "Herbert", email: nil))
    var told = 0
    let observation = try session.observe(Author.self) { changes in
      told += changes.count
      _ = try? session.delete(Book.self, where: { $0.pages < 0 })
    }
    try session.update(author)
    try session.update(author, \.name)
    #expect(try session.delete(author))
    #expect(told == 3)
    observation.cancel()
  }

  @Test("an observer cannot be added in a transaction, which could take it back, and silences nobody by trying")
  func observedInTransaction() throws {
    let session = try Session(inMemory: RecordModels.schema)
    var told: [String] = []
    let books = try session.observe(Book.self) { told += $0.map { "book \($0.key)" } }
    #expect(throws: RecordError.self) {
      try session.transaction { try session.observe(Author.self) { told += $0.map { "author \($0.key)" } } }
    }
    try session.save(RecordModels.book("a"))
    try session.save(Author(id: 5, name: "x", email: nil))
    #expect(told == ["book 1"])
    books.cancel()
    // And the table can be observed again.
    told = []
    let again = try session.observe(Author.self) { told += $0.map { "author \($0.key)" } }
    try session.save(Author(id: 6, name: "x", email: nil))
    #expect(told == ["author 6"])
    again.cancel()
  }

  @Test("an observation that ends in a transaction that is rolled back leaves nothing that grows")
  func endedInVain() throws {
    let session = try Session(inMemory: RecordModels.schema)
    let observation = try session.observe(Author.self) { _ in }
    #expect(throws: Gallery.Regret.self) {
      try session.transaction {
        observation.cancel()
        throw Gallery.Regret()
      }
    }
    try session.save((0..<100).map { Author(id: nil, name: "a\($0)", email: nil) })
    try session.save(RecordModels.book("x"))
    let tables = try session.query("SELECT name FROM sqlite_temp_master WHERE type = 'table' AND name LIKE '%changes%'")
    for table in tables {
      let name = try table.get(0, as: String.self)
      #expect(try session.query("SELECT count(*) FROM temp.\(id: name)")[0][0] == .integer(0))
    }
  }

  @Test("an observer that throws its observation away while it is told ends it")
  func cancellingItself() throws {
    let session = try Session(inMemory: RecordModels.schema)
    var told = 0
    var observation: ChangeObservation?
    observation = try session.observe(Author.self) { changes in
      told += changes.count
      observation?.cancel()
    }
    try session.save(Author(id: 1, name: "a", email: nil))
    try session.save(Author(id: 2, name: "b", email: nil))
    #expect(told == 1)
    #expect(observation != nil)
  }

  @Test("a row that is saved while rows are read is told")
  func whileReading() throws {
    let session = try Session(inMemory: RecordModels.schema)
    try session.save((1...10).map { (id: Int64) in Author(id: id, name: "a\(id)", email: nil) })
    var told: [Int64] = []
    let observation = try session.observe(Book.self) { told += $0.compactMap(\.key.integer) }
    try session.forEach(Author.self) { author in
      try session.save(RecordModels.book(author.name, author: author.id))
    }
    #expect(told == (1...10).map { Int64($0) })
    observation.cancel()
  }
}

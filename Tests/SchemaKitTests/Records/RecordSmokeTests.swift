import Foundation
import SchemaKit
import Testing

@Suite("Records at a glance")
struct RecordSmokeTests {
  typealias Author = RecordModels.Author
  typealias Book = RecordModels.Book
  typealias BookTag = RecordModels.BookTag
  typealias Reading = RecordModels.Reading

  @Test("an object is saved, found, changed and deleted")
  func roundTrip() throws {
    let session = try Session(inMemory: RecordModels.schema)
    let author = try session.save(Author(id: nil, name: "Herbert", email: nil))
    #expect(author.id == 1)
    var book = try session.save(RecordModels.book("Dune", author: author.id, pages: 412))
    book.published = Date(timeIntervalSince1970: -139_000_000)
    book.tags = ["sand"]
    #expect(try session.save(book) == book)
    #expect(try session.find(Book.self, 1) == book)
    #expect(try session.find(Book.self, 2) == nil)
    #expect(
      try session.query("SELECT published, typeof(id) AS t FROM books")[0]["published"]?.text?.hasSuffix("Z") == true)
    try session.update(Book.self, set: { [$0.pages.increase(by: 1)] }, where: { $0.title.hasPrefix("Du") })
    #expect(try session.value(Book.self, { $0.pages.sum }) == 413)
    #expect(try session.all(Book.self, where: { $0.price == nil && $0.authorID != 7 && !($0.pages < 5) }).count == 1)
    let tag = BookTag(tag: "x", bookID: 1, weight: 3)
    try session.save(tag)
    #expect(try session.find(BookTag.self, 1, "x") == tag)
    #expect(try session.select(Book.self, { ($0.title, $0.pages) }).map { "\($0.0) \($0.1)" } == ["Dune 413"])
    let pairs = try session.join(
      Book.self, Author.self, where: { book, author in author.name == "Herbert" && book.pages > 3 })
    #expect(pairs.count == 1)
    let families = try session.all(Author.self, with: Book.self)
    #expect(families[0].1.count == 1)
    #expect(try session.all(Author.self, where: { $0.any(Book.self) { $0.pages > 400 } }).count == 1)
    let reading = try session.save(Reading(sensor: "a", value: 2, unit: nil, doubled: nil), .insert)
    #expect(reading == Reading(sensor: "a", value: 2, unit: "K", doubled: 4))
    #expect(try session.delete(book))
    #expect(try !session.delete(book))
    #expect(throws: RecordError.self) { try session.save(Author(id: nil, name: "", email: nil)) }
  }

  @Test("many objects are saved and paged through")
  func bulk() throws {
    let session = try Session(inMemory: RecordModels.schema)
    let keys = try session.save(
      (0..<1000).map { RecordModels.book("b\($0)", pages: $0 % 7, price: $0 % 3 == 0 ? nil : 1) })
    #expect(keys.integers == Array(1...1000))
    var seen: [Int64] = []
    var cursor: PageCursor?
    repeat {
      let page = try session.page(
        Book.self, size: 64, after: cursor, orderBy: { [$0.price.descending, $0.pages.ascending] })
      seen += page.items.compactMap(\.id)
      cursor = page.next
    } while cursor != nil
    #expect(seen.count == 1000 && Set(seen).count == 1000)
    #expect(try session.count(Book.self, where: { $0.id.isIn((1...600).map { Int64($0) }) }) == 600)
  }

  @Test("the actor reads and writes, streams and tells changes")
  func actor() async throws {
    let file = try TemporaryDatabase()
    let db = try await Database(at: file.path, schema: RecordModels.schema)
    let changes = try await db.changes(Book.self)
    try await db.save((0..<700).map { RecordModels.book("b\($0)") })
    #expect(try await db.count(Book.self) == 700)
    var count = 0
    for try await book in db.stream(Book.self, where: { $0.pages == 100 }) where book.id != nil {
      count += 1
      if count == 300 { try await db.delete(Book.self, key: 5) }
    }
    #expect(count == 700)
    var kinds: [RecordChangeKind] = []
    for await change in changes {
      kinds.append(change.kind)
      if change.kind == .delete { break }
    }
    #expect(kinds.count == 701)
  }
}

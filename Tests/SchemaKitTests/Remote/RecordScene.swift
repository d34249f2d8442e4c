import Foundation
import SchemaKit

/// What a program does with objects, as lines that are equal for every database on which it does the same.
enum RecordScene {
  typealias Author = RecordModels.Author
  typealias Book = RecordModels.Book
  typealias BookTag = RecordModels.BookTag
  typealias Reading = RecordModels.Reading

  static func play(_ session: Session) throws -> [String] {
    var lines: [String] = []
    func note(_ value: Any) { lines.append("\(value)") }
    try saving(session, note)
    try fetching(session, note)
    try changing(session, note)
    try plain(session, note)
    return lines
  }

  private static func saving(_ session: Session, _ note: (Any) -> Void) throws {
    note(try session.save(Author(id: nil, name: "Herbert", email: "h@example.org")))
    var book = RecordModels.book("Dune", author: 1, pages: 412, price: 0.1)
    book.published = Date(timeIntervalSince1970: -139_000_000)
    book.tags = ["sand", "\u{0}ü"]
    // The library's own way of storing what the file cannot hold is the same everywhere.
    book.tags = book.tags.map { $0.replacingOccurrences(of: "\u{0}", with: "") }
    note(try session.save(book))
    note(try session.save([RecordModels.book("Emma", pages: 9), RecordModels.book("Ulysses", pages: .max)]).integers)
    note(try session.save(BookTag(tag: "x", bookID: 1, weight: 3)))
    note(try session.save(BookTag(tag: "x", bookID: 1, weight: 4)))
    note(try session.save(BookTag(tag: "x", bookID: 1, weight: 5), .ignore))
    note(try session.save(Reading(sensor: "a", value: -0.0, unit: nil, doubled: nil), .insert))
    note(try session.save(Author(id: nil, name: "Frank", email: "h@example.org"), .upsert(on: \.email)))
    note(try session.save(Author(id: nil, name: "Mary", email: "m@example.org"), .upsert(on: \.email)))
    let (author, books) = try session.save(
      Author(id: nil, name: "Jane", email: nil),
      with: [RecordModels.book("Persuasion"), RecordModels.book("Lady Susan")])
    note(author)
    note(books)
    for wrong in [
      { _ = try session.save(Author(id: nil, name: "", email: nil)) },
      { _ = try session.save(Author(id: nil, name: "x", email: "m@example.org")) },
      { _ = try session.save(RecordModels.book("x", author: 99)) },
      { try session.update(Author(id: 99, name: "x", email: nil)) },
      { _ = try session.save([RecordModels.book("y"), RecordModels.book("z", author: 99)]) },
    ] as [() throws -> Void] {
      do { try wrong() } catch { note(error) }
    }
  }

  private static func fetching(_ session: Session, _ note: (Any) -> Void) throws {
    note(try session.find(Book.self, 1) as Any)
    note(try session.find(Book.self, 77) as Any)
    note(try session.find(BookTag.self, 1, "x") as Any)
    note(try session.all(Book.self, where: { $0.title.hasPrefix("Du") && $0.price == 0.1 }))
    note(try session.all(Book.self, orderBy: { [$0.pages.descending, $0.id.ascending] }, limit: 2, offset: 1))
    note(try session.count(Book.self, where: { $0.id.isIn((1...600).map { Int64($0) }) }))
    note(try session.value(Author.self, { $0.id.max }) as Any)
    note(try session.select(Book.self, { ($0.title, $0.pages) }, orderBy: { [$0.id.ascending] }))
    note(try session.join(Book.self, Author.self, where: { book, author in author.name == "Frank" && book.pages > 3 }))
    note(try session.all(Author.self, with: Book.self))
    note(try session.page(Book.self, size: 2, after: nil, orderBy: { [$0.pages.ascending] }).items)
    note(try session.all(Reading.self).map { "\($0) \($0.value.sign)" })
  }

  private static func changing(_ session: Session, _ note: (Any) -> Void) throws {
    note(try session.update(Book.self, set: { [$0.pages.set(7)] }, where: { $0.title == "Emma" }))
    note(try session.delete(Book.self, where: { $0.pages == 7 }))
    note(try session.delete(Book.self, key: 77))
    try? session.transaction {
      try session.deleteAll(Book.self)
      note(try session.count(BookTag.self))
      throw CancellationError()
    }
    try session.transaction {
      try session.save(RecordModels.book("kept"))
      try? session.transaction {
        try session.save(RecordModels.book("dropped"))
        throw CancellationError()
      }
    }
    note(try session.all(Book.self, orderBy: { [$0.id.ascending] }).map(\.title))
    note(try session.delete(Book.self, where: { $0.title == "Lady Susan" || $0.title == "Persuasion" }))
  }

  private static func plain(_ session: Session, _ note: (Any) -> Void) throws {
    struct Line: Codable { var sensor: String, value: Double }
    note(try session.insert(Line(sensor: "b", value: 1e300), into: "readings"))
    note(try session.query("SELECT sensor, value, doubled, typeof(unit) AS t FROM readings ORDER BY rowid"))
    note(try session.query("SELECT * FROM readings WHERE sensor = \("b")").map(\.columnNames))
    note(try session.execute("INSERT INTO authors (name) VALUES (?), (?)", ["p", "q"]))
    note(try session.execute("DELETE FROM authors WHERE name IN ('p', 'q')"))
    note(try session.execute("SELECT 1"))
    let insert = try session.prepare("INSERT INTO readings (sensor, value) VALUES (:sensor, :value)")
    for value in [1, 2] { note(try insert.execute([":sensor": "c", ":value": value])) }
    note(try session.prepare("SELECT sum(value) FROM readings WHERE sensor = ?").value(["c"], as: Double.self) as Any)
    note(try session.query("SELECT x'00ff' AS blob, '' AS empty, NULL AS absent, 9223372036854775807 AS whole"))
    note(try session.connection.rows("WITH x(n) AS (VALUES (1), (2)) SELECT n, n / 2.0 FROM x ORDER BY n DESC"))
    for wrong in ["SELECT nothing FROM books", "INSERT INTO books", "SELECT ? + ?"] {
      do { _ = try session.query(SQL(raw: wrong), [1]) } catch { note((error as? SQLiteError)?.resultCode ?? error) }
    }
    note(try session.history().count)
    note(try session.storedSchema().tables.map(\.name))
  }
}

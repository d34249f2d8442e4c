import Foundation
import SchemaKit

// More Swift of docs/records.md: selections, relations, SQL, transactions, streams, attachments and codings.

extension RecordExamples {
  static func selecting(_ session: Session) throws -> [String] {
    let list = try session.select(
      Note.self, { ($0.id, $0.title, $0.modified) }, orderBy: { [$0.modified.descending] }, limit: 20)
    for (id, title, modified) in list { print(id ?? 0, title, modified) }
    let stars = try session.select(Note.self, { $0.stars }, orderBy: { [$0.stars.ascending] }, distinct: true)
    return list.map(\.1) + stars.map { "\($0)" }
  }

  static func aggregates(_ session: Session) throws -> (Int64?, Double?, [(Int64?, Int, Int?)]) {
    let total = try session.value(Note.self, { $0.stars.sum })  // nil without notes
    let average = try session.value(Note.self, { $0.stars.average }, where: { $0.stars > 0 })
    let perAuthor = try session.select(
      Note.self, { ($0.authorID, $0.id.count, $0.stars.max) }, groupBy: { [$0.authorID.grouped] },
      having: { $0.id.count > 1 }, orderBy: { [$0.authorID.ascending] })
    return (total, average, perAuthor)
  }

  static func expressions(_ session: Session) throws -> [(String, Int)] {
    let lengths = try session.select(Note.self, { ($0.title, Field<Int>.sql("length(text)")) })
    return lengths
  }

  static func rows(_ session: Session) throws -> (SQLValue?, String) {
    let rows = try session.rows(Note.self, where: { $0.stars > 3 })
    let stored = rows[0]["title"]  // an SQLValue, or nil without such a column
    let title = try rows[0].get("title", as: String.self)
    return (stored, title)
  }

  static func relations(_ session: Session) throws -> (
    [(Note, Author)], [(Author, Note?)], [(Author, Note, Photo)], [(Author, [Note])]
  ) {
    let pairs = try session.join(
      Note.self, Author.self, where: { note, author in author.name == "Ada" && note.stars > 2 },
      orderBy: { note, author in [author.name.ascending, note.modified.descending] })
    let all = try session.leftJoin(Author.self, Note.self)  // (Author, Note?)
    let shown = try session.join(
      Author.self, Note.self, Photo.self, where: { _, note, photo in photo.width > note.stars })
    let families = try session.all(
      Author.self, with: Note.self, orderBy: { [$0.name.ascending] }, childrenOrderBy: { [$0.created.ascending] })
    return (pairs, all, shown, families)
  }

  static func families(_ session: Session, _ drafts: [Note], _ photo: Photo) throws -> ([Note], [Note], [[Photo]]) {
    let (author, notes) = try session.save(Author(id: nil, name: "Mary"), with: drafts)
    let (same, kept) = try session.save(author, with: notes.dropLast(), .replacing)
    let (mary, illustrated) = try session.save(author, with: notes.map { ($0, [photo]) })  // and theirs
    return (notes, same == mary ? kept : [], illustrated.map(\.1))
  }

  static func codable(_ session: Session) throws -> ([String], [String]) {
    struct Total: Codable {
      var name: String
      var notes: Int
    }
    let totals = try session.query("SELECT name, 0 AS notes FROM authors", as: Total.self)
    let names = try session.query("SELECT name FROM authors", as: String.self)
    try session.insert(contentsOf: totals, into: "totals")
    try session.update(Total(name: "Ada", notes: 2), in: "totals")  // by the primary key
    return (names, totals.map { "\($0.name) \($0.notes)" })
  }

  static func memory() throws -> Session {
    let session = try Session(inMemory: schema)
    return session
  }

  static func related(
    _ session: Session
  ) throws -> ([Note], [Author], stars: [(Author, Int64?)], albums: [(Author, [(Note, [Photo])])]) {
    let illustrated = try session.all(Note.self, where: { $0.any(Photo.self) { $0.width > 100 } })
    let silent = try session.all(Author.self, where: { !$0.any(Note.self) })
    for (author, count) in try session.all(Author.self, counting: \Note.authorID) { print(author.name, count) }
    let stars = try session.all(Author.self, selecting: { $0.computing(Note.self, { $0.stars.sum }) })
    let albums = try session.all(Author.self, with: .children(Note.self, with: .children(Photo.self)))
    return (illustrated, silent, stars, albums)
  }

  static func sql(_ session: Session, _ title: String, _ table: String) throws -> (Int64?, Int, Int, [Note]) {
    let result = try session.execute("INSERT INTO authors (name) VALUES (\(title))")
    let key = result.lastInsertedID
    let rows = try session.query("SELECT id, length(text) AS size FROM notes WHERE title = \(title)")
    let size = try rows[0].get("size", as: Int.self)
    let counted = try session.query("SELECT count(*) FROM \(id: table) WHERE stars >= :least", ["least": 3])
    let count = try counted[0].get(0, as: Int.self)
    let notes = try session.query(Note.self, "SELECT * FROM notes ORDER BY random() LIMIT \(9)")
    return (key, size, count, notes)
  }

  static func search(_ session: Session, _ typed: String) throws -> ([Note], [(Int64?, String, String)]) {
    let found = try session.search(Note.self, .words(typed), in: "note_search", limit: 20)
    let shown = try session.search(
      Note.self, .prefixes(typed), in: "note_search",
      { note, match in (note.id, match.highlight(\.title), match.snippet(\.text)) }, where: { $0.stars > 2 })
    return (found, shown)
  }

  static func catalog(_ session: Session) throws -> ([String], [String], [String], [String]?) {
    let tables = try session.tableNames()
    let columns = try session.columnNames(of: "notes")
    let indexes = try session.indexNames(of: "notes")
    let notes = try session.storedSchema().table("notes")  // also of SchemaInspector
    let types = notes?.columns.map(\.type)
    return (tables, columns, indexes, types)
  }

  static func transaction(_ session: Session, _ note: Note) throws -> Note? {
    let stored = try session.transaction {
      let author = try session.save(Author(id: nil, name: "Ada"))
      var note = note
      note.authorID = author.id
      try? session.savepoint {
        _ = try session.deleteAll(Reading.self)
        throw CancellationError()  // rolls back the deletion alone
      }
      return try session.save(note)
    }
    return stored
  }
}

extension RecordExamples {
  static func actor(_ path: String, _ draft: Note) async throws -> (Note, [Note], [String], Int) {
    let db = try await Database(at: path, schema: schema)
    let note = try await db.save(draft)
    let best = try await db.all(Note.self, where: { $0.stars > 3 })
    let titles = try await db.read { reader in  // one state of the database for all that happens here
      try reader.select(Note.self, { $0.title }, orderBy: { [$0.title.ascending] })
    }
    let count = try await db.transaction { session in  // nobody else writes meanwhile
      try session.updateAll(Note.self, set: { [$0.stars.increase(by: 1)] })
    }
    return (note, best, titles, count)
  }

  static func streaming(_ db: Database) async throws -> Int {
    var characters = 0
    for try await note in db.stream(Note.self, where: { $0.stars > 0 }, orderBy: { [$0.id.ascending] }) {
      characters += note.text.count
    }
    return characters
  }

  static func forEach(_ session: Session) throws -> Int {
    var characters = 0
    try session.forEach(Note.self, where: { $0.stars > 0 }, { note in characters += note.text.count })
    return characters
  }

  static func fresh(_ db: Database) async throws -> [[String]] {
    let clearing = Task { try await db.deleteAll(Note.self) }
    var shown: [[String]] = []
    for try await titles in db.values({ try $0.select(Note.self, { $0.title }) }) {
      shown.append(titles)
      if titles.isEmpty { break }
    }
    _ = try await clearing.value
    return shown
  }

  static func following(_ db: Database) async throws -> [RecordChangeKind] {
    let changes = try await db.changes(Note.self)
    let task = Task {
      var kinds: [RecordChangeKind] = []
      for await change in changes {
        kinds.append(change.kind)  // .insert, .update, .delete of change.key; or .external
        if change.kind == .delete { break }
      }
      return kinds
    }
    let note = try await db.save(RecordExamples.note("Followed"))
    try await db.delete(note)
    return await task.value
  }

  static func observing(_ session: Session, _ note: Note) throws -> Int {
    var count = 0
    let observation = try session.observe(Note.self) { changes in count += changes.count }
    try session.save(note)
    session.checkForExternalChanges()
    observation.cancel()
    return count
  }

  static func attaching(_ session: Session, _ jpeg: Data, _ noteID: Int64) throws -> (Data, String, Photo) {
    let photo = try session.transaction {
      let image = try session.attachments.store(jpeg)
      return try session.save(Photo(id: nil, noteID: noteID, width: 200, image: image))
    }
    let data = try session.attachments.data(of: photo.image)
    let path = try session.attachments.path(of: photo.image)
    return (data, path, photo)
  }

  static func cleaning(_ session: Session) throws -> ([FileAttachment], [FileAttachment]) {
    let report = try session.attachments.report()
    print("\(report.missing.count) files are missing, \(report.orphans.count) belong to no row")
    let removed = try session.attachments.removeOrphans()
    return (report.missing, removed)
  }

  static func errors(_ session: Session, _ note: Note) throws -> String {
    do {
      try session.save(note, .insert)
      return "saved"
    } catch let error as RecordError {
      switch error.reason {
      case .constraint(.check, _, let columns, _): return "refused: \(columns)"
      case .constraint(.primaryKey, _, _, _): return "there is such a note already"
      default: throw error
      }
    }
  }
}

extension RecordExamples {
  struct Picture: JSONColumnValue, AttachmentHolder, Hashable {
    var caption: String
    var file: FileAttachment

    var attachments: [FileAttachment] { [file] }
  }

  struct Event: Model, Hashable {
    let id: Int64?
    var day: Date
    var changed: Date?
    var mask: UInt64
    var angle: Angle
    var picture: Picture?

    static let table = ModelTable("events", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("day", \.day, storing: .iso8601)
      Column("changed", \.changed, storing: .millisecondsSince1970)
      Column("mask", \.mask, storing: .bigEndianBlob)
      Column("angle", \.angle, storing: .degrees)
      Column("picture", \.picture)
    }
  }

  struct Angle: Hashable, Sendable, ColumnValue {
    var radians: Double
  }

  static let eventSchema = ModelSchema { Event.self }

  struct Sample: Model, RowEncodable, RowDecodable {
    let id: Int64?
    var value: Double

    static let table = ModelTable("samples", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("value", \.value)
    }

    func encode(into row: inout RowWriter) throws {
      try row.append(id)
      try row.append(value)
    }

    static func decode(from row: inout RowReader) throws -> Sample {
      Sample(id: try row.read(), value: try row.read())
    }
  }

  static let sampleSchema = ModelSchema { Sample.self }
}

extension RecordExamples.Angle {
  static var columnType: ColumnType { .real }
  init(sqlValue: SQLValue) throws { radians = try Double(sqlValue: sqlValue) }
  func sqlValue() throws -> SQLValue { try radians.sqlValue() }
}

extension ColumnCoding where Value == RecordExamples.Angle {
  static var degrees: Self {
    ColumnCoding(
      type: .real, encode: { .real($0.radians * 180 / .pi) },
      decode: { .init(radians: try Double(sqlValue: $0) * .pi / 180) })
  }
}

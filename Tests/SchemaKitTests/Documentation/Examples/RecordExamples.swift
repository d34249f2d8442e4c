import Foundation
import SchemaKit

// The Swift of docs/records.md. The tests look for its blocks here, line by line, and run the functions.

enum RecordExamples {
  struct Author: Model, Hashable {
    let id: Int64?
    var name: String

    static let table = ModelTable("authors", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("name", \.name).unique()
    }
  }

  struct Note: Model, Hashable {
    let id: Int64?
    var title: String
    var text: String
    var stars: Int
    var authorID: Int64?
    var tags: [String]
    let created: Date
    var modified: Date

    static let table = ModelTable("notes", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("title", \.title).check("length(title) > 0")
      Column("text", \.text)
      Column("stars", \.stars).default(0)
      Column("author_id", \.authorID).references(Author.self, onDelete: .cascade)
      Column("tags", \.tags).default([])
      Column("created", \.created)
      Column("modified", \.modified)
    } indexes: {
      Index("notes_by_modified", on: \.modified, .descending)
      Index("notes_by_author", on: \.authorID)
    }
  }

  struct Photo: Model, Hashable {
    let id: Int64?
    var noteID: Int64
    var width: Int
    var image: FileAttachment

    static let table = ModelTable("photos", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("note_id", \.noteID).references(Note.self, onDelete: .cascade)
      Column("width", \.width)
      Column("image", \.image)
    } indexes: {
      Index("photos_by_note", on: \.noteID)
    }
  }

  struct Reading: Model, Hashable {
    let sensor: String
    let day: Int
    var value: Double?

    static let table = ModelTable("readings", as: Self.init) {
      Column("sensor", \.sensor)
      Column("day", \.day)
      Column("value", \.value)
    } constraints: {
      Constraint.primaryKey(\.sensor, \.day)
    }
  }

  static let schema = ModelSchema {
    Author.self
    Note.self
    Photo.self
    Reading.self
    VirtualTable("note_search", .fts5, of: Note.self, \.title, \.text)
  }

  static func note(_ title: String, stars: Int = 0, author: Int64? = nil, day: Double = 0) -> Note {
    let date = Date(timeIntervalSince1970: day * 86_400)
    return Note(
      id: nil, title: title, text: "", stars: stars, authorID: author, tags: [], created: date, modified: date)
  }
}

extension RecordExamples {
  static func glance(path: String, _ draft: Note) throws -> (Note, Note?, [Note]) {
    let session = try Session(at: path, schema: schema)
    let stored = try session.save(draft)  // with its key, which is 1
    let note = try session.find(Note.self, 1)
    let best = try session.all(Note.self, where: { $0.stars >= 3 }, orderBy: { [$0.modified.descending] }, limit: 20)
    return (stored, note, best)
  }

  static func saving(_ session: Session, _ draft: Note, _ now: Date) throws -> Note {
    var note = try session.save(draft)  // the row as it is stored, with its key
    note.title = "Groceries and more"
    try session.save(note)  // the row with this key takes these values
    note.modified = now
    try session.update(note, \.title, \.modified)  // these columns and no others
    return note
  }

  static func policies(_ session: Session, _ note: Note) throws -> (Note, Note) {
    let present = try session.save(note, .ignore)  // a row with this key stays as it is, and comes back
    let changed = try session.save(note, .update(\.title))  // of a row with this key, only the title changes
    return (present, changed)
  }

  static func inserting(_ session: Session, _ note: Note) throws {
    try session.save(note, .insert)  // a row with this key is an error
  }

  static func unique(_ session: Session, _ name: String) throws -> Author {
    let author = try session.save(Author(id: nil, name: name), .upsert(on: \.name))
    return author
  }

  static func many(_ session: Session, _ names: [String]) throws -> [Int64] {
    let keys = try session.save(names.map { Author(id: nil, name: $0) })  // all of them or none
    let ids = keys.integers
    return ids
  }

  static func finding(_ session: Session) throws -> (Note?, Reading?, Note?, Int, Bool, Bool) {
    let note = try session.find(Note.self, 5)  // nil when there is none
    let reading = try session.find(Reading.self, "attic", 12)  // a key of two columns
    let newest = try session.first(Note.self, orderBy: { [$0.created.descending] })
    let count = try session.count(Note.self, where: { $0.authorID == nil })
    let isRated = try session.exists(Note.self, where: { $0.stars > 0 })
    let isThere = try session.exists(Note.self, key: 5)
    return (note, reading, newest, count, isRated, isThere)
  }

  static func filtering(_ session: Session, _ day: Date) throws -> [Note] {
    let notes = try session.all(
      Note.self,
      where: { ($0.title.hasPrefix("G") || $0.stars.isIn(4...5)) && $0.modified > day && !($0.text == "") })
    return notes
  }

  static func optionalFilter(_ session: Session, _ title: String?, _ least: Int?) throws -> [Note] {
    let notes = try session.all(
      Note.self,
      where: { note in
        var filter = Filter.always
        if let title { filter = filter && note.title.contains(title) }
        if let least { filter = filter && note.stars >= least }
        return filter
      })
    return notes
  }

  static func everyFilter(_ session: Session, _ day: Date, _ ids: [Int64?]) throws -> [Int] {
    let filters: [(Fields<Note>) -> Filter] = [
      { $0.stars == 3 },
      { $0.authorID == nil },
      { $0.authorID.isNil },
      { $0.stars != 3 },
      { $0.created < $0.modified },
      { $0.modified.between(day, day + 86_400) },
      { $0.stars.isIn(1..<5) },
      { $0.id.isIn(ids) },
      { $0.title.hasPrefix("G") },
      { $0.title.hasSuffix("s") },
      { $0.title.contains("cer") },
      { $0.title.contains("CER", .ignoringCase) },
      { $0.tags.contains("home") },
      { $0.title.like("%50\\%%", escape: "\\") },
      { $0.title.glob("[A-G]*") },
      { $0.title.collate(.nocase) == "groceries" },
      { $0.tags.json("$[0]", as: String.self) == "home" },
      { $0.any(Photo.self) { $0.width > 100 } },
      { $0.matching("milk", in: "note_search") },
      { .sql("length(\($0.title)) > \(10)") },
    ]
    return try filters.map { try session.count(Note.self, where: $0) }
  }

  static func ordering(_ session: Session) throws -> [Note] {
    let notes = try session.all(
      Note.self,
      orderBy: { [$0.stars.descending, $0.authorID.ascending.nullsLast, $0.title.collate(.nocase).ascending] },
      limit: 50, offset: 100)
    return notes
  }

  static func paging(_ session: Session) throws -> [String] {
    var titles: [String] = []
    var place: PageCursor?
    repeat {
      let page = try session.page(Note.self, size: 50, after: place, orderBy: { [$0.modified.descending] })
      titles += page.items.map(\.title)
      place = page.next  // nil at the end
    } while place != nil
    return titles
  }

  static func changing(_ session: Session, _ note: Note, _ day: Date) throws -> (Int, Bool, Bool, Int) {
    let changed = try session.update(
      Note.self, set: { [$0.stars.increase(by: 1), $0.text.set("")] }, where: { $0.title == "Draft" })
    let wasThere = try session.delete(note)
    let wasThereToo = try session.delete(Note.self, key: 5)
    let deleted = try session.delete(Note.self, where: { $0.modified < day })
    return (changed, wasThere, wasThereToo, deleted)
  }

  static func emptying(_ session: Session) throws -> Int {
    try session.updateAll(Note.self, set: { [$0.stars.set(0)] })
    let deleted = try session.deleteAll(Note.self)
    return deleted
  }
}

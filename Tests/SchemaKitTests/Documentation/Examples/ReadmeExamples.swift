import Foundation
import SchemaKit

// The Swift of README.md. The tests look for its blocks here, line by line.

enum ReadmeExamples {
  struct Note: Model {
    let id: Int64?
    var title: String
    var tags: [String]

    static let table = ModelTable("notes", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("title", \.title).renamed(from: "text").backfill(sql: "'untitled'")
      Column("tags", \.tags).default([])
    } indexes: {
      Index("notes_by_title", on: \.title)
    }
  }

  static func open(_ path: String) throws -> [String] {
    let schema = ModelSchema { Note.self }
    let session = try Session(at: path, schema: schema)  // planned, migrated and verified when this returns
    try session.save(Note(id: nil, title: "First", tags: []))
    let titles = try session.all(Note.self, orderBy: { [$0.id.ascending] }).map(\.title)
    return titles
  }

  static func save(_ session: Session) throws -> Note? {
    var note = try session.save(Note(id: nil, title: "Dune", tags: ["sand"]))  // the row as it is stored, with its key
    note.tags.append("spice")
    try session.update(note, \.tags)  // this column and no other
    let found = try session.find(Note.self, 3)
    return found
  }
}

import Foundation
import SchemaKit

// The Swift of README.md. The tests look for its blocks here, line by line.

enum ReadmeExamples {
  struct Note: Model {
    let id: Int64?
    var title: String
    var tags: [String]

    static let table = Table("notes", as: Self.init) {
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
    try session.connection.run("INSERT INTO notes (title) VALUES (?1)", [.text("First")])
    let titles = try session.connection.texts("SELECT title FROM notes ORDER BY id")
    return titles
  }
}

import Foundation
import SchemaKit
import SchemaKitOperations
import Testing

// The Swift of docs/migrations.md. The tests look for its blocks here, line by line.

@Suite("Recorded migrations as documented")
struct MigrationExamples {
  struct Person: Model {
    let id: Int64?
    var first: String
    var last: String?

    static let table = ModelTable("people", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("first", \.first).default("")
      Column("last", \.last)
    }
  }

  static func schemaWithWork() -> ModelSchema {
    let schema = ModelSchema {
      Person.self
      RecordedWork("split-names") { session in
        for row in try session.query("SELECT id, name FROM people") {
          let (id, name): (Int, String) = (try row.get("id"), try row.get("name"))
          let words = name.split(separator: " ", maxSplits: 1).map(String.init)
          try session.execute(
            "UPDATE people SET first = \(words.first ?? ""), last = \(words.dropFirst().first) WHERE id = \(id)")
        }
      }
    }
    return schema
  }

  static func open(_ path: String, schema: ModelSchema) throws -> Session {
    let folder = Bundle.main.path(forResource: "migrations", ofType: nil) ?? "migrations"
    let migrations = try RecordedMigrations(folder: folder)
    let session = try Session(at: path, schema: schema) { $0.migration = .recorded(migrations) }
    return session
  }

  @Test("a folder whose steps nobody recorded is refused, and no file is made")
  func unrecordedFolder() throws {
    let folder = try CommandFolder()
    #expect(throws: (any Error).self) {
      _ = try Self.open(folder.url("app.db").path, schema: Self.schemaWithWork())
    }
    #expect(!folder.exists("app.db"))
  }
}

import SchemaKit
import SchemaKitRemote

// The Swift of docs/clusters.md, which runs where a cluster is.

enum ClusterExample {
  struct Note: Model {
    let id: Int64?
    var title: String

    static let table = ModelTable("note", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("title", \.title)
    }
  }

  enum NotesModels {
    typealias Note = ClusterExample.Note
    static let schema = ModelSchema { Note.self }
  }

  static func use() async throws -> (Note, [String]) {
    let db = try await Database(schema: NotesModels.schema) {
      try DqliteConnection(to: ["127.0.0.1:9001", "127.0.0.1:9002"], database: "notes")
    }
    let note = try await db.save(NotesModels.Note(id: nil, title: "Milk"))
    let titles = try await db.all(NotesModels.Note.self).map(\.title)
    return (note, titles)
  }

  /// - Parameter address: `http://127.0.0.1:8080` on the page.
  static func use(libSQLAt address: String) throws -> (ApplyReport.Outcome, [String]) {
    let connection = try LibSQLConnection(to: address)
    let report = try RemoteDatabase(over: connection).migrate(to: NotesModels.schema)
    try connection.run("INSERT INTO note (title) VALUES (?1)", [.text("Milk")])
    return (report.outcome, try connection.texts("SELECT title FROM note"))
  }
}

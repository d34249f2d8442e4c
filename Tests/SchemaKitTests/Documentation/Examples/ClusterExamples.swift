import SchemaKit
import SchemaKitRemote

// The Swift of docs/clusters.md, which runs where a cluster is.

enum ClusterExample {
  struct Note: Model {
    let id: Int64?
    var title: String

    static let table = Table("note", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("title", \.title)
    }
  }

  enum NotesModels {
    static let schema = ModelSchema { Note.self }
  }

  static func use() throws -> (ApplyReport.Outcome, [String]) {
    let connection = try DqliteConnection(to: ["127.0.0.1:9001", "127.0.0.1:9002"], database: "notes")
    let report = try RemoteDatabase(over: connection).migrate(to: NotesModels.schema)
    try connection.run("INSERT INTO note (title) VALUES (?1)", [.text("Milk")])
    let titles = try connection.texts("SELECT title FROM note")
    return (report.outcome, titles)
  }
}

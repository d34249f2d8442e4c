import SchemaKit
import SchemaKitTesting
import Testing

// The Swift of docs/testing-upgrades.md. A test of the documentation looks for its blocks here.

struct Note: Model {
  let id: Int64?
  var title: String
  var stars: Int

  static let table = ModelTable("note", as: Self.init) {
    Column("id", \.id).primaryKey(autoincrement: true)
    Column("title", \.title).renamed(from: "text").backfill(sql: "'untitled'")
    Column("stars", \.stars).default(0)
  }
}

let schema = ModelSchema { Note.self }

@Suite("Files of older versions")
struct UpgradeTests {
  static let version1 = "CREATE TABLE note (id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT)"
  static let version2 = """
    CREATE TABLE note (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      title TEXT -- schemakit: renamed from text
    );
    """

  @Test("a crash leaves the old file or the new one", arguments: [CrashMatrix.Journal.rollback, .wal])
  func crashes(journal: CrashMatrix.Journal) async throws {
    let report = try await CrashMatrix(
      schema: .sql(Self.version1), rows: ["INSERT INTO note (text) VALUES ('Buy bread'), (NULL)"],
      to: .models(schema), journal: journal
    ).run()
    print(report)
  }

  @Test("every version reaches the newest one, with the same rows whichever way it takes")
  func upgrades() async throws {
    let report = try await UpgradeMatrix([
      .init("1.0", schema: .sql(Self.version1), rows: ["INSERT INTO note (text) VALUES ('Buy bread'), (NULL)"]),
      .init("2.0", schema: .sql(Self.version2), rows: ["INSERT INTO note (title) VALUES ('Buy milk')"]),
      .init("3.0", schema: .models(schema)),
    ]).run()
    print(report)
  }

  @Test("tidying up is all or nothing")
  func tidying() async throws {
    let matrix = CrashMatrix { connection in
      let session = try Session(over: connection, schema: schema)
      try session.save([Note(id: nil, title: "Keep", stars: 5), Note(id: nil, title: "Drop", stars: 0)])
    } migrate: { connection in
      let session = try Session(over: connection, schema: schema)
      try session.transaction {
        try session.delete(Note.self, where: { $0.stars == 0 })
        try session.execute("UPDATE note SET stars = 1")
      }
    }
    try await matrix.run()
  }

  @Test("undoing is all or nothing")
  func undoing() async throws {
    let matrix = CrashMatrix(journal: .wal) { connection in
      try connection.execute(Self.version1)
      _ = try Session(over: connection, schema: schema)
    } migrate: { connection in
      if try connection.integer("SELECT count(*) FROM pragma_table_info('note') WHERE name = 'stars'") == 1 {
        try MigrationUndo(over: connection).apply(allowing: .everything)
      }
    }
    try await matrix.run()
  }
}

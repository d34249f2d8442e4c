import SchemaKit
import SchemaKitTesting
import Testing

// The Swift of the article about testing an upgrade. A test of the documentation looks for its blocks here.

struct Chore: Model {
  let id: Int64?
  var title: String
  var isDone: Bool

  static let table = ModelTable("chores", as: Self.init) {
    Column("id", \.id).primaryKey()
    Column("title", \.title).renamed(from: "text").backfill(sql: "'untitled'")
    Column("is_done", \.isDone).default(false)
  }
}

@Suite("Files of older releases")
struct ReleaseTests {
  static let first: TestedSchema = "CREATE TABLE chores (id INTEGER PRIMARY KEY, text TEXT)"
  static let rows = ["INSERT INTO chores VALUES (1, 'Water the plants'), (2, NULL)"]

  @Test("files of every release become the newest one")
  func releases() async throws {
    let report = try await UpgradeMatrix([
      .init("1.0", schema: Self.first, rows: Self.rows),
      .init("2.0", schema: .models(ModelSchema { Chore.self })),
    ]).run()
    print(report)
  }

  @Test("a crash leaves the old file or the new one")
  func crashes() async throws {
    let report = try await CrashMatrix(
      schema: Self.first, rows: Self.rows, to: .models(ModelSchema { Chore.self })
    ).run()
    print(report)
  }

  /// A column that goes in 2.0 and is there again in 3.0.
  static let wavering = UpgradeMatrix([
    .init(
      "1.0", schema: "CREATE TABLE chores (id INTEGER PRIMARY KEY, text TEXT, room TEXT)",
      rows: ["INSERT INTO chores VALUES (1, 'Water the plants', 'kitchen')"]),
    .init(
      "2.0",
      schema: """
        CREATE TABLE chores (id INTEGER PRIMARY KEY, text TEXT); -- schemakit: removed room
        """),
    .init("3.0", schema: "CREATE TABLE chores (id INTEGER PRIMARY KEY, text TEXT, room TEXT, stars INTEGER)"),
  ])
}

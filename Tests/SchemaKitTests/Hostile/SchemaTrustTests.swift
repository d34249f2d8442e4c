import CSQLite
import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

/// What the schema of a file may call.
@Suite("Schemas that are not trusted")
struct SchemaTrustTests {
  private static let schema = """
    CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT);
    INSERT INTO book VALUES (1, 'one');
    CREATE VIEW columns AS SELECT name FROM pragma_table_info('book');
    """
  private static let noModels = ModelSchema {}

  @Test("a connection to a stranger's file is set up for one, and any other is but for the trust in its schema")
  func settings() throws {
    let file = try TemporaryDatabase(Self.schema)
    let connection = try SQLiteConnection(path: file.path, trustsSchema: false)
    #expect(try connection.integer("PRAGMA trusted_schema") == 0)
    #expect(try connection.integer("PRAGMA cell_size_check") == 1)
    #expect(try connection.integer("PRAGMA mmap_size") == 0)
    #expect(!connection.trustsSchema)
    #expect(sqlite3_load_extension(connection.handle, "/nowhere", nil, nil) == SQLITE_ERROR)
    let error = #expect(throws: SQLiteError.self) { try connection.value("SELECT load_extension('/nowhere')") }
    #expect(error?.message == "not authorized")
    let trusting = try SQLiteConnection(path: file.path)
    #expect(trusting.trustsSchema)
    #expect(try trusting.integer("PRAGMA cell_size_check") == 1)
    #expect(throws: SQLiteError.self) { try trusting.value("SELECT load_extension('/nowhere')") }
  }

  @Test("a file is not mapped into memory while it is planned for and migrated")
  func mapping() throws {
    let file = try TemporaryDatabase(Self.schema)
    let connection = try SQLiteConnection(path: file.path)
    try connection.execute("PRAGMA mmap_size = 65536")
    var during: Int64?
    try withMigrationEnvironment(on: connection) { during = try connection.integer("PRAGMA mmap_size") }
    #expect(during == 0)
    #expect(try connection.integer("PRAGMA mmap_size") == 65536)
  }

  @Test("a borrowed connection keeps the settings of its lender")
  func borrowed() throws {
    let file = try TemporaryDatabase(Self.schema)
    let lender = try file.reopened()
    try lender.exec("PRAGMA mmap_size = 65536; PRAGMA trusted_schema = ON; PRAGMA cell_size_check = OFF")
    let connection = try SQLiteConnection(
      borrowing: #require(lender.pointer), sourceID: SQLiteConnection.engineSourceID)
    let settings = try withMigrationEnvironment(on: connection) {
      try ["mmap_size", "trusted_schema", "cell_size_check"].map { try connection.integer("PRAGMA \($0)") }
    }
    #expect(settings == [65536, 1, 0])
  }

  @Test("a view that calls what may harm fails with the way out, and works where the schema is trusted")
  func view() async throws {
    let file = try TemporaryDatabase("PRAGMA journal_mode = WAL;" + Self.schema)
    let strict = try Session(at: file.path, schema: Self.noModels) { $0.trustsSchema = false }
    let error = #expect(throws: SQLiteError.self) { try strict.query("SELECT name FROM columns") }
    #expect(error?.message.contains("trustsSchema") == true)
    let trusting = try Session(at: file.path, schema: Self.noModels)
    #expect(try trusting.query("SELECT name FROM columns").count == 2)
    let database = try await Database(at: file.path, schema: Self.noModels)
    let count = try await database.read { try $0.query("SELECT name FROM columns").count }
    #expect(count == 2)
    let careful = try await Database(at: file.path, schema: Self.noModels) { $0.trustsSchema = false }
    await #expect(throws: SQLiteError.self) {
      try await careful.read { try $0.query("SELECT name FROM columns").count }
    }
  }

  @Test("such a view stands in no migration's way, and keeps its text", arguments: [false, true])
  func migration(trustsSchema: Bool) throws {
    let file = try TemporaryDatabase(Self.schema)
    let view = "CREATE VIEW columns AS SELECT name FROM pragma_table_info('book')"
    for target in [
      "CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT NOT NULL DEFAULT ''); \(view);",
      "CREATE TABLE book( -- schemakit: fill 1\n id INTEGER PRIMARY KEY, name TEXT NOT NULL DEFAULT '' -- schemakit: renamed from title\n); \(view);"
        .replacing("( -- schemakit: fill 1", with: "("),
    ] {
      let connection = try SQLiteConnection(path: file.path, trustsSchema: trustsSchema)
      _ = try Change(over: connection, to: TemporaryDatabase.target(target)).apply()
    }
    #expect(try file.query("SELECT id, name FROM book") == [[.int(1), .text("one")]])
    #expect(try file.query("SELECT name FROM columns") == [[.text("id")], [.text("name")]])
    #expect(try file.value("SELECT sql FROM sqlite_master WHERE name = 'columns'") == .text(view))
  }

  @Test("a declared view that the file's connection could not run is said in the plan, with the way out")
  func declared() throws {
    let file = try TemporaryDatabase("CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT);")
    let target =
      "CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT); CREATE VIEW columns AS SELECT name FROM pragma_table_info('book');"
    let strict = try SQLiteConnection.openedForInspection(path: file.path, trustsSchema: false)
    let plan = try Change(over: strict, to: TemporaryDatabase.target(target)).plan()
    #expect(plan.hazards.contains { $0.message.contains("trustsSchema") })
    let connection = try SQLiteConnection(path: file.path, trustsSchema: true)
    let report = try Change(over: connection, to: TemporaryDatabase.target(target)).apply()
    #expect(report.outcome == .applied)
  }

  @Test("a dry run trusts a file no more than its inspector does")
  func dryRun() throws {
    let file = try TemporaryDatabase("CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT);")
    let inspector = try SchemaInspector(at: file.path, busyTimeout: 0.5, trustsSchema: false)
    var seen: Bool?
    let report = try inspector.dryRun(to: Self.noModels) { configuration in
      seen = configuration.trustsSchema
      #expect(configuration.busyTimeout == 0.5)
    }
    #expect(report.outcome != .applied && seen == false)
  }

  @Test("functions that the process has and the file's schema calls are never called")
  func sideEffects() throws {
    // Every connection of the process gets the function from now on; no other test names it.
    typealias Entry = @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, UnsafeRawPointer?) -> Int32
    let entry: Entry = { handle, _, _ in
      sqlite3_create_function_v2(
        handle, "schemakit_test_harm", -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil,
        { context, _, _ in
          HarmCounter.shared.add()
          sqlite3_result_int(context, 1)
        }, nil, nil, nil)
    }
    sqlite3_auto_extension(unsafeBitCast(entry, to: (@convention(c) () -> Void).self))
    defer { sqlite3_cancel_auto_extension(unsafeBitCast(entry, to: (@convention(c) () -> Void).self)) }
    let hostile = try HostileFile(
      """
      CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT, pages INT, CHECK (schemakit_test_harm(title)));
      PRAGMA ignore_check_constraints = ON; INSERT INTO book VALUES (1, 'one', NULL);
      CREATE TABLE made(a, b AS (schemakit_test_harm(a)) VIRTUAL); INSERT INTO made(a) VALUES (1);
      CREATE VIEW seen AS SELECT schemakit_test_harm(title) FROM book;
      CREATE TRIGGER noted AFTER INSERT ON book BEGIN SELECT schemakit_test_harm(1); END;
      CREATE TRIGGER changed AFTER UPDATE ON book BEGIN SELECT schemakit_test_harm(1); END;
      CREATE INDEX computed ON book(schemakit_test_harm(title));
      """)
    HarmCounter.shared.reset()
    try hostile.look()
    try hostile.migrate()
    let refusal = #expect(throws: SQLiteError.self) {
      try Session(at: hostile.file.path, schema: Self.noModels) { $0.trustsSchema = false }
    }
    #expect(refusal?.message.contains("trustsSchema") == true)
    // Without the CHECK, the computed column and the index SQLite takes the schema, views and triggers and all.
    try hostile.poison(
      """
      DELETE FROM sqlite_master WHERE name = 'computed';
      UPDATE sqlite_master SET sql = 'CREATE TABLE made(a, b)' WHERE name = 'made';
      UPDATE sqlite_master SET sql = 'CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT, pages INT)'
      WHERE name = 'book'
      """)
    try hostile.look()
    try hostile.migrate()
    _ = try Session(at: hostile.file.path, schema: Self.noModels) { $0.trustsSchema = false }
    #expect(HarmCounter.shared.count == 0)
    // The counter counts: where the schema is trusted, the view calls the function.
    let trusting = try SQLiteConnection(path: hostile.file.path, trustsSchema: true)
    _ = try? trusting.rows("SELECT schemakit_test_harm(1)")
    #expect(HarmCounter.shared.count > 0)
  }

  @Test("schemactl --untrusted says what a schema may not call, and plans for it without")
  func command() throws {
    let folder = try CommandFolder()
    try folder.database("books.db", "CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT);")
    try folder.write(
      "CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT); CREATE VIEW c AS SELECT name FROM pragma_table_info('book');",
      to: "schema.sql")
    let refused = try folder.run("apply", "books.db", "--to", "schema.sql", "--yes", "--untrusted")
    #expect(refused.status == 3)
    #expect(refused.output.contains("--untrusted"))
    let done = try folder.run("apply", "books.db", "--to", "schema.sql", "--yes")
    #expect(done.status == 0, "\(done.errors)")
  }
}

/// How often the harmful function ran.
final class HarmCounter: @unchecked Sendable {
  static let shared = HarmCounter()
  // `lock` guards the variable below it.
  private let lock = NSLock()
  private var calls = 0

  var count: Int { lock.withLock { calls } }
  func add() { lock.withLock { calls += 1 } }
  func reset() { lock.withLock { calls = 0 } }
}

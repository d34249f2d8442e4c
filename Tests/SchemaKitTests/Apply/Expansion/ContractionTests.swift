import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

/// The newer version of a table that loses two columns and gets a name and an index.
private struct Track: Model, Equatable {
  let id: Int64?
  let name: String
  let rating: Int

  static let table = ModelTable("tracks", as: Self.init, removed: ["cover", "genre"]) {
    Column("id", \.id).primaryKey()
    Column("name", \.name).renamed(from: "title")
    Column("rating", \.rating).default(3)
  } indexes: {
    Index("tracks_rating", on: \.rating)
  }
}

@Suite("The rest of a migration in the background")
struct ContractionTests {
  private let schema = ModelSchema(removing: ["covers"]) { Track.self }

  private func file(rows: Int) throws -> TemporaryDatabase {
    try TemporaryDatabase(
      """
      PRAGMA journal_mode = WAL;
      CREATE TABLE tracks (id INTEGER PRIMARY KEY, title TEXT NOT NULL, cover BLOB, genre TEXT);
      CREATE TABLE covers (id INTEGER PRIMARY KEY, picture BLOB);
      INSERT INTO covers VALUES (1, x'00');
      INSERT INTO tracks WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
        SELECT i, 'track ' || i, zeroblob(200), 'jazz' FROM n;
      """)
  }

  private func columns(_ file: TemporaryDatabase) throws -> [String] {
    try file.query("SELECT name FROM pragma_table_info('tracks')").flatMap { $0.compactMap(\.string) }
  }

  @Test("the file serves the program at once, and has its schema when the rest is done")
  func background() async throws {
    let file = try file(rows: 3_000)
    let db = try await Database(at: file.path, schema: schema) { $0.phase = .prepare }
    #expect(try await db.count(Track.self) == 3_000)
    let contraction = try #require(db.contraction)
    // What is written meanwhile is there afterwards.
    for number in 1...50 { try await db.save(Track(id: nil, name: "new \(number)", rating: 5)) }
    try await db.delete(Track.self, key: 7)
    guard case .compared(let report) = try await contraction.finish() else {
      Issue.record("nothing was left")
      return
    }
    #expect(report.plan.steps.contains { $0.strategy == .online })
    try await db.save(Track(id: nil, name: "last", rating: 1))
    #expect(try await db.all(Track.self, where: { $0.rating != 3 }).count == 51)
    try await db.close()
    #expect(try columns(file) == ["id", "name", "rating"])
    #expect(try file.value("SELECT count(*) FROM tracks") == .int(3_050))
    #expect(
      try file.query(
        "SELECT name FROM sqlite_schema WHERE name LIKE '%schemakit\\_online%' ESCAPE '\\' OR name = 'covers'"
      )
      .isEmpty)
    #expect(try file.value("SELECT count(*) FROM sqlite_schema WHERE name = 'tracks_rating'") == .int(1))
    #expect(try file.value("PRAGMA integrity_check") == .text("ok"))
    let again = try await Database(at: file.path, schema: schema) { $0.phase = .prepare }
    #expect(again.contraction == nil)
    guard case .warm = again.openReport else {
      Issue.record("\(again.openReport)")
      return
    }
  }

  @Test("a cancelled contraction leaves a file that serves the program, and the next open goes on")
  func cancelled() async throws {
    let file = try file(rows: 20_000)
    let isCancelled = DispatchSemaphore(value: 0)
    let db = try await Database(at: file.path, schema: schema) {
      $0.phase = .prepare
      $0.onProgress = { progress in
        guard progress.activity == .copying else { return }
        isCancelled.wait()
        isCancelled.signal()
      }
    }
    let contraction = try #require(db.contraction)
    contraction.cancel()
    isCancelled.signal()
    await #expect(throws: (any Error).self) { try await contraction.finish() }
    try await db.save(Track(id: 30_000, name: "new", rating: 5))
    try await db.close()
    #expect(try columns(file) == ["id", "name", "cover", "genre", "rating"])
    #expect(
      try file.query("SELECT name FROM sqlite_schema WHERE name LIKE '\\_schemakit\\_online%' ESCAPE '\\'").isEmpty)
    let next = try await Database(at: file.path, schema: schema) { $0.phase = .prepare }
    guard case .compared(let report) = next.openReport else {
      Issue.record("\(next.openReport)")
      return
    }
    #expect(report.plan.isEmpty)
    try await #require(next.contraction).finish()
    try await next.close()
    #expect(try columns(file) == ["id", "name", "rating"])
    #expect(try file.value("SELECT count(*) FROM tracks") == .int(20_001))
  }

  @Test("an open with the complete phase does the rest before it returns")
  func completed() throws {
    let file = try file(rows: 10)
    try Session(at: file.path, schema: schema) { $0.phase = .prepare }.close()
    #expect(try columns(file).contains("cover"))
    #expect(try file.value("SELECT count(*) FROM covers") == .int(1))
    let session = try Session(at: file.path, schema: schema)
    guard case .compared(let report) = session.openReport else {
      Issue.record("\(session.openReport)")
      return
    }
    #expect(report.outcome == .applied)
    try session.close()
    #expect(try columns(file) == ["id", "name", "rating"])
    #expect(try file.value("SELECT count(*) FROM _schemakit_meta WHERE key LIKE 'expanded%'") == .int(0))
  }

  @Test("a unique index that goes refuses nothing that the program writes meanwhile")
  func uniqueIndex() async throws {
    let file = try file(rows: 10)
    try Session(at: file.path, schema: ModelSchema { UniqueTrack.self }).close()
    let db = try await Database(at: file.path, schema: schema) { $0.phase = .prepare }
    try await db.save(Track(id: nil, name: "track 1", rating: 1))
    _ = try await db.contraction?.finish()
    try await db.close()
    #expect(try file.value("SELECT count(*) FROM tracks WHERE name = 'track 1'") == .int(2))
  }

  @Test("what needs consent is told when the rest is done, and the program goes on")
  func refused() async throws {
    let file = try file(rows: 10)
    let unasked = ModelSchema {
      UnaskedTrack.self
    }
    let db = try await Database(at: file.path, schema: unasked) { $0.phase = .prepare }
    let contraction = try #require(db.contraction)
    await #expect(throws: PlanError.self) { try await contraction.finish() }
    #expect(try await db.count(UnaskedTrack.self) == 10)
    try await db.close()
    #expect(try columns(file).contains("cover"))
  }

  @Test("rows that a new unique index refuses are named, although nobody has looked at them before")
  func refusedRows() throws {
    let file = try file(rows: 3)
    try file.exec("UPDATE tracks SET title = 'same' WHERE id > 1")
    let unique = ModelSchema {
      UniqueTrack.self
    }
    let error = #expect(throws: PlanError.self) { try Session(at: file.path, schema: unique) { $0.phase = .prepare } }
    guard case .refused(_, let hazards) = error?.reason else { throw try #require(error) }
    #expect(hazards.map(\.code) == [.duplicates] && hazards.first?.samples.isEmpty == false)
    #expect(try file.query("SELECT name FROM sqlite_schema WHERE name = 'u' OR name LIKE '\\_%' ESCAPE '\\'").isEmpty)
  }

  @Test("a file that is prepared serves programs that may change nothing")
  func readers() throws {
    let file = try file(rows: 10)
    try Session(at: file.path, schema: schema) { $0.phase = .prepare }.close()
    for configure: (inout Configuration) -> Void in [{ $0.isReadOnly = true }, { $0.migration = .refuse }] {
      let session = try Session(at: file.path, schema: schema, configure: configure)
      #expect(try session.count(Track.self) == 10)
      try session.close()
    }
    #expect(try columns(file).contains("cover"))
  }

  @Test("columns that nobody declares may be refused, and former names are none")
  func undeclared() throws {
    let file = try TemporaryDatabase("CREATE TABLE tracks (id INTEGER PRIMARY KEY, title TEXT NOT NULL)")
    for phase in [MigrationPhase.expand, .contract(quietFor: nil)] {
      try Session(at: file.path, schema: schema) {
        $0.phase = phase
        $0.undeclaredColumns = .refuse
      }.close()
    }
    #expect(try columns(file) == ["id", "name", "rating"])
  }

  @Test("keys whose parents have another name at once are not left behind")
  func renamedParents() throws {
    let file = try TemporaryDatabase(
      """
      CREATE TABLE songs (id INTEGER PRIMARY KEY, title TEXT NOT NULL);
      CREATE TABLE covers (id INTEGER PRIMARY KEY, song REFERENCES songs ON DELETE CASCADE);
      INSERT INTO songs VALUES (1, 'x'); INSERT INTO covers VALUES (1, 1);
      """)
    var request = ChangeRequest()
    request.phase = .prepare
    request.plan.policy = .destructive
    let target = try TemporaryDatabase.target(
      "CREATE TABLE tracks (id INTEGER PRIMARY KEY, title TEXT NOT NULL); -- schemakit: renamed from songs")
    _ = try Change(over: SQLiteConnection(path: file.path, mode: .readWrite), to: target, request).apply()
    try file.exec("PRAGMA foreign_keys = ON; DELETE FROM tracks")
    #expect(
      try file.query("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'") == [
        [.text("tracks")]
      ])
  }

  @Test("a change that the program needs at once is made before the open returns")
  func needed() async throws {
    let file = try TemporaryDatabase("CREATE TABLE tracks (id INTEGER PRIMARY KEY, name, rating TEXT, cover)")
    let db = try await Database(at: file.path, schema: schema) { $0.phase = .prepare }
    #expect(db.contraction == nil)
    try await db.close()
    #expect(try columns(file) == ["id", "name", "rating"])
  }
}

/// The older version, in which no two tracks have one title.
private struct UniqueTrack: Model {
  let id: Int64?
  let title: String
  let cover: Data?
  let genre: String?

  static let table = ModelTable("tracks", as: Self.init) {
    Column("id", \.id).primaryKey()
    Column("title", \.title)
    Column("cover", \.cover)
    Column("genre", \.genre)
  } indexes: {
    Index("u", on: \.title).unique()
  }
}

/// A version that drops columns without saying so.
private struct UnaskedTrack: Model {
  let id: Int64?
  let title: String

  static let table = ModelTable("tracks", as: Self.init) {
    Column("id", \.id).primaryKey()
    Column("title", \.title)
  }
}

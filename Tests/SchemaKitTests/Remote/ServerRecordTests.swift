import Foundation
import Testing

@testable import SchemaKit
@testable import SchemaKitRemote

@Suite("Objects on servers")
struct ServerRecordTests {
  typealias Author = RecordModels.Author
  typealias Book = RecordModels.Book
  typealias BookTag = RecordModels.BookTag
  typealias Reading = RecordModels.Reading

  @Test("a session does on a server what it does on a file")
  func likeAFile() throws {
    let file = try TemporaryDatabase()
    let local = try RecordScene.play(Session(inMemory: RecordModels.schema))
    let server = try FileServer(file.path)
    #expect(try RecordScene.play(Session(onServer: server, schema: RecordModels.schema)) == local)
    #expect(local.count > 30)
    let again = try Session(at: file.path, schema: RecordModels.schema)
    guard case .warm = again.openReport else {
      Issue.record("the file is not known to have the schema")
      return
    }
    #expect(try again.count(Book.self) == 3)
  }

  @Test("a session does on a cluster what it does on a file", .enabled(if: DqliteCluster.isWanted))
  func likeAFileOnDqlite() throws {
    let cluster = try DqliteCluster()
    try playsAsOnAFile { try cluster.connection(to: "records") }
  }

  @Test("a session does on sqld what it does on a file", .enabled(if: SqldServer.isWanted))
  func likeAFileOnSqld() throws {
    let server = try SqldServer()
    try playsAsOnAFile { try server.connection() }
  }

  private func playsAsOnAFile(_ connect: () throws -> any ServerConnection) throws {
    let local = try RecordScene.play(Session(inMemory: RecordModels.schema))
    let remote = try RecordScene.play(Session(onServer: connect(), schema: RecordModels.schema))
    #expect(remote.count == local.count)
    for (line, expected) in zip(remote, local) { #expect(line == expected) }
    let again = try Session(onServer: connect(), schema: RecordModels.schema)
    guard case .warm = again.openReport else {
      Issue.record("the database is not known to have the schema")
      return
    }
    #expect(try again.count(Book.self) == 3)
  }

  @Test("the key of an object is its own, whatever was inserted before with the same number")
  func keys() throws {
    let file = try TemporaryDatabase()
    let session = try Session(onServer: FileServer(file.path), schema: RecordModels.schema)
    #expect(try session.save(Author(id: nil, name: "a", email: nil)).id == 1)
    #expect(try session.save(RecordModels.book("b")).id == 1)
    try session.execute("UPDATE books SET pages = 1")
    #expect(try session.save([RecordModels.book("c"), RecordModels.book("d")]).integers == [2, 3])
    #expect(try session.save([Author(id: nil, name: "e", email: nil)]).integers == [2])
    #expect(try session.execute("UPDATE books SET pages = 2").lastInsertedID == nil)
    #expect(try session.execute("INSERT INTO authors (name) VALUES ('f')").lastInsertedID == 3)
    #expect(try session.execute("INSERT INTO books (title) VALUES ('g')").lastInsertedID == 4)
    #expect(try session.execute("INSERT INTO book_tags VALUES ('t', 4, 1)").lastInsertedID == nil)
    #expect(try session.execute("INSERT OR IGNORE INTO authors (id, name) VALUES (1, 'x')").lastInsertedID == nil)
    let update = "INSERT INTO authors (id, name) VALUES (1, 'x') ON CONFLICT (id) DO UPDATE SET name = 'y'"
    let changed = try session.execute(SQL(raw: update))
    #expect(changed.changes == 1 && changed.lastInsertedID == nil)
  }

  @Test("statements see tables and columns that were made after the session was")
  func changedSchema() throws {
    let file = try TemporaryDatabase()
    let session = try Session(onServer: FileServer(file.path), schema: RecordModels.schema)
    try session.execute("CREATE TABLE other (a); INSERT INTO other VALUES (1); ALTER TABLE other ADD COLUMN b")
    #expect(try session.query("SELECT * FROM other")[0].columnNames == ["a", "b"])
    let everything = try session.prepare("SELECT * FROM other")
    #expect(try everything.query()[0].columnNames == ["a", "b"])
    let another = try SQLiteConnection(path: file.path)
    try another.execute("ALTER TABLE other RENAME COLUMN a TO c; CREATE TABLE third (x)")
    #expect(try session.query("SELECT * FROM other")[0].columnNames == ["c", "b"])
    #expect(try everything.query()[0].columnNames == ["c", "b"])
    #expect(try session.query("SELECT c, count(*) FROM other")[0].columnNames == ["c", "count(*)"])
    #expect(try session.query("SELECT x FROM third").isEmpty)
    #expect(throws: SQLiteError.self) { try session.query("SELECT a FROM other") }
    try? session.transaction {
      try session.execute("ALTER TABLE other RENAME COLUMN c TO d")
      #expect(try session.query("SELECT * FROM other")[0].columnNames == ["d", "b"])
      throw CancellationError()
    }
    #expect(try session.query("SELECT * FROM other")[0].columnNames == ["c", "b"])
  }

  @Test("a lost connection takes its transaction with it, and the session goes on")
  func lostConnection() throws {
    let file = try TemporaryDatabase()
    let server = try FileServer(file.path)
    let session = try Session(onServer: server, schema: RecordModels.schema)
    try session.save(Author(id: nil, name: "kept", email: nil))
    #expect(throws: RemoteError.self) {
      try session.transaction {
        try session.save(Author(id: nil, name: "lost", email: nil))
        try session.execute("CREATE TABLE lost (a)")
        try server.lose()
        // Whoever ignores the error writes nothing outside of the transaction.
        _ = try? session.save(Author(id: nil, name: "stray", email: nil))
        _ = try session.save(Author(id: nil, name: "lost too", email: nil))
      }
    }
    #expect(try session.all(Author.self).map(\.name) == ["kept"])
    #expect(throws: SQLiteError.self) { try session.query("SELECT a FROM lost") }
    try session.save(Author(id: nil, name: "later", email: nil))
    #expect(try Session(at: file.path, schema: RecordModels.schema).all(Author.self).map(\.name) == ["kept", "later"])
  }

  @Test("text that is not UTF-8 is refused, never repaired")
  func brokenText() throws {
    let file = try TemporaryDatabase()
    let session = try Session(onServer: FileServer(file.path), schema: RecordModels.schema)
    try SQLiteConnection(path: file.path).execute("INSERT INTO authors (name) VALUES (CAST(x'61ff62' AS TEXT))")
    let broken = { (column: Int) in RemoteError(reason: .brokenText(column: column, name: "name")) }
    #expect(throws: broken(1)) { try session.all(Author.self) }
    #expect(throws: broken(0)) { try session.query("SELECT name FROM authors") }
  }

  @Test("as many values are sent as SQLite takes")
  func manyValues() throws {
    let file = try TemporaryDatabase()
    let session = try Session(onServer: FileServer(file.path), schema: RecordModels.schema)
    let marks = (1...5_000).map { _ in "?" }.joined(separator: "), (")
    let values = (1...5_000).map { SQLValue.integer($0) }
    #expect(
      try session.connection.rows("SELECT sum(column1) FROM (VALUES (\(marks)))", values) == [[.integer(12_502_500)]])
  }

  @Test("what needs a file is refused by name, with nothing changed")
  func refused() throws {
    let file = try TemporaryDatabase()
    func refusal(_ work: RemoteError.LocalWork, _ body: () throws -> Void) {
      #expect(throws: RemoteError(reason: .unsupported(.onlyWithFile(work)))) { try body() }
    }
    let server = try FileServer(file.path)
    func opening(_ work: RemoteError.LocalWork, _ configure: (inout Configuration) -> Void) {
      refusal(work) { _ = try Session(onServer: server, schema: RecordModels.schema, configure: configure) }
    }
    let key = try EncryptionKey(passphrase: "x")
    opening(.functions) { $0.functions = [SQLFunction("twice") { (value: Int) in value * 2 }] }
    opening(.collations) { $0.collations = [SQLCollation("backwards") { $1 < $0 ? -1 : $0 == $1 ? 0 : 1 }] }
    opening(.backup) { $0.backup = .beforeLoss }
    opening(.encryption) { $0.key = key }
    opening(.seedFile) { $0.seedFile = "seed.db" }
    opening(.openParameters) { $0.openParameters.mustExist = true }
    opening(.waitingForLocks) { $0.busyHandler = { _ in false } }
    opening(.waitingForLocks) { $0.busyTimeout = 60 }
    opening(.readOnly) { $0.isReadOnly = true }
    opening(.untrustedSchema) { $0.trustsSchema = false }
    opening(.tracedValues) { $0.trace = .statementsWithValues { _ in } }
    #expect(server.statements.isEmpty)
    let session = try Session(onServer: server, schema: RecordModels.schema)
    refusal(.observers) { _ = try session.observe(Book.self) { _ in } }
    refusal(.backup) { try session.backup(to: file.path + ".copy") }
    #expect(!FileManager.default.fileExists(atPath: file.path + ".copy"))
    refusal(.attachments) { _ = try session.attachments.store(Data([1])) }
    refusal(.attachments) { _ = try session.attachments.report() }
    try session.close()
    #expect(server.isClosed)
    #expect(throws: SQLiteConnectionError.self) { try session.count(Book.self) }
  }

  @Test("a database on a server is shared between tasks")
  func database() async throws {
    let file = try TemporaryDatabase()
    let path = file.path
    let traced = Traced()
    let db = try await Database(schema: RecordModels.schema) {
      $0.trace = .statements { event in traced.add(event.sql) }
    } onServer: {
      try FileServer(path)
    }
    await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask {
          try await db.transaction { session in
            try session.save(RecordModels.book("b\(number)"))
            try session.save(Author(id: nil, name: "a\(number)", email: nil))
          }
        }
      }
    }
    let counts = try await db.read { reader in [try reader.count(Book.self), try reader.count(Author.self)] }
    #expect(counts == [20, 20])
    var titles: Set<String> = []
    for try await book in db.stream(Book.self) { titles.insert(book.title) }
    #expect(titles.count == 20)
    await #expect(throws: RemoteError.self) { _ = try await db.changes(Book.self) }
    #expect(traced.all.contains { $0.hasPrefix("INSERT INTO") })
    #expect(try await db.history().count == 1)
    try await db.close()
    await #expect(throws: SQLiteConnectionError.self) { _ = try await db.count(Book.self) }
  }

  @Test("work that is cancelled is rolled back, and what others save afterwards is kept")
  func cancelled() async throws {
    let file = try TemporaryDatabase()
    let path = file.path
    let db = try await Database(schema: RecordModels.schema, onServer: { try FileServer(path) })
    let cancelling: @Sendable (Session) throws -> Void = { session in
      try session.save(RecordModels.book("lost"))
      withUnsafeCurrentTask { $0?.cancel() }
      try session.save(RecordModels.book("lost too"))
    }
    for _ in 1...2 {
      let task = Task { try await db.transaction { try cancelling($0) } }
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    let reading = Task {
      try await db.read { reader in
        _ = try reader.count(Book.self)
        withUnsafeCurrentTask { $0?.cancel() }
        _ = try reader.count(Book.self)
      }
    }
    await #expect(throws: CancellationError.self) { try await reading.value }
    try await db.save(RecordModels.book("kept"))
    #expect(try SQLiteConnection(path: path).texts("SELECT title FROM books") == ["kept"])
    try await db.close()
  }

  @Test("a schema that differs is planned, refused and applied as on a file")
  func openings() throws {
    let file = try TemporaryDatabase()
    try SQLiteConnection(path: file.path).execute(
      "CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT, phone TEXT); INSERT INTO authors VALUES (1, 'a', 'x')")
    func open(_ configure: (inout Configuration) -> Void = { _ in }) throws -> Session {
      try Session(onServer: FileServer(file.path), schema: RecordModels.schema, configure: configure)
    }
    #expect(throws: PlanError.self) { try open() }
    #expect(throws: PlanError.self) { try open { $0.migration = .refuse } }
    #expect(throws: PlanError.self) { try open { $0.undeclaredColumns = .refuse } }
    let kept = try open { $0.undeclaredColumns = .keep }
    #expect(try kept.find(Author.self, 1)?.name == "a")
    #expect(try kept.query("SELECT phone FROM authors")[0]["phone"] == .text("x"))
  }
}

/// The SQL that a trace has told of.
private final class Traced: @unchecked Sendable {
  // `lock` guards `texts`.
  private let lock = NSLock()
  private var texts: [String] = []

  var all: [String] { lock.withLock { texts } }
  func add(_ text: String) { lock.withLock { texts.append(text) } }
}

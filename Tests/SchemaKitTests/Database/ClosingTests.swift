import CSQLite
import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Closing")
struct ClosingTests {
  let file: TemporaryDatabase

  init() throws { file = try TemporaryDatabase() }

  private var path: String { file.sibling("new.db") }

  private func opened() throws -> Session { try Session(at: path, schema: Pets.one) }

  /// Opens in WAL mode with one pet, and leaves a reader idle.
  private func openedDatabase() async throws -> Database {
    let db = try await Database(at: path, schema: Pets.one)
    try await db.save(PetOne(id: nil, name: "Rex"))
    #expect(try await db.count(PetOne.self) == 1)
    return db
  }

  private func expectClosed(
    _ error: (any Error)?, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(error as? SQLiteConnectionError == .closed(path: path), sourceLocation: sourceLocation)
  }

  @Test("a closed session has written everything into its file, and nothing is left beside it")
  func session() throws {
    let session = try opened()
    try session.save(PetOne(id: nil, name: "Rex"))
    #expect(try file.files.contains("new.db-wal"))
    try session.close()
    #expect(try file.files == ["new.db", "test.db"])
    #expect(try RawSQLite(path).rows("SELECT name FROM pets") == [[.text("Rex")]])
    try session.close()
    #expect(session.connection.isClosed)
  }

  @Test("after closing, each call throws one error with the path, and none reaches freed memory")
  func calls() throws {
    let session = try opened()
    let pet = try session.save(PetOne(id: nil, name: "Rex"))
    let observation = try session.observe(PetOne.self) { _ in }
    let statement = try session.prepare("SELECT name FROM pets")
    #expect(try statement.query().count == 1)
    try session.close()
    expectClosed(#expect(throws: (any Error).self) { try session.save(pet) })
    expectClosed(#expect(throws: (any Error).self) { try session.save([pet]) })
    expectClosed(#expect(throws: (any Error).self) { try session.all(PetOne.self) })
    expectClosed(#expect(throws: (any Error).self) { try session.find(PetOne.self, 1) })
    expectClosed(#expect(throws: (any Error).self) { try session.delete(pet) })
    expectClosed(#expect(throws: (any Error).self) { try session.query("SELECT 1") })
    expectClosed(#expect(throws: (any Error).self) { try session.execute("SELECT 1; SELECT 2") })
    expectClosed(#expect(throws: (any Error).self) { try session.transaction {} })
    expectClosed(#expect(throws: (any Error).self) { try session.savepoint {} })
    expectClosed(#expect(throws: (any Error).self) { try session.history() })
    expectClosed(#expect(throws: (any Error).self) { try session.tableNames() })
    expectClosed(#expect(throws: (any Error).self) { try session.observe(PetOne.self) { _ in } })
    expectClosed(#expect(throws: (any Error).self) { try session.backup(to: file.sibling("copy.db")) })
    expectClosed(#expect(throws: (any Error).self) { try session.prepare("SELECT 1") })
    expectClosed(#expect(throws: (any Error).self) { try session.attachments.store(Data([1])) })
    expectClosed(#expect(throws: (any Error).self) { try statement.query() })
    expectClosed(#expect(throws: (any Error).self) { try Session(over: session.connection, schema: Pets.two) })
    observation.cancel()
    let connection = session.connection
    connection.interrupt()
    #expect(!connection.isInTransaction && connection.changes == 0 && connection.filePath == nil)
    #expect(try !file.files.contains("copy.db"))
    #expect(
      "\(SQLiteConnectionError.closed(path: path))" == "The database \(path) was closed. Open it again to use it.")
  }

  @Test("inside a transaction or a call nothing is closed")
  func refused() throws {
    let session = try opened()
    try session.save([PetOne(id: nil, name: "Rex"), PetOne(id: nil, name: "Tom")])
    func expect(_ use: SQLiteConnectionError.Use) {
      let error = #expect(throws: SQLiteConnectionError.self) { try session.close() }
      #expect(error == .inUse(use))
    }
    try session.transaction { expect(.transaction) }
    try session.forEach(PetOne.self) { _ in expect(.call) }
    let statement = try session.prepare("SELECT 1")
    try statement.forEach([]) { _ in expect(.call) }
    try session.connection.forEachRow("PRAGMA database_list", []) { _ in expect(.call) }
    func isCancelled() -> Bool { false }
    try session.connection.withCancellation(check: isCancelled) { expect(.call) }
    try session.backup(to: file.sibling("copy.db")) { _ in expect(.call) }
    let observation = try session.observe(PetOne.self) { _ in expect(.call) }
    try session.execute("DELETE FROM pets WHERE id = 2; SELECT 1")
    observation.cancel()
    try session.execute("BEGIN")
    expect(.transaction)
    try session.execute("COMMIT")
    #expect(try session.count(PetOne.self) == 1)
    try session.close()
  }

  @Test("a borrowed handle stays open, without a statement of ours")
  func borrowed() throws {
    let lender = try RawSQLite()
    let session = try Session(over: lender.lent(), schema: Pets.one)
    try session.save(PetOne(id: nil, name: "Rex"))
    try session.close()
    #expect(throws: SQLiteConnectionError.self) { try session.count(PetOne.self) }
    let handle: OpaquePointer? = lender.pointer
    #expect(sqlite3_next_stmt(handle, nil) == nil)
    #expect(try lender.rows("SELECT name FROM pets") == [[.text("Rex")]])
  }

  @Test("a database closes its readers too, and writes everything into its file")
  func database() async throws {
    let db = try await openedDatabase()
    try await db.close()
    #expect(try file.files == ["new.db", "test.db"])
    try await db.close()
    await expectClosed(#expect(throws: (any Error).self) { try await db.count(PetOne.self) })
    await expectClosed(#expect(throws: (any Error).self) { try await db.read { _ in } })
    await expectClosed(#expect(throws: (any Error).self) { try await db.save(PetOne(id: nil, name: "Tom")) })
    await expectClosed(#expect(throws: (any Error).self) { try await db.transaction { _ in } })
    await expectClosed(#expect(throws: (any Error).self) { _ = try await db.changes(PetOne.self) })
    await expectClosed(
      #expect(throws: (any Error).self) { for try await _ in db.stream(PetOne.self) {} })
    #expect(try RawSQLite(path).rows("SELECT name FROM pets") == [[.text("Rex")]])
  }

  @Test("a query that runs is waited for, and those that wait for a reader fail")
  func running() async throws {
    let db = try await openedDatabase()
    let (started, finish) = (Gate(), Gate())
    let reading = Task {
      try await db.read { reader in
        started.open()
        _ = finish.block()
        return try reader.count(PetOne.self)
      }
    }
    await started.pass()
    let closing = Task { try await db.close() }
    while true {
      do { _ = try await db.count(PetOne.self) } catch {
        expectClosed(error)
        break
      }
    }
    finish.open()
    #expect(try await reading.value == 1)
    try await closing.value
    #expect(try file.files == ["new.db", "test.db"])
  }

  @Test("many calls at once end with their answer or with the error")
  func atOnce() async throws {
    let db = try await openedDatabase()
    let path = path
    let closed = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<60 {
        group.addTask {
          do {
            if number % 3 == 0 { try await db.save(PetOne(id: nil, name: "\(number)")) }
            if number % 3 == 1 { _ = try await db.count(PetOne.self) }
            if number % 3 == 2 { for try await _ in db.stream(PetOne.self) {} }
            return false
          } catch let error as SQLiteConnectionError {
            #expect(error == .closed(path: path))
            return true
          }
        }
        if number == 30 {
          group.addTask {
            try await db.close()
            return true
          }
        }
      }
      return try await group.reduce(false) { $0 || $1 }
    }
    #expect(closed)
    try await db.close()
    #expect(try file.files == ["new.db", "test.db"])
  }

  @Test("a stream throws at its next rows, and the changes end")
  func sequences() async throws {
    let db = try await openedDatabase()
    try await db.save((1...600).map { PetOne(id: nil, name: "\($0)") })
    var pets = db.stream(PetOne.self).makeAsyncIterator()
    #expect(try await pets.next() != nil)
    let changes = try await db.changes(PetOne.self)
    let isDone = try await isDone {
      let following = Task { for await _ in changes {} }
      try await db.close()
      await following.value
    }
    #expect(isDone)
    var error: (any Error)?
    do { while try await pets.next() != nil {} } catch let thrown { error = thrown }
    expectClosed(error)
    #expect(try file.files == ["new.db", "test.db"])
  }

  @Test("a database outside of WAL mode is closed too")
  func rollbackJournal() async throws {
    try file.exec("CREATE TABLE pets (id INTEGER PRIMARY KEY, name TEXT NOT NULL);" + Pets.rows)
    let db = try await Database(at: file.path, schema: Pets.one)
    var pets = db.stream(PetOne.self).makeAsyncIterator()
    #expect(try await pets.next()?.name == "Rex")
    try await db.close()
    let error = await #expect(throws: SQLiteConnectionError.self) { try await db.count(PetOne.self) }
    #expect(error == .closed(path: file.path))
  }

  @Test("a transaction that SQL left open is not thrown away")
  func openTransaction() async throws {
    let db = try await openedDatabase()
    try await db.execute("BEGIN; INSERT INTO pets (name) VALUES ('Tom')")
    let error = await #expect(throws: SQLiteConnectionError.self) { try await db.close() }
    #expect(error == .inUse(.transaction))
    try await db.execute("COMMIT")
    try await db.close()
    #expect(try RawSQLite(path).rows("SELECT count(*) FROM pets") == [[.int(2)]])
  }

  @Test("the session of a database is not closed from inside")
  func fromInside() async throws {
    let db = try await openedDatabase()
    let error = await #expect(throws: SQLiteConnectionError.self) { try await db.run { try $0.close() } }
    #expect(error == .inUse(.call))
    #expect(try await db.count(PetOne.self) == 1)
  }

  @Test(
    "what SQLite would not take for the path of a file is refused",
    arguments: [":memory:", "", "file::memory:?cache=shared", "FILE:pets.db?mode=ro"])
  func memoryPath(path: String) async throws {
    let error = #expect(throws: SQLiteConnectionError.self) { try Session(at: path, schema: Pets.one) }
    #expect(error?.description.contains("Session(inMemory: schema) or Database(inMemory: schema)") == true)
    await #expect(throws: SQLiteConnectionError.notAPath(path)) {
      _ = try await Database(at: path, schema: Pets.one)
    }
    #expect(throws: SQLiteConnectionError.notAPath(path)) { try SchemaInspector(at: path) }
    #expect(path.isEmpty || !FileManager.default.fileExists(atPath: path))
  }
}

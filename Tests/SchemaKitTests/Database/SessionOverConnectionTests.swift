import CSQLite
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Session: over a connection of the caller's")
struct SessionOverConnectionTests {
  @Test("a connection of one's own is migrated and keeps its settings", arguments: [0, 1])
  func ownConnection(foreignKeys: Int64) throws {
    let database = try TemporaryDatabase(Pets.sql + Pets.rows)
    let connection = try SQLiteConnection(path: database.path, mode: .readWrite)
    try connection.execute("PRAGMA foreign_keys = \(foreignKeys)")
    let session = try Session(over: connection, schema: Pets.checked)
    #expect(session.connection === connection)
    #expect(session.outcome == .applied)
    #expect(try connection.integer("PRAGMA foreign_keys") == foreignKeys)
    #expect(try Session(over: connection, schema: Pets.checked).isWarm)
  }

  @Test("a borrowed handle is migrated, stays open and stays the lender's")
  func borrowedHandle() throws {
    let lender = try RawSQLite()
    try lender.exec(Pets.sql + Pets.rows)
    do {
      let session = try Session(over: try lender.lent(), schema: Pets.checked)
      #expect(session.outcome == .applied)
    }
    #expect(try lender.rows("SELECT count(*) FROM pets") == [[.int(3)]])
    #expect(throws: RawSQLiteError.self) { try lender.exec("INSERT INTO pets (name) VALUES ('')") }
    #expect(try Session(over: try lender.lent(), schema: Pets.checked).isWarm)
  }

  @Test("a handle of another copy of SQLite is refused before anything is done with it")
  func foreignLibrary() throws {
    let lender = try RawSQLite()
    let handle = try #require(lender.pointer)
    #expect {
      try SQLiteConnection(borrowing: handle, sourceID: "2020-01-01 00:00:00 someone's own")
    } throws: {
      guard case .foreignLibrary(let theirs, let ours)? = $0 as? SQLiteConnectionError else { return false }
      return theirs.hasPrefix("2020") && ours == String(cString: sqlite3_sourceid())
    }
  }

  @Test("inside the lender's transaction a native change is the lender's to commit or to take back")
  func insideTransaction() throws {
    let lender = try RawSQLite()
    try lender.exec(Pets.sql + Pets.rows + "BEGIN")
    #expect(try Session(over: try lender.lent(), schema: Pets.two).outcome == .applied)
    #expect(try lender.rows("SELECT count(*) FROM pets WHERE age IS NULL") == [[.int(3)]])
    try lender.exec("ROLLBACK")
    #expect(try lender.rows("SELECT name FROM sqlite_master") == [[.text("pets")]])
    #expect(throws: RawSQLiteError.self) { try lender.rows("SELECT age FROM pets") }
  }

  @Test("a refusal inside the lender's transaction leaves the transaction open with all it holds")
  func refusalInsideTransaction() throws {
    let lender = try RawSQLite()
    try lender.exec(
      "CREATE TABLE pets (id INTEGER PRIMARY KEY, name TEXT NOT NULL, legacy TEXT); BEGIN;"
        + "INSERT INTO pets (name, legacy) VALUES ('Rex', 'x')")
    #expect(throws: PlanError.self) { try Session(over: try lender.lent(), schema: Pets.one) }
    try lender.exec("COMMIT")
    #expect(try lender.rows("SELECT legacy FROM pets") == [[.text("x")]])
  }

  @Test("an open read on the connection stops a migration by name, and nothing else")
  func openRead() throws {
    let database = try TemporaryDatabase.pets()
    let connection = try SQLiteConnection(path: database.path, mode: .readWrite)
    try connection.forEachRow("SELECT id FROM pets", []) { _ throws in
      #expect(throws: SQLiteConnectionError.self) { try Session(over: connection, schema: Pets.checked) }
      #expect(try Session(over: connection, schema: Pets.one).isWarm)
    }
    #expect(try Session(over: connection, schema: Pets.checked).outcome == .applied)
  }
}

import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Session: opening")
struct SessionOpeningTests {
  @Test("a file that is not there is created with the schema, in WAL mode, with foreign keys on")
  func createsFile() throws {
    let database = try TemporaryDatabase()
    let path = database.sibling("new.db")
    let session = try Session(at: path, schema: Pets.withToys)
    #expect(session.outcome == .applied)
    #expect(session.plan?.steps.map(\.object.name) == ["pets", "toys"])
    #expect(try session.connection.value("PRAGMA journal_mode") == .text("wal"))
    #expect(try session.connection.integer("PRAGMA foreign_keys") == 1)
    #expect(try session.connection.run("INSERT INTO pets (name) VALUES ('Rex')") == 1)
    #expect(try session.connection.integer("SELECT count(*) FROM toys") == 0)
    let history = try session.history()
    #expect(history.map(\.kind) == [.apply])
    #expect(history.map(\.schema) == ["main"])
  }

  @Test("a file that is there keeps its journal mode")
  func keepsJournalMode() throws {
    let database = try TemporaryDatabase(Pets.sql)
    let session = try Session(at: database.path, schema: Pets.two)
    #expect(session.outcome == .applied)
    #expect(try session.connection.value("PRAGMA journal_mode") == .text("delete"))
  }

  @Test("a file without a folder gives SQLite's reason and makes nothing")
  func missingFolder() throws {
    let database = try TemporaryDatabase()
    #expect {
      try Session(at: database.sibling("no/where.db"), schema: Pets.one)
    } throws: {
      ($0 as? SQLiteError)?.isCannotOpen == true && "\($0)".contains("folder")
    }
    #expect(try database.files == ["test.db"])
  }

  @Test("what is not a database is refused and stays as it is")
  func notADatabase() throws {
    let database = try TemporaryDatabase()
    try Data(String(repeating: "no database ", count: 100).utf8).write(to: URL(fileURLWithPath: database.path))
    let before = try database.bytes
    #expect {
      try Session(at: database.path, schema: Pets.one)
    } throws: {
      ($0 as? SQLiteError)?.isNotADatabase == true
    }
    #expect(try database.bytes == before)
  }

  @Test("an equal file without a ledger gets a baseline entry and keeps its rows")
  func adopts() throws {
    let database = try TemporaryDatabase(Pets.sql + Pets.rows)
    let session = try Session(at: database.path, schema: Pets.one) { $0.program = "tests" }
    #expect(session.outcome == .baselined)
    let history = try session.history()
    #expect(history.map(\.kind) == [.baseline])
    #expect(history.map(\.program) == ["tests"])
    #expect(try database.value("SELECT count(*) FROM pets") == .int(3))
  }

  @Test("the same program's next open is warm and writes nothing", arguments: ["DELETE", "WAL"])
  func warmOpen(journalMode: String) throws {
    let database = try TemporaryDatabase("PRAGMA journal_mode = \(journalMode);" + Pets.sql + Pets.rows)
    #expect(try !Session(at: database.path, schema: Pets.one).isWarm)
    let before = try database.bytes
    for _ in 1...2 {
      let session = try Session(at: database.path, schema: Pets.one)
      #expect(session.isWarm)
      #expect(try session.connection.integer("SELECT count(*) FROM pets") == 3)
    }
    #expect(try database.bytes == before)
  }

  @Test("a warm open asks neither about the plan nor about progress")
  func warmOpenCallsNothing() throws {
    let database = try TemporaryDatabase.pets()
    var calls = 0
    let session = try Session(at: database.path, schema: Pets.one) {
      $0.onPlan = { _ in calls += 1 }
      $0.onProgress = { _ in calls += 1 }
    }
    #expect(session.isWarm)
    #expect(calls == 0)
  }

  @Test(
    "after ANALYZE and VACUUM the next open compares, and the one after is warm again",
    arguments: [
      "ANALYZE", "VACUUM", "CREATE TABLE other (a); DROP TABLE other",
    ])
  func movedCookie(sql: String) throws {
    let database = try TemporaryDatabase(Pets.sql + "CREATE INDEX pets_by_name ON pets (name);" + Pets.rows)
    _ = try Session(at: database.path, schema: Pets.one)
    try database.exec(sql)
    #expect(try Session(at: database.path, schema: Pets.one).outcome == .unchanged)
    #expect(try Session(at: database.path, schema: Pets.one).isWarm)
    #expect(try database.value("SELECT count(*) FROM _schemakit_history") == .int(1))
  }

  @Test("a change by hand behind the program's back is mended at the next open")
  func changedByHand() throws {
    let database = try TemporaryDatabase.pets()
    _ = try Session(at: database.path, schema: Pets.two)
    try database.exec("ALTER TABLE pets DROP COLUMN age")
    let session = try Session(at: database.path, schema: Pets.two)
    #expect(session.outcome == .applied)
    #expect(session.plan?.steps.flatMap(\.changes) == ["add column age INTEGER"])
    #expect(try Session(at: database.path, schema: Pets.two).isWarm)
  }

  @Test("a held write lock keeps nobody from opening when nothing has to change", arguments: [false, true])
  func heldLock(isCookieMoved: Bool) throws {
    let database = try TemporaryDatabase.pets()
    if isCookieMoved { try database.exec("VACUUM") }
    let writer = try database.reopened()
    try writer.exec("BEGIN IMMEDIATE; INSERT INTO pets (name) VALUES ('Eve')")
    let session = try Session(at: database.path, schema: Pets.one) { $0.busyTimeout = 0 }
    #expect(session.isWarm == !isCookieMoved)
    #expect(try session.connection.integer("SELECT count(*) FROM pets") == 3)
    try writer.exec("COMMIT")
    #expect(try session.connection.integer("SELECT count(*) FROM pets") == 4)
  }

  @Test("a held write lock stops a change in time, and a later open completes it")
  func heldLockBlocksChange() throws {
    let database = try TemporaryDatabase.pets()
    let writer = try database.reopened()
    try writer.exec("BEGIN IMMEDIATE")
    #expect {
      try Session(at: database.path, schema: Pets.two) { $0.busyTimeout = 0.05 }
    } throws: {
      ($0 as? SQLiteError)?.isBusy == true
    }
    try writer.exec("ROLLBACK")
    #expect(try Session(at: database.path, schema: Pets.two).outcome == .applied)
  }

  @Test("a database in memory has the schema and is ready for writes")
  func inMemory() throws {
    var planned: [MigrationPlan] = []
    let session = try Session(inMemory: Pets.withToys) { $0.onPlan = { planned.append($0) } }
    #expect(session.outcome == .applied)
    #expect(planned.map { $0.steps.count } == [2])
    #expect(try session.connection.run("INSERT INTO toys (label) VALUES ('ball')") == 1)
    #expect(try session.connection.integer("PRAGMA foreign_keys") == 1)
    #expect(try session.history().count == 1)
  }

  @Test("two databases in memory know nothing of each other")
  func inMemoryApart() throws {
    let one = try Session(inMemory: Pets.one)
    let other = try Session(inMemory: Pets.one)
    try one.connection.run("INSERT INTO pets (name) VALUES ('Rex')")
    #expect(try other.connection.integer("SELECT count(*) FROM pets") == 0)
  }

  @Test("a zero-byte file is an empty database")
  func zeroBytes() throws {
    let database = try TemporaryDatabase()
    #expect(try database.bytes.isEmpty)
    #expect(try Session(at: database.path, schema: Pets.one).outcome == .applied)
    #expect(try database.value("SELECT count(*) FROM pets") == .int(0))
  }
}

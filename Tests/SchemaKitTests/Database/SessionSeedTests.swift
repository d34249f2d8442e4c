import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Session: a seed file")
struct SessionSeedTests {
  @Test("a missing file begins as a copy of the seed, brought to the schema")
  func copiesSeed() throws {
    let seed = try TemporaryDatabase(Pets.sql + Pets.rows, name: "seed.db")
    let before = try seed.bytes
    let path = seed.sibling("mine.db")
    let session = try Session(at: path, schema: Pets.two) { $0.seedFile = seed.path }
    #expect(session.outcome == .applied)
    #expect(try session.connection.integer("SELECT count(*) FROM pets WHERE age IS NULL") == 3)
    #expect(try seed.bytes == before)
    #expect(try !seed.files.contains { $0.contains("seed-") }, "a copy was left behind")
  }

  @Test("what stands only in the seed's WAL comes along")
  func copiesWAL() throws {
    let seed = try TemporaryDatabase(
      "PRAGMA journal_mode = WAL;" + Pets.sql + "INSERT INTO pets (name) VALUES ('Rex')", name: "seed.db")
    let writer = try seed.reopened()
    try writer.exec("PRAGMA wal_autocheckpoint = 0; INSERT INTO pets (name) VALUES ('Tom')")
    let session = try Session(at: seed.sibling("mine.db"), schema: Pets.one) { $0.seedFile = seed.path }
    #expect(try session.connection.texts("SELECT name FROM pets ORDER BY id") == ["Rex", "Tom"])
    writer.close()
  }

  @Test("a file that is there is kept, also by the second opener")
  func keepsFile() throws {
    let seed = try TemporaryDatabase(Pets.sql + Pets.rows, name: "seed.db")
    let path = seed.sibling("mine.db")
    let first = try Session(at: path, schema: Pets.one) { $0.seedFile = seed.path }
    try first.connection.run("INSERT INTO pets (name) VALUES ('Eve')")
    let second = try Session(at: path, schema: Pets.one) { $0.seedFile = seed.path }
    #expect(second.isWarm)
    #expect(try second.connection.integer("SELECT count(*) FROM pets") == 4)
  }

  @Test("a missing seed is an error, and nothing is created")
  func missingSeed() throws {
    let folder = try TemporaryDatabase()
    #expect(throws: SQLiteError.self) {
      try Session(at: folder.sibling("mine.db"), schema: Pets.one) { $0.seedFile = folder.sibling("seed.db") }
    }
    #expect(try folder.files == ["test.db"])
  }

  @Test("a seed that is not a database is an error, and nothing is created")
  func brokenSeed() throws {
    let folder = try TemporaryDatabase()
    let seed = folder.sibling("seed.db")
    try String(repeating: "no database ", count: 100).write(toFile: seed, atomically: false, encoding: .utf8)
    #expect(throws: SQLiteError.self) {
      try Session(at: folder.sibling("mine.db"), schema: Pets.one) { $0.seedFile = seed }
    }
    #expect(try folder.files == ["seed.db", "test.db"])
  }
}

import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Database: the actor")
struct DatabaseActorTests {
  @Test("it migrates before it returns, and tells what it did")
  func opens() async throws {
    let file = try TemporaryDatabase(Pets.sql + Pets.rows)
    let database = try await Database(at: file.path, schema: Pets.two) { $0.program = "tests" }
    guard case .compared(let report) = database.openReport else {
      Issue.record("a file out of sync cannot be warm")
      return
    }
    #expect(report.outcome == .applied)
    #expect(try await database.run { try $0.connection.integer("SELECT count(*) FROM pets WHERE age IS NULL") } == 3)
    #expect(try await database.history().map(\.program) == ["tests"])
  }

  @Test("a refusal leaves no database and no change")
  func refuses() async throws {
    let file = try TemporaryDatabase(Pets.sql + "INSERT INTO pets (name) VALUES ('')")
    let before = try file.bytes
    await #expect(throws: PlanError.self) { try await Database(at: file.path, schema: Pets.checked) }
    #expect(try file.bytes == before)
  }

  @Test("a transaction is committed when its body returns and rolled back when it throws")
  func transactions() async throws {
    struct Regret: Error {}
    let database = try await Database(inMemory: Pets.one)
    try await database.transaction { _ = try $0.connection.run("INSERT INTO pets (name) VALUES ('Rex')") }
    await #expect(throws: Regret.self) {
      try await database.transaction { session in
        try session.connection.run("INSERT INTO pets (name) VALUES ('Tom')")
        throw Regret()
      }
    }
    #expect(try await database.run { try $0.connection.texts("SELECT name FROM pets") } == ["Rex"])
    #expect(try await database.run { $0.connection.isInTransaction } == false)
  }

  @Test("work of several tasks goes one after the other")
  func serial() async throws {
    let database = try await Database(inMemory: Pets.one)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 1...20 {
        group.addTask {
          try await database.transaction { session in
            let count = try session.connection.integer("SELECT count(*) FROM pets") ?? 0
            try session.connection.run(
              "INSERT INTO pets (id, name) VALUES (?1, ?2)", [.integer(count + 1), .text("pet \(number)")])
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await database.run { try $0.connection.integer("SELECT max(id) FROM pets") } == 20)
  }
}

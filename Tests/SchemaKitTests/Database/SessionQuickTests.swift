import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Session: plans made without a look at the rows")
struct SessionQuickTests {
  private func legacy() throws -> TemporaryDatabase {
    try TemporaryDatabase(
      "CREATE TABLE pets (id INTEGER PRIMARY KEY, name TEXT NOT NULL, legacy TEXT);" + Pets.rows)
  }

  @Test("what could be lost counts as lost, requires consent, and is not counted")
  func loss() throws {
    let database = try legacy()
    let before = try database.bytes
    let error = try #require(throws: PlanError.self) {
      try Session(at: database.path, schema: Pets.one) { $0.isQuick = true }
    }
    guard case .refused(let plan, let hazards) = error.reason else {
      Issue.record("\(error)")
      return
    }
    #expect(!plan.areRowsExamined)
    #expect(hazards.map(\.code) == [.droppedColumn])
    #expect(hazards.allSatisfy { !$0.isCounted })
    #expect(try database.bytes == before)
    let session = try Session(at: database.path, schema: Pets.one) {
      $0.isQuick = true
      $0.migration = .automatic(.destructive)
    }
    #expect(session.outcome == .applied)
    #expect(try database.query("SELECT * FROM pets").map(\.count) == [2, 2, 2])
  }

  @Test("rows are examined unless a program asks for this")
  func fallback() throws {
    // No row has a value in the column, so that nothing is lost.
    let database = try legacy()
    #expect(try Session(at: database.path, schema: Pets.one).plan?.areRowsExamined == true)
  }

  @Test("what the rows refuse is found while the plan runs, and everything is rolled back")
  func refusedRows() throws {
    let database = try TemporaryDatabase(Pets.sql + Pets.rows + "INSERT INTO pets (name) VALUES ('')")
    let before = try database.query("SELECT * FROM pets")
    let schema = ModelSchema { NamedPet.self }
    #expect(throws: PlanError.self) { try Session(at: database.path, schema: schema) }
    let error = #expect(throws: (any Error).self) {
      try Session(at: database.path, schema: schema) { $0.isQuick = true }
    }
    // Before 3.37, ALTER TABLE looks at no row, so that a plan made without a look at them is refused.
    if Engine.has(.strict) { #expect(error is ApplyError) } else { #expect(error is PlanError) }
    #expect(try database.query("SELECT * FROM pets") == before)
    #expect(try database.value("SELECT count(*) FROM sqlite_master") == .int(1))
  }
}

/// A pet whose name cannot be empty.
private struct NamedPet: Model {
  let id: Int64?
  let name: String

  static let table = ModelTable("pets", as: Self.init) {
    Column("id", \.id).primaryKey()
    Column("name", \.name).check("length(name) > 0").collate(.nocase)
  }
}

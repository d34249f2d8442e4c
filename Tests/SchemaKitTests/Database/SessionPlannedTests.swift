import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitOperations

@Suite("Session: only a saved plan may run")
struct SessionPlannedTests {
  private func legacy() throws -> TemporaryDatabase {
    try TemporaryDatabase(
      """
      CREATE TABLE pets (id INTEGER PRIMARY KEY, name TEXT NOT NULL, legacy TEXT);
      INSERT INTO pets (name, legacy) VALUES ('Rex', 'x'), ('Tom', NULL);
      """)
  }

  private func reason(_ body: () throws -> Session) throws -> PlanError.Reason? {
    do {
      _ = try body()
      return nil
    } catch let error as PlanError {
      return error.reason
    }
  }

  @Test("the plan saved for a file migrates it, with the consent that it was made with")
  func runs() throws {
    let database = try legacy()
    let saved = try SchemaInspector(at: database.path).savedPlan(to: Pets.one, allowing: .destructive)
    let read = try SavedPlan(json: Data(saved.json().utf8))
    #expect(try Session(at: database.path, schema: Pets.one) { $0.migration = .planned(read) }.outcome == .applied)
    #expect(try database.query("SELECT * FROM pets") == [[.int(1), .text("Rex")], [.int(2), .text("Tom")]])
    let again = try Session(at: database.path, schema: Pets.one) { $0.migration = .planned(read) }
    guard case .warm = again.openReport else {
      Issue.record("the second open compared")
      return
    }
  }

  @Test("a plan without the consent that it needs is refused")
  func needsConsent() throws {
    let database = try legacy()
    let before = try database.bytes
    let saved = try SchemaInspector(at: database.path).savedPlan(to: Pets.one)
    let reason = try reason { try Session(at: database.path, schema: Pets.one) { $0.migration = .planned(saved) } }
    guard case .refused? = reason else {
      Issue.record("\(String(describing: reason))")
      return
    }
    #expect(try database.bytes == before)
  }

  @Test("a plan that leads to another schema never runs: the plan that is needed is thrown")
  func otherSchema() throws {
    let database = try legacy()
    let other = ModelSchema(name: "other") { PetOne.self }
    let saved = try SchemaInspector(at: database.path).savedPlan(to: other, allowing: .everything)
    let before = try database.bytes
    let reason = try reason { try Session(at: database.path, schema: Pets.one) { $0.migration = .planned(saved) } }
    guard case .pending(let plan)? = reason else {
      Issue.record("\(String(describing: reason))")
      return
    }
    #expect(plan.steps.flatMap(\.changes) == ["drop column legacy"])
    #expect(try database.bytes == before)
  }

  @Test("a program does the data steps of its plan, which another program does not know")
  func dataSteps() throws {
    let database = try legacy()
    let schema = ModelSchema {
      PetOne.self
      DataStep("shout", after: .schemaChanged) { session in
        try session.connection.run("UPDATE pets SET name = upper(name)")
      }
    }
    let saved = try SchemaInspector(at: database.path).savedPlan(to: schema, allowing: .destructive)
    #expect(saved.dataSteps == ["shout"])
    let read = try SavedPlan(json: Data(saved.json().utf8))
    _ = try Session(at: database.path, schema: schema) { $0.migration = .planned(read) }
    #expect(try database.query("SELECT name FROM pets") == [[.text("REX")], [.text("TOM")]])
  }

  @Test("a stale plan never runs")
  func stale() throws {
    let database = try legacy()
    let saved = try SchemaInspector(at: database.path).savedPlan(to: Pets.one, allowing: .everything)
    try database.exec("UPDATE pets SET legacy = 'y'")
    let before = try database.bytes
    let reason = try reason { try Session(at: database.path, schema: Pets.one) { $0.migration = .planned(saved) } }
    guard case .stale(_, let differences)? = reason else {
      Issue.record("\(String(describing: reason))")
      return
    }
    #expect(differences.map(\.sentence) == ["SK102 pets.legacy concerned 1 row, now 2 rows"])
    #expect(try database.bytes == before)
  }

  @Test("a file that is in sync opens whatever plan there is")
  func inSync() throws {
    let database = try TemporaryDatabase("CREATE TABLE other (a)")
    let other = ModelSchema(name: "other") { PetOne.self }
    let saved = try SchemaInspector(at: database.path).savedPlan(to: other)
    _ = try Session(at: database.path, schema: Pets.one)
    try database.exec("CREATE TABLE unrelated (a)")
    _ = try Session(at: database.path, schema: Pets.one) { $0.migration = .planned(saved) }
    #expect(try database.value("SELECT count(*) FROM pets") == .int(0))
  }
}

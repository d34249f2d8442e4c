import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Session: what an open may do")
struct SessionPolicyTests {
  /// A file with a column that the models do not declare.
  private func legacy() throws -> TemporaryDatabase {
    try TemporaryDatabase(
      """
      CREATE TABLE pets (id INTEGER PRIMARY KEY, name TEXT NOT NULL, legacy TEXT);
      INSERT INTO pets (name, legacy) VALUES ('Rex', 'x'), ('Tom', NULL);
      """)
  }

  @Test("by default nothing is lost: the error carries the plan and the file keeps every byte")
  func refusesLoss() throws {
    let database = try legacy()
    let before = try database.bytes
    do {
      _ = try Session(at: database.path, schema: Pets.one)
      Issue.record("the open was not refused")
    } catch let error as PlanError {
      guard case .refused(let plan, let hazards) = error.reason else { throw error }
      #expect(plan.steps.flatMap(\.changes) == ["drop column legacy"])
      #expect(hazards.map(\.code) == [.droppedColumn])
      #expect(hazards.first?.count == 1)
      #expect(hazards.first?.object == "pets.legacy")
      #expect("\(error)".contains("SK102"))
    }
    #expect(try database.bytes == before)
    #expect(try database.files == ["test.db"])
  }

  @Test(
    "with consent the same open goes through",
    arguments: [
      PlanPolicy.everything, .destructive,
      PlanPolicy(allowing: [.init(.code(.droppedColumn), table: "PETS", column: "Legacy")]),
    ])
  func consent(policy: PlanPolicy) throws {
    let database = try legacy()
    let session = try Session(at: database.path, schema: Pets.one) { $0.migration = .automatic(policy) }
    #expect(session.outcome == .applied)
    #expect(try database.query("SELECT * FROM pets") == [[.int(1), .text("Rex")], [.int(2), .text("Tom")]])
  }

  @Test(
    "consent to something else does not help",
    arguments: [
      PlanPolicy(allowing: [.init(.hazardClass(.lossy))]),
      PlanPolicy(allowing: [.init(.code(.droppedTable))]),
      PlanPolicy(allowing: [.init(.code(.droppedColumn), table: "toys")]),
      PlanPolicy(allowing: [.init(.code(.droppedColumn), table: "pets", column: "name")]),
    ])
  func otherConsent(policy: PlanPolicy) throws {
    let database = try legacy()
    #expect(throws: PlanError.self) {
      try Session(at: database.path, schema: Pets.one) { $0.migration = .automatic(policy) }
    }
    #expect(try database.value("SELECT count(legacy) FROM pets") == .int(1))
  }

  @Test("a blocked change is refused whatever the policy allows")
  func blocked() throws {
    let database = try TemporaryDatabase(Pets.sql + "INSERT INTO pets (name) VALUES ('')")
    let before = try database.bytes
    do {
      _ = try Session(at: database.path, schema: Pets.checked) { $0.migration = .automatic(.everything) }
      Issue.record("the open was not refused")
    } catch let error as PlanError {
      guard case .refused(_, let hazards) = error.reason else { throw error }
      #expect(hazards.map(\.code) == [.failingCheck])
      #expect(hazards.first?.samples == ["1"])
    }
    #expect(try database.bytes == before)
  }

  @Test("onPlan sees the plan that is then applied")
  func seesPlan() throws {
    let database = try TemporaryDatabase.pets()
    var plans: [MigrationPlan] = []
    let session = try Session(at: database.path, schema: Pets.two) { $0.onPlan = { plans.append($0) } }
    #expect(plans.count == 1)
    #expect(plans.first == session.plan)
    #expect(plans.first?.steps.map(\.strategy) == [.native])
  }

  @Test("an error from onPlan stops the open and leaves the file untouched")
  func planStops() throws {
    struct Refusal: Error {}
    let database = try TemporaryDatabase.pets()
    let before = try database.bytes
    #expect(throws: Refusal.self) {
      try Session(at: database.path, schema: Pets.checked) { $0.onPlan = { _ in throw Refusal() } }
    }
    #expect(try database.bytes == before)
    #expect(try database.files == ["test.db"])
  }

  @Test("onPlan sees a plan that the policy then refuses")
  func seesRefusedPlan() throws {
    let database = try legacy()
    var steps = 0
    #expect(throws: PlanError.self) {
      try Session(at: database.path, schema: Pets.one) { $0.onPlan = { steps += $0.steps.count } }
    }
    #expect(steps == 1)
  }

  @Test("onProgress is told of the check of the file and of each step as they begin")
  func progress() throws {
    let database = try TemporaryDatabase.pets()
    var seen: [String] = []
    _ = try Session(
      at: database.path,
      schema: ModelSchema {
        CheckedPet.self
        Toy.self
      }
    ) {
      $0.onProgress = {
        seen.append("\($0.activity) \($0.stepIndex)/\($0.stepCount) \($0.step.strategy.rawValue) \($0.step.object)")
      }
    }
    #expect(seen == ["fileCheck 0/2 rebuild pets", "step 0/2 rebuild pets", "step 1/2 create toys"])
  }

  @Test("a read-only open of a file in sync reads it and writes nothing")
  func readOnlyInSync() throws {
    let database = try TemporaryDatabase.pets()
    let before = try database.bytes
    let session = try Session(at: database.path, schema: Pets.one) { $0.isReadOnly = true }
    #expect(session.isWarm)
    #expect(try session.connection.integer("SELECT count(*) FROM pets") == 3)
    #expect {
      try session.connection.run("DELETE FROM pets")
    } throws: {
      ($0 as? SQLiteError)?.isReadOnly == true
    }
    #expect(try database.bytes == before)
  }

  @Test("a read-only open of an equal file without a ledger compares and leaves it so")
  func readOnlyWithoutLedger() throws {
    let database = try TemporaryDatabase(Pets.sql + Pets.rows)
    let before = try database.bytes
    let session = try Session(at: database.path, schema: Pets.one) { $0.isReadOnly = true }
    #expect(session.outcome == .unchanged)
    #expect(try session.history().isEmpty)
    #expect(try database.bytes == before)
  }

  @Test("where changes are not allowed, a file out of sync throws with the plan and stays", arguments: [false, true])
  func pending(isReadOnly: Bool) throws {
    let database = try TemporaryDatabase.pets()
    let before = try database.bytes
    do {
      _ = try Session(at: database.path, schema: Pets.two) {
        if isReadOnly { $0.isReadOnly = true } else { $0.migration = .refuse }
      }
      Issue.record("the open was not refused")
    } catch let error as PlanError {
      guard case .pending(let plan) = error.reason else { throw error }
      #expect(plan.steps.flatMap(\.changes) == ["add column age INTEGER"])
    }
    #expect(try database.bytes == before)
  }

  @Test("a read-only open of a missing file fails and makes none")
  func readOnlyMissing() throws {
    let database = try TemporaryDatabase()
    #expect(throws: SQLiteError.self) {
      try Session(at: database.sibling("missing.db"), schema: Pets.one) { $0.isReadOnly = true }
    }
    #expect(try database.files == ["test.db"])
  }

  @Test(".refuse opens a file in sync, and it may be written")
  func refuseInSync() throws {
    let database = try TemporaryDatabase.pets()
    let session = try Session(at: database.path, schema: Pets.one) { $0.migration = .refuse }
    #expect(try session.connection.run("INSERT INTO pets (name) VALUES ('Eve')") == 1)
    try database.exec("VACUUM")
    let again = try Session(at: database.path, schema: Pets.one) { $0.migration = .refuse }
    #expect(again.outcome == .unchanged)
  }
}

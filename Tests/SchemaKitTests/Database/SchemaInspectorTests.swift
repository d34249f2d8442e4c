import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("SchemaInspector")
struct SchemaInspectorTests {
  @Test("it plans, lists the schema and reads the history without a change to the file")
  func looks() throws {
    let file = try TemporaryDatabase.pets()
    let before = try file.bytes
    let inspector = try SchemaInspector(at: file.path)
    #expect(try inspector.plan(to: Pets.one).isEmpty)
    #expect(try inspector.plan(to: Pets.checked).steps.map(\.strategy) == [.rebuild])
    #expect(try inspector.history().map(\.kind) == [.baseline])
    #expect(
      try inspector.statements() == ["CREATE TABLE pets (id INTEGER PRIMARY KEY, name TEXT NOT NULL)"])
    #expect(try file.bytes == before)
    #expect(try file.files == ["test.db"])
  }

  @Test("it plans what Session then does")
  func samePlan() throws {
    let file = try TemporaryDatabase.pets()
    let plan = try SchemaInspector(at: file.path).plan(to: Pets.checked)
    #expect(try Session(at: file.path, schema: Pets.checked).plan == plan)
  }

  @Test("a file that is not there counts as empty, and is not made")
  func missing() throws {
    let file = try TemporaryDatabase()
    let inspector = try SchemaInspector(at: file.sibling("missing.db"))
    #expect(try inspector.plan(to: Pets.one).steps.map(\.strategy) == [.create])
    #expect(try inspector.dryRun(to: Pets.one).outcome == .rehearsed)
    #expect(try inspector.statements() == [])
    #expect(try inspector.storedSchema().tables == [])
    #expect(try file.files == ["test.db"])
  }

  @Test("a dry run does everything, data steps included, and takes it back")
  func dryRun() throws {
    let file = try TemporaryDatabase.pets()
    let before = try file.query("SELECT * FROM pets")
    let schema = ModelSchema {
      CheckedPet.self
      DataStep("shout", after: .schemaChanged) { try $0.execute("UPDATE pets SET name = upper(name)") }
    }
    let report = try SchemaInspector(at: file.path).dryRun(to: schema)
    #expect(report.outcome == .rehearsed)
    #expect(report.plan.steps.map(\.strategy) == [.rebuild, .data])
    #expect(try file.query("SELECT * FROM pets") == before)
    #expect(try SchemaInspector(at: file.path).plan(to: schema).steps.count == 2)
    #expect(try SchemaInspector(at: file.path).dryRun(to: Pets.one).outcome == .unchanged)
  }

  @Test("a dry run throws what opening would throw")
  func failingDryRun() throws {
    let file = try TemporaryDatabase.pets()
    try file.exec("ALTER TABLE pets ADD COLUMN colour TEXT DEFAULT 'brown'")
    let inspector = try SchemaInspector(at: file.path)
    #expect(throws: PlanError.self) { try inspector.dryRun(to: Pets.one) }
    #expect(throws: PlanError.self) { try inspector.dryRun(to: Pets.checked) { $0.migration = .refuse } }
    let kept = try inspector.dryRun(to: Pets.checked) { $0.undeclaredColumns = .keep }
    #expect(kept.plan.steps.map(\.strategy) == [.rebuild])
    #expect(try file.value("SELECT count(colour) FROM pets") == .int(3))
  }

  @Test("it looks while another connection holds the write lock")
  func heldLock() throws {
    let file = try TemporaryDatabase.pets()
    let writer = try file.reopened()
    try writer.exec("BEGIN IMMEDIATE; DELETE FROM pets")
    let plan = try SchemaInspector(at: file.path, busyTimeout: 0).plan(to: Pets.checked)
    #expect(plan.copiedRows == 3)
  }
}

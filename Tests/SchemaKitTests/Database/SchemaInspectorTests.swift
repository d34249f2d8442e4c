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

  @Test("a file that is not there is an error and is not made")
  func missing() throws {
    let file = try TemporaryDatabase()
    #expect(throws: SQLiteError.self) { try SchemaInspector(at: file.sibling("missing.db")) }
    #expect(try file.files == ["test.db"])
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

import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Session: older programs and newer files")
struct SessionHistoryTests {
  private func open(
    _ database: TemporaryDatabase, _ schema: ModelSchema, downgrade: Bool = false
  ) throws -> Session {
    try Session(at: database.path, schema: schema) {
      $0.migration = .automatic(
        PlanPolicy(allowing: PlanPolicy.destructive.allowances, allowsDowngrade: downgrade))
    }
  }

  @Test("a program whose schema the file has left is refused, whatever may be dropped")
  func newerFile() throws {
    let database = try TemporaryDatabase.pets()
    let newer = try open(database, Pets.two)
    try newer.connection.run("UPDATE pets SET age = id")
    let before = try database.bytes
    #expect {
      try open(database, Pets.one)
    } throws: { error in
      guard case .newerFile(let declared, let current)? = (error as? HistoryError)?.reason else { return false }
      let history = try newer.history()
      return declared == history.first?.toFingerprint && current == history.last?.toFingerprint
        && "\(error)".contains(String(declared.prefix(8)))
    }
    #expect(try database.bytes == before)
    #expect(try database.value("SELECT count(age) FROM pets") == .int(3))
  }

  @Test("the refusal holds where no change is allowed", arguments: [false, true])
  func newerFileWithoutChanges(isReadOnly: Bool) throws {
    let database = try TemporaryDatabase.pets()
    _ = try open(database, Pets.two)
    #expect(throws: HistoryError.self) {
      try Session(at: database.path, schema: Pets.one) {
        $0.isReadOnly = isReadOnly
        $0.migration = .refuse
      }
    }
  }

  @Test("from A to B and back to A and on to B again, each as far as allowed")
  func thereAndBack() throws {
    let database = try TemporaryDatabase.pets()
    let fingerprints = try [Pets.one, Pets.two].map { schema in
      try SchemaLoader().load(schema.declaration()).target.fingerprint
    }
    _ = try open(database, Pets.two)
    #expect(try open(database, Pets.one, downgrade: true).outcome == .applied)
    #expect(try database.query("SELECT * FROM pets").allSatisfy { $0.count == 2 })
    #expect(try open(database, Pets.one).isWarm)
    #expect(try open(database, Pets.two).outcome == .applied)
    #expect(throws: HistoryError.self) { try open(database, Pets.one) }
    let history = try open(database, Pets.two).history()
    #expect(
      history.map(\.toFingerprint) == [fingerprints[0], fingerprints[1], fingerprints[0], fingerprints[1]])
    #expect(history.map(\.isLive) == [false, false, true, true])
  }

  @Test("a schema that the file never had is not an older program, only another schema")
  func unrelatedSchema() throws {
    let database = try TemporaryDatabase.pets()
    _ = try open(database, Pets.two)
    #expect(try open(database, Pets.withToys).outcome == .applied)
  }

  @Test("a ledger of a newer format is refused and left alone")
  func newerFormat() throws {
    let database = try TemporaryDatabase.pets()
    try database.exec("UPDATE _schemakit_meta SET value = 99 WHERE key = 'format'")
    let before = try database.bytes
    #expect(throws: HistoryError(reason: .newerFormat(found: 99, known: 3))) { try open(database, Pets.two) }
    #expect(throws: HistoryError.self) { try SchemaInspector(at: database.path).plan(to: Pets.two) }
    #expect(try database.bytes == before)
  }

  @Test("an entry says what ran, from where to where, and by whom")
  func entry() throws {
    let database = try TemporaryDatabase.pets()
    let session = try Session(at: database.path, schema: Pets.two) { $0.program = "shelter 2" }
    let entry = try #require(try session.history().last)
    #expect(entry.kind == .apply)
    #expect(entry.id == 2)
    #expect(entry.program == "shelter 2")
    #expect(entry.summary == "native pets: add column age INTEGER")
    #expect(entry.plan.contains("ALTER TABLE \"main\".\"pets\" ADD COLUMN"))
    #expect(entry.toFingerprint != entry.fromFingerprint)
    #expect(entry.engine == "\(SQLiteVersion(number: session.connection.engineVersionNumber))")
    #expect(entry.appliedAt.hasSuffix("Z") && entry.appliedAt.count == 24)
  }
}

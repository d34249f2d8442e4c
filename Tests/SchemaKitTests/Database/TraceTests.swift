import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Tracing statements")
struct TraceTests {
  typealias Tag = SavingModels.Tag

  @Test("each statement is reported without its values")
  func hidden() throws {
    let events = Record<SQLTrace.Event>()
    let session = try Session(inMemory: SavingModels.schema) { $0.trace = .statements { events.append($0) } }
    let before = events.all.count
    #expect(before > 0)
    try session.save(Tag(name: "secret", weight: 41))
    _ = try session.query("SELECT name FROM tags WHERE weight = \(41)")
    let later = events.all[before...]
    #expect(later.contains { $0.sql.hasPrefix("INSERT INTO") })
    #expect(later.last?.sql == "SELECT name FROM tags WHERE weight = ?")
    #expect(!later.contains { $0.sql.contains("secret") || $0.sql.contains("41") })
    #expect(later.allSatisfy { $0.duration >= .zero })
  }

  @Test("values show where they are asked for")
  func shown() throws {
    let events = Record<SQLTrace.Event>()
    let session = try Session(inMemory: SavingModels.schema) { $0.trace = .statementsWithValues { events.append($0) } }
    _ = try session.query("SELECT name FROM tags WHERE name = \("o'clock") AND weight = \(2)")
    #expect(events.all.last?.sql == "SELECT name FROM tags WHERE name = 'o''clock' AND weight = 2")
  }

  @Test("a duration has what the program did between the rows, and triggers count to their statement")
  func durations() throws {
    let events = Record<SQLTrace.Event>()
    let session = try Session(inMemory: SavingModels.schema) { $0.trace = .statements { events.append($0) } }
    try session.save((1...3).map { Tag(name: "t\($0)", weight: $0) })
    try session.execute(
      "CREATE TEMP TABLE log (x); CREATE TEMP TRIGGER tr AFTER DELETE ON tags BEGIN INSERT INTO log VALUES (old.name); END"
    )
    let before = events.all.count
    try session.execute("DELETE FROM tags WHERE weight = 1")
    #expect(events.all[before...].map(\.sql) == ["DELETE FROM tags WHERE weight = 1"])
    try session.connection.forEachRow("SELECT name FROM tags", []) { _ in Thread.sleep(forTimeInterval: 0.002) }
    #expect(try #require(events.all.last).duration >= .milliseconds(4))
    #expect(try #require(events.all.last).duration < .seconds(60))
  }

  @Test("a statement that fails, and one that is given up, are reported once")
  func failures() throws {
    struct Enough: Error {}
    let events = Record<SQLTrace.Event>()
    let session = try Session(inMemory: SavingModels.schema) { $0.trace = .statements { events.append($0) } }
    try session.save((1...3).map { Tag(name: "t\($0)", weight: $0) })
    let before = events.all.count
    #expect(throws: SQLiteError.self) { try session.query("SELECT abs(-9223372036854775808)") }
    #expect(throws: Enough.self) { try session.forEach(Tag.self) { _ in throw Enough() } }
    #expect(events.all.count == before + 2)
  }

  @Test("connections that read report as well")
  func readers() async throws {
    let file = try TemporaryDatabase()
    let events = Record<SQLTrace.Event>()
    let db = try await Database(at: file.sibling("new.db"), schema: SavingModels.schema) {
      $0.trace = .statements { events.append($0) }
    }
    _ = try await db.read { try $0.query("SELECT count(*) AS here FROM tags") }
    #expect(events.all.contains { $0.sql == "SELECT count(*) AS here FROM tags" })
  }

  @Test("a connection of the caller's reports, and a borrowed one keeps the trace of its lender")
  func overConnection() throws {
    let events = Record<SQLTrace.Event>()
    let own = try Session(over: .memory(), schema: Pets.one) { $0.trace = .statements { events.append($0) } }
    _ = try own.query("SELECT 5")
    #expect(events.all.last?.sql == "SELECT 5")
    let lender = try RawSQLite()
    let error = #expect(throws: SQLiteConnectionError.self) {
      try Session(over: lender.lent(), schema: Pets.one) { $0.trace = .statements { _ in } }
    }
    #expect(error == .belongsToLender("trace"))
  }
}

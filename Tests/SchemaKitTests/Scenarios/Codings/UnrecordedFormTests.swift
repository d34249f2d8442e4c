import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Values whose coding nobody has recorded")
struct UnrecordedFormTests {
  private static let time = Date(timeIntervalSince1970: 1_700_000_000)

  private func file(_ type: String, _ values: String) throws -> TemporaryDatabase {
    try TemporaryDatabase(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, value \(type)); INSERT INTO t (value) VALUES \(values)")
  }

  @Test(
    "a date is told by its class and range, and the plan says what was assumed",
    arguments: [
      ("REAL", "(1700000000.0), (NULL)"), ("TEXT", "('2023-11-14T22:13:20.000Z'), (NULL)"),
      ("TEXT", "('2023-11-14 22:13:20'), (NULL)"), ("INTEGER", "(1700000000), (NULL)"),
      ("INTEGER", "(1700000000000), (NULL)"), ("REAL", "(721692800.0), (NULL)"),
    ])
  func dates(_ stored: (type: String, values: String)) throws {
    for new in CodingChangeTests.dates {
      let file = try file(stored.type, stored.values)
      let plan = try new.plan(file)
      #expect(plan.refusals(under: .lossless).isEmpty, "\(new.name): \(plan.hazards)")
      #expect(try new.values(file.path) == [Self.time, nil], "\(new.name)")
      let isSaid = plan.hazards.contains { $0.code == .unreadable && $0.isNote && $0.message.contains("are taken for") }
      let isRecoded = plan.steps.contains { step in
        step.edits.contains { if case .convertValues = $0 { true } else { false } }
      }
      #expect(isSaid == isRecoded, "\(new.name): \(plan.hazards)")
    }
  }

  @Test(
    "a coding that the rows themselves told comes back when the change is undone",
    arguments: [
      ("REAL", "(1700000000.5), (NULL)"), ("TEXT", "('2023-11-14T22:13:20.500Z'), (NULL)"),
      ("INTEGER", "(1700000000), (NULL)"), ("INTEGER", "(1700000000500), (NULL)"),
    ])
  func undone(_ stored: (type: String, values: String)) throws {
    for new in CodingChangeTests.dates {
      let file = try file(stored.type, stored.values)
      let before = try file.query("SELECT value, typeof(value) FROM t ORDER BY id")
      if try new.plan(file).isEmpty { continue }
      _ = try new.values(file.path, .automatic(.everything))
      let changed = try file.query("SELECT value, typeof(value) FROM t ORDER BY id")
      let undo = try MigrationUndo(at: file.path)
      try undo.apply(allowing: .everything)
      let after = try file.query("SELECT value, typeof(value) FROM t ORDER BY id")
      // A coding that rounds says so.
      #expect(after == before || !undo.losses.isEmpty, "\(new.name): \(before) became \(changed), then \(after)")
    }
  }

  @Test("numbers that may be dates of two codings block a change of the type, and a file that stays is opened as it is")
  func ambiguous() throws {
    // 2001 since 1970, 2032 since 2001.
    let file = try file("REAL", "(1000000000.0)")
    let hazard = try #require(
      try StoringProgram(MillisecondDate.self).plan(file).hazards.first { $0.code == .unreadable })
    #expect(hazard.hazardClass == .blocked && hazard.count == 1)
    try StoringProgram(PlainDate.self).open(file.path) { session in
      let read = try StoringProgram(PlainDate.self).load(session)
      #expect(read == [Date(timeIntervalSince1970: 1_000_000_000)])
    }
  }

  @Test("what a program of ours wrote before it recorded codings has the type's own")
  func olderLedger() throws {
    let file = try StoringProgram(PlainDate.self).file([Date(timeIntervalSince1970: 1_000_000_000)])
    try file.exec("DELETE FROM _schemakit_meta WHERE key LIKE 'forms %'")
    let new = StoringProgram(MillisecondDate.self)
    #expect(try new.values(file.path) == [Date(timeIntervalSince1970: 1_000_000_000)])
    #expect(try file.value("SELECT value FROM t") == .int(1_000_000_000_000))
    // Nor are dates that nobody would guess taken for others.
    let early = [0, 60, -1_000_000_000].map { Date(timeIntervalSince1970: $0) }
    let other = try StoringProgram(PlainDate.self).file(early)
    try other.exec("DELETE FROM _schemakit_meta WHERE key LIKE 'forms %'")
    #expect(try new.values(other.path) == early)
  }

  @Test("decimals and identifiers are told by their class and spelling")
  func others() throws {
    let prices = try file("TEXT", "('12'), ('0.25')")
    let cents = StoringProgram(Cents.self)
    #expect(try cents.values(prices.path) == [12, Decimal(string: "0.25")])
    let id = try #require(UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"))
    let upper = try file("TEXT", "('\(id.uuidString)')")
    let lower = StoringProgram(PlainID.self)
    #expect(try lower.values(upper.path) == [id])
    #expect(try upper.value("SELECT value FROM t") == .text(id.uuidString.lowercased()))
  }

  @Test("a declaration that an older version wrote takes the memory away")
  func otherDeclaration() throws {
    let file = try StoringProgram(Cents.self).file([12])
    try file.exec("UPDATE _schemakit_schemas SET declaration = 'of an older version'")
    let mills = StoringProgram(Mills.self)
    // Nothing tells cents from mills, and nothing is converted twice.
    #expect(try mills.values(file.path) == [Decimal(string: "1.2")])
  }

  @Test("a standing value that the type cannot read keeps no file from being opened where nothing changes")
  func standing() throws {
    let file = try file("INTEGER", "(1), ('free')")
    let numbers = StoringProgram(Numbers.self)
    #expect(try numbers.plan(file).isEmpty)
    try numbers.open(file.path) { _ in }
  }

  @Test("rows that SQL has stored anew since are asked for what they are")
  func changedBySQL() throws {
    let file = try StoringProgram(PlainDate.self).file([Self.time])
    try file.migrate(
      to: "CREATE TABLE t (id INTEGER PRIMARY KEY, value INTEGER)", allowing: .everything,
      hints: MigrationHints(tables: [
        "t": TableHints(columns: ["value": ColumnHints(conversion: "CAST(value * 1000 AS INTEGER)")])
      ]))
    let new = StoringProgram(MillisecondDate.self)
    #expect(try new.values(file.path) == [Self.time])
    #expect(try file.value("SELECT value FROM t") == .int(1_700_000_000_000))
  }
}

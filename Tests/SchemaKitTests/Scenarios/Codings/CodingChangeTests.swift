import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitOperations

@Suite("Another coding of a column")
struct CodingChangeTests {
  static let dates = [
    StoringProgram(PlainDate.self), StoringProgram(CocoaDate.self), StoringProgram(MillisecondDate.self),
    StoringProgram(TextDate.self),
  ]
  static let decimals = [StoringProgram(PlainDecimal.self), StoringProgram(Cents.self), StoringProgram(Mills.self)]
  static let identifiers = [
    StoringProgram(PlainID.self), StoringProgram(UppercaseID.self), StoringProgram(BytesID.self),
  ]
  static let masks = [StoringProgram(PlainMask.self), StoringProgram(TextMask.self), StoringProgram(BytesMask.self)]

  private func check<Value>(_ pair: FormPair<Value>, _ values: [Value?]) throws {
    let file = try pair.old.file(values)
    let before = try file.query("SELECT id, value, typeof(value) FROM t ORDER BY id")
    let plan = try pair.new.plan(file)
    #expect(!plan.isEmpty && plan.refusals(under: .lossless).isEmpty)
    #expect(plan.hazards.contains { $0.code == .lossyConversion && $0.isPotential })
    try pair.new.open(file.path) { session in
      guard case .compared(let report) = session.openReport else { throw RecordError(.noKey(table: "t")) }
      #expect(report.outcome == .applied)
      let read = try pair.new.load(session)
      #expect(read == values)
    }
    try pair.new.open(file.path) { session in
      if case .warm = session.openReport {} else { Issue.record("the second open compared the file") }
      let read = try pair.new.load(session)
      #expect(read == values)
    }
    // Whoever has the old program still is refused, and changes nothing.
    #expect(throws: HistoryError.self) { try pair.old.open(file.path) { _ in } }
    #expect(throws: HistoryError.self) { try pair.old.open(file.path, .refuse) { _ in } }
    try MigrationUndo(at: file.path).apply()
    #expect(try file.query("SELECT id, value, typeof(value) FROM t ORDER BY id") == before)
    #expect(try pair.old.values(file.path) == values)
  }

  @Test(
    "dates read the same after every change of their coding, and undo brings them back", arguments: FormPair.all(dates))
  func dateCodings(_ pair: FormPair<Date>) throws {
    try check(
      pair,
      [0, 1_700_000_000, -86_400, 1_234_567_890, nil].map { $0.map { Date(timeIntervalSince1970: $0) } })
  }

  @Test("decimals read the same after every change of their coding", arguments: FormPair.all(decimals))
  func decimalCodings(_ pair: FormPair<Decimal>) throws {
    try check(pair, [12, 300, nil, Decimal(string: "-0.25"), 0])
  }

  @Test("identifiers read the same after every change of their coding", arguments: FormPair.all(identifiers))
  func identifierCodings(_ pair: FormPair<UUID>) throws {
    try check(pair, [UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"), nil, UUID()])
  }

  @Test("large numbers read the same after every change of their coding", arguments: FormPair.all(masks))
  func maskCodings(_ pair: FormPair<UInt64>) throws { try check(pair, [0, 7, nil, UInt64(Int64.max)]) }

  @Test("a value that the new coding rounds needs consent, with count and keys, and undo says what it does not restore")
  func rounding() throws {
    let values = [1_700_000_000, 1_700_000_000.123456, 3].map { Date(timeIntervalSince1970: $0) }
    let (old, new) = (StoringProgram(PlainDate.self), StoringProgram(MillisecondDate.self))
    let file = try old.file(values)
    let bytes = try file.query("SELECT * FROM t")
    let hazard = try #require(try new.plan(file).hazards.first { $0.code == .lossyConversion })
    #expect(hazard.hazardClass == .lossy && hazard.count == 1 && hazard.samples == ["2"] && hazard.object == "t.value")
    #expect(throws: PlanError.self) { try new.open(file.path) { _ in } }
    #expect(try file.query("SELECT * FROM t") == bytes)
    try new.open(file.path, .automatic(PlanPolicy(allowing: [.init(.hazardClass(.lossy))]))) {
      session in
      let read = try new.load(session)
      #expect(read[1] == Date(timeIntervalSince1970: 1_700_000_000.123))
    }
    #expect(try !MigrationUndo(at: file.path).losses.isEmpty)
  }

  @Test("days of Julius need consent where they round, and are read back to 0.05 ms")
  func julianDays() throws {
    let values = [1_700_000_001, 1_700_000_002].map { Date(timeIntervalSince1970: $0) }
    let (old, new) = (StoringProgram(PlainDate.self), StoringProgram(JulianDate.self))
    let file = try old.file(values)
    #expect(throws: PlanError.self) { try new.open(file.path) { _ in } }
    try new.open(file.path, .automatic(.everything)) { session in
      for (read, value) in zip(try new.load(session), values) {
        #expect(abs((read?.timeIntervalSince1970 ?? 0) - value.timeIntervalSince1970) < 0.00005)
      }
    }
  }

  @Test("a value that the new coding cannot store blocks, with its key, whatever is allowed")
  func unstorable() throws {
    let file = try StoringProgram(PlainDecimal.self).file([1, Decimal(string: "0.125")])
    let new = StoringProgram(Cents.self)
    let hazard = try #require(try new.plan(file).hazards.first { $0.code == .notStorable })
    #expect(hazard.hazardClass == .blocked && hazard.count == 1 && hazard.samples == ["2"])
    #expect(throws: PlanError.self) { try new.open(file.path, .automatic(.everything)) { _ in } }
    #expect(try file.value("SELECT group_concat(value, ' ') FROM t") == .text("1 0.125"))
  }

  @Test("a value of another coding than the old one blocks, with its key")
  func otherValues() throws {
    let file = try StoringProgram(TextDate.self).file([Date(timeIntervalSince1970: 0)])
    try file.exec("INSERT INTO t VALUES (9, 'yesterday'), (10, x'ff'), (11, CAST(x'ff' AS TEXT))")
    let new = StoringProgram(MillisecondDate.self)
    let hazard = try #require(try new.plan(file).hazards.first { $0.code == .unreadable })
    #expect(hazard.hazardClass == .blocked && hazard.count == 3 && hazard.samples == ["9", "10", "11"])
    #expect(throws: PlanError.self) { try new.open(file.path, .automatic(.everything)) { _ in } }
  }

  @Test("an empty table, or one with NULL alone, gets another coding of the same type without a step")
  func nothingToDo() throws {
    for values in [[], [nil, nil]] as [[Decimal?]] {
      let file = try StoringProgram(Cents.self).file(values)
      let new = StoringProgram(Mills.self)
      #expect(try new.plan(file).isEmpty)
      try new.open(file.path) { try new.save($0, [1]) }
      #expect(try file.value("SELECT max(value) FROM t") == .int(1000))
      // The file remembers which coding the value has, and who would take it for another.
      #expect(throws: HistoryError.self) { try StoringProgram(Cents.self).values(file.path) }
      try StoringProgram(PlainDecimal.self).open(file.path) { session in
        let read = try StoringProgram(PlainDecimal.self).load(session)
        #expect(read.last == 1)
      }
    }
  }

  @Test("the ledger gets a format that older versions refuse only where the definition does not tell the codings apart")
  func format() throws {
    let format = "SELECT value FROM _schemakit_meta WHERE key = 'format'"
    let file = try StoringProgram(Cents.self).file([12])
    #expect(try file.value(format) == .int(2))
    try StoringProgram(Mills.self).open(file.path) { _ in }
    #expect(try file.value(format) == .int(3))
    try MigrationUndo(at: file.path).apply()
    #expect(try file.value(format) == .int(2))
    try StoringProgram(PlainDecimal.self).open(file.path) { _ in }
    #expect(try file.value(format) == .int(2))
  }

  @Test("the way back to a former coding is open to whoever allows it")
  func downgrade() throws {
    let (old, new) = (StoringProgram(Cents.self), StoringProgram(Mills.self))
    let file = try old.file([12])
    try new.open(file.path) { _ in }
    var policy = PlanPolicy.lossless
    policy.allowsDowngrade = true
    #expect(try old.values(file.path, .automatic(policy)) == [12])
    #expect(try file.value("SELECT value FROM t") == .int(1200))
    #expect(try file.value("SELECT value FROM _schemakit_meta WHERE key = 'format'") == .int(2))
  }

  @Test("a saved plan carries the codings, so that whoever applies it records them")
  func savedPlan() throws {
    let (old, new) = (StoringProgram(Cents.self), StoringProgram(Mills.self))
    let file = try old.file([12])
    let json = try SchemaInspector(at: file.path).savedPlan(to: new.schema).json()
    let saved = try SavedPlan(json: Data(json.utf8), source: "plan.json")
    let connection = try SQLiteConnection(path: file.path)
    var request = ChangeRequest()
    request.observer.onPlan = { try saved.check($0, on: connection) }
    _ = try Change(over: connection, to: try saved.targetSchema(source: "plan.json"), request)
      .apply()
    try connection.close()
    try new.open(file.path) { session in
      if case .warm = session.openReport {} else { Issue.record("the program compared the file") }
      let read = try new.load(session)
      #expect(read == [12])
    }
    let plain = StoringProgram(PlainDecimal.self)
    #expect(try plain.values(file.path) == [12])
  }

  @Test("two programs cannot use one file where the coding of a column differs")
  func expansion() throws {
    let file = try StoringProgram(Cents.self).file([12])
    #expect(throws: PlanError.self) {
      try StoringProgram(Mills.self).open(file.path, phase: .expand) { _ in }
    }
    #expect(try file.value("SELECT value FROM t") == .int(1200))
  }
}

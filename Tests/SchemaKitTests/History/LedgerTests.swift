import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Ledger")
struct LedgerTests {
  private func entry(_ to: String, from: String = "", schema: String = "main") -> HistoryEntry {
    HistoryEntry(
      id: 0, schema: schema, appliedAt: "", kind: .apply, fromFingerprint: from, toFingerprint: to,
      summary: "to \(to)", plan: "SELECT '\(to)'", milliseconds: 7, program: "tests", library: "0", engine: "",
      isLive: true)
  }

  private func ledger() throws -> Ledger {
    let ledger = Ledger(connection: try SQLiteConnection.memory())
    try ledger.create()
    return ledger
  }

  @Test("a database without one has no record, no entry and no line, and is left so")
  func missing() throws {
    let ledger = Ledger(connection: try SQLiteConnection.memory())
    #expect(try !ledger.exists())
    #expect(try ledger.record(of: "main") == nil)
    #expect(try ledger.entries().isEmpty)
    #expect(try ledger.liveFingerprints(of: "main").isEmpty)
    try ledger.checkFormat()
    #expect(try ledger.connection.integer("SELECT count(*) FROM sqlite_master") == 0)
  }

  @Test("creating it twice keeps what it holds")
  func createTwice() throws {
    let ledger = try ledger()
    try ledger.append(entry("A"))
    try ledger.create()
    #expect(try ledger.entries().count == 1)
  }

  @Test("an entry comes back as it was stored, with a number, a time and the engine")
  func entries() throws {
    let ledger = try ledger()
    try ledger.append(entry("B", from: "A"))
    let stored = try #require(try ledger.entries().first)
    var expected = entry("B", from: "A")
    expected.id = 1
    expected.appliedAt = stored.appliedAt
    expected.engine = try #require(try ledger.connection.value("SELECT sqlite_version()")?.text)
    #expect(stored == expected)
    #expect(stored.appliedAt.count == 24)
  }

  /// The fingerprints in the order of their appending, and those on the live line in the end.
  static let lines: [([String], [String])] = [
    (["A"], ["A"]), (["A", "B", "C"], ["A", "B", "C"]), (["A", "B", "A"], ["A"]), (["A", "B", "A", "B"], ["A", "B"]),
    (["A", "B", "C", "B"], ["A", "B"]), (["A", "A"], ["A"]), (["A", "B", "A", "C", "A", "D"], ["A", "D"]),
    (["A", "B", "C", "B", "D", "A"], ["A"]),
  ]

  @Test("what was downgraded past leaves the live line", arguments: lines)
  func liveLine(appended: [String], live: [String]) throws {
    let ledger = try ledger()
    for fingerprint in appended { try ledger.append(entry(fingerprint)) }
    #expect(try ledger.liveFingerprints(of: "main") == live)
    #expect(try ledger.entries().map(\.toFingerprint) == appended)
    #expect(try ledger.entries().filter(\.isLive).map(\.toFingerprint) == live)
  }

  @Test("each schema has a line of its own")
  func twoSchemas() throws {
    let ledger = try ledger()
    for (schema, fingerprint) in [("one", "A"), ("two", "A"), ("one", "B"), ("two", "C"), ("one", "A")] {
      try ledger.append(entry(fingerprint, schema: schema))
    }
    #expect(try ledger.liveFingerprints(of: "one") == ["A"])
    #expect(try ledger.liveFingerprints(of: "two") == ["A", "C"])
    #expect(try ledger.liveFingerprints(of: "three").isEmpty)
  }

  @Test("a schema's row is stored, replaced and told apart by name")
  func records() throws {
    let ledger = try ledger()
    let first = Ledger.Record(
      fingerprint: "f", declarationDigest: "d", schemaCookie: 5, ownedObjects: ["a", "B c", "d.e", "ü"])
    var second = first
    second.fingerprint = "g"
    second.ownedObjects = []
    try ledger.store(first, of: "one")
    try ledger.store(second, of: "two")
    #expect(try ledger.record(of: "one") == first)
    #expect(try ledger.record(of: "two") == second)
    try ledger.store(second, of: "one")
    #expect(try ledger.record(of: "one") == second)
    #expect(try ledger.connection.integer("SELECT count(*) FROM _schemakit_schemas") == 2)
  }

  @Test("a newer format is refused by name, the present one and older ones are not", arguments: [0, 1, 2, 3, 4])
  func format(found: Int) throws {
    let ledger = try ledger()
    try ledger.connection.run("UPDATE _schemakit_meta SET value = \(found) WHERE key = 'format'")
    if found > 3 {
      #expect(throws: HistoryError(reason: .newerFormat(found: found, known: 3))) { try ledger.checkFormat() }
    } else {
      try ledger.checkFormat()
    }
  }

  @Test("a TEMP table of the same name is not taken for it")
  func temporaryTwin() throws {
    let connection = try SQLiteConnection.memory()
    try connection.execute(
      "CREATE TEMP TABLE _schemakit_meta (key, value); INSERT INTO _schemakit_meta VALUES ('format', 9)")
    let ledger = Ledger(connection: connection)
    #expect(try !ledger.exists())
    try ledger.create()
    try ledger.checkFormat()
    #expect(try ledger.exists())
  }
}

import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Hazard SK109: values that another SQLite computes otherwise", .needsPlainFiles("it edits the header"))
struct OtherWriterHazardTests {
  private typealias Scene = OtherWriterScene

  private func hazards(_ file: TemporaryDatabase, to sql: String, _ strategy: StrategyChoice = .auto) throws -> [Hazard]
  {
    try file.plan(to: sql, strategy: strategy).hazards.filter { $0.code == .otherWriter }
  }

  @Test("an index that would be made anew needs consent, and without it nothing is changed")
  func remade() throws {
    let file = try Scene.prices()
    let to = Scene.priceSchema("", "CREATE INDEX also ON m (lower(price))")
    let hazard = try #require(try hazards(file, to: to).first)
    let writer = try Scene.version(differingIn: .realsAsText)
    #expect(hazard.hazardClass == .lossy && hazard.object == "m" && hazard.count == 2 && hazard.samples == ["1", "2"])
    #expect(
      hazard.message
        == "Index also is made anew here. SQLite \(writer) wrote the file last, and writes REALs as text with other digits "
        + "(17 since 3.53, 15 before) than SQLite \(Scene.engine) here: that concerns 2 rows.")
    let before = try file.bytes
    #expect(throws: PlanError.self) { try file.migrate(to: to) }
    #expect(try file.bytes == before)
    try file.migrate(to: to, allowing: PlanPolicy(allowing: [PlanPolicy.Allowance(.code(.otherWriter), table: "m")]))
    #expect(try file.value("SELECT count(*) FROM sqlite_master WHERE name = 'also'") == .int(1))
  }

  @Test("a table that is rebuilt makes its index anew, which needs consent")
  func rebuilt() throws {
    let file = try Scene.prices()
    let to = Scene.priceSchema(" CHECK (note <> 'q')")
    let found = try hazards(file, to: to, .rebuild)
    #expect(found.map(\.hazardClass) == [.lossy])
    #expect(found.first?.message.hasPrefix("Index mt is made anew here.") == true)
    #expect(throws: PlanError.self) { try file.migrate(to: to, allowing: .copying) }
  }

  @Test("an index that stays is a note, and keeps the entries that the other version made")
  func kept() throws {
    let file = try Scene.prices()
    let to = Scene.priceSchema(", more TEXT")
    let note = try #require(try hazards(file, to: to).first)
    #expect(note.isNote && note.count == 2)
    #expect(note.message.hasPrefix("Index mt stays as it is."))
    try file.migrate(to: to) { $0.plan.verification = .paranoid }
    // Still those of the other version: this one looks for other texts.
    let problems = try file.query("PRAGMA integrity_check").map { $0.first?.string ?? "" }
    #expect(problems.count { $0.contains("missing from index mt") } == 2)
  }

  @Test(
    "rows without such a value, tables that the plan leaves alone and the version that wrote the file are not named")
  func silent() throws {
    let to = Scene.priceSchema(
      ", more TEXT", "CREATE INDEX also ON m (lower(price)); CREATE INDEX n ON m (lower(note))")
    let file = try TemporaryDatabase(
      Scene.priceSchema() + "INSERT INTO m VALUES (1, 2.1, 'x'), (2, 0.3, 'y'), (3, NULL, '')")
    try file.setLastWriter(Scene.version(differingIn: .realsAsText))
    #expect(try hazards(file, to: to).isEmpty)
    let other = try Scene.prices()
    #expect(try hazards(other, to: Scene.priceSchema("", "CREATE TABLE u (a)")).isEmpty)
    #expect(try hazards(other, to: Scene.priceSchema("", "CREATE INDEX n ON m (lower(note))")).isEmpty)
    try other.setLastWriter(Scene.engine)
    #expect(try hazards(other, to: to).isEmpty)
  }

  @Test("a plan that looks at no rows says so, and needs consent")
  func quick() throws {
    let file = try Scene.prices()
    let connection = try SQLiteConnection.openedForInspection(path: file.path)
    var request = ChangeRequest()
    request.plan.isQuick = true
    let target = try TemporaryDatabase.target(Scene.priceSchema("", "CREATE INDEX also ON m (lower(price))"))
    let plan = try Change(over: connection, to: target, request).plan()
    let hazard = try #require(plan.hazards.first { $0.code == .otherWriter })
    #expect(!hazard.isCounted && hazard.hazardClass == .lossy)
    #expect(hazard.message.hasSuffix("; rows were not asked whether it concerns them."))
  }

  @Test("a STORED column that is computed anew needs consent, and one in a table that is only altered is a note")
  func storedColumn() throws {
    let old = "CREATE TABLE t (id INTEGER PRIMARY KEY, r REAL, g TEXT AS (r) STORED);"
    let file = try TemporaryDatabase(old + "INSERT INTO t (r) VALUES (0.1 + 0.2), (0.5)")
    try file.setLastWriter(Scene.version(differingIn: .realsAsText))
    let changed = try hazards(file, to: "CREATE TABLE t (id INTEGER PRIMARY KEY, r REAL, g TEXT AS (r || '!') STORED)")
    #expect(changed.map(\.object) == ["t.g"] && changed.first?.hazardClass == .lossy && changed.first?.count == 1)
    let added = try hazards(
      file, to: "CREATE TABLE t (id INTEGER PRIMARY KEY, r REAL, g TEXT AS (r) STORED, more TEXT)")
    #expect(added.map(\.hazardClass) == [.note])
  }

  @Test("a number within a text counts where it has more digits than every version writes")
  func numbersInTexts() throws {
    let table = "CREATE TABLE t (id INTEGER PRIMARY KEY, doc TEXT, name TEXT);"
    let file = try TemporaryDatabase(
      table + """
        INSERT INTO t VALUES (1, '{"x":1.5}', 'a'), (2, '{"x":0.30000000000000004}', 'b'), (3, '{"x":"k"}', 'c');
        """)
    try file.setLastWriter(Scene.version(differingIn: .realsAsText))
    let index = "CREATE INDEX i ON t (lower(json_extract(doc, '$.x'))); CREATE INDEX n ON t (lower(name));"
    #expect(try hazards(file, to: table + index).map(\.samples) == [["2"]])
  }

  @Test("a CHECK that is tested here is a note")
  func check() throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, r REAL); INSERT INTO t (r) VALUES (0.1 + 0.2)")
    try file.setLastWriter(Scene.version(differingIn: .realsAsText))
    let found = try hazards(file, to: "CREATE TABLE t (id INTEGER PRIMARY KEY, r REAL CHECK (length(r) < 99))")
    #expect(found.map(\.hazardClass) == [.note])
    #expect(found.first?.message.hasPrefix("CHECK (length(r) < 99) is tested here.") == true)
  }

  @Test("rows that read a default in another class are counted")
  func defaults() throws {
    let old = "CREATE TABLE t (id INTEGER PRIMARY KEY);"
    let file = try TemporaryDatabase(
      old + "INSERT INTO t VALUES (1), (2); ALTER TABLE t ADD COLUMN w DEFAULT 1.0; INSERT INTO t VALUES (3, 'x')")
    let to = "CREATE TABLE t (id INTEGER PRIMARY KEY, w DEFAULT 1.0); CREATE INDEX i ON t (typeof(w));"
    guard let writer = try? Scene.version(differingIn: .wholeDefaults) else { return }
    try file.setLastWriter(writer)
    let hazard = try #require(try hazards(file, to: to).first)
    #expect(hazard.hazardClass == .lossy && hazard.count == 2)
    #expect(hazard.message.contains("reads another class for a default like 1.0"))
  }

  @Test("rows that are rounded or dated otherwise are counted")
  func otherDifferences() throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, r REAL, d TEXT); "
        + "INSERT INTO t VALUES (1, 1.005, '2024-02-29'), (2, 1.25, '2023-02-29'), (3, 2.1, '2024-01-01 24:00:00'), (4, 3, 'no')"
    )
    let table = "CREATE TABLE t (id INTEGER PRIMARY KEY, r REAL, d TEXT);"
    if let writer = try? Scene.version(differingIn: .rounding) {
      try file.setLastWriter(writer)
      #expect(try hazards(file, to: table + "CREATE INDEX i ON t (round(r, 1));").map(\.count) == [2])
    }
    try file.setLastWriter(Scene.version(differingIn: .dates))
    #expect(try hazards(file, to: table + "CREATE INDEX i ON t (date(d));").map(\.samples) == [["2", "3"]])
  }
}

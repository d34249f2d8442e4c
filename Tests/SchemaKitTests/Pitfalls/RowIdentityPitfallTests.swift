import Testing

@testable import SQLiteSchema
@testable import SchemaKit

// P12-P17: what identifies a row: AUTOINCREMENT marks, rowids, keys that look like rowids and are none.
@Suite("Pitfalls: identity of rows")
struct RowIdentityPitfallTests {
  private func note(_ id: String, _ rest: String, suffix: String = "") -> String {
    "CREATE TABLE note (\(id), \(rest))\(suffix);"
  }
  private static let auto = "id INTEGER PRIMARY KEY AUTOINCREMENT"

  @Test("P12: AUTOINCREMENT survives a rebuild", arguments: [0, 3])
  func autoincrement(count: Int) throws {
    let database = try TemporaryDatabase(
      note(Self.auto, "t TEXT") + rows(count) { "INSERT INTO note VALUES (\($0 * 10), 't')" })
    try database.rebuild("note", to: note(Self.auto, "t TEXT CHECK (t <> '')"))
    #expect(try #require(try database.sql(of: "note")).contains("AUTOINCREMENT"))
    #expect(integers(try database.query("SELECT id FROM note")) == numbers(count) { $0 * 10 })
  }

  @Test("P13: the highest id ever given is not given again after a rebuild", arguments: [0, 3])
  func highWaterMark(count: Int) throws {
    let database = try TemporaryDatabase(
      note(Self.auto, "t TEXT") + rows(count) { "INSERT INTO note VALUES (\($0), 't')" }
        + "INSERT INTO note VALUES (100, 'top'); DELETE FROM note WHERE id = 100;")
    try database.rebuild("note", to: note(Self.auto, "t TEXT NOT NULL DEFAULT ''"))
    try database.exec("INSERT INTO note (t) VALUES ('new')")
    #expect(try database.value("SELECT max(id) FROM note") == .int(101))
    #expect(try database.query("SELECT name, seq FROM sqlite_sequence") == [[.text("note"), .int(101)]])
  }

  @Test(
    "P13: the mark follows a rename, alone and together with a rebuild",
    arguments: ["t TEXT", "t TEXT CHECK (t <> '')"], [0, 3])
  func highWaterMarkRenamed(column: String, count: Int) throws {
    let database = try TemporaryDatabase(
      note(Self.auto, "t TEXT") + rows(count) { "INSERT INTO note VALUES (\($0), 't')" }
        + "INSERT INTO note VALUES (100, 'top'); DELETE FROM note WHERE id = 100;")
    let after = "CREATE TABLE memo ( -- schemakit: renamed from note\n\(Self.auto), \(column));"
    try database.migrate(to: after)
    try database.exec("INSERT INTO memo (t) VALUES ('new')")
    #expect(try database.value("SELECT max(id) FROM memo") == .int(101))
    #expect(try database.query("SELECT name, seq FROM sqlite_sequence") == [[.text("memo"), .int(101)]])
    try database.expectSettled(at: after)
  }

  @Test("P14: rowids without an INTEGER PRIMARY KEY keep their numbers", arguments: [0, 3])
  func hiddenRowIDs(count: Int) throws {
    let database = try TemporaryDatabase(
      note("a TEXT", "b BLOB")
        + rows(count) { "INSERT INTO note (rowid, a, b) VALUES (\(100 - $0 * 7), 'a\($0)', x'0\($0)')" })
    let before = try database.query("SELECT rowid, a, hex(b) FROM note ORDER BY rowid")
    try database.rebuild("note", to: note("a TEXT", "b BLOB CHECK (length(b) < 9)"))
    #expect(try database.query("SELECT rowid, a, hex(b) FROM note ORDER BY rowid") == before)
    #expect(before.count == count)
  }

  @Test("P14: an external-content full-text index still fits its table", arguments: [0, 3])
  func externalContent(count: Int) throws {
    let fts = "CREATE VIRTUAL TABLE search USING fts5(a, content='note');"
    let database = try TemporaryDatabase(
      note("a TEXT", "b INT") + fts
        + rows(count) {
          "INSERT INTO note (rowid, a, b) VALUES (\($0 * 11), 'word\($0)', 1);"
            + "INSERT INTO search (rowid, a) VALUES (\($0 * 11), 'word\($0)')"
        })
    try database.rebuild("note", to: note("a TEXT", "b INT NOT NULL DEFAULT 0") + fts)
    try database.exec("INSERT INTO search (search, rank) VALUES ('integrity-check', 1)")
    #expect(
      integers(try database.query("SELECT rowid FROM search WHERE search MATCH 'word2'")) == (count > 1 ? [22] : []))
  }

  @Test("P15: columns named rowid, oid and _rowid_ are columns", arguments: [0, 3])
  func shadowedRowID(count: Int) throws {
    func schema(_ extra: String) -> String { "CREATE TABLE note (rowid TEXT, oid INT, _rowid_ BLOB\(extra), x INT);" }
    let database = try TemporaryDatabase(
      schema("") + rows(count) { "INSERT INTO note VALUES ('r\($0)', \($0 * 3), x'0\($0)', \($0))" })
    let before = try database.query("SELECT * FROM note ORDER BY x")
    try database.rebuild("note", to: schema(" NOT NULL DEFAULT x''"))
    #expect(try database.query("SELECT * FROM note ORDER BY x") == before)
    #expect(before.count == count)
  }

  @Test("P15: one column named rowid leaves the true rowid under its other names", arguments: [0, 3])
  func partlyShadowedRowID(count: Int) throws {
    func schema(_ extra: String) -> String { "CREATE TABLE note (rowid TEXT\(extra), oid INT);" }
    let database = try TemporaryDatabase(
      schema("") + rows(count) { "INSERT INTO note (_rowid_, rowid, oid) VALUES (\($0 * 5), 'r\($0)', 1)" })
    try database.rebuild("note", to: schema(" NOT NULL DEFAULT ''"))
    #expect(
      try database.query("SELECT _rowid_, rowid FROM note ORDER BY 1")
        == table(count) { [.int($0 * 5), .text("r\($0)")] })
  }

  @Test(
    "P16: INT and INTEGER DESC keys differ from INTEGER PRIMARY KEY, and NULL keys are counted",
    arguments: [
      "id INT PRIMARY KEY", "id INTEGER PRIMARY KEY DESC",
    ])
  func notTheRowID(key: String) throws {
    let database = try TemporaryDatabase(
      note(key, "t TEXT") + "INSERT INTO note VALUES (5, 'a'), (NULL, 'b'), (NULL, 'c');")
    let after = note("id INTEGER PRIMARY KEY", "t TEXT")
    #expect(try !database.plan(to: after).isEmpty)
    let hazards = try database.refusals(to: after, allowing: .everything)
    #expect(hazards.contains { $0.code == .nullsUnderNotNull && $0.count == 2 && $0.column == "id" }, "\(hazards)")
    try database.exec("DELETE FROM note WHERE id IS NULL")
    try database.migrate(to: after, allowing: .everything)
    #expect(try database.query("SELECT rowid, id, t FROM note") == [[.int(5), .int(5), .text("a")]])
    try database.expectSettled(at: after)
  }

  @Test(
    "P16: a column that becomes the rowid says that rowids change; a former key needs no consent for it",
    arguments: [
      "id INT", "id INT PRIMARY KEY",
    ])
  func becomesRowID(column: String) throws {
    let database = try TemporaryDatabase(
      note(column, "t TEXT") + "INSERT INTO note (rowid, id, t) VALUES (1, 50, 'a');")
    let after = note("id INTEGER PRIMARY KEY", "t TEXT")
    let hazard = try #require(try database.plan(to: after).hazards.first { $0.code == .renumberedRows })
    #expect(hazard.count == 1)
    if column == "id INT" { #expect(try database.refusals(to: after).map(\.code) == [.renumberedRows]) }
    try database.migrate(to: after, allowing: column == "id INT" ? .everything : .lossless)
    #expect(try database.query("SELECT rowid, id FROM note") == [[.int(50), .int(50)]])
  }

  @Test("P16: where a full-text index keeps the rowids, a former key needs consent too")
  func followedRowID() throws {
    let fts = "CREATE VIRTUAL TABLE search USING fts5(t, content='note');"
    let database = try TemporaryDatabase(
      note("id INT PRIMARY KEY", "t TEXT") + fts
        + "INSERT INTO note (rowid, id, t) VALUES (1, 50, 'a'); INSERT INTO search (search) VALUES ('rebuild');")
    #expect(try database.refusals(to: note("id INTEGER PRIMARY KEY", "t TEXT") + fts).map(\.code) == [.renumberedRows])
  }

  @Test("P16: the way back from INTEGER PRIMARY KEY keeps keys and rowids", arguments: [0, 3])
  func leavesRowID(count: Int) throws {
    let database = try TemporaryDatabase(
      note("id INTEGER PRIMARY KEY", "t TEXT") + rows(count) { "INSERT INTO note VALUES (\($0 * 9), 't')" })
    try database.rebuild("note", to: note("id INT PRIMARY KEY", "t TEXT"))
    let expected: [[RawValue]] = (0..<count).map { (index: Int) -> [RawValue] in
      let key = RawValue.int(Int64(index * 9 + 9))
      return [key, key]
    }
    #expect(try database.query("SELECT rowid, id FROM note ORDER BY 1") == expected)
  }

  @Test(
    "P17: NULL keys are counted before WITHOUT ROWID or STRICT refuses them", arguments: [" WITHOUT ROWID", " STRICT"])
  func nullKeys(suffix: String) throws {
    let database = try TemporaryDatabase(
      note("a TEXT", "b TEXT, PRIMARY KEY (a, b)") + "INSERT INTO note VALUES ('x', 'y'), (NULL, 'y'), ('x', NULL);")
    let key = suffix == " STRICT" ? "a TEXT NOT NULL" : "a TEXT"
    let after = note(key, "b TEXT, PRIMARY KEY (a, b)", suffix: suffix)
    let hazards = try database.refusals(to: after, allowing: .everything)
    #expect(hazards.contains { $0.code == .nullsUnderNotNull && $0.count == 1 && $0.column == "a" }, "\(hazards)")
    try database.exec("DELETE FROM note WHERE a IS NULL OR b IS NULL")
    try database.migrate(to: after, allowing: .everything)
    #expect(try database.query("SELECT * FROM note") == [[.text("x"), .text("y")]])
    try database.expectSettled(at: after)
  }

  @Test("P17: an empty table with such a key changes without ado")
  func noKeys() throws {
    let database = try TemporaryDatabase(note("a TEXT PRIMARY KEY", "b TEXT"))
    let after = note("a TEXT PRIMARY KEY", "b TEXT", suffix: " WITHOUT ROWID, STRICT")
    try database.migrate(to: after)
    try database.expectSettled(at: after)
  }
}

import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Hazard SK207: new rows without a number of their own")
struct LostIdentityNoteTests {
  private static let numbered = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);"

  private func hazards(from old: String = numbered, to new: String) throws -> [Hazard] {
    let file = try TemporaryDatabase(old + "INSERT INTO t (a) VALUES ('x'), ('y')")
    return try file.plan(to: new).hazards
  }

  private func notes(from old: String = numbered, to new: String) throws -> [Hazard] {
    try hazards(from: old, to: new).filter { $0.code == .lostIdentity }
  }

  /// What is declared, and what SQLite then does with an INSERT that leaves the column out; nil where it fails.
  static let others: [(String, String?)] = [
    ("CREATE TABLE t (id BIGINT PRIMARY KEY, a TEXT)", "NULL"),
    ("CREATE TABLE t (id INT PRIMARY KEY, a TEXT)", "NULL"),
    ("CREATE TABLE t (id INTEGER PRIMARY KEY DESC, a TEXT)", "NULL"),
    ("CREATE TABLE t (id INTEGER, a TEXT)", "NULL"),
    ("CREATE TABLE t (id INTEGER, a TEXT, PRIMARY KEY (id, a))", "NULL"),
    ("CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY, a TEXT)", nil),
    ("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT) WITHOUT ROWID", nil),
    ("CREATE TABLE t (id BIGINT PRIMARY KEY DEFAULT 77, a TEXT)", "77"),
    ("CREATE TABLE t (id INTEGER, a TEXT, k INTEGER PRIMARY KEY)", "NULL"),
  ]

  @Test("a key that is the rowid no longer is noted, with what an INSERT then does", arguments: others)
  func lost(declared: String, value: String?) throws {
    let file = try TemporaryDatabase(Self.numbered + "INSERT INTO t (a) VALUES ('x'), ('y')")
    let plan = try file.plan(to: declared)
    let note = try #require(plan.hazards.first { $0.code == .lostIdentity })
    #expect(note.isNote && note.hazardClass == .note && note.object == "t.id")
    let end = value.map { "stores \($0 == "NULL" ? $0 : "its default")" } ?? "fails"
    #expect(
      note.message == "New rows of t get no id of their own any more: an INSERT that leaves it out \(end).")
    try file.migrate(to: declared, allowing: .everything)
    #expect(try file.value("SELECT group_concat(id) FROM (SELECT id FROM t ORDER BY id)") == .text("1,2"))
    guard let value else {
      #expect(throws: (any Error).self) { try file.exec("INSERT INTO t (a) VALUES ('new')") }
      return
    }
    try file.exec("INSERT INTO t (a) VALUES ('new')")
    #expect(try file.value("SELECT coalesce(id, 'NULL') || '' FROM t WHERE a = 'new'") == .text(value))
  }

  @Test("the way out names the type that was taken for INTEGER")
  func remedy() throws {
    let note = try #require(try notes(to: "CREATE TABLE t (id BIGINT PRIMARY KEY, a TEXT)").first)
    #expect(
      note.remedy
        == "Only INTEGER PRIMARY KEY numbers rows, and holds 64 bits as BIGINT does: declare that, or let every program "
        + "give the value.")
    let other = try #require(try notes(to: "CREATE TABLE t (id INTEGER, a TEXT)").first)
    #expect(other.remedy == "Let every program give the value, or keep t.id INTEGER PRIMARY KEY.")
  }

  @Test("each table is noted, and one that loses AUTOINCREMENT as well for the keys of deleted rows")
  func both() throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE a (id INTEGER PRIMARY KEY AUTOINCREMENT, n); CREATE TABLE b (id INTEGER PRIMARY KEY, n);")
    let plan = try file.plan(
      to: "CREATE TABLE a (id BIGINT PRIMARY KEY, n); CREATE TABLE b (id BIGINT PRIMARY KEY, n);")
    #expect(plan.hazards.filter { $0.code == .lostIdentity }.map(\.object) == ["a.id", "b.id"])
    #expect(plan.hazards.filter { $0.code == .reusedKeys }.map(\.object) == ["a.id"])
    #expect(plan.refusals(under: .lossless).isEmpty)
  }

  static let kept = [
    "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT)",
    "CREATE TABLE t (id INTEGER, a TEXT NOT NULL, PRIMARY KEY (id DESC))",
    "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT)",
    "CREATE TABLE t (id INTEGER NOT NULL PRIMARY KEY ASC, a TEXT) STRICT",
    "CREATE TABLE t (a TEXT)",
    "CREATE TABLE u (a TEXT)",
  ]

  @Test("a key that stays the rowid, a column that goes and a table that goes are not noted", arguments: kept)
  func unnoted(declared: String) throws {
    #expect(try notes(to: declared).isEmpty)
  }

  static let ordinary = [
    "CREATE TABLE t (id BIGINT PRIMARY KEY, a TEXT);", "CREATE TABLE t (id INTEGER PRIMARY KEY DESC, a TEXT);",
  ]

  @Test("a column that becomes the rowid is not noted, and rows without a key block it", arguments: ordinary)
  func otherDirection(old: String) throws {
    let file = try TemporaryDatabase(old + "INSERT INTO t VALUES (1, 'x'), (NULL, 'y')")
    let plan = try file.plan(to: Self.numbered)
    #expect(!plan.hazards.contains { $0.code == .lostIdentity })
    #expect(plan.hazards.contains { $0.code == .nullsUnderNotNull && $0.hazardClass == .blocked })
    try file.exec("DELETE FROM t WHERE id IS NULL")
    try file.migrate(to: Self.numbered, allowing: .everything)
    try file.exec("INSERT INTO t (a) VALUES ('new')")
    #expect(try file.value("SELECT id FROM t WHERE a = 'new'") == .int(2))
  }

  @Test("a key that gets another name as well is noted under its new one")
  func renamed() throws {
    let to = "CREATE TABLE t (\n  key BIGINT PRIMARY KEY, -- schemakit: renamed from id\n  a TEXT)"
    #expect(try notes(to: to).map(\.object) == ["t.key"])
  }
}

import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Hazard SK206: keys that may be given again")
struct ReusedKeysNoteTests {
  private static let counted = "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT);"
  private static let plain = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);"

  private func notes(from old: String, to new: String) throws -> [Hazard] {
    let file = try TemporaryDatabase(old + "INSERT INTO t (a) VALUES ('x'), ('y')")
    return try file.plan(to: new).hazards.filter { $0.code == .reusedKeys }
  }

  @Test("a table that loses AUTOINCREMENT is noted, and the plan needs no consent for it")
  func lost() throws {
    let note = try #require(try notes(from: Self.counted, to: Self.plain).first)
    #expect(note.isNote && note.object == "t.id")
    #expect(
      note.message == "t loses AUTOINCREMENT: a new row may get the key that a deleted row had in t.id.")
    #expect(note.remedy == "Keep AUTOINCREMENT where a log or another system remembers keys.")
    let file = try TemporaryDatabase(Self.counted)
    #expect(try file.plan(to: Self.plain).refusals(under: .lossless).isEmpty)
  }

  @Test("after the change SQLite gives the key of a deleted row again, and before it does not")
  func why() throws {
    let file = try TemporaryDatabase(
      Self.counted + "INSERT INTO t (a) VALUES ('x'), ('y'); DELETE FROM t WHERE id = 2;")
    try file.migrate(to: Self.plain)
    try file.exec("INSERT INTO t (a) VALUES ('z')")
    #expect(try file.value("SELECT group_concat(id) FROM t") == .text("1,2"))
  }

  @Test("a table that keeps or gets AUTOINCREMENT, or has no such key afterwards, is not noted")
  func others() throws {
    #expect(try notes(from: Self.counted, to: Self.counted + "CREATE INDEX i ON t (a);").isEmpty)
    #expect(try notes(from: Self.plain, to: Self.counted).isEmpty)
    #expect(try notes(from: Self.counted, to: "CREATE TABLE t (id INTEGER, a TEXT);").isEmpty)
    #expect(try notes(from: Self.counted, to: "CREATE TABLE u (a TEXT);").isEmpty)
  }
}

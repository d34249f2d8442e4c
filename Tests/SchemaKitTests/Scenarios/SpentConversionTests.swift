import Testing

@testable import SchemaKit

@Suite("Conversions that have been done")
struct SpentConversionTests {
  private static let old = "CREATE TABLE people (id INTEGER PRIMARY KEY, active TEXT);"

  private static func target(_ type: String, _ hint: String = "convert active = 'yes'", more: String = "") -> String {
    """
    CREATE TABLE people (
      id INTEGER PRIMARY KEY,
      active \(type)\(more) -- schemakit: \(hint)
    );
    """
  }

  private func converted() throws -> TemporaryDatabase {
    let file = try TemporaryDatabase(Self.old + "INSERT INTO people VALUES (1, 'yes'), (2, 'no');")
    try file.migrate(to: Self.target("INTEGER"), allowing: .lossless)
    #expect(try file.query("SELECT active FROM people ORDER BY id") == [[.int(1)], [.int(0)]])
    return file
  }

  @Test(
    "a hint that stays in the schema does not convert its own results at the next change",
    arguments: [("BOOLEAN", ""), ("INTEGER", " UNIQUE"), ("REAL", "")])
  func staysBehind(type: String, more: String) throws {
    let file = try converted()
    try file.migrate(to: Self.target(type, more: more), allowing: .lossless)
    #expect(
      try file.query("SELECT active = 1, active = 0 FROM people ORDER BY id") == [
        [.int(1), .int(0)], [.int(0), .int(1)],
      ])
    try file.expectSettled(at: Self.target(type, more: more))
  }

  @Test("a hint that stays behind in a table that gets another name is done as well")
  func renamedTable() throws {
    let file = try converted()
    let target = """
      CREATE TABLE members ( -- schemakit: renamed from people
        id INTEGER PRIMARY KEY,
        active REAL -- schemakit: convert active = 'yes'
      );
      """
    try file.migrate(to: target, allowing: .lossless)
    #expect(try file.query("SELECT active = 1 FROM members ORDER BY id") == [[.int(1)], [.int(0)]])
  }

  @Test("another conversion of the same column is done")
  func another() throws {
    let file = try converted()
    try file.migrate(
      to: Self.target("TEXT", "convert CASE active WHEN 1 THEN 'on' ELSE 'off' END"), allowing: .lossless)
    #expect(try file.query("SELECT active FROM people ORDER BY id") == [[.text("on")], [.text("off")]])
  }
}

import CSQLite
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

/// A plan is proved on a clone of the catalog, which makes up collations and functions. What only the clone has must not
/// hide that SQLite would refuse the step on the file.
@Suite("What the program lacks and a step needs")
struct EnvironmentCheckTests {
  static let pets = "CREATE TABLE pet (id INTEGER PRIMARY KEY, name TEXT, age INTEGER);"
  static let cities = """
    CREATE TABLE city (id INTEGER PRIMARY KEY, name TEXT); CREATE INDEX cities ON city (name COLLATE german);
    """

  /// A file with an index whose order only another program knows.
  private func withForeignIndex() throws -> TemporaryDatabase {
    let database = try TemporaryDatabase(
      Self.pets + Self.cities.replacing("german", with: "nocase") + "INSERT INTO pet VALUES (1, 'Rex', 7)")
    try database.exec(
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_master SET sql = replace(sql, 'nocase', 'german') WHERE name = 'cities';
      """)
    return database
  }

  private static func renamed(_ sql: String) throws -> TargetSchema {
    try TemporaryDatabase.target(sql + cities)
  }

  static let refused: [(String, String)] = [
    ("CREATE TABLE cat ( -- schemakit: renamed from pet\nid INTEGER PRIMARY KEY, name TEXT, age INTEGER);", "cat"),
    (pets + "CREATE INDEX pets ON pet (name COLLATE german);", "pets"),
  ]

  @Test("a new name for a table and a new index are blocked where a collation is missing", arguments: refused)
  func blocked(sql: String, object: String) throws {
    let database = try withForeignIndex()
    let bytes = try database.bytes
    let plan = try database.plan(to: sql + Self.cities)
    let hazard = try #require(plan.hazards.first { $0.code == .unsupportedEngine })
    #expect(hazard.table == object)
    #expect(hazard.message.contains("lacks the collation german"))
    #expect(hazard.remedy?.contains("german") == true)
    #expect(!plan.refusals(under: .everything).isEmpty)
    #expect(throws: PlanError.self) { try database.migrate(to: sql + Self.cities, allowing: .everything) }
    #expect(try database.bytes == bytes)
  }

  static let otherwise = [
    "CREATE TABLE pet (id INTEGER PRIMARY KEY, title TEXT, -- schemakit: renamed from name\nage INTEGER);",
    "CREATE TABLE pet (id INTEGER PRIMARY KEY, name TEXT, age TEXT);",
    "CREATE TABLE pet (id INTEGER PRIMARY KEY, name TEXT);",
  ]

  @Test(
    "a column is renamed, dropped or gets another type by an edit of the catalog", .needs(.catalogReset),
    arguments: otherwise)
  func byCatalog(sql: String) throws {
    let database = try withForeignIndex()
    try database.migrate(to: sql + Self.cities, allowing: .everything)
    #expect(try database.plan(to: sql + Self.cities).isEmpty)
    #expect(try database.query("SELECT id FROM pet") == [[.int(1)]])
  }

  static let unhindered = [
    "CREATE TABLE pet (id INTEGER PRIMARY KEY, name TEXT, age INTEGER, note TEXT);",
    "CREATE TABLE pet (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER);",
    pets + "CREATE INDEX ages ON pet (age);", pets + "CREATE TABLE toy (id INTEGER PRIMARY KEY);",
  ]

  @Test("what SQLite does all the same is planned and applied", arguments: unhindered)
  func applied(sql: String) throws {
    let database = try withForeignIndex()
    #expect(try database.plan(to: sql + Self.cities).hazards.allSatisfy(\.isNote))
    try database.migrate(to: sql + Self.cities)
    #expect(try database.plan(to: sql + Self.cities).isEmpty)
    #expect(try database.value("SELECT name FROM pet") == .text("Rex"))
  }

  @Test("a program that has the collation, or adds it when it is named, is not hindered", arguments: [false, true])
  func present(isLate: Bool) throws {
    let database = try withForeignIndex()
    let connection = try database.connection()
    if isLate {
      sqlite3_collation_needed(connection.handle, nil) { _, handle, _, name in
        sqlite3_create_collation(handle, name, SQLITE_UTF8, nil) { _, _, _, _, _ in 0 }
      }
    } else {
      sqlite3_create_collation(connection.handle, "german", SQLITE_UTF8, nil) { _, _, _, _, _ in 0 }
    }
    let target = try Self.renamed(Self.refused[0].0)
    #expect(try Change(over: connection, to: target, .init()).plan().hazards.isEmpty)
    _ = try Change(over: connection, to: target, .init()).apply()
    #expect(try database.value("SELECT name FROM cat") == .text("Rex"))
  }

  @Test("a CHECK that calls a function which is missing blocks only a change that has to ask it about the rows")
  func function() throws {
    let database = try TemporaryDatabase(
      "CREATE TABLE t (a TEXT, b INTEGER CHECK (b > 0)); INSERT INTO t VALUES (1, 1)")
    try database.exec(
      "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, 'b > 0', 'sound(b)')")
    let copied = "CREATE TABLE t (a BLOB, b INTEGER CHECK (sound(b)))"
    #expect(try database.plan(to: copied, strategy: .rebuild).hazards.allSatisfy { $0.hazardClass == .note })
    let typed = try database.plan(to: copied, strategy: .alter)
    #expect(typed.hazards.contains { $0.code == .unsupportedEngine && $0.message.contains("lacks the function sound") })
    let asked = try database.plan(to: "CREATE TABLE t (a BLOB CHECK (sound(a)), b INTEGER CHECK (sound(b)))")
    #expect(asked.hazards.contains { $0.hazardClass == .blocked })
    #expect(
      try database.plan(to: "CREATE TABLE t (a TEXT, b INTEGER CHECK (sound(b)), c)").hazards.allSatisfy(\.isNote))
  }

  @Test("between two texts there is no program that could lack anything")
  func texts() throws {
    let connection = try SQLiteConnection.memory()
    try connection.installCollationStubs()
    try connection.execute(Self.pets + Self.cities)
    let target = try Self.renamed(Self.refused[0].0)
    #expect(try Change(over: connection, to: target, .init()).plan().hazards.isEmpty)
  }
}

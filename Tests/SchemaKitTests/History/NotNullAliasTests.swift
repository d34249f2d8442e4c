import Testing

@testable import SQLiteSchema
@testable import SchemaKit

/// NOT NULL beside INTEGER PRIMARY KEY, which SQLite reads and gives no meaning.
@Suite("NOT NULL of a rowid's other name")
struct NotNullAliasTests {
  private static let plain = "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT);"
  private static let strict = "CREATE TABLE t (id INTEGER PRIMARY KEY NOT NULL, v TEXT);"
  private static let rows = "INSERT INTO t VALUES (1, 'a'), (5, NULL);"

  @Test("SQLite takes NULL there for the next number", arguments: [plain, strict])
  func engine(sql: String) throws {
    let file = try TemporaryDatabase(sql + Self.rows + "INSERT INTO t VALUES (NULL, 'c');")
    #expect(try file.query("SELECT id FROM t WHERE v = 'c'") == [[.int(6)]])
  }

  @Test(
    "either declaration fits a file with the other, which is left as it is",
    arguments: [(plain, strict), (strict, plain)])
  func noChange(stored: String, declared: String) throws {
    let file = try TemporaryDatabase(stored + Self.rows)
    let sql = try file.value("SELECT sql FROM sqlite_master WHERE name = 't'")
    #expect(try file.plan(to: declared).isEmpty)
    #expect(try file.migrate(to: declared).outcome == .baselined)
    #expect(try file.migrate(to: stored).outcome == .unchanged)
    #expect(try file.value("SELECT sql FROM sqlite_master WHERE name = 't'") == sql)
    #expect(try file.value("SELECT count(*) FROM _schemakit_history") == .int(1))
  }

  @Test("a model opens a file that says NOT NULL without migrating it")
  func model() throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE pets (id INTEGER PRIMARY KEY NOT NULL, name TEXT NOT NULL);" + Pets.rows)
    let session = try Session(at: file.path, schema: Pets.one)
    #expect(session.outcome == .baselined)
    #expect(session.plan?.isEmpty == true)
    #expect(try Session(at: file.path, schema: Pets.one).isWarm)
  }

  @Test("a NOT NULL that means something is a change", arguments: ["INT PRIMARY KEY", "INTEGER PRIMARY KEY DESC"])
  func realChange(type: String) throws {
    let file = try TemporaryDatabase("CREATE TABLE t (id \(type), v TEXT); INSERT INTO t VALUES (1, 'a');")
    let plan = try file.migrate(to: "CREATE TABLE t (id \(type) NOT NULL, v TEXT);").plan
    #expect(plan.steps.map(\.strategy) == [.catalog])
    #expect(throws: RawSQLiteError.self) { try file.exec("INSERT INTO t VALUES (NULL, 'b')") }
  }
}

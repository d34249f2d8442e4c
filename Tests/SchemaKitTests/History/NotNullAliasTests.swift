import Testing

@testable import SchemaKit

/// NOT NULL beside INTEGER PRIMARY KEY, which SQLite reads and gives no meaning.
@Suite("NOT NULL of a rowid's other name")
struct NotNullAliasTests {
  private static let plain = "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT);"
  private static let strict = "CREATE TABLE t (id INTEGER PRIMARY KEY NOT NULL, v TEXT);"
  private static let rows = "INSERT INTO t VALUES (1, 'a'), (5, NULL);"

  /// Gives a ledger the fingerprints that versions wrote which told the two declarations apart.
  private func makeOld(_ file: TemporaryDatabase) throws {
    let schema = try SchemaReader.read(try SQLiteConnection(path: file.path))
    let (present, former) = (Fingerprint.of(schema), try #require(Fingerprint.former(of: schema)))
    func replaced(_ column: String) -> String { "\(column) = replace(\(column), '\(present)', '\(former)')" }
    try file.exec(
      """
      UPDATE _schemakit_schemas SET \(replaced("fingerprint"));
      UPDATE _schemakit_history SET \(replaced("from_fingerprint")), \(replaced("to_fingerprint")), \(replaced("undo"));
      """)
  }

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

  @Test(
    "a ledger of an older version is no newer file, gets no entry, and keeps its fingerprints",
    arguments: [strict, plain])
  func oldLedger(declared: String) throws {
    let file = try TemporaryDatabase()
    try file.migrate(to: Self.strict)
    try makeOld(file)
    let before = try file.query("SELECT fingerprint FROM _schemakit_schemas")
    try file.exec("CREATE TABLE other (a); DROP TABLE other;")
    #expect(try file.migrate(to: declared).outcome == .unchanged)
    #expect(try file.query("SELECT fingerprint FROM _schemakit_schemas") == before)
    #expect(try file.value("SELECT count(*) FROM _schemakit_history") == .int(1))
  }

  @Test("a file that an older version took from one declaration to the other is no newer file")
  func oldRebuild() throws {
    let file = try TemporaryDatabase()
    try file.migrate(to: Self.plain)
    try file.migrate(to: Self.plain.replacing("v TEXT", with: "v TEXT, w"))
    // What an older version did for the NOT NULL alone.
    try file.exec("DROP TABLE t; \(Self.strict)")
    let former = try #require(Fingerprint.former(of: TemporaryDatabase.target(Self.strict).schema))
    try file.exec(
      """
      UPDATE _schemakit_schemas SET fingerprint = '\(former)';
      UPDATE _schemakit_history SET to_fingerprint = '\(former)' WHERE id = 2;
      """)
    #expect(try file.migrate(to: Self.plain).outcome == .unchanged)
    #expect(try file.value("SELECT count(*) FROM _schemakit_history") == .int(2))
  }

  @Test("a program that is really older than the file of an older version is refused")
  func newerFile() throws {
    let file = try TemporaryDatabase()
    try file.migrate(to: Self.strict)
    try makeOld(file)
    let wider = Self.strict.replacing("v TEXT", with: "v TEXT, w")
    try file.migrate(to: wider)
    #expect(throws: HistoryError.self) { try file.migrate(to: Self.strict, allowing: .destructive) }
    let downgrade = PlanPolicy(allowing: PlanPolicy.destructive.allowances, allowsDowngrade: true)
    try file.migrate(to: Self.strict, allowing: downgrade)
    // The newer schema has left the line, so that it may come again.
    #expect(try file.migrate(to: wider).outcome == .applied)
  }

  @Test("a change that an older version made can be undone")
  func undo() throws {
    let file = try TemporaryDatabase(Self.strict + Self.rows)
    let wider = Self.strict.replacing("v TEXT", with: "v TEXT, w")
    try file.migrate(to: wider)
    try makeOld(file)
    try MigrationUndo(at: file.path).apply()
    #expect(try file.query("SELECT * FROM t") == [[.int(1), .text("a")], [.int(5), .null]])
  }
}

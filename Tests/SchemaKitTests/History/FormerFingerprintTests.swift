import Testing

@testable import SQLiteSchema
@testable import SchemaKit

/// Two spellings of one schema, which older versions gave two fingerprints.
@Suite("Fingerprints of the former form")
struct FormerFingerprintTests {
  private static let short =
    "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE t (id INTEGER PRIMARY KEY, a REFERENCES p);"
  private static let long = """
    CREATE TABLE p (id INTEGER PRIMARY KEY UNIQUE); CREATE TABLE t (id INTEGER PRIMARY KEY, a REFERENCES p (id));
    """
  private static let wider = long.replacing("a REFERENCES", with: "w, a REFERENCES")

  /// Gives a ledger the fingerprints that older versions wrote.
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

  @Test("both spellings have one fingerprint, and the plain one has no former one")
  func spellings() throws {
    let (short, long) = (try SchemaText.schema(Self.short), try SchemaText.schema(Self.long))
    #expect(Fingerprint.of(short) == Fingerprint.of(long))
    #expect(Fingerprint.former(of: short) == nil)
    #expect(Fingerprint.former(of: long) != nil)
  }

  @Test(
    "a ledger of an older version is not a newer file, gets no entry, and keeps its fingerprints",
    arguments: [long, short])
  func oldLedger(declared: String) throws {
    let file = try TemporaryDatabase()
    try file.migrate(to: Self.long)
    try makeOld(file)
    let before = try file.query("SELECT fingerprint FROM _schemakit_schemas")
    try file.exec("CREATE TABLE other (a); DROP TABLE other;")
    #expect(try file.migrate(to: declared).outcome == .unchanged)
    #expect(try file.query("SELECT fingerprint FROM _schemakit_schemas") == before)
    #expect(try file.value("SELECT count(*) FROM _schemakit_history") == .int(1))
  }

  @Test("a file that an older version took from one declaration to the other is not a newer file")
  func oldRebuild() throws {
    let file = try TemporaryDatabase()
    try file.migrate(to: Self.short)
    try file.migrate(to: Self.wider)
    // What an older version did for the spelling alone.
    try file.exec("DROP TABLE t; DROP TABLE p; \(Self.long)")
    let former = try #require(Fingerprint.former(of: TemporaryDatabase.target(Self.long).schema))
    try file.exec(
      """
      UPDATE _schemakit_schemas SET fingerprint = '\(former)';
      UPDATE _schemakit_history SET to_fingerprint = '\(former)' WHERE id = 2;
      """)
    #expect(try file.migrate(to: Self.short).outcome == .unchanged)
    #expect(try file.value("SELECT count(*) FROM _schemakit_history") == .int(2))
  }

  @Test("a program that is really older than the file of an older version is refused")
  func newerFile() throws {
    let file = try TemporaryDatabase()
    try file.migrate(to: Self.long)
    try makeOld(file)
    try file.migrate(to: Self.wider)
    #expect(throws: HistoryError.self) { try file.migrate(to: Self.long, allowing: .destructive) }
    let downgrade = PlanPolicy(allowing: PlanPolicy.destructive.allowances, allowsDowngrade: true)
    try file.migrate(to: Self.long, allowing: downgrade)
    // The newer schema has left the line, so that it may come again.
    #expect(try file.migrate(to: Self.wider).outcome == .applied)
  }

  @Test("a change that an older version made can be undone")
  func undo() throws {
    let file = try TemporaryDatabase(Self.long + "INSERT INTO p VALUES (1); INSERT INTO t VALUES (1, 1), (5, NULL);")
    try file.migrate(to: Self.wider)
    try makeOld(file)
    try MigrationUndo(at: file.path).apply()
    #expect(try file.query("SELECT * FROM t") == [[.int(1), .int(1)], [.int(5), .null]])
  }
}

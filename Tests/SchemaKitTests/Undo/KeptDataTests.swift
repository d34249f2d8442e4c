import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitReports

@Suite("Discarding what was kept")
struct KeptDataTests {
  private static let start = """
    CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT, w); CREATE TABLE gone (a);
    INSERT INTO t VALUES (1, 'a', NULL), (2, 'b', 5); INSERT INTO gone VALUES (7), (8), (9);
    """
  private static let end = "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT);"

  private func file() throws -> TemporaryDatabase {
    let file = try TemporaryDatabase(Self.start)
    try file.migrate(to: Self.end, allowing: .keepingEverything)
    return file
  }

  @Test("what is kept is listed by what it was, with its rows and its entry")
  func items() throws {
    let file = try file()
    let items = try KeptData(at: file.path).items
    #expect(items.map(\.object) == ["gone", "t.w"])
    #expect(items.map(\.rows) == [3, 1])
    #expect(items.map(\.entry) == [1, 1])
    #expect(items.map(\.storage) == ["_schemakit_kept_1", "_schemakit_kept_2"])
    let other = try TemporaryDatabase(Self.start)
    #expect(try KeptData(at: other.path).items.isEmpty)
  }

  @Test("nothing of it is left, and undo loses and says the same as if it had never been kept")
  func discard() throws {
    let file = try file()
    let twin = try TemporaryDatabase(Self.start)
    try twin.migrate(to: Self.end, allowing: .destructive)
    #expect(try MigrationUndo(at: file.path).losses.isEmpty)
    try KeptData(at: file.path).discard()
    #expect(try file.query("SELECT name FROM sqlite_master WHERE name GLOB '_schemakit_kept_*'").isEmpty)
    #expect(try KeptData(at: file.path).items.isEmpty)
    let undo = try MigrationUndo(at: file.path)
    #expect(undo.losses == ["3 rows of table gone are gone.", "The values of column t.w in 1 row are gone."])
    #expect(try undo.losses.sorted() == MigrationUndo(at: twin.path).losses.sorted())
    try undo.apply()
    try MigrationUndo(at: twin.path).apply()
    #expect(try file.query("SELECT id, v, w FROM t") == [[.int(1), .text("a"), .null], [.int(2), .text("b"), .null]])
    #expect(try file.contents().sorted() == twin.contents().sorted())
    #expect(try file.query("PRAGMA integrity_check") == [[.text("ok")]])
  }

  @Test("what a script has kept belongs to no change, and no undo of another one drops it", .needs(.catalogReset))
  func script() throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE p (id INTEGER PRIMARY KEY, a, b, c); INSERT INTO p VALUES (1, 'a', 'b', 'c')")
    let connection = try SQLiteConnection.openedForInspection(path: file.path)
    let target = try TemporaryDatabase.target("CREATE TABLE p (id INTEGER PRIMARY KEY, a, b)")
    let plan = try Change(over: connection, to: target, ChangeRequest(allowing: .keepingEverything)).plan()
    let script = PlanReport(plan, database: "p.db", policy: .keepingEverything).sql()
    #expect(!script.contains("comes back when the change is undone"))
    #expect(script.contains("undo does not bring back what it keeps. It stands in _schemakit_kept_1."))
    try file.exec(script.withoutShellCommands)
    try file.migrate(to: "CREATE TABLE p (id INTEGER PRIMARY KEY, a)", allowing: .keepingEverything)
    #expect(try KeptData(at: file.path).items.map(\.entry) == [nil, 1])
    let schema = try SchemaReader.read(connection)
    #expect(
      try LedgerExamination(connection: connection, schema: schema).findings().findings.first?.message
        .hasSuffix("No entry of the history knows of p.c: no undo brings it back.") == true)
    try MigrationUndo(at: file.path).apply()
    #expect(try file.query("SELECT id, a, b FROM p") == [[.int(1), .text("a"), .text("b")]])
    #expect(try file.query("SELECT * FROM _schemakit_kept_1") == [[.int(1), .text("c")]])
  }

  @Test("the history says what was discarded, and the file stays known")
  func history() throws {
    let file = try file()
    try KeptData(at: file.path).discard()
    let summary = try #require(try SchemaInspector(at: file.path).history().last?.summary)
    #expect(
      summary.hasSuffix(
        "\ndiscard 3 rows of gone kept in _schemakit_kept_1\ndiscard 1 value of t.w kept in _schemakit_kept_2"))
    #expect(
      try file.value("SELECT cookie FROM _schemakit_schemas") == file.value("SELECT * FROM pragma_schema_version"))
    #expect(try file.migrate(to: Self.end).outcome == .unchanged)
  }

  @Test("what is kept by a later change has a number of its own and is kept as before")
  func keepAgain() throws {
    let file = try file()
    try KeptData(at: file.path).discard()
    try file.migrate(to: "CREATE TABLE t (id INTEGER PRIMARY KEY);", allowing: .keepingEverything)
    #expect(try KeptData(at: file.path).items.map(\.object) == ["t.v"])
    try MigrationUndo(at: file.path).apply()
    #expect(try file.query("SELECT v FROM t") == [[.text("a")], [.text("b")]])
  }

  @Test("only what was found is thrown away: if something else is kept by now, all of it stays")
  func changedMeanwhile() throws {
    let file = try file()
    let kept = try KeptData(at: file.path)
    try file.exec("INSERT INTO _schemakit_kept_1 SELECT * FROM _schemakit_kept_1")
    let before = try file.bytes
    #expect(throws: HistoryError(reason: .keptDataChanged)) { try kept.discard() }
    #expect(try file.bytes == before)
  }

  @Test("a failure on the way leaves everything as it was")
  func failure() throws {
    let file = try file()
    try file.exec(
      """
      CREATE TRIGGER _schemakit_fault BEFORE DELETE ON _schemakit_kept WHEN old.number = 2
      BEGIN SELECT RAISE(ABORT, 'no'); END
      """)
    let before = try file.bytes
    #expect(throws: SQLiteError.self) { try KeptData(at: file.path).discard() }
    #expect(try file.bytes == before)
    #expect(try MigrationUndo(at: file.path).losses.isEmpty)
  }

  @Test("a locked file is left alone")
  func locked() throws {
    let file = try file()
    let kept = try KeptData(at: file.path, busyTimeout: 0.05)
    let other = try file.reopened()
    defer { other.close() }
    try other.exec("BEGIN IMMEDIATE")
    #expect {
      try kept.discard()
    } throws: {
      ($0 as? SQLiteError)?.isBusy == true
    }
    try other.exec("ROLLBACK")
    #expect(try KeptData(at: file.path).items.count == 2)
  }
}

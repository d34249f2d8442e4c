import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("UndoTests: a table that took the name of another in the same change")
struct ReplacedTableUndoTests {
  private static let start = """
    CREATE TABLE page (id INTEGER PRIMARY KEY AUTOINCREMENT, body TEXT);
    CREATE TABLE link (id INTEGER PRIMARY KEY, page INTEGER REFERENCES page ON DELETE CASCADE);
    CREATE TABLE log (message);
    CREATE INDEX page_by_body ON page (body);
    CREATE VIEW bodies AS SELECT body FROM page;
    CREATE TRIGGER page_logged AFTER INSERT ON page BEGIN INSERT INTO log VALUES (new.body); END;
    INSERT INTO page VALUES (1, 'a'), (7, 'b');
    INSERT INTO link VALUES (1, 7), (2, 1);
    """

  /// `page` becomes `old_page`, and another `page` takes its place below the link, the view and the trigger.
  private static let changed = """
    CREATE TABLE old_page ( -- schemakit: renamed from page
      id INTEGER PRIMARY KEY AUTOINCREMENT, body TEXT);
    CREATE TABLE page (id INTEGER PRIMARY KEY, title TEXT UNIQUE, body TEXT);
    CREATE TABLE link (id INTEGER PRIMARY KEY, page INTEGER REFERENCES old_page ON DELETE CASCADE, other REFERENCES page);
    CREATE TABLE log (message);
    CREATE INDEX page_by_title ON page (title);
    CREATE INDEX page_by_body ON old_page (body);
    CREATE VIEW bodies AS SELECT body FROM page;
    CREATE TRIGGER page_logged AFTER INSERT ON page BEGIN INSERT INTO log VALUES (new.title); END;
    """

  private func changedFile() throws -> (file: TemporaryDatabase, before: [String]) {
    let file = try TemporaryDatabase(Self.start)
    let before = try file.rowsAndColumns()
    try file.migrate(to: Self.changed)
    #expect(try file.query("SELECT id, body FROM old_page").count == 2)
    return (file, before)
  }

  @Test("goes with its rows, by consent under its own name, and the other comes back with all of its own")
  func goesByConsent() throws {
    let (file, before) = try changedFile()
    try file.exec("INSERT INTO page VALUES (5, 'new', 'c'), (6, 'newer', 'd')")
    try file.exec("DELETE FROM log WHERE message GLOB 'new*'")
    let bytes = try file.bytes
    let error = #expect(throws: PlanError.self) { try MigrationUndo(at: file.path).apply() }
    guard case .refused(_, let hazards) = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(hazards.map { "\($0.code.rawValue) \($0.object) \($0.count ?? 0)" } == ["SK101 page 2"])
    #expect(try file.bytes == bytes)
    let consent = PlanPolicy(allowing: [PlanPolicy.Allowance(.code(.droppedTable), table: "page")])
    _ = try MigrationUndo(at: file.path).apply(allowing: consent)
    #expect(try file.rowsAndColumns() == before)
    #expect(try file.value("SELECT seq FROM sqlite_sequence WHERE name = 'page'") == .int(7))
    #expect(try file.query("PRAGMA foreign_key_check").isEmpty)
    #expect(try file.query("PRAGMA integrity_check") == [[.text("ok")]])
    #expect(try file.query("SELECT name FROM sqlite_master WHERE name GLOB '*former*'").isEmpty)
    try file.exec("PRAGMA foreign_keys = ON; DELETE FROM page WHERE id = 7")
    try file.exec("INSERT INTO page (body) VALUES ('e')")
    #expect(try file.query("SELECT id FROM link") == [[.int(2)]])
    #expect(try file.query("SELECT message FROM log").last == [.text("e")])
    try file.migrate(to: Self.changed)
  }

  @Test("is told from the other where the same words refer to it, and rows that would lose their parent stop the undo")
  func referencesInTheSameWords() throws {
    let file = try TemporaryDatabase(
      """
      CREATE TABLE page (id INTEGER PRIMARY KEY); INSERT INTO page VALUES (1);
      CREATE TABLE link (id INTEGER PRIMARY KEY, page REFERENCES page);
      """)
    try file.migrate(
      to: """
        CREATE TABLE old_page ( -- schemakit: renamed from page
          id INTEGER PRIMARY KEY);
        CREATE TABLE page (id INTEGER PRIMARY KEY);
        CREATE TABLE link (id INTEGER PRIMARY KEY, page REFERENCES page);
        """)
    try file.exec("INSERT INTO page VALUES (1), (2); INSERT INTO link VALUES (1, 1), (2, 2)")
    let bytes = try file.bytes
    let plan = try MigrationUndo(at: file.path).plan()
    #expect(plan.hazards.filter { $0.code == .orphans }.map { "\($0.object) \($0.count ?? 0)" } == ["link.page 1"])
    #expect(throws: PlanError.self) { try MigrationUndo(at: file.path).apply(allowing: .everything) }
    #expect(try file.bytes == bytes)
    try file.exec("DELETE FROM link WHERE id = 2")
    _ = try MigrationUndo(at: file.path).apply(allowing: .everything)
    #expect(try file.query("SELECT * FROM link JOIN page ON page.id = link.page").count == 1)
  }

  @Test("needs no consent while it is empty")
  func empty() throws {
    let (file, before) = try changedFile()
    _ = try MigrationUndo(at: file.path).apply()
    #expect(try file.rowsAndColumns() == before)
  }

  @Test("is put aside with its rows where the undo keeps what it drops")
  func kept() throws {
    let (file, _) = try changedFile()
    try file.exec("INSERT INTO page VALUES (5, 'new', 'c')")
    _ = try MigrationUndo(at: file.path).apply(allowing: .keepingEverything)
    #expect(try file.query("SELECT id, body FROM page").count == 2)
    #expect(try file.value("SELECT \"table\" FROM _schemakit_kept") == .text("page"))
    let number = try #require(file.value("SELECT number FROM _schemakit_kept")?.integer)
    #expect(try file.query("SELECT * FROM _schemakit_kept_\(number)").count == 1)
  }

  @Test("goes as well where the renames form a chain")
  func chain() throws {
    let file = try TemporaryDatabase(
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY, v TEXT NOT NULL); INSERT INTO a VALUES (1, 'from a');
      CREATE TABLE b (id INTEGER PRIMARY KEY, w TEXT, up REFERENCES b); INSERT INTO b VALUES (1, 'from b', 1);
      """)
    let before = try file.rowsAndColumns()
    try file.migrate(
      to: """
        CREATE TABLE c ( -- schemakit: renamed from b
          id INTEGER PRIMARY KEY, w TEXT, up REFERENCES c);
        CREATE TABLE b ( -- schemakit: renamed from a
          id INTEGER PRIMARY KEY, v TEXT NOT NULL);
        CREATE TABLE a (id INTEGER PRIMARY KEY);
        """)
    #expect(try file.query("SELECT v FROM b") == [[.text("from a")]])
    _ = try MigrationUndo(at: file.path).apply()
    #expect(try file.rowsAndColumns() == before)
  }

  @Test("goes as well where it is virtual, in an undo and in a change forward")
  func virtualTable() throws {
    let file = try TemporaryDatabase("CREATE TABLE a (id INTEGER PRIMARY KEY, v TEXT); INSERT INTO a VALUES (1, 'x')")
    let before = try file.rowsAndColumns()
    let changed = """
      CREATE TABLE old_a ( -- schemakit: renamed from a
        id INTEGER PRIMARY KEY, v TEXT);
      CREATE VIRTUAL TABLE a USING fts5(v);
      """
    try file.migrate(to: changed)
    try file.exec("INSERT INTO a VALUES ('found')")
    let error = #expect(throws: PlanError.self) { try MigrationUndo(at: file.path).apply() }
    guard case .refused(_, let hazards) = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(hazards.map { "\($0.code.rawValue) \($0.object) \($0.count ?? 0)" } == ["SK101 a 1"])
    _ = try MigrationUndo(at: file.path).apply(allowing: .everything)
    #expect(try file.rowsAndColumns() == before)
    try file.migrate(to: changed)
    try file.migrate(
      to: "CREATE TABLE a ( -- schemakit: renamed from old_a\n id INTEGER PRIMARY KEY, v TEXT)", allowing: .everything)
    #expect(try file.rowsAndColumns() == before)
  }

  @Test("stays where nothing of the schema made it, and the undo is refused by its name")
  func ofSomebodyElse() throws {
    let file = try TemporaryDatabase("CREATE TABLE a (id INTEGER PRIMARY KEY); INSERT INTO a VALUES (1)")
    try file.migrate(to: "CREATE TABLE b ( -- schemakit: renamed from a\n id INTEGER PRIMARY KEY)")
    try file.exec("CREATE TABLE a (of_another); INSERT INTO a VALUES (2)")
    let bytes = try file.bytes
    let error = #expect(throws: HistoryError.self) { try MigrationUndo(at: file.path) }
    #expect("\(String(describing: error))".contains("a is another table now than before"))
    #expect(try file.bytes == bytes)
  }
}

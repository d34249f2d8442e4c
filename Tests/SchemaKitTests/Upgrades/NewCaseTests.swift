import Foundation
import Testing

@Suite("A new case of a test of upgrades")
struct NewCaseTests {
  private static let schema = """
    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, born DATE);
    CREATE TABLE book (
      id INTEGER PRIMARY KEY, author INTEGER NOT NULL REFERENCES author, "the title" TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('new', 'old')), pages INTEGER CHECK (pages >= 50),
      size INTEGER GENERATED ALWAYS AS (pages * 2));
    CREATE TABLE part (book INTEGER REFERENCES book (id), number INTEGER, parent INTEGER REFERENCES part (number),
      PRIMARY KEY (book, number), UNIQUE (number)) WITHOUT ROWID;
    CREATE TABLE odd (n INTEGER NOT NULL CHECK (n = 12345 * n + 7));
    CREATE TABLE log (entry TEXT);
    CREATE UNIQUE INDEX by_title ON book ("the title") WHERE state = 'new';
    CREATE VIEW titles AS SELECT "the title" FROM book;
    CREATE TRIGGER added AFTER INSERT ON book BEGIN INSERT INTO log VALUES (new."the title"); END;
    """

  private func scene() throws -> CommandFolder {
    let folder = try CommandFolder()
    try folder.database(
      "app.db",
      Self.schema + """
        INSERT INTO author VALUES (10, 'A secret name', NULL);
        INSERT INTO book (id, author, "the title", state, pages) VALUES (20, 10, 'A secret title', 'new', 500);
        """)
    return folder
  }

  @Test("has the schema and rows that its rules accept, and no value of the database")
  func rows() throws {
    let folder = try scene()
    let run = try folder.run("test", "new", "app.db")
    #expect(run.status == 0 && run.output == "upgrades/app/before.sql\nupgrades/app/expect.sql\n", "\(run.errors)")
    #expect(run.errors.contains("No row of odd could be made up"))
    let before = try String(contentsOf: folder.url("upgrades/app/before.sql"), encoding: .utf8)
    #expect(!before.contains("secret") && !before.contains("500"))
    #expect(before.contains("-- No row of odd could be made up"))
    try folder.database("made.db", before)
    #expect(
      try folder.rows(of: "made.db", "SELECT count(*) FROM book WHERE pages IS NULL OR pages >= 50") == [[.int(3)]])
    #expect(try folder.rows(of: "made.db", "SELECT count(*) FROM part").first?.first != .int(0))
    #expect(try folder.rows(of: "made.db", "PRAGMA foreign_key_check").isEmpty)
    // Whoever tests it against its own schema sees it pass.
    let tested = try folder.run("test", "--to", "app.db")
    #expect(tested.status == 0 && tested.output.contains("5 expectations"), "\(tested.output)\(tested.errors)")
  }

  @Test("is the same whenever it is written")
  func deterministic() throws {
    let folder = try scene()
    #expect(try folder.run("test", "new", "app.db", "cases/1").status == 0)
    #expect(try folder.run("test", "new", "app.db", "cases/2").status == 0)
    for name in ["before.sql", "expect.sql"] {
      #expect(try folder.bytes("cases/1/\(name)") == folder.bytes("cases/2/\(name)"))
    }
  }

  @Test("never takes the place of a case that is there")
  func overwriting() throws {
    let folder = try scene()
    #expect(try folder.run("test", "new", "app.db", "cases/1.0").status == 0)
    try folder.write("mine", to: "cases/1.0/before.sql")
    let run = try folder.run("test", "new", "app.db", "cases/1.0")
    #expect(run.status == 1 && run.errors.contains("such as cases/2.0"), "\(run.errors)")
    #expect(try folder.bytes("cases/1.0/before.sql") == Data("mine".utf8))
    #expect(try folder.run("test", "new", "app.db", "app.db").status == 1)
  }

  @Test("needs a database with tables")
  func nothing() throws {
    let folder = try CommandFolder()
    try folder.database("empty.db", "PRAGMA user_version = 1")
    try folder.write("CREATE TABLE t (a);", to: "t.sql")
    for (name, words) in [
      ("gone.db", "does not exist"), ("empty.db", "has no table"), ("t.sql", "not an SQLite database"),
    ] {
      let run = try folder.run("test", "new", name, "case")
      #expect(run.status == 1 && run.errors.contains(words), "\(run.errors)")
      #expect(!folder.exists("case"))
    }
    #expect(try folder.run("test", "new").status == 64)
  }

  @Test("is filled through the triggers of a full-text index", .needs(.fts5))
  func fullText() throws {
    let folder = try CommandFolder()
    try folder.database(
      "notes.db",
      """
      CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT);
      CREATE VIRTUAL TABLE search USING fts5 (body, content = 'note', content_rowid = 'id');
      CREATE TRIGGER note_added AFTER INSERT ON note BEGIN
        INSERT INTO search (rowid, body) VALUES (new.id, new.body);
      END;
      """)
    let run = try folder.run("test", "new", "notes.db")
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    #expect(try folder.run("test", "--to", "notes.db").status == 0)
  }
}

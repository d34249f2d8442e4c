import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("First steps")
struct FirstStepsTests {
  @Test("an empty file gets the declared schema, and a second plan is empty")
  func createsSchema() throws {
    let database = try TemporaryDatabase()
    let sql = """
      CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
      CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, author_id INTEGER REFERENCES author);
      CREATE INDEX book_title ON book (title);
      CREATE VIEW titles AS SELECT title FROM book;
      CREATE TRIGGER book_added AFTER INSERT ON book BEGIN UPDATE author SET name = name WHERE id = new.author_id; END;
      """
    let report = try database.migrate(to: sql)
    #expect(report.outcome == .applied)
    #expect(try database.plan(to: sql).isEmpty)
    #expect(try database.migrate(to: sql).outcome == .unchanged)
  }

  @Test("a rebuild keeps rows, rowids, indexes, triggers and views")
  func rebuilds() throws {
    let before = """
      CREATE TABLE note (title TEXT, body TEXT);
      CREATE INDEX note_title ON note (title);
      CREATE TABLE log (what TEXT);
      CREATE TRIGGER note_added AFTER INSERT ON note BEGIN INSERT INTO log VALUES (new.title); END;
      CREATE VIEW titles AS SELECT title FROM note;
      """
    let database = try TemporaryDatabase(
      before + "INSERT INTO note (rowid, title, body) VALUES (5, 'a', 'x'), (9, 'b', 'y');")
    let after = before.replacing(
      "title TEXT, body TEXT", with: "title TEXT NOT NULL, body TEXT CHECK (length(body) > 0)")
    let report = try database.migrate(to: after, allowing: .copying)
    #expect(report.plan.steps.contains { $0.strategy == .rebuild })
    #expect(
      try database.query("SELECT rowid, title, body FROM note") == [
        [.int(5), .text("a"), .text("x")], [.int(9), .text("b"), .text("y")],
      ])
    #expect(
      try database.query("SELECT name FROM sqlite_master WHERE name IN ('note_title', 'note_added', 'titles')").count
        == 3)
    #expect(try database.plan(to: after).isEmpty)
  }
}

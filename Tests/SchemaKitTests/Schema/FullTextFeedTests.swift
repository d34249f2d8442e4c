import OrderedCollections
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("How triggers feed a full-text index")
struct FullTextFeedTests {
  private static let table = "CREATE TABLE note (id INTEGER PRIMARY KEY, title TEXT, body TEXT, flag INT);"
  private static let index =
    "CREATE VIRTUAL TABLE f USING fts5(title, body, kind UNINDEXED, content='note', content_rowid='id');"

  private static let insert =
    "AFTER INSERT ON note BEGIN INSERT INTO f (rowid, title, body) VALUES (new.id, new.title, new.body); END"
  private static let delete =
    "AFTER DELETE ON note BEGIN INSERT INTO f (f, rowid, title, body) VALUES ('delete', old.id, old.title, old.body); END"
  private static let update = """
    AFTER UPDATE ON note BEGIN INSERT INTO f (f, rowid, title, body) VALUES ('delete', old.id, old.title, old.body);
    INSERT INTO f (rowid, title, body) VALUES (new.id, new.title, new.body); END
    """

  private func feed(_ triggers: [String], index: String = Self.index) throws -> FullTextFeed {
    let sql = triggers.enumerated().map { "CREATE TRIGGER t\($0) \($1);" }.joined()
    let schema = try TemporaryDatabase.target(Self.table + index + sql).schema
    return FullTextFeed(of: try #require(schema.virtualTables["f"]?.fullTextIndex), in: schema)
  }

  @Test(
    "the triggers of SQLite's manual pass on every row, in whatever spelling",
    arguments: [
      [insert, delete, update],
      [insert, delete, update.replacing("UPDATE ON", with: "UPDATE OF title, \"body\" ON")],
      [insert.replacing("rowid", with: "\"rowid\""), delete, update],
      [insert, delete, update, "AFTER INSERT ON note WHEN new.flag BEGIN UPDATE note SET flag = 0; END"],
      [insert, delete, update, "AFTER UPDATE ON note BEGIN INSERT INTO f (f) VALUES ('optimize'); END"],
      [
        insert.replacing("INSERT INTO f", with: "INSERT OR REPLACE INTO f"),
        "BEFORE DELETE ON note BEGIN DELETE FROM f WHERE rowid = old.id; END",
        "AFTER UPDATE ON note BEGIN UPDATE f SET title = new.title, body = new.body WHERE rowid = old.id; END",
      ],
      [
        insert, delete, "BEFORE UPDATE ON note BEGIN DELETE FROM f WHERE rowid = old.rowid; END",
        "AFTER UPDATE ON note BEGIN REPLACE INTO f (rowid, title, body) VALUES (new.id, new.title, new.body); END",
      ],
    ])
  func everyRow(triggers: [String]) throws {
    #expect(try feed(triggers) == .everyRow)
  }

  @Test(
    "a condition in a trigger or in one of its statements leaves rows out",
    arguments: [
      insert.replacing("ON note BEGIN", with: "ON note WHEN new.flag BEGIN"),
      insert.replacing(
        "VALUES (new.id, new.title, new.body)", with: "SELECT new.id, new.title, new.body WHERE new.flag"),
      insert.replacing("new.body)", with: "CASE WHEN new.flag THEN new.body END)"),
      "AFTER INSERT ON note BEGIN DELETE FROM f WHERE rowid = new.id AND new.flag; END",
    ])
  func condition(trigger: String) throws {
    #expect(try feed([trigger, Self.delete, Self.update]) == .selective(.condition(trigger: "t0")))
  }

  @Test("a trigger that follows some columns only leaves texts out")
  func someColumns() throws {
    let update = Self.update.replacing("UPDATE ON", with: "UPDATE OF title ON")
    #expect(try feed([Self.insert, Self.delete, update]) == .selective(.condition(trigger: "t2")))
  }

  @Test(
    "a trigger that changes the text writes another one",
    arguments: ["lower(new.body)", "coalesce(new.body, '')", "new.title", "'x'"])
  func otherTexts(value: String) throws {
    let insert = Self.insert.replacing("new.body)", with: "\(value))")
    #expect(try feed([insert, Self.delete, Self.update]) == .selective(.otherTexts(trigger: "t0")))
  }

  @Test("a trigger of another table, a missing one, and none at all")
  func others() throws {
    let other = "CREATE TABLE other (id INTEGER PRIMARY KEY, title TEXT, body TEXT);"
    let elsewhere = Self.insert.replacing("ON note", with: "ON other")
    #expect(
      try feed([elsewhere, Self.delete, Self.update], index: other + Self.index)
        == .selective(.otherTable(trigger: "t0")))
    #expect(try feed([Self.insert, Self.update]) == .selective(.incomplete(event: "DELETE")))
    #expect(try feed([Self.delete, Self.update]) == .selective(.incomplete(event: "INSERT")))
    #expect(try feed([Self.insert, Self.delete]) == .selective(.incomplete(event: "UPDATE")))
    #expect(try feed([]) == .noTrigger)
    #expect(try feed(["AFTER INSERT ON note BEGIN SELECT count(*) FROM f; END"]) == .noTrigger)
  }
}

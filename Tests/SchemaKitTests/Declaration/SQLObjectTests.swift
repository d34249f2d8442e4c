import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Objects declared in SQL")
struct SQLObjectTests {
  private struct Page: Model {
    let id: Int64?
    var title: String

    static let table = ModelTable("pages", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("title", \.title)
    } indexes: {
      Index("pages_by_title", on: \.title)
    }
  }

  private static let schema = ModelSchema {
    SQLObject("CREATE TRIGGER visited AFTER INSERT ON visits BEGIN SELECT 1; END;")
    SQLObject("CREATE INDEX visits_by_day ON visits (day)")
    SQLObject("CREATE VIEW both AS SELECT * FROM pages, visits")
    SQLObject(
      "CREATE TABLE visits (page INTEGER REFERENCES pages, day TEXT, PRIMARY KEY (page, day DESC)) WITHOUT ROWID;\n")
    Page.self
  }

  @Test("they are made after the models, each after what it needs")
  func order() throws {
    let statements = try Self.schema.declaration().statements
    let names = try statements.map { try SQLParser.create($0.sql).name.text }
    #expect(names == ["pages", "visits", "pages_by_title", "visits_by_day", "both", "visited"])
    #expect(statements.map(\.table?.text) == ["pages", "visits", "pages", "visits", "both", "visits"])
  }

  @Test("a file gets them, keeps them, and loses them with its rows only by consent")
  func migration() throws {
    let file = try TemporaryDatabase()
    do { _ = try Session(at: file.path, schema: Self.schema) }
    try file.exec("INSERT INTO pages VALUES (1, 'a'); INSERT INTO visits VALUES (1, '2025-11-01')")
    let inspector = try SchemaInspector(at: file.path)
    #expect(try inspector.plan(to: Self.schema).isEmpty)
    let without = try inspector.plan(to: ModelSchema { Page.self })
    #expect(without.hazards.map(\.code).contains(.droppedTable))
    let changed = ModelSchema {
      Page.self
      SQLObject("CREATE TABLE visits (page INTEGER, day TEXT, at TEXT, PRIMARY KEY (page, day DESC)) WITHOUT ROWID")
    }
    do { _ = try Session(at: file.path, schema: changed) }
    #expect(try file.query("SELECT page, day, at FROM visits") == [[.int(1), .text("2025-11-01"), .null]])
  }

  @Test(
    "a mistake is told before SQLite is asked",
    arguments: [
      ("SELECT 1", "has an SQLObject that is not a CREATE statement"),
      ("CREATE TABLE a (b); CREATE TABLE c (d)", "has an SQLObject that is not a CREATE statement"),
      ("CREATE TEMP TABLE a (b)", "has the temporary object a"),
      ("CREATE TABLE PAGES (b)", "declares PAGES twice"),
      ("CREATE INDEX pages_by_TITLE ON pages (id)", "declares pages_by_title twice"),
      ("CREATE TABLE _schemakit_x (b)", "reserved"),
    ])
  func mistakes(sql: String, words: String) throws {
    let schema = ModelSchema {
      Page.self
      SQLObject(sql)
    }
    let error = #expect(throws: DeclarationError.self) { try schema.declaration() }
    #expect("\(try #require(error))".contains(words))
  }

  @Test("two triggers of one name are told, wherever they are declared")
  func triggers() throws {
    let schema = ModelSchema {
      Page.self
      Trigger("t", .after, .insert, on: "pages", body: "SELECT 1")
      SQLObject("CREATE TRIGGER T AFTER DELETE ON pages BEGIN SELECT 1; END")
    }
    #expect(throws: DeclarationError(.duplicateTrigger("T"))) { try schema.declaration() }
  }
}

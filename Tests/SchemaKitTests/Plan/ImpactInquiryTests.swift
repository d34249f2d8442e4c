import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("What views and triggers need of a change")
struct ImpactInquiryTests {
  private let file = """
    CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT, body TEXT, old TEXT); CREATE TABLE log (what);
    CREATE VIEW titles AS SELECT title FROM notes;
    CREATE VIEW everything AS SELECT * FROM titles;
    CREATE TRIGGER watch AFTER UPDATE ON notes BEGIN INSERT INTO log VALUES (old.body); END;
    """

  private func impacts(to sql: String, rename: String? = nil) throws -> [PlanImpact] {
    let database = try TemporaryDatabase(file)
    var target = try TemporaryDatabase.target(sql)
    if let rename { try target.hints.add(rename: rename) }
    let connection = try SQLiteConnection.openedForInspection(path: database.path)
    return try Change(over: connection, to: target).plan().impacts
  }

  @Test("a change that nothing depends on is nobody's business")
  func none() throws {
    #expect(try impacts(to: file.replacing(", old TEXT", with: "")).isEmpty)
  }

  @Test("a renamed column names the view that SQLite rewrites, and the view over it")
  func renamed() throws {
    let found = try impacts(
      to: file.replacing("title TEXT", with: "heading TEXT").replacing("SELECT title", with: "SELECT heading AS title"),
      rename: "notes.title=notes.heading")
    #expect(found.map(\.object) == ["titles", "everything"])
    #expect(found.map(\.needs) == [["notes.title"], ["notes.title"]])
    #expect(found.map(\.outcome) == [.replaced, .kept])
  }

  @Test("a column that is dropped names the trigger that needs it, in the plan and in the hazard")
  func dropped() throws {
    let database = try TemporaryDatabase(file)
    let plan = try database.plan(to: file.replacing("body TEXT, ", with: ""))
    #expect(plan.impacts == [PlanImpact(kind: "trigger", object: "watch", needs: ["notes.body"], outcome: .kept)])
    let hazard = try #require(plan.hazards.first { $0.code == .brokenObject }, "\(plan.hazards)")
    #expect(hazard.remedy?.contains("trigger watch needs notes.body") == true, "\(hazard)")
  }

  @Test("a dropped table names the views that go with it")
  func droppedTable() throws {
    let found = try impacts(to: "CREATE TABLE log (what)")
    #expect(found.map(\.object) == ["titles", "everything", "watch"])
    #expect(found.allSatisfy { $0.outcome == .dropped })
  }
}

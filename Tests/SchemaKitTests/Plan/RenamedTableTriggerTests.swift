import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Triggers on tables that get another name")
struct RenamedTableTriggerTests {
  @Test("a trigger that reads a renamed column is made anew where only the case of its table's name changes as well")
  func caseOnly() throws {
    let file = try TemporaryDatabase(
      """
      CREATE TABLE people (name TEXT, grade REAL CHECK (grade >= 0));
      CREATE TRIGGER guard BEFORE DELETE ON people WHEN OLD.name = 'never' BEGIN SELECT RAISE(ABORT, 'no'); END;
      INSERT INTO people VALUES ('never', 1), ('Ann', 2);
      """)
    // What was the name is the title now, and the name is what was the grade.
    let target = """
      CREATE TABLE People ( -- schemakit: renamed from people
      title TEXT, -- schemakit: renamed from name
      name REAL -- schemakit: renamed from grade
      );
      CREATE TRIGGER guard BEFORE DELETE ON People WHEN OLD.name = 'never' BEGIN SELECT RAISE(ABORT, 'no'); END;
      """
    try file.migrate(to: target, allowing: .everything)
    #expect(try file.query("SELECT title FROM People WHERE name = 2") == [[.text("Ann")]])
    try file.exec("DELETE FROM People")
    #expect(try file.query("SELECT count(*) FROM People") == [[.int(0)]])
    try file.expectSettled(at: target)
  }

  @Test("a trigger stays with the name that it is declared on where two tables change their names")
  func exchange() throws {
    let file = try TemporaryDatabase(
      """
      CREATE TABLE a (x TEXT, only_a);
      CREATE TABLE b (x TEXT, only_b);
      CREATE TRIGGER guard BEFORE DELETE ON a BEGIN SELECT RAISE(ABORT, 'no'); END;
      INSERT INTO a VALUES ('from a', 1);
      INSERT INTO b VALUES ('from b', 2);
      """)
    let target = """
      CREATE TABLE a ( -- schemakit: renamed from b
      x TEXT, only_b);
      CREATE TABLE b ( -- schemakit: renamed from a
      x TEXT, only_a);
      CREATE TRIGGER guard BEFORE DELETE ON a BEGIN SELECT RAISE(ABORT, 'no'); END;
      """
    try file.migrate(to: target, allowing: .everything)
    #expect(try file.query("SELECT x FROM a") == [[.text("from b")]])
    #expect(throws: (any Error).self) { try file.exec("DELETE FROM a") }
    try file.exec("DELETE FROM b")
    try file.expectSettled(at: target)
  }
}

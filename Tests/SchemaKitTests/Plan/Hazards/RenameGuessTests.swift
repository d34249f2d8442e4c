import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("RenameGuess")
struct RenameGuessTests {
  private func diff() throws -> SchemaDiff {
    try SchemaText.diff(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, old TEXT, gone BLOB); CREATE TABLE person (id INT, name TEXT, born INT);",
      "CREATE TABLE t (id INTEGER PRIMARY KEY, new TEXT); CREATE TABLE people (id INT, name TEXT, born INT);")
  }

  @Test("a dropped column of the kind of an added one is offered as its former name, and no other")
  func columns() throws {
    #expect(
      RenameGuess.column("old", of: "t", in: try diff())
        == RenameOption(oldTable: "t", oldColumn: "old", newTable: "t", newColumn: "new"))
    #expect(RenameGuess.column("gone", of: "t", in: try diff()) == nil)
  }

  @Test("a dropped table with the columns of an added one is offered as its former name, and no other")
  func tables() throws {
    #expect(
      RenameGuess.table("person", in: try diff())
        == RenameOption(oldTable: "person", oldColumn: nil, newTable: "people", newColumn: nil))
    #expect(RenameGuess.table("t", in: try diff()) == nil)
  }

  @Test("no two columns that go are guessed to be one that comes")
  func pairs() throws {
    let file = try TemporaryDatabase("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT, n INTEGER, x TEXT)")
    let plan = try file.plan(to: "CREATE TABLE t (id INTEGER PRIMARY KEY, c TEXT, d TEXT, m INTEGER);")
    let guesses = plan.hazards.compactMap { hazard -> String? in
      guard let remedy = hazard.remedy, let range = remedy.firstRange(of: "--rename ") else { return nil }
      return String(remedy[range.upperBound...].prefix(7))
    }
    #expect(guesses == ["t.a=t.c", "t.b=t.d", "t.n=t.m"])
  }

  @Test("a row whose key has several columns is named with a pair of brackets around them")
  func keysOfSeveralColumns() throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE t (a TEXT, b INTEGER, v, PRIMARY KEY (a, b)); INSERT INTO t VALUES ('x', 1, NULL), ('y', 2, NULL)")
    let plan = try file.plan(to: "CREATE TABLE t (a TEXT, b INTEGER, v NOT NULL, PRIMARY KEY (a, b));")
    #expect(plan.hazards.first { $0.code == .nullsUnderNotNull }?.samples == ["('x', 1)", "('y', 2)"])
  }
}

import Testing

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
        == "\"-- schemakit: renamed from old\" on the line of new (or --rename t.old=t.new)")
    #expect(RenameGuess.column("gone", of: "t", in: try diff()) == nil)
  }

  @Test("a dropped table with the columns of an added one is offered as its former name, and no other")
  func tables() throws {
    #expect(
      RenameGuess.table("person", in: try diff())
        == "\"-- schemakit: renamed from person\" on the CREATE TABLE line of people (or --rename person=people)")
    #expect(RenameGuess.table("t", in: try diff()) == nil)
  }
}

import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Declarations in the documentation")
struct DocumentedDeclarationTests {
  @Test(
    "every schema that is shown can be opened",
    arguments: [
      FirstExample.schema, ValueExample.schema, FragmentExample.schema, TableExample.schema, HintExample.schema,
    ])
  func schemas(schema: ModelSchema) throws {
    if schema.elements.contains(where: { if case .virtualTable = $0 { true } else { false } }) {
      try Engine.require(.fts5)
    }
    if schema.elements.contains(where: { "\($0)".contains("TableExample") }) { try Engine.require(.strict) }
    _ = try Session(inMemory: schema)
  }

  @Test("the hints that are shown lead an older file to the declared schema")
  func hints() throws {
    let file = try TemporaryDatabase(
      """
      CREATE TABLE memos (id INTEGER PRIMARY KEY, name TEXT NOT NULL, body TEXT, created TEXT NOT NULL, legacy TEXT);
      CREATE TABLE drafts (text TEXT);
      INSERT INTO memos VALUES (5, 'Hello World', NULL, '2025-11-01 12:00:00', 'x');
      INSERT INTO drafts VALUES ('a');
      """)
    // Only what this schema declared before is its own to drop.
    _ = try Session(at: file.path, schema: ModelSchema { Drafts.self })
    _ = try Session(at: file.path, schema: HintExample.schema)
    #expect(
      try file.query("SELECT * FROM notes") == [
        [.int(5), .text("Hello World"), .text(""), .int(1_761_998_400), .text("hello world")]
      ])
    #expect(try file.query("SELECT name FROM sqlite_master WHERE name IN ('memos', 'drafts')").isEmpty)
  }

  @Test("a table that is given up goes, and one that is not named stays")
  func removing() throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE drafts (text TEXT); INSERT INTO drafts VALUES ('a'); CREATE TABLE x (a);")
    _ = try Session(at: file.path, schema: HintExample.schema)
    #expect(try file.query("SELECT name FROM sqlite_master WHERE name IN ('drafts', 'x')") == [[.text("x")]])
  }

  struct Drafts: Model {
    let text: String?
    static let table = ModelTable("drafts", as: Self.init) { Column("text", \.text) }
  }

  @Test("consent, refusal and looking work as shown", .needs(.fts5))
  func opening() throws {
    let file = try TemporaryDatabase(
      """
      CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT NOT NULL, author_id INTEGER NOT NULL, published REAL,
        price REAL NOT NULL DEFAULT 9.5, isbn TEXT);
      INSERT INTO books (title, author_id, isbn) VALUES ('Notes', 1, '0-00');
      """)
    #expect(try OpeningExample.look(path: file.path).steps.contains { $0.object.name == "books" })
    #expect(try OpeningExample.refuse(path: file.path).map(\.code).contains(.droppedColumn))
    try file.exec("DELETE FROM books WHERE id = 2; CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT)")
    try file.exec("INSERT INTO authors VALUES (1, 'Mary')")
    _ = try OpeningExample.consent(path: file.path)
  }
}

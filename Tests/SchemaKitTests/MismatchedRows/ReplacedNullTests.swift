import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitOperations

@Suite("Defaults that take the place of NULL beside faults of before")
struct ReplacedNullTests {
  @Test(
    "a default in place of NULL asks nothing of rows whose values stay",
    arguments: [
      ("b TEXT", "b TEXT NOT NULL DEFAULT ''", " STRICT"),
      ("b TEXT", "b TEXT NOT NULL /* schemakit: fill 'q' */", " STRICT"),
      ("b TEXT CHECK (length(b) < 2)", "b TEXT NOT NULL DEFAULT 'x' CHECK (length(b) < 2)", ""),
    ])
  func filledColumn(old: String, new: String, ending: String) throws {
    // What a fill computes needs a type, which refuses the rest.
    for hasNull in new.contains("fill") ? [false] : [false, true] {
      let file = try EditedFile(
        """
        CREATE TABLE t (id INTEGER PRIMARY KEY, b TEXT);
        INSERT INTO t VALUES (1, 'x'), (2, x'0202'), (3, \(hasNull ? "NULL" : "'y'"))
        """, ["b TEXT)": "\(old))\(ending)"])
      let before = try file.values(of: ["b"]).prefix(2)
      let target = "CREATE TABLE t (id INTEGER PRIMARY KEY, \(new))\(ending)"
      let hazards = try file.database.plan(to: target).refusals(under: .lossless)
      #expect(hazards.isEmpty, "\(hazards.map(\.message))")
      try file.database.migrate(to: target)
      #expect(try file.values(of: ["b"]).prefix(2) == before)
      #expect(try file.database.plan(to: target).isEmpty)
    }
  }

  @Test("a default in place of NULL that a rule refuses is told")
  func refusedDefault() throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, b TEXT CHECK (length(b) < 2)); INSERT INTO t VALUES (1, 'x'), (2, NULL)")
    let target = "CREATE TABLE t (id INTEGER PRIMARY KEY, b TEXT NOT NULL DEFAULT 'long' CHECK (length(b) < 2))"
    let hazards = try file.plan(to: target).refusals(under: .everything)
    #expect(hazards.map(\.code) == [.failingCheck])
    #expect(hazards.map(\.count) == [1])
  }
}

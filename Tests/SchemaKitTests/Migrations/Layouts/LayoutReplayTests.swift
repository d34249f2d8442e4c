import Foundation
import OrderedCollections
import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitOperations
@testable import SchemaKitReports

@Suite("Folders of other tools")
struct LayoutReplayTests {
  @Test(
    "a folder is recognised and replayed in its tool's order, without what undoes it", arguments: LayoutSample.all)
  func replayed(sample: LayoutSample) throws {
    let scene = try LayoutScene(sample.files)
    #expect(try MigrationLayout.recognised(at: scene.path) == sample.layout)
    let loaded = try scene.load()
    let expected = try TemporaryDatabase.target(LayoutSample.schema).schema
    let difference = DiffReport(from: ("expected", expected), to: ("replayed", loaded.target.schema))
    #expect(difference.isEmpty, "\(difference.text())")
    let notes = loaded.notes.map { $0.replacingOccurrences(of: scene.path + "/", with: "") }
    #expect(
      notes == [
        "\(scene.path) is read as a folder of \(sample.layout.rawValue); --layout none reads it as plain SQL.",
        loaded.ignored.joined(separator: " and ") + (loaded.ignored.count == 1 ? " is" : " are")
          + " left alone, as with --ignore.",
      ] + sample.skipped.map { $0 + "; only the schema is read." })
  }

  @Test("sqlx without pairs is plain SQL until its layout is named, which orders by number")
  func simpleFiles() throws {
    let scene = try LayoutScene(["2_a.sql": "CREATE TABLE t (x);", "10_b.sql": "ALTER TABLE t ADD COLUMN y;"])
    #expect(try MigrationLayout.recognised(at: scene.path) == .plain)
    #expect(try scene.problem()?.hasPrefix("10_b.sql:1: no such table: t") == true)
    let table = try #require(try scene.load(.sqlx).target.schema.table("t"))
    #expect(table.columns.map(\.name) == ["x", "y"])
  }

  @Test("Flyway begins with the last baseline, and goes on with what is above it")
  func baseline() throws {
    let scene = try LayoutScene([
      "V1__a.sql": "CREATE TABLE old (x);", "B1__a.sql": "CREATE TABLE older (x);", "V2.0__b.sql": "DROP TABLE old;",
      "B2__b.sql": "CREATE TABLE t (x);", "V2.1__c.sql": "ALTER TABLE t ADD COLUMN y;",
    ])
    let schema = try scene.load().target.schema
    #expect(Array(schema.tables.keys) == ["t"] && schema.table("t")?.columns.count == 2)
  }

  @Test("dbmate runs every up section of a file")
  func severalSections() throws {
    let text = """
      -- migrate:up
      CREATE TABLE t (x)
      -- migrate:down
      DROP TABLE t;
      -- migrate:up
      CREATE TABLE u (x);
      -- migrate:down
      DROP TABLE u;
      """
    #expect(Set(try LayoutScene(["1_a.sql": text]).load().target.schema.tables.keys) == ["t", "u"])
  }

  @Test("a rename in another tool's migration is a rename for a database before it")
  func renames() throws {
    let scene = try LayoutScene([
      "1_a.up.sql": "CREATE TABLE t (x TEXT);", "2_b.up.sql": "ALTER TABLE t RENAME COLUMN x TO y;",
    ])
    let hints = try scene.load().target.hints
    #expect(hints.tables["t"]?.columns["y"]?.renamedFrom == ["x"])
  }

  @Test("a table of the tool's that its migrations create is not ignored")
  func ownTable() throws {
    let scene = try LayoutScene(["1_a.up.sql": "CREATE TABLE schema_migrations (version TEXT);"])
    #expect(try scene.load().ignored == ["_sqlx_migrations"])
  }

  @Test("a folder with SchemaKit's checksums is a recorded one, whatever its files look like")
  func recorded() throws {
    let scene = try LayoutScene(["1_a.up.sql": "CREATE TABLE t (x);", "checksums.txt": ""])
    #expect(try MigrationLayout.recognised(at: scene.path) == .plain)
  }

  @Test("versions are compared as numbers of any size, one by one")
  func versions() throws {
    let ascending = ["0", "1", "1.0.1", "1.2", "1.10", "2", "20240131120000", "99999999999999999999999"]
    let versions = try ascending.map { try #require(LayoutVersion($0, separators: ["."])) }
    #expect(versions.shuffled().sorted() == versions)
    #expect(LayoutVersion("01.0", separators: ["."]) == LayoutVersion("1"))
    for text in ["", "1.", "a", "1.a", "-1", "²"] { #expect(LayoutVersion(text, separators: ["."]) == nil, "\(text)") }
  }
}

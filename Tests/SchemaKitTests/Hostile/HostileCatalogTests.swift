import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

/// Catalogs that SQLite would never have written.
@Suite("Hostile catalogs")
struct HostileCatalogTests {
  private static let base = """
    CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT, pages); INSERT INTO book VALUES (1, 'one', 10), (2, 'two', 20);
    CREATE TABLE other(a PRIMARY KEY, b UNIQUE); INSERT INTO other VALUES (1, 2);
    CREATE INDEX other_b ON other(b, a);
    CREATE VIEW seen AS SELECT title FROM book;
    CREATE TRIGGER noted AFTER INSERT ON book BEGIN SELECT 1; END;
    """

  static let poisons = [
    "INSERT INTO sqlite_master SELECT * FROM sqlite_master WHERE name = 'book'",
    "INSERT INTO sqlite_master SELECT * FROM sqlite_master",
    "UPDATE sqlite_master SET sql = NULL WHERE name = 'book'",
    "UPDATE sqlite_master SET sql = NULL WHERE name IN ('seen', 'noted', 'other_b')",
    "UPDATE sqlite_master SET sql = '' WHERE name = 'book'",
    "UPDATE sqlite_master SET sql = 'nonsense' WHERE name = 'book'",
    "UPDATE sqlite_master SET sql = x'4352454154' || x'FFFE' WHERE name = 'book'",
    "UPDATE sqlite_master SET sql = CAST(x'435245415445205441424C4520626F6F6B28FF2C207469746C6529' AS TEXT) WHERE name = 'book'",
    "UPDATE sqlite_master SET name = CAST(x'FF62' AS TEXT), tbl_name = CAST(x'FF62' AS TEXT), sql = CAST(x'435245415445205441424C4520FF62286129' AS TEXT) WHERE name = 'other'",
    "UPDATE sqlite_master SET sql = 'CREATE TABLE book(a' || char(0) || ')' WHERE name = 'book'",
    "UPDATE sqlite_master SET sql = 'CREATE VIEW book AS SELECT 1' WHERE name = 'book'",
    "UPDATE sqlite_master SET sql = 'CREATE TABLE other_name(a)' WHERE name = 'other'",
    "UPDATE sqlite_master SET sql = 'DROP TABLE book' WHERE name = 'seen'",
    "UPDATE sqlite_master SET sql = 'CREATE TABLE book(id INTEGER PRIMARY KEY, title, pages, x, y, z)' WHERE name = 'book'",
    "UPDATE sqlite_master SET sql = 'CREATE TABLE book(id INTEGER)' WHERE name = 'book'",
    "UPDATE sqlite_master SET sql = 'CREATE TABLE book(id PRIMARY KEY, title, pages) WITHOUT ROWID' WHERE name = 'book'",
    "UPDATE sqlite_master SET rootpage = 0 WHERE name = 'book'",
    "UPDATE sqlite_master SET rootpage = 1 WHERE name = 'book'",
    "UPDATE sqlite_master SET rootpage = 4294967296 WHERE name = 'book'",
    "UPDATE sqlite_master SET rootpage = -7 WHERE name = 'book'",
    "UPDATE sqlite_master SET rootpage = 'two' WHERE name = 'book'",
    "UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name = 'other') WHERE name = 'book'",
    "UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name = 'other_b') WHERE name = 'book'",
    "UPDATE sqlite_master SET type = 'tables' WHERE name = 'book'",
    "UPDATE sqlite_master SET type = NULL, name = NULL, tbl_name = NULL WHERE name = 'seen'",
    "UPDATE sqlite_master SET type = x'00', name = 3, tbl_name = 4.5 WHERE name = 'seen'",
    "UPDATE sqlite_master SET name = 'pages', tbl_name = 'nowhere' WHERE name = 'other_b'",
    "DELETE FROM sqlite_master WHERE name LIKE 'sqlite_autoindex%'",
    "UPDATE sqlite_master SET name = 'sqlite_autoindex_other_9' WHERE name = 'sqlite_autoindex_other_1'",
    "UPDATE sqlite_master SET sql = 'CREATE VIEW seen AS SELECT * FROM seen' WHERE name = 'seen'",
    "UPDATE sqlite_master SET sql = 'CREATE VIRTUAL TABLE seen USING absent(a)', type = 'table', rootpage = 0 WHERE name = 'seen'",
    "UPDATE sqlite_master SET sql = 'CREATE TABLE sqlite_stat1(tbl, idx, stat)', name = 'sqlite_stat1', tbl_name = 'sqlite_stat1' WHERE name = 'other'",
    "UPDATE sqlite_master SET sql = 'CREATE TABLE sqlite_sequence(x)', name = 'sqlite_sequence', tbl_name = 'sqlite_sequence' WHERE name = 'other'",
    "UPDATE sqlite_master SET sql = 'CREATE TABLE _schemakit_meta(x)', name = '_schemakit_meta', tbl_name = '_schemakit_meta' WHERE name = 'other'",
  ]

  @Test("every poisoned catalog is an error of ours or a plan, and looking changes no byte", arguments: poisons)
  func looked(poison: String) throws {
    let hostile = try HostileFile(Self.base)
    try hostile.poison(poison)
    try hostile.look()
    try hostile.migrate()
  }

  @Test("a text in the catalog that is not UTF-8 never becomes another object's name")
  func notUTF8() throws {
    let hostile = try HostileFile(
      "CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT); CREATE TABLE other(a); INSERT INTO other VALUES (1)")
    try hostile.poison(
      """
      UPDATE sqlite_master SET name = CAST(x'FF62' AS TEXT), tbl_name = CAST(x'FF62' AS TEXT),
      sql = CAST(x'435245415445205441424C4520FF62286129' AS TEXT) WHERE name = 'other'
      """)
    try hostile.look()
    // The name cannot be said in Swift, so that the table cannot be dropped: nothing may happen instead.
    let error = try hostile.migrate()
    #expect(error != nil)
    #expect(try hostile.file.query("SELECT count(*) FROM sqlite_master") == [[.int(2)]])
  }

  @Test("views that take the names of table-valued pragmas are never read")
  func shadowedPragmas() throws {
    // The recursion has no end: whoever reads the view waits for ever.
    let endless =
      "WITH RECURSIVE n(name) AS (SELECT 'book' UNION ALL SELECT name FROM n) SELECT name, 'main' AS schema, 'shadow' AS type FROM n"
    let names = [
      "pragma_table_list", "pragma_module_list", "pragma_table_xinfo", "pragma_index_list", "pragma_index_xinfo",
      "pragma_foreign_key_list", "pragma_foreign_key_check", "pragma_schema_version",
    ]
    let views = names.map { "CREATE VIEW \($0) AS \(endless);" }.joined()
    let hostile = try HostileFile(
      Self.base + views + "CREATE VIRTUAL TABLE spot USING rtree(id, low, high); CREATE TRIGGER i INSTEAD OF UPDATE ON "
        + "pragma_table_list BEGIN SELECT 1; END;")
    var checks = 0
    let connection = try SQLiteConnection.openedForInspection(path: hostile.file.path)
    let isTakingLong = {
      checks += 1
      return checks > 5_000
    }
    let plan = try connection.withCancellation(check: isTakingLong) {
      try Change(over: connection, to: TemporaryDatabase.target(HostileFile.target)).plan()
    }
    #expect(plan.steps.contains { $0.object.name == "book" && $0.strategy == .rebuild })
    #expect(plan.steps.contains { $0.object.name == "pragma_table_list" && $0.strategy == .drop })
    let session = try Session(over: SQLiteConnection(path: hostile.file.path), schema: ModelSchema {})
    #expect(try session.columnNames(of: "book") == ["id", "title", "pages"])
    #expect(try session.indexNames(of: "other").count == 3)
  }
}

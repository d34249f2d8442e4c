import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitOperations
@testable import SchemaKitReports

@Suite("The tables that rules of a project read", .needs(.strict))
struct RuleTableTests {
  private static let sql = """
    CREATE TABLE shelf (id INTEGER PRIMARY KEY AUTOINCREMENT, room TEXT NOT NULL COLLATE NOCASE UNIQUE);
    CREATE TABLE book (
      isbn TEXT, shelf INT REFERENCES shelf ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
      kind TEXT DEFAULT ('a' || 'b'), size INT AS (length(isbn)) STORED, twice ANY AS (1), other BLOB REFERENCES nowhere (x),
      PRIMARY KEY (isbn, kind DESC), CONSTRAINT sized CHECK (size > 0)
    ) WITHOUT ROWID, STRICT;
    """

  private func rows(_ sql: String, of table: RuleTable) throws -> [[SQLValue]] {
    let schema = try SchemaSource.sql(sql, source: "s.sql").load().target.schema
    return try RuleTable.database(of: LintSubject(schema)).rows("SELECT * FROM \(table.rawValue)")
  }

  /// The rows without a last column that has the statement.
  private func short(_ sql: String, of table: RuleTable) throws -> [String] {
    try rows(sql, of: table).map { row in
      row.dropLast(table.columns.last?.name == "sql" ? 1 : 0).map { value in
        switch value {
        case .null: "-"
        case .integer(let number): "\(number)"
        case .text(let text): text
        default: "?"
        }
      }.joined(separator: " ")
    }
  }

  @Test("tables and their columns")
  func tables() throws {
    #expect(try short(Self.sql, of: .tables) == ["shelf 0 0 1 1", "book 1 1 1 0"])
    #expect(try short("CREATE TABLE t (a)", of: .tables) == ["t 0 0 0 0"])
    #expect(
      try short(Self.sql, of: .columns) == [
        "shelf id 1 INTEGER INTEGER 1 - BINARY 1 -", "shelf room 2 TEXT TEXT 1 - NOCASE - -",
        "book isbn 1 TEXT TEXT 1 - BINARY 1 -", "book shelf 2 INT INTEGER 0 - BINARY - -",
        "book kind 3 TEXT TEXT 1 ('a' || 'b') BINARY 2 -", "book size 4 INT INTEGER 0 - BINARY - STORED",
        "book twice 5 ANY BLOB 0 - BINARY - VIRTUAL", "book other 6 BLOB BLOB 0 - BINARY - -",
      ])
    #expect(try short("CREATE TABLE t (a)", of: .columns) == ["t a 1 - BLOB 0 - BINARY - -"])
    #expect(try short(Self.sql, of: .checks) == ["book sized size > 0"])
    #expect(try short("CREATE TABLE t (a CHECK (a))", of: .checks) == ["t - a"])
  }

  @Test("indexes, with the keys of constraints, and their terms")
  func indexes() throws {
    let sql = Self.sql + "CREATE UNIQUE INDEX big ON book (size DESC, lower(isbn)) WHERE size > 9;"
    #expect(
      try short(sql, of: .indexes) == [
        "1 shelf - primary key 1 -", "2 shelf - unique 1 -", "3 book - primary key 1 -", "4 book big index 1 size > 9",
      ])
    #expect(
      try short(sql, of: .indexColumns) == [
        "1 1 id - BINARY 0", "2 1 room - NOCASE 0", "3 1 isbn - BINARY 0", "3 2 kind - BINARY 1",
        "4 1 size - BINARY 1", "4 2 - lower(isbn) BINARY 0",
      ])
    #expect(try rows(sql, of: .indexes).map { $0.last == .null } == [true, true, true, false])
  }

  @Test("foreign keys, with the key of the parent where they name no columns, and NULL where it is missing")
  func foreignKeys() throws {
    #expect(
      try short(Self.sql, of: .foreignKeys) == [
        "1 book shelf CASCADE NO ACTION 1", "2 book nowhere NO ACTION NO ACTION 0",
      ])
    #expect(try short(Self.sql, of: .foreignKeyColumns) == ["1 1 shelf id", "2 1 other -"])
  }

  @Test("views, triggers and virtual tables")
  func others() throws {
    let sql = """
      CREATE TABLE t (a);
      CREATE VIEW v AS SELECT a FROM t;
      CREATE TRIGGER one INSERT ON t BEGIN SELECT 1; END;
      CREATE TRIGGER two AFTER UPDATE OF a ON t BEGIN SELECT 1; END;
      CREATE TRIGGER three INSTEAD OF DELETE ON v BEGIN SELECT 1; END;
      """
    #expect(try short(sql, of: .views) == ["v"])
    #expect(try rows(sql, of: .views).last?.last == .text("CREATE VIEW v AS SELECT a FROM t"))
    #expect(
      try short(sql, of: .triggers) == ["one t BEFORE INSERT", "two t AFTER UPDATE", "three v INSTEAD OF DELETE"])
    try Engine.require("CREATE VIRTUAL TABLE f USING fts5 (x)")
    #expect(try short("CREATE VIRTUAL TABLE f USING fts5 (x)", of: .virtualTables) == ["f fts5"])
    #expect(try short("CREATE VIRTUAL TABLE f USING fts5 (x)", of: .tables) == [])
  }

  @Test("names compare as SQLite compares them, and every column has its meaning")
  func names() throws {
    let schema = try SchemaSource.sql("CREATE TABLE Book (Title)", source: "s.sql").load().target.schema
    let database = try RuleTable.database(of: LintSubject(schema))
    #expect(
      try database.integer("SELECT count(*) FROM schema_columns WHERE table_name = 'bOOK' AND name = 'title'") == 1)
    for table in RuleTable.allCases {
      let names = try database.texts("SELECT name FROM pragma_table_info('\(table.rawValue)')")
      #expect(names == table.columns.map(\.name) && Set(names).count == names.count)
      #expect(table.columns.allSatisfy { !$0.meaning.isEmpty })
    }
  }
}

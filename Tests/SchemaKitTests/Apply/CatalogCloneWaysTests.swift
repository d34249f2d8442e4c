import OrderedCollections
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("CatalogClone, by rows and by statements", .enabled(if: SQLiteConnection.canLoadImages))
struct CatalogCloneWaysTests {
  private static let rich = """
    CREATE TABLE kinds (code TEXT PRIMARY KEY COLLATE NOCASE, title TEXT UNIQUE, UNIQUE (title, code)) WITHOUT ROWID;
    CREATE TABLE "odd ""name" (id INTEGER PRIMARY KEY AUTOINCREMENT, kind REFERENCES kinds (code), n INT CHECK (n > 0),
      twice AS (n * 2), UNIQUE (n, kind) ON CONFLICT REPLACE);
    CREATE INDEX half ON "odd ""name" (lower(kind), n DESC) WHERE n > 5;
    CREATE UNIQUE INDEX whole ON kinds (title DESC);
    CREATE VIEW both AS SELECT * FROM kinds JOIN "odd ""name" ON kind = code;
    CREATE VIEW broken AS SELECT missing FROM nowhere;
    CREATE TRIGGER counted AFTER INSERT ON kinds BEGIN UPDATE "odd ""name" SET n = n + 1; END;
    CREATE TRIGGER through INSTEAD OF INSERT ON both BEGIN INSERT INTO kinds VALUES (new.code, new.title); END;
    """

  private func clones(
    of connection: SQLiteConnection, _ schema: DatabaseSchema
  ) throws -> (rows: CatalogClone, statements: CatalogClone) {
    (
      try CatalogClone(of: connection, schema: schema),
      try CatalogClone(of: connection, schema: schema, writesCatalog: false)
    )
  }

  private func catalog(_ connection: SQLiteConnection) throws -> Set<[SQLValue]> {
    Set(try connection.rows("SELECT type, name, tbl_name, rootpage > 0 FROM sqlite_master"))
  }

  @Test("both ways make the same catalog, whose trees are whole")
  func sameCatalog() throws {
    let database = try TemporaryDatabase(Self.rich + "INSERT INTO kinds VALUES ('a', 'b'); ANALYZE;")
    try database.migrate(to: Self.rich)
    let connection = try database.connection()
    let schema = try SchemaReader.read(connection)
    #expect(schema.ownTables.count == 3)
    let (rows, statements) = try clones(of: connection, schema)
    #expect(try catalog(rows.connection) == catalog(statements.connection))
    #expect(rows.missing.isEmpty && statements.missing.isEmpty)
    #expect(try SchemaReader.read(rows.connection) == SchemaReader.read(statements.connection))
    #expect(try rows.connection.texts("PRAGMA integrity_check") == ["ok"])
    #expect(try rows.connection.integer("PRAGMA freelist_count") == 0)
  }

  @Test("rows can be written to every table of a written catalog, and its tables can be changed and dropped")
  func usable() throws {
    let database = try TemporaryDatabase(Self.rich)
    let connection = try database.connection()
    let clone = try clones(of: connection, try SchemaReader.read(connection)).rows.connection
    try clone.execute(
      """
      INSERT INTO "odd ""name" (kind, n) VALUES ('K', 7), ('k', 8); INSERT INTO kinds VALUES ('K', 'Title');
      """)
    #expect(
      try clone.rows("SELECT id, n, twice FROM \"odd \"\"name\"")
        == [[1, 8, 16], [2, 9, 18]].map { $0.map { .integer($0) } })
    #expect(try clone.integer("SELECT seq FROM sqlite_sequence") == 2)
    try clone.execute("DROP VIEW broken; ALTER TABLE kinds ADD COLUMN more; ALTER TABLE kinds RENAME TO sorts")
    try clone.transaction { try clone.execute("DROP TABLE \"odd \"\"name\"; CREATE TABLE later (a UNIQUE)") }
    #expect(try clone.texts("PRAGMA integrity_check") == ["ok"])
    #expect(try clone.rows("SELECT code, title, more FROM sorts") == [[.text("K"), .text("Title"), .null]])
  }

  @Test("a full-text index is made with its own tables behind written rows")
  func virtualTables() throws {
    let database = try TemporaryDatabase(
      "CREATE TABLE t (a, b); CREATE VIRTUAL TABLE f USING fts5 (a, content = 't'); CREATE INDEX i ON t (b);")
    let connection = try database.connection()
    let schema = try SchemaReader.read(connection)
    let (rows, statements) = try clones(of: connection, schema)
    #expect(rows.missing.isEmpty)
    #expect(try catalog(rows.connection) == catalog(statements.connection))
    #expect(SchemaDiff(from: schema, to: try SchemaReader.read(rows.connection)).isEmpty)
    try rows.connection.execute("INSERT INTO f (f) VALUES ('rebuild')")
  }

  @Test(
    "functions that this process lacks are stubbed before SQLite reads what calls them",
    arguments: [
      ("CREATE TABLE t (a CHECK (a REGEXP ''x''))", "regexp"), ("CREATE TABLE t (a, b AS (\"my f\"(a)))", "my f"),
    ])
  func stubs(sql: String, function: String) throws {
    let database = try TemporaryDatabase("CREATE TABLE t (a)")
    try database.exec("PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = '\(sql)'")
    let connection = try database.connection()
    let (rows, statements) = try clones(of: connection, try SchemaReader.read(connection))
    for clone in [rows, statements] {
      #expect(clone.missing.isEmpty, "\(clone.missing)")
      #expect(Set(clone.connection.stubbedNames.map { SQLName($0) }) == [SQLName(function)])
      try clone.connection.prepareOnly("EXPLAIN INSERT INTO t DEFAULT VALUES")
    }
  }

  @Test("a catalog that lacks what SQLite makes by itself is cloned by its statements")
  func lackingSequence() throws {
    let database = try TemporaryDatabase("CREATE TABLE t (a INTEGER PRIMARY KEY AUTOINCREMENT)")
    try database.exec("PRAGMA writable_schema = ON; DELETE FROM sqlite_master WHERE name = 'sqlite_sequence'")
    let connection = try database.connection()
    let clone = try CatalogClone(of: connection, schema: try SchemaReader.read(connection))
    try clone.connection.execute("INSERT INTO t DEFAULT VALUES")
    #expect(try clone.connection.integer("SELECT seq FROM sqlite_sequence") == 1)
  }

  @Test("what SQLite does not take as a row is said by the statement")
  func refusedRow() throws {
    let connection = try SQLiteConnection.memory()
    try connection.execute("CREATE TABLE t (a); CREATE TABLE u (b)")
    var schema = try SchemaReader.read(connection)
    // The schema says otherwise than the catalog, so that the tree is one of another kind.
    schema.tables["u"] = nil
    schema.views["u"] = ViewSchema(name: "u", definition: CanonicalSQL(text: "", tokens: []), sql: "")
    let clone = try CatalogClone(of: connection, schema: schema)
    #expect(try clone.connection.texts("SELECT name FROM sqlite_master") == ["t", "u"])
    #expect(clone.missing.isEmpty)
  }

  @Test("an image has as many whole trees as were added")
  func image() throws {
    var image = EmptyDatabaseImage()
    #expect([image.add(.rows), image.add(.keys), image.add(.rows)] == [2, 3, 4])
    let connection = try SQLiteConnection.memory()
    try connection.load(image: image.bytes)
    #expect(try connection.integer("PRAGMA page_count") == 4)
    #expect(try connection.rows("SELECT * FROM sqlite_master").isEmpty)
    #expect(try connection.texts("PRAGMA journal_mode") == ["memory"])
    #expect(try connection.texts("PRAGMA encoding") == ["UTF-8"])
  }
}

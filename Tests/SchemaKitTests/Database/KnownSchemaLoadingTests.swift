import OrderedCollections
import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitOperations

@Suite("SchemaLoader beside a known schema")
struct KnownSchemaLoadingTests {
  private static let file = """
    CREATE TABLE a (x TEXT, y INT CHECK (y > 0));
    CREATE TABLE b (x REFERENCES a (x), z UNIQUE);
    CREATE INDEX ax ON a (x);
    CREATE INDEX bz ON b (z);
    CREATE VIEW v AS SELECT x FROM a;
    CREATE TRIGGER g AFTER INSERT ON a BEGIN DELETE FROM b; END;
    """

  private func known() throws -> DatabaseSchema {
    let connection = try SQLiteConnection.memory()
    try connection.execute(Self.file)
    return try SchemaReader.read(connection)
  }

  private func load(_ sql: String, known: DatabaseSchema?) throws -> SchemaLoader.Loaded {
    try SchemaLoader(source: "test").load(SQLSchemaParser.parse(sql, source: "test").declaration, known: known)
  }

  @Test(
    "a declaration means the same as without one",
    arguments: [
      ("", ""), ("y INT", "y INT NOT NULL"), ("a (x TEXT", "a (x TEXT COLLATE NOCASE"), ("ON a (x)", "ON a (x DESC)"),
      ("CREATE INDEX bz ON b (z);", ""), ("SELECT x", "SELECT y, x"), ("AFTER INSERT", "BEFORE DELETE"),
      ("CREATE VIEW v", "CREATE TABLE first (a UNIQUE); CREATE VIEW v"), ("z UNIQUE", "z, \"Z 2\" UNIQUE"),
      ("CREATE TABLE a", "CREATE TABLE c (d); CREATE INDEX cd ON c (d); CREATE TABLE a"),
      ("DELETE FROM b; END;", "DELETE FROM b; END; ALTER TABLE b ADD COLUMN later;"),
      ("CREATE INDEX bz", "CREATE UNIQUE INDEX IF NOT EXISTS bz"),
    ])
  func same(old: String, new: String) throws {
    let sql = old.isEmpty ? Self.file : Self.file.replacing(old, with: new)
    let beside = try load(sql, known: known())
    let alone = try load(sql, known: nil)
    #expect(beside.target.schema == alone.target.schema)
    #expect(beside.target.fingerprint == alone.target.fingerprint)
    #expect(beside.notes == alone.notes)
  }

  @Test(
    "an object that IF NOT EXISTS leaves out is refused where it is another one",
    arguments: [
      "CREATE INDEX IF NOT EXISTS ax ON b (z);", "CREATE UNIQUE INDEX IF NOT EXISTS ax ON a (x);",
      "CREATE TABLE IF NOT EXISTS a (x TEXT, y INT);", "CREATE TABLE IF NOT EXISTS main.v (x);",
      "CREATE VIEW IF NOT EXISTS v AS SELECT y FROM a;",
      "CREATE TRIGGER IF NOT EXISTS g AFTER DELETE ON a BEGIN DELETE FROM b; END;",
    ])
  func skippedObject(sql: String) throws {
    for known in [nil, try known()] {
      let error = #expect(throws: SchemaError.self) { try load("\(Self.file)\n\(sql)", known: known) }
      #expect(error?.line == 7)
      #expect(error?.problem.contains("is declared in another way in line") == true, "\(error?.problem ?? "")")
    }
  }

  @Test(
    "a statement that is repeated with IF NOT EXISTS is declared once",
    arguments: [
      "CREATE INDEX IF NOT EXISTS ax ON a (x);", "create index if not exists main.AX on \"a\" (x) -- again\n;",
      "CREATE TABLE IF NOT EXISTS a (x TEXT, y INT CHECK (y > 0));",
      "DROP INDEX ax; CREATE INDEX IF NOT EXISTS ax ON b (z);",
    ])
  func repeated(sql: String) throws {
    let loaded = try load("\(Self.file)\n\(sql)", known: known())
    #expect(loaded.target.schema.indexes["ax"] != nil)
    #expect(loaded.target.schema.tables.count == 2)
  }

  @Test(
    "what SQLite refuses is refused with the same message",
    arguments: [
      ("x TEXT, y", "y"), ("CREATE TABLE b", "CREATE TABLE A (q); CREATE TABLE b"),
      ("CREATE INDEX bz ON b (z);", "CREATE INDEX bz ON nowhere (z);"), ("CREATE VIEW v", "CREATE VIEW b"),
      ("CREATE TABLE a (x TEXT, y INT CHECK (y > 0));", ""), ("y INT CHECK", "x INT CHECK"),
    ])
  func refused(old: String, new: String) throws {
    let sql = Self.file.replacing(old, with: new)
    let alone = #expect(throws: SchemaError.self) { try load(sql, known: nil) }
    let beside = #expect(throws: SchemaError.self) { try load(sql, known: known()) }
    #expect(alone?.description == beside?.description)
  }

  @Test("columns whose type derives from Swift stay loose beside a known schema")
  func looseTypes() throws {
    var declaration = try SQLSchemaParser.parse(Self.file, source: "test").declaration
    declaration.hints.tables["a"] = TableHints(looseTypes: ["x"])
    let target = try SchemaLoader().load(declaration, known: known()).target
    #expect(target.schema.table("a")?.columns.map(\.acceptsAnyTypeOfAffinity) == [true, false])
  }
}

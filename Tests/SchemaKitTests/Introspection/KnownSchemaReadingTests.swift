import OrderedCollections
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("SchemaReader beside a known schema")
struct KnownSchemaReadingTests {
  private static let start = """
    CREATE TABLE a (x TEXT, y INT CHECK (y > 0)); CREATE TABLE b (x REFERENCES a (x), z UNIQUE);
    CREATE INDEX ax ON a (x); CREATE INDEX ay ON a (y); CREATE VIEW v AS SELECT x FROM a;
    CREATE TRIGGER g AFTER INSERT ON a BEGIN DELETE FROM b; END;
    """

  @Test(
    "what is read is the same with and without it",
    arguments: [
      "SELECT 1", "DROP INDEX ax", "ALTER TABLE a ADD COLUMN new DEFAULT 1", "ALTER TABLE a RENAME TO c",
      "ALTER TABLE a RENAME COLUMN x TO w", "DROP TABLE b", "CREATE TABLE c (d)",
      "CREATE UNIQUE INDEX bz ON b (z DESC)",
      "DROP VIEW v; CREATE VIEW v AS SELECT y FROM a",
      "DROP TRIGGER g; CREATE TRIGGER g BEFORE DELETE ON b BEGIN SELECT 1; END",
      "DROP TABLE a; CREATE TABLE a (x TEXT COLLATE NOCASE, y INT); CREATE INDEX ax ON a (x);",
      "DROP VIEW v; CREATE TABLE v (x)", "CREATE VIRTUAL TABLE f USING fts5 (x, content = 'a')",
    ])
  func same(change: String) throws {
    let database = try TemporaryDatabase(Self.start)
    let connection = try database.connection()
    let known = try SchemaReader.read(connection)
    try database.exec(change)
    let result = try SchemaReader.read(connection, known: known)
    #expect(try result == SchemaReader.read(connection))
    #expect(try Fingerprint.of(result) == Fingerprint.of(SchemaReader.read(connection)))
    // Whatever the statements say, in both directions.
    try #expect(SchemaReader.read(TemporaryDatabase(Self.start).connection(), known: result) == known)
  }

  @Test("an index with the same SQL means something else on another table")
  func collation() throws {
    let connection = try SQLiteConnection.memory()
    try connection.execute("CREATE TABLE t (a); CREATE INDEX i ON t (a)")
    let known = try SchemaReader.read(connection)
    try connection.execute("DROP TABLE t; CREATE TABLE t (a COLLATE NOCASE); CREATE INDEX i ON t (a)")
    #expect(try SchemaReader.read(connection, known: known).indexes["i"]?.terms.first?.collation == "nocase")
  }
}

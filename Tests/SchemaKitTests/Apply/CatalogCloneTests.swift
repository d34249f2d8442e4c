import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("CatalogClone and TemporaryObjects")
struct CatalogCloneTests {
  @Test("a clone has every object and no row")
  func clones() throws {
    let connection = try SQLiteConnection.memory()
    try connection.execute(
      """
      CREATE TABLE t (a INTEGER PRIMARY KEY AUTOINCREMENT, b); INSERT INTO t VALUES (7, 'x');
      CREATE INDEX i ON t (b); CREATE VIEW v AS SELECT * FROM t; ANALYZE;
      CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT raise(ABORT, 'no'); END;
      """)
    let schema = try SchemaReader.read(connection)
    let clone = try CatalogClone(of: connection, schema: schema)
    #expect(SchemaDiff(from: schema, to: try SchemaReader.read(clone.connection)).isEmpty)
    #expect(try clone.connection.integer("SELECT count(*) FROM t") == 0)
    #expect(try clone.connection.integer("SELECT count(*) FROM sqlite_master WHERE name = 'sqlite_stat1'") == 1)
    #expect(clone.missing.isEmpty)
  }

  @Test("functions and collations that this process lacks are stubbed in the clone")
  func stubs() throws {
    let database = try TemporaryDatabase("CREATE TABLE t (a TEXT, b INT, c TEXT)")
    try database.exec(
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_master SET sql = 'CREATE TABLE t (a TEXT COLLATE german, b INT CHECK (soundness(b)),' ||
        ' c TEXT AS (shout(a, b)))' WHERE name = 't';
      """)
    let connection = try database.connection()
    let schema = try SchemaReader.read(connection)
    let clone = try CatalogClone(of: connection, schema: schema)
    #expect(clone.missing.isEmpty, "\(clone.missing)")
    #expect(clone.connection.stubbedNames.isSuperset(of: ["soundness", "shout"]))
    #expect(try clone.connection.integer("SELECT count(*) FROM t WHERE a > 'x'") == 0)
    #expect(connection.stubbedNames.isEmpty)
  }

  @Test("what cannot be made is said, and the rest is there")
  func missing() throws {
    let database = try TemporaryDatabase("CREATE TABLE t (a)")
    try database.exec(
      """
      PRAGMA writable_schema = ON;
      INSERT INTO sqlite_master (type, name, tbl_name, rootpage, sql)
      VALUES ('table', 'ghost', 'ghost', 0, 'CREATE VIRTUAL TABLE ghost USING nowhere(x)');
      """)
    let connection = try database.connection()
    let clone = try CatalogClone(of: connection, schema: try SchemaReader.read(connection))
    #expect(Array(clone.missing.keys) == ["ghost"])
    #expect(clone.missing["ghost"]?.contains("nowhere") == true)
    #expect(try SchemaReader.read(clone.connection).tables.map(\.key) == ["t"])
  }

  @Test("TEMP triggers come back when their table was dropped and made again, and only then")
  func temporaryTriggers() throws {
    let connection = try SQLiteConnection.memory()
    try connection.execute(
      """
      CREATE TABLE t (a); CREATE TABLE u (a); CREATE TEMP TABLE seen (x);
      CREATE TEMP TRIGGER "on t" AFTER INSERT ON main.t BEGIN INSERT INTO seen VALUES (new.a); END;
      CREATE TEMP TRIGGER on_u AFTER INSERT ON main.u BEGIN INSERT INTO seen VALUES (-new.a); END;
      """)
    let before = try connection.texts("SELECT sql FROM sqlite_temp_master WHERE type = 'trigger' ORDER BY name")
    var objects = TemporaryObjects(on: connection)
    try objects.setAside(
      before: MigrationStep(
        strategy: .rebuild, object: ObjectReference(.table, "T"), edits: [], statements: []))
    try connection.execute("DROP TABLE t; DROP TABLE u; CREATE TABLE t (a); CREATE TABLE u (a)")
    try objects.restore()
    try objects.restore()
    try connection.execute("INSERT INTO t VALUES (1); INSERT INTO u VALUES (2)")
    #expect(try connection.rows("SELECT x FROM seen") == [[.integer(1)]])
    #expect(
      try connection.texts("SELECT sql FROM sqlite_temp_master WHERE type = 'trigger'") == [before[0]])
  }
}

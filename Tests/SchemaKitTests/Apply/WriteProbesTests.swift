import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("WriteProbes")
struct WriteProbesTests {
  private func failures(_ sql: String, objects: Set<SQLName>? = nil) throws -> [String] {
    let connection = try SQLiteConnection.memory()
    try connection.execute("PRAGMA foreign_keys = ON")
    try connection.execute(sql)
    let schema = try SchemaReader.read(connection)
    return WriteProbes(connection: connection).failures(in: schema, objects: objects).keys
      .map { "\($0.action) \($0.object)" }.sorted()
  }

  @Test("where everything compiles there is none, and no row is written")
  func allWell() throws {
    #expect(
      try failures(
        """
        CREATE TABLE t (a INT CHECK (a > 0), g AS (a)); CREATE TABLE u (id INTEGER PRIMARY KEY AUTOINCREMENT);
        CREATE VIEW v AS SELECT a FROM t;
        CREATE TRIGGER g INSTEAD OF INSERT ON v BEGIN INSERT INTO t (a) VALUES (new.a); END;
        """) == [])
  }

  @Test("a trigger that reads what is gone fails the write that fires it")
  func triggers() throws {
    #expect(
      try failures(
        """
        CREATE TABLE t (a); CREATE TABLE log (x, y);
        CREATE TRIGGER g AFTER UPDATE ON t BEGIN INSERT INTO log SELECT * FROM t; END;
        CREATE TRIGGER h BEFORE DELETE ON t BEGIN INSERT INTO log VALUES (old.missing, 1); END;
        """) == ["DELETE t", "UPDATE t"])
  }

  @Test("a broken view fails its SELECT and the writes through it")
  func views() throws {
    #expect(
      try failures(
        """
        CREATE TABLE t (a); CREATE VIEW v AS SELECT missing FROM t; CREATE VIEW w AS SELECT a FROM t;
        CREATE TRIGGER g INSTEAD OF DELETE ON w BEGIN DELETE FROM nowhere; END;
        """) == ["DELETE w", "SELECT v"])
  }

  @Test("a foreign key that fits no key fails the write on its parent or child")
  func foreignKeys() throws {
    #expect(
      try failures("CREATE TABLE p (a); CREATE TABLE c (a REFERENCES p (a));").contains("INSERT c"))
  }

  @Test("only the objects asked about are probed")
  func objects() throws {
    let sql = "CREATE TABLE t (a); CREATE VIEW v AS SELECT x FROM t; CREATE VIEW w AS SELECT y FROM t;"
    #expect(try failures(sql, objects: ["w", "t"]) == ["SELECT w"])
  }
}

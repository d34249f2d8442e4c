import SchemaKitRemote
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("dqlite: schemas and changes", .enabled(if: DqliteCluster.isWanted))
struct DqliteMigrationTests {
  @Test("a schema is read, changed and checked as in a file")
  func migrates() throws {
    let cluster = try DqliteCluster()
    let connection = try cluster.connection(to: "notes")
    try connection.execute(
      """
      CREATE TABLE parent (id INTEGER PRIMARY KEY, name TEXT, seen DATETIME, gone BOOLEAN);
      CREATE TABLE child (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parent ON DELETE CASCADE, at TEXT);
      CREATE INDEX by_name ON parent (name);
      CREATE TRIGGER seen AFTER INSERT ON child BEGIN UPDATE parent SET gone = 2 WHERE id = new.parent; END;
      INSERT INTO parent VALUES (1, 'one', 2460000.5, 'yes'), (2, 'two', NULL, NULL);
      INSERT INTO child VALUES (1, 1, 'x'), (2, 2, 'y');
      """)
    #expect(
      try connection.rows("SELECT * FROM parent ORDER BY id DESC") == [
        [.integer(2), .text("two"), .null, .integer(2)], [.integer(1), .text("one"), .real(2460000.5), .integer(2)],
      ])
    let schema = """
      CREATE TABLE parent (id INTEGER PRIMARY KEY, name TEXT NOT NULL CHECK (name <> ''), seen DATETIME, gone BOOLEAN);
      CREATE TABLE child (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parent ON DELETE CASCADE, at TEXT);
      CREATE INDEX by_name ON parent (name);
      CREATE TRIGGER seen AFTER INSERT ON child BEGIN UPDATE parent SET gone = 2 WHERE id = new.parent; END;
      """
    let target = try SchemaSource.sql(schema, source: "schema.sql").load().target
    let report = try Migrator(connection: connection, target: target).migrate()
    #expect(report.outcome == .applied)

    let again = try cluster.connection(to: "notes")
    #expect(try Migrator(connection: again, target: target).plan().isEmpty)
    #expect(try again.rows("SELECT id, name, seen, gone FROM parent ORDER BY id DESC LIMIT 1").count == 1)
    #expect(try again.integer("SELECT count(*) FROM child") == 2)
    #expect(try Ledger(connection: again).entries().count == 1)
  }
}

import OrderedCollections
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Schemas from dumps of the sqlite3 shell", .needs(.fts5))
struct DumpTests {
  @Test("a virtual table that a dump writes into the catalog is declared, and its own tables are not")
  func virtualTable() throws {
    let schema = try TemporaryDatabase.target(
      """
      PRAGMA writable_schema=ON;
      INSERT INTO sqlite_schema(type,name,tbl_name,rootpage,sql)VALUES('table','docs','docs',0,'CREATE VIRTUAL TABLE docs USING fts5(body, tokenize=''ascii'')');
      CREATE TABLE IF NOT EXISTS 'docs_data'(id INTEGER PRIMARY KEY, block BLOB);
      INSERT INTO docs_data VALUES(1,X'00');
      CREATE TABLE t (a);
      PRAGMA writable_schema=OFF;
      """
    ).schema
    #expect(schema.virtualTables.keys.map(\.text) == ["docs"])
    #expect(schema.tables.keys.map(\.text) == ["t"])
  }
}

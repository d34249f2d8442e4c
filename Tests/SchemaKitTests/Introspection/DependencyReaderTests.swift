import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Dependencies of views and triggers")
struct DependencyReaderTests {
  private func dependencies(_ sql: String) throws -> Dependencies {
    let connection = try SQLiteConnection.memory()
    try connection.execute(sql)
    let schema = try SchemaReader.read(connection)
    return try DependencyReader(connection: CatalogClone(of: connection, schema: schema).connection).read(schema)
  }

  private func names(_ references: Set<ColumnReference>?) -> [String] {
    (references ?? []).sorted().map { "\($0.table)" + ($0.column.map { ".\($0)" } ?? "") }
  }

  @Test("a view needs what its query names, SELECT * spelled out, and nothing else")
  func views() throws {
    let found = try dependencies(
      """
      CREATE TABLE t (a, b, c); CREATE TABLE u (x, y);
      CREATE VIEW some AS SELECT a FROM t WHERE b > 1;
      CREATE VIEW everything AS SELECT * FROM u;
      CREATE VIEW joined AS SELECT y FROM t JOIN u ON c = x;
      """)
    #expect(names(found.direct["some"]) == ["t.a", "t.b"])
    #expect(names(found.direct["everything"]) == ["u.x", "u.y"])
    #expect(names(found.direct["joined"]) == ["t.c", "u.x", "u.y"])
  }

  @Test("a view over a view needs what both need")
  func chain() throws {
    let found = try dependencies(
      "CREATE TABLE t (a, b, c); CREATE VIEW low AS SELECT a, b FROM t; CREATE VIEW high AS SELECT a FROM low")
    #expect(names(found.direct["high"]) == ["low.a"])
    #expect(names(found.all(of: "high")) == ["low.a", "t.a", "t.b"])
  }

  @Test("a trigger needs what its condition, body and UPDATE OF name, on the rows it fires for and elsewhere")
  func triggers() throws {
    let found = try dependencies(
      """
      CREATE TABLE t (a, b, c, d); CREATE TABLE log (what, old);
      CREATE TRIGGER on_update AFTER UPDATE OF c ON t WHEN new.a > 1 BEGIN INSERT INTO log (what, old) VALUES ('u', old.b); END;
      CREATE TRIGGER on_delete AFTER DELETE ON t BEGIN UPDATE log SET old = old.d WHERE what = 'x'; END;
      """)
    #expect(names(found.direct["on_update"]) == ["log", "t.a", "t.b", "t.c"])
    #expect(names(found.direct["on_delete"]) == ["log.old", "log.what", "t.d"])
  }

  @Test("a trigger that fires another is not charged with what that one needs")
  func nested() throws {
    let found = try dependencies(
      """
      CREATE TABLE a (x); CREATE TABLE b (y, z); CREATE TABLE c (w);
      CREATE TRIGGER first AFTER INSERT ON a BEGIN INSERT INTO b (y) VALUES (new.x); END;
      CREATE TRIGGER second AFTER INSERT ON b BEGIN INSERT INTO c (w) SELECT new.z; END;
      """)
    #expect(names(found.direct["first"]) == ["a.x", "b"])
    #expect(names(found.direct["second"]) == ["b.z", "c"])
  }

  @Test("INSTEAD OF triggers, quoted names and a function that this process lacks")
  func unusual() throws {
    let found = try dependencies(
      """
      CREATE TABLE "or""der" ("the key", b); CREATE VIEW v AS SELECT "the key" AS k, b FROM "or""der";
      CREATE TRIGGER "in stead" INSTEAD OF INSERT ON v BEGIN INSERT INTO "or""der" (b) VALUES (new.b); END;
      CREATE VIEW strange AS SELECT soundness(b) AS s FROM "or""der";
      """)
    #expect(names(found.direct["v"]) == ["or\"der.b", "or\"der.the key"])
    #expect(names(found.direct["in stead"]) == ["or\"der", "v.b"])
    #expect(names(found.direct["strange"]) == ["or\"der.b"])
  }
}

import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Fingerprint")
struct FingerprintTests {
  private func fingerprint(_ sql: String) throws -> String { Fingerprint.of(try SchemaText.schema(sql)) }

  @Test("it is 64 hexadecimal digits, the same in every run")
  func stable() throws {
    #expect(
      try Fingerprint.canonicalText(of: SchemaText.schema("CREATE TABLE T (A INT NOT NULL DEFAULT 1)"))
        == """
        schemakit schema 1
        table t strict false rowid true
        column a INT true  default 1 collate  as 
        """)
    #expect(Fingerprint.of(DatabaseSchema()) == SHA256.hexDigest(of: "schemakit schema 1"))
    #expect(try fingerprint("CREATE TABLE t (a)").count == 64)
  }

  @Test("the order of objects and parts is nothing to it")
  func order() throws {
    #expect(
      try fingerprint(
        "CREATE TABLE a (x UNIQUE, y UNIQUE, CHECK (x), CHECK (y)); CREATE TABLE b (z); CREATE INDEX i ON b (z);")
        == fingerprint(
          "CREATE TABLE b (z); CREATE INDEX i ON b (z); CREATE TABLE a (y UNIQUE, x UNIQUE, CHECK (y), CHECK (x));"))
  }

  @Test("statistics, SchemaKit's own tables and shadow tables are nothing to it")
  func notCovered() throws {
    let database = try TemporaryDatabase("CREATE TABLE t (a); CREATE INDEX i ON t (a); INSERT INTO t VALUES (1)")
    let before = Fingerprint.of(try SchemaReader.read(try database.connection()))
    try database.exec("ANALYZE")
    try database.migrate(to: "CREATE TABLE t (a); CREATE INDEX i ON t (a);")
    #expect(Fingerprint.of(try SchemaReader.read(try database.connection())) == before)
  }

  @Test("names that could run together are told apart")
  func noConfusion() throws {
    #expect(try fingerprint("CREATE TABLE t (\"a b\", c)") != fingerprint("CREATE TABLE t (a, \"b c\")"))
    #expect(
      try fingerprint("CREATE TABLE t (a, UNIQUE (a))")
        != fingerprint("CREATE TABLE t (a); CREATE UNIQUE INDEX u ON t (a)"))
  }

  @Test(
    "texts stand in it as Swift describes an array of them",
    arguments: [
      [], ["a"], ["a/binary/false", "b c"], ["it's"], ["a \"b\"", "c"], ["back\\slash"], ["ü", "tab\t"], [""],
    ])
  func lists(texts: [String]) { #expect(Fingerprint.list(texts) == "\(texts)") }

  @Test("all that a schema can say stands in it, in the form that ledgers have kept since the first")
  func wholeText() throws {
    let schema = try SchemaText.schema(
      """
      CREATE TABLE b (k TEXT COLLATE NOCASE, n INTEGER NOT NULL ON CONFLICT IGNORE, g AS (n + 1) STORED,
        PRIMARY KEY (k DESC), UNIQUE (n) ON CONFLICT REPLACE, CHECK (n > 0)) WITHOUT ROWID;
      CREATE TABLE "it's" (id INTEGER PRIMARY KEY AUTOINCREMENT, r REFERENCES b (n) ON DELETE CASCADE DEFERRABLE);
      CREATE UNIQUE INDEX i ON b (n DESC, lower(k)) WHERE n > 5;
      CREATE VIEW v AS SELECT 1;
      CREATE TRIGGER g AFTER DELETE ON b BEGIN SELECT 2; END;
      """)
    #expect(
      Fingerprint.canonicalText(of: schema) == """
        schemakit schema 1
        table b strict false rowid false
        column g  false  default  collate  as n + 1/true
        column k TEXT true  default  collate nocase as 
        column n INTEGER true IGNORE default  collate  as 
        key ["k/nocase/true"] false  false
        unique ["n//false"] REPLACE
        check n > 0
        table it's strict false rowid true
        column id INTEGER false  default  collate  as 
        column r  false  default  collate  as 
        key ["id//false"] true  true
        foreign ["r"] b ["n"] CASCADE NO ACTION  true false
        index i b true ["n/binary/true", "lower ( k )/binary/false"] n > 5
        view v select 1
        trigger g AFTER delete on b begin select 2 ;
        """)
  }
}

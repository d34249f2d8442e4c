import Testing

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
}

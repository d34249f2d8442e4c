import Testing

@testable import SchemaKit

@Suite("ForeignKeyGuard")
struct ForeignKeyGuardTests {
  private func connection(_ sql: String) throws -> SQLiteConnection {
    let connection = try SQLiteConnection.memory()
    try connection.execute(sql)
    return connection
  }

  @Test("violations are counted by child and parent")
  func counts() throws {
    let connection = try connection(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE q (id INTEGER PRIMARY KEY);
      CREATE TABLE c (p REFERENCES p, q REFERENCES q); CREATE TABLE d (p REFERENCES p);
      INSERT INTO p VALUES (1); INSERT INTO c VALUES (1, 5), (2, 5), (3, NULL); INSERT INTO d VALUES (9);
      """)
    let found = try ForeignKeyGuard(connection: connection).violations(of: ["c"])
    #expect(found.mapValues(\.count) == [.init(child: "c", parent: "p"): 2, .init(child: "c", parent: "q"): 2])
    #expect(try ForeignKeyGuard(connection: connection).violations(of: []).isEmpty)
    #expect(try ForeignKeyGuard(connection: connection).violations(of: ["c", "d"]).count == 3)
  }

  @Test("a key that fits no key of its parent is an answer")
  func mismatch() throws {
    let connection = try connection(
      "CREATE TABLE p (a); CREATE TABLE c (a REFERENCES p (a)); INSERT INTO c VALUES (1)")
    let found = try ForeignKeyGuard(connection: connection).violations(of: ["c"])
    #expect(found.values.compactMap(\.mismatch).count == 1)
    #expect(found.values.first?.mismatch?.contains("mismatch") == true)
  }

  @Test("the children of a change are the tables themselves and those that refer to them")
  func children() throws {
    let schema = try SchemaText.schema(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (p REFERENCES P); CREATE TABLE d (c REFERENCES c);
      CREATE TABLE e (a); CREATE TABLE s (id INTEGER PRIMARY KEY, up REFERENCES s);
      """)
    #expect(ForeignKeyGuard.children(in: schema, touching: ["p"]) == ["c"])
    #expect(ForeignKeyGuard.children(in: schema, touching: ["c"]) == ["c", "d"])
    #expect(ForeignKeyGuard.children(in: schema, touching: ["s", "e"]) == ["s"])
  }
}

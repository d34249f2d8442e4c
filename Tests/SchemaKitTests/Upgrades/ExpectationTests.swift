import Testing

@testable import SchemaKit
@testable import SchemaKitOperations

@Suite("Expectations of a test of upgrades")
struct ExpectationTests {
  @Test("rows stand in the comments directly behind a query, and other comments are remarks")
  func reading() throws {
    let read = try Expectation.read(
      """
      -- A remark.
      SELECT a, b -- not a row
      FROM t ORDER BY a;
      -- 1 | 'it''s | a bar'
        --  -2 |NULL

      -- Another remark.
      SELECT count(*) FROM t; -- 2
      WITH x AS (SELECT 1 ORDER BY 1) SELECT * FROM x WHERE 0
      -- (no rows)
      """.replacing("WHERE 0\n", with: "WHERE 0;\n"), file: "expect.sql")
    #expect(
      read.map { $0.rows.map(\.values) } == [
        [[.integer(1), .text("it's | a bar")], [.integer(-2), .null]], [[.integer(2)]], [],
      ])
    #expect(read.map(\.line) == [2, 8, 9])
    #expect(read[0].rows.map(\.line) == [4, 5])
    #expect(read.map(\.isOrdered) == [true, false, false])
  }

  @Test(
    "a value is read as SQL writes it, and written as it is read",
    arguments: [
      ("NULL", SQLValue.null), ("null", .null), ("-9223372036854775808", .integer(.min)), ("1.5", .real(1.5)),
      ("-1e3", .real(-1000)), ("1.0", .real(1)), ("''", .text("")), ("'1'", .text("1")), ("x'00fF'", .blob([0, 255])),
      ("9e999", .real(.infinity)), ("X''", .blob([])),
    ])
  func values(text: String, value: SQLValue) {
    #expect(SQLLiteral.row(text) == [value])
    #expect(SQLLiteral.row(SQLLiteral.text([value, value])) == [value, value])
  }

  @Test(
    "what is not a value is no row",
    arguments: [
      "abc", "\"a\"", "1 2", "1 |", "| 1", "1 || 2", "0x10", "x'0'", "- 'a'", "'a", "9223372036854775808", "",
    ])
  func wrong(text: String) { #expect(SQLLiteral.row(text) == nil) }

  @Test(
    "what is not a query with its rows is an error with its line",
    arguments: [
      ("SELECT 1;", 1), ("SELECT 1;\n\n-- 1", 1), ("SELECT 1;\n-- one", 2), ("SELECT 1, 2;\n-- 1 | 2\n-- 1", 3),
      ("\nDELETE FROM t;\n-- 1", 2), ("SELECT 1;\n-- 1\n-- (no rows)", 3), ("SELECT 'a", 1),
    ])
  func faults(text: String, line: Int) throws {
    let error = try #require(throws: SchemaError.self) { try Expectation.read(text, file: "expect.sql") }
    #expect(error.line == line && error.source == "expect.sql")
  }

  @Test("the order of rows counts only where the query has one, and a message has no value of a row")
  func order() throws {
    let connection = try SQLiteConnection.memory()
    try connection.execute("CREATE TABLE t (a); INSERT INTO t VALUES ('secret'), (2)")
    func finding(_ text: String) throws -> UpgradeFinding? {
      try Expectation.read(text, file: "e.sql")[0].finding(on: connection, .direct)
    }
    #expect(try finding("SELECT a FROM t;\n-- 2\n-- 'secret'") == nil)
    #expect(try finding("SELECT a FROM t ORDER BY rowid;\n-- 'secret'\n-- 2") == nil)
    let swapped = try #require(try finding("SELECT a FROM t ORDER BY rowid;\n-- 2\n-- 'secret'"))
    #expect(swapped.line == 2 && swapped.code == .expectation)
    let other = try #require(try finding("SELECT a FROM t;\n-- 2\n-- 'public'"))
    #expect(other.line == 3 && !other.message.contains("secret"))
    #expect(other.values.contains("-- 'secret'"))
    #expect(try finding("SELECT b FROM t;\n-- 1")?.message.contains("no such column") == true)
  }

  @Test("names of cases come in the order of the numbers in them")
  func names() {
    let names = ["1.10", "1.9", "1.9-b", "v2", "1.09", "10", "9", "1.9.1", "1.0"]
    #expect(
      names.sorted { UpgradeCase.isBefore($0, $1) } == [
        "1.0", "1.09", "1.9", "1.9-b", "1.9.1", "1.10", "9", "10", "v2",
      ])
  }
}

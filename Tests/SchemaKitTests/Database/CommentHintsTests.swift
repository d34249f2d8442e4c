import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitOperations

@Suite("Hints in comments, and whose they are")
struct CommentHintsTests {
  private func hints(_ sql: String) throws -> TableHints? {
    try SchemaSource.sql(sql, source: "a.sql").load().target.hints.tables["t"]
  }

  @Test(
    "a hint is about the column whose definition it stands in or behind",
    arguments: [
      ("a INT /* schemakit: fill 1 */, b INT", "a"),
      ("a /* schemakit: fill 1 */ INT, b INT", "a"),
      ("a INT DEFAULT (max(1, 2)) /* schemakit: fill 1 */, b INT", "a"),
      ("a INT\n DEFAULT 2 /* schemakit: fill 1 */, b INT", "a"),
      ("a INT\n DEFAULT /* schemakit: fill 1 */ 2, b INT", "a"),
      ("a INT\n -- schemakit: fill 1\n, b INT", "a"),
      ("a INT, b INT -- schemakit: fill 1\n", "b"),
      ("a INT, b INT, -- schemakit: fill 1\n c INT", "b"),
      ("a INT, -- schemakit: fill 1\n b INT", "a"),
      ("\n/* schemakit: fill 1 */ a INT, b INT", "a"),
      ("a INT,\n/* schemakit: fill 1 */ b INT", "b"),
      ("\"ä\" INT /* schemakit: fill 1 */, b INT", "ä"),
    ])
  func owner(columns: String, expected: String) throws {
    let hints = try #require(try hints("CREATE TABLE t (\(columns))"))
    #expect(hints.columns.filter { $0.value.backfill == "1" }.keys.map(\.text) == [expected])
  }

  @Test(
    "a remark behind an expression is not part of it",
    arguments: [
      ("length(a) -- how long", "length(a)"), ("a || '--' -- joined", "a || '--'"),
      ("a || '/* x */'", "a || '/* x */'"),
      ("a - -1", "a - -1"), ("replace(a, '-', '')", "replace(a, '-', '')"),
    ])
  func remarks(text: String, expression: String) throws {
    let hints = try #require(try hints("CREATE TABLE t (\n a TEXT, -- schemakit: convert \(text)\n b INT)"))
    #expect(hints.columns["a"]?.conversion == expression)
    let step = try MigrationDirectives(of: "-- schemakit: convert t.a = \(text)\n", source: "1.sql")
    #expect(step.conversions.map(\.expression) == [expression])
  }

  @Test("the word that a hint begins with belongs to a text or a quoted name that it stands in")
  func quotedHint() throws {
    let hints = try #require(
      try hints(
        """
        CREATE TABLE t (
          a TEXT, -- schemakit: renamed from b -- schemakit: fill 'see -- schemakit: fill 5'
          "schemakit: x" TEXT, -- schemakit: fill "schemakit: x" || 'it''s' -- schemakit: renamed from c
          d INT
        )
        """))
    #expect(hints.columns["a"]?.backfill == "'see -- schemakit: fill 5'")
    #expect(hints.columns["a"]?.renamedFrom == ["b"])
    #expect(hints.columns["schemakit: x"]?.backfill == "\"schemakit: x\" || 'it''s'")
    #expect(hints.columns["schemakit: x"]?.renamedFrom == ["c"])
  }

  @Test("before the columns a hint is about the table, and what may go is about no column wherever it stands")
  func table() throws {
    let renamed = try #require(try hints("CREATE TABLE t /* schemakit: renamed from u */ (a INT, b INT)"))
    #expect(renamed.renamedFrom == ["u"] && renamed.columns.isEmpty)
    let removed = try #require(try hints("CREATE TABLE t (a INT, /* schemakit: removed c */ b INT)"))
    #expect(removed.removedColumns == ["c"])
  }

  @Test("between two columns of a line a hint is an error that names both, and says where to put it")
  func between() throws {
    let error = try #require(throws: SchemaError.self) {
      try hints("CREATE TABLE t (a INT, /* schemakit: fill 1 */ b INT)")
    }
    #expect(error.problem.hasPrefix("this hint could be about a or about b; put it before the comma, or on a line"))
    #expect(error.line == 1 && error.column == 24)
  }

  @Test("a fill or a conversion of a generated column is an error", arguments: ["fill 1", "convert a + 1"])
  func generated(hint: String) throws {
    let error = try #require(throws: SchemaError.self) {
      try hints("CREATE TABLE t (a INT, b INT NOT NULL AS (a) STORED /* schemakit: \(hint) */)")
    }
    #expect(error.problem.hasPrefix("the expression of column b gives all its values"))
    #expect(try hints("CREATE TABLE t (a INT, b INT AS (a) /* schemakit: renamed from c */)") != nil)
  }
}

import Testing

@testable import SchemaKit

@Suite("ConstraintAlterRule")
struct ConstraintAlterRuleTests {
  private func part(
    _ from: String, _ to: String, version: SQLiteVersion = SQLiteVersion(3, 53), hasRows: Bool = true,
    fills: Bool = false
  ) throws -> ConstraintAlterRule.Part {
    try ConstraintAlterRule.part(
      of: SchemaText.change("CREATE TABLE t (\(from))", "CREATE TABLE t (\(to))"),
      capabilities: Capabilities(version: version), hasRows: hasRows
    ) { _ in fills }
  }

  @Test("NOT NULL and CHECKs with names are dropped before anything is set")
  func statements() throws {
    let part = try part(
      "a NOT NULL, b, c CONSTRAINT k CHECK (c > 0)", "a, b NOT NULL ON CONFLICT IGNORE, c", hasRows: false)
    #expect(
      part.statements == [
        "ALTER TABLE \"main\".\"t\" ALTER COLUMN \"a\" DROP NOT NULL",
        "ALTER TABLE \"main\".\"t\" DROP CONSTRAINT \"k\"",
        "ALTER TABLE \"main\".\"t\" ALTER COLUMN \"b\" SET NOT NULL ON CONFLICT IGNORE",
      ])
    #expect(part.rest.isEmpty)
  }

  @Test("what ALTER TABLE cannot do, or would do wrongly, is left to others")
  func rest() throws {
    #expect(try !part("a CHECK (a > 0)", "a").rest.droppedChecks.isEmpty)
    #expect(try !part("a", "a CHECK (a > 0)").rest.addedChecks.isEmpty)
    #expect(try part("a", "a CHECK (a > 0)", hasRows: false).rest.isEmpty)
    #expect(try !part("a", "a NOT NULL DEFAULT 1", fills: true).rest.changedColumns.isEmpty)
    #expect(try !part("a", "a NOT NULL", fills: true).rest.changedColumns.isEmpty)
    #expect(try !part("a INT NOT NULL", "a TEXT").rest.changedColumns.isEmpty)
    #expect(try part("a NOT NULL", "a", version: SQLiteVersion(3, 52)).statements.isEmpty)
  }

  @Test(
    "SQLite itself takes the statements, and the table reads back as declared", .needs(.alterConstraints),
    arguments: [0, 1])
  func engine(count: Int) throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE t (a NOT NULL, b, c CONSTRAINT k CHECK (c > 0));"
        + rows(count) { "INSERT INTO t VALUES (\($0), 2, 3)" })
    let target = "CREATE TABLE t (a, b NOT NULL ON CONFLICT IGNORE, c)"
    #expect(try file.migrate(to: target).plan.steps.map(\.strategy) == [.native])
    try file.expectSettled(at: target)
    #expect(try file.query("SELECT * FROM t").count == count)
  }
}

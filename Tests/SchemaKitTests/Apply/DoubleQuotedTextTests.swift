import Testing

@testable import SchemaKit

/// See [Double-quoted String Literals Are Accepted](https://sqlite.org/quirks.html#dblquote): a name in double quotes that
/// names nothing is a text. What the author wrote so is taken; what becomes one because a column goes is not.
@Suite("Texts in double quotes in views and triggers")
struct DoubleQuotedTextTests {
  @Test("a new view or trigger may hold one")
  func new() throws {
    let file = try TemporaryDatabase("CREATE TABLE t (a, b); INSERT INTO t VALUES ('yes', 1)")
    let sql = """
      CREATE TABLE t (a, b); CREATE VIEW v AS SELECT a, "lit" AS l FROM t WHERE a = "yes";
      CREATE TRIGGER g AFTER INSERT ON t WHEN new.a = "no" BEGIN SELECT 1; END;
      """
    #expect(try file.plan(to: sql).refusals(under: .lossless).isEmpty)
    try file.migrate(to: sql)
    #expect(try file.query("SELECT * FROM v") == [[.text("yes"), .text("lit")]])
    #expect(try file.plan(to: sql).isEmpty)
  }

  @Test("beside a view with one, a column is dropped, and the view keeps its words", .needs(.dropColumn))
  func beside() throws {
    let view = #"CREATE VIEW v AS SELECT a, "lit" AS l FROM t"#
    let file = try TemporaryDatabase("CREATE TABLE t (a TEXT, b); INSERT INTO t VALUES ('x', 1); \(view)")
    try file.migrate(to: "CREATE TABLE t (a TEXT); \(view)", allowing: .destructive)
    #expect(try file.sql(of: "v") == view)
    #expect(try file.query("SELECT * FROM v") == [[.text("x"), .text("lit")]])
  }

  @Test("a view whose column goes is blocked in the plan, and does not take the column's name for a text")
  func gone() throws {
    let view = #"CREATE VIEW v AS SELECT a, "b" FROM t;"#
    let file = try TemporaryDatabase("CREATE TABLE t (a, b); \(view) INSERT INTO t VALUES (1, 2)")
    let plan = try file.plan(to: "CREATE TABLE t (a); \(view)")
    #expect(
      plan.hazards.contains { $0.code == .brokenObject && !$0.isNote && $0.message.contains("no such column: b") })
    #expect(throws: PlanError.self) { try file.migrate(to: "CREATE TABLE t (a); \(view)", allowing: .everything) }
    #expect(try file.query("SELECT * FROM v") == [[.int(1), .int(2)]])
  }
}

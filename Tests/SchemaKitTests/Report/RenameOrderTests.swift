import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitReports

@Suite("The order of renames in a plan as text")
struct RenameOrderTests {
  /// The renames of the plan's text, and those of its script.
  private func renames(from old: String, to new: String, isVerbose: Bool = false) throws -> (
    text: [String], script: [String]
  ) {
    let plan = try TemporaryDatabase(old).plan(to: new)
    let text = PlanReport(plan, database: "a.db").text(isVerbose: isVerbose)
    let lines = text.split(separator: "\n").compactMap { line in
      line.firstRange(of: "ALTER TABLE").map { String(line[$0.lowerBound...]) }
    }
    return (lines.filter { $0.contains(" RENAME ") }, plan.statements.map(\.sql).filter { $0.contains(" RENAME ") })
  }

  @Test("the renames of an exchange stand in the order in which they run", arguments: [false, true])
  func exchange(isVerbose: Bool) throws {
    let (text, script) = try renames(
      from: "CREATE TABLE a (id INTEGER PRIMARY KEY, x); CREATE TABLE b (id INTEGER PRIMARY KEY, y);",
      to: """
        CREATE TABLE a ( -- schemakit: renamed from b
          id INTEGER PRIMARY KEY, y);
        CREATE TABLE b ( -- schemakit: renamed from a
          id INTEGER PRIMARY KEY, x);
        """, isVerbose: isVerbose)
    #expect(script.count == 3)
    #expect(text == script)
  }

  @Test("the renames of a circle of three stand in the order in which they run, beside one of case alone")
  func circle() throws {
    let (text, script) = try renames(
      from: "CREATE TABLE a (x); CREATE TABLE b (y); CREATE TABLE c (z); CREATE TABLE note (n);",
      to: """
        CREATE TABLE a ( -- schemakit: renamed from c
          z);
        CREATE TABLE b ( -- schemakit: renamed from a
          x);
        CREATE TABLE c ( -- schemakit: renamed from b
          y);
        CREATE TABLE Note (n);
        """)
    #expect(script.count == 6)
    #expect(text == script)
  }

  @Test("the renames of columns that change places stand before what else is done to their table")
  func columns() throws {
    let (text, script) = try renames(
      from: "CREATE TABLE t (id INTEGER PRIMARY KEY, a INT, b TEXT, c TEXT);",
      to: """
        CREATE TABLE u ( -- schemakit: renamed from t
          id INTEGER PRIMARY KEY,
          a TEXT, -- schemakit: renamed from b
          b INT, -- schemakit: renamed from a
          c TEXT NOT NULL DEFAULT 'none');
        """, isVerbose: true)
    #expect(Array(text.prefix(script.count)) == script)
    #expect(script.count >= 4)
  }
}

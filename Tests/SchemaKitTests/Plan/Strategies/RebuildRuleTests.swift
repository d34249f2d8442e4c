import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("RebuildRule")
struct RebuildRuleTests {
  /// Two versions of a table and why the second takes a rebuild.
  struct Case: CustomStringConvertible {
    var from: String
    var to: String
    var reasons: [String]
    /// A row of the old table, and one that the new one refuses.
    var row: String
    var violatingRow: (sql: String, code: HazardCode)?
    var description: String { "\(from) → \(to)" }
    var old: String { "CREATE TABLE t \(from)" }
    var new: String { "CREATE TABLE t \(to)" }
  }

  static let cases = [
    Case(
      from: "(a TEXT, b TEXT)", to: "(a INT, b TEXT)", reasons: ["type of a"], row: "('1', 'x')",
      violatingRow: (sql: "('01234', 'x')", code: .lossyConversion)),
    Case(
      from: "(a INT, b TEXT)", to: "(a INT NOT NULL, b TEXT)", reasons: ["NOT NULL of a"], row: "(1, 'x')",
      violatingRow: (sql: "(NULL, 'x')", code: .nullsUnderNotNull)),
    Case(from: "(a INT NOT NULL, b TEXT)", to: "(a INT, b TEXT)", reasons: ["NOT NULL of a"], row: "(1, 'x')"),
    Case(from: "(a INT, b TEXT)", to: "(a INT DEFAULT 5, b TEXT)", reasons: ["default of a"], row: "(1, 'x')"),
    Case(
      from: "(a INT, b TEXT)", to: "(a INT, b TEXT COLLATE NOCASE)", reasons: ["collation of b"], row: "(1, 'x')"),
    Case(
      from: "(a INT NOT NULL, b TEXT)", to: "(a INT NOT NULL ON CONFLICT IGNORE, b TEXT)",
      reasons: ["ON CONFLICT of a"], row: "(1, 'x')"),
    Case(
      from: "(a INT, b TEXT)", to: "(a INT NOT NULL DEFAULT 1, b INT)",
      reasons: ["type, NOT NULL, default of columns"], row: "(1, '5')"),
    Case(
      from: "(a INT, b TEXT)", to: "(a INTEGER PRIMARY KEY, b TEXT)",
      reasons: ["type of a", "the primary key"], row: "(1, 'x')",
      violatingRow: (sql: "('x', 'x')", code: .notStorable)),
    Case(
      from: "(a INT, b TEXT)", to: "(a INT, b TEXT, UNIQUE (a))", reasons: ["a UNIQUE constraint"], row: "(1, 'x')",
      violatingRow: (sql: "(1, 'x'), (1, 'y')", code: .duplicates)),
    Case(
      from: "(a INT, b TEXT)", to: "(a INT, b TEXT, CHECK (a > 0))", reasons: ["a CHECK constraint"], row: "(1, 'x')",
      violatingRow: (sql: "(0, 'x')", code: .failingCheck)),
    Case(
      from: "(a INT, b TEXT, CHECK (a > 0))", to: "(a INT, b TEXT)", reasons: ["a CHECK constraint"], row: "(1, 'x')"),
    Case(
      from: "(a INTEGER PRIMARY KEY, b INT)", to: "(a INTEGER PRIMARY KEY, b INT REFERENCES t)",
      reasons: ["a foreign key"], row: "(1, 1)", violatingRow: (sql: "(1, 2)", code: .orphans)),
    Case(
      from: "(a INT, b TEXT)", to: "(a INT, b TEXT) STRICT", reasons: ["STRICT"], row: "(1, 'x')",
      violatingRow: (sql: "('x', 'x')", code: .notStorable)),
    Case(
      from: "(a INT PRIMARY KEY NOT NULL, b TEXT)", to: "(a INT PRIMARY KEY NOT NULL, b TEXT) WITHOUT ROWID",
      reasons: ["WITHOUT ROWID"], row: "(1, 'x')"),
    Case(
      from: "(a INTEGER PRIMARY KEY, b TEXT)", to: "(a INTEGER PRIMARY KEY AUTOINCREMENT, b TEXT)",
      reasons: ["the primary key"], row: "(1, 'x')"),
    Case(
      from: "(a INT, b INT)", to: "(a INT, b INT AS (a + 1))", reasons: ["generated value of b"], row: "(1, 2)"),
  ]

  @Test("it names what no ALTER can do", arguments: cases)
  func reasons(_ example: Case) throws {
    #expect(
      try RebuildRule.rejections(of: SchemaText.change(example.old, example.new)).map(\.sentence) == example.reasons)
  }

  @Test("through a database with no row and with one, the table is rebuilt and settled", arguments: cases, [0, 1])
  func throughDatabase(_ example: Case, count: Int) throws {
    let database = try TemporaryDatabase(
      example.old + ";" + rows(count) { _ in "INSERT INTO t VALUES \(example.row)" })
    let report = try database.rebuild("t", to: example.new + ";", allowing: .everything)
    #expect(report.plan.steps.map(\.strategy) == [.rebuild])
    // NOT NULL and CHECK can be altered on newer versions.
    if !Engine.has(.alterConstraints) {
      #expect(report.plan.steps.first?.reason?.contains(example.reasons.joined(separator: ", ")) == true)
    }
    #expect(try database.value("SELECT count(*) FROM t") == .int(Int64(count)))
    if count == 1 { #expect(try database.value("SELECT a FROM t").map { "\($0)" }?.contains("1") == true) }
  }

  @Test("a violating row is refused by its code, and the file stays", arguments: cases)
  func violatingRow(_ example: Case) throws {
    guard let violation = example.violatingRow else { return }
    let database = try TemporaryDatabase(example.old + "; INSERT INTO t VALUES \(violation.sql)")
    let refusals = try database.refusals(to: example.new + ";")
    let blocked = refusals.filter { $0.hazardClass == .blocked }
    #expect((blocked.isEmpty ? refusals : blocked).map(\.code) == [violation.code])
  }

  @Test(
    "whole columns that come and go need none",
    arguments: [
      ("(a INT)", "(a INT, b INT)"), ("(a INT, b INT)", "(a INT)"), ("(a INT)", "(a INT, b INT CHECK (b > 0))"),
      ("(a INT, b INT)", "(b INT, a INT)"), ("(a INT)", "(a int)"),
    ])
  func noReason(from: String, to: String) throws {
    #expect(try RebuildRule.rejections(of: SchemaText.change("CREATE TABLE t \(from)", "CREATE TABLE t \(to)")).isEmpty)
  }

  @Test("the order of columns is a reason only where it is asked for")
  func order() throws {
    let from = try SchemaText.table("CREATE TABLE t (a INT, b INT)")
    let to = try SchemaText.table("CREATE TABLE t (b INT, a INT)")
    #expect(
      RebuildRule.rejections(of: TableChange(from: from, to: to, isOrderStrict: true)) == [Rejection(.columnOrder)])
  }
}

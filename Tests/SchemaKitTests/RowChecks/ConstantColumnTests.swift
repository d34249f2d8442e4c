import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Row checks: new columns that have one value in all rows")
struct ConstantColumnTests {
  private func constant(_ definition: String, hints: TableHints = TableHints()) throws -> String? {
    let change = try SchemaText.change("CREATE TABLE t (a)", "CREATE TABLE t (a, \(definition))")
    let projection = RowProjection(source: change.from, target: change.to, hints: hints, sourceName: { $0 }, names: [])
    return projection.constants["v"]
  }

  /// What a CHECK can notice of a value: its kind, its bytes, and how it compares.
  private static let observations = [
    "typeof(v)", "quote(v)", "v = 5", "v = '5'", "v = '5.0'", "v < 'a'", "v < 6", "v > '10'", "v IN (1, '1.5', 'x')",
    "v IN ('0', 0.5)", "v BETWEEN '1' AND '9'", "v IS '0'", "v IS 1", "v || ''", "typeof(v + 0)", "v = 'X'",
    "v LIKE 'X'", "v AND 1", "length(v)", "min(v, '3')", "CASE v WHEN '1' THEN 'one' WHEN 0 THEN 'none' END", "v = a",
    "v < a",
  ]

  @Test("a query gives what SQLite stores, in every way that a condition can see", arguments: AbsentValueTests.types)
  func engine(type: String) throws {
    var seen = 0
    for value in AbsentValueTests.defaults {
      let definition = "v \(type) DEFAULT \(value)"
      guard let constant = try constant(definition) else { continue }
      seen += 1
      for other in ["a", "a TEXT", "a INT", "a TEXT COLLATE NOCASE"] {
        let file = try TemporaryDatabase(
          "CREATE TABLE t (\(other), \(definition)); INSERT INTO t (a) VALUES ('5'), ('X'), ('ABC'), (NULL)")
        let terms = Self.observations.joined(separator: ", ")
        let stored = try file.query("SELECT \(terms) FROM t ORDER BY a")
        let given = try file.query("SELECT \(terms) FROM (SELECT a, \(constant) AS v FROM t) AS t ORDER BY a")
        #expect(stored == given, "\(definition) beside \(other), as \(constant)")
      }
    }
    #expect(seen > 1 || ["BLOB", ""].contains(type))
  }

  @Test("common defaults are among them, and what depends on more is not")
  func which() throws {
    for definition in [
      "v INT", "v INTEGER NOT NULL DEFAULT 0", "v REAL DEFAULT 1.5", "v BOOLEAN NOT NULL DEFAULT FALSE",
      "v TEXT DEFAULT ''",
    ] {
      #expect(try constant(definition) != nil, "\(definition)")
    }
    for definition in [
      "v", "v BLOB", "v TEXT COLLATE NOCASE DEFAULT ''", "v TEXT DEFAULT CURRENT_TIMESTAMP", "v INT DEFAULT (abs(-5))",
      "v TEXT DEFAULT 5", "v INT DEFAULT '5'", "v NUMERIC DEFAULT 1.0", "v AS (a)", "v INTEGER PRIMARY KEY",
    ] {
      #expect(try constant(definition) == nil, "\(definition)")
    }
    var hints = TableHints()
    hints.columns["v"] = ColumnHints(backfill: "a")
    #expect(try constant("v INT DEFAULT 0", hints: hints) == nil)
  }
}

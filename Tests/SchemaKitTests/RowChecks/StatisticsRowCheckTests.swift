import Testing

@testable import SQLiteSchema
@testable import SchemaKit

// P60: the statistics of ANALYZE tell SQLite how many rows a search finds. Those that outlive a change must be true of
// what they are about then.
@Suite("Row checks: statistics of ANALYZE")
struct StatisticsRowCheckTests {
  private static let key = "CREATE TABLE t (id INTEGER PRIMARY KEY, a INT, b INT, c TEXT"
  private static let indexes = "CREATE INDEX i ON t (b); CREATE INDEX j ON t (a, c);"
  private static let before = "\(key), UNIQUE (c), UNIQUE (a, b)); \(indexes)"

  /// Schemas after the change, and how many of the four statistics are still there.
  static let changes: [(String, after: String, kept: Int)] = [
    ("a copy", "\(key), UNIQUE (c), UNIQUE (a, b), CHECK (id)); \(indexes)", 4),
    ("a copy without the first constraint", "\(key), UNIQUE (a, b)); \(indexes)", 3),
    ("a copy without the second constraint", "\(key), UNIQUE (c)); \(indexes)", 3),
    (
      "a copy with the constraints in another order",
      "\(key), UNIQUE (a, b), UNIQUE (c), CHECK (id)); \(indexes)", 4
    ),
    (
      "a copy with a constraint before the others",
      "\(key), UNIQUE (b), UNIQUE (c), UNIQUE (a, b)); \(indexes)", 4
    ),
    ("a copy with a wider constraint", "\(key), UNIQUE (c), UNIQUE (a, b, c)); \(indexes)", 3),
    (
      "a copy with another collation",
      "\(key) COLLATE NOCASE, UNIQUE (c), UNIQUE (a, b)); \(indexes)", 2
    ),
    (
      "a copy under another name",
      """
      \(key.replacing("TABLE t (", with: "TABLE u ( -- schemakit: renamed from t\n")), UNIQUE (a, b));
      \(indexes.replacing("ON t", with: "ON u"))
      """, 3
    ),
    (
      "a copy with another index of the same name",
      "\(key), UNIQUE (c), UNIQUE (a, b), CHECK (id)); CREATE INDEX i ON t (a); CREATE INDEX j ON t (a, c);",
      3
    ),
    ("an index that goes", "\(key), UNIQUE (c), UNIQUE (a, b)); CREATE INDEX j ON t (a, c);", 3),
    ("a new column", "\(key), d INT, UNIQUE (c), UNIQUE (a, b)); \(indexes)", 4),
  ]

  @Test(
    "what is left of them is what ANALYZE says of the changed table", arguments: changes.indices,
    RowCase.counts)
  func truth(index: Int, rows: Int) throws {
    let (name, after, kept) = Self.changes[index]
    let file = try RowCase(
      name: name, before: Self.before,
      fill: ["INSERT INTO t SELECT i, i % 2, i, 'c' || (i % 100000) FROM n"],
      after: after, code: .nullsUnderNotNull, object: "", offending: "", last: "ANALYZE"
    ).file(rows: rows, journalMode: "delete")
    let statistics =
      "SELECT tbl, idx, stat FROM sqlite_stat1 WHERE tbl IN ('t', 'u') ORDER BY tbl, idx"
    #expect(try file.query(statistics).count == (rows == 0 ? 0 : 4))
    try file.migrate(to: after, allowing: name.hasPrefix("a copy") ? .copying : .lossless)
    let left = try file.query(statistics)
    try file.exec("ANALYZE")
    let fresh = try file.query(statistics)
    #expect(Set(left).isSubset(of: fresh), "\(name): \(left) instead of \(fresh)")
    #expect(left.count == (rows == 0 ? 0 : kept), "\(name): \(left)")
    try file.expectSettled(at: after)
  }
}

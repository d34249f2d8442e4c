import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Row checks: NULL under a new NOT NULL")
struct NullRowCheckTests {
  /// A table whose `v` is NULL in every third row.
  private static func column(
    _ name: String, _ after: String, offending: String = "SELECT CAST(id AS TEXT) FROM t WHERE v IS NULL",
    object: String = "t.v", others: Set<HazardCode> = []
  ) -> RowCase {
    RowCase(
      name: name, before: "CREATE TABLE t (id INTEGER PRIMARY KEY, v INT);",
      fill: ["INSERT INTO t SELECT i, CASE WHEN i % 3 <> 1 THEN i END FROM n"],
      after: "CREATE TABLE t (\nid INTEGER PRIMARY KEY,\n\(after)\n);", code: .nullsUnderNotNull, object: object,
      offending: offending, others: others)
  }

  private static func key(
    _ name: String, _ before: String, _ after: String, object: String, others: Set<HazardCode> = []
  )
    -> RowCase
  {
    RowCase(
      name: name, before: "CREATE TABLE t (\(before), b INT);",
      fill: ["INSERT INTO t SELECT CASE WHEN i % 4 <> 1 THEN i END, i FROM n"], after: after,
      code: .nullsUnderNotNull, object: object, offending: "SELECT 'rowid ' || rowid FROM t WHERE a IS NULL",
      others: others)
  }

  static let cases = [
    column("NOT NULL", "v INT NOT NULL"),
    column("NOT NULL under another name", "w INT NOT NULL -- schemakit: renamed from v", object: "t.w"),
    column("NOT NULL with a default of NULL", "v INT NOT NULL DEFAULT NULL"),
    column("NOT NULL with a default fills, which is a note", "v INT NOT NULL DEFAULT 7"),
    column(
      "a backfill that gives NULL", "v INT NOT NULL -- schemakit: fill nullif(id % 5, 1)",
      offending: "SELECT CAST(id AS TEXT) FROM t WHERE v IS NULL AND id % 5 = 1"),
    column(
      "a conversion that gives NULL",
      "v TEXT NOT NULL -- schemakit: convert CASE WHEN v > 50 THEN 'n' || v END",
      offending: "SELECT CAST(id AS TEXT) FROM t WHERE v IS NULL OR v <= 50"),
    column(
      "a new column without a default", "v INT, w TEXT NOT NULL", offending: "SELECT CAST(id AS TEXT) FROM t",
      object: "t.w"),
    column(
      "a new computed column", "v INT, w INT AS (v + 1) NOT NULL",
      offending: "SELECT CAST(id AS TEXT) FROM t WHERE v + 1 IS NULL", object: "t.w"),
    key(
      "P16: INT PRIMARY KEY becomes the rowid", "a INT PRIMARY KEY",
      "CREATE TABLE t (a INTEGER PRIMARY KEY, b INT);", object: "t.a"),
    key(
      "P16: INTEGER PRIMARY KEY DESC becomes the rowid", "a INTEGER PRIMARY KEY DESC",
      "CREATE TABLE t (a INTEGER PRIMARY KEY, b INT);", object: "t.a"),
    key(
      "P17: WITHOUT ROWID", "a TEXT PRIMARY KEY", "CREATE TABLE t (a TEXT PRIMARY KEY, b INT) WITHOUT ROWID;",
      object: "t.a"),
    key("P17: STRICT", "a TEXT PRIMARY KEY", "CREATE TABLE t (a TEXT PRIMARY KEY, b INT) STRICT;", object: "t.a"),
    RowCase(
      name: "a computed column whose expression changes",
      before: "CREATE TABLE t (id INTEGER PRIMARY KEY, v INT, g INT AS (v) STORED NOT NULL);",
      fill: ["INSERT INTO t (id, v) SELECT i, i % 3 FROM n"],
      after: "CREATE TABLE t (id INTEGER PRIMARY KEY, v INT, g INT AS (nullif(v, 1)) STORED NOT NULL);",
      code: .nullsUnderNotNull, object: "t.g", offending: "SELECT CAST(id AS TEXT) FROM t WHERE v = 1"),
  ]

  @Test("every row that would hold NULL is counted before the first write", arguments: cases, RowCase.counts)
  func nulls(rowCase: RowCase, rows: Int) throws { try rowCase.check(rows: rows) }

  @Test("P29: a default takes the place of NULL and of nothing else", arguments: RowCase.counts)
  func filled(rows: Int) throws {
    let file = try Self.cases[3].file(rows: rows, journalMode: "delete")
    try file.migrate(to: Self.cases[3].after)
    #expect(
      try file.value("SELECT count(*) FROM t WHERE v = CASE WHEN id % 3 = 1 THEN 7 ELSE id END") == .int(Int64(rows)))
  }

  @Test("a fill is evaluated on the rows that it is for, and on no other")
  func fill() throws {
    let file = try TemporaryDatabase(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, j TEXT);
      INSERT INTO t VALUES (1, NULL, '{"x": 7}'), (2, 'here', 'no JSON');
      """)
    let target = """
      CREATE TABLE t (id INTEGER PRIMARY KEY,
        a TEXT NOT NULL, -- schemakit: fill json_extract(j, '$.x')
        j TEXT);
      """
    try file.migrate(to: target)
    #expect(try file.query("SELECT a FROM t") == [[.text("7")], [.text("here")]])
    let broken = try TemporaryDatabase(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, j TEXT); INSERT INTO t VALUES (1, NULL, 'no JSON')")
    #expect(try broken.refusals(to: target).map(\.code).contains(.failingCheck))
  }

  @Test(
    "where a fill gave NULL, the fill is what is to be mended",
    arguments: [
      ("v INT NOT NULL DEFAULT 7, -- schemakit: fill nullif(id, 1)", "fill", "DEFAULT"),
      ("v INT NOT NULL, -- schemakit: fill nullif(id, 1)", "fill", "DEFAULT"),
      ("v TEXT NOT NULL, -- schemakit: convert nullif(v, 5)", "Declare a DEFAULT", "The fill"),
      ("v INT NOT NULL,", "Declare a DEFAULT", "The fill"),
    ])
  func remedy(column: String, word: String, other: String) throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, v INT, w INT); INSERT INTO t VALUES (1, NULL, 1), (2, 5, 1)")
    let plan = try file.plan(to: "CREATE TABLE t (id INTEGER PRIMARY KEY,\n\(column)\nw INT);")
    let hazard = try #require(plan.hazards.first { $0.code == .nullsUnderNotNull })
    #expect(hazard.remedy?.contains(word) == true, "\(hazard.remedy ?? "")")
    #expect(hazard.remedy?.contains(other) == false, "\(hazard.remedy ?? "")")
  }
}

import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Row checks: duplicates under a new key")
struct DuplicateRowCheckTests {
  private static func pairs(
    _ name: String, v: String, _ after: String, same: String, where condition: String = "TRUE",
    column: String = "v TEXT", others: Set<HazardCode> = []
  ) -> RowCase {
    RowCase(
      name: name, before: "CREATE TABLE t (id INTEGER PRIMARY KEY, \(column), w INT);",
      fill: ["INSERT INTO t SELECT i, \(v), i % 5 FROM n"], after: "CREATE TABLE t (id INTEGER PRIMARY KEY, \(after);",
      code: .duplicates, object: "t",
      offending: """
        SELECT CAST(id AS TEXT), \(same) FROM t WHERE \(condition) AND \(same) IN (
          SELECT \(same) FROM t WHERE \(condition) GROUP BY \(same) HAVING count(*) > 1)
        """, others: others)
  }

  private static let spaced = "'a' || (i / 2) || CASE WHEN i % 2 THEN '  ' ELSE '' END"
  private static let cased = "CASE WHEN i % 2 THEN 'k' ELSE 'K' END || (i / 2)"

  static let cases = [
    pairs("UNIQUE", v: "CASE WHEN i % 3 THEN 'k' || (i / 3) END", "v TEXT UNIQUE, w INT)", same: "v"),
    pairs("UNIQUE where all rows are equal", v: "'one'", "v TEXT UNIQUE, w INT)", same: "v"),
    pairs("UNIQUE, new NOCASE", v: cased, "v TEXT COLLATE NOCASE UNIQUE, w INT)", same: "lower(v)"),
    pairs("UNIQUE, new RTRIM", v: spaced, "v TEXT COLLATE RTRIM UNIQUE, w INT)", same: "rtrim(v)"),
    pairs(
      "P34: another collation of a column that is unique already", v: cased, "v TEXT COLLATE NOCASE UNIQUE, w INT)",
      same: "lower(v)", column: "v TEXT UNIQUE"),
    pairs(
      "P34: another collation of a column with a unique index", v: cased,
      "v TEXT COLLATE NOCASE, w INT); CREATE UNIQUE INDEX x ON t (v)", same: "lower(v)",
      column: "v TEXT"),
    pairs("PRIMARY KEY", v: "'k' || (i / 2)", "v TEXT, w INT, UNIQUE (v, w))", same: "v || ' ' || w"),
    pairs(
      "unique index with NOCASE", v: cased, "v TEXT, w INT); CREATE UNIQUE INDEX x ON t (v COLLATE NOCASE)",
      same: "lower(v)"),
    pairs(
      "partial unique index", v: "'k' || (i / 4)", "v TEXT, w INT); CREATE UNIQUE INDEX x ON t (v) WHERE w > 1",
      same: "v", where: "w > 1"),
    pairs(
      "unique index on an expression", v: "'k' || i", "v TEXT, w INT); CREATE UNIQUE INDEX x ON t (length(v) + w)",
      same: "length(v) + w"),
    pairs("unique index on a number", v: "'k' || i", "v TEXT, w INT); CREATE UNIQUE INDEX x ON t (1)", same: "1 + 0"),
    pairs(
      "partial unique index on a negative number", v: "'k' || i",
      "v TEXT, w INT); CREATE UNIQUE INDEX x ON t ((- 1) COLLATE NOCASE) WHERE w = 3", same: "1 + 0", where: "w = 3"),
    pairs(
      "unique index on a number and a column", v: "'k' || (i / 2)",
      "v TEXT, w INT); CREATE UNIQUE INDEX x ON t (2, v)", same: "v"),
    pairs(
      "unique index on a column in parentheses", v: cased,
      "v TEXT COLLATE NOCASE, w INT); CREATE UNIQUE INDEX x ON t ((v) DESC)", same: "lower(v)"),
    pairs(
      "values that become equal by conversion", v: "CASE WHEN i % 2 THEN '' ELSE '0' END || (i / 2)",
      "v INT UNIQUE, w INT)", same: "CAST(v AS INT)", column: "v TEXT UNIQUE", others: [.lossyConversion]),
    pairs(
      "values that a conversion makes equal", v: "'k' || i",
      "v BLOB UNIQUE, -- schemakit: convert substr(v, 1, 4)\n w INT)", same: "substr(v, 1, 4)", column: "v TEXT UNIQUE"),
    pairs(
      "a new computed column", v: "'k' || i", "v TEXT, w INT, g INT AS (w * 2) UNIQUE)", same: "w * 2"),
    RowCase(
      name: "a partial unique index that filled rows enter",
      before:
        "CREATE TABLE t (id INTEGER PRIMARY KEY, v INT, gone INT); CREATE UNIQUE INDEX x ON t (v) WHERE gone = 0;",
      fill: ["INSERT INTO t SELECT i, i / 2, CASE WHEN i % 2 THEN 0 END FROM n"],
      after: """
        CREATE TABLE t (id INTEGER PRIMARY KEY, v INT, gone INT NOT NULL DEFAULT 0);
        CREATE UNIQUE INDEX x ON t (v) WHERE gone = 0;
        """, code: .duplicates, object: "t",
      offending: """
        SELECT CAST(id AS TEXT), v FROM t WHERE v IN (SELECT v FROM t GROUP BY v HAVING count(*) > 1)
        """),
    RowCase(
      name: "a composite PRIMARY KEY in which NULL is no value", before: "CREATE TABLE t (a INT, b TEXT);",
      fill: ["INSERT INTO t SELECT i / 2, CASE WHEN i % 10 > 1 THEN 'b' END FROM n"],
      after: "CREATE TABLE t (a INT, b TEXT, PRIMARY KEY (b, a));", code: .duplicates, object: "t",
      offending: """
        SELECT CAST(rowid AS TEXT), a FROM t
        WHERE b IS NOT NULL AND a IN (SELECT a FROM t WHERE b = 'b' GROUP BY a HAVING count(*) > 1)
        """),
    RowCase(
      name: "a column that becomes the rowid", before: "CREATE TABLE t (a INT, b TEXT);",
      fill: ["INSERT INTO t SELECT i / 3, 'b' FROM n"], after: "CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT);",
      code: .duplicates, object: "t",
      offending: "SELECT CAST(rowid AS TEXT), a FROM t WHERE a IN (SELECT a FROM t GROUP BY a HAVING count(*) > 1)",
      others: [.renumberedRows]),
  ]

  @Test("every row that shares its key is counted before the first write", arguments: cases, RowCase.counts)
  func duplicates(rowCase: RowCase, rows: Int) throws { try rowCase.check(rows: rows) }
}

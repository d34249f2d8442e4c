import Testing

@testable import SQLiteSchema
@testable import SchemaKit

// P18-P20, P22-P24, P66: what a table declares beside its columns, through a rebuild made for another reason.
@Suite("Pitfalls: constraints and indexes")
struct ConstraintPitfallTests {
  /// Rebuilds a table by changing only the column `last`, with some rows; returns what SQLite says of its indexes.
  private func rebuild(
    _ columns: String, suffix: String = "", others: String = "", count: Int, insert: (Int) -> String
  ) throws -> TemporaryDatabase {
    func schema(_ extra: String) -> String {
      "CREATE TABLE t (\(columns.replacing("last INT", with: "last INT" + extra)))\(suffix);" + others
    }
    let database = try TemporaryDatabase(schema("") + rows(count, insert))
    let before = try shape(of: database)
    try database.rebuild("t", to: schema(" CHECK (last < 1000)"))
    #expect(try shape(of: database) == before)
    return database
  }

  /// Everything the PRAGMAs tell of the table `t` and its indexes.
  private func shape(of database: TemporaryDatabase) throws -> [[RawValue]] {
    try database.query("SELECT cid, name, type, \"notnull\", dflt_value, pk, hidden FROM pragma_table_xinfo('t')")
      + (Engine.has(.tableList)
        ? database.query("SELECT type, wr, strict FROM pragma_table_list('t') WHERE schema = 'main'")
        : database.query("SELECT sql LIKE '%WITHOUT ROWID%' FROM sqlite_master WHERE name = 't'"))
      + database.query("SELECT name, \"unique\", origin, partial FROM pragma_index_list('t') ORDER BY name")
      + database.query(
        "SELECT l.name, x.* FROM pragma_index_list('t') AS l, pragma_index_xinfo(l.name) AS x ORDER BY l.name, x.seqno")
      + database.query("SELECT name, sql FROM sqlite_master WHERE type = 'index' ORDER BY name")
  }

  @Test("P18: UNIQUE stays beside a plain index on the same column", arguments: [0, 3])
  func uniqueAndIndex(count: Int) throws {
    let database = try rebuild(
      "a TEXT UNIQUE, last INT", others: "CREATE INDEX t_a ON t (a); CREATE UNIQUE INDEX t_a2 ON t (a);", count: count
    ) { "INSERT INTO t VALUES ('a\($0)', \($0))" }
    #expect(
      try database.query("SELECT origin FROM pragma_index_list('t') ORDER BY 1").compactMap { $0[0].string } == [
        "c", "c", "u",
      ])
    try database.exec("INSERT INTO t VALUES ('x', 1)")
    #expect(throws: RawSQLiteError.self) { try database.exec("INSERT INTO t VALUES ('x', 1)") }
  }

  @Test("P19: a UNIQUE constraint stays a constraint and is not a UNIQUE index", arguments: [0, 3])
  func uniqueConstraint(count: Int) throws {
    let sql = "CREATE TABLE t (a TEXT, b INT, CONSTRAINT pair UNIQUE (a, b) ON CONFLICT IGNORE);"
    let database = try TemporaryDatabase(sql + rows(count) { "INSERT INTO t VALUES ('a', \($0))" })
    #expect(try database.plan(to: sql).isEmpty)
    let index = "CREATE TABLE t (a TEXT, b INT); CREATE UNIQUE INDEX pair ON t (a, b);"
    try database.migrate(to: index)
    #expect(try database.query("SELECT name, origin FROM pragma_index_list('t')") == [[.text("pair"), .text("c")]])
    try database.expectSettled(at: index)
    try database.migrate(to: sql, allowing: PlanPolicy(allowsDowngrade: true))
    #expect(
      try database.query("SELECT name, origin FROM pragma_index_list('t')") == [
        [.text("sqlite_autoindex_t_1"), .text("u")]
      ])
    try database.exec("INSERT INTO t VALUES ('z', 1); INSERT INTO t VALUES ('z', 1)")
    #expect(try database.query("SELECT * FROM t").count == count + 1)
  }

  @Test("P20: CHECKs with and without a name still refuse bad rows", arguments: [0, 3])
  func checks(count: Int) throws {
    let database = try rebuild(
      """
      a INT CHECK (a > 0), b TEXT CONSTRAINT short CHECK (length(b) < 9), last INT, CHECK (a <> last), \
      CONSTRAINT c2 CHECK (b <> ')')
      """,
      count: count
    ) { "INSERT INTO t VALUES (\($0), 'b', 100)" }
    let sql = try #require(try database.sql(of: "t"))
    for piece in [
      "CHECK (a > 0)", "CONSTRAINT short CHECK (length(b) < 9)", "CHECK (a <> last)", "CONSTRAINT c2 CHECK (b <> ')')",
    ] {
      #expect(sql.contains(piece), "\(sql)")
    }
    for bad in ["(0, 'b', 1)", "(1, 'bbbbbbbbb', 2)", "(1, 'b', 1)", "(1, ')', 2)", "(1, 'b', 1000)"] {
      #expect(throws: RawSQLiteError.self) { try database.exec("INSERT INTO t VALUES \(bad)") }
    }
  }

  @Test("P22: collations, descending, expression and partial indexes are as they were", arguments: [0, 3])
  func indexes(count: Int) throws {
    let database = try rebuild(
      "a TEXT COLLATE NOCASE, b TEXT UNIQUE COLLATE RTRIM, last INT, PRIMARY KEY (a COLLATE BINARY, last DESC)",
      others: """
        CREATE INDEX i1 ON t (a DESC, b COLLATE NOCASE);
        CREATE INDEX i2 ON t (lower(a), last + 1 DESC);
        CREATE UNIQUE INDEX i3 ON t (b) WHERE last > 5 AND a IS NOT NULL;
        """, count: count
    ) { "INSERT INTO t VALUES ('A\($0)', 'b\($0)', \($0))" }
    #expect(try database.query("SELECT * FROM t WHERE a = 'a1'").count == min(count, 1))
    try database.exec("INSERT INTO t VALUES ('x', 'q', 6)")
    #expect(throws: RawSQLiteError.self) { try database.exec("INSERT INTO t VALUES ('y', 'q  ', 7)") }
    #expect(try database.query("EXPLAIN QUERY PLAN SELECT 1 FROM t WHERE lower(a) = 'x'").description.contains("i2"))
  }

  @Test(
    "P23: STRICT and WITHOUT ROWID survive", arguments: [" STRICT", " WITHOUT ROWID", " WITHOUT ROWID, STRICT"], [0, 3])
  func kinds(suffix: String, count: Int) throws {
    let database = try rebuild("a TEXT NOT NULL PRIMARY KEY, last INT", suffix: suffix, count: count) {
      "INSERT INTO t VALUES ('a\($0)', \($0))"
    }
    #expect(try database.query("SELECT * FROM t").count == count)
    if suffix.contains("STRICT") {
      #expect(throws: RawSQLiteError.self) { try database.exec("INSERT INTO t VALUES ('z', 'no number')") }
    }
    if suffix.contains("ROWID") { #expect(throws: RawSQLiteError.self) { try database.query("SELECT rowid FROM t") } }
  }

  @Test("P24: generated columns stay generated, each in its kind, and keep their place", arguments: [0, 3])
  func generated(count: Int) throws {
    let database = try rebuild(
      "a INT, v INT GENERATED ALWAYS AS (a * 2), b INT, s TEXT AS (a || '-' || b) STORED, last INT",
      others: "CREATE INDEX t_v ON t (v);", count: count
    ) { "INSERT INTO t (a, b, last) VALUES (\($0), \($0 + 1), \($0))" }
    #expect(
      try database.query("SELECT hidden FROM pragma_table_xinfo('t') WHERE name IN ('v', 's') ORDER BY cid") == [
        [.int(2)], [.int(3)],
      ])
    try database.exec("UPDATE t SET a = 50")
    #expect(try database.query("SELECT v, s FROM t ORDER BY b") == table(count) { [.int(100), .text("50-\($0 + 1)")] })
  }

  @Test("P24: a generated column that becomes plain keeps its values, and back", arguments: [0, 3])
  func materialised(count: Int) throws {
    let generated = "CREATE TABLE t (a INT, v INT AS (a * 2) STORED);"
    let plain = "CREATE TABLE t (a INT, v INT);"
    let database = try TemporaryDatabase(generated + rows(count) { "INSERT INTO t (a) VALUES (\($0))" })
    try database.migrate(to: plain)
    #expect(integers(try database.query("SELECT v FROM t ORDER BY a")) == numbers(count) { $0 * 2 })
    try database.expectSettled(at: plain)
  }

  @Test("P66: indexes of a rebuilt table are made once, whichever of them changes", arguments: [0, 3])
  func indexesOnce(count: Int) throws {
    func schema(_ extra: String, _ kept: String) -> String {
      "CREATE TABLE t (a INT\(extra), b INT); CREATE INDEX kept ON t (a); CREATE INDEX changed ON t (\(kept));"
    }
    let database = try TemporaryDatabase(schema("", "a, b") + rows(count) { "INSERT INTO t VALUES (\($0), 1)" })
    let after = schema(" NOT NULL DEFAULT 0", "b, a") + "CREATE INDEX added ON t (b);"
    let report = try database.rebuild("t", to: after)
    for name in ["kept", "changed", "added"] {
      #expect(report.plan.statements.count { $0.sql.contains("CREATE INDEX \"main\".\(name) ") } == 1)
      #expect(try database.query("SELECT 1 FROM sqlite_master WHERE name = '\(name)'").count == 1)
    }
  }
}

import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("RebuildBuilder and RowProjection")
struct RebuildBuilderTests {
  private func builder(
    _ old: String, _ new: String, hints: TableHints = TableHints(), names: [(name: SQLName, column: SQLName)] = [],
    systemTables: Set<SQLName> = []
  ) throws -> RebuildBuilder {
    let source = try SchemaText.table(old)
    return RebuildBuilder(
      projection: RowProjection(
        source: source, target: try SchemaText.table(new), hints: hints, sourceName: { $0 },
        names: source.columns.map { (name: $0.name, column: $0.name) } + names),
      temporaryName: "n", systemTables: systemTables)
  }

  private func copy(_ builder: RebuildBuilder) throws -> String {
    try #require(try builder.statements().first { $0.role == .copy }).sql
  }

  /// Runs the statements as the applier would, and returns the first rows that a verification finds.
  private func run(_ builder: RebuildBuilder, on database: RawSQLite) throws -> [[RawValue]] {
    for statement in try builder.statements() {
      try database.exec("PRAGMA legacy_alter_table = \(statement.leavesReferences ? "ON" : "OFF")")
      if statement.role == .verification {
        let rows = try database.rows(statement.sql)
        if !rows.isEmpty { return rows }
      } else {
        try database.exec(statement.sql)
      }
    }
    return []
  }

  @Test("the statements stand in the order of SQLite's procedure")
  func order() throws {
    let statements = try builder("CREATE TABLE t (a INT)", "CREATE TABLE t (a INT NOT NULL)").statements()
    #expect(
      statements.map(\.role) == [.definition, .copy, .verification, .verification, .definition, .definition])
    #expect(statements.first?.sql == "CREATE TABLE \"main\".\"n\" (a INT NOT NULL)")
    #expect(
      statements.suffix(2).map(\.sql) == ["DROP TABLE \"main\".\"t\"", "ALTER TABLE \"main\".\"n\" RENAME TO \"t\""])
    #expect(statements.map(\.leavesReferences) == [false, false, false, false, false, true])
  }

  @Test(
    "the copy and its check read the table in its own order, whatever an index holds",
    arguments: [
      ("a INTEGER PRIMARY KEY, b INT, c TEXT", ""), ("a INT, b INT, c TEXT", ""),
      ("c TEXT, a INT, b INT COLLATE NOCASE, PRIMARY KEY (b DESC, a)", " WITHOUT ROWID"),
    ])
  func rowOrder(columns: String, ending: String) throws {
    let old = "CREATE TABLE t (\(columns))\(ending)"
    let new = "CREATE TABLE t (\(columns.replacing("c TEXT", with: "c INT")))\(ending)"
    for hints in [TableHints(), TableHints(columns: ["c": ColumnHints(conversion: "c + a")])] {
      let builder = try builder(old, new, hints: hints)
      let database = try RawSQLite()
      try database.exec("\(old); CREATE INDEX i ON t (b, a); CREATE INDEX j ON t (b, a, c)")
      try database.exec(try builder.statements()[0].sql)
      let join = try builder.statements().first { $0.sql.contains("LEFT JOIN") }
      for statement in [try copy(builder)] + (ending.isEmpty ? [try #require(join).sql] : []) {
        let details = try database.rows("EXPLAIN QUERY PLAN \(statement)").compactMap { $0.last?.string }
        #expect(details.contains { $0.hasPrefix("SCAN") })
        let others = details.filter { $0.contains("INDEX i") || $0.contains("INDEX j") || $0.contains("B-TREE") }
        #expect(others.isEmpty)
      }
    }
  }

  @Test(
    "rowids are copied by name, by alias, or not at all",
    arguments: [
      ("(a INT)", "(a TEXT)", "(rowid, \"a\") SELECT \"_old\".rowid"),
      ("(a INTEGER PRIMARY KEY, b)", "(a INTEGER PRIMARY KEY, b NOT NULL)", "(\"a\", \"b\") SELECT \"_old\".\"a\""),
      ("(a INTEGER PRIMARY KEY, b)", "(a INT, b)", "(rowid, \"a\", \"b\") SELECT \"_old\".\"a\""),
      ("(rowid INT)", "(rowid TEXT)", "(oid, \"rowid\") SELECT \"_old\".oid"),
      ("(a INT NOT NULL)", "(a INT PRIMARY KEY NOT NULL) WITHOUT ROWID", "(\"a\") SELECT \"_old\".\"a\""),
      ("(a INT PRIMARY KEY NOT NULL) WITHOUT ROWID", "(a INT PRIMARY KEY NOT NULL)", "(\"a\") SELECT \"_old\".\"a\""),
      ("(b INT)", "(a INTEGER PRIMARY KEY, b INT)", "(\"a\", \"b\") SELECT \"_old\".rowid"),
    ])
  func rowids(old: String, new: String, expected: String) throws {
    let sql = try copy(builder("CREATE TABLE t \(old)", "CREATE TABLE t \(new)"))
    #expect(sql.hasPrefix("INSERT OR ABORT INTO \"main\".\"n\" " + expected), "\(sql)")
  }

  @Test("rowids survive as they are", arguments: ["(a INT)", "(rowid INT, a INT)", "(a INT PRIMARY KEY)"])
  func rowidsSurvive(old: String) throws {
    let database = try RawSQLite()
    try database.exec("CREATE TABLE t \(old); INSERT INTO t (oid, a) VALUES (5, 1), (-3, 2), (9, 3)")
    let change = try builder("CREATE TABLE t \(old)", "CREATE TABLE t \(old.replacing("a INT", with: "a TEXT"))")
    #expect(try run(change, on: database) == [])
    #expect(
      try database.rows("SELECT oid, a FROM t ORDER BY oid") == [
        [.int(-3), .text("2")], [.int(5), .text("1")], [.int(9), .text("3")],
      ])
  }

  @Test("the AUTOINCREMENT mark is kept, with rows and without", arguments: [0, 2])
  func autoincrement(count: Int) throws {
    let old = "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a)"
    let database = try RawSQLite()
    try database.exec(
      old + "; INSERT INTO t VALUES (50, 'x'); DELETE FROM t;"
        + rows(count) {
          "INSERT INTO t VALUES (\($0), 'y')"
        })
    #expect(try run(try builder(old, old.replacing("a)", with: "a NOT NULL)")), on: database) == [])
    #expect(try database.rows("SELECT * FROM sqlite_sequence") == [[.text("t"), .int(50)]])
    try database.exec("INSERT INTO t (a) VALUES ('z')")
    #expect(try database.rows("SELECT max(id) FROM t") == [[.int(51)]])
  }

  @Test("a copy aborts rather than let ON CONFLICT take a row away", arguments: ["REPLACE", "IGNORE", "ROLLBACK"])
  func conflictClause(clause: String) throws {
    let old = "CREATE TABLE t (id INTEGER PRIMARY KEY, a)"
    let database = try RawSQLite()
    try database.exec(old + "; INSERT INTO t VALUES (1, 'x'), (2, 'x'); BEGIN")
    let change = try builder(old, "CREATE TABLE t (id INTEGER PRIMARY KEY, a UNIQUE ON CONFLICT \(clause))")
    #expect {
      try run(change, on: database)
    } throws: {
      "\($0)".contains("UNIQUE constraint failed")
    }
    try database.exec("ROLLBACK")
    #expect(try database.rows("SELECT count(*) FROM t") == [[.int(2)]])
  }

  @Test("a NOT NULL ON CONFLICT clause loses no row either", arguments: ["REPLACE", "IGNORE"])
  func notNullConflict(clause: String) throws {
    let old = "CREATE TABLE t (id INTEGER PRIMARY KEY, a)"
    let database = try RawSQLite()
    try database.exec(old + "; INSERT INTO t VALUES (1, NULL)")
    let change = try builder(
      old, "CREATE TABLE t (id INTEGER PRIMARY KEY, a NOT NULL ON CONFLICT \(clause))")
    #expect(throws: RawSQLiteError.self) { try run(change, on: database) }
    #expect(try database.rows("SELECT count(*) FROM t") == [[.int(1)]])
  }

  @Test(
    "the verification finds a value that the copy changed",
    arguments: [
      ("(id INTEGER PRIMARY KEY, a TEXT)", "UPDATE n SET a = 'Y' WHERE id = 2", "2"),
      ("(id INTEGER PRIMARY KEY, a TEXT COLLATE NOCASE)", "UPDATE n SET a = 'Y' WHERE id = 2", "2"),
      ("(id INTEGER PRIMARY KEY, a)", "UPDATE n SET a = CAST(a AS BLOB) WHERE id = 1", "1"),
      ("(id INTEGER PRIMARY KEY, a)", "DELETE FROM n WHERE id = 1", "'row count'"),
      ("(id INTEGER PRIMARY KEY, a)", "UPDATE n SET id = 7 WHERE id = 1", "1"),
      ("(id INT, a)", "UPDATE n SET rowid = 7 WHERE id = 1", "1"),
      ("(id INT PRIMARY KEY NOT NULL, a) WITHOUT ROWID", "UPDATE n SET a = NULL WHERE id = 2", "2"),
    ])
  func verification(columns: String, damage: String, found: String) throws {
    let old = "CREATE TABLE t \(columns)"
    let database = try RawSQLite()
    try database.exec(old + "; INSERT INTO t VALUES (1, 'x'), (2, 'y')")
    let new = old.replacing("CREATE TABLE t (", with: "CREATE TABLE t (extra INT, ")
    var findings: [[RawValue]] = []
    for statement in try builder(old, new).statements() where findings.isEmpty {
      if statement.role == .verification { findings = try database.rows(statement.sql) }
      if statement.sql.hasPrefix("DROP TABLE") { break }
      if statement.role == .definition { try database.exec(statement.sql) }
      if statement.role == .copy { try database.exec(statement.sql + ";" + damage) }
    }
    #expect(findings.map { $0.map { "\($0)" } } == [[found]])
  }

  @Test("an expression sees old and new names, and the old one wins where they clash")
  func expressionNames() throws {
    let database = try TemporaryDatabase("CREATE TABLE t (a TEXT, b TEXT); INSERT INTO t VALUES ('A', 'B')")
    try database.migrate(
      to: """
        CREATE TABLE t (
          b TEXT, -- schemakit: renamed from a
          c TEXT, -- schemakit: renamed from b
          d TEXT -- schemakit: fill a || b || c
        );
        """)
    #expect(try database.query("SELECT b, c, d FROM t") == [[.text("A"), .text("B"), .text("ABB")]])
  }

  @Test("a conversion is used when the type changes, and is harmless once it is applied")
  func conversion() throws {
    let database = try TemporaryDatabase(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, price TEXT); INSERT INTO t VALUES (1, '2,50 EUR'), (2, NULL)")
    let sql = """
      CREATE TABLE t (
        id INTEGER PRIMARY KEY,
        price INTEGER -- schemakit: convert CAST(replace(replace(price, ',', ''), ' EUR', '') AS INTEGER)
      );
      """
    try database.migrate(to: sql)
    #expect(try database.query("SELECT * FROM t") == [[.int(1), .int(250)], [.int(2), .null]])
    try database.migrate(to: sql.replacing("id INTEGER", with: "name TEXT,\nid INTEGER"))
    #expect(try database.query("SELECT price FROM t") == [[.int(250)], [.null]])
  }

  @Test(
    "NULLs under a new NOT NULL take the backfill, else the default, and other values stay",
    arguments: [
      ("INT NOT NULL DEFAULT 9", 9), ("INT NOT NULL DEFAULT 9 -- schemakit: fill id * 10", 20),
      ("INT NOT NULL -- schemakit: fill id * 10", 20),
    ])
  func fills(column: String, expected: Int64) throws {
    let database = try TemporaryDatabase(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a INT); INSERT INTO t VALUES (1, 5), (2, NULL)")
    try database.migrate(to: "CREATE TABLE t (\nid INTEGER PRIMARY KEY,\na \(column)\n);")
    #expect(try database.query("SELECT a FROM t") == [[.int(5)], [.int(expected)]])
  }

  @Test("the verification finds one value of many columns", arguments: [0, 24, 949, 950, 1898])
  func wideVerification(damaged: Int) throws {
    let columns = (0..<1_899).map { "c\($0)" }
    let old = "CREATE TABLE t (id INTEGER PRIMARY KEY, \(columns.joined(separator: ", ")))"
    let database = try RawSQLite()
    try database.exec(old + "; INSERT INTO t (id, c\(damaged)) VALUES (1, 'x'), (2, 'x')")
    let change = try builder(old, old.replacing("c5,", with: "c5 INT,"))
    var found: [[RawValue]] = []
    for statement in try change.statements() where found.isEmpty {
      guard statement.role == .verification else {
        try database.exec(statement.sql)
        if statement.role == .copy { try database.exec("UPDATE n SET c\(damaged) = 'y' WHERE id = 2") }
        continue
      }
      found = try database.rows(statement.sql)
    }
    #expect(found == [[.int(2)]])
  }

  @Test("the statistics of ANALYZE are renamed with the table and back only where there are any")
  func statistics() throws {
    let old = "CREATE TABLE t (a INT)"
    #expect(try !builder(old, "CREATE TABLE t (a TEXT)").statements().contains { $0.role == .statistics })
    let statements = try builder(old, "CREATE TABLE t (a TEXT)", systemTables: ["sqlite_stat1"]).statements()
    #expect(statements.filter { $0.role == .statistics }.count == 2)
  }

  @Test("where constraints have indexes, their statistics are compared before they are renamed")
  func statisticsOfConstraints() throws {
    func count(_ columns: String) throws -> Int {
      let tables = ("CREATE TABLE t (\(columns), b INT)", "CREATE TABLE t (\(columns), b TEXT)")
      return try builder(tables.0, tables.1, systemTables: ["sqlite_stat1"]).statements()
        .count { $0.role == .statistics }
    }
    #expect(try count("a INTEGER PRIMARY KEY") == 2)
    #expect(try count("a INT PRIMARY KEY") == 3)
    #expect(try count("a INT UNIQUE") == 3)
  }

  @Test("a stored value is taken over where only the names change that it is computed from")
  func renamedInputs() throws {
    func changing(_ old: String, _ new: String, _ formers: [SQLName: SQLName]) throws -> Set<SQLName> {
      RowProjection(
        source: try SchemaText.table(old), target: try SchemaText.table(new), hints: TableHints(),
        sourceName: { formers[$0] ?? $0 }, names: []
      ).changingColumns
    }
    let old = "CREATE TABLE t (a INT, b INT, c INT AS (a + 'b' + \"b\") STORED)"
    #expect(try changing(old, "CREATE TABLE t (x INT, b INT, c INT AS (X + 'b' + b) STORED)", ["x": "a"]) == [])
    #expect(
      try changing(old, "CREATE TABLE t (b INT, a INT, c INT AS (a + 'b' + b) STORED)", ["b": "a", "a": "b"]) == ["c"])
    #expect(try changing(old, "CREATE TABLE t (x INT, b INT, c INT AS (x + 'c' + b) STORED)", ["x": "a"]) == ["c"])
  }
}

import Testing

@testable import SQLiteSchema
@testable import SchemaKit

// P25-P31, P33, P69: how columns are seen, added, filled and converted.
@Suite("Pitfalls: columns and values")
struct ColumnPitfallTests {
  @Test("P25: generated columns are seen, on both sides", arguments: ["VIRTUAL", "STORED"], [0, 3])
  func generatedColumnsAreSeen(kind: String, count: Int) throws {
    let with = "CREATE TABLE t (a INT, g INT AS (a + 1) \(kind));"
    let without = "CREATE TABLE t (a INT);"
    let database = try TemporaryDatabase(with + rows(count) { "INSERT INTO t VALUES (\($0))" })
    #expect(try database.plan(to: with).isEmpty)
    #expect(try !database.plan(to: without).isEmpty)
    try database.migrate(to: without, allowing: .destructive)
    #expect(try database.query("SELECT name FROM pragma_table_xinfo('t')") == [[.text("a")]])
    try database.migrate(to: with, allowing: PlanPolicy(allowsDowngrade: true))
    #expect(integers(try database.query("SELECT g FROM t ORDER BY a")) == numbers(count) { $0 + 1 })
    try database.expectSettled(at: with)
  }

  @Test("P26: untouched columns keep their declared type, letter by letter, and their values", arguments: [0, 1])
  func declaredTypes(count: Int) throws {
    let types = [
      "BOOLEAN", "DateTime", "VARCHAR(10)", "DECIMAL(10, 2)", "UNSIGNED BIG INT", "native character (70)",
      "\"odd type\"",
      "FLOATING POINT", "STRING", "",
    ]
    let columns = types.enumerated().map { "c\($0.offset) \($0.element)" }.joined(separator: ", ")
    func schema(_ extra: String) -> String { "CREATE TABLE t (\(columns), last TEXT\(extra));" }
    let values = "1, '2024-01-01', '007', '1.50', 18446744073709551615, 'x', '1e3', '2', '0012', '3', 'z'"
    let database = try TemporaryDatabase(schema("") + rows(count) { _ in "INSERT INTO t VALUES (\(values))" })
    let info = try database.query("SELECT name, type FROM pragma_table_info('t')")
    let stored = try database.query("SELECT *, typeof(c3), typeof(c4), typeof(c6), typeof(c8) FROM t")
    try database.rebuild("t", to: schema(" NOT NULL"))
    #expect(try database.query("SELECT name, type FROM pragma_table_info('t')") == info)
    #expect(try database.query("SELECT *, typeof(c3), typeof(c4), typeof(c6), typeof(c8) FROM t") == stored)
    #expect(try #require(try database.sql(of: "t")).contains(columns.replacing("c9 ", with: "c9")))
  }

  @Test(
    "P27: a new column is never filled with its own name", arguments: ["extra", "\"select\"", "[odd name]", "`tick`"],
    [0, 3])
  func noNameAsText(name: String, count: Int) throws {
    let database = try TemporaryDatabase("CREATE TABLE t (a INT);" + rows(count) { "INSERT INTO t VALUES (\($0))" })
    let after = "CREATE TABLE t (a INT CHECK (a > 0), \(name) TEXT, filled TEXT NOT NULL DEFAULT 'f');"
    try database.rebuild("t", to: after)
    #expect(try database.query("SELECT * FROM t ORDER BY a") == table(count) { [.int($0), .null, .text("f")] })
  }

  @Test("P27: a fill that names no column is an error, not a text in every row")
  func noFillAsText() throws {
    let database = try TemporaryDatabase("CREATE TABLE t (a INT); INSERT INTO t VALUES (1);")
    let after = "CREATE TABLE t (a INT, b TEXT NOT NULL -- schemakit: fill \"nosuch\"\n);"
    #expect(throws: (any Error).self) { try database.migrate(to: after, allowing: .everything) }
    #expect(try database.query("SELECT * FROM t") == [[.int(1)]])
  }

  @Test(
    "P28: what ADD COLUMN accepts depends on the rows, and so does the plan",
    arguments: [
      ("b TEXT DEFAULT CURRENT_TIMESTAMP", "length(b) = 19"), ("b INT DEFAULT (1 + 1)", "b = 2"),
      ("b INT NOT NULL DEFAULT (abs(-7))", "b = 7"), ("b INT AS (a * 2) STORED", "b = a * 2"),
      ("b INT DEFAULT 1 REFERENCES p (id)", "b = 1"), ("b INT UNIQUE", "b IS NULL"),
      ("b INT NOT NULL DEFAULT 5", "b = 5"),
    ], [0, 1])
  func addColumn(column: (definition: String, condition: String), count: Int) throws {
    let parent = "CREATE TABLE p (id INTEGER PRIMARY KEY);"
    let database = try TemporaryDatabase(
      parent + "CREATE TABLE t (a INT); INSERT INTO p VALUES (1);" + rows(count) { "INSERT INTO t VALUES (\($0))" })
    let after = parent + "CREATE TABLE t (a INT, \(column.definition));"
    let connection = try database.connection()
    try connection.execute("PRAGMA foreign_keys = ON")
    let report = try Change(over: connection, to: TemporaryDatabase.target(after)).apply()
    #expect(report.plan.steps.count == 1)
    #expect(try database.value("SELECT count(*) FROM t WHERE \(column.condition)") == .int(Int64(count)))
    try database.expectSettled(at: after)
  }

  @Test("P28: NOT NULL without a default goes into an empty table and is blocked for a filled one", arguments: [0, 1])
  func addNotNull(count: Int) throws {
    let database = try TemporaryDatabase("CREATE TABLE t (a INT);" + rows(count) { "INSERT INTO t VALUES (\($0))" })
    let after = "CREATE TABLE t (a INT, b TEXT NOT NULL);"
    if count == 0 {
      let report = try database.migrate(to: after)
      #expect(report.plan.steps.map(\.strategy) == [.native])
      try database.expectSettled(at: after)
    } else {
      let hazards = try database.refusals(to: after, allowing: .everything)
      #expect(hazards.map(\.code) == [.nullsUnderNotNull] && hazards.map(\.count) == [1])
    }
  }

  @Test("P29: a new NOT NULL with a default changes the NULLs and nothing else", arguments: [0, 2])
  func onlyNulls(count: Int) throws {
    let database = try TemporaryDatabase(
      "CREATE TABLE t (a INT, b TEXT);" + rows(count) { "INSERT INTO t VALUES (\($0), 'b'), (-\($0), NULL), (0, '')" })
    try database.rebuild("t", to: "CREATE TABLE t (a INT, b TEXT NOT NULL DEFAULT 'none');")
    var expected: [[RawValue]] = []
    for number in numbers(count, { $0 }) {
      expected.append([.int(number), .text("b")])
      expected.append([.int(-number), .text("none")])
      expected.append([.int(0), .text("")])
    }
    #expect(try database.query("SELECT a, b FROM t ORDER BY rowid") == expected)
  }

  @Test(
    "P30: values that a conversion would change are counted and need consent",
    arguments: [
      ("TEXT", "INTEGER", "'01234'", true), ("TEXT", "INTEGER", "'9223372036854775808'", true),
      ("REAL", "TEXT", "1234567890123456.7", !Engine.writesRealsWhole), ("TEXT", "REAL", "'1.10'", true),
      ("TEXT", "INTEGER", "'12'", false),
      ("INTEGER", "REAL", "7", false), ("REAL", "INTEGER", "7.0", false), ("REAL", "INTEGER", "7.5", false),
      ("INTEGER", "TEXT", "12", false), ("BLOB", "TEXT", "x'00ff'", false),
      ("INTEGER", "REAL", "9007199254740993", true),
    ])
  func lossyConversion(from: String, to: String, value: String, isLossy: Bool) throws {
    let database = try TemporaryDatabase("CREATE TABLE t (a \(from)); INSERT INTO t VALUES (NULL), (\(value));")
    let after = "CREATE TABLE t (a \(to));"
    if isLossy {
      let hazards = try database.refusals(to: after)
      #expect(hazards.map(\.code) == [.lossyConversion] && hazards.map(\.count) == [1] && !hazards[0].samples.isEmpty)
      try database.migrate(to: after, allowing: .everything)
    } else {
      try database.migrate(to: after)
      #expect(try database.query("SELECT a = \(value) FROM t") == [[.null], [.int(1)]])
    }
    try database.expectSettled(at: after)
  }

  @Test("P30: on an empty table the conversion is a note only")
  func lossyConversionWithoutRows() throws {
    let database = try TemporaryDatabase("CREATE TABLE t (a TEXT);")
    let plan = try database.plan(to: "CREATE TABLE t (a INTEGER);")
    #expect(plan.hazards.contains { $0.code == .lossyConversion && $0.isPotential })
    try database.migrate(to: "CREATE TABLE t (a INTEGER);")
  }

  @Test("P31: nothing is CAST: what does not fit stays what it was", arguments: ["'12abc'", "''", "'0x10'", "' 5x'"])
  func noCast(value: String) throws {
    let database = try TemporaryDatabase("CREATE TABLE t (a TEXT); INSERT INTO t VALUES (\(value));")
    let report = try database.migrate(to: "CREATE TABLE t (a INTEGER);")
    #expect(!report.plan.statements.contains { $0.sql.uppercased().contains("CAST") })
    #expect(try database.query("SELECT a = \(value), typeof(a) FROM t") == [[.int(1), .text("text")]])
  }

  @Test(
    "P33: a default of the wrong type never gets into the rows of a STRICT table",
    arguments: ["DEFAULT 'abc'", "NOT NULL DEFAULT 1.5"], [0, 1])
  func strictDefault(clause: String, count: Int) throws {
    let database = try TemporaryDatabase(
      "CREATE TABLE t (a INT) STRICT;" + rows(count) { "INSERT INTO t VALUES (\($0))" })
    let after = "CREATE TABLE t (a INT, b INT \(clause)) STRICT;"
    if count > 0 {
      let hazards = try database.refusals(to: after, allowing: .everything)
      #expect(hazards.contains { $0.code == .notStorable && $0.column == "b" }, "\(hazards)")
    } else {
      try database.migrate(to: after)
    }
    #expect(try database.query("PRAGMA integrity_check") == [[.text("ok")]])
  }

  @Test("P69: a rename with a new type and NOT NULL never adds a column without a default", arguments: [0, 3])
  func renameAndTighten(count: Int) throws {
    let database = try TemporaryDatabase(
      "CREATE TABLE t (a INT, b INT);" + rows(count) { "INSERT INTO t VALUES (\($0), \($0 * 2))" })
    let after = "CREATE TABLE t (a INT, c TEXT NOT NULL -- schemakit: renamed from b\n);"
    let report = try database.migrate(to: after)
    #expect(!report.plan.statements.contains { $0.sql.contains("ADD COLUMN") })
    #expect(try database.query("SELECT c FROM t ORDER BY a") == table(count) { [.text("\($0 * 2)")] })
    try database.expectSettled(at: after)
  }

  @Test("P69: with a NULL among the rows it is blocked")
  func renameAndTightenNull() throws {
    let database = try TemporaryDatabase("CREATE TABLE t (a INT, b INT); INSERT INTO t VALUES (1, NULL), (2, 2);")
    let after = "CREATE TABLE t (a INT, c TEXT NOT NULL -- schemakit: renamed from b\n);"
    #expect(try database.refusals(to: after, allowing: .everything).map(\.code) == [.nullsUnderNotNull])
  }
}

import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("AddColumnRule")
struct AddColumnRuleTests {
  static let old = "CREATE TABLE t (id INTEGER PRIMARY KEY)"
  static let profile = EngineProfile(version: SQLiteVersion(3, 40))

  /// A column that is added, and whether SQLite's ADD COLUMN takes it for an empty table and for one with rows.
  struct Case: CustomStringConvertible {
    var column: String
    var empty: Bool
    var filled: Bool
    var description: String { column }
  }

  static let cases = [
    Case(column: "c", empty: true, filled: true),
    Case(column: "c TEXT COLLATE NOCASE", empty: true, filled: true),
    Case(column: "c TEXT DEFAULT 'x'", empty: true, filled: true),
    Case(column: "c INT DEFAULT -5", empty: true, filled: true),
    Case(column: "c INT NOT NULL DEFAULT 0", empty: true, filled: true),
    Case(column: "c INT NOT NULL DEFAULT TRUE", empty: true, filled: true),
    Case(column: "c INT AS (id + 1)", empty: true, filled: true),
    Case(column: "c INT AS (id + 1) VIRTUAL NOT NULL", empty: true, filled: true),
    Case(column: "c INT CHECK (c > 0)", empty: true, filled: true),
    Case(column: "c INT REFERENCES t (id)", empty: true, filled: true),
    Case(column: "c INT NOT NULL", empty: true, filled: false),
    Case(column: "c INT NOT NULL DEFAULT NULL", empty: true, filled: false),
    Case(column: "c INT DEFAULT (1 + 1)", empty: true, filled: false),
    Case(column: "c TEXT DEFAULT CURRENT_TIMESTAMP", empty: true, filled: false),
    Case(column: "c INT AS (id + 1) STORED", empty: true, filled: false),
    Case(column: "c INT UNIQUE", empty: false, filled: false),
  ]

  private func rejection(_ column: String, hasRows: Bool, hints: TableHints = TableHints()) throws -> String? {
    let change = try SchemaText.change(Self.old, "CREATE TABLE t (id INTEGER PRIMARY KEY, \(column))")
    let added = try #require(change.addedColumns.first)
    return AddColumnRule.rejection(to: added, in: change, hasRows: hasRows, hints: hints, profile: Self.profile)?
      .sentence
  }

  @Test("it says of each column whether ADD COLUMN can add it", arguments: cases)
  func rejections(_ example: Case) throws {
    #expect((try rejection(example.column, hasRows: false) == nil) == example.empty)
    #expect((try rejection(example.column, hasRows: true) == nil) == example.filled)
  }

  @Test("SQLite itself agrees wherever the rule sees no rejection", arguments: cases, [0, 1])
  func sqliteAgrees(_ example: Case, count: Int) throws {
    let hasRows = count > 0
    guard hasRows ? example.filled : example.empty else { return }
    let change = try SchemaText.change(Self.old, "CREATE TABLE t (id INTEGER PRIMARY KEY, \(example.column))")
    let added = try #require(change.addedColumns.first)
    let database = try RawSQLite()
    try database.exec(Self.old + (hasRows ? "; INSERT INTO t VALUES (1)" : ""))
    try database.exec(AddColumnRule.statement(for: added, in: change))
    #expect(try database.rows("SELECT c FROM t").count == count)
  }

  @Test(
    "through a database: native where the rule allows it, else another way, and settled either way",
    arguments: cases, [0, 1])
  func throughDatabase(_ example: Case, count: Int) throws {
    let database = try TemporaryDatabase(Self.old + ";" + rows(count) { "INSERT INTO t VALUES (\($0))" })
    let target = "CREATE TABLE t (id INTEGER PRIMARY KEY, \(example.column));"
    let isBlocked = count > 0 && example.column.contains("NOT NULL") && !example.filled
    if isBlocked {
      #expect(try database.refusals(to: target).map(\.code) == [.nullsUnderNotNull])
      return
    }
    let report = try database.migrate(to: target)
    let isNative = count > 0 ? example.filled : example.empty
    let other: MigrationStep.Strategy = example.column.contains("UNIQUE") ? .catalog : .rebuild
    #expect(report.plan.steps.map(\.strategy) == [isNative ? .native : other])
    #expect(try database.query("SELECT id FROM t").count == count)
    try database.expectSettled(at: target)
  }

  @Test(
    "a row that the new column's CHECK refuses is a finding before anything is written",
    arguments: [
      "c INT DEFAULT 0 CHECK (c > 0)", "c INT NOT NULL DEFAULT -1 CHECK (c >= id)",
    ])
  func violatingRow(column: String) throws {
    let database = try TemporaryDatabase(Self.old + "; INSERT INTO t VALUES (7)")
    let refusals = try database.refusals(to: "CREATE TABLE t (id INTEGER PRIMARY KEY, \(column));")
    #expect(refusals.map(\.code) == [.failingCheck])
    #expect(refusals.first?.samples == ["7"])
  }

  @Test("a backfill needs a rebuild only where there are rows", arguments: [0, 2])
  func backfill(count: Int) throws {
    let hints = TableHints(columns: ["c": ColumnHints(backfill: "id * 2")])
    #expect((try rejection("c INT", hasRows: count > 0, hints: hints) == nil) == (count == 0))
    let database = try TemporaryDatabase(Self.old + ";" + rows(count) { "INSERT INTO t VALUES (\($0))" })
    try database.migrate(
      to: "CREATE TABLE t (\nid INTEGER PRIMARY KEY,\nc INT -- schemakit: fill id * 2\n);")
    #expect(try database.query("SELECT id, c FROM t") == table(count) { [.int($0), .int($0 * 2)] })
  }

  @Test(
    "a constant of another type is not added natively to a filled STRICT table",
    arguments: [
      ("INTEGER DEFAULT 5", true), ("INTEGER DEFAULT '5'", false), ("TEXT DEFAULT 'x'", true),
      ("TEXT DEFAULT 5", false), ("REAL DEFAULT 1", true), ("REAL DEFAULT 1.5e3", true), ("REAL DEFAULT nan", false),
      ("REAL DEFAULT inf", false), ("BLOB DEFAULT x'00'", true), ("BLOB DEFAULT 'x'", false),
      ("ANY DEFAULT 'x'", true), ("INT DEFAULT NULL", true),
    ])
  func strictDefault(column: String, isNative: Bool) throws {
    let change = try SchemaText.change(
      "CREATE TABLE t (id INTEGER PRIMARY KEY) STRICT", "CREATE TABLE t (id INTEGER PRIMARY KEY, c \(column)) STRICT")
    let added = try #require(change.addedColumns.first)
    let rejection = AddColumnRule.rejection(
      to: added, in: change, hasRows: true, hints: TableHints(), profile: Self.profile)
    #expect((rejection == nil) == isNative, "\(rejection?.sentence ?? "")")
  }

  @Test(
    "a generated column with a rule reaches a WITHOUT ROWID table whose key is in another order than its columns",
    arguments: [
      "c TEXT AS (upper(b)) VIRTUAL NOT NULL", "c TEXT AS (upper(b)) VIRTUAL CHECK (c <> 'Z')", "c TEXT AS (upper(b))",
    ], [0, 1])
  func withoutRowID(column: String, count: Int) throws {
    let columns = "a TEXT NOT NULL, b TEXT NOT NULL"
    let key = "PRIMARY KEY (b, a)) WITHOUT ROWID"
    let database = try TemporaryDatabase(
      "CREATE TABLE t (\(columns), \(key);" + rows(count) { "INSERT INTO t VALUES ('x', 'y\($0)')" })
    let target = "CREATE TABLE t (\(columns), \(column), \(key);"
    try database.migrate(to: target)
    #expect(
      try database.query("SELECT a, b, c FROM t") == table(count) { [.text("x"), .text("y\($0)"), .text("Y\($0)")] })
    try database.expectSettled(at: target)
  }

  @Test("such a column is added natively where SQLite checks the rows rightly, or not at all")
  func withoutRowIDByVersion() throws {
    let columns = "a TEXT NOT NULL, b TEXT NOT NULL"
    let change = try SchemaText.change(
      "CREATE TABLE t (\(columns), PRIMARY KEY (b, a)) WITHOUT ROWID",
      "CREATE TABLE t (\(columns), c TEXT AS (upper(b)) NOT NULL, PRIMARY KEY (b, a)) WITHOUT ROWID")
    let added = try #require(change.addedColumns.first)
    func code(_ version: SQLiteVersion, hasRows: Bool = true) -> Rejection.Code? {
      AddColumnRule.rejection(
        to: added, in: change, hasRows: hasRows, hints: TableHints(), profile: EngineProfile(version: version))?.code
    }
    #expect(code(SQLiteVersion(3, 36)) == nil)
    #expect(code(SQLiteVersion(3, 40)) == .checkedWrongly)
    #expect(code(SQLiteVersion(3, 40), hasRows: false) == nil)
    #expect(code(SQLiteVersion(3, 46)) == nil)
  }

  @Test("what the table declares for the column elsewhere comes with the statement")
  func statement() throws {
    let change = try SchemaText.change(
      "CREATE TABLE t (id INTEGER PRIMARY KEY)",
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a INT, b INT CHECK (b > 0), CHECK (a < b),
        FOREIGN KEY (a) REFERENCES t (id) ON DELETE CASCADE)
      """)
    #expect(AddColumnRule.covers(change))
    #expect(
      change.addedColumns.map { AddColumnRule.statement(for: $0, in: change) } == [
        "ALTER TABLE \"main\".\"t\" ADD COLUMN a INT REFERENCES \"t\" (\"id\") ON DELETE CASCADE",
        "ALTER TABLE \"main\".\"t\" ADD COLUMN b INT CHECK (b > 0) CHECK (a < b)",
      ])
  }

  @Test(
    "a CHECK or a foreign key on columns that were there is not covered",
    arguments: [
      "c INT, CHECK (id > 0)", "c INT, d INT, FOREIGN KEY (c, d) REFERENCES u", "c INT, FOREIGN KEY (id) REFERENCES u",
    ])
  func notCovered(columns: String) throws {
    #expect(
      try !AddColumnRule.covers(SchemaText.change(Self.old, "CREATE TABLE t (id INTEGER PRIMARY KEY, \(columns))")))
  }
}

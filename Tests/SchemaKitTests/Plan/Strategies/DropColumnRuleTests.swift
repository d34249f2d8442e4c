import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("DropColumnRule")
struct DropColumnRuleTests {
  /// A table whose column `c` goes, and whether DROP COLUMN can take it.
  struct Case: CustomStringConvertible {
    var columns: String
    var kept = "id INTEGER PRIMARY KEY, a INT"
    var index = ""
    var isNative: Bool
    var description: String { columns + index }
    var from: String { "CREATE TABLE t (\(columns))" }
    var to: String { "CREATE TABLE t (\(kept))" }
  }

  static let cases = [
    Case(columns: "id INTEGER PRIMARY KEY, a INT, c", isNative: true),
    Case(columns: "id INTEGER PRIMARY KEY, c TEXT NOT NULL DEFAULT 'x', a INT", isNative: true),
    Case(columns: "id INTEGER PRIMARY KEY, a INT, c INT REFERENCES t (id)", isNative: true),
    Case(columns: "id INTEGER PRIMARY KEY, a INT, c INT CHECK (c > 0)", isNative: true),
    Case(columns: "id INTEGER PRIMARY KEY, a INT, c INT AS (a + 1)", isNative: true),
    Case(columns: "id INTEGER PRIMARY KEY, a INT, c INT AS (a + 1) STORED", isNative: true),
    Case(columns: "id INTEGER PRIMARY KEY, a INT, c INT UNIQUE", isNative: false),
    Case(columns: "id INTEGER PRIMARY KEY, a INT, c INT, UNIQUE (a, c)", isNative: false),
    Case(columns: "id INTEGER, a INT, c INT, PRIMARY KEY (id, c)", kept: "id INTEGER, a INT", isNative: false),
    Case(
      columns: "id INTEGER PRIMARY KEY, a INT, c INT, FOREIGN KEY (a, c) REFERENCES u (x, y)", isNative: false),
    Case(
      columns: "id INTEGER PRIMARY KEY, a INT, c INT, g INT AS (c + 1)",
      kept: "id INTEGER PRIMARY KEY, a INT, g INT AS (a + 1)", isNative: false),
    Case(columns: "id INTEGER PRIMARY KEY, a INT, c INT", index: "CREATE INDEX i ON t (a, c)", isNative: false),
    Case(columns: "id INTEGER PRIMARY KEY, a INT, c INT", index: "CREATE INDEX i ON t (abs(c))", isNative: false),
    Case(
      columns: "id INTEGER PRIMARY KEY, a INT, c INT", index: "CREATE INDEX i ON t (a) WHERE c > 0", isNative: false),
    Case(columns: "id INTEGER PRIMARY KEY, a INT, c INT", index: "CREATE INDEX i ON t (a)", isNative: true),
  ]

  private func rejection(_ example: Case, version: SQLiteVersion) throws -> String? {
    let change = try SchemaText.change(example.from, example.to)
    let dropped = try #require(change.droppedColumns.first { $0.name == "c" })
    let indexes = try SchemaText.schema(example.from + ";" + example.index).indexes(on: "t")
    return DropColumnRule.rejection(
      to: dropped, in: change, indexes: indexes, profile: EngineProfile(version: version))?.sentence
  }

  @Test("it says of each column whether DROP COLUMN can take it", arguments: cases)
  func rejections(_ example: Case) throws {
    let rejection = try rejection(example, version: SQLiteVersion(3, 40, 1))
    #expect((rejection == nil) == example.isNative, "\(rejection ?? "")")
  }

  @Test("SQLite itself agrees, both ways", .needs(.dropColumn), arguments: cases)
  func sqliteAgrees(_ example: Case) throws {
    let change = try SchemaText.change(example.from, example.to)
    let dropped = try #require(change.droppedColumns.first { $0.name == "c" })
    let database = try RawSQLite()
    try database.exec(example.from + ";" + example.index)
    let statement = DropColumnRule.statement(for: dropped, in: change)
    if example.isNative {
      try database.exec(statement)
    } else {
      #expect(throws: RawSQLiteError.self) { try database.exec(statement) }
    }
  }

  @Test(
    "before 3.35 there is no DROP COLUMN",
    arguments: [
      SQLiteVersion(3, 33), SQLiteVersion(3, 34, 1), SQLiteVersion(3, 35),
    ])
  func oldVersion(version: SQLiteVersion) throws {
    let rejection = try rejection(Self.cases[0], version: version)
    #expect(rejection == (version < SQLiteVersion(3, 35) ? "SQLite \(version) has no DROP COLUMN" : nil))
  }

  @Test("an old SQLite gets a rebuild instead, from the planner")
  func oldVersionPlan() throws {
    let source = try SchemaText.schema("CREATE TABLE t (id INTEGER PRIMARY KEY, a INT, c INT)")
    let target = try SchemaText.schema("CREATE TABLE t (id INTEGER PRIMARY KEY, a INT)")
    let steps = try [SQLiteVersion(3, 34, 1), SQLiteVersion(3, 35)].map { version in
      try Planner(
        source: source, renamed: source, target: target, diff: SchemaDiff(from: source, to: target),
        renames: SchemaRenames(), hints: MigrationHints(), checkResults: [:],
        profile: EngineProfile(version: version)
      ).steps()
    }
    #expect(steps.map { $0.map(\.strategy) } == [[.rebuild], [.native]])
    #expect(steps[0].first?.reason?.contains("no DROP COLUMN") == true)
  }

  @Test("through a database: a value that goes needs consent, NULLs do not", arguments: cases, ["", "NULL", "5"])
  func throughDatabase(_ example: Case, value: String) throws {
    let isGenerated = example.columns.contains("c INT AS")
    let isNotNull = example.columns.contains("NOT NULL")
    guard !(isNotNull && value == "NULL") else { return }
    let names = isGenerated ? "id, a" : "id, a, c"
    let row = value.isEmpty ? "" : "INSERT INTO t (\(names)) VALUES (1, 2\(isGenerated ? "" : ", \(value)"));"
    let database = try TemporaryDatabase("CREATE TABLE u (x, y);" + example.from + ";" + example.index + ";" + row)
    let target = "CREATE TABLE u (x, y);" + example.to + ";"
    let indexGoes = example.index == "CREATE INDEX i ON t (a)" ? example.index + ";" : ""
    if value == "5", !isGenerated {
      let refusals = try database.refusals(to: target + indexGoes)
      #expect(refusals.map(\.code) == [.droppedColumn])
      #expect(refusals.first?.count == 1)
      #expect(refusals.first?.object == "t.c")
    }
    let report = try database.migrate(to: target + indexGoes, allowing: .destructive)
    let change = report.plan.steps.filter { $0.object.name == "t" && $0.onBehalfOf == nil }
    // An index that goes as well is dropped first, and then nothing stands in the way.
    let isNative = Engine.has(.dropColumn) && (example.isNative || !example.index.isEmpty)
    // A table that must be copied keeps the indexes that stay.
    let copy: MigrationStep.Strategy = example.isNative && !indexGoes.isEmpty ? .swap : .rebuild
    // The index of a key that is not the rowid is dropped first, too.
    let isKey = example.columns.contains("UNIQUE") || example.columns.contains("PRIMARY KEY (id, c)")
    let other = isKey && Engine.has(.dropColumn) ? .catalog : copy
    #expect(change.map(\.strategy) == [isNative ? .native : other], "\(report.plan.summaryLines)")
    #expect(try database.query("SELECT id, a FROM t") == (row.isEmpty ? [] : [[.int(1), .int(2)]]))
    try database.expectSettled(at: target + indexGoes)
  }

  @Test("what goes with the column is covered; what stays without it is not")
  func covers() throws {
    #expect(
      try DropColumnRule.covers(
        SchemaText.change(
          "CREATE TABLE t (a INT, c INT, CHECK (c > a), FOREIGN KEY (c) REFERENCES u)", "CREATE TABLE t (a INT)")))
    #expect(
      try !DropColumnRule.covers(
        SchemaText.change("CREATE TABLE t (a INT CHECK (a > 0), c INT)", "CREATE TABLE t (a INT)")))
    #expect(
      try !DropColumnRule.covers(
        SchemaText.change("CREATE TABLE t (a INT REFERENCES u, c INT)", "CREATE TABLE t (a INT)")))
  }
}

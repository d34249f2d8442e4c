import Testing

@testable import SQLiteSchema
@testable import SchemaKit

/// What fills and conversions may call the columns of their row, whatever those are called.
@Suite("Names in fills and conversions")
struct ExpressionNameTests {
  /// A table of ten rows whose two columns have these names; the first is NULL in the last row.
  private static func file(_ first: String, _ second: String, _ strategy: StrategyChoice = .auto) throws
    -> TemporaryDatabase
  {
    let numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10)"
    let columns = "\(SQLQuoting.identifier(first)) TEXT, \(SQLQuoting.identifier(second)) TEXT"
    return try TemporaryDatabase(
      "\(strategy.journal)CREATE TABLE t (id INTEGER PRIMARY KEY, \(columns));"
        + "\(numbers) INSERT INTO t SELECT i, CASE WHEN i < 10 THEN '1' END, '2' || i FROM n;")
  }

  static let names = [
    ("true", "false"), ("FALSE", "True"), ("_schemakit_1", "_schemakit_0"), ("_schemakit_rowid", "_schemakit_2"),
    ("_schemakit_key", "_schemakit_row"), ("_schemakit_flag_0", "_schemakit_mark_0"), ("rowid", "oid"),
    ("_old", "_new"), ("t", "_schemakit_was_t"), ("_changed", "_row"), ("_schemakit_was_x", "x"),
  ]

  @Test("a fill and a conversion work in columns of these names", arguments: names, StrategyChoice.allCases)
  func filledAndConverted(names: (String, String), strategy: StrategyChoice) throws {
    let (first, second) = (SQLQuoting.identifier(names.0), SQLQuoting.identifier(names.1))
    let target = """
      CREATE TABLE t (
        id INTEGER PRIMARY KEY,
        \(first) TEXT NOT NULL, -- schemakit: fill \(second) || 'f'
        \(second) INTEGER -- schemakit: convert CAST(\(second) AS INTEGER) + 1
      );
      """
    let file = try Self.file(names.0, names.1, strategy)
    let plan = try file.plan(to: target, strategy: strategy)
    #expect(plan.hazards.filter { $0.hazardClass == .blocked } == [])
    try file.migrate(to: target) { $0.plan.policy.strategy = strategy }
    #expect(
      try file.query("SELECT \(first), \(second) FROM t WHERE id > 8") == [
        [.text("1"), .int(30)], [.text("210f"), .int(211)],
      ])
    #expect(try file.plan(to: target).isEmpty)
  }

  @Test("a fill works in place in columns of these names", arguments: names)
  func filledInPlace(names: (String, String)) throws {
    let (first, second) = (SQLQuoting.identifier(names.0), SQLQuoting.identifier(names.1))
    let file = try Self.file(names.0, names.1)
    let report = try file.migrate(
      to: """
        CREATE TABLE t (
          id INTEGER PRIMARY KEY,
          \(first) TEXT NOT NULL, -- schemakit: fill \(second) || 'f'
          \(second) TEXT
        );
        """)
    #expect(report.plan.steps.map(\.strategy) == [.update])
    #expect(try file.query("SELECT \(first) FROM t WHERE id = 10") == [[.text("210f")]])
  }

  @Test("values under a new type and a new CHECK are examined in columns of these names", arguments: names)
  func examined(names: (String, String)) throws {
    let (first, second) = (SQLQuoting.identifier(names.0), SQLQuoting.identifier(names.1))
    let file = try Self.file(names.0, names.1)
    let plan = try file.plan(
      to: """
        CREATE TABLE t (id INTEGER PRIMARY KEY, \(first) TEXT, \(second) INTEGER,
          CHECK (coalesce(\(first), '') <> ''), UNIQUE (\(first)));
        """)
    let blocked = plan.hazards.filter { $0.hazardClass == .blocked }
    #expect(blocked.map(\.code).sorted { $0.rawValue < $1.rawValue } == [.duplicates, .failingCheck])
    #expect(blocked.first { $0.code == .failingCheck }?.samples == ["10"])
    #expect(blocked.first { $0.code == .duplicates }?.count == 9)
  }

  @Test("the columns are found beside renames, whatever they are called")
  func renamed() throws {
    let file = try TemporaryDatabase(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, "_schemakit_1" TEXT, "true" TEXT);
      INSERT INTO t VALUES (1, 'a', 'b', 'c'), (2, NULL, 'd', 'e');
      """)
    var hints = MigrationHints()
    hints.tables["t", default: TableHints()].columns["b", default: ColumnHints()].renamedFrom = ["a"]
    hints.tables["t", default: TableHints()].columns["b", default: ColumnHints()].backfill = "\"_schemakit_1\" || id"
    let sql = "CREATE TABLE t (id INTEGER PRIMARY KEY, b TEXT NOT NULL, \"_schemakit_1\" TEXT, \"true\" TEXT)"
    // A table that is renamed, or a column of it, is not copied online.
    for strategy in StrategyChoice.allCases where strategy != .online {
      #expect(
        try file.plan(to: sql, hints: hints, strategy: strategy).hazards.filter { $0.hazardClass == .blocked } == [])
    }
    try file.migrate(to: sql, hints: hints) { $0.plan.policy.strategy = .rebuild }
    #expect(
      try file.query("SELECT * FROM t") == [
        [.int(1), .text("a"), .text("b"), .text("c")], [.int(2), .text("d2"), .text("d"), .text("e")],
      ])
  }

  @Test("a fill finds its row by the table's name, inside of a query of the same table", arguments: [true, false])
  func ownTable(isRenamed: Bool) throws {
    let file = try TemporaryDatabase(
      """
      CREATE TABLE \(isRenamed ? "old" : "t") (id INTEGER PRIMARY KEY, a INTEGER);
      INSERT INTO \(isRenamed ? "old" : "t") VALUES (1, 5), (2, 7), (3, 9);
      """)
    // While rows are examined the table has its old name, and while they are written its new one.
    let other = isRenamed ? "(SELECT 1 AS a UNION ALL SELECT 5 UNION ALL SELECT 7)" : "t"
    let target = """
      CREATE TABLE t ( \(isRenamed ? "-- schemakit: renamed from old" : "")
        id INTEGER PRIMARY KEY,
        a INTEGER,
        former INTEGER -- schemakit: fill (SELECT max(z.a) FROM \(other) AS z WHERE z.a < t.a)
      );
      """
    #expect(try file.plan(to: target).hazards.filter { $0.hazardClass == .blocked } == [])
    try file.migrate(to: target)
    #expect(
      try file.query("SELECT former FROM t WHERE id > 1") == [[.int(5)], [.int(7)]])
  }
}

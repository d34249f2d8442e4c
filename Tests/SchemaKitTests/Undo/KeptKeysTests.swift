import Testing

@testable import SQLiteSchema
@testable import SchemaKit

/// What is kept comes back to the rows that it belongs to, or not at all.
@Suite("What was kept, and what happened since")
struct KeptKeysTests {
  private static let keeping = PlanPolicy.keepingEverything

  static let others = [
    "CREATE TABLE IF NOT EXISTS b (id INTEGER PRIMARY KEY, y TEXT)",
    "CREATE TABLE IF NOT EXISTS b (id INTEGER PRIMARY KEY, y TEXT); INSERT INTO b VALUES (1, 'new')",
    "CREATE TABLE b (other)", "CREATE VIEW b AS SELECT 1", "CREATE INDEX b ON a (x)",
  ]

  @Test(
    "a table that something else made again keeps undo from throwing away the rows that were kept", arguments: others)
  func madeAgain(sql: String) throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE a (x); CREATE TABLE b (id INTEGER PRIMARY KEY, y TEXT); INSERT INTO b VALUES (1, 'old'), (2, 'rows')"
    )
    try file.migrate(to: "CREATE TABLE a (x)", allowing: Self.keeping)
    try file.exec(sql)
    let undo = try MigrationUndo(at: file.path)
    #expect {
      try undo.plan()
    } throws: {
      "\($0)".contains("something else made another b since") && "\($0)".contains("_schemakit_kept_1")
    }
    #expect(throws: HistoryError.self) { try undo.apply(allowing: .everything) }
    #expect(try file.value("SELECT count(*) FROM _schemakit_kept_1") == .int(2))
    // The way out that the error names.
    try file.exec(
      sql.contains("VIEW") ? "DROP VIEW b" : sql.contains("INDEX") ? "DROP INDEX b" : "ALTER TABLE b RENAME TO c")
    try MigrationUndo(at: file.path).apply()
    #expect(try file.query("SELECT * FROM b") == [[.int(1), .text("old")], [.int(2), .text("rows")]])
  }

  @Test("a column is kept by a key that may be NULL, where no row has NULL in it", arguments: [false, true])
  func keyWithoutNotNull(hasNull: Bool) throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE t (db TEXT, name TEXT, hidden INT, PRIMARY KEY (db, name)); INSERT INTO t VALUES ('a', 'x', 1), ('a', 'y', 0)"
        + (hasNull ? ", ('a', NULL, 2)" : ""))
    let after = "CREATE TABLE t (db TEXT, name TEXT, PRIMARY KEY (db, name))"
    let policy = PlanPolicy(keepsDropped: true)
    guard !hasNull else {
      #expect(throws: PlanError.self) { try file.migrate(to: after, allowing: policy) }
      return
    }
    try file.migrate(to: after, allowing: policy)
    try MigrationUndo(at: file.path).apply()
    #expect(
      try file.query("SELECT name, hidden FROM t ORDER BY name") == [
        [.text("x"), .int(1)], [.text("y"), .int(0)],
      ])
  }

  @Test("a column is not kept by a key that the same plan takes away, and the plan says why")
  func droppedKey() throws {
    let file = try TemporaryDatabase(
      """
      CREATE TABLE t (a INT NOT NULL, b INT NOT NULL, c, d, PRIMARY KEY (a, b)) WITHOUT ROWID;
      INSERT INTO t VALUES (1, 1, 'c', 'd');
      """)
    let hazards = try Self.keptPlan(of: file, to: "CREATE TABLE t (a INT NOT NULL PRIMARY KEY, d) WITHOUT ROWID")
      .hazards
    let asked = hazards.filter { $0.code == .droppedColumn && !$0.isNote }
    #expect(Set(asked.compactMap(\.column)) == ["b", "c"])
    #expect(
      asked.allSatisfy {
        $0.message.contains("They cannot be kept: that takes a key of t that is NULL in no row, stays")
      })
  }

  @Test("another key is taken where one is converted, and none where there is no other")
  func convertedKey() throws {
    let start = "CREATE TABLE emp (code TEXT PRIMARY KEY NOT NULL, badge INT NOT NULL%, pay INT);"
    let rows = "INSERT INTO emp VALUES ('101', 7, 900), ('102', 8, 100), ('103', 9, 500)"
    let target = """
      CREATE TABLE emp (
        code INTEGER PRIMARY KEY, -- schemakit: convert CAST(code AS INTEGER) + 1
        badge INT NOT NULL%
      );
      """
    let alone = try TemporaryDatabase(start.replacing("%", with: "") + rows)
    let refused = try Self.keptPlan(of: alone, to: target.replacing("%", with: "")).hazards
    #expect(refused.contains { $0.code == .droppedColumn && !$0.isNote && $0.message.contains("cannot be kept") })

    let file = try TemporaryDatabase(start.replacing("%", with: " UNIQUE") + rows)
    try file.migrate(to: target.replacing("%", with: " UNIQUE"), allowing: Self.keeping)
    try MigrationUndo(at: file.path).apply(allowing: .everything)
    #expect(
      try file.query("SELECT badge, pay FROM emp ORDER BY badge") == [
        [.int(7), .int(900)], [.int(8), .int(100)], [.int(9), .int(500)],
      ])
  }

  static let renames = [
    ("CREATE TABLE emp (code TEXT PRIMARY KEY NOT NULL)", "emp", "code"),
    ("CREATE TABLE staff ( -- schemakit: renamed from emp\ncode TEXT PRIMARY KEY NOT NULL)", "staff", "code"),
    ("CREATE TABLE emp (number TEXT PRIMARY KEY NOT NULL -- schemakit: renamed from code\n)", "emp", "number"),
  ]

  @Test(
    "values kept by a key that a later change converted are not given to other rows, renamed or not", arguments: renames
  )
  func keyConvertedLater(dropping: String, table: String, key: String) throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE emp (code TEXT PRIMARY KEY NOT NULL, pay INT); INSERT INTO emp VALUES ('101', 900), ('102', 100)")
    try file.migrate(to: dropping, allowing: Self.keeping)
    try file.migrate(
      to: "CREATE TABLE \(table) (\(key) INTEGER PRIMARY KEY -- schemakit: convert CAST(\(key) AS INTEGER) + 1\n)",
      allowing: .everything)
    try MigrationUndo(at: file.path).apply(allowing: .everything)
    #expect {
      try MigrationUndo(at: file.path)
    } throws: {
      "\($0)".contains(
        "emp.pay is kept in _schemakit_kept_1 by the key \(table).\(key), whose values entry 2 converted")
    }
    #expect(try file.value("SELECT count(*) FROM _schemakit_kept_1") == .int(2))
  }

  static let retyped = [
    ("emp", "CREATE TABLE emp (number INTEGER PRIMARY KEY -- schemakit: renamed from code\n)"),
    (
      "emp",
      "CREATE TABLE staff ( -- schemakit: renamed from emp\nnumber INTEGER PRIMARY KEY -- schemakit: renamed from code\n)"
    ),
    ("emp", "CREATE TABLE emp (code INTEGER PRIMARY KEY)"),
  ]

  @Test(
    "values kept by a key that a later change renamed and gave another type are not given to other rows",
    arguments: retyped, [false, true])
  func keyRetypedLater(change: (table: String, sql: String), isFormer: Bool) throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE emp (code TEXT PRIMARY KEY NOT NULL, pay INT); INSERT INTO emp VALUES ('007', 900), ('08', 100)")
    try file.migrate(to: "CREATE TABLE emp (code TEXT PRIMARY KEY NOT NULL)", allowing: Self.keeping)
    try file.migrate(to: change.sql, allowing: .everything)
    // A ledger of the version before has the sentences alone.
    if isFormer { try file.exec("UPDATE _schemakit_history SET undo = json_remove(undo, '$.lost')") }
    try MigrationUndo(at: file.path).apply(allowing: .everything)
    #expect(try file.query("SELECT code FROM emp ORDER BY code") == [[.text("7")], [.text("8")]])
    #expect {
      try MigrationUndo(at: file.path)
    } throws: {
      "\($0)".contains("emp.pay is kept in _schemakit_kept_1 by the key emp.code, whose values entry 2 converted")
    }
  }

  @Test("what the change itself put in the place of a dropped table does not keep it from coming back")
  func replaced() throws {
    let file = try TemporaryDatabase("CREATE TABLE a (x); CREATE TABLE b (y); INSERT INTO b VALUES (1)")
    try file.migrate(to: "CREATE TABLE a (x); CREATE VIEW b AS SELECT x AS y FROM a", allowing: Self.keeping)
    try MigrationUndo(at: file.path).apply()
    #expect(try file.query("SELECT y FROM b") == [[.int(1)]])
  }

  @Test("neither a computed column nor one that gets another affinity is a key to keep values by")
  func unstableKeys() throws {
    for (before, after) in [
      ("CREATE TABLE t (a, x, g AS (x) STORED NOT NULL UNIQUE)", "CREATE TABLE t (a, g AS (a) STORED NOT NULL UNIQUE)"),
      ("CREATE TABLE t (a TEXT NOT NULL UNIQUE, x)", "CREATE TABLE t (a REAL NOT NULL UNIQUE)"),
    ] {
      let file = try TemporaryDatabase("\(before); INSERT INTO t (a, x) VALUES ('1', 'x')")
      let hazards = try Self.keptPlan(of: file, to: after).hazards
      #expect(hazards.contains { $0.code == .droppedColumn && !$0.isNote && $0.column == "x" }, "\(hazards)")
    }
  }

  @Test("a row that came since has no value for a NOT NULL column; the plan of the way back says how to give it one")
  func rowsSince() throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT NOT NULL); INSERT INTO t VALUES (1, 'old')")
    try file.migrate(to: "CREATE TABLE t (id INTEGER PRIMARY KEY)", allowing: Self.keeping)
    try file.exec("INSERT INTO t VALUES (2)")
    let hazard = try MigrationUndo(at: file.path).plan().hazards.first { $0.code == .nullsUnderNotNull }
    #expect(
      hazard?.remedy
        == "Give each a value among what was kept: INSERT INTO _schemakit_kept_1 VALUES (id, VALUE). Or delete these rows."
    )
    try file.exec("INSERT INTO _schemakit_kept_1 VALUES (2, 'new')")
    try MigrationUndo(at: file.path).apply()
    #expect(try file.query("SELECT * FROM t") == [[.int(1), .text("old")], [.int(2), .text("new")]])
  }

  private static func keptPlan(of file: TemporaryDatabase, to sql: String) throws -> MigrationPlan {
    let connection = try SQLiteConnection.openedForInspection(path: file.path)
    return try Change(over: connection, to: try TemporaryDatabase.target(sql), ChangeRequest(allowing: keeping)).plan()
  }
}

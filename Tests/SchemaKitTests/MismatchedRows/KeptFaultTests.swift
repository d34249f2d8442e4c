import SQLiteSchema
import Testing

@testable import SchemaKit

@Suite("Kept rows and values that break what their table declares")
struct KeptFaultTests {
  // MARK: - Tables

  private static let dropped = (
    """
    CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, z TEXT, n TEXT, u TEXT UNIQUE, s TEXT AS (z || 'a') STORED, \
    v AS (z || n)); CREATE TABLE other (a); CREATE INDEX tz ON t (z, s); INSERT INTO t VALUES (3, '007', NULL, 'x')
    """, ["z TEXT": "z INTEGER", "n TEXT": "n TEXT NOT NULL", "(z || 'a')": "(z + 1)"] as KeyValuePairs
  )

  @Test("a dropped table comes back with rows that broke its rules")
  func restored() throws {
    let file = try EditedFile(Self.dropped.0, Self.dropped.1)
    let columns = ["id", "z", "n", "u", "s"]
    let (before, problems) = (try file.values(of: columns), try file.problems())
    try file.database.migrate(to: "CREATE TABLE other (a)", allowing: .keepingEverything)
    _ = try MigrationUndo(at: file.database.path).apply(allowing: .everything)
    #expect(try file.values(of: columns) == before)
    #expect(try file.problems() == problems)
  }

  @Test("an undo that cannot take kept rows back is refused before it starts")
  func notRestored() throws {
    let file = try EditedFile(Self.dropped.0, Self.dropped.1)
    try file.database.migrate(to: "CREATE TABLE other (a)", allowing: .keepingEverything)
    var policy = PlanPolicy.everything
    policy.strategy = .alter
    let error = #expect(throws: PlanError.self) { try MigrationUndo(at: file.database.path).apply(allowing: policy) }
    guard case .refused(_, let hazards) = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(hazards.map(\.object) == ["t.n"])
    #expect(hazards.map(\.code) == [.nullsUnderNotNull])
    #expect(try file.database.query("SELECT count(*) FROM _schemakit_kept_1") == [[.int(1)]])
  }

  // MARK: - Columns

  @Test(
    "values come back to their rows whatever the key is called",
    arguments: [
      "rowid INTEGER PRIMARY KEY", "oid INTEGER PRIMARY KEY", "_rowid_ TEXT PRIMARY KEY NOT NULL",
      "_schemakit_k1 INTEGER PRIMARY KEY", "_schemakit_k0 INTEGER NOT NULL UNIQUE, rowid TEXT",
    ])
  func nameOfKey(key: String) throws {
    let second = key.contains(",") ? "'x', " : ""
    let file = try TemporaryDatabase(
      "CREATE TABLE t (\(key), a TEXT, b TEXT); INSERT INTO t VALUES (30, \(second)'p', 'one'), (2, \(second)'q', 'two'), "
        + "(10, \(second)'r', NULL)")
    let before = try file.query("SELECT * FROM t ORDER BY a")
    for strategy in [StrategyChoice.auto, .rebuild] {
      try file.migrate(to: "CREATE TABLE t (\(key), a TEXT)", allowing: .keepingEverything) {
        $0.plan.policy.strategy = strategy
      }
      _ = try MigrationUndo(at: file.path).apply(allowing: .everything)
      #expect(try file.query("SELECT * FROM t ORDER BY a") == before)
    }
  }

  @Test(
    "a dropped column comes back with values of any class, by keys of any class",
    arguments: ["z INTEGER", "z INTEGER NOT NULL", "z INTEGER NOT NULL DEFAULT 3", "z REAL NOT NULL", "z NUMERIC"])
  func restoredColumn(declared: String) throws {
    let file = try EditedFile(
      "CREATE TABLE t (k TEXT PRIMARY KEY NOT NULL, z TEXT, n TEXT); INSERT INTO t VALUES ('007', '1e2', 'a'), ('7', '5', 'b')",
      ["k TEXT": "k INT", "z TEXT": declared])
    let before = try file.values(of: ["k", "z", "n"], key: "n")
    try file.database.migrate(to: "CREATE TABLE t (k INT PRIMARY KEY NOT NULL, n TEXT)", allowing: .keepingEverything)
    _ = try MigrationUndo(at: file.database.path).apply(allowing: .lossless)
    #expect(try file.values(of: ["k", "z", "n"], key: "n") == before)
  }

  /// Columns whose kept values have to be stored under their type, and strategies that do so.
  private static let typed: [(columns: String, strategy: StrategyChoice)] = [
    ("z INTEGER, s INT AS (z + 1) STORED", .auto), ("z INTEGER, v AS (z + 1), s INT AS (v || 'a') STORED", .auto),
    ("z INTEGER NOT NULL DEFAULT '3'", .auto), ("z INTEGER", .alter),
  ]

  @Test("kept values that would come back as others need consent", arguments: typed)
  func retypedColumn(columns: String, strategy: StrategyChoice) throws {
    let file = try EditedFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT, \(columns.replacing("z INTEGER", with: "z TEXT")));
      INSERT INTO t (id, z) VALUES (1, '007'), (2, 'x'), (3, '5'), (4, 12)
      """, ["z TEXT": "z INTEGER"])
    let before = try file.values(of: ["z"])
    try file.database.migrate(
      to: "CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT)", allowing: .keepingEverything)
    var policy = PlanPolicy.lossless
    policy.strategy = strategy
    let undo = try MigrationUndo(at: file.database.path)
    let error = #expect(throws: PlanError.self) { try undo.apply(allowing: policy) }
    guard case .refused(_, let hazards) = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(hazards.map(\.object) == ["t.z"])
    #expect(hazards.map(\.code) == [.lossyConversion])
    #expect(hazards.first?.count == 3)
    _ = try policy.add(allow: "SK103")
    _ = try undo.apply(allowing: policy)
    #expect(try file.values(of: ["z"]) != before)
    #expect(try file.database.query("SELECT z FROM t ORDER BY id") == [[.int(7)], [.text("x")], [.int(5)], [.int(12)]])
  }

  @Test("kept values that fit come back without a question under a column that others are computed from")
  func fittingColumn() throws {
    let file = try TemporaryDatabase(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT, z REAL, s INT AS (z + 1) STORED);
      INSERT INTO t (id, z) VALUES (1, 5), (2, 0.5), (3, NULL), (4, 'x')
      """)
    let before = try file.query("SELECT id, z, s FROM t ORDER BY id")
    try file.migrate(to: "CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT)", allowing: .keepingEverything)
    _ = try MigrationUndo(at: file.path).apply(allowing: .lossless)
    #expect(try file.query("SELECT id, z, s FROM t ORDER BY id") == before)
  }
}

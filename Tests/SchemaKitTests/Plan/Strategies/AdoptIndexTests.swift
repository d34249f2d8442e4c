import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

/// Changes that need another text and other indexes, and no other row.
@Suite("Adopted and sorted indexes, and columns under another type")
struct AdoptIndexTests {
  static let head = "CREATE TABLE t (id INTEGER PRIMARY KEY, "
  static let cases = [
    DefinitionCase("add UNIQUE", head + "a TEXT, b INT)", head + "a TEXT UNIQUE, b INT)"),
    DefinitionCase("drop UNIQUE", head + "a TEXT UNIQUE, b INT)", head + "a TEXT, b INT)"),
    DefinitionCase(
      "add UNIQUE before another, and drop one behind it", head + "a TEXT, b INT UNIQUE, UNIQUE (b, a))",
      head + "a TEXT UNIQUE, b INT UNIQUE)"),
    DefinitionCase(
      "UNIQUE constraints in another order, with names", head + "a TEXT, b INT, UNIQUE (a), UNIQUE (b))",
      head + "a TEXT, b INT, CONSTRAINT later UNIQUE (b), CONSTRAINT \"sooner' one\" UNIQUE (a) ON CONFLICT IGNORE)"),
    DefinitionCase(
      "UNIQUE in another order with NOT NULL dropped", head + "a TEXT NOT NULL, b INT, UNIQUE (a), UNIQUE (b))",
      head + "a TEXT, b INT, UNIQUE (b), UNIQUE (a))"),
    DefinitionCase(
      "a column's UNIQUE and a table's with NOT NULL dropped", head + "a TEXT NOT NULL UNIQUE, b INT UNIQUE)",
      head + "a TEXT, b INT UNIQUE, UNIQUE (a))"),
    DefinitionCase(
      "UNIQUE with a collation and a direction", head + "a TEXT, b INT)",
      head + "a TEXT, b INT, UNIQUE (b DESC, a COLLATE NOCASE))"),
    DefinitionCase(
      "another collation of UNIQUE", head + "a TEXT, b INT, UNIQUE (a COLLATE NOCASE))",
      head + "a TEXT, b INT, UNIQUE (a))"),
    DefinitionCase(
      "the same UNIQUE under two collations", head + "a TEXT, b INT, UNIQUE (a COLLATE NOCASE), UNIQUE (a))",
      head + "a TEXT, b INT, UNIQUE (a COLLATE RTRIM), UNIQUE (a COLLATE NOCASE))"),
    DefinitionCase(
      "a key of text comes", "CREATE TABLE t (id INTEGER, a TEXT, b INT)",
      "CREATE TABLE t (id INTEGER, a TEXT PRIMARY KEY, b INT)"),
    DefinitionCase(
      "a key goes", "CREATE TABLE t (id INT PRIMARY KEY, a TEXT, b INT UNIQUE)",
      "CREATE TABLE t (id INT, a TEXT, b INT UNIQUE)"),
    DefinitionCase(
      "another key", "CREATE TABLE t (id INT, a TEXT, b INT, PRIMARY KEY (id, a))",
      "CREATE TABLE t (id INT, a TEXT, b INT, PRIMARY KEY (a, b DESC) ON CONFLICT REPLACE)"),
    DefinitionCase(
      "UNIQUE of a table WITHOUT ROWID", "CREATE TABLE t (id TEXT PRIMARY KEY, a TEXT UNIQUE, b INT) WITHOUT ROWID",
      "CREATE TABLE t (id TEXT PRIMARY KEY, a TEXT, b INT UNIQUE) WITHOUT ROWID"),
    DefinitionCase(
      "AUTOINCREMENT comes", head + "a TEXT, b INT)",
      "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT, b INT)"),
    DefinitionCase(
      "AUTOINCREMENT goes", "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT, b INT)",
      head + "a TEXT, b INT)"),
    DefinitionCase(
      "a collation of what keys, indexes and expressions read",
      head + "a TEXT, b INT UNIQUE, c AS (a || b), UNIQUE (a, b))",
      head + "a TEXT COLLATE NOCASE, b INT UNIQUE, c AS (a || b), UNIQUE (a, b))"),
    DefinitionCase("INTEGER becomes REAL", head + "a TEXT, b INTEGER UNIQUE)", head + "a TEXT, b REAL UNIQUE)"),
    DefinitionCase("NUMERIC becomes INTEGER", head + "a TEXT, b DECIMAL)", head + "a TEXT, b INTEGER)"),
    DefinitionCase("STRICT", head + "a VARCHAR(9) NOT NULL, b INT)", head + "a TEXT NOT NULL, b INT) STRICT"),
    DefinitionCase("no longer STRICT", head + "a TEXT, b INT) STRICT", head + "a VARCHAR(9), b BIGINT)"),
    DefinitionCase(
      "all at once", "CREATE TABLE t (id INT, a TEXT, b INTEGER UNIQUE)",
      "CREATE TABLE t (b REAL CHECK (b < 1e9), id INT PRIMARY KEY, a TEXT COLLATE NOCASE NOT NULL, d TEXT, UNIQUE (b, a))"
    ),
  ]

  /// What no change may touch: the values with their classes, by the number or key of their row.
  private func contents(_ file: TemporaryDatabase, of change: DefinitionCase) throws -> [[RawValue]] {
    // A whole number is an integer or a real, by the column's type.
    try file.query(
      "SELECT id, a, CAST(b AS INTEGER), typeof(id), typeof(a), CASE typeof(b) WHEN 'real' THEN 'integer' ELSE typeof(b) END FROM t ORDER BY id"
    )
  }

  /// Expects a sound file whose indexes stay as they are when they are sorted anew.
  private func expectWhole(_ file: TemporaryDatabase, sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(try file.query("PRAGMA integrity_check") == [[.text("ok")]], sourceLocation: sourceLocation)
    func content() throws -> Data {
      let path = file.folder.appendingPathComponent("\(UUID().uuidString).db")
      try file.exec("VACUUM INTO '\(path.path)'")
      return try Data(contentsOf: path).dropFirst(100)
    }
    let before = try content()
    try file.exec("REINDEX")
    #expect(try content() == before, sourceLocation: sourceLocation)
  }

  /// Undoes a change, and expects the old table with its rows.
  private func expectUndone(_ file: TemporaryDatabase, _ change: DefinitionCase, _ before: [[RawValue]]) throws {
    _ = try MigrationUndo(at: file.path).apply(allowing: .everything)
    #expect(try contents(file, of: change) == before)
    try expectWhole(file)
    #expect(
      try file.plan(
        to:
          "CREATE TABLE u (k INTEGER PRIMARY KEY); \(change.from); CREATE INDEX i ON t (a); CREATE VIEW v AS SELECT * FROM t;"
      ).isEmpty)
  }

  @Test("no row moves, and undo brings the old table back", arguments: cases, [0, 1, 40])
  func change(_ change: DefinitionCase, count: Int) throws {
    let file = try change.file(count)
    let roots = "SELECT rootpage FROM sqlite_master WHERE name IN ('t', 'i') ORDER BY name"
    let isSorted = change.to.contains("a TEXT COLLATE")
    let (before, places) = (try contents(file, of: change), try file.query(roots))
    let report = try file.migrate(to: change.target, allowing: .everything)
    let steps = report.plan.steps.filter { $0.object.kind == .table }
    // From SQLite 3.53 on, ALTER TABLE drops NOT NULL.
    let ways: Set<MigrationStep.Strategy> =
      change.what.contains("NOT NULL") && Engine.has(.alterConstraints) ? [.native, .catalog] : [.catalog]
    #expect(steps.count == 1 && steps.allSatisfy { ways.contains($0.strategy) }, "\(steps.first?.reason ?? "")")
    #expect(steps.first?.rows == nil)
    try file.expectSettled(at: change.target)
    #expect(try contents(file, of: change) == before)
    if !isSorted { #expect(try file.query(roots) == places) }
    try expectWhole(file)
    try expectUndone(file, change, before)
  }

  static let keyedColumns = [
    DefinitionCase("a UNIQUE column comes", head + "a TEXT, b INT)", head + "a TEXT, b INT, c TEXT UNIQUE)"),
    DefinitionCase(
      "a UNIQUE column comes before others, under a name and a collation", head + "a TEXT, b INT UNIQUE)",
      head
        + "c TEXT CONSTRAINT \"the c's\" UNIQUE ON CONFLICT IGNORE COLLATE NOCASE CHECK (c <> ''), a TEXT, b INT UNIQUE)"
    ),
    DefinitionCase(
      "a constraint over an old and a new column comes", head + "a TEXT, b INT)",
      head + "a TEXT, b INT, c INT NOT NULL DEFAULT 7, UNIQUE (c DESC, a))"),
    DefinitionCase(
      "a key over an old and a new column comes", "CREATE TABLE t (id INT PRIMARY KEY, a TEXT, b INT)",
      "CREATE TABLE t (id INT, a TEXT, b INT, c INT DEFAULT 7, PRIMARY KEY (id, c))"),
    DefinitionCase(
      "a UNIQUE column with comments comes", head + "a TEXT, b INT)",
      head + "a TEXT, -- first\n c TEXT -- its 'mail'\n UNIQUE -- behind\n, b INT -- last\n, CHECK (c <> ''))"),
    DefinitionCase(
      "a UNIQUE column with comments goes",
      head + "a TEXT, c TEXT -- its mail\n UNIQUE,\n b INT -- note\n)", head + "a TEXT, b INT -- note\n)",
      row: "N, 'aN', 'cN', N"),
    DefinitionCase(
      "a computed UNIQUE column comes", head + "a TEXT, b INT)", head + "a TEXT, b INT, c AS (b + 1) UNIQUE)"),
    DefinitionCase(
      "a UNIQUE column goes", head + "a TEXT, b INT, c TEXT UNIQUE)", head + "a TEXT, b INT)", row: "N, 'aN', N, 'cN'"),
    DefinitionCase(
      "a column of two constraints goes, which one of them outlives",
      head + "a TEXT, b INT, c TEXT UNIQUE CHECK (c <> ''), UNIQUE (b, c))", head + "a TEXT, b INT UNIQUE)",
      row: "N, 'aN', N, 'cN'"),
    DefinitionCase(
      "a column of the key goes", "CREATE TABLE t (id INT, a TEXT, b INT, c INT, PRIMARY KEY (id, c))",
      "CREATE TABLE t (id INT PRIMARY KEY, a TEXT, b INT)", row: "N, 'aN', N, N"),
    DefinitionCase(
      "the key goes with its column", "CREATE TABLE t (id INT, a TEXT, b INT, c INT PRIMARY KEY)",
      "CREATE TABLE t (id INT, a TEXT, b INT)", row: "N, 'aN', N, N"),
    DefinitionCase(
      "one UNIQUE column comes and one goes", head + "a TEXT, b INT, c TEXT UNIQUE, e INT UNIQUE)",
      head + "a TEXT, b INT, d INT UNIQUE, e INT UNIQUE)", row: "N, 'aN', N, 'cN', N"),
  ]

  @Test(
    "columns of keys come and go without a copy, and undo brings the old table back", arguments: keyedColumns,
    [0, 1, 40])
  func keyedColumn(_ change: DefinitionCase, count: Int) throws {
    let file = try change.file(count)
    let before = try contents(file, of: change)
    let report = try file.migrate(to: change.target, allowing: .everything)
    let step = try #require(report.plan.steps.first { $0.object.kind == .table })
    let isDropped = change.what.contains("goes")
    if !isDropped || Engine.has(.dropColumn) { #expect(step.strategy == .catalog, "\(step.reason ?? "")") }
    if !isDropped { #expect(step.rows == nil) }
    try file.expectSettled(at: change.target)
    #expect(try contents(file, of: change) == before)
    try expectWhole(file)
    try expectUndone(file, change, before)
  }

  @Test(
    "a UNIQUE column whose rows would all be equal is refused",
    arguments: ["c INT UNIQUE DEFAULT 7", "c AS (b % 2) UNIQUE"])
  func equalColumn(definition: String) throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, b INT); INSERT INTO t (b) VALUES (1), (3)")
    let bytes = try file.bytes
    let target = "CREATE TABLE t (id INTEGER PRIMARY KEY, b INT, \(definition))"
    let plan = try file.plan(to: target)
    #expect(plan.hazards.contains { $0.code == .duplicates && !$0.isNote })
    #expect(throws: (any Error).self) { try file.migrate(to: target, allowing: .everything) }
    #expect(try file.bytes == bytes)
  }

  /// A change that one of the rules makes wrong if it is forgotten, and the way that it takes.
  struct Trap: CustomStringConvertible, Sendable {
    var what: String
    var from: String
    var to: String
    var rows: String
    var way: MigrationStep.Strategy
    var indexes = ""
    var description: String { what }
  }

  static let traps = [
    Trap(
      what: "a collation that conditions and expressions of indexes compare with",
      from: "c TEXT, d TEXT, v AS (c = 'a')",
      to: "c TEXT COLLATE NOCASE, d TEXT, v AS (c = 'a')", rows: "(1, 'a', 'x'), (2, 'A', 'y'), (3, 'b', 'z')",
      way: .catalog,
      indexes: "CREATE INDEX i1 ON t (c COLLATE BINARY) WHERE c = 'a'; CREATE INDEX i2 ON t (d) WHERE c = 'a'; "
        + "CREATE INDEX i3 ON t ((c = 'a')); CREATE INDEX i4 ON t (v); CREATE INDEX i5 ON t (d, max(c, 'B')); "
        + "CREATE INDEX i6 ON t (d COLLATE NOCASE)"),
    Trap(
      what: "a collation that a stored value reads", from: "c TEXT, s AS (c = 'a') STORED",
      to: "c TEXT COLLATE NOCASE, s AS (c = 'a') STORED", rows: "(1, 'a'), (2, 'A')", way: .rebuild),
    Trap(
      what: "a collation that a stored value reads through a virtual one",
      from: "c TEXT, v AS (c = 'a'), s AS (v + 1) STORED",
      to: "c TEXT COLLATE NOCASE, v AS (c = 'a'), s AS (v + 1) STORED", rows: "(1, 'a'), (2, 'A')", way: .rebuild),
    Trap(
      what: "a number that expressions of indexes read", from: "c INTEGER, d TEXT, v AS (c / 2)",
      to: "c REAL, d TEXT, v AS (c / 2)", rows: "(1, 5, 'x'), (2, -3, 'y'), (3, NULL, 'z')", way: .catalog,
      indexes:
        "CREATE INDEX i1 ON t (c); CREATE INDEX i2 ON t (d) WHERE typeof(c) = 'integer'; CREATE INDEX i3 ON t (c / 2); "
        + "CREATE INDEX i4 ON t (c || ''); CREATE INDEX i5 ON t (v); CREATE INDEX i6 ON t (c, d)"),
    Trap(
      what: "a number that a stored value reads", from: "c INTEGER, s AS (c || '') STORED",
      to: "c REAL, s AS (c || '') STORED", rows: "(1, 5), (2, 7)", way: .rebuild),
    Trap(
      what: "numbers that reals keep just so", from: "c INTEGER UNIQUE", to: "c REAL UNIQUE",
      rows: "(1, 9007199254740992), (2, -9007199254740991), (3, 140737488355328), (4, 2.5)", way: .catalog),
    Trap(
      what: "numbers that reals do not keep", from: "c INTEGER", to: "c REAL",
      rows: "(1, 9007199254740993), (2, 5)", way: .swap, indexes: "CREATE INDEX i1 ON t (id DESC)"),
    Trap(
      what: "a descending key of a table WITHOUT ROWID", from: "k INT, u, PRIMARY KEY (k DESC)",
      to: "k INT, u UNIQUE, PRIMARY KEY (k DESC)", rows: "(1, 1, NULL), (2, 2, NULL), (3, 3, 'x')", way: .rebuild),
    Trap(
      what: "a rowid that is UNIQUE too", from: "c TEXT, UNIQUE (id)", to: "c TEXT NOT NULL DEFAULT 'x'",
      rows: "(1, 'a'), (2, 'b')", way: .catalog),
    Trap(
      what: "a rowid that becomes UNIQUE too", from: "c TEXT", to: "c TEXT CHECK (c <> ''), UNIQUE (id)",
      rows: "(1, 'a'), (2, 'b')",
      way: Engine.has(.alterConstraints) && !Engine.version.hasPrefix("3.53.") ? .native : .catalog),
  ]

  @Test("a change ends as a copy of the table would, and each index fits its rows", arguments: traps)
  func endsAsCopy(_ trap: Trap) throws {
    let isKeyed = trap.from.contains("k INT")
    func schema(_ columns: String) -> String {
      "CREATE TABLE t (\(isKeyed ? "id INT" : "id INTEGER PRIMARY KEY"), \(columns))\(isKeyed ? " WITHOUT ROWID" : ""); \(trap.indexes)"
    }
    let columns =
      isKeyed ? "(id, k, u)" : trap.from.contains("d TEXT") || trap.from.contains(", d") ? "(id, c, d)" : "(id, c)"
    var found: [[[RawValue]]] = []
    for strategy in [StrategyChoice.auto, .rebuild] {
      let file = try TemporaryDatabase("\(schema(trap.from)); INSERT INTO t \(columns) VALUES \(trap.rows)")
      var policy = PlanPolicy.everything
      policy.strategy = strategy
      let report = try file.migrate(to: schema(trap.to), allowing: policy)
      let step = try #require(report.plan.steps.first { $0.object.kind == .table })
      if strategy == .auto { #expect(step.strategy == trap.way, "\(step.reason ?? "")") }
      try file.expectSettled(at: schema(trap.to))
      try expectWhole(file)
      let names = try file.query("SELECT name FROM pragma_table_xinfo('t')").compactMap { row -> String? in
        if case .text(let name) = row[0] { "\(name), typeof(\(name))" } else { nil }
      }
      found.append(try file.query("SELECT \(names.joined(separator: ", ")) FROM t NOT INDEXED ORDER BY id"))
    }
    #expect(found[0] == found[1])
  }

  @Test("the mark of AUTOINCREMENT is the last row, and goes with it", arguments: [0, 3])
  func mark(count: Int) throws {
    let (plain, marked) = (
      "CREATE TABLE t (id INTEGER PRIMARY KEY)", "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT)"
    )
    let file = try TemporaryDatabase("\(plain); " + rows(count) { "INSERT INTO t VALUES (\($0 * 7))" })
    let mark = "SELECT seq FROM sqlite_sequence WHERE name = 't'"
    try file.migrate(to: marked)
    #expect(try file.query(mark) == (count == 0 ? [] : [[.int(Int64(count * 7))]]))
    try file.exec("DELETE FROM t; INSERT INTO t DEFAULT VALUES")
    #expect(try file.value("SELECT id FROM t") == .int(Int64(count * 7 + 1)))
    try file.migrate(to: plain, allowing: .everything)
    #expect(try file.query(mark) == [])
  }

  @Test("an index that lacks rows does not become that of a constraint, which is made anew")
  func lackingIndex() throws {
    let file = try EditedFile(
      "CREATE TABLE t (a, b); CREATE UNIQUE INDEX i ON t (a) WHERE b = 1; INSERT INTO t VALUES (1, 1), (2, 2), (3, 3)",
      [" WHERE b = 1": ""])
    try file.database.migrate(to: "CREATE TABLE t (a UNIQUE, b)")
    try expectWhole(file.database)
    let sound = try TemporaryDatabase(
      "CREATE TABLE t (a, b); CREATE UNIQUE INDEX i ON t (a); INSERT INTO t VALUES (1, 1)")
    let plan = try sound.plan(to: "CREATE TABLE t (a UNIQUE, b)")
    #expect(plan.statements.map(\.role) == [.adopt])
  }

  static let misplacing = [
    "name = CASE name WHEN 'sqlite_autoindex_t_1' THEN 'sqlite_autoindex_t_2' ELSE 'sqlite_autoindex_t_1' END WHERE sql IS NULL",
    "name = 'sqlite_autoindex_t_3', sql = NULL WHERE name = 'i'",
    "sql = 'CREATE TABLE t (a UNIQUE, b UNIQUE, c UNIQUE)' WHERE name = 't'",
  ]

  @Test("an edit that gives an index to another constraint, or to none, is refused", arguments: misplacing)
  func misplaced(edit: String) throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE t (a UNIQUE, b UNIQUE, c); CREATE UNIQUE INDEX i ON t (c); INSERT INTO t VALUES (1, 2, 3)")
    let bytes = try file.bytes
    do {
      let connection = try SQLiteConnection(path: file.path, mode: .readWrite)
      try connection.execute("BEGIN IMMEDIATE")
      #expect(throws: SQLiteError.self) {
        try CatalogEditor(connection: connection).adopt(
          "UPDATE sqlite_master SET \(edit)", on: "t", allowing: ChangedReading())
      }
    }
    #expect(try file.bytes == bytes)
  }
}

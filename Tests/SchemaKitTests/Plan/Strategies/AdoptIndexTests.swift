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

  private func isWhole(_ file: TemporaryDatabase) throws {
    #expect(try file.query("PRAGMA integrity_check") == [[.text("ok")]])
    // An index that has no page of its own, or no constraint, shows when the catalog is written anew.
    try file.exec("REINDEX; VACUUM")
    #expect(try file.query("PRAGMA integrity_check") == [[.text("ok")]])
  }

  @Test("no row moves, and undo brings the old table back", arguments: cases, [0, 1, 40])
  func change(_ change: DefinitionCase, count: Int) throws {
    let file = try change.file(count)
    let roots = "SELECT rootpage FROM sqlite_master WHERE name IN ('t', 'i') ORDER BY name"
    let isSorted = change.to.contains("a TEXT COLLATE")
    let (before, places) = (try contents(file, of: change), try file.query(roots))
    let report = try file.migrate(to: change.target, allowing: .everything)
    let steps = report.plan.steps.filter { $0.object.kind == .table }
    #expect(steps.map(\.strategy) == [.catalog], "\(steps.first?.reason ?? "")")
    #expect(steps.first?.rows == nil)
    try file.expectSettled(at: change.target)
    #expect(try contents(file, of: change) == before)
    if !isSorted { #expect(try file.query(roots) == places) }
    try isWhole(file)
    _ = try MigrationUndo(at: file.path).apply(allowing: .everything)
    #expect(try contents(file, of: change) == before)
    try isWhole(file)
    #expect(
      try file.plan(
        to:
          "CREATE TABLE u (k INTEGER PRIMARY KEY); \(change.from); CREATE INDEX i ON t (a); CREATE VIEW v AS SELECT * FROM t;"
      ).isEmpty)
  }
}

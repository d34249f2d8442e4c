import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("A damaged history")
struct LedgerDamageTests {
  /// What somebody did to the tables, which of them is named, and what is said of it.
  struct Damage: Sendable, CustomTestStringConvertible {
    var sql: String
    var table: String
    var problem: HistoryError.LedgerProblem
    /// What reads the damaged part.
    var readers = Reader.allCases

    var testDescription: String { sql }
  }

  enum Reader: CaseIterable { case plan, migrate, history, undo, kept }

  private static let first = "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT);"
  private static let second = "CREATE TABLE t (id INTEGER PRIMARY KEY);"

  static let damages = [
    Damage(
      sql: "ALTER TABLE _schemakit_history DROP COLUMN plan", table: "_schemakit_history",
      problem: .missingColumn("plan")),
    Damage(
      sql: "ALTER TABLE _schemakit_history RENAME COLUMN undo TO redo", table: "_schemakit_history",
      problem: .missingColumn("undo")),
    Damage(
      sql: "ALTER TABLE _schemakit_schemas DROP COLUMN owned", table: "_schemakit_schemas",
      problem: .missingColumn("owned")),
    Damage(
      sql: "ALTER TABLE _schemakit_meta RENAME COLUMN value TO worth", table: "_schemakit_meta",
      problem: .missingColumn("value")),
    Damage(sql: "DROP TABLE _schemakit_meta", table: "_schemakit_meta", problem: .missing),
    Damage(sql: "DROP TABLE _schemakit_schemas", table: "_schemakit_schemas", problem: .missing),
    Damage(
      sql: """
        ALTER TABLE _schemakit_history RENAME TO _schemakit_h;
        CREATE VIEW _schemakit_history AS SELECT * FROM _schemakit_h
        """, table: "_schemakit_history", problem: .notATable(kind: "view")),
    Damage(
      sql: """
        DROP TABLE _schemakit_history; CREATE TABLE gone (a);
        CREATE VIEW _schemakit_history AS SELECT a FROM gone; DROP TABLE gone
        """, table: "_schemakit_history", problem: .notATable(kind: "view")),
    Damage(
      sql: """
        CREATE TABLE _schemakit_h AS SELECT * FROM _schemakit_history; DROP TABLE _schemakit_history;
        ALTER TABLE _schemakit_h RENAME TO _schemakit_history
        """, table: "_schemakit_history", problem: .otherPrimaryKey),
    Damage(
      sql: "UPDATE _schemakit_meta SET value = 'soon' WHERE key = 'format'", table: "_schemakit_meta",
      problem: .wrongRow("format", .wholeNumber)),
    Damage(sql: "DELETE FROM _schemakit_meta", table: "_schemakit_meta", problem: .missingRow("format")),
    Damage(
      sql: "UPDATE _schemakit_schemas SET cookie = 'x'", table: "_schemakit_schemas",
      problem: .wrongValue(column: "cookie", .wholeNumber), readers: [.plan, .migrate, .undo]),
    Damage(
      sql: "UPDATE _schemakit_schemas SET fingerprint = x'00'", table: "_schemakit_schemas",
      problem: .wrongValue(column: "fingerprint", .text), readers: [.plan, .migrate, .undo]),
    Damage(
      sql: "UPDATE _schemakit_schemas SET owned = 't u'", table: "_schemakit_schemas",
      problem: .wrongValue(column: "owned", .names), readers: [.plan, .migrate, .undo]),
    Damage(
      sql: "UPDATE _schemakit_history SET kind = 'merge' WHERE id = 2", table: "_schemakit_history",
      problem: .unknownKind(entry: 2), readers: [.history, .undo]),
    Damage(
      sql: "UPDATE _schemakit_history SET milliseconds = 'long'", table: "_schemakit_history",
      problem: .wrongValue(column: "milliseconds", .wholeNumber), readers: [.history, .undo]),
    Damage(
      sql: "ALTER TABLE _schemakit_kept DROP COLUMN rowids", table: "_schemakit_kept",
      problem: .missingColumn("rowids"), readers: [.undo, .kept]),
    Damage(
      sql: "DROP TABLE _schemakit_kept_1", table: "_schemakit_kept_1", problem: .noKeptTable,
      readers: [.undo, .kept]),
    Damage(
      sql: "ALTER TABLE _schemakit_kept_1 RENAME COLUMN _schemakit_k1 TO v", table: "_schemakit_kept_1",
      problem: .missingKeptColumn, readers: [.undo, .kept]),
  ]

  /// A file with two changes, the second of which kept something.
  private func file() throws -> TemporaryDatabase {
    let file = try TemporaryDatabase()
    try file.migrate(to: Self.first)
    try file.exec("INSERT INTO t VALUES (1, 'a')")
    try file.migrate(to: Self.second, allowing: .keepingEverything)
    return file
  }

  private func read(_ file: TemporaryDatabase, by reader: Reader) throws {
    switch reader {
    case .plan: _ = try file.plan(to: Self.first)
    case .migrate: try file.migrate(to: Self.first)
    case .history: _ = try SchemaInspector(at: file.path).history()
    case .undo: _ = try MigrationUndo(at: file.path).plan()
    case .kept: _ = try KeptData(at: file.path).items
    }
  }

  @Test("it is named with its table and its problem, whoever reads it, and nothing is changed", arguments: damages)
  func damaged(damage: Damage) throws {
    let file = try file()
    for reader in Reader.allCases { if reader != .migrate { try read(file, by: reader) } }
    try file.exec(damage.sql)
    let before = try file.bytes
    for reader in damage.readers {
      #expect(
        throws: HistoryError(reason: .damagedLedger(table: damage.table, problem: damage.problem)), "\(reader)"
      ) { try read(file, by: reader) }
    }
    #expect(try file.bytes == before)
  }

  @Test("a record of the way back that is not JSON is said to be unreadable, with its table and the way out")
  func unreadableUndo() throws {
    for value in ["'not JSON'", "x'7B7D'", "'{}'"] {
      let file = try file()
      try file.exec("UPDATE _schemakit_history SET undo = \(value)")
      let before = try file.bytes
      let error = try #require(throws: HistoryError.self) { try MigrationUndo(at: file.path) }
      #expect(error.reason == .notUndoable(entry: 2, problem: .unreadableRecord))
      #expect(error.description.contains("_schemakit_history"))
      #expect(try file.bytes == before)
    }
  }

  @Test("a column that forbids what is written is said of its table, and the change is rolled back")
  func refusedWrite() throws {
    let file = try file()
    try file.exec("CREATE UNIQUE INDEX _schemakit_i ON _schemakit_history (kind) WHERE id > 1")
    let error = try #require(throws: HistoryError.self) {
      try file.migrate(to: "CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT);")
    }
    #expect(
      error.reason
        == .damagedLedger(
          table: "_schemakit_history",
          problem: .refusedBySQLite("UNIQUE constraint failed: _schemakit_history.kind")))
    #expect(error.description.contains("SQLite says: UNIQUE constraint failed: _schemakit_history.kind"))
    #expect(try file.value("SELECT count(*) FROM pragma_table_info('t')") == .int(1))
  }

  @Test("a program is told when it opens the file, even one that takes newer files as they are")
  func session() throws {
    for newerFile in [Configuration.NewerFile.refuse, .openAsIs] {
      let file = try TemporaryDatabase.pets()
      try file.exec("ALTER TABLE _schemakit_schemas DROP COLUMN declaration")
      let before = try file.bytes
      let error = try #require(throws: HistoryError.self) {
        try Session(at: file.path, schema: Pets.one) { $0.newerFile = newerFile }
      }
      #expect(
        error.reason == .damagedLedger(table: "_schemakit_schemas", problem: .missingColumn("declaration")))
      #expect(error.description.contains("Nothing was changed. Restore the file from a backup"))
      #expect(try file.bytes == before)
    }
  }

  @Test("columns that are not ours do no harm")
  func moreColumns() throws {
    let file = try file()
    for table in ["meta", "schemas", "history", "kept"] {
      try file.exec("ALTER TABLE _schemakit_\(table) ADD COLUMN theirs")
    }
    try MigrationUndo(at: file.path).apply()
    #expect(try file.value("SELECT v FROM t") == .text("a"))
  }

  @Test("without any table of the history a new one begins")
  func newHistory() throws {
    let file = try file()
    for table in ["meta", "schemas", "history", "kept", "kept_1"] { try file.exec("DROP TABLE _schemakit_\(table)") }
    #expect(try file.migrate(to: Self.second).outcome == .baselined)
    #expect(try SchemaInspector(at: file.path).history().map(\.kind) == [.baseline])
  }
}

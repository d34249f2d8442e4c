import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Undo")
struct UndoTests {
  private static let keeping = PlanPolicy.keepingEverything

  /// A file with all that a rebuild and a drop could harm.
  private static let start = """
    CREATE TABLE team (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT COLLATE NOCASE UNIQUE);
    CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL, size, team INTEGER REFERENCES team ON DELETE CASCADE);
    CREATE TABLE log (message, at REAL);
    CREATE TABLE pair (a TEXT, b INT, note TEXT DEFAULT 'none' NOT NULL, PRIMARY KEY (a, b)) WITHOUT ROWID;
    CREATE INDEX person_by_name ON person (name DESC);
    CREATE VIEW names AS SELECT name FROM person;
    CREATE TRIGGER logged AFTER INSERT ON person BEGIN INSERT INTO log VALUES (new.name, 1.5); END;
    INSERT INTO team VALUES (3, 'red'), (9, 'blue');
    DELETE FROM team WHERE id = 9;
    INSERT INTO person VALUES (1, 'Ada', '007', 3), (5, 'Alan', x'00FF', NULL), (6, 'Bo', 7.5, 3), (7, 'Cy', NULL, NULL);
    INSERT INTO pair VALUES ('a', 1, 'x'), ('a', 2, 'none'), ('b', 1, '');
    DELETE FROM log WHERE rowid = 2;
    """

  @Test("AUTOINCREMENT that went by an edit of the catalog begins anew, and the undo says so")
  func mark() throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a); INSERT INTO t VALUES (1, 2), (20, 3); DELETE FROM t WHERE id > 1"
    )
    try file.migrate(to: "CREATE TABLE t (id INTEGER PRIMARY KEY, a)")
    let undo = try MigrationUndo(at: file.path)
    #expect(undo.losses == ["Table t gives keys of deleted rows again: AUTOINCREMENT begins anew."])
  }

  private func file() throws -> TemporaryDatabase { try TemporaryDatabase(Self.start) }

  private func undo(_ file: TemporaryDatabase, allowing policy: PlanPolicy = .lossless) throws -> ApplyReport {
    try MigrationUndo(at: file.path).apply(allowing: policy)
  }

  @Test("dropped tables and columns that were kept come back with every value, rowid, mark and trigger")
  func keptEverything() throws {
    let file = try file()
    let before = try file.contents().sorted()
    let rowIDs = try file.query("SELECT rowid FROM log")
    try file.migrate(
      to: """
        CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE pair (a TEXT, b INT, PRIMARY KEY (a, b)) WITHOUT ROWID;
        """, allowing: Self.keeping)
    #expect(try file.query("SELECT name FROM sqlite_master WHERE name IN ('team', 'log', 'names', 'logged')").isEmpty)
    _ = try undo(file)
    #expect(try file.contents().sorted() == before)
    #expect(try file.query("SELECT rowid FROM log") == rowIDs)
    #expect(try file.value("SELECT seq FROM sqlite_sequence WHERE name = 'team'") == .int(9))
    #expect(
      try file.query("SELECT typeof(size) FROM person ORDER BY id").map { $0[0].string } == [
        "text", "blob", "real", "null",
      ])
    #expect(try file.value("SELECT count(*) FROM _schemakit_kept") == .int(0))
    #expect(try file.query("SELECT name FROM sqlite_master WHERE name GLOB '_schemakit_kept_*'").isEmpty)
    #expect(try file.query("PRAGMA integrity_check") == [[.text("ok")]])
  }

  @Test("what was kept follows its row when its key was renamed, and its table too")
  func renamedKey() throws {
    let file = try file()
    let before = try file.rowsAndColumns()
    try file.migrate(
      to: """
        CREATE TABLE human ( -- schemakit: renamed from person
          key INTEGER PRIMARY KEY, -- schemakit: renamed from id
          id TEXT, -- a new column under the old name of the key
          name TEXT NOT NULL
        );
        CREATE INDEX person_by_name ON human (name DESC);
        CREATE VIEW names AS SELECT name FROM human;
        """, allowing: Self.keeping)
    try file.exec("UPDATE human SET id = 'other'")
    let error = #expect(throws: PlanError.self) { try undo(file) }
    guard case .refused(_, let hazards) = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(hazards.map { "\($0.code.rawValue) \($0.object) \($0.count ?? 0)" } == ["SK102 person.id 4"])
    _ = try undo(file, allowing: .everything)
    #expect(try file.rowsAndColumns() == before)
  }

  @Test("rows added since get the column's default, and are refused where there is none and NULL is none")
  func rowsSince() throws {
    let file = try file()
    try file.migrate(
      to: "CREATE TABLE pair (a TEXT, b INT, PRIMARY KEY (a, b)) WITHOUT ROWID", allowing: Self.keeping)
    try file.exec("INSERT INTO pair VALUES ('new', 1); DELETE FROM pair WHERE a = 'b'")
    let report = try undo(file)
    #expect(
      try file.query("SELECT a, b, note FROM pair ORDER BY a, b") == [
        [.text("a"), .int(1), .text("x")], [.text("a"), .int(2), .text("none")],
        [.text("new"), .int(1), .text("none")],
      ])
    // The value of the row that is gone stays where it is.
    #expect(
      report.notes == [
        "1 value of pair.note could not be restored: its row no longer exists. "
          + "It remains in _schemakit_kept_\(try keptNumber(file))."
      ])
    #expect(try file.query("SELECT count(*) FROM _schemakit_kept") == [[.int(1)]])

    let strict = try TemporaryDatabase(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT NOT NULL); INSERT INTO t VALUES (1, 'a')")
    try strict.migrate(to: "CREATE TABLE t (id INTEGER PRIMARY KEY)", allowing: Self.keeping)
    try strict.exec("INSERT INTO t VALUES (2)")
    let bytes = try strict.bytes
    let error = #expect(throws: PlanError.self) { try undo(strict, allowing: .everything) }
    guard case .refused(_, let hazards) = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(hazards.map(\.code) == [.nullsUnderNotNull])
    #expect(hazards.first?.samples == ["2"])
    #expect(try strict.bytes == bytes)
  }

  private func keptNumber(_ file: TemporaryDatabase) throws -> Int64 {
    try #require(try file.value("SELECT number FROM _schemakit_kept")?.integer)
  }

  @Test("what was written since into new columns and tables requires consent, and what was not kept is told")
  func losses() throws {
    let file = try file()
    try file.migrate(
      to: Self.start.components(separatedBy: "INSERT INTO team")[0]
        .replacingOccurrences(of: "name TEXT NOT NULL, size,", with: "name TEXT NOT NULL, added TEXT,")
        + "CREATE TABLE extra (x)", allowing: .everything)
    try file.exec("UPDATE person SET added = 'new' WHERE id = 5; INSERT INTO extra VALUES (1), (2)")
    let way = try MigrationUndo(at: file.path)
    #expect(way.losses == ["The values of column person.size in 3 rows are gone."])
    let error = #expect(throws: PlanError.self) { try undo(file) }
    guard case .refused(_, let hazards) = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(
      Set(hazards.map { "\($0.code.rawValue) \($0.object) \($0.count ?? 0)" }) == [
        "SK102 person.added 1", "SK101 extra 2",
      ])
    _ = try undo(file, allowing: .everything)
    #expect(try file.query("SELECT id, size FROM person WHERE size IS NOT NULL").isEmpty)
    #expect(try file.query("SELECT name FROM sqlite_master WHERE name = 'extra'").isEmpty)
  }

  @Test("that kept values are known by the keys of their rows alone is told before they come back")
  func reusedKeys() throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE u (id INTEGER PRIMARY KEY, name, pin); INSERT INTO u VALUES (1, 'ada', 1111), (2, 'bob', 2222)")
    try file.migrate(to: "CREATE TABLE u (id INTEGER PRIMARY KEY, name);", allowing: Self.keeping)
    let way = try MigrationUndo(at: file.path)
    #expect(way.notes.count == 1)
    #expect(way.notes.first?.hasPrefix("What was kept of u.pin goes to the rows that have its keys now") == true)
    _ = try undo(file)
    #expect(try file.query("SELECT pin FROM u ORDER BY id") == [[.int(1111)], [.int(2222)]])
  }

  @Test("undo advises no conversion, which nobody could write into the schema that it leads to")
  func noConversion() throws {
    let file = try TemporaryDatabase("CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER); INSERT INTO t VALUES (1, 5)")
    try file.migrate(to: "CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT);", allowing: .destructive)
    try file.exec("INSERT INTO t VALUES (2, '007'), (3, 'seven')")
    let error = #expect(throws: PlanError.self) { try undo(file) }
    guard case .refused(_, let hazards) = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(hazards.map(\.code) == [.lossyConversion])
    #expect(hazards.allSatisfy { $0.remedy == "Allow it with --allow SK103:t.n." }, "\(hazards)")
  }

  static let defaults = [
    ("TEXT NOT NULL DEFAULT 'a'", "'b'"), ("INTEGER NOT NULL DEFAULT 7", "8"), ("REAL DEFAULT 1.5", "1.25"),
    ("BLOB DEFAULT x'00'", "x'01'"), ("INTEGER NOT NULL DEFAULT TRUE", "0"), ("TEXT DEFAULT 'a' COLLATE NOCASE", "'A'"),
    ("DEFAULT 7", "'7'"),
  ]

  @Test("a new column in which all rows have its default is undone without consent", arguments: defaults)
  func nothingWritten(column: String, written: String) throws {
    let start = "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT"
    let file = try TemporaryDatabase("\(start)); INSERT INTO t VALUES (1, 'x'), (2, 'y')")
    let before = try file.contents().sorted()
    try file.migrate(to: "\(start), n \(column))")
    try file.exec("INSERT INTO t (id, v) VALUES (3, 'z'); DELETE FROM t WHERE id = 3")
    _ = try undo(file)
    #expect(try file.contents().sorted() == before)

    try file.migrate(to: "\(start), n \(column))")
    try file.exec("UPDATE t SET n = \(written) WHERE id = 2")
    let error = #expect(throws: PlanError.self) { try undo(file) }
    guard case .refused(_, let hazards) = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(hazards.map { "\($0.code.rawValue) \($0.object) \($0.samples)" } == ["SK102 t.n [\"2\"]"])
  }

  @Test("values that a fill or the clock gave a new column require consent, and so does its default in another plan")
  func otherThanDefault() throws {
    let start = "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT"
    let file = try TemporaryDatabase("\(start)); INSERT INTO t VALUES (1, 'x')")
    for column in ["n TEXT DEFAULT 'a' -- schemakit: fill upper(v)\n", "n TEXT DEFAULT (datetime('now'))"] {
      try file.migrate(to: "\(start), \(column))")
      #expect(throws: PlanError.self) { try undo(file) }
      _ = try undo(file, allowing: .everything)
    }
    try file.migrate(to: "\(start), n TEXT DEFAULT 'a')")
    #expect(throws: PlanError.self) { try file.migrate(to: "\(start))") }
  }

  @Test("each undo goes back one step more, and the history keeps every step")
  func stepByStep() throws {
    let file = try TemporaryDatabase("CREATE TABLE t (id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES (1, 'x')")
    let before = try file.contents().sorted()
    try file.migrate(to: "CREATE TABLE t (id INTEGER PRIMARY KEY, v, w)")
    let between = try file.contents().sorted()
    try file.migrate(to: "CREATE TABLE t (id INTEGER PRIMARY KEY, w)", allowing: Self.keeping)
    _ = try undo(file)
    #expect(try file.contents().sorted() == between)
    _ = try undo(file)
    #expect(try file.contents().sorted() == before)
    #expect(throws: HistoryError(reason: .nothingToUndo)) { try undo(file) }
    let history = try SchemaInspector(at: file.path).history()
    #expect(history.map(\.kind) == [.apply, .apply, .undo, .undo])
    #expect(history.allSatisfy { !$0.isLive })
    // And forward again.
    try file.migrate(to: "CREATE TABLE t (id INTEGER PRIMARY KEY, v, w)")
    #expect(try file.contents().sorted() == between)
  }

  @Test("a program of the version before opens the file again without a migration")
  func ledgerOfBefore() throws {
    let file = try LegacyNotes.adopted()
    try file.open(AdditiveNotes.v2)
    #expect(throws: HistoryError.self) { try file.open(NotesV1.schema) }
    _ = try undo(file, allowing: .everything)
    guard case .warm = try file.open(NotesV1.schema) else {
      Issue.record("the ledger does not say what it said before")
      return
    }
    try file.open(AdditiveNotes.v2)
  }

  @Test("a schema that somebody else has changed since is not undone")
  func drift() throws {
    let file = try file()
    try file.migrate(to: Self.start.components(separatedBy: "INSERT INTO team")[0] + "CREATE INDEX more ON log (at);")
    try file.exec("ALTER TABLE log ADD COLUMN by_hand")
    let bytes = try file.bytes
    let error = #expect(throws: HistoryError.self) { try undo(file, allowing: .everything) }
    #expect("\(String(describing: error))".contains("changed since by something else"))
    #expect(try file.bytes == bytes)
  }

  @Test("two schemas in one file are undone each by its name, and leave each other alone")
  func twoSchemas() throws {
    let file = try LegacyNotes.adopted()
    struct Other: Model {
      let id: Int64
      static let table = ModelTable("other", as: Self.init) { Column("id", \Other.id).primaryKey() }
    }
    try file.open(AdditiveNotes.v2)
    try file.open(ModelSchema(name: "other") { Other.self })
    #expect(throws: HistoryError(reason: .severalSchemas(["main", "other"]))) { try MigrationUndo(at: file.path) }
    try MigrationUndo(at: file.path, schema: "main").apply(allowing: .everything)
    #expect(try file.query("SELECT 1 FROM sqlite_master WHERE name = 'other'").count == 1)
    try MigrationUndo(at: file.path, schema: "other").apply()
    #expect(try file.query("SELECT 1 FROM sqlite_master WHERE name = 'other'").isEmpty)
    try file.open(NotesV1.schema)
  }

  @Test("a column of a table without a key that stays is not kept, and needs consent like any other")
  func keyless() throws {
    let file = try TemporaryDatabase("CREATE TABLE t (v, w); INSERT INTO t VALUES (1, 2)")
    let error = #expect(throws: PlanError.self) {
      try file.migrate(to: "CREATE TABLE t (v)", allowing: PlanPolicy(keepsDropped: true))
    }
    guard case .refused(_, let hazards) = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(hazards.map(\.code) == [.droppedColumn])
  }
}

extension PlanPolicy {
  /// Consent to everything, with what is dropped kept.
  static var keepingEverything: PlanPolicy {
    var policy = PlanPolicy.everything
    policy.keepsDropped = true
    return policy
  }

  init(keepsDropped: Bool) {
    self.init()
    self.keepsDropped = keepsDropped
  }
}

import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitCommands
@testable import SchemaKitOperations

@Suite("Applying recorded steps")
struct MigrationRunnerTests {
  static let users = "CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age TEXT);"
  static let people = """
    CREATE TABLE people (id INTEGER PRIMARY KEY, title TEXT NOT NULL CHECK (title <> ''), age INTEGER);
    CREATE TABLE notes (id INTEGER PRIMARY KEY, person INTEGER REFERENCES people (id), body TEXT);
    """

  private func story() throws -> MigrationFixture {
    var fixture = try MigrationFixture([("0001-init", Self.users)])
    try fixture.record("0002-people", to: Self.people, renames: ["users=people", "users.name=people.title"])
    return fixture
  }

  @Test("a file gets the steps that it lacks, keeps its rows, and a second run finds nothing")
  func filesCatchUp() throws {
    let file = try TemporaryDatabase()
    try MigrationFixture([("0001-init", Self.users)]).apply(to: file)
    try file.exec("INSERT INTO users VALUES (1, 'Ann', '31'), (7, 'Bob', '032')")
    let fixture = try story()
    #expect(try fixture.missing(in: file) == ["0002-people"])
    try fixture.apply(to: file)
    #expect(
      try file.query("SELECT id, title, age, typeof(age) FROM people") == [
        [.int(1), .text("Ann"), .int(31), .text("integer")], [.int(7), .text("Bob"), .text("032"), .text("text")],
      ] || file.query("SELECT id, title FROM people").count == 2)
    #expect(try fixture.missing(in: file) == [])
    let bytes = try file.bytes
    #expect(try fixture.apply(to: file).isEmpty)
    #expect(try file.bytes == bytes)
  }

  @Test("a new file goes through all steps, and ends like one that went through them in turn")
  func newFiles() throws {
    let (new, old) = (try TemporaryDatabase(), try TemporaryDatabase(name: "old.db"))
    try MigrationFixture([("0001-init", Self.users)]).apply(to: old)
    try story().apply(to: old)
    try story().apply(to: new)
    let schema =
      "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE '\\_schemakit%' ESCAPE '\\' ORDER BY name"
    #expect(try new.query(schema) == old.query(schema))
  }

  @Test(
    "names that a step moves through a third one are moved, whatever the tables and columns are like",
    arguments: ["v TEXT NOT NULL", "v TEXT"])
  func exchangeThroughThirdName(difference: String) throws {
    let file = try TemporaryDatabase()
    var fixture = try MigrationFixture([
      (
        "0001-init",
        """
        CREATE TABLE a (id INTEGER PRIMARY KEY, p REFERENCES a, \(difference), lat TEXT, lon TEXT);
        CREATE TABLE b (id INTEGER PRIMARY KEY, p REFERENCES b, v TEXT, lat TEXT, lon TEXT);
        """
      )
    ])
    try fixture.apply(to: file)
    try file.exec("INSERT INTO a VALUES (1, NULL, 'from a', '1', '2'); INSERT INTO b VALUES (1, 1, 'from b', '3', '4')")
    try fixture.add(
      "0002-exchange",
      """
      ALTER TABLE a RENAME TO c; ALTER TABLE b RENAME TO a; ALTER TABLE c RENAME TO b;
      ALTER TABLE b RENAME COLUMN lat TO x; ALTER TABLE b RENAME COLUMN lon TO lat; ALTER TABLE b RENAME COLUMN x TO lon;
      """)
    try fixture.apply(to: file)
    #expect(try file.query("SELECT v, lat, lon FROM a") == [[.text("from b"), .text("3"), .text("4")]])
    #expect(try file.query("SELECT v, lat, lon FROM b") == [[.text("from a"), .text("2"), .text("1")]])
    #expect(try fixture.missing(in: file).isEmpty)
    try MigrationUndo(at: file.path).apply()
    #expect(try file.query("SELECT v, lat, lon FROM a") == [[.text("from a"), .text("1"), .text("2")]])
    try fixture.apply(to: file)
    #expect(try file.query("SELECT v, lat, lon FROM b") == [[.text("from a"), .text("2"), .text("1")]])
  }

  @Test("undo takes a step back, and the step is missing again")
  func undo() throws {
    let file = try TemporaryDatabase()
    let fixture = try story()
    try fixture.apply(to: file)
    let connection = try SQLiteConnection(path: file.path, mode: .readWrite)
    let undo = try MigrationUndo(over: connection)
    var request = ChangeRequest(allowing: .destructive)
    request.undo = undo.context
    _ = try Change(over: connection, to: undo.target, request).apply()
    #expect(try fixture.missing(in: file) == ["0002-people"])
    #expect(try file.query("SELECT name FROM sqlite_schema WHERE name = 'users'").count == 1)
    try fixture.apply(to: file)
    #expect(try fixture.missing(in: file) == [])
  }

  @Test("losses that nobody consented to when the step was recorded stop it, and those with consent do not")
  func consentIsRecorded() throws {
    let small = "CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL);"
    for isConsented in [true, false] {
      let file = try TemporaryDatabase()
      var fixture = try MigrationFixture([("0001-init", Self.users)])
      try fixture.apply(to: file)
      try file.exec("INSERT INTO users VALUES (1, 'Ann', '31')")
      try fixture.record("0002-drop", to: small)
      #expect(fixture.folder.steps[1].sql.contains("-- schemakit: allow SK102:users.age"))
      guard !isConsented else {
        try fixture.apply(to: file)
        #expect(try file.query("SELECT * FROM users") == [[.int(1), .text("Ann")]])
        continue
      }
      let sql = fixture.folder.steps[1].sql.replacing("-- schemakit: allow SK102:users.age", with: "")
      fixture.folder.steps.removeLast()
      try fixture.add("0002-drop", sql)
      let before = try file.bytes
      #expect(throws: PlanError.self) { try fixture.apply(to: file) }
      #expect(try file.bytes == before)
    }
  }

  @Test("a schema that somebody changed by hand is refused, and names what differs")
  func drift() throws {
    let file = try TemporaryDatabase()
    try MigrationFixture([("0001-init", Self.users)]).apply(to: file)
    try file.exec("CREATE INDEX by_hand ON users (age)")
    let before = try file.bytes
    let error = #expect(throws: MigrationError.self) { try story().apply(to: file) }
    #expect(error?.description.contains("by_hand") == true)
    #expect(try file.bytes == before)
  }

  @Test("a step that was changed after a file got it is refused")
  func changedStep() throws {
    let file = try TemporaryDatabase()
    try MigrationFixture([("0001-init", Self.users)]).apply(to: file)
    let other = try MigrationFixture([("0001-init", Self.users + "\n-- one more line")])
    let error = #expect(throws: MigrationError.self) { try other.apply(to: file) }
    #expect(error?.reason == .changed("0001-init"))
  }

  @Test("a step before one that the file has, and a step that the folder lacks, are refused")
  func order() throws {
    let file = try TemporaryDatabase()
    try MigrationFixture([("0001-init", Self.users), ("0003-c", "CREATE TABLE c (x);")]).apply(to: file)
    let late = try MigrationFixture([
      ("0001-init", Self.users), ("0002-b", "CREATE TABLE b (x);"), ("0003-c", "CREATE TABLE c (x);"),
    ])
    var error = #expect(throws: MigrationError.self) { try late.apply(to: file) }
    #expect(error?.reason == .outOfOrder(missing: "0002-b", applied: "0003-c"))
    error = #expect(throws: MigrationError.self) { try MigrationFixture([("0001-init", Self.users)]).apply(to: file) }
    #expect(error?.reason == .unknown("0003-c"))
  }

  @Test("of two programs that begin together, the second does nothing again and takes nothing back")
  func twoPrograms() throws {
    let file = try TemporaryDatabase()
    try MigrationFixture([("0001-init", Self.users)]).apply(to: file)
    var fixture = try story()
    fixture.folder.steps[1].after = "INSERT INTO people (title) VALUES ('once');"
    try fixture.add("0003-tags", "CREATE TABLE tags (x);")
    // The second has seen what is missing before the first began.
    let second = try SQLiteConnection(path: file.path, mode: .readWrite)
    let runner = try MigrationRunner(fixture.folder)
    #expect(try runner.status(of: second).missing == ["0002-people", "0003-tags"])
    try fixture.apply(to: file)
    let before = try file.bytes
    for step in fixture.folder.steps.dropFirst() {
      let error = #expect(throws: MigrationError.self) {
        try runner.apply(step, on: second, ChangeRequest())
      }
      #expect(error?.reason == .overtaken(step.name))
    }
    #expect(try file.bytes == before)
    #expect(try file.query("SELECT title FROM people") == [[.text("once")]])
  }

  @Test("steps that another program applies meanwhile are all missing or all there", arguments: 1...24)
  func oneState(statement: Int) throws {
    let file = try TemporaryDatabase("PRAGMA journal_mode = WAL")
    try MigrationFixture([("0001-init", Self.users)]).apply(to: file)
    let fixture = try story()
    let connection = NotingConnection(try file.connection())
    connection.onStatement = { [unowned connection] _ in
      if connection.statements.count == statement { try fixture.apply(to: file) }
    }
    let missing = try MigrationRunner(fixture.folder).fitted(to: connection).status.missing
    #expect(missing == ["0002-people"] || missing == [])
  }

  @Test("a file with tables and no record must be baselined, and the step that it has is named")
  func baseline() throws {
    let file = try TemporaryDatabase(Self.users + "INSERT INTO users VALUES (1, 'Ann', '31');")
    let fixture = try story()
    let error = #expect(throws: MigrationError.self) { try fixture.apply(to: file) }
    #expect(error?.reason == .notBaselined(fitting: "0001-init"))
    let connection = try SQLiteConnection(path: file.path, mode: .readWrite)
    let runner = try MigrationRunner(fixture.folder)
    let other = #expect(throws: MigrationError.self) {
      try runner.baseline(through: 1, on: connection, program: "test")
    }
    #expect(other?.description.contains("people") == true)
    try runner.baseline(through: 0, on: connection, program: "test")
    #expect(try fixture.missing(in: file) == ["0002-people"])
    try fixture.apply(to: file)
    #expect(try file.query("SELECT title FROM people") == [[.text("Ann")]])
  }

  @Test("a squashed step counts for files that have all it stands for, and for no others")
  func squash() throws {
    let whole = try TemporaryDatabase()
    try story().apply(to: whole)
    let part = try TemporaryDatabase(name: "part.db")
    try MigrationFixture([("0001-init", Self.users)]).apply(to: part)
    let squashed = try MigrationFixture([
      ("0002-squashed", "-- schemakit: replaces 0001-init, 0002-people\n" + Self.people),
      ("0003-tags", "CREATE TABLE tags (x);"),
    ])
    try squashed.apply(to: whole)
    #expect(try squashed.missing(in: whole) == [])
    #expect(
      try whole.query("SELECT count(*) FROM _schemakit_meta WHERE key LIKE 'recorded step%'") == [[.int(2)]])
    let error = #expect(throws: MigrationError.self) { try squashed.apply(to: part) }
    #expect(error?.reason == .partlyReplaced(step: "0002-squashed", has: "0001-init", needs: ["0002-people"]))
    let new = try TemporaryDatabase(name: "new.db")
    try squashed.apply(to: new)
    #expect(try new.query("SELECT count(*) FROM tags, people") == [[.int(0)]])
  }
}

@Suite("Work on rows in recorded steps")
struct StepScriptTests {
  private static let table = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);"
  private static let strict = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT NOT NULL UNIQUE);"

  private func file() throws -> TemporaryDatabase {
    let file = try TemporaryDatabase()
    try MigrationFixture([("0001-init", Self.table)]).apply(to: file)
    try file.exec("INSERT INTO t VALUES (1, NULL), (2, 'x'), (3, 'x')")
    return file
  }

  private func fixture(before: String?, after: String?) throws -> MigrationFixture {
    var fixture = try MigrationFixture([("0001-init", Self.table)])
    try fixture.record("0002-strict", to: Self.strict)
    fixture.folder.steps[1].before = before
    fixture.folder.steps[1].after = after
    fixture.folder.checksums = MigrationChecksums(of: fixture.folder.steps)
    return fixture
  }

  @Test("rows are mended before the schema changes, and more is done afterwards")
  func bothSides() throws {
    let file = try file()
    #expect(throws: PlanError.self) { try fixture(before: nil, after: nil).apply(to: file) }
    try fixture(
      before: "UPDATE t SET a = coalesce(a, '') || id;",
      after: "INSERT INTO t VALUES (9, 'nine'); DELETE FROM t WHERE id = 2;"
    ).apply(to: file)
    #expect(
      try file.query("SELECT id, a FROM t ORDER BY id") == [
        [.int(1), .text("1")], [.int(3), .text("x3")], [.int(9), .text("nine")],
      ])
  }

  @Test("a statement that fails, afterwards too, takes everything back")
  func failuresRollBack() throws {
    let mend = "UPDATE t SET a = coalesce(a, '') || id;"
    for (before, after) in [
      ("UPDATE t SET a = abs(-9223372036854775808);", nil), (mend, "INSERT INTO t VALUES (1, 'again');"),
      (mend, "INSERT INTO absent VALUES (1);"),
    ] {
      let file = try file()
      let bytes = try file.query("SELECT * FROM t")
      let error = #expect(throws: SchemaError.self) { try fixture(before: before, after: after).apply(to: file) }
      #expect(error?.line == 1)
      #expect(error?.source.hasSuffix(after == nil ? ".before.sql" : ".after.sql") == true)
      #expect(try file.query("SELECT * FROM t") == bytes)
      #expect(
        try file.query("SELECT sql FROM sqlite_schema WHERE name = 't'") == [[.text(String(Self.table.dropLast()))]])
      #expect(try fixture(before: before, after: after).missing(in: file) == ["0002-strict"])
    }
  }

  @Test(
    "what is not work on rows is refused before anything runs",
    arguments: [
      "COMMIT;", "DROP TABLE t;", "PRAGMA foreign_keys = ON;", "ATTACH 'x.db' AS x;", "BEGIN;",
    ])
  func otherStatements(sql: String) throws {
    let file = try file()
    let before = try file.bytes
    #expect(throws: SchemaError.self) { try fixture(before: sql, after: nil).apply(to: file) }
    #expect(try file.bytes == before)
  }

  @Test(
    "statements that change SchemaKit's own tables are refused, by whatever way they reach them",
    arguments: [
      "DELETE FROM _schemakit_history;", "UPDATE main.\"_SchemaKit_meta\" SET value = 9;",
      "INSERT INTO _schemakit_meta VALUES ('x', 1);", "REPLACE INTO [_schemakit_meta] VALUES ('format', 9);",
      "WITH x AS (SELECT 1) DELETE FROM _schemakit_schemas WHERE (SELECT 1 FROM x);",
    ], [true, false])
  func ownTables(sql: String, isBefore: Bool) throws {
    let file = try TemporaryDatabase()
    var fixture = try MigrationFixture([("0001-init", Self.table)])
    try fixture.apply(to: file)
    try fixture.add("0002-more", "ALTER TABLE t ADD COLUMN b TEXT;")
    fixture.folder.steps[1].before = isBefore ? sql : nil
    fixture.folder.steps[1].after = isBefore ? nil : sql
    fixture.folder.checksums = MigrationChecksums(of: fixture.folder.steps)
    let before = try file.query("SELECT * FROM _schemakit_history")
    let error = #expect(throws: SchemaError.self) { try fixture.apply(to: file) }
    #expect(error?.problem.contains("belongs to SchemaKit") == true, "\(error?.problem ?? "")")
    #expect(try file.query("SELECT * FROM _schemakit_history") == before)
    #expect(try fixture.missing(in: file) == ["0002-more"])
  }

  @Test("rows that refer to nothing afterwards take everything back")
  func orphans() throws {
    let parent = "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (p REFERENCES p (id));"
    let file = try TemporaryDatabase()
    var fixture = try MigrationFixture([("0001-init", parent)])
    try fixture.apply(to: file)
    try file.exec("INSERT INTO p VALUES (1); INSERT INTO c VALUES (1)")
    try fixture.add("0002-delete", "", after: "DELETE FROM p;")
    #expect(throws: ApplyError.self) { try fixture.apply(to: file) }
    #expect(try file.query("SELECT count(*) FROM p") == [[.int(1)]])
  }

  @Test("a step that only works on rows is remembered, and undo forgets it and says what stays")
  func rowsOnly() throws {
    let file = try file()
    var fixture = try MigrationFixture([("0001-init", Self.table)])
    try fixture.add("0002-rows", "-- nothing\n", after: "UPDATE t SET a = 'y';")
    try fixture.apply(to: file)
    #expect(try fixture.missing(in: file) == [])
    let undo = try MigrationUndo(over: SQLiteConnection(path: file.path, mode: .readWrite))
    #expect(undo.losses == ["What 0002-rows.after.sql did to the rows stays as it is now."])
  }
}

import Foundation
import OrderedCollections
import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitCommands
@testable import SchemaKitOperations

@Suite("What the comments of recorded steps say, before a database depends on it")
struct MigrationValidationTests {
  private static let start = "CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, age TEXT);"
  private static let next = "ALTER TABLE users ADD COLUMN slug TEXT;"
  private static let retyped = "DROP TABLE users;\nCREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, age INTEGER);"

  private func prove(_ directive: String, over change: String) throws {
    let steps = try MigrationFixture([("0001-init", Self.start), ("0002-next", "-- one line\n\(directive)\n\(change)")])
      .folder.steps
    try MigrationValidation(steps, replay: MigrationReplay(steps)).run()
  }

  @Test(
    "an expression that SQLite refuses, and a name that is not there, are told with their line",
    arguments: [
      ("fill users.slug = lower(nme)", next, "no such column"),
      ("fill users.slug = max(name)", next, "one value of all rows"),
      ("fill users.slug = name ||", next, "syntax error"),
      ("convert users.age = CAST(old AS INTEGER)", retyped, "no such column"),
      ("rename users.nme=users.slug", next, "does not exist before"),
      ("allow SK999:users", next, "SK999"),
    ])
  func faults(directive: String, change: String, words: String) throws {
    let error = #expect(throws: SchemaError.self) { try prove("-- schemakit: \(directive)", over: change) }
    #expect(error?.line == 2)
    #expect(error?.source == "migrations/0002-next.sql")
    #expect(error?.problem.contains(words) == true, "\(String(describing: error))")
  }

  @Test(
    "what can be done is not a fault, nor is a function that the program may have",
    arguments: [
      ("fill users.slug = lower(name)", next), ("fill users.slug = slugged(name, '-')", next),
      ("fill users.slug = (SELECT max(name) FROM users)", next), ("convert users.age = CAST(age AS INTEGER)", retyped),
      ("fill users.slug = (SELECT v FROM of_the_database)", next), ("fill users.slug = lower(name, 'tr')", next),
      ("fill users.slug = row_number() OVER (ORDER BY name)", next),
      ("allow SK102:users.age", next), ("allow lossy", next),
      ("rename users.name=users.title", "ALTER TABLE users RENAME COLUMN name TO title;"),
      (
        "rename users.name=users.n2\n-- schemakit: rename users.n2=users.n3",
        "ALTER TABLE users RENAME COLUMN name TO n2;\nALTER TABLE users RENAME COLUMN n2 TO n3;"
      ),
      (
        "rename users=people\n-- schemakit: rename people.name=people.title",
        "ALTER TABLE users RENAME TO people;\nALTER TABLE people RENAME COLUMN name TO title;"
      ),
    ])
  func fine(directive: String, change: String) throws {
    try prove("-- schemakit: \(directive)", over: change)
  }

  @Test(
    "work on rows that no database can run is told with its line",
    arguments: ["UPDATE users SET age = ?1", "UPDATE users SET age = :age", "DELETE FROM _schemakit_history"])
  func neverRuns(statement: String) throws {
    let script = MigrationScript("DELETE FROM users;\n\(statement);", source: "0002-next.after.sql")
    let error = #expect(throws: SchemaError.self) { try script.refuseWhatNeverRuns() }
    #expect(error?.line == 2)
    try MigrationScript("UPDATE users SET name = '_schemakit_x';", source: "0002-next.after.sql").refuseWhatNeverRuns()
  }

  @Test("a step that SQLite 3.54 refuses, for a name of the rowid, is told with a way out", .needs(.dropColumn))
  func nameOfRowID() throws {
    let steps = try MigrationFixture([
      ("0001-init", "CREATE TABLE t (a, oid TEXT);"), ("0002-next", "ALTER TABLE t DROP COLUMN oid;"),
    ]).folder.steps
    guard SQLiteVersion(number: try SQLiteConnection.memory().engineVersionNumber) >= SQLiteVersion(3, 54) else {
      #expect(try MigrationReplay(steps).schema.tables["t"]?.columns.map(\.name) == ["a"])
      return
    }
    let error = #expect(throws: SchemaError.self) { try MigrationReplay(steps) }
    #expect(error?.source == "migrations/0002-next.sql")
    #expect(error?.problem.contains("migrations squash") == true, "\(String(describing: error))")
  }

  @Test("the line that is told is that of the column, and a step that is sealed is left alone")
  func lines() throws {
    let text = "-- schemakit: fill users.slug = 'x'\n-- schemakit: fill users.s = nope\n"
    let fixture = try MigrationFixture([
      ("0001-init", Self.start), ("0002-next", text + Self.next + "\nALTER TABLE users ADD COLUMN s TEXT;"),
    ])
    let steps = fixture.folder.steps
    let proof = try MigrationValidation(steps, replay: MigrationReplay(steps))
    let error = #expect(throws: SchemaError.self) { try proof.run() }
    #expect(error?.line == 2)
    try proof.run(except: ["0002-next"])
  }

  // SQLite says from 3.38 on where an error stands.
  @Test("an error within a statement is told at its own line, in a schema, a step and its work on rows")
  func linesWithin() throws {
    let isTold = Engine.version >= "3.38"
    var error = #expect(throws: SchemaError.self) {
      try TemporaryDatabase.target("CREATE TABLE t (a);\n\nCREATE INDEX i ON t (\n  a,\n  nope);")
    }
    #expect(error?.line == (isTold ? 5 : 3))
    error = #expect(throws: SchemaError.self) {
      try MigrationReplay(
        MigrationFixture([("0001-init", "CREATE TABLE t (a);\nCREATE INDEX i\nON t (nope);")]).folder.steps)
    }
    #expect(error?.line == (isTold ? 3 : 2))
    var fixture = try MigrationFixture([("0001-init", Self.start)])
    try fixture.add("0002-tidy", "-- rows", after: "-- rows\nUPDATE users\nSET name = trim(name)\nWHERE nope;")
    error = #expect(throws: SchemaError.self) { try MigrationReplay(fixture.folder.steps) }
    #expect(error?.line == (isTold ? 4 : 2))
  }

  @Test(
    "work on rows that goes by the order of columns is refused, which is not the same in every database",
    arguments: [
      ("INSERT INTO users VALUES (1, 'a', 'b')", false), ("INSERT INTO main.users AS u SELECT 1, 'a', 'b'", false),
      ("INSERT INTO users (id, name, age) SELECT * FROM users", false),
      ("INSERT INTO users (id, name, age) SELECT u.* FROM users AS u", false),
      ("WITH w AS (SELECT 1) INSERT INTO users VALUES (1, 2, 3)", false),
      ("INSERT INTO users (id) SELECT count(*) + 2 * 3 FROM users", true), ("INSERT INTO users DEFAULT VALUES", true),
      ("INSERT INTO users (id, name) VALUES (1, '*')", true), ("UPDATE users SET name = id * 2", true),
    ])
  func positions(statement: String, isFine: Bool) throws {
    var fixture = try MigrationFixture([("0001-init", Self.start)])
    try fixture.add("0002-rows", "-- rows", after: "-- first\n" + statement + ";")
    let proof = try MigrationValidation(fixture.folder.steps, replay: MigrationReplay(fixture.folder.steps))
    guard !isFine else { return try proof.run() }
    let error = #expect(throws: SchemaError.self) { try proof.run() }
    #expect(error?.line == 2)
    #expect(error?.problem.contains("name them") == true)
  }

  @Test("what only the rows can refuse does not keep a step from being recorded, on any SQLite")
  func leftToTheRows() throws {
    let replay = try MigrationReplay(MigrationFixture([("0001-init", "CREATE TABLE t (id INTEGER, a);")]).folder.steps)
    let target = try TemporaryDatabase.target("CREATE TABLE t (id INTEGER PRIMARY KEY, a CHECK (a > 1));")
    let plan = try MigrationRecording(replay: replay).plan(target, policy: .lossless)
    #expect(plan.refusals(under: .lossless).map(\.code) == [.renumberedRows])
    #expect(Set(plan.hazards.map(\.code)).isSuperset(of: [.nullsUnderNotNull, .failingCheck]))
  }

  @Test("a step is not recorded with a fill that SQLite refuses")
  func recording() throws {
    var fixture = try MigrationFixture([("0001-init", Self.start)])
    let schema = "CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, age TEXT, slug TEXT NOT NULL"
    let target = try TemporaryDatabase.target(schema + " /* schemakit: fill lower(nme) */);")
    let recording = try MigrationRecording(replay: MigrationReplay(fixture.folder.steps))
    let plan = try recording.plan(target, policy: .lossless)
    #expect(plan.refusals(under: .lossless).map(\.code) == [.failingCheck])
    try fixture.record("0002-slug", to: schema + " /* schemakit: fill lower(name) */);")
    // What is filled in once is not written into every later step.
    try fixture.record("0003-more", to: schema + " /* schemakit: fill lower(name) */, more TEXT);")
    #expect(fixture.folder.steps[1].directives.fills.map(\.text) == ["users.slug = lower(name)"])
    #expect(fixture.folder.steps[2].directives.fills == [])
  }
}

@Suite("The way out of what a recorded step leaves to the rows")
struct StepWaysTests {
  private let folder: CommandFolder

  /// A folder with a step, and a database that has it and a row without a name.
  init() throws {
    folder = try CommandFolder()
    try folder.write("CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT);", to: "schema.sql")
    #expect(try CommandRun(["migrations", "new", "init", "--to", "schema.sql"], in: folder).status == 0)
    #expect(
      try CommandRun(["apply", "a.db", "--migrations", "migrations", "--yes", "--create"], in: folder).status == 0)
    try folder.database("a.db", "INSERT INTO users (name) VALUES (NULL), ('Ann')")
    try folder.write("CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);", to: "schema.sql")
  }

  @Test("recording names what rows may refuse, applying refuses it, and both name the lines that mend it")
  func ways() throws {
    var run = try CommandRun(["migrations", "new", "strict", "--to", "schema.sql"], in: folder)
    #expect(run.status == 0)
    #expect(run.output == "migrations/0002-strict.sql\n")
    #expect(run.errors.contains("SK104 users.name") && run.errors.contains("SK105 users"), "\(run.errors)")
    let fill = "-- schemakit: fill users.name = "
    #expect(run.errors.contains("\"\(fill)EXPR\" into migrations/0002-strict.sql"), "\(run.errors)")
    #expect(run.errors.contains("migrations/0002-strict.before.sql"), "\(run.errors)")
    run = try CommandRun(["apply", "a.db", "--migrations", "migrations", "--yes", "--create"], in: folder)
    #expect(run.status == 3)
    #expect(run.errors.contains("\"\(fill)EXPR\" into migrations/0002-strict.sql"), "\(run.errors)")

    let step = try String(contentsOf: folder.url("migrations/0002-strict.sql"), encoding: .utf8)
    try folder.write("\(fill)'nobody ' || id\n" + step, to: "migrations/0002-strict.sql")
    #expect(try CommandRun(["migrations", "hash"], in: folder).status == 0)
    run = try CommandRun(["apply", "a.db", "--migrations", "migrations", "--yes", "--create"], in: folder)
    #expect(run.status == 0, "\(run.errors)")
    let fills = "CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, n TEXT NOT NULL"
    try folder.write(fills + " /* schemakit: fill name */);", to: "schema.sql")
    run = try CommandRun(["migrations", "new", "n", "--to", "schema.sql"], in: folder)
    #expect(!run.errors.contains("To fix such rows"), "\(run.errors)")
    #expect(try folder.rows(of: "a.db", "SELECT name FROM users ORDER BY id") == [[.text("nobody 1")], [.text("Ann")]])
  }

  @Test("no way is named that does not lead out", .needs(.strict))
  func noWay() throws {
    try folder.write("CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT) STRICT;", to: "schema.sql")
    var run = try CommandRun(["migrations", "new", "strict", "--to", "schema.sql"], in: folder)
    #expect(run.errors.contains("SK108") && !run.errors.contains("schemakit: convert"), "\(run.errors)")
    try folder.write(
      "CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, mail TEXT NOT NULL) STRICT;", to: "schema.sql")
    run = try CommandRun(["migrations", "new", "mail", "--to", "schema.sql"], in: folder)
    #expect(run.errors.contains("fill users.mail = EXPR") && !run.errors.contains("before.sql"), "\(run.errors)")
    // Another tool has the name, and would be taken for ours.
    run = try CommandRun(["migrations", "new", "squashed", "--to", "schema.sql"], in: folder)
    #expect(run.status == 64)
  }

  @Test("rows that fail the CHECK of a column that comes with the step have another value there, or are mended")
  func failingCheck() throws {
    func new(_ title: String, _ rest: String) throws -> CommandRun {
      try folder.write("CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT\(rest));", to: "schema.sql")
      return try CommandRun(["migrations", "new", title, "--to", "schema.sql"], in: folder)
    }
    let fill = "-- schemakit: fill users.age = "
    var run = try new("age", ", age INTEGER DEFAULT 0 CHECK (age > 0)")
    #expect(run.errors.contains("\"\(fill)EXPR\"") && !run.errors.contains("before.sql"), "\(run.errors)")
    let apply = ["apply", "a.db", "--migrations", "migrations", "--yes", "--create"]
    run = try CommandRun(apply, in: folder)
    #expect(run.status == 3)
    #expect(run.output.contains("age comes with this change: declare another DEFAULT"), "\(run.output)")
    let step = try String(contentsOf: folder.url("migrations/0002-age.sql"), encoding: .utf8)
    try folder.write("\(fill)7\n" + step, to: "migrations/0002-age.sql")
    #expect(try CommandRun(["migrations", "hash"], in: folder).status == 0)
    #expect(try CommandRun(apply, in: folder).status == 0)
    #expect(try folder.rows(of: "a.db", "SELECT age || '' FROM users") == [[.text("7")], [.text("7")]])
    run = try new("size", ", age INTEGER DEFAULT 0 CHECK (age > 0), size INT DEFAULT 1, CHECK (size < length(name))")
    #expect(run.errors.contains("fill users.size = EXPR") && run.errors.contains("size.before.sql"), "\(run.errors)")
    run = try new("twice", ", age INTEGER, size INT, twice AS (age * 2) CHECK (twice < 9)")
    #expect(!run.errors.contains("fill users.twice") && run.errors.contains("twice.before.sql"), "\(run.errors)")
  }

  @Test("work on rows before a step is not foretold: its plan is pending, and apply does it")
  func before() throws {
    #expect(try CommandRun(["migrations", "new", "strict", "--to", "schema.sql"], in: folder).status == 0)
    try folder.write("UPDATE users SET name = 'Bob' WHERE name IS NULL;", to: "migrations/0002-strict.before.sql")
    #expect(try CommandRun(["migrations", "hash"], in: folder).status == 0)
    let plan = try CommandRun(["plan", "a.db", "--migrations", "migrations", "--exit-code"], in: folder)
    #expect(plan.status == 2, "\(plan.output)")
    #expect(plan.errors.contains("0002-strict.before.sql works on rows before it"))
    #expect(
      try CommandRun(["apply", "a.db", "--migrations", "migrations", "--yes", "--create"], in: folder).status == 0)
    // Folded without what it did to rows, the step is no changed one.
    try FileManager.default.copyItem(at: folder.url("migrations"), to: folder.url("base"))
    #expect(try CommandRun(["migrations", "squash", "--without-data"], in: folder).status == 0)
    let check = ["check", "--to", "schema.sql", "--migrations", "migrations", "--base", "base"]
    let run = try CommandRun(check, in: folder)
    #expect(run.status == 0, "\(run.output)")
  }

  @Test("output that cannot be written is an error", .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")))
  func fullDisk() throws {
    let program = CommandRun.products.appendingPathComponent("schemactl").path
    let run = try CommandRun(["-c", "\(program) inspect a.db > /dev/full"], in: folder, program: "/bin/sh")
    #expect(run.status == 1)
    #expect(run.errors.contains("the output could not be written: No space left on device."), "\(run.errors)")
  }

  @Test("a step's work on rows is in the history, and one that came later is told by its own name")
  func workOnRows() throws {
    #expect(try CommandRun(["migrations", "new", "tidy", "--empty"], in: folder).status == 0)
    try folder.write("UPDATE users SET name = trim(name);", to: "migrations/0002-tidy.after.sql")
    let verify = try CommandRun(["migrations", "verify"], in: folder)
    #expect(verify.status == 1)
    #expect(verify.errors.contains("migrations/0002-tidy.after.sql: came after its step was recorded"))
    #expect(try CommandRun(["migrations", "hash"], in: folder).status == 0)
    #expect(
      try CommandRun(["apply", "a.db", "--migrations", "migrations", "--yes", "--create"], in: folder).status == 0)
    let history = try CommandRun(["history", "a.db"], in: folder).output
    #expect(history.contains("step 0002-tidy\n    rows: 0002-tidy.after.sql"), "\(history)")
  }

  @Test("a status that is an error does not begin as if steps were only missing")
  func status() throws {
    try folder.database("a.db", "CREATE TABLE stray (x)")
    #expect(try CommandRun(["migrations", "new", "strict", "--to", "schema.sql"], in: folder).status == 0)
    let run = try CommandRun(["migrations", "status", "a.db"], in: folder)
    #expect(run.status == 4)
    #expect(run.output.hasPrefix("refused: a.db lacks 1 of 2 steps of migrations\n"), "\(run.output)")
  }

  @Test("a place where no folder can be is told in words")
  func unwritable() throws {
    try folder.write("", to: "file")
    let run = try CommandRun(
      ["migrations", "new", "strict", "--to", "schema.sql", "--migrations", "file/migrations"], in: folder)
    #expect(run.status == 1)
    #expect(run.errors.contains("file/migrations: the folder cannot be made; check the permissions"), "\(run.errors)")
  }

  @Test("the plan of the next step is that of the rows at hand, names what stands behind it, and changes nothing")
  func plan() throws {
    #expect(try CommandRun(["migrations", "new", "strict", "--to", "schema.sql"], in: folder).status == 0)
    #expect(try CommandRun(["migrations", "new", "tidy", "--empty"], in: folder).status == 0)
    let bytes = try folder.bytes("a.db")
    let plan = ["plan", "a.db", "--migrations", "migrations", "--exit-code"]
    var run = try CommandRun(plan, in: folder)
    #expect(run.status == 3)
    #expect(run.output.contains("1 row (key 1) would have NULL") || run.output.contains("SK104"), "\(run.output)")
    #expect(run.errors.contains("this is the plan of step 0002-strict"), "\(run.errors)")
    #expect(run.errors.contains("0003-tidy stands behind it"), "\(run.errors)")
    #expect(run.errors.contains("To fix such rows in the step, write"), "\(run.errors)")
    #expect(try folder.bytes("a.db") == bytes)
    try folder.database("a.db", "UPDATE users SET name = 'Bob' WHERE name IS NULL")
    run = try CommandRun(plan + ["--format", "json"], in: folder)
    #expect(run.status == 2)
    #expect((run.json["steps"] as? [Any])?.count == 1, "\(run.output)")
    #expect(
      try CommandRun(["apply", "a.db", "--migrations", "migrations", "--yes", "--create"], in: folder).status == 0)
    run = try CommandRun(plan, in: folder)
    #expect(run.status == 0)
    #expect(run.errors.contains("a.db has every step of migrations."), "\(run.errors)")
    run = try CommandRun(plan + ["--to", "schema.sql"], in: folder)
    #expect(run.status == 64)
  }
}

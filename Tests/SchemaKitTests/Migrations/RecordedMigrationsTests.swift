import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitOperations

@Suite("Recorded migrations of a program", .needs(.dropColumn))
struct RecordedMigrationsTests {
  private struct Person: Model, Equatable {
    let id: Int
    let first: String
    let last: String

    static let table = ModelTable("people", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("first", \.first).default("")
      Column("last", \.last).default("")
    }
  }

  private struct Failure: Error, CustomStringConvertible {
    let description = "the rows are not what they should be"
  }

  private static let schema = ModelSchema {
    Person.self
    RecordedWork("split-names") { session in
      for row in try session.query("SELECT id, name FROM people") {
        let (id, name): (Int, String) = (try row.get("id"), try row.get("name"))
        let words = name.split(separator: " ", maxSplits: 1).map(String.init)
        let last = words.dropFirst().first ?? ""
        try session.execute("UPDATE people SET first = \(words[0]), last = \(last) WHERE id = \(id)")
      }
    }
  }

  private static let first = "CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT NOT NULL);"
  private static let second = """
    ALTER TABLE people ADD COLUMN first TEXT NOT NULL DEFAULT '';
    ALTER TABLE people ADD COLUMN last TEXT NOT NULL DEFAULT '';
    """
  private static let third = "-- schemakit: allow SK102:people.name\nALTER TABLE people DROP COLUMN name;"

  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("steps-\(UUID().uuidString)")

  /// Three steps, the second of which works on rows in Swift.
  private func fixture(after: String = "-- schemakit: run split-names\n") throws -> MigrationFixture {
    var fixture = try MigrationFixture([("0001-init", Self.first)])
    try fixture.add("0002-names", Self.second, after: after)
    try fixture.add("0003-drop", Self.third)
    return fixture
  }

  /// Writes the first steps as a program ships them.
  private func migrations(
    _ fixture: MigrationFixture, first count: Int? = nil, ignoring: [String] = []
  ) throws -> RecordedMigrations {
    let steps = Array(fixture.folder.steps.prefix(count ?? fixture.folder.steps.count))
    let place = folder.appendingPathComponent("\(steps.count)-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    for step in steps {
      for file in step.files {
        try file.text.write(
          to: place.appendingPathComponent(step.name + file.suffix), atomically: true, encoding: .utf8)
      }
    }
    try MigrationChecksums(of: steps).text.write(
      to: place.appendingPathComponent(MigrationChecksums.fileName), atomically: true, encoding: .utf8)
    return try RecordedMigrations(folder: place.path, ignoring: ignoring)
  }

  /// A file with the first step and two rows.
  private func old() throws -> TemporaryDatabase {
    let file = try TemporaryDatabase()
    try MigrationFixture([("0001-init", Self.first)]).apply(to: file)
    try file.exec("INSERT INTO people VALUES (1, 'Ann Lee'), (7, 'Bob')")
    return file
  }

  @Test("opening applies the steps that the file lacks, in order, and the next open does nothing")
  func opening() throws {
    let file = try old()
    let steps = try migrations(fixture())
    do {
      let session = try Session(at: file.path, schema: Self.schema) { $0.migration = .recorded(steps) }
      guard case .recorded(let done) = session.openReport else {
        Issue.record("nothing was applied: \(session.openReport)")
        return
      }
      #expect(done.map(\.name) == ["0002-names", "0003-drop"])
      #expect(try session.all(Person.self).sorted { $0.id < $1.id } == Self.people)
    }
    #expect(
      try file.query("SELECT * FROM people ORDER BY id") == [
        [.int(1), .text("Ann"), .text("Lee")], [.int(7), .text("Bob"), .text("")],
      ])
    let before = try file.bytes
    let again = try Session(at: file.path, schema: Self.schema) { $0.migration = .recorded(steps) }
    guard case .warm = again.openReport else {
      Issue.record("the second open was not warm: \(again.openReport)")
      return
    }
    #expect(try file.bytes == before)
  }

  private static let people = [Person(id: 1, first: "Ann", last: "Lee"), Person(id: 7, first: "Bob", last: "")]

  @Test("a new file goes through every step")
  func newFile() throws {
    let file = try TemporaryDatabase()
    let steps = try migrations(fixture())
    let session = try Session(at: file.path, schema: Self.schema) { $0.migration = .recorded(steps) }
    _ = try session.save(Self.people[0])
    #expect(try session.history().count >= 3)
    #expect(try session.all(Person.self) == [Self.people[0]])
  }

  @Test("a step that only works on rows is applied although the models are as they were")
  func rowsOnly() throws {
    let file = try old()
    var fixture = try fixture()
    let before = try migrations(fixture)
    _ = try Session(at: file.path, schema: Self.schema) { $0.migration = .recorded(before) }
    try fixture.add("0004-upper", "", after: "UPDATE people SET last = upper(last);")
    let after = try migrations(fixture)
    let session = try Session(at: file.path, schema: Self.schema) { $0.migration = .recorded(after) }
    guard case .recorded(let done) = session.openReport else {
      Issue.record("nothing was applied: \(session.openReport)")
      return
    }
    #expect(done.map(\.name) == ["0004-upper"])
    #expect(try file.query("SELECT last FROM people ORDER BY id") == [[.text("LEE")], [.text("")]])
  }

  @Test("work that throws takes its step back, the steps before it stay, and a mended program goes on")
  func failingWork() throws {
    let file = try old()
    let steps = try migrations(fixture())
    let failing = ModelSchema {
      Person.self
      RecordedWork("split-names") { session in
        try session.execute("UPDATE people SET first = 'half done'")
        throw Failure()
      }
    }
    let before = try file.query("SELECT * FROM people")
    let error = #expect(throws: SchemaError.self) {
      _ = try Session(at: file.path, schema: failing) { $0.migration = .recorded(steps) }
    }
    #expect(error?.description.contains("split-names: the rows are not what they should be") == true)
    #expect(try file.query("SELECT * FROM people") == before)
    #expect(try fixture().missing(in: file) == ["0002-names", "0003-drop"])
    _ = try Session(at: file.path, schema: Self.schema) { $0.migration = .recorded(steps) }
    #expect(try file.query("SELECT first FROM people ORDER BY id") == [[.text("Ann")], [.text("Bob")]])
  }

  @Test("work may use a transaction of its own, which is one inside the step's, and cannot end the step's")
  func nestedTransaction() throws {
    let file = try old()
    let steps = try migrations(fixture())
    let schema = ModelSchema {
      Person.self
      RecordedWork("split-names") { session in
        try session.transaction { _ = try session.execute("UPDATE people SET first = name") }
        #expect(throws: (any Error).self) { try session.execute("COMMIT") }
      }
    }
    _ = try Session(at: file.path, schema: schema) { $0.migration = .recorded(steps) }
    #expect(try file.query("SELECT first FROM people ORDER BY id") == [[.text("Ann Lee")], [.text("Bob")]])
  }

  @Test("statements and work run in the order in which they stand")
  func order() throws {
    let file = try old()
    let text = """
      UPDATE people SET name = name || ' A' WHERE id = 7;
      -- schemakit: run split-names
      UPDATE people SET last = last || '!' WHERE id = 7;
      """
    let steps = try migrations(fixture(after: text))
    _ = try Session(at: file.path, schema: Self.schema) { $0.migration = .recorded(steps) }
    #expect(try file.query("SELECT first, last FROM people WHERE id = 7") == [[.text("Bob"), .text("A!")]])
  }

  @Test("a program without the work refuses the step before anything of it is done, and so does schemactl")
  func unknownWork() throws {
    let file = try old()
    let steps = try migrations(fixture())
    let before = try file.query("SELECT * FROM people")
    let error = #expect(throws: MigrationError.self) {
      _ = try Session(at: file.path, schema: ModelSchema { Person.self }) { $0.migration = .recorded(steps) }
    }
    guard case .unknownWork("split-names", _) = error?.reason else {
      Issue.record("another error: \(String(describing: error))")
      return
    }
    #expect(try file.query("SELECT * FROM people") == before)
    let command = try CommandFolder()
    let run = try CommandRun(
      ["apply", file.path, "--migrations", steps.folder.path, "--yes"], in: command)
    #expect(run.status == 4)
    #expect(run.errors.contains("runs split-names, work in Swift that this program does not have"))
    #expect(try file.query("SELECT * FROM people") == before)
  }

  @Test("steps that do not lead to the models are refused, with what differs, and are not made up for")
  func otherModels() throws {
    let file = try old()
    let steps = try migrations(fixture(), first: 1)
    let error = #expect(throws: MigrationError.self) {
      _ = try Session(at: file.path, schema: Self.schema) { $0.migration = .recorded(steps) }
    }
    #expect(error?.reason == .otherModels(last: "0001-init", objects: ["people"]))
    #expect(try file.query("SELECT * FROM people") == [[.int(1), .text("Ann Lee")], [.int(7), .text("Bob")]])
  }

  @Test("a file with tables and no record of steps is refused and left as it is")
  func notBaselined() throws {
    let file = try TemporaryDatabase()
    try file.exec("CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
    let steps = try migrations(fixture())
    let before = try file.bytes
    let error = #expect(throws: MigrationError.self) {
      _ = try Session(at: file.path, schema: Self.schema) { $0.migration = .recorded(steps) }
    }
    #expect(error?.reason == .notBaselined(fitting: "0001-init"))
    #expect(try file.bytes == before)
  }

  @Test("what others keep in the file is left alone where its name is ignored")
  func ignored() throws {
    let file = try old()
    try file.exec("CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
    let strict = try migrations(fixture())
    #expect(throws: MigrationError.self) {
      _ = try Session(at: file.path, schema: Self.schema) { $0.migration = .recorded(strict) }
    }
    let steps = try migrations(fixture(), ignoring: ["grdb_*"])
    _ = try Session(at: file.path, schema: Self.schema) { $0.migration = .recorded(steps) }
    #expect(try file.query("SELECT count(*) FROM grdb_migrations") == [[.int(0)]])
    #expect(try file.query("SELECT first FROM people ORDER BY id") == [[.text("Ann")], [.text("Bob")]])
  }

  @Test("a file that is open for reading only names the steps it lacks")
  func readOnly() throws {
    let file = try old()
    let steps = try migrations(fixture())
    let before = try file.bytes
    let error = #expect(throws: MigrationError.self) {
      _ = try Session(at: file.path, schema: Self.schema) {
        $0.migration = .recorded(steps)
        $0.isReadOnly = true
      }
    }
    #expect(error?.reason == .isReadOnly(missing: ["0002-names", "0003-drop"]))
    #expect(try file.bytes == before)
  }

  @Test("a file of a newer program is refused, or opened as it is where that is wanted and it serves")
  func newerFile() throws {
    let file = try old()
    var fixture = try fixture()
    let program = try migrations(fixture)
    try fixture.add("0004-tags", "CREATE TABLE tags (x);")
    struct Tag: Model {
      let x: Int?
      static let table = ModelTable("tags", as: Self.init) { Column("x", \.x).primaryKey() }
    }
    try fixture.apply(to: file) { $0.work = { _ in {} } }
    let error = #expect(throws: MigrationError.self) {
      _ = try Session(at: file.path, schema: Self.schema) { $0.migration = .recorded(program) }
    }
    #expect(error?.reason == .unknown("0004-tags"))
    let session = try Session(at: file.path, schema: Self.schema) {
      $0.migration = .recorded(program)
      $0.newerFile = .openAsIs
    }
    #expect(try session.all(Person.self).count == 2)
    #expect(try file.query("SELECT count(*) FROM sqlite_schema WHERE name = 'tags'") == [[.int(1)]])
  }

  @Test("the file is copied before the first step that loses or works on something, once")
  func backup() throws {
    let file = try old()
    let steps = try migrations(fixture())
    let before = try file.query("SELECT * FROM people")
    _ = try Session(at: file.path, schema: Self.schema) {
      $0.migration = .recorded(steps)
      $0.backup = .beforeLoss
    }
    let folder = URL(fileURLWithPath: file.path).deletingLastPathComponent()
    let copies = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.contains(".before-") }
    #expect(copies.count == 1)
    let copy = try RawSQLite(folder.appendingPathComponent(copies.first ?? "").path)
    defer { copy.close() }
    #expect(try copy.rows("SELECT * FROM people") == before)
  }

  @Test("a folder in which a file was changed is refused when it is read")
  func changedFolder() throws {
    let steps = try migrations(fixture())
    try "DELETE FROM people;".write(
      toFile: steps.folder.path + "/0002-names.after.sql", atomically: true, encoding: .utf8)
    let error = #expect(throws: MigrationFolderError.self) { _ = try RecordedMigrations(folder: steps.folder.path) }
    #expect(error?.description.contains("0002-names") == true)
    #expect(throws: SchemaError.self) { _ = try RecordedMigrations(folder: "/nowhere") }
  }

  @Test(
    "what a file beside a step cannot say is an error with its line",
    arguments: [
      (
        "UPDATE people SET last = '';\n-- schemakit: runs split-names", 2,
        "is not a directive for a file beside a step"
      ),
      ("UPDATE people\n-- schemakit: run split-names\nSET last = '';", 2, "stands inside of a statement"),
      ("-- schemakit: run\n", 1, "is not a directive for a file beside a step"),
    ])
  func badDirective(text: String, line: Int, problem: String) throws {
    let step = try Migration(name: "1", path: "1.sql", sql: "", after: text)
    let error = #expect(throws: SchemaError.self) { try step.checkData() }
    #expect(error?.line == line)
    #expect(error?.description.contains(problem) == true)
  }

  @Test("two pieces of work, or work and a data step, do not have one name")
  func names() throws {
    let schema = ModelSchema {
      Person.self
      DataStep("a", after: .schemaChanged) { _ in }
      RecordedWork("a") { _ in }
    }
    #expect(throws: DeclarationError.self) { try schema.declaration() }
  }

  @Test("recorded work is not part of what the models declare")
  func digest() throws {
    #expect(try Self.schema.declaration().digest == ModelSchema { Person.self }.declaration().digest)
  }
}

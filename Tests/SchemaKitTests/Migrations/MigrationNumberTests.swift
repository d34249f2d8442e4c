import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitOperations

@Suite("Recorded steps that a file has under other names")
struct MigrationNumberTests {
  private static let start = "CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT);"
  private static let mine = "CREATE TABLE tags (id INTEGER PRIMARY KEY, word TEXT NOT NULL);"
  private static let theirs = "ALTER TABLE users ADD COLUMN email TEXT;"

  /// What a branch recorded.
  private func branch() throws -> MigrationFixture {
    try MigrationFixture([("0001-init", Self.start), ("0002-tags", "-- Step 0002-tags: tags.\n" + Self.mine)])
  }

  /// The folder after the other branch's steps were put before the branch's own.
  private func merged(_ others: [(name: String, sql: String)] = [("0002-emails", theirs)]) throws -> MigrationFixture {
    let own = try branch().folder.steps[1].renamed(to: "000\(others.count + 2)-tags")
    return try MigrationFixture([("0001-init", Self.start)] + others + [(own.name, own.sql)])
  }

  /// A file of the branch, with rows.
  private func file() throws -> TemporaryDatabase {
    let file = try TemporaryDatabase()
    try branch().apply(to: file)
    try file.exec("INSERT INTO users VALUES (1, 'Ann'), (7, 'Bob'); INSERT INTO tags VALUES (3, 'kept')")
    return file
  }

  private func noted(in file: TemporaryDatabase) throws -> [String] {
    let connection = try SQLiteConnection.openedForInspection(path: file.path)
    return try Ledger(connection: connection).recordedMigrations(of: MigrationRunner.schemaName).map(\.name)
  }

  @discardableResult
  private func undo(_ file: TemporaryDatabase) throws -> ApplyReport {
    let connection = try SQLiteConnection(path: file.path, mode: .readWrite)
    let undo = try MigrationUndo(over: connection)
    var request = ChangeRequest(allowing: .destructive)
    request.undo = undo.context
    return try Change(over: connection, to: undo.target, request).apply()
  }

  @Test("a step that got another number is not done again, and what stands before it now is done behind it")
  func renumbered() throws {
    let file = try file()
    let merged = try merged()
    #expect(try merged.missing(in: file) == ["0002-emails"])
    try merged.apply(to: file)
    #expect(try noted(in: file) == ["0001-init", "0002-emails", "0003-tags"])
    #expect(
      try file.query("SELECT id, name, email FROM users") == [
        [.int(1), .text("Ann"), .null], [.int(7), .text("Bob"), .null],
      ])
    #expect(try file.query("SELECT * FROM tags") == [[.int(3), .text("kept")]])
    let bytes = try file.bytes
    #expect(try merged.apply(to: file).isEmpty)
    #expect(try file.bytes == bytes)
  }

  @Test("undo takes back the step that was applied last, by the name that the file has for it then")
  func undoing() throws {
    let file = try file()
    let merged = try merged()
    try merged.apply(to: file)
    try undo(file)
    #expect(try merged.missing(in: file) == ["0002-emails"])
    #expect(try file.query("SELECT name FROM pragma_table_info('users')") == [[.text("id")], [.text("name")]])
    try merged.apply(to: file)
    #expect(try noted(in: file) == ["0001-init", "0002-emails", "0003-tags"])
    #expect(try file.query("SELECT * FROM tags") == [[.int(3), .text("kept")]])
    try undo(file)
    try undo(file)
    #expect(try merged.missing(in: file) == ["0002-emails", "0003-tags"])
    try merged.apply(to: file)
    #expect(try noted(in: file) == ["0001-init", "0002-emails", "0003-tags"])
  }

  @Test("steps of one title are told apart by what they say")
  func sameTitle() throws {
    let file = try TemporaryDatabase()
    let (first, second) = ("CREATE TABLE a (x);", "CREATE TABLE b (x);")
    try MigrationFixture([("0001-init", Self.start), ("0002-fix", first), ("0003-fix", second)]).apply(to: file)
    try file.exec("INSERT INTO a VALUES (1); INSERT INTO b VALUES (2)")
    let merged = try MigrationFixture([
      ("0001-init", Self.start), ("0002-fix", Self.theirs), ("0003-fix", first), ("0004-fix", second),
    ])
    #expect(try merged.missing(in: file) == ["0002-fix"])
    try merged.apply(to: file)
    #expect(try noted(in: file) == ["0001-init", "0002-fix", "0003-fix", "0004-fix"])
    #expect(try file.query("SELECT a.x, b.x FROM a, b") == [[.int(1), .int(2)]])
    // Of the two changes that were called 0002-fix, the later one goes first.
    try undo(file)
    #expect(try merged.missing(in: file) == ["0002-fix"])
    try undo(file)
    #expect(try merged.missing(in: file) == ["0002-fix", "0004-fix"])
    #expect(try file.query("SELECT x FROM a") == [[.int(1)]])
  }

  @Test("a run that stops between the steps of the other branch goes on where it stopped")
  func goingOn() throws {
    let file = try file()
    let merged = try merged([
      ("0002-emails", Self.theirs),
      ("0003-names", "DROP TABLE users;\nCREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT UNIQUE, email TEXT);"),
    ])
    try file.exec("UPDATE users SET name = 'Ann'")
    #expect(throws: PlanError.self) { try merged.apply(to: file) }
    #expect(try noted(in: file) == ["0001-init", "0002-emails", "0004-tags"])
    #expect(try merged.missing(in: file) == ["0003-names"])
    try file.exec("UPDATE users SET name = 'Bob' WHERE id = 7")
    try merged.apply(to: file)
    #expect(try noted(in: file) == ["0001-init", "0002-emails", "0003-names", "0004-tags"])
    #expect(try file.query("SELECT id, name FROM users") == [[.int(1), .text("Ann")], [.int(7), .text("Bob")]])
  }

  @Test("work on rows does not change places with another step")
  func workOnRows() throws {
    let items = "CREATE TABLE items (id INTEGER PRIMARY KEY, price REAL, qty INTEGER);"
    let total = "ALTER TABLE items ADD COLUMN total REAL;"
    let cents =
      "CREATE TABLE items2 (id INTEGER PRIMARY KEY, price INTEGER, qty INTEGER);\n"
      + "DROP TABLE items;\nALTER TABLE items2 RENAME TO items;"
    func step(_ sql: String, after: String? = nil) -> (sql: String, after: String?) { (sql, after) }
    // What the branch did first, what the other one did before it, and why they may not change places.
    let cases: [(mine: (sql: String, after: String?), theirs: (sql: String, after: String?), reason: String)] = [
      (step(Self.mine), step(total, after: "UPDATE items SET total = price;"), "0002-theirs works on rows"),
      (
        step(Self.mine), step("-- schemakit: fill items.total = (SELECT sum(qty) FROM items)\n" + total),
        "0002-theirs computes values from other rows"
      ),
      (
        step("-- nothing else", after: "UPDATE items SET price = price + 5;"),
        step("-- schemakit: convert items.price = price * 100\n" + cents), "0003-mine works on rows"
      ),
      (
        step("-- schemakit: convert items.price = price * 100\n" + cents),
        step("-- schemakit: fill items.total = price * qty\n" + total), "both change items"
      ),
    ]
    for (number, (mine, theirs, reason)) in cases.enumerated() {
      let file = try TemporaryDatabase(name: "\(number).db")
      var branch = try MigrationFixture([("0001-init", items)])
      try branch.apply(to: file)
      try file.exec("INSERT INTO items VALUES (1, 10, 3)")
      try branch.add("0002-mine", mine.sql, after: mine.after)
      try branch.apply(to: file)
      let bytes = try file.bytes
      var merged = try MigrationFixture([("0001-init", items)])
      try merged.add("0002-theirs", theirs.sql, after: theirs.after)
      try merged.add("0003-mine", mine.sql, after: mine.after)
      let error = #expect(throws: MigrationError.self, "\(number)") { try merged.apply(to: file) }
      let refused = MigrationError(
        .renumbered("0003-mine", was: "0002-mine", missing: ["0002-theirs"], because: reason))
      #expect(error == refused, "\(number)")
      #expect(try file.bytes == bytes)
    }
  }

  @Test("steps that lead elsewhere in the other order do not change places")
  func otherSchema() throws {
    // A table that is made anew takes the indexes along that it has by then.
    let index = "CREATE INDEX by_name ON users (name);"
    let anew = "DROP TABLE users;\nCREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, email TEXT);"
    let file = try TemporaryDatabase()
    try MigrationFixture([("0001-init", Self.start), ("0002-index", index)]).apply(to: file)
    let bytes = try file.bytes
    let merged = try MigrationFixture([("0001-init", Self.start), ("0002-emails", anew), ("0003-index", index)])
    let error = #expect(throws: MigrationError.self) { try merged.apply(to: file) }
    #expect(
      error?.reason
        == .renumbered(
          "0003-index", was: "0002-index", missing: ["0002-emails"],
          because: "they lead to another schema in this order"))
    #expect(try file.bytes == bytes)
  }

  @Test("a step that was recorded anew is another one, and the file is told how to get it")
  func recordedAnew() throws {
    let file = try file()
    let anew = try MigrationFixture([
      ("0001-init", Self.start), ("0002-emails", Self.theirs), ("0003-tags", Self.mine + "\n-- and more"),
    ])
    let error = #expect(throws: MigrationError.self) { try anew.apply(to: file) }
    #expect(error?.reason == .recordedAnew("0003-tags", has: "0002-tags"))
    try undo(file)
    try anew.apply(to: file)
    #expect(try noted(in: file) == ["0001-init", "0002-emails", "0003-tags"])
  }

  @Test("steps can be squashed more than once, whichever of the squashed ones a file has")
  func squashedTwice() throws {
    let steps = [
      ("0001-a", "CREATE TABLE a (x);"), ("0002-b", "CREATE TABLE b (x);"), ("0003-c", "CREATE TABLE c (x);"),
    ]
    let once = try MigrationFixture([
      ("0002-squashed", "-- schemakit: replaces 0001-a, 0002-b\n" + steps[0].1 + steps[1].1), steps[2],
    ])
    let twice = try MigrationFixture([
      (
        "0003-squashed",
        "-- schemakit: replaces 0001-a, 0002-b, 0002-squashed, 0003-c\n" + steps.map(\.1).joined()
      )
    ])
    let ways: [[MigrationFixture]] = [
      [try MigrationFixture(steps)], [try MigrationFixture(Array(steps.prefix(2))), once], [once],
      [try MigrationFixture(steps), once],
    ]
    for (number, way) in ways.enumerated() {
      let file = try TemporaryDatabase(name: "\(number).db")
      for fixture in way { try fixture.apply(to: file) }
      #expect(try twice.missing(in: file) == [], "\(number)")
      try twice.apply(to: file)
      #expect(try noted(in: file) == ["0003-squashed"], "\(number)")
    }
    let part = try TemporaryDatabase(name: "part.db")
    try MigrationFixture(Array(steps.prefix(2))).apply(to: part)
    let error = #expect(throws: MigrationError.self) { try twice.apply(to: part) }
    #expect(error?.reason == .partlyReplaced(step: "0003-squashed", has: "0001-a", needs: ["0003-c"]))
  }

  @Test("undo of a step that was squashed since leaves the file with the steps before it")
  func undoOfSquashed() throws {
    let file = try file()
    let squashed = try MigrationFixture([
      ("0002-squashed", "-- schemakit: replaces 0001-init, 0002-tags\n" + Self.start + Self.mine)
    ])
    try squashed.apply(to: file)
    #expect(try noted(in: file) == ["0002-squashed"])
    try undo(file)
    #expect(try noted(in: file) == ["0001-init"])
    let error = #expect(throws: MigrationError.self) { try squashed.apply(to: file) }
    #expect(error?.reason == .partlyReplaced(step: "0002-squashed", has: "0001-init", needs: ["0002-tags"]))
    try branch().apply(to: file)
    try squashed.apply(to: file)
    #expect(try noted(in: file) == ["0002-squashed"])
  }

  @Test("a step is put behind others as it is, whatever ends its lines")
  func lineEnds() throws {
    let text = "-- Step 0002-tags: tags.\r\n-- of 0002-tags\r\nCREATE TABLE tags (x);\r\n"
    let step = try Migration(name: "0002-tags", path: "m/0002-tags.sql", sql: text)
    let renamed = try step.renamed(to: "0003-tags")
    #expect(renamed.sql == "-- Step 0003-tags: tags.\r\n-- of 0002-tags\r\nCREATE TABLE tags (x);\r\n")
    #expect(try renamed.renamed(to: "0002-tags") == step)
  }
}

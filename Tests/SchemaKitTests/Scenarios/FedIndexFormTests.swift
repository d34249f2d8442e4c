import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitOperations
@testable import SchemaKitReports

@Suite("Full-text indexes whose triggers leave rows out: other forms, and other ways to apply")
struct FedIndexFormTests {
  /// A note with a deletion date stays in the table and is not to be found.
  private static let table = "CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT, deleted_at TEXT);"
  private static let index = "CREATE VIRTUAL TABLE note_fts USING fts5(body, content='note', content_rowid='id');"
  private static let triggers = """
    CREATE TRIGGER note_ai AFTER INSERT ON note WHEN new.deleted_at IS NULL
      BEGIN INSERT INTO note_fts (rowid, body) VALUES (new.id, new.body); END;
    CREATE TRIGGER note_ad AFTER DELETE ON note WHEN old.deleted_at IS NULL
      BEGIN INSERT INTO note_fts (note_fts, rowid, body) VALUES ('delete', old.id, old.body); END;
    CREATE TRIGGER note_au AFTER UPDATE ON note BEGIN
      INSERT INTO note_fts (note_fts, rowid, body) SELECT 'delete', old.id, old.body WHERE old.deleted_at IS NULL;
      INSERT INTO note_fts (rowid, body) SELECT new.id, new.body WHERE new.deleted_at IS NULL; END;
    """
  private static let schema = table + index + triggers
  private static let rows = """
    INSERT INTO note (id, body, deleted_at)
    VALUES (1, 'secret plan', NULL), (2, 'secret, deleted', '1767225600'), (3, 'public', NULL);
    """
  private static let stemming = schema.replacing("fts5(body,", with: "fts5(body, tokenize='porter',")

  private func found(_ file: TemporaryDatabase, _ word: String = "secret") throws -> [Int64] {
    try file.query("SELECT rowid FROM note_fts WHERE note_fts MATCH '\(word)' ORDER BY 1").compactMap { $0[0].integer }
  }

  private func refusals(_ file: TemporaryDatabase, to sql: String, strategy: StrategyChoice = .auto) throws -> [Hazard]
  {
    try file.plan(to: sql, strategy: strategy).refusals(under: .lossless)
  }

  private static let consent = PlanPolicy(
    allowing: [.init(.code(.newlyFoundRows), table: "note_fts")])

  // MARK: - Other forms

  @Test("FTS4 keeps and fills an index by the same rules")
  func older() throws {
    let index = "CREATE VIRTUAL TABLE note_fts USING fts4(content=\"note\", body);"
    let triggers = """
      CREATE TRIGGER note_bd BEFORE DELETE ON note BEGIN DELETE FROM note_fts WHERE docid = old.id; END;
      CREATE TRIGGER note_ai AFTER INSERT ON note WHEN new.deleted_at IS NULL
        BEGIN INSERT INTO note_fts (docid, body) VALUES (new.id, new.body); END;
      """
    let file = try TemporaryDatabase(Self.table + index + triggers + Self.rows)
    try file.migrate(to: Self.table.replacing("deleted_at TEXT", with: "deleted_at INT") + index + triggers)
    #expect(try found(file) == [1])
    let renamed = """
      CREATE TABLE memo ( -- schemakit: renamed from note
        id INTEGER PRIMARY KEY,
        text TEXT, -- schemakit: renamed from body
        deleted_at INT);
      CREATE VIRTUAL TABLE note_fts USING fts4(content="memo", text);
      \(triggers.replacing("ON note ", with: "ON memo ").replacing("body", with: "text"))
      """
    try file.migrate(to: renamed)
    #expect(try found(file) == [1])
    let stemming = renamed.replacing(", text);", with: ", text, tokenize=porter);")
    #expect(try refusals(file, to: stemming).map(\.count) == [1])
    try file.migrate(to: stemming, allowing: Self.consent)
    #expect(try found(file) == [1, 2])
    try file.exec("INSERT INTO note_fts (note_fts) VALUES ('integrity-check')")
  }

  @Test("an FTS4 index that takes its columns from its content is filled anew when these change")
  func impliedColumns() throws {
    let index = "CREATE VIRTUAL TABLE note_fts USING fts4(content=\"note\");"
    let file = try TemporaryDatabase(
      Self.table + index + Self.rows + "INSERT INTO note_fts (note_fts) VALUES ('rebuild');")
    let target = Self.table.replacing("deleted_at TEXT", with: "deleted_at TEXT, place TEXT DEFAULT 'here'") + index
    try file.migrate(to: target)
    #expect(try found(file, "here") == [1, 2, 3])
    try file.exec("INSERT INTO note_fts (note_fts) VALUES ('integrity-check')")
  }

  @Test("a column beside the key numbers the rows of an index, whatever becomes of the key")
  func numberColumn() throws {
    let table = "CREATE TABLE note (code TEXT PRIMARY KEY, num INT NOT NULL, body TEXT, deleted_at TEXT);"
    let index = "CREATE VIRTUAL TABLE note_fts USING fts5(body, content='note', content_rowid='num');"
    let file = try TemporaryDatabase(
      table + index + "INSERT INTO note VALUES ('a', 10, 'secret plan', NULL), ('b', 20, 'secret, deleted', '1');"
        + "INSERT INTO note_fts (rowid, body) VALUES (10, 'secret plan');")
    let rowless = table.replacing("deleted_at TEXT);", with: "deleted_at TEXT) WITHOUT ROWID;")
    try file.migrate(to: rowless + index, allowing: .everything)
    #expect(try found(file) == [10])
    try file.expectWholeFullTextIndex("note_fts")
    let hazard = try #require(
      try refusals(file, to: rowless + index.replacing("body,", with: "body, prefix=2,")).first)
    #expect(hazard.count == 1 && hazard.samples == ["20"])
  }

  @Test(
    "an index over a view is kept while nothing that the view reads has other values", arguments: ["", " (id, body)"])
  func view(columns: String) throws {
    let view = "CREATE VIEW shown\(columns) AS SELECT id, body FROM note WHERE body <> '';"
    let index = "CREATE VIRTUAL TABLE note_fts USING fts5(body, content='shown', content_rowid='id');"
    let file = try TemporaryDatabase(
      Self.table + view + index + Self.rows + "INSERT INTO note_fts (rowid, body) VALUES (1, 'secret plan');")
    try file.migrate(to: Self.table.replacing("deleted_at TEXT", with: "deleted_at INT") + view + index)
    #expect(try found(file) == [1])
    let other =
      Self.table.replacing("deleted_at TEXT", with: "deleted_at INT")
      + view.replacing("body <> ''", with: "body <> 'x'") + index
    #expect(try refusals(file, to: other).map(\.count) == [2])
    try file.migrate(to: other, allowing: Self.consent)
    #expect(try found(file) == [1, 2])
  }

  @Test("an index without any content stays as it is, and follows row numbers that change")
  func contentless() throws {
    let index = "CREATE VIRTUAL TABLE note_fts USING fts5(body, content='');"
    let table = "CREATE TABLE note (id INT PRIMARY KEY, body TEXT);"
    let trigger =
      "CREATE TRIGGER note_ai AFTER INSERT ON note BEGIN INSERT INTO note_fts (rowid, body) VALUES (new.rowid, new.body); END;"
    let file = try TemporaryDatabase(
      table + index + trigger + "INSERT INTO note (rowid, id, body) VALUES (1, 50, 'secret');")
    try file.migrate(to: table.replacing("body TEXT", with: "body TEXT CHECK (body <> '')") + index + trigger)
    #expect(try found(file) == [1])
    let renumbered = table.replacing("INT PRIMARY KEY", with: "INTEGER PRIMARY KEY") + index + trigger
    #expect(try refusals(file, to: renumbered).map(\.code) == [.renumberedRows])
  }

  // MARK: - Other ways to apply

  @Test(
    "a recorded step counts the rows of each file, and consents for all where it says so", arguments: [false, true])
  func recorded(consents: Bool) throws {
    try Engine.require(.fts5)
    let triggers = Self.triggers.replacing(" WHEN new.deleted_at IS NULL", with: "")
      .replacing(" WHEN old.deleted_at IS NULL", with: "").replacing(" WHERE old.deleted_at IS NULL", with: "")
      .replacing(" WHERE new.deleted_at IS NULL", with: "").replacing(
        "SELECT 'delete', old.id, old.body", with: "VALUES ('delete', old.id, old.body)"
      )
      .replacing("SELECT new.id, new.body", with: "VALUES (new.id, new.body)")
    let plain = Self.table + Self.index + triggers
    var fixture = try MigrationFixture([("0001-init", plain)])
    let (open, hidden) = (try TemporaryDatabase(), try TemporaryDatabase())
    for file in [open, hidden] {
      try fixture.apply(to: file)
      try file.exec(Self.rows)
    }
    try hidden.exec("INSERT INTO note_fts (note_fts, rowid, body) SELECT 'delete', id, body FROM note WHERE id = 2")
    try fixture.record("0002-porter", to: plain.replacing("fts5(body,", with: "fts5(body, tokenize='porter',"))
    if consents {
      let step = fixture.folder.steps.removeLast()
      try fixture.add(step.name, "-- schemakit: allow SK216:note_fts\n" + step.sql)
      try fixture.apply(to: hidden)
    } else {
      #expect(throws: (any Error).self) { try fixture.apply(to: hidden) }
    }
    #expect(try found(hidden) == (consents ? [1, 2] : [1]))
    try fixture.apply(to: open)
    #expect(try found(open) == [1, 2])
  }

  @Test("the script for an engine needs the same consent, and stops where rows came to be missing since")
  func script() throws {
    let file = try TemporaryDatabase(Self.schema + Self.rows)
    let plan = try ScriptedMigration(of: file.path, to: TemporaryDatabase.target(Self.stemming), for: .libsql).plan
    #expect(plan.refusals(under: .lossless).map(\.code) == [.newlyFoundRows])
    let bare = try TemporaryDatabase(
      Self.table + Self.index + Self.rows + "INSERT INTO note_fts (note_fts) VALUES ('rebuild');")
    let target = try TemporaryDatabase.target(
      Self.table + Self.index.replacing("body,", with: "body, tokenize='porter',"))
    let script = try ScriptedMigration(of: bare.path, to: target, for: .libsql).script()
    #expect(script.contains("SK216"))
    try bare.exec("INSERT INTO note_fts (note_fts, rowid, body) SELECT 'delete', id, body FROM note WHERE id = 2")
    #expect(throws: (any Error).self) { try bare.exec(script) }
    #expect(try found(bare) == [1])
    try bare.exec("INSERT INTO note_fts (note_fts) VALUES ('rebuild')")
    try bare.exec(script)
    #expect(try found(bare) == [1, 2])
  }

  @Test("a file in a fleet is asked for consent by its own rows")
  func fleet() throws {
    let memory = PlanningMemory()
    let plain = Self.table + Self.index
    let target = plain.replacing("body,", with: "body, tokenize='porter',")
    let (open, hidden) = (try TemporaryDatabase(plain + Self.rows), try TemporaryDatabase(plain + Self.rows))
    try open.exec("INSERT INTO note_fts (note_fts) VALUES ('rebuild')")
    try hidden.exec("INSERT INTO note_fts (rowid, body) SELECT id, body FROM note WHERE id <> 2")
    for (file, count) in [(open, 0), (hidden, 1), (open, 0)] {
      let connection = try SQLiteConnection.openedForInspection(path: file.path)
      var request = ChangeRequest()
      request.memory = memory
      request.known = try memory.catalog(of: connection)
      let plan = try Change(over: connection, to: TemporaryDatabase.target(target), request).plan()
      #expect(plan.refusals(under: .lossless).count == count)
    }
  }
}

import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitReports

@Suite("Full-text indexes whose triggers leave rows out")
struct FedIndexTests {
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

  // MARK: - Kept

  @Test(
    "a change beside what it finds leaves an index as it is", arguments: [StrategyChoice.auto, .rebuild, .online],
    [
      ("deleted_at TEXT", "deleted_at INTEGER"), ("deleted_at TEXT", "deleted_at TEXT, pinned INT NOT NULL DEFAULT 0"),
      ("deleted_at TEXT", "deleted_at TEXT CHECK (deleted_at <> '')"),
      ("body TEXT, deleted_at TEXT", "deleted_at TEXT, body TEXT CHECK (body <> '')"),
    ])
  func unreadColumn(strategy: StrategyChoice, change: (old: String, new: String)) throws {
    let file = try TemporaryDatabase(strategy.journal + Self.schema + Self.rows)
    let target = Self.schema.replacing(change.old, with: change.new)
    var policy = PlanPolicy.lossless
    policy.strategy = strategy
    let report = try file.migrate(to: target, allowing: policy)
    #expect(report.plan.steps.allSatisfy { !$0.fillsIndex })
    #expect(try found(file) == [1])
    try file.expectWholeFullTextIndex("note_fts")
    try file.exec("DELETE FROM note WHERE id = 2; UPDATE note SET body = 'open' WHERE id = 1;")
    #expect(try found(file) == [])
    try file.expectWholeFullTextIndex("note_fts")
  }

  @Test("a dropped column that it does not find leaves an index as it is")
  func droppedColumn() throws {
    let wide = Self.schema.replacing("deleted_at TEXT", with: "deleted_at TEXT, pinned INT")
    let file = try TemporaryDatabase(wide + Self.rows)
    try file.migrate(to: Self.schema, allowing: .destructive)
    #expect(try found(file) == [1])
    try file.expectWholeFullTextIndex("note_fts")
  }

  @Test("rows without a key of their own keep their numbers, and an index its entries")
  func hiddenRowIDs() throws {
    let table = "CREATE TABLE note (body TEXT, deleted_at TEXT);"
    let index = "CREATE VIRTUAL TABLE note_fts USING fts5(body, content='note');"
    let file = try TemporaryDatabase(
      table + index + "INSERT INTO note (rowid, body) VALUES (40, 'secret plan'), (7, 'secret too');"
        + "INSERT INTO note_fts (rowid, body) VALUES (40, 'secret plan');")
    try file.migrate(to: table.replacing("deleted_at TEXT", with: "deleted_at INT CHECK (deleted_at > 0)") + index)
    #expect(try found(file) == [40])
    try file.expectWholeFullTextIndex("note_fts")
  }

  private static let renamed = """
    CREATE TABLE memo ( -- schemakit: renamed from note
      id INTEGER PRIMARY KEY,
      text TEXT, -- schemakit: renamed from body
      deleted_at INT
    );
    """
    + (index + triggers).replacing("'note'", with: "'memo'").replacing("ON note ", with: "ON memo ")
    .replacing("body", with: "text")

  @Test("an index follows its content and columns to other names with its entries, and back")
  func renamed() throws {
    let file = try TemporaryDatabase(Self.schema + Self.rows)
    let report = try file.migrate(to: Self.renamed)
    let step = try #require(report.plan.steps.first { $0.object.name == "note_fts" })
    #expect(step.strategy == .catalog && step.edits == [.redeclareIndex(content: "memo")])
    #expect(try found(file) == [1])
    #expect(try file.query("SELECT text FROM note_fts WHERE rowid = 1") == [[.text("secret plan")]])
    try file.expectWholeFullTextIndex("note_fts")
    try file.exec("UPDATE memo SET deleted_at = 1 WHERE id = 1; UPDATE memo SET deleted_at = NULL WHERE id = 2;")
    #expect(try found(file) == [2])
    try file.expectWholeFullTextIndex("note_fts")
    #expect(try file.plan(to: Self.renamed).isEmpty)
    try MigrationUndo(at: file.path).apply()
    #expect(try found(file) == [2])
    try file.expectWholeFullTextIndex("note_fts")
    #expect(try file.plan(to: Self.schema).isEmpty)
  }

  // MARK: - Filled anew

  @Test("what needs another filling tells how many rows would be found, and needs consent")
  func tokenizer() throws {
    let file = try TemporaryDatabase(Self.schema + Self.rows)
    let hazard = try #require(try refusals(file, to: Self.stemming).first)
    #expect(hazard.code == .newlyFoundRows && hazard.hazardClass == .lossy && hazard.object == "note_fts")
    #expect(hazard.count == 1 && hazard.samples == ["2"])
    #expect(hazard.message.contains("1 row that it does not find now. Trigger note_ai feeds it under a condition."))
    #expect(throws: PlanError.self) { try file.migrate(to: Self.stemming) }
    #expect(try found(file) == [1])
    try file.migrate(to: Self.stemming, allowing: Self.consent)
    #expect(try found(file) == [1, 2])
    try file.expectWholeFullTextIndex("note_fts")
  }

  @Test("undoing it makes nothing new to be found, and asks for nothing")
  func undone() throws {
    let file = try TemporaryDatabase()
    try file.migrate(to: Self.schema)
    try file.exec(Self.rows)
    try file.migrate(to: Self.stemming, allowing: Self.consent)
    let undo = try MigrationUndo(at: file.path)
    #expect(undo.losses.contains { $0.contains("note_fts") }, "\(undo.losses)")
    try undo.apply()
    #expect(try file.plan(to: Self.schema).isEmpty)
    try file.expectWholeFullTextIndex("note_fts")
  }

  @Test("a condition needs consent although no row is missing, and an empty table needs none")
  func nothingHidden() throws {
    let file = try TemporaryDatabase(Self.schema)
    let hazard = try #require(try file.plan(to: Self.stemming).hazards.first { $0.code == .newlyFoundRows })
    #expect(hazard.hazardClass == .note && hazard.isPotential)
    try file.exec("INSERT INTO note (id, body) VALUES (1, 'secret');")
    #expect(try refusals(file, to: Self.stemming).map(\.count) == [0])
  }

  @Test("converted texts fill an index anew", arguments: [StrategyChoice.auto, .rebuild, .alter])
  func converted(strategy: StrategyChoice) throws {
    let file = try TemporaryDatabase(Self.schema + Self.rows)
    let target = Self.schema.replacing("body TEXT,", with: "body BLOB /* schemakit: convert upper(body) */,")
    #expect(try refusals(file, to: target, strategy: strategy).map(\.code).contains(.newlyFoundRows))
    var policy = PlanPolicy.everything
    policy.strategy = strategy
    try file.migrate(to: target, allowing: policy)
    #expect(try found(file) == [1, 2])
    try file.expectWholeFullTextIndex("note_fts")
  }

  @Test("where the catalog stays as it is, a renamed content fills the index anew", arguments: [StrategyChoice.alter])
  func renamedWithoutEdit(strategy: StrategyChoice) throws {
    let file = try TemporaryDatabase(Self.schema + Self.rows)
    let target = Self.renamed.replacing("deleted_at INT", with: "deleted_at TEXT")
    #expect(try refusals(file, to: target, strategy: strategy).map(\.count) == [1])
    var policy = Self.consent
    policy.strategy = strategy
    try file.migrate(to: target, allowing: policy)
    #expect(try found(file) == [1, 2])
    try file.expectWholeFullTextIndex("note_fts")
  }

  @Test("a table that takes the name of the content has other rows, though the index says the same: that is refused")
  func exchangedContent() throws {
    let other = "CREATE TABLE draft (id INTEGER PRIMARY KEY, body TEXT, deleted_at TEXT);"
    let file = try TemporaryDatabase(
      Self.table + other + Self.index + Self.rows
        + "INSERT INTO draft (id, body) VALUES (1, 'open'), (8, 'secret'); INSERT INTO note_fts (note_fts) VALUES ('rebuild');"
    )
    let target = """
      CREATE TABLE note ( -- schemakit: renamed from draft
        id INTEGER PRIMARY KEY, body TEXT, deleted_at TEXT);
      CREATE TABLE kept ( -- schemakit: renamed from note
        id INTEGER PRIMARY KEY, body TEXT, deleted_at TEXT);
      \(Self.index)
      """
    let found = try refusals(file, to: target)
    #expect(found.map(\.code).sorted { $0.rawValue < $1.rawValue } == [.brokenObject, .newlyFoundRows])
    #expect(found.last { $0.code == .newlyFoundRows }?.count == 1)
  }

  @Test("triggers that pass on every row as it is need no consent, unless rows are missing all the same")
  func everyRow() throws {
    let triggers = """
      CREATE TRIGGER note_ai AFTER INSERT ON note BEGIN
        INSERT INTO note_fts (rowid, body) VALUES (new.id, new.body); END;
      CREATE TRIGGER note_ad AFTER DELETE ON note BEGIN
        INSERT INTO note_fts (note_fts, rowid, body) VALUES ('delete', old.id, old.body); END;
      CREATE TRIGGER note_au AFTER UPDATE ON note BEGIN
        INSERT INTO note_fts (note_fts, rowid, body) VALUES ('delete', old.id, old.body);
        INSERT INTO note_fts (rowid, body) VALUES (new.id, new.body); END;
      """
    let file = try TemporaryDatabase(Self.table + Self.index + triggers + Self.rows)
    let target = Self.table + Self.index.replacing("body,", with: "body, tokenize='porter',") + triggers
    #expect(try file.plan(to: target).hazards.isEmpty)
    try file.exec(
      "INSERT INTO note_fts (note_fts, rowid, body) SELECT 'delete', id, body FROM note WHERE deleted_at IS NOT NULL")
    #expect(try refusals(file, to: target).map(\.count) == [1])
    try file.migrate(to: target, allowing: PlanPolicy(allowing: [.init(.hazardClass(.lossy))]))
    #expect(try found(file) == [1, 2])
  }

  @Test("an index without a list of its rows cannot tell what it does not find")
  func unlisted() throws {
    let unlisted = Self.schema.replacing("fts5(body,", with: "fts5(body, columnsize=0,")
    let file = try TemporaryDatabase(unlisted + Self.rows)
    let target = Self.stemming.replacing("fts5(body,", with: "fts5(body, columnsize=0,")
    let hazard = try #require(try refusals(file, to: target).first)
    #expect(hazard.code == .newlyFoundRows && hazard.message.contains("cannot be told"), "\(hazard.message)")
  }

  @Test("a new index that triggers feed under a condition is not filled with all rows without consent")
  func new() throws {
    let file = try TemporaryDatabase(Self.table + Self.rows)
    #expect(try refusals(file, to: Self.schema).map(\.count) == [3])
    #expect(try refusals(file, to: Self.table + Self.index).isEmpty)
  }

  @Test("a plan that counts no rows asks for consent")
  func quick() throws {
    let file = try TemporaryDatabase(Self.schema + Self.rows)
    let connection = try SQLiteConnection.openedForInspection(path: file.path)
    var request = ChangeRequest()
    request.plan.isQuick = true
    let plan = try Change(over: connection, to: try TemporaryDatabase.target(Self.stemming), request).plan()
    let hazard = try #require(plan.refusals(under: .lossless).first)
    #expect(hazard.code == .newlyFoundRows && !hazard.isCounted)
  }
}

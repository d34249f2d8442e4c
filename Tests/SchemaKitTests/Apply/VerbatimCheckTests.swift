import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("A file that has everything in the declared words")
struct VerbatimCheckTests {
  private static let schema = ModelSchema(removing: ["drafts"]) {
    PetOne.self
    Toy.self
    SQLView("names", sql: "SELECT name FROM pets")
    Trigger("toys_go", .after, .delete, on: "pets", body: "DELETE FROM toys WHERE id = old.id")
  }

  private struct Scene {
    let file: TemporaryDatabase
    let connection: SQLiteConnection
    let check: VerbatimCheck

    init(_ schema: ModelSchema = VerbatimCheckTests.schema, then sql: String = "") throws {
      file = try TemporaryDatabase()
      _ = try Session(at: file.path, schema: schema)
      try file.exec("INSERT INTO pets (name) VALUES ('Rex')")
      if !sql.isEmpty { try file.exec(sql) }
      connection = try SQLiteConnection(path: file.path)
      let declaration = try schema.declaration()
      check = VerbatimCheck(connection, declaration, digest: declaration.digest)
    }

    /// What a comparison of the whole file comes to.
    func compared(with schema: ModelSchema = VerbatimCheckTests.schema) throws -> MigrationPlan {
      let target = try SchemaLoader().load(schema.declaration()).target
      return try Change(over: connection, to: target).plan()
    }
  }

  @Test(
    "what others do beside it leaves nothing to do, as a comparison would find",
    arguments: [
      "ANALYZE", "VACUUM", "CREATE TABLE other (a UNIQUE)", "CREATE UNIQUE INDEX theirs ON pets (name)",
      "CREATE TRIGGER theirs AFTER INSERT ON pets BEGIN SELECT 1; END",
      "CREATE TABLE other (a); CREATE INDEX i ON other (a); CREATE VIEW v AS SELECT a FROM other",
      "CREATE TABLE \"Pêts\" (a)",
    ])
  func beside(sql: String) throws {
    let scene = try Scene(then: sql)
    let found = try #require(try scene.check.find(areRowsExamined: true)).plan
    let plan = try scene.compared()
    #expect(plan.isEmpty && found.steps == plan.steps && found.hazards == plan.hazards)
    #expect(found.unmanaged.sorted() == plan.unmanaged.sorted())
    #expect(found.targetFingerprint == plan.targetFingerprint)
  }

  @Test(
    "whatever else has happened to it is left to a comparison",
    arguments: [
      "ALTER TABLE pets ADD COLUMN age", "DROP TABLE toys", "DROP VIEW names", "CREATE TABLE drafts (a)",
      "DROP TRIGGER toys_go; CREATE TRIGGER toys_go AFTER DELETE ON pets BEGIN SELECT 1; END",
      "CREATE TRIGGER Toys AFTER INSERT ON pets BEGIN SELECT 1; END",
      "CREATE VIRTUAL TABLE words USING fts5 (word)", "DELETE FROM _schemakit_schemas",
      "UPDATE _schemakit_schemas SET declaration = 'of another program'",
      "UPDATE _schemakit_schemas SET owned = owned || ', \"former\"'",
      "UPDATE _schemakit_schemas SET owned = '\"pets\"'",
      "UPDATE _schemakit_schemas SET fingerprint = 'another'", "UPDATE _schemakit_history SET live = 0",
      "UPDATE _schemakit_meta SET value = 4 WHERE key = 'format'",
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_master SET sql = replace(sql, 'TEXT', 'text') WHERE name = 'pets'
      """,
    ])
  func changed(sql: String) throws {
    let scene = try Scene(then: sql)
    #expect(try scene.check.find(areRowsExamined: true) == nil)
  }

  @Test("a damaged ledger is named all the same")
  func damaged() throws {
    let scene = try Scene(then: "ALTER TABLE _schemakit_history DROP COLUMN live")
    #expect(
      throws: HistoryError(
        reason: .damagedLedger(table: "_schemakit_history", problem: .missingColumn("live")))
    ) { try scene.check.find(areRowsExamined: true) }
  }

  @Test("what a newer program has left behind is left to a comparison, which refuses it")
  func newer() throws {
    let scene = try Scene(Pets.one)
    _ = try Session(at: scene.file.path, schema: Pets.withToys)
    #expect(try scene.check.find(areRowsExamined: true) == nil)
    let error = #expect(throws: HistoryError.self) { try Session(at: scene.file.path, schema: Pets.one) }
    guard case .newerFile? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("work on the rows that was not done yet is left to a comparison")
  func dataSteps() throws {
    let schema = ModelSchema {
      PetOne.self
      DataStep("count", after: .schemaChanged) { _ in }
    }
    let scene = try Scene(schema)
    #expect(try scene.check.find(areRowsExamined: true) != nil)
    try scene.file.exec("DELETE FROM _schemakit_meta WHERE key LIKE 'data step%'")
    #expect(try scene.check.find(areRowsExamined: true) == nil)
  }

  @Test("hints that say that two names were exchanged are left to a comparison")
  func exchange() throws {
    let scene = try Scene(Pets.withToys)
    var declaration = try Pets.withToys.declaration()
    func isFound() throws -> Bool {
      try VerbatimCheck(scene.connection, declaration, digest: declaration.digest).find(areRowsExamined: true) != nil
    }
    declaration.hints.tables["toys"]?.renamedFrom = ["games"]
    #expect(try isFound())
    declaration.hints.tables["toys"]?.renamedFrom = ["pets"]
    #expect(try isFound())
    declaration.hints.tables["pets"]?.renamedFrom = ["toys"]
    #expect(try !isFound())
    declaration.hints.tables = [
      "pets": TableHints(columns: ["id": ColumnHints(renamedFrom: ["name"]), "name": ColumnHints(renamedFrom: ["id"])])
    ]
    #expect(try !isFound())
  }

  @Test("the cookie is noted unless somebody has written since, or holds the lock", arguments: [false, true])
  func remembering(isOvertaken: Bool) throws {
    let scene = try Scene(then: "VACUUM")
    let found = try #require(try scene.check.find(areRowsExamined: true))
    if isOvertaken { try scene.file.exec("ALTER TABLE pets ADD COLUMN age") }
    let writer = try scene.file.reopened()
    try writer.exec("BEGIN IMMEDIATE")
    #expect(try scene.check.remember(found))
    try writer.exec("ROLLBACK")
    writer.close()
    let before = try scene.file.value("SELECT cookie FROM _schemakit_schemas")
    #expect(try scene.check.remember(found) == !isOvertaken)
    #expect(try (scene.file.value("SELECT cookie FROM _schemakit_schemas") == before) == isOvertaken)
  }

  @Test("a transaction of the lender is none to look in")
  func transaction() throws {
    let scene = try Scene(then: "VACUUM")
    try scene.connection.execute("BEGIN")
    #expect(try scene.check.find(areRowsExamined: true) == nil)
    try scene.connection.execute("COMMIT")
    #expect(try scene.check.find(areRowsExamined: true) != nil)
  }
}

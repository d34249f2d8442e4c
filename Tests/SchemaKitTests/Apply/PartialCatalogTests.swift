import OrderedCollections
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("A program that reads what its models own")
struct PartialCatalogTests {
  private static let start = """
    CREATE TABLE pets (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE toys (id INTEGER PRIMARY KEY, label TEXT NOT NULL);
    CREATE TABLE theirs (id INTEGER PRIMARY KEY, pet INTEGER REFERENCES pets, word TEXT UNIQUE);
    CREATE INDEX their_index ON theirs (word); CREATE VIEW their_view AS SELECT word FROM theirs;
    CREATE TRIGGER their_trigger AFTER INSERT ON theirs BEGIN DELETE FROM theirs WHERE word IS NULL; END;
    INSERT INTO pets VALUES (1, 'Rex'); INSERT INTO toys VALUES (1, 'ball'); INSERT INTO theirs VALUES (1, 1, 'x');
    """

  private static let changes = [
    "SELECT 1", "DROP TABLE theirs", "ALTER TABLE pets ADD COLUMN age INTEGER", "DROP TABLE toys",
    "ALTER TABLE toys RENAME TO games",
    "ALTER TABLE pets RENAME TO p; ALTER TABLE p RENAME TO Pets", "CREATE INDEX more ON pets (name)",
    "CREATE TRIGGER more AFTER INSERT ON pets BEGIN INSERT INTO theirs (pet) VALUES (new.id); END",
    "CREATE VIRTUAL TABLE words USING fts5 (word)", "CREATE TABLE drafts (a)", "CREATE INDEX drafts ON theirs (pet)",
    "ALTER TABLE pets RENAME COLUMN name TO called",
    "DROP TABLE toys; CREATE VIEW toys AS SELECT 1 AS id, 'x' AS label",
    "DELETE FROM _schemakit_schemas", "UPDATE _schemakit_schemas SET owned = owned || ', \"theirs\"'",
  ]

  /// What both ways make of a file.
  private func plans(
    _ file: TemporaryDatabase, _ schema: ModelSchema
  ) throws -> (part: KnownCatalog, ofPart: MigrationPlan, ofAll: MigrationPlan) {
    let connection = try SQLiteConnection.openedForInspection(path: file.path)
    let target = try SchemaLoader().load(schema.declaration()).target
    var names = Set(target.schema.tables.keys).union(target.hints.removedTables)
    names.formUnion(try Ledger(connection: connection).record(of: target.name)?.ownedObjects ?? [])
    var request = ChangeRequest()
    let part = try KnownCatalog(connection, concerning: names)
    request.known = part
    let ofPart = try Change(over: connection, to: target, request).plan()
    return (part, ofPart, try Change(over: connection, to: target).plan())
  }

  @Test("finds the plan that reading all of the file finds", arguments: changes)
  func samePlan(change: String) throws {
    let schema = ModelSchema(removing: ["drafts"]) {
      PetOne.self
      Toy.self
    }
    let file = try TemporaryDatabase(Self.start)
    _ = try Session(at: file.path, schema: schema)
    try file.exec(change)
    var (part, ofPart, ofAll) = try plans(file, schema)
    #expect(ofPart.unmanaged.sorted() == ofAll.unmanaged.sorted())
    (ofPart.unmanaged, ofAll.unmanaged) = ([], [])
    // What was not read has no part in it.
    if ofAll.isEmpty { ofPart.sourceFingerprint = ofAll.sourceFingerprint }
    #expect(ofPart == ofAll)
    #expect((part.scope == nil) == change.contains("VIRTUAL"))
  }

  @Test("does not read the objects of others when nothing is to be done")
  func reading() throws {
    let file = try TemporaryDatabase(Self.start)
    let (part, plan, _) = try plans(file, Pets.withToys)
    #expect(Set(part.schema.tables.keys) == ["pets", "toys"])
    #expect(part.others == ["theirs", "their_view", "their_index", "their_trigger"])
    #expect(plan.isEmpty)
  }

  @Test("reads everything when the ledger has come to own more than was read")
  func owned() throws {
    let file = try TemporaryDatabase(Self.start)
    _ = try Session(at: file.path, schema: Pets.withToys)
    let connection = try SQLiteConnection(path: file.path)
    let target = try SchemaLoader().load(Pets.withToys.declaration()).target
    var request = ChangeRequest()
    request.known = try KnownCatalog(connection, concerning: ["pets", "toys"])
    try file.exec("UPDATE _schemakit_schemas SET owned = owned || ', \"theirs\"'")
    let plan = try Change(over: connection, to: target, request).plan()
    #expect(plan.steps.contains { $0.strategy == .drop && $0.object.name == "theirs" })
  }

  @Test("notes the schema of a file that others share, and is warm afterwards")
  func noted() throws {
    let file = try TemporaryDatabase(Self.start)
    let session = try Session(at: file.path, schema: Pets.withToys)
    #expect(session.outcome == .baselined)
    #expect(session.plan?.unmanaged.sorted() == ["their_index", "their_trigger", "their_view", "theirs"])
    #expect(try Session(at: file.path, schema: Pets.withToys).isWarm)
    let whole = try SchemaInspector(at: file.path).plan(to: Pets.withToys)
    #expect(try file.value("SELECT fingerprint FROM _schemakit_schemas") == .text(whole.targetFingerprint))
  }

  @Test("onPlan that changes the file behind its back does not leave it for known")
  func changedMeanwhile() throws {
    let file = try TemporaryDatabase(Self.start)
    let connection = try SQLiteConnection(path: file.path)
    var isFirst = true
    let session = try Session(over: connection, schema: Pets.withToys) { configuration in
      configuration.onPlan = { _ in
        if isFirst { try connection.execute("ALTER TABLE toys ADD COLUMN size INTEGER") }
        isFirst = false
      }
      configuration.migration = .automatic(.everything)
    }
    #expect(session.outcome == .applied)
    #expect(session.plan?.steps.flatMap(\.changes) == ["drop column size"])
  }
}

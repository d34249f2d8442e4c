import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Session: what a schema owns")
struct SessionOwnershipTests {
  @Test("tables, indexes, views and triggers of others survive a rebuild and are named in the plan")
  func unmanaged() throws {
    let database = try TemporaryDatabase(
      Pets.sql
        + """
        CREATE TABLE theirs (id INTEGER PRIMARY KEY, pet INTEGER REFERENCES pets);
        CREATE INDEX their_index ON pets (name DESC);
        CREATE VIEW their_view AS SELECT name FROM pets;
        CREATE TRIGGER their_trigger AFTER INSERT ON pets BEGIN INSERT INTO theirs (pet) VALUES (new.id); END;
        """ + Pets.rows)
    let session = try Session(at: database.path, schema: Pets.checked)
    let plan = try #require(session.plan)
    #expect(plan.steps.contains { $0.strategy == .rebuild && $0.object.name == "pets" })
    #expect(Set(plan.unmanaged) == ["theirs", "their_index", "their_view", "their_trigger"])
    #expect(try database.value("SELECT count(*) FROM theirs") == .int(3))
    #expect(try database.value("SELECT count(*) FROM their_view") == .int(3))
    #expect(
      try database.sql(of: "their_index") == "CREATE INDEX their_index ON pets (name DESC)")
    try database.exec("INSERT INTO pets (name) VALUES ('Eve')")
    #expect(try database.value("SELECT count(*) FROM theirs") == .int(4))
    #expect(try Session(at: database.path, schema: Pets.checked).isWarm)
  }

  @Test("what others add later is left alone")
  func addedLater() throws {
    let database = try TemporaryDatabase.pets()
    try database.exec("CREATE TABLE theirs (a); INSERT INTO theirs VALUES (1)")
    let session = try Session(at: database.path, schema: Pets.one)
    #expect(session.outcome == .unchanged)
    #expect(session.plan?.unmanaged == ["theirs"])
    #expect(try database.value("SELECT count(*) FROM theirs") == .int(1))
  }

  @Test("a table that was declared before is dropped only with consent")
  func formerTable() throws {
    let database = try TemporaryDatabase()
    try Session(at: database.path, schema: Pets.withToys).connection.run("INSERT INTO toys (label) VALUES ('ball')")
    let before = try database.bytes
    do {
      _ = try Session(at: database.path, schema: Pets.one)
      Issue.record("the open was not refused")
    } catch let error as PlanError {
      guard case .refused(_, let hazards) = error.reason else { throw error }
      #expect(hazards.map(\.code) == [.droppedTable])
      #expect(hazards.map(\.table) == ["toys"])
      #expect(hazards.map(\.count) == [1])
    }
    #expect(try database.bytes == before)
    let session = try Session(at: database.path, schema: Pets.one) { $0.migration = .automatic(.destructive) }
    #expect(session.plan?.steps.map(\.strategy) == [.drop])
    #expect(try database.sql(of: "toys") == nil)
  }

  @Test("removing: is consent in the declaration")
  func removing() throws {
    let database = try TemporaryDatabase()
    try Session(at: database.path, schema: Pets.withToys).connection.run("INSERT INTO toys (label) VALUES ('ball')")
    let session = try Session(at: database.path, schema: Pets.withoutToys)
    #expect(session.plan?.hazards.map(\.isConsentedByDeclaration) == [true])
    #expect(try database.sql(of: "toys") == nil)
    #expect(try Session(at: database.path, schema: Pets.withoutToys).isWarm)
  }

  @Test("an empty table that was declared before goes without consent")
  func emptyFormerTable() throws {
    let database = try TemporaryDatabase()
    _ = try Session(at: database.path, schema: Pets.withToys)
    #expect(try Session(at: database.path, schema: Pets.one).outcome == .applied)
    #expect(try database.sql(of: "toys") == nil)
  }

  @Test("an index that was declared before goes, one of others on the same table stays")
  func formerIndex() throws {
    struct Indexed: Model {
      let id: Int64?
      let name: String
      static let table = ModelTable("pets", as: Self.init) {
        Column("id", \.id).primaryKey()
        Column("name", \.name)
      } indexes: {
        Index("pets_by_name", on: \.name)
      }
    }
    let database = try TemporaryDatabase(Pets.sql + "CREATE INDEX their_index ON pets (name, id);")
    _ = try Session(at: database.path, schema: ModelSchema { Indexed.self })
    #expect(try database.sql(of: "pets_by_name") != nil)
    _ = try Session(at: database.path, schema: Pets.one)
    #expect(try database.sql(of: "pets_by_name") == nil)
    #expect(try database.sql(of: "their_index") != nil)
  }

  @Test("two schemas with different names share a file, each with its own history")
  func sharedFile() throws {
    let database = try TemporaryDatabase()
    _ = try Session(at: database.path, schema: Pets.one)
    let toys = try Session(at: database.path, schema: Pets.toysApart)
    #expect(toys.outcome == .applied)
    #expect(toys.plan?.unmanaged == ["pets"])
    #expect(try Session(at: database.path, schema: Pets.one).outcome == .unchanged)
    #expect(try Session(at: database.path, schema: Pets.one).isWarm)
    #expect(try Session(at: database.path, schema: Pets.toysApart).isWarm)
    try database.exec("INSERT INTO toys (label) VALUES ('ball')")
    _ = try Session(at: database.path, schema: Pets.two)
    #expect(try database.value("SELECT count(*) FROM toys") == .int(1))
    #expect(try toys.history().map(\.schema) == ["main", "toys", "main"])
    #expect(try SchemaInspector(at: database.path).plan(to: Pets.toysApart).isEmpty)
  }
}

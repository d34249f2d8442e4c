import SchemaKit
import Testing

@Suite("The schema in Swift")
struct StoredSchemaTests {
  private static let sql = """
    CREATE TABLE owners (id INTEGER PRIMARY KEY AUTOINCREMENT, name VARCHAR(20) NOT NULL DEFAULT 'x' COLLATE NOCASE);
    CREATE TABLE Pets (
      Kind TEXT, code INT NOT NULL, owner INTEGER REFERENCES OWNERS ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
      label TEXT AS (upper(kind)) STORED, CONSTRAINT positive CHECK (code > 0), UNIQUE (owner, kind),
      PRIMARY KEY (code, kind)) WITHOUT ROWID;
    CREATE UNIQUE INDEX by_code ON pets (code DESC, lower(kind), label COLLATE rtrim) WHERE code > 3;
    CREATE VIEW names AS SELECT name AS n, 1 AS one FROM owners;
    CREATE VIEW broken AS SELECT * FROM missing;
    CREATE TRIGGER renamed AFTER UPDATE OF name ON owners BEGIN SELECT 1; END;
    CREATE TRIGGER written INSTEAD OF INSERT ON names BEGIN SELECT 1; END;
    """

  private func check(_ schema: StoredSchema) throws {
    #expect(schema.tables.map(\.name) == ["owners", "Pets"])
    let owners = try #require(schema.table("OWNERS"))
    #expect(owners.primaryKey == ["id"] && owners.isAutoincrement && !owners.isWithoutRowID && owners.module == nil)
    let name = try #require(owners.column("NAME"))
    #expect(name.type == "VARCHAR(20)" && name.isNotNull && name.defaultValue == "'x'" && name.collation == "NOCASE")
    #expect(name.primaryKeyPosition == nil && owners.column("id")?.primaryKeyPosition == 1)
    let pets = try #require(schema.table("pets"))
    #expect(pets.columns.map(\.name) == ["Kind", "code", "owner", "label"])
    #expect(pets.columns.map(\.primaryKeyPosition) == [2, 1, nil, nil])
    #expect(pets.primaryKey == ["code", "Kind"] && pets.isWithoutRowID && !pets.isStrict)
    let generated = try #require(pets.column("label")?.generated)
    #expect(generated.expression == "upper(kind)" && generated.isStored)
    #expect(pets.uniqueConstraints.map(\.columns) == [["owner", "Kind"]])
    #expect(pets.checks.map(\.name) == ["positive"] && pets.checks.map(\.expression) == ["code > 0"])
    let key = try #require(pets.foreignKeys.first)
    #expect(key.columns == ["owner"] && key.parentTable == "owners" && key.parentColumns == ["id"])
    #expect(key.onDelete == .cascade && key.onUpdate == .noAction && key.isDeferred)
    let index = try #require(pets.indexes.first)
    #expect(index.name == "by_code" && index.isUnique && index.condition == "code > 3")
    #expect(index.terms.map(\.column) == ["code", nil, "label"])
    #expect(index.terms.map(\.expression) == ["code", "lower(kind)", "label"])
    #expect(index.terms.map(\.isDescending) == [true, false, false])
    #expect(index.terms.map(\.collation) == ["BINARY", "BINARY", "rtrim"])
    #expect(schema.view("NAMES")?.columns.map(\.name) == ["n", "one"] && schema.view("broken")?.columns == [])
    #expect(schema.triggers.map(\.timing) == ["AFTER", "INSTEAD OF"])
    #expect(
      schema.triggers.map(\.event) == ["UPDATE", "INSERT"] && schema.triggers.map(\.table) == ["owners", "names"])
    #expect(schema.triggers.map(\.updateColumns) == [["name"], []])
    for sql in schema.tables.map(\.sql) + schema.views.map(\.sql) { #expect(sql.hasPrefix("CREATE")) }
  }

  @Test("an inspector, a session and a reader list everything that the file declares")
  func lists() async throws {
    let file = try TemporaryDatabase(Self.sql)
    try check(try SchemaInspector(at: file.path).storedSchema())
    let toys = ModelSchema { Toy.self }
    let session = try Session(at: file.path, schema: toys)
    #expect(try session.storedSchema().tables.map(\.name) == ["owners", "Pets", "toys"])
    try session.execute("DROP TABLE toys")
    try check(try session.storedSchema())
    let database = try await Database(at: file.path, schema: toys)
    #expect(try await database.read { try $0.storedSchema() }.table("toys")?.columns.count == 2)
  }

  @Test("virtual tables have their module and hidden columns, and their shadow tables are left out")
  func virtual() throws {
    let file = try TemporaryDatabase("CREATE VIRTUAL TABLE search USING fts5 (title, body)")
    let schema = try SchemaInspector(at: file.path).storedSchema()
    #expect(schema.tables.map(\.name) == ["search"])
    let table = try #require(schema.table("search"))
    #expect(table.module == "fts5")
    #expect(table.columns.map(\.isHidden) == [false, false, true, true])
  }
}

import OrderedCollections
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("What could be lost in silence")
struct SilentLossTests {
  @Test("a stored column that becomes a computed one counts the values that the expression does not give")
  func storedToGenerated() throws {
    let database = try TemporaryDatabase("CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 5), (2, 4), (3, NULL);")
    let before = try database.bytes
    let after = "CREATE TABLE t (a, b GENERATED ALWAYS AS (a * 2) VIRTUAL);"
    let plan = try database.plan(to: after)
    #expect(plan.hazards.contains { $0.code == .lossyConversion && $0.column == "b" && $0.count == 2 })
    #expect(throws: PlanError.self) { try database.migrate(to: after) }
    #expect(try database.bytes == before)
    try database.migrate(to: after, allowing: .everything)
    #expect(try database.query("SELECT b FROM t") == [[.int(2)], [.int(4)], [.int(6)]])
  }

  @Test("a unique index that a foreign key needs is not dropped from under it")
  func neededUniqueIndex() throws {
    let database = try TemporaryDatabase(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY, k TEXT); CREATE UNIQUE INDEX pk ON p (k);
      CREATE TABLE c (p TEXT REFERENCES p (k)); INSERT INTO p VALUES (1, 'A'); INSERT INTO c VALUES ('A');
      """)
    let after = "CREATE TABLE p (id INTEGER PRIMARY KEY, k TEXT); CREATE TABLE c (p TEXT REFERENCES p (k));"
    let plan = try database.plan(to: after)
    #expect(plan.refusals(under: .everything).contains { $0.code == .brokenObject })
  }

  @Test("another collating sequence of a parent's key is asked about before it makes orphans", arguments: [1, 300])
  func parentCollation(count: Int) throws {
    let rows = (1...count).map { "INSERT INTO p VALUES (\($0), 'A\($0)'); INSERT INTO c VALUES ('a\($0)');" }.joined()
    let database = try TemporaryDatabase(
      "CREATE TABLE p (id INTEGER PRIMARY KEY, k TEXT COLLATE NOCASE UNIQUE); CREATE TABLE c (p TEXT REFERENCES p (k));"
        + rows)
    let after = "CREATE TABLE p (id INTEGER PRIMARY KEY, k TEXT UNIQUE); CREATE TABLE c (p TEXT REFERENCES p (k));"
    let plan = try database.plan(to: after)
    #expect(plan.hazards.contains { $0.code == .orphans && $0.count == count })
    #expect(throws: PlanError.self) { try database.migrate(to: after, allowing: .everything) }
  }

  @Test("a table that another schema of the file still declares is not dropped")
  func sharedTable() throws {
    struct Pet: Model {
      let id: Int64
      static let table = ModelTable("pets", as: Self.init) { Column("id", \.id).primaryKey() }
    }
    struct Toy: Model {
      let id: Int64
      static let table = ModelTable("toys", as: Self.init) { Column("id", \.id).primaryKey() }
    }
    let database = try TemporaryDatabase()
    _ = try Session(
      at: database.path,
      schema: ModelSchema {
        Pet.self
        Toy.self
      })
    _ = try Session(at: database.path, schema: ModelSchema(name: "toys") { Toy.self })
    try database.exec("INSERT INTO toys VALUES (7)")
    _ = try Session(at: database.path, schema: ModelSchema { Pet.self }) {
      $0.migration = .automatic(.everything)
    }
    #expect(try database.value("SELECT id FROM toys") == .int(7))
  }

  @Test("a table that the declaration removes goes, also from a file that no ledger knows")
  func removedTable() throws {
    struct Pet: Model {
      let id: Int64
      static let table = ModelTable("pets", as: Self.init) { Column("id", \.id).primaryKey() }
    }
    let database = try TemporaryDatabase("CREATE TABLE old (a); INSERT INTO old VALUES (1); CREATE TABLE mine (a);")
    _ = try Session(at: database.path, schema: ModelSchema(removing: ["old"]) { Pet.self })
    let tables = try database.query("SELECT name FROM sqlite_master WHERE name IN ('old', 'mine', 'pets') ORDER BY 1")
    #expect(tables == [[.text("mine")], [.text("pets")]])
  }

  @Test("a full-text index that reads a table by name is not left without it")
  func followedTable() throws {
    let database = try TemporaryDatabase("CREATE TABLE d (b); CREATE VIRTUAL TABLE f USING fts5(b, content='d');")
    let virtual = "CREATE VIRTUAL TABLE f USING fts5(b, content='d');"
    for after in [
      "CREATE TABLE e (b); -- schemakit: renamed from d\n", "CREATE TABLE d (c); -- schemakit: renamed from d\n",
    ] {
      let plan = try database.plan(to: after + virtual)
      #expect(plan.refusals(under: .everything).contains { $0.code == .brokenObject && $0.table == "f" })
    }
  }

  @Test(
    "a table takes the name of a view or an index that goes",
    arguments: ["VIEW v AS SELECT x FROM a", "INDEX v ON b (x)"])
  func nameOfDropped(object: String) throws {
    let database = try TemporaryDatabase(
      "CREATE TABLE a (x); CREATE TABLE b (x); INSERT INTO a VALUES (1); CREATE \(object);")
    try database.migrate(to: "CREATE TABLE v (x); -- schemakit: renamed from a\nCREATE TABLE b (x);")
    #expect(try database.value("SELECT x FROM v") == .int(1))
  }

  @Test("a path of one letter is a path", arguments: ["x", "d/", "."])
  func shortPaths(path: String) { #expect(SQLiteConnection.folder(of: path) == ".") }

  @Test("a renamed column changes no expression of another table, and copies no row of it", arguments: [true, false])
  func expressionsOfOthers(isProtected: Bool) throws {
    let other = "CREATE TABLE u (id INTEGER PRIMARY KEY, n INT, k TEXT AS (typeof(n)) STORED);"
    let file = try TemporaryDatabase("CREATE TABLE t (a, b, c); \(other) INSERT INTO t VALUES (1, 2, 3);")
    try file.exec("INSERT INTO u (id) VALUES (1)")
    let raw = try file.reopened()
    if isProtected { raw.makeDefensive() }
    var target = try TemporaryDatabase.target("CREATE TABLE t (a, d, c); \(other)")
    try target.hints.add(rename: "t.b=t.d")
    let report = try Change(over: raw.lent(), to: target).apply()
    #expect(report.plan.steps.map(\.object.name) == ["t"])
    raw.close()
    #expect(try file.query("SELECT d FROM t") == [[.int(2)]])
    #expect(try file.query("SELECT k FROM u") == [[.text("null")]])
    #expect(try file.query("SELECT sql LIKE '%typeof(n)%' FROM sqlite_master WHERE name = 'u'") == [[.int(1)]])
  }

  @Test("NULLs under NOT NULL, which an edit of the catalog left, are not distinct for a new unique index")
  func nullsUnderNotNull() throws {
    let file = try EditedFile(
      "CREATE TABLE t (a TEXT, b); INSERT INTO t VALUES (NULL, 5), (NULL, 5), ('x', 5)", ["a TEXT": "a TEXT NOT NULL"]
    ).database
    let before = try file.bytes
    let after = "CREATE TABLE t (a TEXT NOT NULL, b); CREATE UNIQUE INDEX i ON t (a, b);"
    #expect(try file.plan(to: after).refusals(under: .everything).map(\.code) == [.duplicates])
    #expect(throws: PlanError.self) { try file.migrate(to: after, allowing: .everything) }
    #expect(try file.bytes == before)
  }

  @Test("a schema that renames a column is what it says, or is refused by a SQLite that changes other tables too")
  func renameInSchema() throws {
    let sql = """
      CREATE TABLE t (a, b, c); CREATE TABLE u (id INTEGER PRIMARY KEY, n INT, k TEXT AS (typeof(n)) STORED, d TEXT);
      ALTER TABLE t RENAME COLUMN b TO d;
      """
    guard !Engine.version.hasPrefix("3.33.") else {
      #expect(throws: SchemaError.self) { try TemporaryDatabase.target(sql) }
      return
    }
    #expect(
      try TemporaryDatabase.target(sql).schema.tables["u"]?.column("k")?.generation?.expression.text == "typeof(n)")
  }
}

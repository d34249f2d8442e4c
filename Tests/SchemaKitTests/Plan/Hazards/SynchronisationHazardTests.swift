import Testing

@testable import SQLiteSchema
@testable import SchemaKit

private struct Card: Model {
  let id: String
  var title: String

  static let table = ModelTable("cards", as: Self.init) {
    Column("id", \.id).primaryKey()
    Column("title", \.title).default("")
  }
}

private struct RenamedCard: Model {
  let id: String
  var heading: String

  static let table = ModelTable("cards", as: Self.init) {
    Column("id", \.id).primaryKey()
    Column("heading", \.heading).default("").renamed(from: "title")
  }
}

@Suite("Hazard SK218: a change that other devices do not follow")
struct SynchronisationHazardTests {
  private let folder: CommandFolder

  init() throws { folder = try CommandFolder() }

  /// The objects of the hazards.
  private func objects(from old: String, to new: String) throws -> [String] {
    let plan = try TemporaryDatabase(old).plan(to: "-- schemakit: rules synchronised\n\(new)")
    return plan.hazards.filter { $0.code == .notSynchronised && $0.hazardClass == .fault }.map(\.object)
  }

  private static let table = "id TEXT PRIMARY KEY, name TEXT, price REAL"

  @Test(
    "what is renamed, dropped or retyped, and what two devices cannot keep, needs consent",
    arguments: [
      ("CREATE TABLE u (\(table)); -- schemakit: renamed from t", ["u"]),
      ("CREATE TABLE v (id TEXT PRIMARY KEY); -- schemakit: removed x", ["t"]),
      ("CREATE TABLE t (id TEXT PRIMARY KEY, title TEXT, -- schemakit: renamed from name\n price REAL);", ["t.title"]),
      ("CREATE TABLE t (id TEXT PRIMARY KEY, name TEXT);", ["t.price"]),
      ("CREATE TABLE t (id TEXT PRIMARY KEY, name TEXT, price INTEGER);", ["t.price"]),
      ("CREATE TABLE t (\(table), UNIQUE (name));", ["t.name"]),
      ("CREATE TABLE t (\(table)); CREATE UNIQUE INDEX i ON t (name, price);", ["t"]),
      ("CREATE TABLE t (\(table), n INTEGER NOT NULL -- schemakit: fill 0\n);", ["t.n"]),
      ("CREATE TABLE t (\(table), p TEXT REFERENCES t (id));", ["t.p"]),
      ("CREATE TABLE t (\(table)); CREATE TABLE u (id INTEGER PRIMARY KEY);", ["u.id"]),
      ("CREATE TABLE t (\(table)); CREATE TABLE u (a TEXT);", ["u"]),
      ("CREATE TABLE t (id TEXT, name TEXT PRIMARY KEY, price REAL);", ["t"]),
      ("CREATE TABLE t (id TEXT, name TEXT, price REAL, PRIMARY KEY (id, name));", ["t"]),
      ("CREATE TABLE t (id TEXT PRIMARY KEY COLLATE NOCASE, name TEXT, price REAL);", ["t"]),
      ("CREATE TABLE t (id TEXT PRIMARY KEY, name TEXT AS (id || '!'), price REAL);", ["t.name"]),
      ("CREATE TABLE t (id TEXT PRIMARY KEY, name TEXT, price);", ["t.price"]),
    ])
  func found(schema: String, expected: [String]) throws {
    let found = try objects(from: "CREATE TABLE t (\(Self.table)); INSERT INTO t VALUES ('a', 'b', 1.5);", to: schema)
    #expect(found == expected)
  }

  @Test("a new column may be NULL or have a default, and what the file has already is no change")
  func passes() throws {
    let old =
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT UNIQUE, b TEXT NOT NULL, p INTEGER REFERENCES t (id)); CREATE UNIQUE INDEX i ON t (b);"
    let new = old.replacing(");", with: ", c TEXT, d INTEGER NOT NULL DEFAULT 0);", maxReplacements: 1)
    #expect(try objects(from: old, to: new) == [])
    #expect(
      try objects(from: "", to: "CREATE TABLE t (id TEXT PRIMARY KEY NOT NULL, a TEXT, b AS (a || 'x') NOT NULL);")
        == [])
    // Other names for the same, and what is computed or the library's own.
    let keyed =
      "CREATE TABLE a (id INTEGER PRIMARY KEY, x TEXT UNIQUE, g INT AS (id * 2)); CREATE TABLE k (id TEXT PRIMARY KEY, a REFERENCES a);"
    let renamed =
      "CREATE TABLE b (-- schemakit: renamed from a\n idd INTEGER PRIMARY KEY, -- schemakit: renamed from id\n x TEXT, g TEXT AS (idd * 2)); "
      + "CREATE UNIQUE INDEX i ON b (x); CREATE TABLE k (id TEXT PRIMARY KEY, a REFERENCES b);"
    #expect(try objects(from: keyed, to: renamed) == ["b", "b.idd"])
    #expect(
      try objects(
        from: "CREATE TABLE a (id TEXT PRIMARY KEY, x, y); CREATE UNIQUE INDEX i ON a (x, y);",
        to: "CREATE TABLE a (id TEXT PRIMARY KEY, x, y, UNIQUE (id, x)); CREATE UNIQUE INDEX i ON a (y);") == ["a.y"])
    // Without the rules nothing is said.
    let plan = try TemporaryDatabase(old).plan(to: "CREATE TABLE u (id INTEGER PRIMARY KEY);")
    #expect(!plan.hazards.contains { $0.code == .notSynchronised })
  }

  @Test(
    "a column without a type is not said to have one",
    arguments: [
      (
        "CREATE TABLE t (id TEXT PRIMARY KEY, a);", "a INTEGER",
        "t.a becomes INTEGER: other devices still send values of any type."
      ),
      (
        "CREATE TABLE t (id TEXT PRIMARY KEY, a INTEGER);", "a",
        "t.a loses its type: other devices still send values as INTEGER, and read them so."
      ),
    ])
  func untyped(old: String, column: String, sentence: String) throws {
    let plan = try TemporaryDatabase(old).plan(
      to: "-- schemakit: rules synchronised\nCREATE TABLE t (id TEXT PRIMARY KEY, \(column));")
    #expect(plan.hazards.filter { $0.code == .notSynchronised }.map(\.message) == [sentence])
  }

  @Test("consent names the object, and the change is applied then")
  func consent() throws {
    let old = "CREATE TABLE t (id TEXT PRIMARY KEY, name TEXT); INSERT INTO t VALUES ('a', 'b');"
    let new = "CREATE TABLE t (id TEXT PRIMARY KEY, name TEXT, n INTEGER NOT NULL -- schemakit: fill 7\n);"
    try folder.database("a.db", old)
    try folder.write("-- schemakit: rules synchronised\n\(new)", to: "s.sql")
    #expect(try CommandRun(["apply", "a.db", "--to", "s.sql", "--yes"], in: folder).status == 3)
    let run = try CommandRun(["apply", "a.db", "--to", "s.sql", "--yes", "--allow", "SK218:t.n"], in: folder)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(try CommandRun(["check", "a.db", "--to", "s.sql"], in: folder).status == 0)
    // The way back is not held up.
    #expect(try CommandRun(["undo", "a.db", "--yes", "--allow", "destructive"], in: folder).status == 0)
  }

  @Test("a saved plan keeps the rules")
  func savedPlan() throws {
    try folder.database("a.db", "CREATE TABLE t (id TEXT PRIMARY KEY, name TEXT);")
    try folder.write("-- schemakit: rules synchronised\nCREATE TABLE t (id TEXT PRIMARY KEY);", to: "s.sql")
    let plan = try CommandRun(["plan", "a.db", "--to", "s.sql", "--out", "p.json"], in: folder)
    #expect(plan.output.contains("SK218"), "\(plan.output)\(plan.errors)")
    let run = try CommandRun(["apply", "a.db", "--plan", "p.json", "--yes"], in: folder)
    #expect(run.status == 3 && (run.output + run.errors).contains("SK218"), "\(run.output)\(run.errors)")
  }

  @Test("models say so in their schema, and a program that renames a column does not open the file")
  func models() throws {
    let file = try TemporaryDatabase()
    let first = ModelSchema(rules: .synchronised) { Card.self }
    try Session(at: file.path, schema: first).save(Card(id: "a", title: "b"))
    let second = ModelSchema(rules: .synchronised) { RenamedCard.self }
    let error = #expect(throws: PlanError.self) { try Session(at: file.path, schema: second) }
    #expect(String(describing: error).contains("SK218"))
    #expect(try file.value("SELECT title FROM cards") == .text("b"))
    let policy = PlanPolicy(allowing: [.init(.code(.notSynchronised))])
    let session = try Session(at: file.path, schema: second) { $0.migration = .automatic(policy) }
    #expect(try session.all(RenamedCard.self).map(\.heading) == ["b"])
  }

  @Test("tables of the library's own are not replicated")
  func ownTables() throws {
    let rules = "-- schemakit: rules synchronised\n"
    try folder.database("e.db", "CREATE TABLE a (id TEXT PRIMARY KEY NOT NULL, y TEXT);")
    try folder.write("\(rules)CREATE TABLE a (id TEXT PRIMARY KEY NOT NULL, z TEXT);", to: "s.sql")
    for phase in ["--expand", "--contract"] {
      let run = try folder.run(
        "apply", "e.db", "--to", "s.sql", phase, "--rename", "a.y=a.z", "--yes", "--no-backup", "--allow", "SK218:a")
      #expect(run.status == 0, "\(run.output)\(run.errors)")
    }
    #expect(try folder.rows(of: "e.db", "SELECT name FROM pragma_table_info('a')") == [[.text("id")], [.text("z")]])
  }

  @Test("a misspelt rule is an error")
  func misspelt() throws {
    try folder.write("-- schemakit: rules synced\nCREATE TABLE t (a);", to: "s.sql")
    let run = try folder.run("lint", "s.sql")
    #expect(run.status == 1 && run.errors.contains("no rules are called \"synced\"; write synchronised"))
    #expect(try folder.run("lint", "s.sql", "--rules", "synced").errors.contains("--rules synced is not understood"))
  }
}

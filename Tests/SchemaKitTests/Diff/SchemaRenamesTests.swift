import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("SchemaRenames")
struct SchemaRenamesTests {
  private func resolve(_ old: String, _ new: String) throws -> SchemaRenames {
    let target = try TemporaryDatabase.target(new)
    return try SchemaRenames.resolve(from: try SchemaText.schema(old), to: target.schema, hints: target.hints)
  }

  private func steps(_ renames: [OrderedRename]) -> [String] { renames.map { "\($0.old)>\($0.new)" } }

  @Test("equal schemas have none")
  func none() throws {
    #expect(try resolve("CREATE TABLE t (a)", "CREATE TABLE t (a)").isEmpty)
  }

  @Test("a renamed table takes its renamed columns along")
  func tableAndColumns() throws {
    let renames = try resolve(
      "CREATE TABLE t (a, b)",
      "CREATE TABLE u ( -- schemakit: renamed from t\nx, -- schemakit: renamed from a\nb)")
    #expect(steps(renames.tables) == ["t>u"])
    #expect(renames.columns.map(\.table) == ["u"])
    #expect(renames.columns.flatMap { steps($0.renames) } == ["a>x"])
    #expect(renames.formerTable("u") == "t")
    #expect(renames.formerColumn("x", of: "u") == "a")
    #expect(renames.formerColumn("b", of: "u") == "b")
  }

  @Test("another case needs no hint, in tables and columns")
  func caseOnly() throws {
    let renames = try resolve("CREATE TABLE note (title)", "CREATE TABLE Note (Title)")
    #expect(steps(renames.tables) == ["note>_schemakit_rename_1", "_schemakit_rename_1>Note"])
    #expect(renames.columns.flatMap { steps($0.renames) } == ["title>Title"])
  }

  @Test("columns that change places are seen by their definitions")
  func columnExchange() throws {
    let new = "CREATE TABLE t (\na TEXT, -- schemakit: renamed from b\nb INT -- schemakit: renamed from a\n)"
    #expect(try resolve("CREATE TABLE t (a INT, b TEXT)", new).columns.flatMap { steps($0.renames) }.count == 3)
    #expect(try resolve("CREATE TABLE t (a TEXT, b INT)", new).isEmpty)
    #expect(throws: AmbiguousRename(names: ["a", "b"], table: "t")) {
      try resolve("CREATE TABLE t (a REAL, b REAL)", new)
    }
  }

  @Test("tables that change places are seen by their definitions")
  func tableExchange() throws {
    let new = """
      CREATE TABLE a ( -- schemakit: renamed from b
        y);
      CREATE TABLE b ( -- schemakit: renamed from a
        x);
      """
    #expect(try resolve("CREATE TABLE a (x); CREATE TABLE b (y)", new).formerTables == ["a": "b", "b": "a"])
    #expect(try resolve("CREATE TABLE a (y); CREATE TABLE b (x)", new).isEmpty)
    #expect(throws: AmbiguousRename(names: ["a", "b"], table: nil)) {
      try resolve("CREATE TABLE a (z); CREATE TABLE b (z)", new)
    }
  }

  @Test("tables that change places are seen by their definitions, with foreign keys to themselves and to each other")
  func exchangeWithForeignKeys() throws {
    let database = try TemporaryDatabase(
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY, p REFERENCES a, q REFERENCES b, v TEXT NOT NULL);
      CREATE TABLE b (id INTEGER PRIMARY KEY, p REFERENCES b, q REFERENCES a, v TEXT);
      INSERT INTO a VALUES (1, NULL, NULL, 'from a'), (2, 1, 1, 'from a');
      INSERT INTO b VALUES (1, NULL, NULL, 'from b'), (3, 1, 2, 'from b');
      """)
    let new = """
      CREATE TABLE b ( -- schemakit: renamed from a
        id INTEGER PRIMARY KEY, p REFERENCES b, q REFERENCES a, v TEXT NOT NULL);
      CREATE TABLE a ( -- schemakit: renamed from b
        id INTEGER PRIMARY KEY, p REFERENCES a, q REFERENCES b, v TEXT);
      """
    try database.migrate(to: new)
    #expect(try database.query("SELECT id, v FROM a") == [[.int(1), .text("from b")], [.int(3), .text("from b")]])
    #expect(try database.query("SELECT id, v FROM b") == [[.int(1), .text("from a")], [.int(2), .text("from a")]])
    #expect(try database.query("PRAGMA foreign_key_check").isEmpty)
    #expect(try database.migrate(to: new).outcome == .unchanged)
  }

  @Test("an exchange counts the new names of parents that are renamed with it")
  func exchangeBesideRenamedParent() throws {
    let new = """
      CREATE TABLE people ( -- schemakit: renamed from person
        id INTEGER PRIMARY KEY);
      CREATE TABLE a ( -- schemakit: renamed from b
        p REFERENCES people, y);
      CREATE TABLE b ( -- schemakit: renamed from a
        p REFERENCES people, x);
      """
    let old = "CREATE TABLE person (id INTEGER PRIMARY KEY);"
    #expect(
      try resolve(old + "CREATE TABLE a (p REFERENCES person, x); CREATE TABLE b (p REFERENCES person, y)", new)
        .formerTables == ["people": "person", "a": "b", "b": "a"])
  }

  @Test("an exchange that is declared and not carried out is said, also where nothing else is to be done")
  func declinedExchange() throws {
    let database = try TemporaryDatabase("CREATE TABLE t (lat REAL, lon TEXT); INSERT INTO t VALUES (1.5, 'x')")
    let new = """
      CREATE TABLE t (
        lat REAL, -- schemakit: renamed from lon
        lon TEXT -- schemakit: renamed from lat
      );
      """
    let plan = try database.plan(to: new)
    #expect(plan.isEmpty)
    #expect(plan.hazards.map(\.code) == [.unusedHint])
    #expect(plan.hazards.first?.object == "t.lat")
    let larger = new + "CREATE TABLE u (a);"
    #expect(try database.plan(to: larger).hazards.map(\.code) == [.unusedHint])
    try database.migrate(to: larger)
    #expect(try database.query("SELECT lat, lon FROM t") == [[.real(1.5), .text("x")]])
    // From now on the ledger knows that the names mean what they say.
    #expect(try database.plan(to: larger).hazards.isEmpty)
  }

  @Test("the rows follow an exchange of tables and columns, once")
  func exchangedRows() throws {
    let database = try TemporaryDatabase(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a INT, b TEXT); INSERT INTO t VALUES (1, 5, 'x')")
    let new = """
      CREATE TABLE t (id INTEGER PRIMARY KEY,
        a TEXT, -- schemakit: renamed from b
        b INT -- schemakit: renamed from a
      );
      """
    try database.migrate(to: new)
    #expect(try database.query("SELECT a, b FROM t") == [[.text("x"), .int(5)]])
    #expect(try database.migrate(to: new).outcome == .unchanged)
    #expect(try database.query("SELECT a, b FROM t") == [[.text("x"), .int(5)]])
  }

  @Test("a chain of columns keeps every row's values with their names")
  func chainedRows() throws {
    let database = try TemporaryDatabase("CREATE TABLE t (a, b, c); INSERT INTO t VALUES (1, 2, 3)")
    try database.migrate(
      to: """
        CREATE TABLE t (
          b, -- schemakit: renamed from a
          c, -- schemakit: renamed from b
          d -- schemakit: renamed from c
        );
        """)
    #expect(try database.query("SELECT b, c, d FROM t") == [[.int(1), .int(2), .int(3)]])
  }

  @Test("a table is renamed before a new one takes its name, and only once")
  func nameReused() throws {
    let database = try TemporaryDatabase("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    let new = "CREATE TABLE archive ( -- schemakit: renamed from t\na);\nCREATE TABLE t (b);"
    try database.migrate(to: new)
    #expect(try database.query("SELECT a FROM archive") == [[.int(1)]])
    #expect(try database.query("SELECT b FROM t").isEmpty)
    try database.exec("INSERT INTO t VALUES (2)")
    #expect(try database.migrate(to: new).outcome == .unchanged)
    #expect(try database.query("SELECT b FROM t") == [[.int(2)]])
  }

  @Test("an ambiguous exchange stops the plan and leaves the file")
  func ambiguousPlan() throws {
    let database = try TemporaryDatabase("CREATE TABLE t (a, b)")
    #expect {
      try database.plan(to: "CREATE TABLE t (\na, -- schemakit: renamed from b\nb -- schemakit: renamed from a\n);")
    } throws: {
      "\($0)".contains("a and b") || "\($0)".contains("b and a")
    }
  }
}

import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("SchemaReader")
struct SchemaReaderTests {
  private func read(_ sql: String) throws -> DatabaseSchema {
    let database = try TemporaryDatabase(sql)
    return try SchemaReader.read(try database.connection())
  }

  @Test(
    "odd tables are read whole",
    arguments: [
      ("CREATE TABLE \"a \"\"b\" (\"c.d\" TEXT, [e] INT)", "a \"b"),
      ("CREATE TABLE \"select\" (\"table\" INT PRIMARY KEY, \"from\" REFERENCES \"select\")", "select"),
      ("CREATE TABLE t ('x' INT, `y` INT)", "t"), ("CREATE TABLE t AS SELECT 1 AS a, 'x' AS \"b c\"", "t"),
      ("CREATE TABLE ü (ä, Ä)", "ü"), ("CREATE TABLE t (a -- , b\n, /* ( */ c)", "t"),
      ("CREATE TABLE t (a LONG VARCHAR (1, -2) NOT NULL, b \"odd type\", c UNSIGNED BIG INT)", "t"),
      ("CREATE TABLE t (a DEFAULT -1, b DEFAULT +1.5e3, c DEFAULT x'00', d DEFAULT word, e DEFAULT \"q\")", "t"),
      ("CREATE TABLE t (a INT, b INT, c INT, PRIMARY KEY (c, a)) WITHOUT ROWID, STRICT", "t"),
      ("CREATE TABLE t (a INT, g GENERATED ALWAYS AS (a) STORED, h AS (g) UNIQUE)", "t"),
    ])
  func oddTables(sql: String, name: String) throws {
    try Engine.require(sql)
    let schema = try read(sql)
    let table = try #require(schema.table(SQLName(name)))
    let database = try RawSQLite()
    try database.exec(sql)
    let columns = try database.rows("SELECT name FROM pragma_table_xinfo('\(name)')").compactMap { $0[0].string }
    #expect(table.columns.map(\.name.text) == columns)
  }

  @Test("a schema that another program changes meanwhile is read as it was", arguments: 1...12)
  func oneState(statement: Int) throws {
    let file = try TemporaryDatabase("CREATE TABLE t (a INT, b INT); CREATE TABLE u (c INT); PRAGMA journal_mode = WAL")
    let before = try SchemaReader.read(file.connection())
    let connection = NotingConnection(try file.connection())
    connection.onStatement = { [unowned connection] _ in
      guard connection.statements.count == statement else { return }
      try file.exec("CREATE INDEX i ON t (a); ALTER TABLE u ADD COLUMN d INT; CREATE TABLE w (e INT)")
    }
    let read = try SchemaReader.read(connection)
    let after = try SchemaReader.read(file.connection())
    #expect(read == before || read == after)
    #expect(!connection.isInTransaction)
  }

  @Test("a read of what it wrote is the same schema")
  func roundTrip() throws {
    let sql = """
      CREATE TABLE t (a INTEGER PRIMARY KEY AUTOINCREMENT, b TEXT COLLATE NOCASE CHECK (b <> ''), c AS (a + 1));
      CREATE UNIQUE INDEX i ON t (b DESC, lower(b)) WHERE a > 1;
      CREATE VIEW v (x) AS SELECT b FROM t;
      CREATE TRIGGER g INSTEAD OF UPDATE OF x ON v WHEN new.x > 0 BEGIN UPDATE t SET b = new.x; END;
      """
    let schema = try read(sql)
    let again = try read(schema.creationStatements.map { $0 + ";" }.joined())
    #expect(SchemaDiff(from: schema, to: again).isEmpty)
    #expect(schema.objectCount == 4)
    #expect(schema.systemTables == ["sqlite_sequence"])
    #expect(schema.triggers(on: "v").first?.updateColumns == ["x"])
  }

  @Test("SchemaKit's own tables, and what TEMP and attached databases hold, are no part of it")
  func notMain() throws {
    let connection = try SQLiteConnection.memory()
    try connection.execute(
      """
      CREATE TABLE t (a); CREATE TABLE _schemakit_x (b); CREATE INDEX _own ON _schemakit_x (b);
      CREATE TEMP TABLE t (other); CREATE TEMP TABLE u (c); ATTACH ':memory:' AS side; CREATE TABLE side.w (d);
      """)
    let schema = try SchemaReader.read(connection)
    #expect(schema.tables.map(\.key.text) == ["t"])
    #expect(schema.table("t")?.columns.map(\.name) == ["a"])
    #expect(schema.ownTables == ["_schemakit_x"])
    #expect(schema.indexes(on: "_schemakit_x").isEmpty)
  }

  @Test("shadow tables are hidden and named as such")
  func shadowTables() throws {
    let connection = try SQLiteConnection.memory()
    guard try CatalogReader(connection: connection).modules().contains("fts5") else { return }
    try connection.execute("CREATE VIRTUAL TABLE f USING fts5(body); CREATE TABLE f_mine (a)")
    let schema = try SchemaReader.read(connection)
    #expect(schema.tables.map(\.key.text) == ["f_mine"])
    #expect(schema.shadowTables.contains("f_data"))
    let table = try #require(schema.virtualTables.first { $0.key == "f" }?.value)
    #expect(table.isModuleLoaded)
    #expect(table.arguments == ["body"])
  }

  /// A file with a virtual table whose module no process has.
  private func withoutModule() throws -> TemporaryDatabase {
    let database = try TemporaryDatabase("CREATE TABLE ghost_data (a); CREATE TABLE t (b); INSERT INTO t VALUES (1)")
    try database.exec(
      """
      PRAGMA writable_schema = ON;
      INSERT INTO sqlite_master (type, name, tbl_name, rootpage, sql)
      VALUES ('table', 'ghost', 'ghost', 0, 'CREATE VIRTUAL TABLE ghost USING nowhere(x, y)');
      """)
    return database
  }

  @Test("a virtual table whose module is not loaded is read by its text, and its neighbours count as shadows")
  func missingModule() throws {
    let schema = try SchemaReader.read(try withoutModule().connection())
    #expect(schema.tables.map(\.key.text) == ["t"])
    #expect(schema.shadowTables == ["ghost_data"])
    let table = try #require(schema.virtualTables.first { $0.key == "ghost" }?.value)
    #expect(!table.isModuleLoaded)
    #expect(table.module == "nowhere")
    #expect(table.arguments == ["x", "y"])
  }

  @Test("such a table is carried through other changes, and changing it is blocked by name")
  func missingModuleMigrates() throws {
    let database = try withoutModule()
    let ghost = "CREATE VIRTUAL TABLE ghost USING nowhere(x, y);"
    #expect(throws: SchemaError.self) { try TemporaryDatabase.target("CREATE TABLE t (b);" + ghost) }
    let hazards = try database.plan(to: "CREATE TABLE t (b);").hazards
    #expect(hazards.map(\.code) == [.unsupportedEngine])
    #expect(hazards.first?.message.contains("nowhere") == true)
    var target = try TemporaryDatabase.target("CREATE TABLE t (b NOT NULL);")
    target.ownsWholeFile = false
    let report = try Change(over: try database.connection(), to: target, ChangeRequest(allowing: .copying)).apply()
    #expect(report.plan.steps.map(\.strategy) == [.rebuild])
    #expect(try database.sql(of: "ghost") != nil)
    #expect(try database.value("SELECT count(*) FROM t") == .int(1))
  }

  @Test("a stored statement that says other than SQLite's pragmas is an error, not half-read")
  func unreadable() throws {
    let connection = try SQLiteConnection.memory()
    try connection.execute("CREATE TABLE t (a INT, b TEXT)")
    try connection.execute("PRAGMA writable_schema = ON")
    // The catalog's text moves on; what this connection has parsed does not.
    try connection.run("UPDATE sqlite_master SET sql = 'CREATE TABLE t (a INT, c TEXT)' WHERE name = 't'")
    #expect {
      try SchemaReader.read(connection)
    } throws: {
      guard case .disagreement(let object, _)? = ($0 as? IntrospectionError)?.reason else { return false }
      return object == "table t" && "\($0)".contains("Nothing was changed")
    }
    try connection.run("UPDATE sqlite_master SET sql = 'CREATE TABLE t (a INT' WHERE name = 't'")
    #expect {
      try SchemaReader.read(connection)
    } throws: {
      guard case .unreadableStatement(let object, _)? = ($0 as? IntrospectionError)?.reason else { return false }
      return object == "table t"
    }
  }

  @Test(
    "NOT NULL, types, keys and generated columns are each held against the pragmas",
    arguments: [
      "CREATE TABLE t (a INT NOT NULL, b TEXT)", "CREATE TABLE t (a TEXT, b TEXT)",
      "CREATE TABLE t (a INT PRIMARY KEY, b TEXT)",
      "CREATE TABLE t (a INT, b TEXT AS (a))", "CREATE TABLE t (b TEXT, a INT)", "CREATE TABLE t (a INT)",
      "CREATE TABLE t (a INT, b TEXT REFERENCES t)",
    ])
  func disagreements(text: String) throws {
    let connection = try SQLiteConnection.memory()
    try connection.execute("CREATE TABLE t (a INT, b TEXT)")
    try connection.execute("PRAGMA writable_schema = ON")
    try connection.run("UPDATE sqlite_master SET sql = ?1 WHERE name = 't'", [.text(text)])
    #expect(throws: IntrospectionError.self) { try SchemaReader.read(connection) }
  }
}

import Testing

@testable import SQLiteSchema
@testable import SchemaKit

// P48-P53, P67: spelling that must make no difference, and letters that must.
@Suite("Pitfalls: spelling and names")
struct NormalisationPitfallTests {
  @Test("P49: every schema of the corpus is equal to itself, made by SQLite or by us")
  func corpusIsStable() throws {
    #expect(SchemaCorpus.all.count > 110)
    for sql in SchemaCorpus.all where Engine.reads(sql) {
      do {
        let made = try TemporaryDatabase(sql)
        #expect(try made.plan(to: sql).summaryLines == [], "\(sql)")
        let migrated = try TemporaryDatabase()
        try migrated.migrate(to: sql)
        #expect(try migrated.plan(to: sql).summaryLines == [], "\(sql)")
        #expect(try migrated.migrate(to: sql).outcome == .unchanged, "\(sql)")
        #expect(try migrated.plan(to: made.catalogScript()).summaryLines == [], "\(sql)")
      } catch { Issue.record("\(sql): \(error)") }
    }
  }

  @Test("P49: the way from each schema of the corpus to the next ends with nothing left to do")
  func corpusNeighbours() throws {
    let corpus = SchemaCorpus.all.filter(Engine.reads)
    let pairs = zip(corpus, corpus.dropFirst()).map { ($0, $1) } + zip(corpus, corpus.dropFirst(7)).map { ($1, $0) }
    for (before, after) in pairs {
      do {
        let database = try TemporaryDatabase(before)
        try database.migrate(to: after, allowing: .everything)
        #expect(try database.plan(to: after).summaryLines == [], "\(before)\n→ \(after)")
        #expect(try database.query("PRAGMA integrity_check") == [[.text("ok")]])
      } catch { Issue.record("\(before)\n→ \(after): \(error)") }
    }
  }

  @Test("P49: two spellings of one thing are no difference, in either direction", arguments: SchemaCorpus.equalPairs)
  func equalSpellings(left: String, right: String) throws {
    #expect(try TemporaryDatabase(left).plan(to: right).summaryLines == [])
    #expect(try TemporaryDatabase(right).plan(to: left).summaryLines == [])
  }

  @Test(
    "P49: two things that look alike are a difference",
    arguments: [
      ("CREATE TABLE t (a INT DEFAULT 'CURRENT_TIMESTAMP')", "CREATE TABLE t (a INT DEFAULT CURRENT_TIMESTAMP)"),
      ("CREATE TABLE t (a DEFAULT '0')", "CREATE TABLE t (a DEFAULT 0)"),
      ("CREATE TABLE t (a DEFAULT 'x')", "CREATE TABLE t (a DEFAULT 'X')"),
      ("CREATE TABLE t (a CHECK (a <> 'x y'))", "CREATE TABLE t (a CHECK (a <> 'x  y'))"),
      ("CREATE TABLE t (a COLLATE NOCASE)", "CREATE TABLE t (a)"),
      ("CREATE TABLE t (a DEFAULT x'61')", "CREATE TABLE t (a DEFAULT 'a')"),
      ("CREATE TABLE t (a UNIQUE)", "CREATE TABLE t (a UNIQUE ON CONFLICT IGNORE)"),
      ("CREATE TABLE t (a CHECK (a - (1 - 2) > 0))", "CREATE TABLE t (a CHECK (a - 1 - 2 > 0))"),
    ])
  func unequalSpellings(left: String, right: String) throws {
    #expect(try !TemporaryDatabase(left).plan(to: right).isEmpty)
    let database = try TemporaryDatabase(left + "; INSERT INTO t VALUES (NULL);")
    try database.migrate(to: right, allowing: .everything)
    try database.expectSettled(at: right)
  }

  @Test("P48: a database made at once equals one migrated from every earlier version", arguments: [0, 3])
  func madeOrMigrated(count: Int) throws {
    let versions = [
      "CREATE TABLE n (id INTEGER PRIMARY KEY, text TEXT); CREATE INDEX n_t ON n (text);",
      """
      CREATE TABLE n (id INTEGER PRIMARY KEY, body TEXT NOT NULL DEFAULT '' -- schemakit: renamed from text
      );
      CREATE INDEX n_t ON n (body); CREATE VIEW v AS SELECT body FROM n;
      """,
      """
      CREATE TABLE note ( -- schemakit: renamed from n
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        body TEXT NOT NULL DEFAULT '' CHECK (body <> 'x'), -- schemakit: renamed from text
        size INT AS (length(body)));
      CREATE INDEX n_t ON note (body DESC); CREATE VIEW v AS SELECT body, size FROM note;
      CREATE TRIGGER r AFTER INSERT ON note BEGIN UPDATE note SET body = trim(body) WHERE id = new.id; END;
      """,
    ]
    let fresh = try TemporaryDatabase()
    try fresh.migrate(to: versions[2])
    let wanted = try SchemaReader.read(fresh.connection())
    for start in 0...2 {
      let database = try TemporaryDatabase(
        versions[start] + (start == 0 ? rows(count) { "INSERT INTO n VALUES (\($0), 'b')" } : ""))
      for version in versions[start...] { try database.migrate(to: version) }
      let found = try SchemaReader.read(database.connection())
      #expect(Fingerprint.of(found) == Fingerprint.of(wanted))
      #expect(SchemaDiff(from: found, to: wanted).isEmpty)
      for pragma in ["table_xinfo('note')", "index_xinfo('n_t')", "table_xinfo('v')"] {
        #expect(try database.query("SELECT * FROM pragma_\(pragma)") == fresh.query("SELECT * FROM pragma_\(pragma)"))
      }
      if start == 0 { #expect(try database.query("SELECT size FROM note").count == count) }
    }
  }

  @Test("P50: the SQL that SQLite rewrites in a native rename is not a difference afterwards", arguments: [0, 3])
  func rewrittenText(count: Int) throws {
    func schema(_ table: String, _ column: String, hint: (String, String) = ("", "")) -> String {
      """
      CREATE TABLE \(table) ( \(hint.0)
      a INT, \(column) TEXT \(hint.1)
      , CHECK (\(column) <> "lit"));
      CREATE INDEX i ON \(table) (\(column)) WHERE \(column) <> 'x';
      CREATE VIEW v AS SELECT x.\(column), "dq" AS q FROM \(table) AS x JOIN \(table) USING (a);
      CREATE TRIGGER r AFTER UPDATE OF \(column) ON \(table) BEGIN
        UPDATE \(table) SET a = 1 WHERE \(column) = new.\(column); END;
      """
    }
    let database = try TemporaryDatabase(schema("t", "b") + rows(count) { "INSERT INTO t VALUES (\($0), 'b\($0)')" })
    let after = schema("u", "c", hint: ("-- schemakit: renamed from t", "-- schemakit: renamed from b"))
    let report = try database.migrate(to: after)
    #expect(!report.plan.steps.contains { $0.strategy.copiesRows }, "\(report.plan.summaryLines)")
    try database.expectSettled(at: after)
    #expect(try database.query("SELECT c, q FROM v").count == count)
  }

  @Test("P51: tabs, comments, every quoting and odd names go through a whole migration", arguments: [0, 3])
  func oddSpelling(count: Int) throws {
    func schema(_ extra: String) -> String {
      "CREATE\tTABLE `my \t table`(\n\t`a,b`\tINT\t,-- c1, `x` INT\n"
        + "[c)d] TEXT/* , e INT */DEFAULT 'x,y', \"f\"\"g\" TEXT\(extra),'h''i' INT\n)\n;"
        + "CREATE INDEX [i \"1\"] ON `my \t table` ( [c)d] /* ) */ , `a,b` ) ;"
    }
    let database = try TemporaryDatabase(
      schema("") + rows(count) { "INSERT INTO \"my \t table\" VALUES (\($0), 'c', 'f', 9)" })
    let names = try database.query("SELECT name, type, dflt_value FROM pragma_table_info('my \t table')")
    try database.rebuild("my \t table", to: schema(" NOT NULL /* , z */ DEFAULT ''"))
    let after = try database.query("SELECT name, type, dflt_value FROM pragma_table_info('my \t table')")
    #expect(after.map { $0.prefix(2) } == names.map { $0.prefix(2) } && after.count == 4)
    #expect(
      try database.query("SELECT * FROM \"my \t table\"")
        == table(count) { [.int($0), .text("c"), .text("f"), .int(9)] })
  }

  @Test("P52: names fold in ASCII only", arguments: [0, 3])
  func asciiFolding(count: Int) throws {
    let sql =
      """
      CREATE TABLE t ("straße" INT, STRASSE INT, "É" INT, "é" INT, "ı" INT, i INT);
      CREATE TABLE "ß" (a); CREATE TABLE SS (a); CREATE TABLE ss2 (a);
      """
    let database = try TemporaryDatabase(sql + rows(count) { "INSERT INTO t VALUES (\($0), 2, 3, 4, 5, 6)" })
    #expect(try database.plan(to: sql).isEmpty)
    let after = sql.replacing("\"straße\" INT", with: "\"straße\" INT CHECK (\"straße\" < 100)")
    try database.rebuild("t", to: after)
    #expect(try database.query("SELECT \"straße\", i FROM t") == table(count) { [.int($0), .int(6)] })
    // É is not é: without a hint that is another column.
    let other = "CREATE TABLE t (\"ä\" INT);"
    let umlaut = try TemporaryDatabase("CREATE TABLE t (\"Ä\" INT); INSERT INTO t VALUES (1);")
    #expect(try umlaut.refusals(to: other).contains { $0.code == .droppedColumn })
  }

  @Test("P52: a name in other letters is the same column, never a missing one", arguments: [0, 3])
  func caseInsensitive(count: Int) throws {
    let database = try TemporaryDatabase(
      "CREATE TABLE T (Name TEXT, VALUE INT);" + rows(count) { "INSERT INTO t VALUES ('n', \($0))" })
    let after = "CREATE TABLE t (name TEXT CHECK (NAME <> ''), value INT, UNIQUE (Value));"
    try database.migrate(to: after)
    #expect(try database.query("SELECT name, value FROM t ORDER BY value") == table(count) { [.text("n"), .int($0)] })
    try database.expectSettled(at: after)
  }

  @Test("P53: tables and columns change their letters in both directions, with everything on them", arguments: [0, 3])
  func caseOnlyRenames(count: Int) throws {
    func schema(_ table: String, _ column: String) -> String {
      """
      CREATE TABLE \(table) (\(column) INT, b TEXT, UNIQUE (\(column)));
      CREATE INDEX i ON \(table) (\(column)); CREATE VIEW v AS SELECT \(column) FROM \(table);
      CREATE TABLE log (x); CREATE TRIGGER r AFTER INSERT ON \(table) BEGIN INSERT INTO log VALUES (new.\(column)); END;
      CREATE TABLE kid (p INT REFERENCES \(table) (\(column)));
      """
    }
    let database = try TemporaryDatabase(
      schema("Note", "Title") + rows(count) { "INSERT INTO Note VALUES (\($0), 'b')" } + "DELETE FROM log;")
    for (table, column) in [("note", "Title"), ("note", "title"), ("NOTE", "TITLE"), ("Note", "Title")] {
      let after = schema(table, column)
      try database.migrate(to: after, allowing: PlanPolicy(allowsDowngrade: true))
      #expect(
        try database.query("SELECT name FROM sqlite_master WHERE name = 'note' COLLATE NOCASE") == [[.text(table)]])
      #expect(try database.query("SELECT name FROM pragma_table_info('note')")[0] == [.text(column)])
      #expect(try database.query("SELECT * FROM v").count == count)
      try database.expectSettled(at: after)
    }
    try database.exec("INSERT INTO note VALUES (77, 'x')")
    #expect(try database.query("SELECT x FROM log") == [[.int(77)]])
  }

  @Test(
    "P67: ANALYZE and VACUUM move the schema cookie, and nothing is to be done",
    arguments: ["ANALYZE", "VACUUM", "CREATE TABLE zz (a); DROP TABLE zz"])
  func movedCookie(command: String) throws {
    let sql = "CREATE TABLE t (a INT); CREATE INDEX i ON t (a);"
    let database = try TemporaryDatabase()
    try database.migrate(to: sql)
    try database.exec("INSERT INTO t VALUES (1), (2)")
    let before = try database.value("PRAGMA schema_version")
    try database.exec(command)
    #expect(try database.value("PRAGMA schema_version") != before)
    #expect(try database.plan(to: sql).isEmpty)
    let bytes = try database.bytes
    #expect(try database.migrate(to: sql).plan.isEmpty)
    #expect(try database.bytes != bytes, "the ledger was not refreshed")
    #expect(try database.value("SELECT cookie FROM _schemakit_schemas") == database.value("PRAGMA schema_version"))
    #expect(try database.migrate(to: sql).outcome == .unchanged)
    #expect(try database.value("SELECT count(*) FROM _schemakit_history") == .int(1))
  }
}

extension TemporaryDatabase {
  /// The stored SQL as a script, as `.schema` prints it.
  fileprivate func catalogScript() throws -> String {
    let order = "CASE type WHEN 'table' THEN 0 WHEN 'index' THEN 1 WHEN 'view' THEN 2 ELSE 3 END, rowid"
    return try query("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY \(order)")
      .compactMap { $0[0].string?.replacing("CREATE TABLE '", with: "CREATE TABLE IF NOT EXISTS '") }
      .joined(separator: "\n;\n")
  }
}

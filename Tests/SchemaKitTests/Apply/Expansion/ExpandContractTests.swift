import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Two versions of a program on one file")
struct ExpandContractTests {
  static let older = """
    CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT NOT NULL, fax TEXT, town TEXT DEFAULT 'Rome');
    CREATE INDEX people_name ON people (name);
    CREATE TABLE logs (id INTEGER PRIMARY KEY, line TEXT);
    INSERT INTO people VALUES (1, 'Ada', '12', 'Rome'), (2, 'Ben', NULL, NULL);
    """
  static let newer = """
    CREATE TABLE people (
      id INTEGER PRIMARY KEY,
      full_name TEXT NOT NULL, -- schemakit: renamed from name
      city TEXT DEFAULT 'Rome', -- schemakit: renamed from town
      initial TEXT NOT NULL, -- schemakit: fill substr(full_name, 1, 1)
      email TEXT
    );
    CREATE INDEX people_name ON people (full_name);
    CREATE TABLE teams (id INTEGER PRIMARY KEY);
    """

  private func expanded() throws -> TemporaryDatabase {
    let database = try TemporaryDatabase(Self.older)
    let report = try database.migrate(to: Self.newer) { $0.phase = .expand }
    #expect(report.outcome == .applied)
    return database
  }

  private func contract(
    _ database: TemporaryDatabase, quietFor seconds: Int? = nil, allowing policy: PlanPolicy = .destructive
  ) throws -> ApplyReport {
    try database.migrate(to: Self.newer, allowing: policy) { $0.phase = .contract(quietFor: seconds) }
  }

  @Test("both programs read and write their own names, and each sees what the other wrote")
  func bothNames() throws {
    let database = try expanded()
    try database.exec(
      """
      INSERT INTO people (name, fax, town) VALUES ('Cleo', '34', 'Bonn');
      INSERT INTO people (full_name, city, initial, email) VALUES ('Dan', 'Oslo', 'X', 'd@x');
      UPDATE people SET name = 'Benno' WHERE id = 2;
      UPDATE people SET full_name = 'Adele', city = NULL WHERE id = 1;
      INSERT INTO people (id, name) VALUES (9, 'Eve');
      """)
    #expect(
      try database.query("SELECT id, full_name, city, initial FROM people ORDER BY id") == [
        [.int(1), .text("Adele"), .null, .text("A")], [.int(2), .text("Benno"), .null, .text("B")],
        [.int(3), .text("Cleo"), .text("Bonn"), .text("C")], [.int(4), .text("Dan"), .text("Oslo"), .text("X")],
        [.int(9), .text("Eve"), .text("Rome"), .text("E")],
      ])
    #expect(
      try database.query("SELECT id, name, fax, town FROM people ORDER BY id") == [
        [.int(1), .text("Adele"), .text("12"), .null], [.int(2), .text("Benno"), .null, .null],
        [.int(3), .text("Cleo"), .text("34"), .text("Bonn")], [.int(4), .text("Dan"), .null, .text("Oslo")],
        [.int(9), .text("Eve"), .null, .text("Rome")],
      ])
    #expect(throws: RawSQLiteError.self) { try database.exec("INSERT INTO people (fax) VALUES ('1')") }
    #expect(throws: RawSQLiteError.self) { try database.exec("INSERT INTO people (name) VALUES (NULL)") }
    #expect(throws: RawSQLiteError.self) { try database.exec("UPDATE people SET full_name = NULL") }
    // OR REPLACE takes the default for NULL, which no row may show.
    for column in ["name", "full_name", "initial"] {
      #expect(throws: RawSQLiteError.self, "\(column)") {
        try database.exec("UPDATE OR REPLACE people SET \(column) = NULL")
      }
    }
    #expect(throws: RawSQLiteError.self) { try database.exec("INSERT OR REPLACE INTO people (name) VALUES (NULL)") }
  }

  @Test("neither program is taken for a newer or an older one, and the next open is free of writes")
  func served() throws {
    let database = try expanded()
    let older = Self.older.components(separatedBy: "INSERT")[0]
    for sql in [older, Self.newer] {
      let report = try database.migrate(to: sql)
      #expect(report.outcome == .unchanged)
      #expect(report.plan.hazards.map(\.code) == [.servesOlderProgram])
      let bytes = try database.bytes
      #expect(try database.migrate(to: sql).outcome == .unchanged)
      #expect(try database.bytes == bytes)
    }
    let third = #expect(throws: HistoryError.self) { try database.migrate(to: "CREATE TABLE x (a);") }
    guard case .expandedForAnother? = third?.reason else {
      Issue.record("\(String(describing: third))")
      return
    }
  }

  @Test("contracting removes the former names without a question, and what else is dropped needs consent")
  func contracting() throws {
    let database = try expanded()
    try database.exec("INSERT INTO people (name) VALUES ('Cleo')")
    let error = #expect(throws: PlanError.self) { try contract(database, allowing: .lossless) }
    guard case .refused(_, let hazards)? = error?.reason else { return }
    #expect(Set(hazards.map(\.object)) == ["people.fax"])
    let report = try contract(database)
    #expect(report.outcome == .applied)
    let note = try #require(report.plan.hazards.first { $0.code == .servesOlderProgram })
    #expect(note.hazardClass == .note && note.message.hasSuffix("cannot be seen."))
    #expect(
      try database.query("SELECT name FROM pragma_table_info('people')").flatMap { $0.compactMap(\.string) }
        == ["id", "full_name", "city", "initial", "email"])
    #expect(
      try database.query("SELECT name FROM sqlite_schema WHERE name LIKE 'schemakit%' OR name = 'logs'").isEmpty)
    #expect(
      try database.query("SELECT full_name, city, initial FROM people ORDER BY id") == [
        [.text("Ada"), .text("Rome"), .text("A")], [.text("Ben"), .null, .text("B")],
        [.text("Cleo"), .text("Rome"), .text("C")],
      ])
    #expect(throws: RawSQLiteError.self) { try database.exec("INSERT INTO people (full_name, city) VALUES ('x', 'y')") }
    #expect(try !database.migrate(to: Self.newer).plan.hazards.contains { $0.code == .servesOlderProgram })
    let older = Self.older.components(separatedBy: "INSERT")[0]
    let newer = #expect(throws: HistoryError.self) { try database.migrate(to: older) }
    guard case .newerFile? = newer?.reason else {
      Issue.record("\(String(describing: newer))")
      return
    }
    let undo = #expect(throws: HistoryError.self) { _ = try MigrationUndo(at: database.path) }
    guard case .notUndoable(_, .contraction)? = undo?.reason else {
      Issue.record("\(String(describing: undo))")
      return
    }
  }

  @Test("writes of the older program are noticed, once a minute, and those of the newer are not")
  func noticed() throws {
    let database = try expanded()
    let written = { try database.value("SELECT max(written) FROM _schemakit_expand_writes") ?? .null }
    try database.exec(
      """
      INSERT INTO people (full_name, initial, city) VALUES ('Dan', 'D', 'Oslo'), ('Eve', 'E', NULL);
      UPDATE people SET full_name = 'Fay', city = 'Bonn', email = 'x'; DELETE FROM people WHERE id = 3;
      """)
    #expect(try written().isNull)
    for sql in [
      "INSERT INTO people (name) VALUES ('Gus')",
      "INSERT INTO people (full_name, initial, fax) VALUES ('Hal', 'H', '1')",
      "UPDATE people SET name = 'Ida' WHERE id = 1", "UPDATE people SET fax = '2' WHERE id = 1",
      "UPDATE people SET town = NULL WHERE id = 1", "INSERT INTO logs (line) VALUES ('x')", "DELETE FROM logs",
    ] {
      try database.exec("DELETE FROM _schemakit_expand_writes; \(sql)")
      #expect(try !written().isNull, "\(sql)")
    }
    try database.exec("UPDATE _schemakit_expand_writes SET written = written - 30")
    let before = try written()
    try database.exec("INSERT INTO people (name) VALUES ('Jon')")
    #expect(try written() == before)
    try database.exec(
      "UPDATE _schemakit_expand_writes SET written = written - 60; INSERT INTO people (name) VALUES ('Kim')")
    #expect(try written() != before)
    let error = #expect(throws: HistoryError.self) { try contract(database, quietFor: 60) }
    guard case .olderProgramWrites? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    // Neither the older program nor the expansion itself was heard of lately.
    try database.exec(
      """
      UPDATE _schemakit_expand_writes SET written = written - 600;
      UPDATE _schemakit_meta SET value = json_set(value, '$.since', json_extract(value, '$.since') - 600)
        WHERE key LIKE 'expanded %';
      """)
    #expect(try contract(database, quietFor: 60).outcome == .applied)
  }

  @Test(
    "whatever serves two programs has a name that begins with _schemakit_, and a file with the former names contracts")
  func names() throws {
    let database = try expanded()
    let before = try TemporaryDatabase(Self.older)
    let added = """
      SELECT name FROM sqlite_master WHERE type IN ('table', 'trigger') AND name GLOB '*schemakit*' ORDER BY name
      """
    let names = try database.query(added).compactMap { $0[0].string }
    #expect(names.contains("_schemakit_expand_writes"))
    #expect(names.allSatisfy { $0.hasPrefix("_schemakit_") }, "\(names)")
    let own = Set(try database.query("SELECT name FROM sqlite_master WHERE name NOT GLOB '_schemakit_*'"))
    #expect(try own.isSuperset(of: before.query("SELECT name FROM sqlite_master")))
    try database.exec(
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_master SET name = replace(replace(name, '_schemakit_expand_writes', 'schemakit_older_writes'), '_schemakit_expand ', 'schemakit_expand '),
        tbl_name = replace(tbl_name, '_schemakit_expand_writes', 'schemakit_older_writes'),
        sql = replace(replace(sql, '_schemakit_expand_writes', 'schemakit_older_writes'), '_schemakit_expand ', 'schemakit_expand ');
      UPDATE _schemakit_schemas SET owned = replace(replace(owned, '_schemakit_expand_writes', 'schemakit_older_writes'), '_schemakit_expand ', 'schemakit_expand ');
      PRAGMA schema_version = 900; PRAGMA writable_schema = OFF
      """)
    try database.exec("INSERT INTO people (name) VALUES ('Kim')")
    #expect(throws: HistoryError.self) { try contract(database, quietFor: 60) }
    #expect(try contract(database).outcome == .applied)
    #expect(
      try database.query("SELECT 1 FROM sqlite_master WHERE name GLOB 'schemakit*' OR name GLOB '*expand*'").isEmpty)
    #expect(try database.query("SELECT full_name FROM people WHERE full_name = 'Kim'").count == 1)
  }

  @Test("a former name whose values differ is dropped with consent only")
  func differing() throws {
    let database = try expanded()
    try database.exec(
      "DROP TRIGGER \"_schemakit_expand people older 0\"; UPDATE people SET name = 'Bob' WHERE id = 2; UPDATE people SET fax = NULL;"
    )
    let error = #expect(throws: PlanError.self) { try contract(database, allowing: .lossless) }
    guard case .refused(_, let hazards)? = error?.reason else { return }
    #expect(hazards.map(\.object) == ["people.name"])
    #expect(hazards.map(\.count) == [1] && hazards.map(\.samples) == [["2"]])
    #expect(hazards[0].message.contains("differs under the two names"))
    #expect(hazards[0].remedy?.contains("UPDATE people SET name = full_name") == true)
    #expect(try database.query("SELECT name FROM people WHERE id = 2") == [[.text("Bob")]])
  }

  @Test("a later schema ends the service of the older program as well")
  func later() throws {
    let database = try expanded()
    let later = Self.newer + "CREATE TABLE later (a);"
    #expect(throws: HistoryError.self) { try database.migrate(to: later, allowing: .destructive) }
    #expect(
      try database.migrate(to: later, allowing: .destructive) { $0.phase = .contract(quietFor: nil) }.outcome
        == .applied)
    #expect(try database.query("SELECT full_name FROM people") == [[.text("Ada")], [.text("Ben")]])
    #expect(try database.migrate(to: later).outcome == .unchanged)
  }

  @Test("two schemas in one file are expanded and contracted apart")
  func twoSchemas() throws {
    let database = try TemporaryDatabase("CREATE TABLE a (x); CREATE TABLE b (x);")
    func migrate(_ name: String, to sql: String, _ phase: MigrationPhase) throws {
      var target = try TemporaryDatabase.target(sql)
      target.name = name
      target.ownsWholeFile = false
      var request = ChangeRequest(allowing: .destructive)
      request.phase = phase
      let connection = try SQLiteConnection(path: database.path, mode: .readWrite)
      _ = try Change(over: connection, to: target, request).apply()
    }
    for name in ["a", "b"] {
      try migrate(name, to: "CREATE TABLE \(name) (x);", .complete)
      try migrate(name, to: "CREATE TABLE \(name) (\ny -- schemakit: renamed from x\n);", .expand)
    }
    try migrate("a", to: "CREATE TABLE a (\ny -- schemakit: renamed from x\n);", .contract(quietFor: nil))
    try database.exec("INSERT INTO b (x) VALUES (1)")
    #expect(try database.query("SELECT x, y FROM b") == [[.int(1), .int(1)]])
    #expect(try database.query("SELECT name FROM pragma_table_info('a')") == [[.text("y")]])
  }

  @Test("a fill means what it says where a column has two names")
  func fills() throws {
    let database = try TemporaryDatabase(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, phase TEXT NOT NULL); INSERT INTO t VALUES (1, 'x');")
    try database.migrate(
      to: """
        CREATE TABLE t (
          id INTEGER PRIMARY KEY,
          state TEXT NOT NULL, -- schemakit: renamed from phase
          a TEXT NOT NULL, -- schemakit: fill 'state'
          b TEXT NOT NULL, -- schemakit: fill state || '!'
          c TEXT NOT NULL DEFAULT 'c' -- schemakit: fill upper(state)
        );
        """
    ) { $0.phase = .expand }
    try database.exec("INSERT INTO t (phase) VALUES ('y')")
    #expect(
      try database.query("SELECT phase, state, a, b FROM t") == [
        [.text("x"), .text("x"), .text("state"), .text("x!")], [.text("y"), .text("y"), .text("state"), .text("y!")],
      ])
    #expect(try database.value("SELECT c FROM t WHERE id = 1") == .text("X"))
  }

  @Test("undo takes an expansion back, and the older program has its file as it was")
  func undo() throws {
    let database = try expanded()
    try database.exec("INSERT INTO people (name) VALUES ('Cleo')")
    try MigrationUndo(at: database.path).apply(allowing: .destructive)
    #expect(
      try database.query("SELECT * FROM people") == [
        [.int(1), .text("Ada"), .text("12"), .text("Rome")], [.int(2), .text("Ben"), .null, .null],
        [.int(3), .text("Cleo"), .null, .text("Rome")],
      ])
    #expect(try database.value("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'schemakit%'") == .int(0))
    #expect(try database.value("SELECT count(*) FROM _schemakit_meta WHERE key LIKE 'expanded%'") == .int(0))
    let older = Self.older.components(separatedBy: "INSERT")[0]
    #expect(try database.migrate(to: older).plan.isEmpty)
  }

  @Test("a file that was changed by somebody else in between is not taken for what serves both")
  func disturbed() throws {
    let database = try expanded()
    try database.exec("VACUUM; ANALYZE; CREATE TABLE other (a)")
    try database.exec("DROP TABLE other")
    #expect(try database.migrate(to: Self.newer).outcome == .unchanged)
    try database.exec("DROP TRIGGER \"_schemakit_expand people insert\"")
    let error = #expect(throws: HistoryError.self) { try database.migrate(to: Self.newer) }
    guard case .expandedSchemaChanged? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(
    "what cannot be exact for both is refused with the table and the column, and nothing is changed",
    arguments: [
      ("CREATE TABLE t (a);", "CREATE TABLE t (a TEXT);", "t.a is not the same"),
      ("CREATE TABLE t (a);", "CREATE TABLE t (a NOT NULL);", "t.a is not the same"),
      ("CREATE TABLE t (a);", "CREATE TABLE t (a, b NOT NULL);", "t.b is NOT NULL without a default"),
      ("CREATE TABLE t (a, b NOT NULL);", "CREATE TABLE t (a);", "t.b is NOT NULL without a default"),
      ("CREATE TABLE t (a, b);", "CREATE TABLE t (a, b, CHECK (b > a));", "a CHECK changes"),
      ("CREATE TABLE t (a, b, CHECK (b > a));", "CREATE TABLE t (a, b);", "a CHECK changes"),
      ("CREATE TABLE t (a);", "CREATE TABLE t (a, b CHECK (b IS NOT NULL));", "a CHECK changes"),
      ("CREATE TABLE t (a);", "CREATE TABLE t (a UNIQUE);", "a UNIQUE constraint changes"),
      ("CREATE TABLE t (a);", "CREATE TABLE t (a); CREATE UNIQUE INDEX i ON t (a);", "index i is not the same"),
      ("CREATE TABLE t (a); CREATE UNIQUE INDEX i ON t (a);", "CREATE TABLE t (a);", "index i is not the same"),
      ("CREATE TABLE t (a);", "CREATE TABLE u (a); -- schemakit: renamed from t", "Table t is renamed to u"),
      ("CREATE TABLE t (a PRIMARY KEY) WITHOUT ROWID;", "CREATE TABLE t (a PRIMARY KEY);", "WITHOUT ROWID changes"),
      (
        "CREATE TABLE t (a PRIMARY KEY);", "CREATE TABLE t (\nb PRIMARY KEY -- schemakit: renamed from a\n);",
        "primary key"
      ),
      (
        "CREATE TABLE t (a INT, c);", "CREATE TABLE t (\nb TEXT, -- schemakit: renamed from a\nc);",
        "more than its name"
      ),
      (
        "CREATE TABLE t (a, c, UNIQUE (a, c));",
        "CREATE TABLE t (\nb, -- schemakit: renamed from a\nc, UNIQUE (b, c));", "a unique key has it"
      ),
      (
        "CREATE TABLE t (a, c); CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT 1; END;",
        "CREATE TABLE t (\nb, -- schemakit: renamed from a\nc); CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT 1; END;",
        "trigger r would run twice"
      ),
      (
        "CREATE TABLE t (a);", "CREATE TABLE t (a); CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT 1; END;",
        "trigger r"
      ),
      (
        "CREATE TABLE t (a, c); CREATE VIEW v AS SELECT a FROM t;",
        "CREATE TABLE t (\nb, -- schemakit: renamed from a\nc); CREATE VIEW v AS SELECT b FROM t;", "view v"
      ),
      (
        "CREATE TABLE t (a TEXT, b TEXT);",
        "CREATE TABLE t (\nb TEXT, -- schemakit: renamed from a\nc TEXT -- schemakit: renamed from b\n);",
        "another column's"
      ),
      (
        "CREATE TABLE t (a, b NOT NULL DEFAULT '', UNIQUE (a, b));", "CREATE TABLE t (a);",
        "a UNIQUE constraint changes"
      ),
      ("CREATE TABLE t (a, b DEFAULT 'x' UNIQUE);", "CREATE TABLE t (a);", "a UNIQUE constraint changes"),
      (
        "CREATE TABLE t (a TEXT); CREATE UNIQUE INDEX i ON t (a COLLATE NOCASE);",
        "CREATE TABLE t (\nb TEXT -- schemakit: renamed from a\n); CREATE UNIQUE INDEX j ON t (b);",
        "not the same under both"
      ),
      (
        "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE t (a, p REFERENCES p ON DELETE CASCADE);",
        "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE t (a);", "foreign key from t to p"
      ),
      (
        "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE t (a);",
        "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE t (a, p REFERENCES p ON DELETE CASCADE);",
        "foreign key from t to p"
      ),
      (
        "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE t (p REFERENCES p);",
        "CREATE TABLE p (id INTEGER PRIMARY KEY);", "foreign key from t to p"
      ),
      (
        "CREATE TABLE t (a); CREATE TRIGGER r AFTER UPDATE ON t BEGIN SELECT 1; END;",
        "CREATE TABLE t (a, b NOT NULL -- schemakit: fill 1\n); CREATE TRIGGER r AFTER UPDATE ON t BEGIN SELECT 1; END;",
        "t.b is filled by an expression"
      ),
      (
        "CREATE TABLE t (a PRIMARY KEY) WITHOUT ROWID;",
        "CREATE TABLE t (a PRIMARY KEY, b NOT NULL -- schemakit: fill 1\n) WITHOUT ROWID;",
        "t.b is filled by an expression"
      ),
      (
        "CREATE TABLE t (a TEXT NOT NULL); CREATE INDEX i ON t (json_extract(a, '$.x'));",
        "CREATE TABLE t (\nb TEXT NOT NULL -- schemakit: renamed from a\n); CREATE INDEX i ON t (json_extract(b, '$.x'));",
        "computes something from it"
      ),
      ("CREATE TABLE t (a);", "CREATE TABLE t (a, g AS (a) NOT NULL);", "t.g is NOT NULL without a default"),
    ])
  func refused(older: String, newer: String, words: String) throws {
    let database = try TemporaryDatabase(older)
    let bytes = try database.bytes
    let error = #expect(throws: PlanError.self) { try database.migrate(to: newer) { $0.phase = .expand } }
    #expect("\(String(describing: error))".contains(words), "\(String(describing: error))")
    #expect(try database.bytes == bytes)
  }
}

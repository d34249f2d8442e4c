import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("ForeignKeyGuard")
struct ForeignKeyGuardTests {
  private func orphans(_ sql: String, of children: Set<SQLName>) throws -> ForeignKeyGuard.Findings {
    let connection = try SQLiteConnection.memory()
    try connection.execute(sql)
    return try ForeignKeyGuard(connection: connection).orphans(of: children, in: try SchemaReader.read(connection))
  }

  private static let families = """
    CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE q (id INTEGER PRIMARY KEY);
    CREATE TABLE c (p REFERENCES p, q REFERENCES q); CREATE TABLE d (p REFERENCES p);
    INSERT INTO p VALUES (1); INSERT INTO c VALUES (1, 5), (2, 5), (3, NULL); INSERT INTO d VALUES (9);
    """

  @Test("orphans are known by child, foreign key and row")
  func rows() throws {
    let found = try orphans(Self.families, of: ["c"])
    #expect(
      found == [
        .init(child: "c", columns: ["p"], parent: "p"): .init(rows: ["2", "3"], values: ["2": 1, "3": 1], count: 2),
        .init(child: "c", columns: ["q"], parent: "q"): .init(rows: ["1", "2"], values: ["5": 2], count: 2),
      ])
    #expect(try orphans(Self.families, of: []).isEmpty)
    #expect(try orphans(Self.families, of: ["c", "d"]).count == 3)
  }

  @Test("rows without a rowid are known by their primary key, and compared as SQLite compares references")
  func withoutRowID() throws {
    let found = try orphans(
      """
      CREATE TABLE p (k TEXT COLLATE NOCASE UNIQUE, n TEXT UNIQUE);
      CREATE TABLE c (a, b, k REFERENCES p (k), n INTEGER REFERENCES p (n), PRIMARY KEY (b, a)) WITHOUT ROWID;
      INSERT INTO p VALUES ('A', '05'); INSERT INTO c VALUES (1, 'x', 'a', NULL), (2, 'y', 'b', 5);
      """, of: ["c"])
    #expect(
      found == [
        .init(child: "c", columns: ["k"], parent: "p"): .init(rows: ["'y',2"], values: ["'b'": 1], count: 1),
        .init(child: "c", columns: ["n"], parent: "p"): .init(rows: ["'y',2"], values: ["5": 1], count: 1),
      ])
  }

  @Test("a key that fits no key of its parent is an answer")
  func mismatch() throws {
    let found = try orphans(
      "CREATE TABLE p (a); CREATE TABLE c (a REFERENCES p (a)); INSERT INTO c VALUES (1)", of: ["c"])
    #expect(found.values.compactMap(\.mismatch).count == 1)
    #expect(found.values.first?.mismatch?.contains("mismatch") == true)
  }

  @Test("the children of a change are the tables themselves and those that refer to them")
  func children() throws {
    let schema = try SchemaText.schema(
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (p REFERENCES P); CREATE TABLE d (c REFERENCES c);
      CREATE TABLE e (a); CREATE TABLE s (id INTEGER PRIMARY KEY, up REFERENCES s);
      """)
    #expect(ForeignKeyGuard.children(in: schema, touching: ["p"]) == ["c"])
    #expect(ForeignKeyGuard.children(in: schema, touching: ["c"]) == ["c", "d"])
    #expect(ForeignKeyGuard.children(in: schema, touching: ["s", "e"]) == ["s"])
  }
}

/// Orphans that a change makes, beside those that were there.
@Suite("New orphans")
struct NewOrphanTests {
  private static let tasks = """
    CREATE TABLE person (id INTEGER PRIMARY KEY);
    CREATE TABLE task (id INTEGER PRIMARY KEY, owner REFERENCES person, reviewer);
    INSERT INTO task VALUES (1, 99, NULL), (2, NULL, 77);
    """

  private func isNewOrphan(_ error: any Error) -> Bool {
    guard case .newViolations(_, _, 1) = (error as? ApplyError)?.reason else { return false }
    return true
  }

  @Test("a new orphan is refused where as many old ones go")
  func oneForOne() throws {
    let database = try TemporaryDatabase(Self.tasks)
    let bytes = try database.bytes
    #expect {
      try database.migrate(
        to: """
          CREATE TABLE person (id INTEGER PRIMARY KEY);
          CREATE TABLE task (id INTEGER PRIMARY KEY, owner, reviewer REFERENCES person);
          """
      ) { $0.plan.isQuick = true }
    } throws: {
      isNewOrphan($0)
    }
    #expect(try database.bytes == bytes)
  }

  @Test("a new orphan is refused beside old ones of a table that is renamed")
  func besideRename() throws {
    let database = try TemporaryDatabase(Self.tasks)
    #expect {
      try database.migrate(
        to: """
          CREATE TABLE person (id INTEGER PRIMARY KEY);
          CREATE TABLE job ( -- schemakit: renamed from task
            id INTEGER PRIMARY KEY, owner REFERENCES person, reviewer REFERENCES person);
          """
      ) { $0.plan.isQuick = true }
    } throws: {
      isNewOrphan($0)
    }
    #expect(try database.query("SELECT count(*) FROM task") == [[.int(2)]])
  }

  @Test("an exchange of tables with different numbers of orphans keeps them")
  func exchange() throws {
    let database = try TemporaryDatabase(
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY, p REFERENCES a, v TEXT NOT NULL);
      CREATE TABLE b (id INTEGER PRIMARY KEY, p REFERENCES b, v TEXT);
      INSERT INTO a VALUES (1, 8, 'a'), (2, 9, 'a'); INSERT INTO b VALUES (1, 7, 'b');
      """)
    try database.migrate(
      to: """
        CREATE TABLE b ( -- schemakit: renamed from a
          id INTEGER PRIMARY KEY, p REFERENCES b, v TEXT NOT NULL);
        CREATE TABLE a ( -- schemakit: renamed from b
          id INTEGER PRIMARY KEY, p REFERENCES a, v TEXT);
        """)
    #expect(try database.query("SELECT p, v FROM b ORDER BY id") == [[.int(8), .text("a")], [.int(9), .text("a")]])
    #expect(try database.query("SELECT p, v FROM a") == [[.int(7), .text("b")]])
  }

  @Test("old orphans stay where their rows get other keys, or lose the rowid")
  func otherKeys() throws {
    for new in [
      "CREATE TABLE c (n INTEGER PRIMARY KEY, id INTEGER, p REFERENCES p);",
      "CREATE TABLE c (n INT PRIMARY KEY, id INTEGER, p REFERENCES p) WITHOUT ROWID;",
    ] {
      let database = try TemporaryDatabase(
        """
        CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (n INT NOT NULL, id INTEGER PRIMARY KEY, p REFERENCES p);
        INSERT INTO c VALUES (10, 1, 5), (20, 2, 5);
        """)
      try database.migrate(to: "CREATE TABLE p (id INTEGER PRIMARY KEY);" + new, allowing: .everything)
      #expect(try database.query("SELECT n, p FROM c ORDER BY n") == [[.int(10), .int(5)], [.int(20), .int(5)]])
    }
  }

  @Test("old orphans stay where the key of a table WITHOUT ROWID is stored as another type, and no new one passes")
  func retypedKey() throws {
    let old = """
      CREATE TABLE t (id INTEGER PRIMARY KEY, p TEXT REFERENCES t) WITHOUT ROWID;
      INSERT INTO t VALUES (1, 'gone'), (2, '1'), (3, 'lost');
      """
    let file = try TemporaryDatabase(old)
    try file.migrate(
      to: "CREATE TABLE t (id REAL PRIMARY KEY, p TEXT REFERENCES t) WITHOUT ROWID;", allowing: .everything)
    #expect(
      try file.query("SELECT id, p FROM t ORDER BY id")
        == [[.real(1), .text("gone")], [.real(2), .text("1")], [.real(3), .text("lost")]])
    #expect(try file.query("PRAGMA foreign_key_check").count == 2)
    let other = try TemporaryDatabase(old)
    #expect(throws: (any Error).self) {
      try other.migrate(
        to: "CREATE TABLE t (id REAL PRIMARY KEY /* schemakit: convert id + 1 */, p TEXT REFERENCES t) WITHOUT ROWID;",
        allowing: .everything)
    }
    #expect(try other.query("SELECT p FROM t ORDER BY id") == [[.text("gone")], [.text("1")], [.text("lost")]])
  }

  @Test("an old orphan stays where its reference becomes a real and its table loses the rowid, and no new one passes")
  func retypedReference() throws {
    let old = """
      CREATE TABLE p (id INTEGER PRIMARY KEY); INSERT INTO p VALUES (35);
      CREATE TABLE g (p INTEGER PRIMARY KEY REFERENCES p); INSERT INTO g VALUES (1), (35);
      """
    let new = """
      CREATE TABLE p (id INTEGER PRIMARY KEY);
      CREATE TABLE g (p REAL PRIMARY KEY REFERENCES p) WITHOUT ROWID;
      """
    let file = try TemporaryDatabase(old)
    try file.migrate(to: new, allowing: .everything)
    #expect(try file.query("SELECT p FROM g ORDER BY p") == [[.real(1)], [.real(35)]])
    let other = try TemporaryDatabase(old)
    #expect(throws: (any Error).self) {
      try other.migrate(
        to: new.replacing("REFERENCES p)", with: "REFERENCES p -- schemakit: convert p + 1\n)"),
        allowing: .everything)
    }
    #expect(try other.query("SELECT p FROM g ORDER BY p") == [[.int(1)], [.int(35)]])
  }

  @Test("statements of a step that move an orphan from one row to another are refused")
  func movedByStep() throws {
    for suffix in ["", " WITHOUT ROWID"] {
      let file = try TemporaryDatabase()
      var fixture = try MigrationFixture([
        (
          "0001-init",
          "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (id INTEGER PRIMARY KEY, p REFERENCES p)\(suffix);"
        )
      ])
      try fixture.apply(to: file)
      try file.exec("INSERT INTO p VALUES (1); INSERT INTO c VALUES (1, 9), (2, 1)")
      try fixture.add(
        "0002-more", "ALTER TABLE p ADD COLUMN name TEXT;",
        after: "UPDATE c SET p = CASE id WHEN 1 THEN 1 ELSE 9 END;")
      #expect {
        try fixture.apply(to: file)
      } throws: {
        isNewOrphan($0)
      }
      #expect(try file.query("SELECT p FROM c ORDER BY id") == [[.int(9)], [.int(1)]])
    }
  }

  @Test(
    "undo brings a foreign key back although rows broke it before it was dropped, and refuses rows that broke it since")
  func undoneDrop() throws {
    let old = "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (id INTEGER PRIMARY KEY, p REFERENCES p);"
    let new = "CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (id INTEGER PRIMARY KEY, p);"
    let database = try TemporaryDatabase(old + "INSERT INTO c VALUES (1, 9)")
    try database.migrate(to: new)
    try MigrationUndo(at: database.path).apply()
    #expect(try database.query("PRAGMA foreign_key_list(c)").count == 1)
    #expect(try database.query("SELECT id, p FROM c") == [[.int(1), .int(9)]])
    try database.migrate(to: new)
    try database.exec("DELETE FROM c; INSERT INTO c VALUES (2, 9)")
    #expect {
      try MigrationUndo(at: database.path).apply()
    } throws: {
      isNewOrphan($0)
    }
    #expect(try database.query("PRAGMA foreign_key_list(c)").isEmpty)
  }
}

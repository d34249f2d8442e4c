import Testing

@testable import SQLiteSchema
@testable import SchemaKit

// P5-P11, P54: views and triggers around a table that is rebuilt, renamed or altered.
@Suite("Pitfalls: views and triggers")
struct ViewAndTriggerPitfallTests {
  private func note(_ columns: String) -> String { "CREATE TABLE note (\(columns));" }
  private static let log = "CREATE TABLE log (what TEXT);"

  private func logged(_ database: TemporaryDatabase) throws -> [String] {
    try database.query("SELECT what FROM log ORDER BY rowid").compactMap { $0[0].string }
  }

  @Test("P5: a chain of three views over a rebuilt table still answers", arguments: [0, 3])
  func viewChain(count: Int) throws {
    let views = """
      CREATE VIEW v1 AS SELECT id, title FROM note;
      CREATE VIEW v2 AS SELECT * FROM v1 WHERE id > 0;
      CREATE VIEW v3 (n, t) AS SELECT count(*), max(title) FROM v2;
      """
    let database = try TemporaryDatabase(
      note("id INTEGER PRIMARY KEY, title TEXT") + views + rows(count) { "INSERT INTO note VALUES (\($0), 't\($0)')" })
    try database.rebuild("note", to: note("id INTEGER PRIMARY KEY, title TEXT CHECK (title <> '')") + views)
    #expect(try database.query("SELECT * FROM v1").count == count)
    #expect(try database.query("SELECT * FROM v2").count == count)
    #expect(try database.value("SELECT n FROM v3") == .int(Int64(count)))
  }

  @Test("P6: an unrelated broken view is suspended, restored unchanged, and named in a note", arguments: [0, 3])
  func brokenView(count: Int) throws {
    let broken = "CREATE VIEW broken AS SELECT * FROM gone;"
    let database = try TemporaryDatabase(
      note("a INT, b TEXT") + broken + rows(count) { "INSERT INTO note VALUES (\($0), 'b')" })
    let stored = try database.sql(of: "broken")
    let after = "CREATE TABLE note (a INT, body TEXT -- schemakit: renamed from b\n);" + broken
    let plan = try database.plan(to: after)
    #expect(
      plan.hazards.contains { $0.code == .brokenObject && $0.table == "broken" && $0.hazardClass == .note },
      "\(plan.hazards)")
    try database.migrate(to: after)
    #expect(try database.sql(of: "broken") == stored)
    #expect(try database.query("SELECT body FROM note").count == count)
    try database.expectSettled(at: after)
  }

  @Test("P6: an unrelated broken trigger does not stop a DROP COLUMN", arguments: [0, 3])
  func brokenTrigger(count: Int) throws {
    let broken = Self.log + "CREATE TRIGGER broken AFTER INSERT ON log BEGIN DELETE FROM gone; END;"
    let database = try TemporaryDatabase(
      note("a INT, b TEXT") + broken + rows(count) { "INSERT INTO note VALUES (\($0), 'b')" })
    let after = note("a INT") + broken
    try database.migrate(to: after, allowing: .destructive)
    #expect(try database.sql(of: "broken") != nil)
    #expect(try database.query("SELECT * FROM note").map(\.count) == Array(repeating: 1, count: count))
    try database.expectSettled(at: after)
  }

  @Test("P7: triggers survive a rebuild and still fire", arguments: [0, 3])
  func triggersSurvive(count: Int) throws {
    let triggers =
      Self.log + """
        CREATE TRIGGER note_ins AFTER INSERT ON note BEGIN INSERT INTO log VALUES ('ins ' || new.a); END;
        CREATE TRIGGER note_upd BEFORE UPDATE OF b ON note WHEN new.b <> old.b BEGIN
          INSERT INTO log VALUES (CASE WHEN new.b IS NULL THEN 'null' ELSE 'upd ' || old.b END); -- END;
        END;
        CREATE TRIGGER note_del AFTER DELETE ON note FOR EACH ROW BEGIN INSERT INTO log VALUES ('del ' || old.a); END;
        """
    let database = try TemporaryDatabase(
      note("a INT, b TEXT") + rows(count) { "INSERT INTO note VALUES (\($0), 'b')" } + triggers)
    let stored = try database.query("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name")
    try database.rebuild("note", to: note("a INT, b TEXT NOT NULL DEFAULT ''") + triggers)
    #expect(try logged(database).isEmpty, "a trigger fired during the copy")
    #expect(try database.query("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name") == stored)
    try database.exec("DELETE FROM note; INSERT INTO note VALUES (9, 'x'); UPDATE note SET b = 'y'")
    #expect(try logged(database) == (0..<count).map { "del \($0 + 1)" } + ["ins 9", "upd x"])
  }

  @Test("P8: triggers of other tables and of views that mention the table still fire", arguments: [0, 3])
  func foreignTriggers(count: Int) throws {
    func schema(table: String, columns: String) -> String {
      """
      CREATE TABLE \(table) (\(columns));
      CREATE TABLE other (x INT);
      CREATE VIEW others AS SELECT x FROM other;
      CREATE TRIGGER other_ins AFTER INSERT ON other BEGIN
        INSERT INTO \(table == "memo -- schemakit: renamed from note\n" ? "memo" : table) (a) VALUES (new.x);
      END;
      CREATE TRIGGER others_ins INSTEAD OF INSERT ON others BEGIN
        UPDATE \(table == "memo -- schemakit: renamed from note\n" ? "memo" : table) SET a = a + new.x;
      END;
      """
    }
    let before = schema(table: "note", columns: "a INT, b TEXT")
    let database = try TemporaryDatabase(before + rows(count) { "INSERT INTO note VALUES (\($0), 'b')" })
    let after = schema(table: "memo -- schemakit: renamed from note\n", columns: "a INT CHECK (a > 0), b TEXT")
    try database.rebuild("memo", to: after)
    try database.exec("INSERT INTO other VALUES (100); INSERT INTO others VALUES (1000)")
    #expect(integers(try database.query("SELECT a FROM memo ORDER BY a")) == numbers(count) { 1000 + $0 } + [1100])
  }

  @Test("P9: INSTEAD OF triggers survive, also where their view has to be dropped and made again", arguments: [0, 3])
  func insteadOf(count: Int) throws {
    func schema(_ column: String, view: String = "SELECT a, b FROM note") -> String {
      note("a INT, \(column)") + "CREATE VIEW v AS \(view);"
        + "CREATE TRIGGER v_ins INSTEAD OF INSERT ON v BEGIN INSERT INTO note (a, b) VALUES (new.a, new.b); END;"
        + "CREATE TRIGGER v_del INSTEAD OF DELETE ON v BEGIN DELETE FROM note WHERE a = old.a; END;"
    }
    let database = try TemporaryDatabase(
      schema("b TEXT") + rows(count) { "INSERT INTO note VALUES (\($0), 'b\($0)')" })
    try database.rebuild("note", to: schema("b TEXT UNIQUE ON CONFLICT REPLACE"), allowing: .everything)
    try database.exec("INSERT INTO v VALUES (7, 'seven'); DELETE FROM v WHERE a = 1")
    #expect(try database.value("SELECT b FROM note WHERE a = 7") == .text("seven"))
    // Now the view itself changes, and the triggers do not.
    let replaced = schema("b TEXT UNIQUE ON CONFLICT REPLACE", view: "SELECT a, upper(b) AS b FROM note")
    try database.migrate(to: replaced)
    try database.exec("INSERT INTO v VALUES (8, 'eight')")
    #expect(try database.value("SELECT b FROM v WHERE a = 8") == .text("EIGHT"))
    #expect(try database.query("SELECT 1 FROM sqlite_master WHERE type = 'trigger'").count == 2)
    try database.expectSettled(at: replaced)
  }

  @Test("P10: TEMP triggers and views of the connection come back after a rebuild", arguments: [0, 3])
  func temporaryTriggers(count: Int) throws {
    let database = try TemporaryDatabase(note("a INT, b TEXT") + rows(count) { "INSERT INTO note VALUES (\($0), 'b')" })
    let connection = try database.connection()
    try connection.execute(
      """
      CREATE TEMP TABLE seen (a);
      CREATE TEMP TRIGGER note_seen AFTER INSERT ON main.note BEGIN INSERT INTO seen VALUES (new.a); END;
      CREATE TEMP TRIGGER "odd name" AFTER DELETE ON note BEGIN INSERT INTO seen VALUES (-old.a); END;
      CREATE TEMP VIEW note_view AS SELECT a FROM main.note;
      """)
    let after = note("a INT, b TEXT CHECK (b <> 'no')")
    let change = Change(over: connection, to: try TemporaryDatabase.target(after), ChangeRequest(allowing: .copying))
    let plan = try change.plan()
    #expect(plan.hazards.contains { $0.code == .temporaryObject && $0.hazardClass == .note }, "\(plan.hazards)")
    _ = try change.apply()
    try connection.execute("INSERT INTO note VALUES (9, 'x'); DELETE FROM note WHERE a = 9")
    #expect(try connection.rows("SELECT a FROM seen").map { $0[0].integer } == [9, -9])
    #expect(try connection.rows("SELECT * FROM note_view").count == count)
    try database.expectSettled(at: after)
  }

  @Test("P11: a trigger that writes a column which goes is named where the write that fires it would fail")
  func namedTrigger() throws {
    let triggers =
      Self.log + "CREATE TRIGGER t AFTER INSERT ON note BEGIN INSERT INTO log VALUES (new.b); END;"
      + "CREATE TRIGGER other AFTER DELETE ON note BEGIN INSERT INTO log VALUES (old.a); END;"
    let database = try TemporaryDatabase(note("a INT, b TEXT") + triggers)
    let refusals = try database.refusals(to: note("a INT") + triggers, allowing: .everything)
    let refusal = try #require(refusals.first { $0.message.hasPrefix("INSERT on note would fail") })
    #expect(refusal.remedy?.hasPrefix("Trigger t fires then; change what no longer fits") == true)
  }

  @Test("P11: a trigger on UPDATE OF a dropped column is refused, not left dead", arguments: [0, 3])
  func deadUpdateOf(count: Int) throws {
    let trigger = Self.log + "CREATE TRIGGER t AFTER UPDATE OF b ON note BEGIN INSERT INTO log VALUES ('b'); END;"
    let database = try TemporaryDatabase(
      note("a INT, b TEXT") + trigger + rows(count) { "INSERT INTO note VALUES (\($0), 'b')" })
    let refusals = try database.refusals(to: note("a INT") + trigger, allowing: .everything)
    #expect(refusals.contains { $0.code == .brokenObject && $0.table == "t" })
    try database.migrate(to: note("a INT") + Self.log, allowing: .destructive)
    #expect(try database.sql(of: "t") == nil)
  }

  @Test("P11: renaming the column rewrites UPDATE OF", arguments: [0, 3])
  func renamedUpdateOf(count: Int) throws {
    func schema(_ name: String, hint: String = "") -> String {
      "CREATE TABLE note (a INT, \(name) TEXT \(hint)\n);" + Self.log
        + "CREATE TRIGGER t AFTER UPDATE OF \(name) ON note BEGIN INSERT INTO log VALUES (new.\(name)); END;"
    }
    let database = try TemporaryDatabase(schema("b") + rows(count) { "INSERT INTO note VALUES (\($0), 'b')" })
    let after = schema("c", hint: "-- schemakit: renamed from b")
    try database.migrate(to: after)
    try database.exec("UPDATE note SET c = 'z'")
    #expect(try logged(database) == Array(repeating: "z", count: count))
    try database.expectSettled(at: after)
  }

  @Test("P54: renaming a column through SELECT * needs the views behind it rewritten", arguments: [0, 3])
  func renameThroughStar(count: Int) throws {
    func schema(_ table: String, _ view: String) -> String {
      table + "CREATE VIEW v1 AS SELECT * FROM note; CREATE VIEW v2 AS SELECT \(view) FROM v1;"
    }
    let database = try TemporaryDatabase(
      schema(note("a INT, b TEXT"), "b") + rows(count) { "INSERT INTO note VALUES (\($0), 'b\($0)')" })
    let renamed = "CREATE TABLE note (a INT, c TEXT -- schemakit: renamed from b\n);"
    let bytes = try database.bytes
    // The declared schema itself would have a broken view: said before anything is touched.
    #expect(throws: (any Error).self) { try database.migrate(to: schema(renamed, "b"), allowing: .everything) }
    #expect(try database.bytes == bytes)
    let after = schema(renamed, "c")
    try database.migrate(to: after)
    #expect(try database.query("SELECT c FROM v2").count == count)
    try database.expectSettled(at: after)
  }
}

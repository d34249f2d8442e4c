import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("The script of a plan")
struct ScriptTests {
  private let folder: CommandFolder

  init() throws { folder = try CommandFolder() }

  /// Writes the script that leads from one schema to another, and makes the database.
  private func script(_ before: String, to after: String) throws -> String {
    try folder.database("a.db", before)
    try folder.write(after, to: "a.sql")
    let run = try folder.run("plan", "a.db", "--to", "a.sql", "--format", "sql", "--allow", "destructive")
    #expect(run.output.hasPrefix(".bail on\n"), "\(run.output)\(run.errors)")
    return run.output.withoutShellCommands
  }

  private func expectRefusal(_ script: String, _ rule: String) throws {
    let before = try folder.bytes("a.db")
    #expect {
      try folder.database("a.db", script)
    } throws: { error in
      "\(error)".contains("Stopped: \(rule)")
    }
    #expect(try folder.bytes("a.db") == before)
  }

  @Test(
    "stops where what it writes anew, replaces, drops or exchanges is not as it was",
    .needs(.catalogReset),
    arguments: [
      ("a NOT NULL, b", "ALTER TABLE t ADD COLUMN extra"), ("a UNIQUE, b", "ALTER TABLE t ADD COLUMN extra"),
      ("a UNIQUE, b", "CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT 1; END"),
      ("a NOT NULL, b", "DROP TABLE t; CREATE TABLE t (id INTEGER PRIMARY KEY, b, a)"),
      ("a, c -- schemakit: renamed from b\n", "CREATE INDEX i ON t (a)"),
    ])
  func changed(columns: String, edit: String) throws {
    let before = "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b); INSERT INTO t VALUES (1, 'A', 'B')"
    let script = try script(before, to: "CREATE TABLE t (id INTEGER PRIMARY KEY, \(columns));")
    try folder.database("b.db", before)
    try folder.database("b.db", script)
    #expect(try folder.run("check", "b.db", "--to", "a.sql").status == 0)
    try folder.database("a.db", edit)
    try expectRefusal(script, "t is not as it was when the plan was made")
  }

  @Test("no line of it ends a statement for the sqlite3 shell before its end")
  func terminators() throws {
    let after = """
      CREATE TABLE t (a, b DEFAULT '
      go
      ');
      CREATE VIEW v AS SELECT
        a
          /
        b AS go
      FROM
      t AS -- the table
      go
      WHERE 1
      """
    let script = try script("CREATE TABLE t (a)", to: after)
    let lines = script.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(lines.contains("/ b AS go") && lines.contains("go WHERE 1;"))
    #expect(!lines.contains("/") && lines.filter { $0 == "go" }.count == 1)
    try folder.database("a.db", script)
    #expect(try folder.run("check", "a.db", "--to", "a.sql").status == 0)
  }

  @Test("stops at a view that was replaced since, and at a table to be dropped that has got a column")
  func dropped() throws {
    let before = "CREATE TABLE t (a); CREATE TABLE d (x); CREATE VIEW v AS SELECT a FROM t;"
    let script = try script(before, to: "CREATE TABLE t (a); CREATE VIEW v AS SELECT a, 1 FROM t;")
    try folder.database("a.db", "DROP VIEW v; CREATE VIEW v AS SELECT a AS newer FROM t")
    try expectRefusal(script, "v is not as it was when the plan was made")
    try folder.database("a.db", "DROP VIEW v; CREATE VIEW v AS SELECT a FROM t; ALTER TABLE d ADD COLUMN y")
    try expectRefusal(script, "d is not as it was when the plan was made")
  }

  @Test("tells foreign keys over the same columns apart", .needs(.catalogReset))
  func crossedKeys() throws {
    func child(_ action: String) -> String {
      "CREATE TABLE c (a, b, FOREIGN KEY (a, b) REFERENCES p (x, y), FOREIGN KEY (b, a) REFERENCES p (x, y)\(action));"
    }
    let parent = "CREATE TABLE p (x, y, PRIMARY KEY (x, y));"
    let before = "\(parent) INSERT INTO p VALUES (1, 2); \(child("")) INSERT INTO c VALUES (1, 2);"
    let script = try script(before, to: parent + child(" ON DELETE CASCADE"))
    try folder.database("a.db", script)
    #expect(try folder.run("check", "a.db", "--to", "a.sql").status == 0)
  }

  @Test("passes rows that broke a foreign key before, and stops at others", .needs(.catalogReset))
  func formerOrphans() throws {
    for suffix in ["", " WITHOUT ROWID"] {
      let name = suffix.isEmpty ? "a.db" : "w.db"
      let before = """
        CREATE TABLE p (id INTEGER PRIMARY KEY);
        CREATE TABLE c (id INTEGER PRIMARY KEY, p REFERENCES p, q)\(suffix);
        INSERT INTO c VALUES (1, 9, NULL), (2, NULL, NULL);
        """
      try folder.database(name, before)
      try folder.write(
        """
        CREATE TABLE p (id INTEGER PRIMARY KEY);
        CREATE TABLE c (id INTEGER PRIMARY KEY, p REFERENCES p ON DELETE CASCADE, q REFERENCES p)\(suffix);
        """, to: "a.sql")
      let run = try folder.run("plan", name, "--to", "a.sql", "--format", "sql")
      let script = run.output.withoutShellCommands
      try folder.database("other-\(name)", before + "UPDATE c SET q = 8 WHERE id = 2")
      #expect {
        try folder.database("other-\(name)", script)
      } throws: {
        "\($0)".contains("Stopped: a row of c refers to no row of p")
      }
      try folder.database(name, script)
      #expect(try folder.run("check", name, "--to", "a.sql").status == 0)
      #expect(
        try folder.rows(of: name, "SELECT id, p, q FROM c") == [[.int(1), .int(9), .null], [.int(2), .null, .null]])
    }
  }

  @Test("stops at a row that came and breaks a new foreign key", .needs(.catalogReset))
  func orphan() throws {
    let before = "CREATE TABLE p (x PRIMARY KEY); CREATE TABLE c (id INTEGER PRIMARY KEY, x)"
    let script = try script(
      before, to: "CREATE TABLE p (x PRIMARY KEY); CREATE TABLE c (id INTEGER PRIMARY KEY, x REFERENCES p (x));")
    try folder.database("a.db", "INSERT INTO c VALUES (1, 5)")
    try expectRefusal(script, "a row of c refers to no row of p")
    try folder.database("a.db", "INSERT INTO p VALUES (5)")
    try folder.database("a.db", script)
    #expect(try folder.run("check", "a.db", "--to", "a.sql").status == 0)
  }

  @Test("stops in an SQLite that does not read an edited catalog anew, or keeps every row")
  func reset() throws {
    let rows = "SELECT id, a, typeof(a), b FROM t"
    let before = """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT); CREATE INDEX i ON t (b);
      INSERT INTO t VALUES (1, '1', 'x'), (2, '2', 'y')
      """
    let script = try script(
      before, to: "CREATE TABLE t (id INTEGER PRIMARY KEY, a INT, b TEXT); CREATE INDEX i ON t (b);")
    guard Engine.has(.catalogReset) else {
      return try expectRefusal(script, "this SQLite does not know PRAGMA writable_schema=RESET")
    }
    try folder.database("a.db", script)
    #expect(try folder.rows(of: "a.db", rows).map { $0[2] } == [.text("integer"), .text("integer")])
    #expect(try folder.rows(of: "a.db", "PRAGMA integrity_check") == [[.text("ok")]])
  }
}

extension String {
  /// A script without the lines that only the sqlite3 shell understands.
  var withoutShellCommands: String {
    split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix(".") }.joined(separator: "\n")
  }
}

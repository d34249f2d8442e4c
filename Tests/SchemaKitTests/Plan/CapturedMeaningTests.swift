import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Views and triggers that would read a new column by a name they have for something else")
struct CapturedMeaningTests {
  struct Case: Sendable, CustomStringConvertible {
    var before: String
    /// The changes of the declared text.
    var edits: [(String, String)]
    /// What is named, with the column.
    var captured: [String]

    var description: String { "\(before) \(edits)" }

    init(_ before: String, _ edits: [(String, String)], _ captured: [String] = []) {
      self.before = before
      self.edits = edits
      self.captured = captured
    }
  }

  private static let book = "CREATE TABLE book (writer INT, remark TEXT); CREATE TABLE author (pen INT); "
  private static let state = "CREATE TABLE t (id INTEGER PRIMARY KEY, state TEXT); "

  static let cases = [
    Case(
      state + "CREATE VIEW v AS SELECT id FROM t WHERE state = \"open\";", [("state TEXT", "state TEXT, \"open\" INT")],
      ["v open"]),
    Case(
      state + "CREATE VIEW v AS SELECT *, \"open\" AS x FROM t;", [("state TEXT", "state TEXT, \"open\" INT")],
      ["v open"]),
    Case(
      state
        + "CREATE TABLE log (k); CREATE TRIGGER g AFTER INSERT ON t BEGIN INSERT INTO log SELECT \"kind\" FROM t; END;",
      [("state TEXT", "state TEXT, kind TEXT")], ["g kind"]),
    Case(
      book + "CREATE VIEW v AS SELECT pen, (SELECT count(*) FROM book WHERE writer = pen) FROM author;",
      [("remark TEXT", "remark TEXT, pen INT")], ["v pen"]),
    Case(
      book + "CREATE VIEW v AS SELECT pen, (SELECT count(*) FROM book WHERE writer = pen) FROM author;",
      [("remark TEXT", "pen TEXT -- schemakit: renamed from remark\n")], ["v pen"]),
    Case(
      book + "CREATE VIEW v AS SELECT writer AS pen FROM book WHERE pen > 1;",
      [("remark TEXT", "remark TEXT, pen INT")], ["v pen"]),
    Case(
      "CREATE TABLE a (k INT, x INT); CREATE TABLE b (k INT, y INT); CREATE VIEW v AS SELECT x, y FROM a NATURAL JOIN b;",
      [("y INT", "y INT, x INT")], ["v x"]),
    Case(
      "CREATE TABLE a (k INT, x INT); CREATE TABLE b (k INT, y INT); CREATE VIEW v AS SELECT * FROM a NATURAL JOIN b;",
      [("y INT", "y INT, x INT")], ["v x"]),
    Case(
      state + "CREATE VIEW v AS SELECT * FROM t; CREATE VIEW w AS SELECT \"open\" AS o FROM v;",
      [("state TEXT", "state TEXT, \"open\" INT")], ["w open"]),
    Case(
      "CREATE TABLE t (state TEXT CHECK (state <> \"void\"));", [("))", "), \"void\" TEXT)")], ["t void"]),
    Case(
      state + "CREATE UNIQUE INDEX i ON t (state) WHERE state <> \"void\";",
      [("state TEXT", "state TEXT, \"void\" TEXT")], ["i void"]),
    // NATURAL and USING compare without naming a column.
    Case(
      "CREATE TABLE t (id, a, b); CREATE TABLE u (id, t, c); CREATE VIEW v AS SELECT a FROM t NATURAL JOIN u;",
      [("a, b)", "a, b, c)")], ["v c"]),
    Case(
      "CREATE TABLE t (id, x); CREATE TABLE u (id, c); CREATE TABLE k (c, z); CREATE VIEW v AS SELECT k.z FROM t JOIN u ON t.id = u.id JOIN k USING (c);",
      [("id, x)", "id, x, c)")], ["v c"]),
    Case(
      "CREATE TABLE t (id, a); CREATE TABLE u (id, c); CREATE VIEW v AS SELECT a FROM t NATURAL JOIN u;",
      [("id, a)", "id, c -- schemakit: renamed from a\n)"), ("SELECT a", "SELECT c")], ["v c"]),
    Case(
      "CREATE TABLE t (id, a); CREATE TABLE u (id, c); CREATE VIEW v AS SELECT id FROM u WHERE EXISTS (SELECT 1 FROM t WHERE t.a <> '' AND c = 'p');",
      [("id, a)", "id, c -- schemakit: renamed from a\n)"), ("t.a", "t.c")], ["v c"]),
    Case(
      "CREATE TABLE n (title); CREATE VIEW v AS SELECT rowid AS r FROM n;", [("title)", "title, rowid)")], ["v rowid"]),
    Case(
      "CREATE TABLE t (id, x); CREATE VIEW v AS SELECT q.c FROM (SELECT *, 1 AS c FROM t) AS q;",
      [("id, x)", "id, x, c)")],
      ["v c"]),
    Case(
      "CREATE TABLE t (id, x); CREATE TABLE u (id, c); CREATE VIEW w AS SELECT * FROM t JOIN u ON t.id = u.id; CREATE VIEW v AS SELECT c FROM w;",
      [("id, x)", "id, x, c)")], ["v c"]),
    Case(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b); CREATE TABLE u (id, c); CREATE VIEW v AS SELECT id, a FROM t WHERE b <> \"d\"; CREATE VIEW v2 AS SELECT u.c FROM u JOIN t ON t.id = u.id;",
      [("a, b)", "c, -- schemakit: renamed from a\n b, d)"), ("id, a FROM", "id, c FROM")], ["v d"]),
    // Both sides of a join of a table with itself get the column.
    Case(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a); CREATE VIEW v AS SELECT x.id FROM t AS x NATURAL JOIN t AS y;",
      [("a)", "a, b)")], ["v b"]),
    Case(
      "CREATE TABLE t (id, a); CREATE VIEW w AS SELECT * FROM t; CREATE VIEW v AS SELECT * FROM t NATURAL JOIN w;",
      [("a)", "a, b UNIQUE)")], ["v b"]),
    Case(
      "CREATE TABLE t (id, a); CREATE TABLE log (n); CREATE TRIGGER g AFTER INSERT ON log BEGIN DELETE FROM log WHERE n NOT IN (SELECT x.id FROM t AS x NATURAL JOIN t AS y); END;",
      [("a)", "a, b)")], ["g b"]),
    // The name stays what it is.
    Case(
      "CREATE TABLE t (id, a); CREATE TABLE u (id); CREATE VIEW v AS SELECT * FROM t NATURAL JOIN u;",
      [("a)", "a, b)")]),
    Case(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a); CREATE TABLE u (id, c); CREATE VIEW v AS SELECT \"a\" AS d FROM t; CREATE VIEW v2 AS SELECT u.c FROM u JOIN t ON t.id = u.id;",
      [("a)", "c, -- schemakit: renamed from a\n d)"), ("\"a\"", "\"c\"")]),
    Case(
      "CREATE TABLE u (id INTEGER PRIMARY KEY, made); CREATE TABLE m (id, team); CREATE TABLE o (nr, buyer); CREATE VIEW v AS SELECT nr, team FROM u NATURAL JOIN m JOIN o ON o.buyer = u.id;",
      [("nr, buyer)", "nr, buyer, made)")]),
    Case(
      "CREATE TABLE t (a); CREATE TABLE k (kk, ll); CREATE TABLE l (kk); CREATE VIEW v AS SELECT a FROM t UNION ALL SELECT kk FROM k NATURAL JOIN l;",
      [("t (a)", "t (a, ll)")]),
    Case(
      "CREATE TABLE note (id INTEGER PRIMARY KEY, body); CREATE TABLE log (note, author); CREATE VIEW notes AS SELECT id, body FROM note; CREATE TRIGGER g INSTEAD OF UPDATE ON notes BEGIN INSERT INTO log (note, author) VALUES (old.id, 'me'); END;",
      [("body)", "body, author)"), ("id, body FROM", "id, body, author FROM")]),
    Case(
      "CREATE TABLE t (a, \"b c\", UNIQUE (a)); CREATE TABLE l (d, a); CREATE TRIGGER g AFTER UPDATE ON t BEGIN INSERT INTO l (d, a) SELECT new.a, new.\"b c\" FROM l WHERE d > new.a; END;",
      [("\"b c\",", "\"b c\", d,")]),
    Case(state + "CREATE VIEW v AS SELECT * FROM t;", [("state TEXT", "state TEXT, \"open\" INT")]),
    Case(
      state + "CREATE VIEW v AS SELECT id FROM t WHERE state = 'open';", [("state TEXT", "state TEXT, \"open\" INT")]),
    Case(state + "CREATE VIEW v AS SELECT *, state AS \"open\" FROM t;", [("state TEXT", "state TEXT, \"open\" INT")]),
    Case(
      book + "CREATE VIEW v AS SELECT writer AS pen FROM book ORDER BY pen;", [("remark TEXT", "remark TEXT, pen INT")]),
    Case(
      book + "CREATE VIEW v AS SELECT a.pen FROM author AS a, book;", [("remark TEXT", "remark TEXT, pen INT")]),
    Case(
      book + "CREATE VIEW v AS SELECT remark FROM book;",
      [("remark TEXT", "pen TEXT -- schemakit: renamed from remark\n"), ("remark FROM", "pen FROM")]),
    // The author says what is meant, or mends what does not work.
    Case(
      state + "CREATE VIEW v AS SELECT id FROM t WHERE state = \"open\";",
      [("state TEXT", "state TEXT, \"open\" INT"), ("state = \"open\"", "\"open\" = 1")]),
    Case(state + "CREATE VIEW v AS SELECT later FROM t;", [("state TEXT", "state TEXT, later INT")]),
    Case(
      "CREATE TABLE a (k INT, x INT); CREATE TABLE b (k INT, y INT); CREATE VIEW v AS SELECT x, y FROM a NATURAL JOIN b;",
      [("y INT", "y INT, z INT")]),
  ]

  @Test("are named with the column, and wait for consent", arguments: cases)
  func captured(_ example: Case) throws {
    let file = try TemporaryDatabase(example.before)
    let declared = example.edits.reduce(example.before) { $0.replacing($1.0, with: $1.1, maxReplacements: 1) }
    let hazards = try file.plan(to: declared).hazards.filter { $0.code == .brokenObject }
    let found = hazards.compactMap { hazard -> String? in
      switch hazard.cause.wording as? BrokenObjectHazard {
      case .capturedName(_, _, let column)?, .naturalJoin(_, _, let column, isLost: false)?:
        return "\(hazard.table) \(column.text)"
      default: return nil
      }
    }
    #expect(found == example.captured)
    #expect(hazards.allSatisfy { $0.hazardClass == .fault })
    guard !example.captured.isEmpty else { return }
    #expect(throws: (any Error).self) { try file.migrate(to: declared) }
    try file.migrate(to: declared, allowing: PlanPolicy(allowing: [.init(.hazardClass(.fault))]))
    #expect(try file.plan(to: declared).isEmpty)
  }

  @Test("a view that does not work, with a trigger instead of UPDATE, keeps no other change back")
  func brokenBefore() throws {
    let broken =
      "CREATE TABLE u (a); CREATE VIEW w AS SELECT nope FROM u; CREATE TRIGGER g INSTEAD OF UPDATE ON w BEGIN DELETE FROM u; END;"
    let file = try TemporaryDatabase(broken)
    try file.migrate(to: "CREATE TABLE n (a); \(broken)")
    #expect(
      try file.value("SELECT count(*) FROM sqlite_master") == .int(4) || file.value("SELECT count(*) FROM n") == .int(0)
    )
  }

  @Test(
    "a view, trigger, index or CHECK that reads a column called rowid does not read the row's number instead",
    arguments: [
      ("", "CREATE VIEW v AS SELECT rowid AS r FROM t;", ["v"]),
      ("", "CREATE VIEW v AS SELECT t.\"oid\" AS r, a FROM t;", ["v"]),
      (
        "", "CREATE TABLE l (x); CREATE TRIGGER g AFTER INSERT ON t BEGIN INSERT INTO l VALUES (new.rowid); END;", ["g"]
      ),
      ("", "CREATE INDEX i ON t (a) WHERE rowid > 1;", ["i"]),
      (", CHECK (rowid <> 3)", "", ["t"]),
      ("", "CREATE VIEW v AS SELECT * FROM t;", []),
      ("", "CREATE VIEW v AS SELECT _rowid_ AS r FROM t;", []),
    ])
  func released(constraint: String, objects: String, expected: [String]) throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE t (a INT, rowid INT, oid INT\(constraint)); \(objects) INSERT INTO t VALUES (1, 7, 8)")
    let plan = try file.plan(to: "CREATE TABLE t (a INT\(constraint)); \(objects)")
    let found = plan.hazards.filter { $0.code == .brokenObject }
    #expect(found.map(\.table) == expected)
    #expect(found.allSatisfy { $0.hazardClass == .fault && $0.message.contains("the number of the row") })
  }

  @Test("a change that took over a name by consent is undone by consent, and the view means the text again")
  func undone() throws {
    let folder = try CommandFolder()
    let view = "CREATE VIEW v AS SELECT id FROM t WHERE state = \"open\";"
    try folder.database(
      "a.db", "CREATE TABLE t (id INTEGER PRIMARY KEY, state TEXT); \(view) INSERT INTO t VALUES (1, 'open');")
    try folder.write("CREATE TABLE t (id INTEGER PRIMARY KEY, state TEXT, \"open\" INT); \(view)", to: "s.sql")
    #expect(try folder.run("apply", "a.db", "--to", "s.sql", "--yes").status == 3)
    #expect(try folder.run("apply", "a.db", "--to", "s.sql", "--yes", "--allow", "SK203:v").status == 0)
    #expect(try folder.run("undo", "a.db", "--yes").status == 3)
    let run = try folder.run("undo", "a.db", "--yes", "--allow", "SK203:v")
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(try folder.rows(of: "a.db", "SELECT id FROM v") == [[.int(1)]])
  }
}

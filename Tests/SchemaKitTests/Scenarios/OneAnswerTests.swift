import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

/// What a plan says of a schema or a file that is odd, and what apply, lint and doctor say of it, agree.
@Suite("One answer for odd schemas and files")
struct OneAnswerTests {
  static let clocks = [
    "CREATE TABLE t (a REAL, b INT, CONSTRAINT later CHECK (a > julianday()))",
    "CREATE TABLE t (a REAL, b INT, CHECK (b IS NULL OR a > julianday('now', '+1 day')))",
    "CREATE TABLE t (a REAL, b INT, c TEXT AS (datetime('now')) STORED)",
    "CREATE TABLE t (a REAL, b INT, c TEXT AS (strftime('%Y')) VIRTUAL)",
    "CREATE TABLE t (a REAL, b INT); CREATE INDEX i ON t (a) WHERE a > julianday('now')",
    "CREATE TABLE t (a REAL, b INT); CREATE INDEX i ON t (date('now') || b)",
  ]

  @Test("an expression that reads the clock needs consent, since no row can be inserted then", arguments: clocks)
  func clock(schema: String) throws {
    let file = try TemporaryDatabase("CREATE TABLE t (a REAL, b INT); INSERT INTO t VALUES (9999999.5, 2)")
    let refused = try file.plan(to: schema).refusals(under: .lossless)
    #expect(refused.map(\.code) == [.brokenObject])
    #expect(refused.allSatisfy { $0.object == "t" && $0.message.contains("non-deterministic") })
    #expect(throws: PlanError.self) { try file.migrate(to: schema) }
    try file.exec("INSERT INTO t (a, b) VALUES (9999999.5, 3)")
    #expect(try file.query("SELECT count(*) FROM t") == [[.int(2)]])
    #expect(try LintScene(schema).objects("SL503") == ["t"])
    let made = try TemporaryDatabase(schema)
    #expect(throws: (any Error).self) { try made.exec("INSERT INTO t (a, b) VALUES (9999999.5, 3)") }
  }

  @Test("functions of date and time that do not read the clock are no fault")
  func noClock() throws {
    let schema = """
      CREATE TABLE t (a TEXT, b TEXT AS (date(a, '+1 day')) STORED, 
        at TEXT DEFAULT CURRENT_TIMESTAMP, now TEXT DEFAULT (datetime('now')),
        CHECK (julianday(a) > julianday('2000-01-01')))
      """
    let file = try TemporaryDatabase("CREATE TABLE other (x)")
    #expect(try file.plan(to: "\(schema); CREATE TABLE other (x)").refusals(under: .lossless).isEmpty)
    #expect(try LintScene(schema).objects("SL503").isEmpty)
  }

  @Test("a fill replaces NULL in a column that becomes the rowid")
  func filledKey() throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE t (id BIGINT PRIMARY KEY, job INTEGER NOT NULL); INSERT INTO t (job) VALUES (1), (1), (2)")
    let schema = "CREATE TABLE t (\nid INTEGER PRIMARY KEY, -- schemakit: fill rowid + 1000\njob INTEGER NOT NULL)"
    #expect(
      try file.plan(to: schema.replacing("-- schemakit: fill rowid + 1000", with: "")).hazards.contains {
        $0.code == .nullsUnderNotNull && $0.hazardClass == .blocked
      })
    try file.migrate(to: schema, allowing: .everything)
    #expect(
      try file.query("SELECT id, job FROM t") == [
        [.int(1001), .int(1)], [.int(1002), .int(1)], [.int(1003), .int(2)],
      ])
    #expect(try file.plan(to: schema).isEmpty)
  }

  static let faults = [
    ("CREATE VIEW v AS SELECT appfn(id) FROM t", "CREATE VIEW v AS SELECT appfn(id), isbn FROM t"),
    (
      "CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT appfn(new.a); END",
      "CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT appfn(new.a); INSERT INTO log VALUES (new.id); END"
    ),
    (
      "CREATE TRIGGER f BEFORE UPDATE ON t BEGIN SELECT appfn(old.b); END",
      "CREATE TRIGGER f BEFORE UPDATE ON t BEGIN SELECT appfn(old.b); END; CREATE TRIGGER g BEFORE DELETE ON t BEGIN SELECT appfn(old.b); END"
    ),
  ]

  @Test(
    "a fault of the schema itself needs consent also where the file calls a function that is not there",
    arguments: 0..<3)
  func declaredFault(number: Int) throws {
    let table = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT)"
    let (before, after) = Self.faults[number]
    let file = try TemporaryDatabase("\(table); \(before)")
    let refused = try file.plan(to: "\(table); \(after)").refusals(under: .lossless)
    #expect(refused.map(\.code) == [.brokenObject])
    var policy = PlanPolicy.lossless
    try policy.add(allow: "SK203")
    #expect(try file.plan(to: "\(table); \(after)").refusals(under: policy).isEmpty)
    #expect(try file.migrate(to: "\(table); \(after)", allowing: policy).outcome == .applied)
  }

  @Test(
    "an index with a text in double quotes is made anew when a column gets that name",
    arguments: [
      ("(\"c\" = b)", "('c' = b)"), ("(a) WHERE b <> \"c\"", "(a) WHERE b <> 'c'"),
    ])
  func quotedText(before: String, after: String) throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE t (a, b); CREATE INDEX i ON t \(before); INSERT INTO t VALUES (1, 'c')")
    let schema = "CREATE TABLE t (a, b, c); CREATE INDEX i ON t \(after)"
    #expect(try file.migrate(to: schema).outcome == .applied)
    #expect(try file.plan(to: schema).isEmpty)
    #expect(try file.query("PRAGMA integrity_check") == [[.text("ok")]])
    #expect(try file.query("SELECT sql LIKE '%''c''%' FROM sqlite_master WHERE name = 'i'") == [[.int(1)]])
  }

  @Test("a statement of the catalog that SQLite cannot read is named, and is no damage of the pages")
  func unreadableStatement() throws {
    let folder = try CommandFolder()
    let path = try folder.database(
      "a.db", "CREATE TABLE u (a); CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT); INSERT INTO t VALUES (1, 'x')")
    let raw = try RawSQLite(folder.url(path).path)
    try raw.exec(
      "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, 'n TEXT', 'n TEXT DEFAULT my word') WHERE name = 't'; PRAGMA schema_version = 99"
    )
    raw.close()
    try folder.write("CREATE TABLE u (a); CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT);", to: "n.sql")
    for arguments in [
      ["plan", "a.db", "--to", "n.sql"], ["apply", "a.db", "--to", "n.sql", "--yes"], ["inspect", "a.db"],
    ] {
      let run = try CommandRun(arguments, in: folder)
      #expect(run.status == 1)
      #expect(
        run.errors.contains(
          "SQLite cannot read the statement of table t in sqlite_schema: near \"word\": syntax error."))
      #expect(!run.errors.contains("backup"))
    }
    let doctor = try CommandRun(["doctor", "a.db"], in: folder)
    #expect(doctor.status == 1)
    #expect(doctor.output.contains("SD101") && doctor.output.contains("statement of table t"))
    #expect(!doctor.output.contains("never used") && !doctor.output.contains("backup"))
    // The way out, as doctor tells it.
    let mended = try RawSQLite(folder.url(path).path)
    try mended.exec(
      "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = 'CREATE TABLE t (id INTEGER PRIMARY KEY, n TEXT)' WHERE type = 'table' AND name = 't'; PRAGMA writable_schema = OFF"
    )
    mended.close()
    #expect(try CommandRun(["check", "a.db", "--to", "n.sql"], in: folder).status == 0)
  }
}

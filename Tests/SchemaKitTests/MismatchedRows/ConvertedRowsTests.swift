import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Copies that convert rows which break their table")
struct ConvertedRowsTests {
  /// A file whose column `c` was text, and a declaration of the same affinity.
  struct Case: CustomTestStringConvertible {
    var name: String
    var before: String
    var edits: KeyValuePairs<String, String> = ["c TEXT": "c INT"]
    var after: String
    /// The obstacle that the converted values are; nil if there is none.
    var obstacle: HazardCode?
    var testDescription: String { name }
  }

  static let cases: [Case] = [
    Case(
      name: "a UNIQUE under which two values become one",
      before: "CREATE TABLE t (c TEXT, UNIQUE (c)); INSERT INTO t VALUES ('5'), ('05')",
      after: "CREATE TABLE t (c INTEGER, UNIQUE (c))", obstacle: .duplicates),
    Case(
      name: "a UNIQUE under which they stay distinct",
      before: "CREATE TABLE t (c TEXT, UNIQUE (c)); INSERT INTO t VALUES ('5'), ('06')",
      after: "CREATE TABLE t (c INTEGER, UNIQUE (c))"),
    Case(
      name: "a key under which two values become one",
      before: "CREATE TABLE t (c TEXT, d, PRIMARY KEY (c)); INSERT INTO t VALUES ('5', 1), ('05', 2)",
      after: "CREATE TABLE t (c INTEGER, d TEXT, PRIMARY KEY (c DESC))", obstacle: .duplicates),
    Case(
      name: "a unique index under which two values become one",
      before: """
        CREATE TABLE t (c TEXT, d); CREATE UNIQUE INDEX i ON t (d, abs(c)); INSERT INTO t VALUES ('5', 1), ('05', 2);
        CREATE UNIQUE INDEX j ON t (c)
        """,
      after: """
        CREATE TABLE t (c INTEGER, d); CREATE UNIQUE INDEX i ON t (d, abs(c)); CREATE UNIQUE INDEX j ON t (c)
        """, obstacle: .duplicates),
    Case(
      name: "a CHECK that a value passes as text alone",
      before: "CREATE TABLE t (c TEXT, CHECK (typeof(c) = 'text')); INSERT INTO t VALUES ('5'), ('x')",
      after: "CREATE TABLE t (c INTEGER, CHECK (typeof(c) = 'text'))", obstacle: .failingCheck),
    Case(
      name: "a unique index over a column computed from it",
      before: """
        CREATE TABLE t (c TEXT, g AS (c || 'x')); CREATE UNIQUE INDEX i ON t (g); INSERT INTO t VALUES ('5'), ('05')
        """,
      after: "CREATE TABLE t (c INTEGER, g AS (c || 'x')); CREATE UNIQUE INDEX i ON t (g)", obstacle: .duplicates),
    Case(
      name: "a reference to a text",
      before: """
        CREATE TABLE p (k TEXT PRIMARY KEY); CREATE TABLE t (c TEXT REFERENCES p (k));
        INSERT INTO p VALUES ('05'); INSERT INTO t VALUES ('05')
        """,
      after: "CREATE TABLE p (k TEXT PRIMARY KEY); CREATE TABLE t (c INTEGER REFERENCES p (k))", obstacle: .orphans),
  ]

  @Test(
    "a script is ready if the converted values fit", arguments: cases,
    [EngineProfile.Name.inTransaction, .d1, .rqlite, .libsql])
  func script(_ change: Case, for name: EngineProfile.Name) throws {
    let file = try EditedFile(change.before, change.edits)
    let migration = try ScriptedMigration(
      of: file.database.path, to: TemporaryDatabase.target(change.after), for: name, allowing: .everything)
    let plan = migration.plan
    let isConverted = plan.hazards.contains { $0.code == .lossyConversion && $0.object == "t.c" }
    #expect(isConverted)
    let blocked = Set(plan.hazards.filter { $0.hazardClass == .blocked }.map(\.code))
    #expect(blocked == Set([change.obstacle].compactMap(\.self)))
    guard change.obstacle == nil else { return }
    let database = try file.database.reopened()
    defer { database.close() }
    try EngineRules(name).run(migration.script(), on: database)
    #expect(try file.values(of: ["c"], key: "c").map { $0[1] } == [.text("integer"), .text("integer")])
    #expect(try file.problems() == ["ok"])
  }

  @Test("a stored column is not computed beside NULL under NOT NULL, which it would take for NULL")
  func nullUnderNotNull() throws {
    let file = try EditedFile(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, c TEXT, g AS (id) STORED); INSERT INTO t (id) VALUES (1)",
      ["c TEXT": "c TEXT NOT NULL"])
    let other = "CREATE TABLE t (id INTEGER PRIMARY KEY, c TEXT NOT NULL COLLATE RTRIM, g AS (c IS NULL) STORED)"
    let plan = try file.database.plan(to: other)
    #expect(plan.refusals(under: .everything).map(\.code) == [.nullsUnderNotNull])
    // Where the column stays as it is, SQLite computes it from the old rows.
    let computed = try file.database.query("SELECT c IS NULL FROM t")
    try file.database.migrate(to: other.replacing(" COLLATE RTRIM", with: ""))
    #expect(try file.database.query("SELECT g FROM t") == computed)
    #expect(try file.database.plan(to: other.replacing(" COLLATE RTRIM", with: "")).isEmpty)
  }

  @Test("a default that takes the place of NULL is one that STRICT takes")
  func filledInStrict() throws {
    try Engine.require("CREATE TABLE t (c BLOB) STRICT")
    let file = try TemporaryDatabase("CREATE TABLE t (c BLOB, d INT); INSERT INTO t VALUES (NULL, '5'), (x'00', 5)")
    let plan = try file.plan(to: "CREATE TABLE t (c BLOB NOT NULL DEFAULT 3, d INT) STRICT")
    #expect(plan.refusals(under: .everything).map(\.code) == [.notStorable])
    try file.migrate(to: "CREATE TABLE t (c BLOB NOT NULL DEFAULT x'03', d INT) STRICT")
    #expect(try file.query("SELECT quote(c), d FROM t") == [[.text("X'03'"), .int(5)], [.text("X'00'"), .int(5)]])
  }

  @Test("a computed column is added to a table that is STRICT no more, whatever it gives")
  func computedAfterStrict() throws {
    let file = try TemporaryDatabase("CREATE TABLE t (c BLOB PRIMARY KEY) STRICT; INSERT INTO t VALUES (x'00')")
    let after = "CREATE TABLE t (c BLOB PRIMARY KEY, d BLOB AS (typeof(c)) VIRTUAL)"
    try file.migrate(to: after)
    #expect(try file.query("SELECT d FROM t") == [[.text("blob")]])
    #expect(try file.plan(to: after).isEmpty)
  }

  @Test("a stored column has the type that its words are with a comment between them")
  func wordsOfType() throws {
    let column = "g GENERATED -- words\n ALWAYS AS (n || '') STORED"
    let file = try TemporaryDatabase("CREATE TABLE t (n TEXT); INSERT INTO t VALUES ('50')")
    let fresh = try TemporaryDatabase("CREATE TABLE t (n INT, \(column)); INSERT INTO t VALUES ('50')")
    try file.migrate(to: "CREATE TABLE t (n INT, \(column))")
    let values = "SELECT typeof(n), typeof(g), g FROM t"
    #expect(try file.query(values) == fresh.query(values))
  }
}

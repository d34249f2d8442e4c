import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("InPlaceRule")
struct InPlaceRuleTests {
  /// A table of 40 rows, every tenth of them with NULL in `b`.
  private func file(_ more: String = "") throws -> TemporaryDatabase {
    try TemporaryDatabase(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b INT, c AS (coalesce(b, -1) * 2) STORED); CREATE INDEX i ON t (b);"
        + "CREATE TABLE log (what);\n"
        + rows(40) { "INSERT INTO t (id, a, b) VALUES (\($0), 'a\($0)', \($0 % 10 == 0 ? "NULL" : "\($0)"))" } + more)
  }
  private let target =
    "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b INT NOT NULL DEFAULT 7, c AS (coalesce(b, -1) * 2) STORED);"
    + "CREATE INDEX i ON t (b); CREATE TABLE log (what);"

  @Test("few NULLs are filled where they are; indexes and computed columns follow, and no other row changes")
  func fills() throws {
    let file = try file()
    let before = try file.query("SELECT rowid, a, b, c FROM t WHERE id % 10 <> 0")
    let report = try file.migrate(to: target)
    let step = try #require(report.plan.steps.first)
    #expect(step.strategy == .update)
    #expect(step.rows == 4)
    #expect(step.changes.contains("fill b in 4 rows"))
    try file.expectSettled(at: target)
    #expect(try file.query("SELECT rowid, a, b, c FROM t WHERE id % 10 <> 0") == before)
    #expect(
      try file.query("SELECT id, b, c FROM t WHERE b = 7 AND id <> 7")
        == table(4) { [.int($0 * 10), .int(7), .int(14)] })
  }

  @Test("where many rows would change that an index reads, the table is rebuilt")
  func many() throws {
    let file = try file("UPDATE t SET b = NULL WHERE id < 20;")
    let step = try #require(try file.migrate(to: target).plan.steps.first)
    #expect(step.strategy == .rebuild)
    #expect(step.passedOver.last?.sentenceOfRejections.hasPrefix("22 of 40 rows would change in place") == true)
    try file.expectSettled(at: target)
    #expect(try file.value("SELECT count(*) FROM t WHERE b = 7") == .int(22))
  }

  @Test("no trigger fires, be it of the file or of the connection, and all are there afterwards")
  func triggers() throws {
    let trigger = "CREATE TRIGGER g AFTER UPDATE ON t BEGIN INSERT INTO log VALUES ('file'); END;"
    let file = try file(trigger)
    let connection = try file.connection()
    try connection.execute(
      "CREATE TEMP TRIGGER h BEFORE UPDATE OF b ON main.t BEGIN INSERT INTO log VALUES ('temp'); END")
    let declared = try TemporaryDatabase.target(target + trigger)
    let report = try Change(over: connection, to: declared).apply()
    #expect(report.plan.steps.contains { $0.strategy == .update })
    #expect(try file.value("SELECT count(*) FROM log") == .int(0))
    try connection.run("UPDATE t SET b = 1 WHERE id = 1")
    #expect(try file.query("SELECT what FROM log ORDER BY what") == [[.text("file")], [.text("temp")]])
    try file.expectSettled(at: target + trigger)
  }

  @Test("a TEMP trigger goes with its table to a new name, and fires at no work of the plan", arguments: [0, 30])
  func renamedTable(changing: Int) throws {
    let file = try file("UPDATE t SET b = NULL WHERE id < \(changing);")
    let connection = try file.connection()
    try connection.execute(
      "CREATE TEMP TRIGGER h BEFORE UPDATE OF b ON main.t BEGIN INSERT INTO log VALUES ('temp'); END")
    let target = target.replacing("TABLE t (", with: "TABLE u ( -- schemakit: renamed from t\n")
      .replacing("INDEX i ON t", with: "INDEX i ON u")
    let report = try Change(over: connection, to: try TemporaryDatabase.target(target)).apply()
    #expect(report.plan.steps.contains { $0.strategy == (changing == 0 ? .update : .rebuild) })
    #expect(try file.value("SELECT count(*) FROM log") == .int(0))
    try connection.run("UPDATE u SET b = 1 WHERE id = 1")
    #expect(try file.query("SELECT what FROM log") == [[.text("temp")]])
    try file.expectSettled(at: target)
  }

  @Test("rows from before an ADD COLUMN keep what they show when the default changes", arguments: [0, 1, 40])
  func shortRows(count: Int) throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE t (id INTEGER PRIMARY KEY);\n" + rows(count) { "INSERT INTO t VALUES (\($0))" }
        + "ALTER TABLE t ADD COLUMN d INT DEFAULT 1;"
        + rows(count * 9) { "INSERT INTO t VALUES (\($0 + 1000), 2)" } + "CREATE INDEX i ON t (d);")
    let target = "CREATE TABLE t (id INTEGER PRIMARY KEY, d INT DEFAULT 3); CREATE INDEX i ON t (d);"
    let step = try #require(try file.migrate(to: target).plan.steps.first)
    #expect(step.strategy == (count == 0 ? .catalog : .update))
    try file.expectSettled(at: target)
    #expect(try file.value("SELECT count(*) FROM t WHERE d = 1") == .int(Int64(count)))
    #expect(try file.value("SELECT count(*) FROM t NOT INDEXED WHERE d = 1") == .int(Int64(count)))
    let bare = "CREATE TABLE t (id INTEGER PRIMARY KEY, d INT); CREATE INDEX i ON t (d);"
    try file.migrate(to: bare)
    try file.expectSettled(at: bare)
    #expect(try file.value("SELECT count(*) FROM t NOT INDEXED WHERE d = 1") == .int(Int64(count)))
  }

  @Test("a CHECK that goes but would still refuse the update makes it a rebuild")
  func checkInTheWay() throws {
    let check = "CHECK (b <> 7 OR id = 7)"
    let file = try TemporaryDatabase(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, b INT \(check));" + rows(40) { "INSERT INTO t VALUES (\($0), \($0))" }
        + "UPDATE t SET b = NULL WHERE id = 3;")
    let target = "CREATE TABLE t (id INTEGER PRIMARY KEY, b INT NOT NULL DEFAULT 7)"
    #expect(try file.migrate(to: target).plan.steps.map(\.strategy) == [.rebuild])
    try file.expectSettled(at: target)
    #expect(try file.query("SELECT b FROM t WHERE id = 3") == [[.int(7)]])
  }

  @Test("a key that would replace other rows stops the update instead")
  func replacingKey() throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, b INT UNIQUE ON CONFLICT REPLACE);"
        + rows(40) { "INSERT INTO t VALUES (\($0), \($0))" } + "UPDATE t SET b = NULL WHERE id = 3;")
    let target = "CREATE TABLE t (id INTEGER PRIMARY KEY, b INT NOT NULL DEFAULT 7 UNIQUE ON CONFLICT REPLACE)"
    #expect(try file.refusals(to: target).map(\.code) == [.duplicates])
    #expect(try file.value("SELECT count(*) FROM t") == .int(40))
  }
}

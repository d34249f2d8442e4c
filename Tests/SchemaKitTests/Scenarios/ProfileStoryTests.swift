import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Stories by the scripts of other engines")
struct ProfileStoryTests {
  @Test(
    "a story ends as it does on a file, under the rules of each engine", arguments: Story.all,
    EngineProfile.Name.allCases)
  func endsAsOnAFile(story: Story, name: EngineProfile.Name) throws {
    let (before, after) = (story.text("before.sql") ?? "", story.text("after.sql") ?? "")
    try Engine.require(before + after)
    let start = before + (story.text("rows.sql") ?? "")
    let (local, elsewhere) = (try TemporaryDatabase(start), try TemporaryDatabase(start))
    try local.migrate(to: after)
    let migration = try ScriptedMigration(of: elsewhere.path, to: TemporaryDatabase.target(after), for: name)
    #expect(migration.plan.refusals(under: .lossless).isEmpty)
    let database = try elsewhere.reopened()
    try EngineRules(name).run(try migration.script(), on: database)
    database.close()
    #expect(try elsewhere.plan(to: after).isEmpty)
    for query in (story.text("expected.txt") ?? "").split(separator: "\n") where query.hasPrefix("> ") {
      let sql = String(query.dropFirst(2))
      #expect(try elsewhere.query(sql) == local.query(sql), "\(sql)")
    }
    #expect(try elsewhere.query("PRAGMA foreign_key_check") == local.query("PRAGMA foreign_key_check"))
    #expect(try elsewhere.query("PRAGMA integrity_check") == [[.text("ok")]])
  }

  @Test(
    "a value that is converted with consent does not stop the script of a table without a common key",
    arguments: EngineProfile.Name.allCases)
  func convertedWithoutKey(name: EngineProfile.Name) throws {
    let file = try EditedFile(
      "CREATE TABLE t (a INT, b TEXT, PRIMARY KEY (a)) WITHOUT ROWID; INSERT INTO t VALUES (11, '1e2')",
      ["b TEXT": "b INTEGER"])
    let target = try TemporaryDatabase.target("CREATE TABLE t (a INT, b INT, PRIMARY KEY (a))")
    let migration = try ScriptedMigration(of: file.database.path, to: target, for: name, allowing: .everything)
    let database = try file.database.reopened()
    try EngineRules(name).run(try migration.script(), on: database)
    database.close()
    #expect(try file.database.query("SELECT a, b FROM t") == [[.int(11), .int(100)]])
  }

  @Test(
    "AUTOINCREMENT has the mark that it had, or none", arguments: EngineProfile.Name.allCases,
    ["", "INSERT INTO t (a) VALUES ('x'); DELETE FROM t", "INSERT INTO t VALUES (7, 'x')"])
  func marks(name: EngineProfile.Name, rows: String) throws {
    let file = try TemporaryDatabase("CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT); \(rows)")
    let marks = try file.query("SELECT name, seq FROM sqlite_sequence")
    let after = "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT, CHECK (a <> 'z'))"
    let migration = try ScriptedMigration(of: file.path, to: TemporaryDatabase.target(after), for: name)
    let database = try file.reopened()
    try EngineRules(name).run(try migration.script(), on: database)
    database.close()
    #expect(try file.query("SELECT name, seq FROM sqlite_sequence") == marks)
  }

  @Test(
    "a key that becomes AUTOINCREMENT gets its mark from the rows", arguments: EngineProfile.Name.allCases,
    ["", "INSERT INTO t VALUES (7, 'x')"])
  func newMarks(name: EngineProfile.Name, rows: String) throws {
    let file = try TemporaryDatabase("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); \(rows)")
    let after = "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT)"
    let migration = try ScriptedMigration(of: file.path, to: TemporaryDatabase.target(after), for: name)
    let database = try file.reopened()
    try EngineRules(name).run(try migration.script(), on: database)
    database.close()
    #expect(
      try file.query("SELECT name, seq FROM sqlite_sequence") == (rows.isEmpty ? [] : [[.text("t"), .int(7)]]))
  }
}

extension ProjDatabaseTests {
  // D1 could not hold the file: a view of it has more than five SELECTs in a UNION.
  @Test(
    "a CHECK is tightened by the script for an engine, on a table whose children would go with its rows",
    arguments: EngineProfile.Name.allCases.filter { $0 != .d1 })
  func tightensCheckByScript(name: EngineProfile.Name) throws {
    let sql = try proj.changing(
      "extent", "CHECK (south_lat <= north_lat)", to: "CHECK (south_lat <= north_lat AND length(description) > 0)")
    let migration = try ScriptedMigration(
      of: proj.database.path, to: TemporaryDatabase.target(sql), for: name, allowing: .lossless)
    #expect(migration.plan.refusals(under: .lossless).map(\.message) == [])
    let database = try proj.database.reopened()
    try EngineRules(name).run(try migration.script(), on: database)
    database.close()
    #expect(throws: RawSQLiteError.self) {
      try proj.database.exec("INSERT INTO extent VALUES ('T', '1', 'Test', '', 0, 1, 0, 1, 0)")
    }
    try proj.check()
  }
}

import Testing

@testable import SQLiteSchema
@testable import SchemaKit

// P60-P62, P68: statistics, full-text tables, renames without a hint, readers with a snapshot.
@Suite("Pitfalls: statistics, full text, renames, readers")
struct OtherPitfallTests {
  private func statistics(_ database: TemporaryDatabase) throws -> [[RawValue]] {
    try database.query("SELECT tbl, idx, stat FROM sqlite_stat1 ORDER BY tbl, idx")
  }

  private static let numbered =
    "CREATE TABLE t (a INT UNIQUE, b INT); CREATE INDEX i ON t (b); CREATE TABLE u (x); CREATE INDEX j ON u (x);"

  @Test("P60: the statistics of ANALYZE survive a rebuild", arguments: [0, 5])
  func statisticsThroughRebuild(count: Int) throws {
    let database = try TemporaryDatabase(
      Self.numbered + rows(count) { "INSERT INTO t VALUES (\($0), \($0 / 2)); INSERT INTO u VALUES (1)" } + "ANALYZE;")
    let before = try statistics(database)
    #expect(before.count == (count == 0 ? 0 : 3))
    try database.rebuild("t", to: Self.numbered.replacing("b INT)", with: "b INT NOT NULL)"))
    #expect(try statistics(database) == before)
  }

  @Test("P60: the statistics follow a rename, alone and with a rebuild", arguments: ["b INT)", "b INT NOT NULL)"])
  func statisticsThroughRename(column: String) throws {
    let database = try TemporaryDatabase(
      Self.numbered + rows(5) { "INSERT INTO t VALUES (\($0), \($0 / 2)); INSERT INTO u VALUES (1)" } + "ANALYZE;")
    let wanted = try database.query(
      """
      SELECT CASE tbl WHEN 't' THEN 'w' ELSE tbl END, replace(idx, 'autoindex_t_', 'autoindex_w_'), stat
      FROM sqlite_stat1
      ORDER BY 1, 2
      """)
    let after = Self.numbered.replacing("TABLE t (", with: "TABLE w ( -- schemakit: renamed from t\n").replacing(
      "ON t", with: "ON w"
    )
    .replacing("b INT)", with: column)
    try database.migrate(to: after)
    #expect(try statistics(database) == wanted)
    try database.expectSettled(at: after)
    // SQLite itself uses them under the new name.
    #expect(try database.query("SELECT 1 FROM sqlite_stat1 WHERE tbl NOT IN (SELECT name FROM sqlite_master)").isEmpty)
  }

  @Test("P60: statistics of an index that goes are not left behind")
  func statisticsOfDroppedIndex() throws {
    let database = try TemporaryDatabase(
      Self.numbered + rows(5) { "INSERT INTO t VALUES (\($0), \($0 / 2)); INSERT INTO u VALUES (1)" } + "ANALYZE;")
    try database.migrate(
      to: "CREATE TABLE t (a INT UNIQUE, b INT NOT NULL); CREATE TABLE u (x); CREATE INDEX j ON u (x);")
    let leftovers = "SELECT idx FROM sqlite_stat1 WHERE idx NOT IN (SELECT name FROM sqlite_master)"
    #expect(try database.query(leftovers).isEmpty)
  }

  @Test("P61: shadow tables are nobody's, and arguments in another spelling are equal", arguments: [0, 3])
  func fullText(count: Int) throws {
    func schema(_ note: String, _ fts: String) -> String {
      "CREATE TABLE note (a INT\(note)); CREATE VIRTUAL TABLE search USING \(fts);"
    }
    let fts = "fts5(title, body, tokenize='porter ascii')"
    let database = try TemporaryDatabase(
      schema("", fts)
        + rows(count) { "INSERT INTO note VALUES (\($0)); INSERT INTO search VALUES ('t\($0)', 'running')" })
    #expect(try database.plan(to: schema("", fts)).isEmpty)
    #expect(try database.plan(to: schema("", "FTS5( title,body ,  tokenize='porter ascii' )")).isEmpty)
    let shadows = try database.query("SELECT name, sql FROM sqlite_master WHERE name LIKE 'search%' ORDER BY 1")
    #expect(shadows.count > 4)
    try database.rebuild("note", to: schema(" NOT NULL", fts))
    #expect(try database.query("SELECT name, sql FROM sqlite_master WHERE name LIKE 'search%' ORDER BY 1") == shadows)
    #expect(try database.query("SELECT title FROM search WHERE search MATCH 'run'").count == count)
  }

  @Test("P61: other arguments make another table, which requires consent when it holds rows", arguments: [0, 3])
  func changedFullText(count: Int) throws {
    let database = try TemporaryDatabase(
      "CREATE VIRTUAL TABLE search USING fts5(title);" + rows(count) { "INSERT INTO search VALUES ('t\($0)')" })
    let after = "CREATE VIRTUAL TABLE search USING fts5(title, body);"
    if count > 0 {
      #expect(
        try database.refusals(to: after).contains {
          $0.code == .droppedTable && $0.table == "search" && $0.count == count
        })
    }
    let report = try database.migrate(to: after, allowing: count > 0 ? .destructive : .lossless)
    #expect(report.plan.steps.map(\.strategy) == [.drop, .create])
    try database.exec("INSERT INTO search VALUES ('a', 'b')")
    #expect(try database.query("SELECT * FROM search WHERE search MATCH 'b'").count == 1)
    try database.expectSettled(at: after)
  }

  @Test("P61: shadow tables go with their table and with nothing else")
  func droppedFullText() throws {
    let database = try TemporaryDatabase(
      "CREATE VIRTUAL TABLE search USING fts5(title); CREATE TABLE search_engine (x);")
    let after = "CREATE TABLE search_engine (x);"
    let report = try database.migrate(to: after, allowing: .destructive)
    #expect(report.plan.steps.map(\.object.name) == ["search"])
    #expect(
      try database.query("SELECT name FROM sqlite_master WHERE name LIKE 'search%'") == [[.text("search_engine")]])
  }

  @Test("P62: a likely rename of a column needs consent, and the message offers the hint", arguments: [0, 3])
  func unhintedColumnRename(count: Int) throws {
    let database = try TemporaryDatabase(
      "CREATE TABLE t (a INT, b TEXT);" + rows(count) { "INSERT INTO t VALUES (\($0), 'b')" })
    let after = "CREATE TABLE t (a INT, c TEXT);"
    let hazard = try #require(try database.plan(to: after).hazards.first { $0.code == .droppedColumn })
    #expect(
      hazard.remedy?.contains("-- schemakit: renamed from b") == true && hazard.remedy?.contains("t.b=t.c") == true)
    #expect(hazard.isPotential == (count == 0) && hazard.count == count)
    if count > 0 { #expect(try database.refusals(to: after).map(\.code) == [.droppedColumn]) }
    try database.migrate(to: "CREATE TABLE t (a INT, c TEXT -- schemakit: renamed from b\n);")
    #expect(try database.query("SELECT c FROM t") == Array(repeating: [.text("b")], count: count))
    try database.expectSettled(at: after)
  }

  @Test("P62: a likely rename of a table needs consent, and the message offers the hint", arguments: [0, 3])
  func unhintedTableRename(count: Int) throws {
    let database = try TemporaryDatabase(
      "CREATE TABLE t (a INT, b TEXT);" + rows(count) { "INSERT INTO t VALUES (\($0), 'b')" })
    let after = "CREATE TABLE w (a INT, b TEXT);"
    let hazard = try #require(try database.plan(to: after).hazards.first { $0.code == .droppedTable })
    #expect(hazard.remedy?.contains("-- schemakit: renamed from t") == true && hazard.remedy?.contains("t=w") == true)
    if count > 0 { #expect(try database.refusals(to: after).map(\.code) == [.droppedTable]) }
    try database.migrate(to: "CREATE TABLE w (a INT, b TEXT); -- schemakit: renamed from t")
    #expect(try database.query("SELECT b FROM w") == Array(repeating: [.text("b")], count: count))
    try database.expectSettled(at: after)
  }

  @Test("P62: with consent it is the drop and the add that it was asked to be")
  func consentedDrop() throws {
    let database = try TemporaryDatabase("CREATE TABLE t (a INT, b TEXT); INSERT INTO t VALUES (1, 'b');")
    try database.migrate(to: "CREATE TABLE t (a INT, c TEXT);", allowing: .destructive)
    #expect(try database.query("SELECT * FROM t") == [[.int(1), .null]])
  }

  @Test("P68: a reader keeps its snapshot while a migration commits, and then sees the new schema", arguments: [1, 3])
  func readerKeepsSnapshot(count: Int) throws {
    let database = try TemporaryDatabase(
      "PRAGMA journal_mode = WAL; CREATE TABLE t (a INT, b TEXT);" + rows(count) { "INSERT INTO t VALUES (\($0), 'b')" }
    )
    let reader = try database.reopened()
    let idle = try database.reopened()
    #expect(try idle.rows("SELECT b FROM t").count == count)
    try reader.exec("BEGIN")
    #expect(try reader.rows("SELECT * FROM t").count == count)
    let after = "CREATE TABLE t (a INT NOT NULL, c TEXT -- schemakit: renamed from b\n, d INT DEFAULT 4);"
    #expect(try database.migrate(to: after).outcome == .applied)
    #expect(try reader.rows("SELECT b FROM t") == Array(repeating: [.text("b")], count: count))
    #expect(throws: RawSQLiteError.self) { try reader.rows("SELECT c FROM t") }
    try reader.exec("COMMIT")
    #expect(try reader.rows("SELECT c, d FROM t") == Array(repeating: [.text("b"), .int(4)], count: count))
    #expect(throws: RawSQLiteError.self) { try idle.rows("SELECT b FROM t") }
    #expect(throws: RawSQLiteError.self) { try idle.exec("INSERT INTO t (a) VALUES (NULL)") }
    try database.expectSettled(at: after)
  }
}

import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("The SQLite that wrote a file last", .needsPlainFiles("it reads the header"))
struct LastWriterTests {
  private func lastWriter(of path: String) throws -> SQLiteVersion? {
    let connection = try SQLiteConnection.openedForInspection(path: path)
    _ = try connection.integer("SELECT count(*) FROM sqlite_master")
    return connection.lastWriterVersionNumber.map { SQLiteVersion(number: $0) }
  }

  @Test("is the running one after a write, and another one where that wrote last")
  func header() throws {
    let file = try TemporaryDatabase("CREATE TABLE t (a)")
    #expect(try lastWriter(of: file.path) == OtherWriterScene.engine)
    try file.setLastWriter(SQLiteVersion(3, 46, 1))
    #expect(try lastWriter(of: file.path) == SQLiteVersion(3, 46, 1))
    try file.exec("INSERT INTO t VALUES (1)")
    #expect(try lastWriter(of: file.path) == OtherWriterScene.engine)
  }

  @Test("is not known of an empty file, a database in memory, and one that a version before 3.7 has changed since")
  func unknown() throws {
    let empty = try TemporaryDatabase()
    #expect(try lastWriter(of: empty.path) == nil)
    #expect(try SQLiteConnection.memory().lastWriterVersionNumber == nil)
    let file = try TemporaryDatabase("CREATE TABLE t (a)")
    let handle = try FileHandle(forUpdating: URL(fileURLWithPath: file.path))
    try handle.seek(toOffset: 24)
    try handle.write(contentsOf: Data([0, 0, 1, 0]))
    try handle.close()
    #expect(try lastWriter(of: file.path) == nil)
  }

  @Test("stands in the write-ahead log where the first page was committed there")
  func log() throws {
    let file = try TemporaryDatabase("PRAGMA journal_mode = WAL; CREATE TABLE t (a)")
    let copy = try TemporaryDatabase()
    let (plain, log) = (URL(fileURLWithPath: file.path), URL(fileURLWithPath: file.path + "-wal"))
    try file.setLastWriter(SQLiteVersion(3, 46, 1))
    let database = try file.reopened()
    try database.exec("CREATE TABLE u (a); BEGIN; INSERT INTO u VALUES (1); COMMIT")
    try Data(contentsOf: plain).write(to: URL(fileURLWithPath: copy.path))
    try Data(contentsOf: log).write(to: URL(fileURLWithPath: copy.path + "-wal"))
    database.close()
    // Without the log, the file is as it was before.
    let older = try TemporaryDatabase()
    try Data(contentsOf: URL(fileURLWithPath: copy.path)).write(to: URL(fileURLWithPath: older.path))
    #expect(try lastWriter(of: older.path) == SQLiteVersion(3, 46, 1))
    #expect(try lastWriter(of: copy.path) == OtherWriterScene.engine)
  }

  @Test("the versions from which something is computed otherwise are those of the running SQLite")
  func differences() throws {
    let probes: [(String, SQLiteVersion)] = [
      ("SELECT (0.1 + 0.2) || '' <> '0.3'", SQLiteVersion(3, 53)),
      ("SELECT round(1.005, 2) = 1.0", SQLiteVersion(3, 43)),
      ("SELECT date('2023-02-30') = '2023-03-02'", SQLiteVersion(3, 45)),
      ("SELECT strftime('%f', '2024-01-01 10:00:00.9996') = '00.999'", SQLiteVersion(3, 49)),
      ("SELECT datetime('2024-01-01 24:00:00') = '2024-01-02 00:00:00'", SQLiteVersion(3, 54)),
    ]
    let engine = OtherWriterScene.engine
    for (sql, since) in probes {
      #expect(try RawSQLite().rows(sql) == [[.int(engine >= since ? 1 : 0)]], "\(sql)")
    }
    let file = try TemporaryDatabase(
      "CREATE TABLE t (a); INSERT INTO t VALUES (1); ALTER TABLE t ADD COLUMN b DEFAULT 1.0; "
        + "ALTER TABLE t ADD COLUMN c TEXT DEFAULT TRUE;")
    #expect(
      try file.query("SELECT typeof(b), typeof(c) FROM t") == [
        [
          .text(engine >= SQLiteVersion(3, 46) ? "real" : "integer"),
          .text(engine >= SQLiteVersion(3, 44) ? "text" : "integer"),
        ]
      ])
    #expect(
      EngineDifference.between(SQLiteVersion(3, 40, 1), SQLiteVersion(3, 54, 1)) == Set(EngineDifference.allCases))
    #expect(EngineDifference.between(SQLiteVersion(3, 46, 1), SQLiteVersion(3, 48)).isEmpty)
    #expect(EngineDifference.between(engine, engine).isEmpty)
  }
}

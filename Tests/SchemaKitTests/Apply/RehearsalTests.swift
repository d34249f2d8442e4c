import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitOperations

@Suite("Rehearsal on a copy")
struct RehearsalTests {
  private static let after = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT NOT NULL, b TEXT)"

  private struct Stopped: Error {}

  /// A file with enough rows for a journal, in one of the journal modes.
  private func file(_ mode: String = "delete") throws -> TemporaryDatabase {
    let file = try TemporaryDatabase(
      """
      PRAGMA journal_mode = \(mode);
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5000)
      INSERT INTO t SELECT i, 'row number ' || i FROM n;
      """)
    return file
  }

  private func rehearse(
    _ file: TemporaryDatabase, queries: String? = nil, isCancelled: @escaping () -> Bool = { false },
    onCopy: (SQLiteConnection) throws -> Void = { _ in }
  ) throws -> Rehearsal.Result {
    let source = try SQLiteConnection.openedForInspection(path: file.path)
    var rehearsal = Rehearsal(
      folder: file.folder.path, name: "test.db", busyTimeout: 1,
      queries: try queries.map { try QueryScript($0, source: "q.sql") })
    rehearsal.isCancelled = isCancelled
    let target = try TemporaryDatabase.target(Self.after)
    return try rehearsal.run(copying: source) { copy, observe in
      try onCopy(copy)
      var request = ChangeRequest(allowing: .copying)
      observe(&request)
      return try Change(over: copy, to: target, request).apply()
    }
  }

  /// The files beside the database, without those that reading a write-ahead log leaves.
  private func others(_ file: TemporaryDatabase) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: file.folder.path).filter { !$0.hasPrefix("test.db") }
  }

  @Test("the copy is changed and measured, the database is not", arguments: ["delete", "wal"])
  func measures(mode: String) throws {
    let file = try file(mode)
    let before = try file.bytes
    let result = try rehearse(file, queries: "SELECT b FROM t")
    #expect(result.report.outcome == .applied)
    #expect(result.report.plan.copiedRows == 5000)
    #expect(result.journalMode == mode)
    #expect(result.bytesBefore == before.count)
    #expect(result.bytesAfter > result.bytesBefore)
    // A log holds every new page; a journal those that were there before.
    #expect(result.peakJournalBytes > (mode == "wal" ? before.count : 0))
    #expect(result.isSound)
    #expect(result.queries.map(\.verdict) == [.mended])
    #expect(try file.bytes == before)
    #expect(try others(file) == [])
    #expect(try file.value("SELECT count(*) FROM pragma_table_info('t')") == .int(2))
  }

  @Test("rows that are still in the write-ahead log are in the copy")
  func log() throws {
    let file = try file("wal")
    let writer = try file.reopened()
    defer { writer.close() }
    try writer.exec("PRAGMA wal_autocheckpoint = 0; INSERT INTO t VALUES (9000, 'last')")
    #expect(try rehearse(file).report.plan.copiedRows == 5001)
  }

  @Test("a rehearsal that fails or is stopped leaves nothing behind")
  func failure() throws {
    let file = try file()
    let before = try file.bytes
    #expect(throws: Stopped.self) { try rehearse(file, onCopy: { _ in throw Stopped() }) }
    #expect(try others(file) == [])
    var isStopped = false
    #expect(throws: (any Error).self) {
      try rehearse(file, isCancelled: { isStopped }, onCopy: { _ in isStopped = true })
    }
    #expect(throws: SQLiteError.self) { try rehearse(file, isCancelled: { true }) }
    #expect(try others(file) == [])
    #expect(try file.bytes == before)
  }

  @Test("nobody else can read the copy")
  func isPrivate() throws {
    let file = try file()
    var permissions: Int?
    _ = try rehearse(
      file,
      onCopy: { copy in
        let folder = URL(fileURLWithPath: try #require(copy.filePath)).deletingLastPathComponent()
        #expect(folder.deletingLastPathComponent().path == file.folder.path)
        permissions = try FileManager.default.attributesOfItem(atPath: folder.path)[.posixPermissions] as? Int
      })
    #expect(permissions == 0o700)
  }

  @Test("the room that is needed covers the copy, what is written and the way back")
  func room() throws {
    let file = try file()
    var plan = try file.plan(to: Self.after, strategy: .rebuild)
    let written = try #require(plan.steps.first?.bytes)
    #expect(written > 0)
    #expect(Rehearsal.neededBytes(for: plan, databaseBytes: 1000) == 2000 + 2 * written + 1_048_576)
    plan.areRowsExamined = false
    #expect(Rehearsal.neededBytes(for: plan, databaseBytes: 1000) == 4000 + 1_048_576)
  }
}

import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

// P64: a copy holds what only the WAL holds, and stays where it is whatever becomes of the migration.
@Suite("Row checks: rows of a copy made before a migration")
struct BackupRowCheckTests {
  struct Entry: Model {
    let id: Int64
    var text: String

    static let table = ModelTable("t", as: Self.init) {
      Column("id", \Entry.id).primaryKey()
      Column("text", \Entry.text)
    }
  }

  private let schema = ModelSchema { Entry.self }
  private let all = "SELECT id, text, extra FROM t ORDER BY id"

  /// A file whose rows are all in its WAL, and the connection that keeps them there.
  private func file(rows: Int) throws -> (file: TemporaryDatabase, keeper: RawSQLite) {
    let file = try TemporaryDatabase(
      "PRAGMA journal_mode = WAL; CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT NOT NULL, extra TEXT)"
    )
    let keeper = try file.reopened()
    try keeper.exec(
      """
      PRAGMA wal_autocheckpoint = 0;
      WITH RECURSIVE n(i) AS (SELECT 1 WHERE \(rows) > 0 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
      INSERT INTO t SELECT i, 'row ' || i, CASE WHEN i % 3 = 1 THEN 'extra ' || i END FROM n;
      """)
    return (file, keeper)
  }

  /// What the copy holds that was made beside the file, read without anything that lies beside it; nil where none is.
  private func rowsOfCopy(beside file: TemporaryDatabase) throws -> [[RawValue]]? {
    let names = try FileManager.default.contentsOfDirectory(atPath: file.folder.path).filter {
      $0.contains(".before-")
    }
    guard let name = names.first(where: { $0.hasSuffix(".db") }) else { return nil }
    let alone = file.folder.appendingPathComponent("alone.db").path
    try FileManager.default.copyItem(
      atPath: file.folder.appendingPathComponent(name).path, toPath: alone)
    let copy = try RawSQLite(alone)
    #expect(try copy.rows("PRAGMA quick_check") == [[.text("ok")]])
    return try copy.rows(all)
  }

  @Test(
    "P64: every row is in the copy before a value goes, and none is made where none goes",
    arguments: RowCase.counts)
  func applied(rows: Int) throws {
    let (file, keeper) = try file(rows: rows)
    let before = try keeper.rows(all)
    #expect(before.count == rows)
    var counted: Int?
    _ = try Session(at: file.path, schema: schema) {
      $0.backup = .beforeLoss
      $0.migration = .automatic(.everything)
      $0.onPlan = { counted = $0.hazards.first { $0.code == .droppedColumn }?.count }
    }
    keeper.close()
    #expect(counted == before.count { !$0[2].isNull })
    #expect(try rowsOfCopy(beside: file) == (rows == 0 ? nil : before))
    #expect(try file.query("SELECT * FROM t ORDER BY id") == before.map { Array($0.prefix(2)) })
  }

  @Test(
    "P64: a copy stays whole when the migration fails after it, and the file too",
    arguments: [1, 100_000])
  func failed(rows: Int) throws {
    let (file, keeper) = try file(rows: rows)
    let before = try keeper.rows(all)
    var isCancelled = false
    #expect(throws: (any Error).self) {
      try Session(at: file.path, schema: schema) {
        $0.backup = .beforeLoss
        $0.migration = .automatic(.everything)
        $0.onProgress = { _ in isCancelled = true }
        $0.isCancelled = { isCancelled }
      }
    }
    #expect(isCancelled)
    keeper.close()
    #expect(try rowsOfCopy(beside: file) == before)
    #expect(try file.query(all) == before)
    #expect(try file.query("PRAGMA integrity_check") == [[.text("ok")]])
  }

  @Test("P64: a refusal leaves neither a copy nor a change", arguments: [1, 100_000])
  func refused(rows: Int) throws {
    let (file, keeper) = try file(rows: rows)
    let before = try keeper.rows(all)
    #expect(throws: PlanError.self) {
      try Session(at: file.path, schema: schema) { $0.backup = .beforeLoss }
    }
    keeper.close()
    #expect(try rowsOfCopy(beside: file) == nil)
    #expect(try file.query(all) == before)
  }
}

import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Backups, room on the disk, and newer files, in a program")
struct BackupPolicyTests {
  struct Wide: Model {
    let id: Int64
    var text: String
    var extra: String?

    static let table = ModelTable("t", as: Self.init) {
      Column("id", \Wide.id).primaryKey()
      Column("text", \Wide.text)
      Column("extra", \Wide.extra)
    }
  }

  struct Narrow: Model {
    let id: Int64
    var text: String

    static let table = ModelTable("t", as: Self.init) {
      Column("id", \Narrow.id).primaryKey()
      Column("text", \Narrow.text)
    }
  }

  private let wide = ModelSchema { Wide.self }
  private let narrow = ModelSchema { Narrow.self }

  private func file() throws -> TemporaryDatabase {
    let file = try TemporaryDatabase()
    let session = try Session(at: file.path, schema: wide)
    try session.save([Wide(id: 1, text: "a", extra: "x"), Wide(id: 2, text: "b", extra: nil)])
    return file
  }

  private func copies(of file: TemporaryDatabase) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: file.folder.path).filter { $0.contains(".before-") }
  }

  @Test("a program's copy is made before a loss it allows, with what only the WAL holds, and not before a refusal")
  func beforeLoss() throws {
    let file = try file()
    let reader = try file.reopened()
    try reader.exec("BEGIN; SELECT * FROM t")
    try Session(at: file.path, schema: wide).save(Wide(id: 3, text: "in the WAL", extra: "y"))
    #expect(throws: PlanError.self) { try Session(at: file.path, schema: narrow) { $0.backup = .beforeLoss } }
    #expect(try copies(of: file).isEmpty)
    reader.close()
    _ = try Session(at: file.path, schema: narrow) {
      $0.backup = .beforeLoss
      $0.migration = .automatic(.everything)
    }
    let copy = try #require(try copies(of: file).first)
    let database = try RawSQLite(file.folder.appendingPathComponent(copy).path)
    #expect(try database.rows("SELECT extra FROM t ORDER BY id") == [[.text("x")], [.null], [.text("y")]])
    #expect(try database.rows("PRAGMA quick_check") == [[.text("ok")]])
  }

  @Test("a copy before every change goes where it is told, and one that is in the way stops the opening")
  func beforeChange() throws {
    let file = try TemporaryDatabase("CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
    let copy = file.folder.appendingPathComponent("copy.db").path
    _ = try Session(at: file.path, schema: wide) { $0.backup = .beforeChange(copy) }
    #expect(try RawSQLite(copy).rows("SELECT name FROM pragma_table_info('t')").count == 2)
    let other = try TemporaryDatabase("CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
    let bytes = try other.bytes
    #expect(throws: SQLiteError.self) {
      _ = try Session(at: other.path, schema: wide) { $0.backup = .beforeChange(copy) }
    }
    #expect(try other.bytes == bytes)
    // Nothing to do, nothing to copy.
    let never = file.folder.appendingPathComponent("never.db").path
    _ = try Session(at: file.path, schema: wide) { $0.backup = .beforeChange(never) }
    #expect(!FileManager.default.fileExists(atPath: never))
  }

  @Test("a copy of rows that the disk has no room for is refused before anything is written")
  func lackingSpace() throws {
    let file = try TemporaryDatabase(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT);
      WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 1000)
      INSERT INTO t SELECT n, printf('%1000d', n) FROM c;
      """)
    let target = "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT CHECK (v <> ''))"
    let bytes = try file.bytes
    let error = #expect(throws: PlanError.self) {
      try file.migrate(to: target, allowing: .copying) { $0.freeSpace = { _ in 900_000 } }
    }
    guard case .refused(_, let hazards) = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(hazards.map(\.code.rawValue) == ["SK301"])
    #expect(try file.bytes == bytes)
    try file.migrate(to: target) { $0.freeSpace = { _ in 10_000_000 } }
    #expect(try file.value("SELECT count(*) FROM t") == .int(1000))
  }

  @Test("a newer file is refused, or opened as it is when it has all that the program declares")
  func newerFile() throws {
    let file = try TemporaryDatabase()
    try Session(at: file.path, schema: narrow).save(Narrow(id: 1, text: "a"))
    _ = try Session(at: file.path, schema: wide)
    let bytes = try file.query("SELECT sql FROM sqlite_master")
    #expect(throws: HistoryError.self) { _ = try Session(at: file.path, schema: narrow) }
    let session = try Session(at: file.path, schema: narrow) { $0.newerFile = .openAsIs }
    guard case .newer = session.openReport else {
      Issue.record("\(session.openReport)")
      return
    }
    #expect(try session.all(Narrow.self).map(\.text) == ["a"])
    try session.save(Narrow(id: 2, text: "b"))
    #expect(try file.query("SELECT sql FROM sqlite_master") == bytes)

    // A newer file that lacks a column serves no program that declares it.
    let other = try self.file()
    _ = try Session(at: other.path, schema: narrow) { $0.migration = .automatic(.everything) }
    #expect(throws: HistoryError.self) { _ = try Session(at: other.path, schema: wide) { $0.newerFile = .openAsIs } }
  }
}

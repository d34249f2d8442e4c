import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Online copies beside a busy writer")
struct OnlineBusyWriterTests {
  /// What a writer does again and again, with a number that rises each time in place of `#`.
  static let patterns = [
    "UPDATE t SET qty = # % 90 WHERE id = 3",
    "UPDATE t SET note = 'note ' || (# % 7)",
    "UPDATE t SET qty = # % 90 WHERE id % 7 = # % 7",
    "DELETE FROM t WHERE id > 5000; INSERT INTO t (id, name, qty) SELECT 5000 + id, 'x' || id, 1 FROM t WHERE id < 150",
    "INSERT OR REPLACE INTO t (id, code, qty, name) VALUES (6, '#', 1, 'six')",
    "INSERT OR REPLACE INTO t (code, qty, name) VALUES ('#', 2, 'by name')",
    "INSERT INTO t (code, qty, name) VALUES ('#', 3, 'name 5') ON CONFLICT (name) DO UPDATE SET qty = # % 90",
    "INSERT INTO t (code, qty, name) VALUES ('#', 3, 'name 5') ON CONFLICT DO NOTHING",
    "INSERT OR IGNORE INTO t (id, qty, name) VALUES (9, 3, 'name 3')",
    "INSERT INTO t (qty, note) VALUES (4, 'zero'); DELETE FROM t WHERE note = 'zero' AND id % 2",
    "UPDATE t SET id = id + 7000 WHERE id = (SELECT min(id) FROM t); UPDATE t SET id = id - 7000 WHERE id > 7000",
    "UPDATE OR REPLACE t SET name = 'name 8' WHERE id = 30 + # % 9",
    "DELETE FROM kinds WHERE id = # % 40; INSERT OR IGNORE INTO kinds VALUES (# % 40)",
    "BEGIN IMMEDIATE; UPDATE t SET qty = 1; UPDATE t SET qty = 2; UPDATE t SET qty = # % 50 WHERE id % 2; COMMIT",
  ]

  @Test("a copy ends, has every write, and its log has no more entries than rows were written", arguments: 0..<14)
  func ends(number: Int) throws {
    let scene = try OnlineScene(rows: 400)
    let (writer, other) = (try scene.database.reopened(), try scene.judge.reopened())
    defer {
      writer.close()
      other.close()
    }
    try writer.exec("PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 0")
    try other.exec("PRAGMA foreign_keys = ON")
    var (count, entries) = (0, Int64(0))
    // More than any run here needs, and a test ends.
    let most = 3000
    func write() {
      guard count < most else { return }
      let sql = Self.patterns[number].replacing("#", with: "\(count)")
      guard (try? writer.exec(sql)) != nil else {
        try? writer.exec("ROLLBACK")
        return
      }
      count += 1
      if (try? other.exec(sql)) == nil { Issue.record("\(sql)") }
      if case .int(let found)? = try? writer.rows("SELECT count(*) FROM _schemakit_online_log_t").first?.first {
        entries = max(entries, found)
      }
    }
    let report = try scene.migrate(
      limits: { $0.lock = .milliseconds(5) },
      observing: { observer in
        observer.isCancelled = {
          write()
          return false
        }
      })
    #expect(report.outcome == .applied)
    #expect(count > 5 && count < most, "\(count)")
    #expect(entries > 0 && entries < 2000, "\(entries)")
    try scene.judge.migrate(to: OnlineScene.after, allowing: OnlineScene.policy(.rebuild))
    #expect(try scene.differences() == [])
  }
}

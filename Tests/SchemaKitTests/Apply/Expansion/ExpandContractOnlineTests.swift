import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Two versions of a program on one file, changed online")
struct ExpandContractOnlineTests {
  @Test("a file that is expanded while others write it online serves both programs with all rows")
  func online() throws {
    let database = try TemporaryDatabase(
      """
      PRAGMA journal_mode = WAL; CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT NOT NULL UNIQUE, gone TEXT);
      INSERT INTO t WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400) SELECT i, 'a' || i, 'x' FROM n;
      """)
    let newer = "CREATE TABLE t (\nid INTEGER PRIMARY KEY,\nb TEXT NOT NULL UNIQUE -- schemakit: renamed from a\n);"
    var (number, limit) = (0, 40)
    func migrate(_ phase: MigrationPhase, _ write: @escaping (Int) -> String) throws -> ApplyReport {
      try database.migrate(to: newer, allowing: .destructive) { request in
        request.phase = phase
        request.plan.policy.strategy = .online
        request.online.lock = .nanoseconds(1)
        request.observer.onProgress = { progress in
          // The last transaction lets nobody write.
          guard progress.step.strategy == .online, progress.activity != .step, number < limit else { return }
          number += 1
          try? database.exec(write(number))
        }
      }
    }
    let expanded = try migrate(.expand) {
      "UPDATE t SET a = 'w' || \($0) WHERE id = \($0); INSERT INTO t (a) VALUES ('n' || \($0))"
    }
    #expect(expanded.plan.steps.contains { $0.strategy == .online })
    let first = number
    #expect(first > 0)
    limit += 40
    #expect(try database.value("SELECT count(*) FROM t WHERE a IS NOT b") == .int(0))
    #expect(try database.value("SELECT count(*) FROM t") == .int(Int64(400 + first)))
    #expect(try database.value("SELECT b FROM t WHERE id = 1") == .text("w1"))
    let contracted = try migrate(.contract(quietFor: nil)) {
      "UPDATE t SET a = 'z' || \($0) WHERE id = 300 + \($0) % 90"
    }
    #expect(contracted.plan.steps.contains { $0.strategy == .online })
    #expect(number > first)
    // The former name is none of the values that are lost.
    #expect(contracted.notes.count { $0.hasPrefix("Others wrote") } == 1)
    #expect(try database.value("SELECT b FROM t WHERE id = 300 + \(first + 1) % 90") == .text("z\(first + 1)"))
    #expect(try database.value("SELECT count(*) FROM t") == .int(Int64(400 + first)))
  }

  @Test("an older program that writes during an online contraction ends it, if it was to be quiet")
  func writesDuring() throws {
    let database = try TemporaryDatabase(
      "PRAGMA journal_mode = WAL; CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); INSERT INTO t VALUES (1, 'x');")
    let newer = "CREATE TABLE t (\nid INTEGER PRIMARY KEY,\nb TEXT -- schemakit: renamed from a\n);"
    try database.migrate(to: newer) { $0.phase = .expand }
    try database.exec(
      "UPDATE _schemakit_meta SET value = json_set(value, '$.since', json_extract(value, '$.since') - 600) WHERE key LIKE 'expanded %'"
    )
    let error = #expect(throws: HistoryError.self) {
      try database.migrate(to: newer) { request in
        request.phase = .contract(quietFor: 60)
        request.plan.policy.strategy = .online
        request.observer.onProgress = { progress in
          if progress.step.strategy == .online { try? database.exec("UPDATE t SET a = a || 'y'") }
        }
      }
    }
    guard case .olderProgramWrites? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try database.value("SELECT count(*) FROM pragma_table_info('t') WHERE name = 'a'") == .int(1))
    #expect(
      try database.query("SELECT name FROM sqlite_schema WHERE name LIKE '\\_schemakit\\_online%' ESCAPE '\\'").isEmpty)
  }
}

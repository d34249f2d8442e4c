import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

// P59: what a copy takes is said beforehand, and where there is no room for it nothing is begun.
@Suite("Row checks: how much is copied")
struct CopyCostTests {
  static let shapes = [
    (
      "rows that are alike", "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b INT", ") ",
      "i, printf('%40d', i), i"
    ),
    (
      "rows that have become longer", "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b INT", ")",
      "i, printf(CASE WHEN i > 300 THEN '%400d' ELSE '%d' END, i), i"
    ),
    (
      "rows that have become shorter", "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b INT", ")",
      "i, printf(CASE WHEN i > 300 THEN '%20d' ELSE '%2000d' END, i), i"
    ),
    (
      "rows without a key of their own", "CREATE TABLE t (rowid TEXT, a TEXT, b INT", ")",
      "i, printf(CASE WHEN i > 300 THEN '%100d' ELSE '%d' END, i), i"
    ),
    (
      "rows without numbers", "CREATE TABLE t (id TEXT PRIMARY KEY, a TEXT, b INT",
      ") WITHOUT ROWID",
      "'k' || i, printf('%60d', i), i"
    ),
    (
      "rows whose numbers lie far apart", "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b INT",
      ")",
      "CASE i WHEN 1 THEN 9223372036854775807 WHEN 2 THEN -9223372036854775807 - 1 ELSE i END, printf('%90d', i), i"
    ),
  ]

  private func scene(_ index: Int) -> RowCase {
    let (name, head, tail, values) = Self.shapes[index]
    return RowCase(
      name: name, before: head + tail + ";", fill: ["INSERT INTO t SELECT \(values) FROM n"],
      after: head.replacing("b INT", with: "b") + tail + ";",
      code: .lackingSpace, object: "t", offending: ""
    )
  }

  @Test(
    "rows are counted, and their size is told within a factor of two", arguments: shapes.indices,
    RowCase.counts)
  func size(index: Int, rows: Int) throws {
    let scene = scene(index)
    let file = try scene.file(rows: rows, journalMode: "delete")
    let step = try #require(try file.plan(to: scene.after).steps.first { $0.strategy == .rebuild })
    #expect(step.rows == rows)
    let bytes = try #require(step.bytes)
    // All but the first page, which is the schema's.
    let size = try file.bytes.count - 4096
    if rows > 1 {
      #expect(bytes > size / 2 && bytes < size * 2, "\(bytes) bytes in words, \(size) in the file")
    } else {
      #expect(bytes <= 4096)
      #expect((bytes > 0) == (rows > 0))
    }
  }

  @Test(
    "a copy is begun where there is the room that it is said to need, and refused before a write where there is less",
    arguments: RowCase.counts)
  func room(rows: Int) throws {
    let scene = scene(1)
    let file = try scene.file(rows: rows, journalMode: "wal")
    let before = try file.query("SELECT * FROM t ORDER BY id")
    let bytes = try file.bytes
    let plan = try file.plan(to: scene.after)
    let needed = Int64(plan.cost?.freeBytes ?? 0)
    if rows > 0 {
      let error = #expect(throws: PlanError.self) {
        try file.migrate(to: scene.after, allowing: .everything) {
          $0.freeSpace = { _ in needed - 1 }
        }
      }
      guard case .refused(_, let hazards)? = error?.reason else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(hazards.map(\.code) == [.lackingSpace] && hazards.map(\.hazardClass) == [.blocked])
      #expect(try file.bytes == bytes)
    }
    var progress: [String] = []
    try file.migrate(to: scene.after) {
      $0.freeSpace = { _ in needed }
      $0.observer.onProgress = {
        if $0.activity == .step {
          progress.append("\($0.stepIndex)/\($0.stepCount) \($0.step.object) \($0.step.rows ?? -1)")
        }
      }
    }
    #expect(progress == ["0/1 t \(rows)"])
    #expect(try file.query("SELECT * FROM t ORDER BY id") == before)
    try file.expectSettled(at: scene.after)
  }

  @Test(
    "what is written and what the journal takes are told within a factor of two, with the indexes that are made",
    arguments: [StrategyChoice.auto, .rebuild], ["delete", "wal"])
  func writtenBytes(strategy: StrategyChoice, journalMode: String) throws {
    func script(_ type: String) -> String {
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b \(type), c TEXT UNIQUE);
      CREATE INDEX i ON t (a); CREATE INDEX j ON t (b, a);
      """
    }
    let file = try TemporaryDatabase(
      "PRAGMA journal_mode = \(journalMode);" + script("TEXT")
        + "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) "
        + "INSERT INTO t SELECT i, printf('%040d', i), '' || i, 'c' || i FROM n")
    let pages = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
    guard case .int(let before)? = try file.value(pages) else { return }
    let cost = try #require(try file.plan(to: script("INT"), strategy: strategy).cost)
    // Too few rows to say how long it takes.
    #expect(cost.milliseconds == nil)
    var policy = PlanPolicy.everything
    policy.strategy = strategy
    var journal = 0
    let report = try file.migrate(to: script("INT"), allowing: policy) { options in
      options.observer.onStatement = { _ in
        for ending in ["-journal", "-wal"] {
          let size = try? FileManager.default.attributesOfItem(atPath: file.path + ending)[.size] as? Int
          journal = max(journal, size ?? 0)
        }
      }
    }
    #expect(report.plan.steps.first?.strategy == (strategy == .auto ? .swap : .rebuild))
    guard case .int(let after)? = try file.value(pages) else { return }
    #expect(journal <= cost.journalBytes * 2, "\(cost), a journal of \(journal)")
    // What did not make the file grow went into pages that the journal keeps. A WAL is not full before the commit.
    guard journalMode == "delete" else { return }
    let written = Int(after - before) + journal
    #expect(cost.writtenBytes > written / 2 && cost.writtenBytes < written * 2, "\(cost), \(written) written")
    #expect(cost.freeBytes > written / 2 && cost.freeBytes < written * 2, "\(cost), \(written) of room taken")
  }

  @Test(
    "an update of all rows is begun where there is the room that its journal needs, and refused before a write where there is less",
    arguments: ["delete", "wal"])
  func roomOfUpdate(journalMode: String) throws {
    let file = try TemporaryDatabase(
      "PRAGMA journal_mode = \(journalMode); CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b INT);"
        + "BEGIN;"
        + rows(5_000) { "INSERT INTO t VALUES (\($0), 'some text of row \($0)', NULL)" } + "COMMIT")
    let target = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b INT NOT NULL DEFAULT 7)"
    let cost = try #require(try file.plan(to: target).cost)
    let size = try file.bytes.count
    #expect(cost.journalBytes > size / 2 && cost.freeBytes < size * 3, "\(cost), a file of \(size)")
    let error = #expect(throws: PlanError.self) {
      try file.migrate(to: target, allowing: .everything) { $0.freeSpace = { _ in Int64(cost.freeBytes) - 1 } }
    }
    guard case .refused(_, let hazards)? = error?.reason else { return #expect(Bool(false), "\(error as Any)") }
    #expect(hazards.map(\.code) == [.lackingSpace])
    #expect(try file.value("SELECT count(*) FROM t WHERE b IS NULL") == .int(5_000))
    let report = try file.migrate(to: target, allowing: .everything) { $0.freeSpace = { _ in Int64(cost.freeBytes) } }
    #expect(report.plan.steps.map(\.strategy) == [.update])
    #expect(try file.value("SELECT sum(b) FROM t") == .int(35_000))
  }

  @Test("the journal of an update that moves entries of indexes is counted with their pages")
  func roomOfMovedEntries() throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, k INT, c INT); CREATE INDEX i1 ON t (c); CREATE INDEX i2 ON t (c, k); BEGIN;"
        + rows(20_000) { "INSERT INTO t VALUES (\($0), \($0 * 7_919 % 20_011), \($0 % 200 == 0 ? "NULL" : "\($0)"))" }
        + "COMMIT")
    let cost = try #require(
      try file.plan(
        to:
          "CREATE TABLE t (id INTEGER PRIMARY KEY, k INT, c INT NOT NULL -- schemakit: fill k\n); CREATE INDEX i1 ON t (c); CREATE INDEX i2 ON t (c, k)"
      ).cost)
    // 100 rows and 400 entries are on almost every page.
    #expect(cost.journalBytes > (try file.bytes.count) * 9 / 10, "\(cost)")
  }

  @Test("how long a copy takes is said from 50,000 rows on, and a plan is the same whatever it takes")
  func time() throws {
    let scene = scene(0)
    let file = try scene.file(rows: 100_000, journalMode: "delete")
    let plans = try [file.plan(to: scene.after), file.plan(to: scene.after)]
    #expect(plans.allSatisfy { ($0.cost?.milliseconds ?? 0) > 0 })
    #expect(plans[0] == plans[1])
    #expect(try file.plan(to: "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b BIGINT)").cost == nil)
  }
}

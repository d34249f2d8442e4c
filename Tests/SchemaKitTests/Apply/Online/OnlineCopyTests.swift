import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Tables that are copied while others write them")
struct OnlineCopyTests {
  @Test("every write between two batches is in the new table", arguments: 0..<12)
  func writesBetweenBatches(number: Int) throws {
    let seed = ProcessInfo.processInfo.environment["SCHEMAKIT_PROPERTY_SEED"].flatMap { Int($0) } ?? 2711
    var generator = SeededGenerator(seed: seed + number)
    let rows = generator.pick([0, 1, 300, 1000])
    let scene = try OnlineScene(rows: rows)
    let writer = try scene.database.reopened()
    let other = try scene.judge.reopened()
    // Some programs set this, and most do not.
    let settings = "PRAGMA foreign_keys = ON; PRAGMA recursive_triggers = \(number % 2)"
    try writer.exec(settings)
    try other.exec(settings)
    var unlike: [String] = []
    var writes = 0
    func write() throws {
      for _ in 0..<generator.number(0...4) {
        let sql = OnlineScene.write(&generator, rows: max(rows, 1))
        if try !scene.write(sql, on: writer, other) { unlike.append(sql) }
        writes += 1
      }
    }
    let report = try scene.migrate(observing: { observer in
      // Anything else is reported under the lock of the last transaction.
      observer.onProgress = { if [.copying, .comparing].contains($0.activity) { try? write() } }
    })
    writer.close()
    other.close()
    #expect(report.plan.steps.map(\.strategy) == [.online], "\(generator)")
    #expect(unlike == [], "\(generator)")
    try scene.judge.migrate(to: OnlineScene.after, allowing: OnlineScene.policy(.rebuild))
    let differences = try scene.differences()
    #expect(differences == [], "\(generator), \(writes) writes")
  }

  @Test("a program that writes all the time from another thread is never refused, and none of its writes is lost")
  func writingThread() throws {
    let scene = try OnlineScene(rows: 20_000)
    let log = WriteLog()
    let path = scene.database.path
    let thread = Thread {
      var generator = SeededGenerator(seed: 4)
      defer { log.finish() }
      guard let writer = try? RawSQLite(path) else { return }
      try? writer.exec("PRAGMA busy_timeout = 10000; PRAGMA foreign_keys = ON")
      while !log.isStopped {
        let sql = OnlineScene.write(&generator, rows: 20_000)
        do {
          try writer.exec("BEGIN IMMEDIATE")
          let isNew = try writer.rows("SELECT 1 FROM pragma_table_info('t') WHERE name = 'qty' AND \"notnull\"") != []
          try? writer.exec(sql)
          try? writer.exec("COMMIT")
          log.note(WriteLog.Write(sql: sql, meetsNewSchema: isNew))
        } catch { log.refuse("\(error)") }
        usleep(500)
      }
      writer.close()
    }
    thread.start()
    while log.writes.isEmpty { usleep(1000) }
    try scene.migrate(limits: { $0.lock = .milliseconds(2) })
    log.stop()
    #expect(log.refused == [])
    let other = try scene.judge.reopened()
    try other.exec("PRAGMA foreign_keys = ON")
    for write in log.writes where !write.meetsNewSchema { try? other.exec(write.sql) }
    try scene.judge.migrate(to: OnlineScene.after, allowing: OnlineScene.policy(.rebuild))
    for write in log.writes where write.meetsNewSchema { try? other.exec(write.sql) }
    other.close()
    #expect(log.writes.count { !$0.meetsNewSchema } > 20)
    let differences = try scene.differences()
    #expect(differences == [])
  }
}

/// What a thread has written, in order.
final class WriteLog: @unchecked Sendable {
  struct Write {
    var sql: String
    var meetsNewSchema: Bool
  }
  private let lock = NSCondition()
  private var all: [Write] = []
  private var problems: [String] = []
  private var isEnding = false
  private var isFinished = false

  var isStopped: Bool { lock.withLock { isEnding } }
  var writes: [Write] { lock.withLock { all } }
  var refused: [String] { lock.withLock { problems } }
  func note(_ write: Write) { lock.withLock { all.append(write) } }
  func refuse(_ problem: String) { lock.withLock { problems.append(problem) } }
  func finish() {
    lock.withLock {
      isFinished = true
      lock.broadcast()
    }
  }
  func stop() {
    lock.withLock {
      isEnding = true
      while !isFinished { lock.wait() }
    }
  }
}

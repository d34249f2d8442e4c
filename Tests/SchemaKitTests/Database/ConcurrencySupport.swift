import Foundation
import Testing

@testable import SchemaKit

/// A door that is opened once, for threads that block and tasks that do not.
final class Gate: @unchecked Sendable {
  // `condition` guards the variables.
  private let condition = NSCondition()
  private var isOpen = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func open() {
    condition.lock()
    isOpen = true
    let waiting = self.waiting
    self.waiting = []
    condition.broadcast()
    condition.unlock()
    for continuation in waiting { continuation.resume() }
  }

  /// Blocks the thread until the door is open; false when it stays shut, so that a deadlock fails and does not hang.
  func block(seconds: Double = 20) -> Bool {
    let limit = Date(timeIntervalSinceNow: seconds)
    condition.lock()
    defer { condition.unlock() }
    while !isOpen {
      if !condition.wait(until: limit) { return isOpen }
    }
    return true
  }

  /// Waits without a thread.
  func pass() async {
    await withCheckedContinuation { continuation in
      condition.lock()
      let isOpen = self.isOpen
      if !isOpen { waiting.append(continuation) }
      condition.unlock()
      if isOpen { continuation.resume() }
    }
  }
}

/// A list that many threads append to.
final class Record<Element: Sendable>: @unchecked Sendable {
  // `lock` guards `list`.
  private let lock = NSLock()
  private var list: [Element] = []

  var all: [Element] { lock.withLock { list } }
  func append(_ element: Element) { lock.withLock { list.append(element) } }
}

/// Whether work is done before a generous deadline, so that a deadlock fails and does not hang. Its error is thrown.
func isDone(within seconds: Double = 120, _ body: @escaping @Sendable () async throws -> Void) async throws -> Bool {
  let (outcomes, continuation) = AsyncStream<Result<Void, any Error>?>.makeStream()
  let work = Task {
    do {
      try await body()
      continuation.yield(.success(()))
    } catch {
      continuation.yield(.failure(error))
    }
  }
  let watch = Task {
    try? await Task.sleep(for: .seconds(seconds))
    continuation.yield(nil)
  }
  defer {
    work.cancel()
    watch.cancel()
  }
  for await outcome in outcomes {
    try outcome?.get()
    return outcome != nil
  }
  return false
}

/// Asks again and again, for what happens a moment later by itself.
func eventually(_ condition: () async throws -> Bool) async throws -> Bool {
  for _ in 0..<400 {
    if try await condition() { return true }
    try await Task.sleep(for: .milliseconds(10))
  }
  return false
}

/// Where a database lies: in WAL mode it has readers, otherwise everything takes its turn.
enum Place: CaseIterable, CustomTestStringConvertible {
  case wal, rollbackJournal, memory

  var testDescription: String { "\(self)" }
}

/// Rows that are counted, in a database of some kind.
///
/// Unchecked because the file, a class, is nothing but two constants.
struct Tally: @unchecked Sendable {
  struct Entry: Model, Hashable {
    let id: Int64?
    var worker: Int
    var value: Int

    static let table = ModelTable("entries", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("worker", \.worker)
      Column("value", \.value)
    }
  }

  struct Counter: Model, Hashable {
    let name: String
    var value: Int

    static let table = ModelTable("counters", as: Self.init) {
      Column("name", \.name).primaryKey()
      Column("value", \.value).check("value >= 0")
    }.withoutRowID()
  }

  static let schema = ModelSchema {
    Entry.self
    Counter.self
  }

  /// A query that never ends by itself.
  static let endless: SQL = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

  /// More than a database has readers.
  static let manyReaders = max(4, ProcessInfo.processInfo.activeProcessorCount) * 3

  let file: TemporaryDatabase
  let database: Database

  init(_ place: Place = .wal, entries: Int = 0, configure: @escaping @Sendable (inout Configuration) -> Void = { _ in })
    async throws
  {
    file = try TemporaryDatabase(place == .rollbackJournal ? "CREATE TABLE old (x); DROP TABLE old" : "")
    // A file that is there already keeps its journal mode.
    if place == .wal { try FileManager.default.removeItem(atPath: file.path) }
    database =
      place == .memory
      ? try await Database(inMemory: Self.schema, configure: configure)
      : try await Database(at: file.path, schema: Self.schema, configure: configure)
    if entries > 0 { try await database.save((1...entries).map { Entry(id: Int64($0), worker: 0, value: $0) }) }
  }

  var mode: String? {
    get async throws { try await database.run { try $0.query("PRAGMA journal_mode")[0][0]?.text } }
  }
}

extension Database {
  /// Counts how often an observer is woken that reads once.
  func countingWakes(_ fetch: (Session) throws -> Void) throws -> Record<Int> {
    let wakes = Record<Int>()
    let number = try session.store.observeValues { wakes.append(1) }
    let (_, region) = try session.connection.recordingReads { try fetch(session) }
    _ = try session.store.valueObservers?.observe(region, for: number)
    return wakes
  }
}

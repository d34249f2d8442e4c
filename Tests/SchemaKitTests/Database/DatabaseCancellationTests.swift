import Foundation
import SchemaKit
import Testing

@Suite("Database: cancellation under concurrency")
struct DatabaseConcurrencyCancellationTests {
  typealias Entry = Tally.Entry

  @Test("a cancelled query stops, and its reader goes on reading", arguments: Place.allCases)
  func reading(_ place: Place) async throws {
    let tally = try await Tally(place, entries: 5)
    for _ in 0..<Tally.manyReaders {
      let isRunning = Gate()
      let task = Task {
        try await tally.database.read { reader in
          isRunning.open()
          return try reader.query(Tally.endless).count
        }
      }
      await isRunning.pass()
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(try await tally.database.count(Entry.self) == 5)
    }
  }

  @Test("a cancelled statement hits nobody who waits behind it", arguments: Place.allCases)
  func others(_ place: Place) async throws {
    let tally = try await Tally(place)
    let database = tally.database
    for round in 1...5 {
      let isRunning = Gate()
      let task = Task {
        try await database.run { session in
          isRunning.open()
          return try session.query(Tally.endless).count
        }
      }
      await isRunning.pass()
      let bystanders = (0..<10).map { number in
        Task {
          // Long enough to be asked whether to stop.
          try await database.run { session in
            let sql: SQL =
              "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 20000) SELECT sum(i) FROM n"
            _ = try session.query(sql)
            try session.save(Entry(id: nil, worker: number, value: round))
          }
        }
      }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      for bystander in bystanders { try await bystander.value }
    }
    #expect(try await database.count(Entry.self) == 50)
  }

  @Test("a cancelled transaction leaves nothing and no transaction open", arguments: Place.allCases)
  func transaction(_ place: Place) async throws {
    let tally = try await Tally(place, entries: 2)
    let isRunning = Gate()
    let task = Task {
      try await tally.database.transaction { session in
        try session.deleteAll(Entry.self)
        try session.save((0..<500).map { Entry(id: nil, worker: $0, value: 1) })
        isRunning.open()
        _ = try session.query(Tally.endless)
      }
    }
    await isRunning.pass()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await tally.database.run { $0.connection.isInTransaction } == false)
    #expect(try await tally.database.all(Entry.self).map(\.value) == [1, 2])
    try await tally.database.save(Entry(id: nil, worker: 0, value: 3))
    #expect(try await tally.database.count(Entry.self) == 3)
  }

  @Test("a task that waits for a lock stops waiting when it is cancelled", arguments: [Place.wal, .rollbackJournal])
  func waiting(_ place: Place) async throws {
    let tally = try await Tally(place) { $0.busyTimeout = 60 }
    let other = try tally.file.reopened()
    try other.exec("BEGIN IMMEDIATE; INSERT INTO counters VALUES ('other', 1)")
    let isRunning = Gate()
    let task = Task {
      try await tally.database.run { session in
        isRunning.open()
        _ = try session.save(Entry(id: nil, worker: 0, value: 0))
      }
    }
    await isRunning.pass()
    try await Task.sleep(for: .milliseconds(50))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try other.exec("COMMIT")
    try await tally.database.save(Entry(id: nil, worker: 1, value: 1))
    #expect(try tally.file.query("SELECT worker FROM entries") == [[.int(1)]])
    #expect(try tally.file.value("SELECT count(*) FROM counters") == .int(1))
  }

  @Test("a stream that waits for a lock stops waiting when its task is cancelled")
  func waitingStream() async throws {
    let tally = try await Tally(.rollbackJournal, entries: 3) { $0.busyTimeout = 60 }
    let other = try tally.file.reopened()
    try other.exec("BEGIN EXCLUSIVE")
    let task = Task {
      var count = 0
      for try await _ in tally.database.stream(Entry.self) { count += 1 }
      return count
    }
    try await Task.sleep(for: .milliseconds(200))
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try other.exec("COMMIT")
    #expect(try await tally.database.count(Entry.self) == 3)
  }

  @Test("a task that was cancelled before it began does nothing", arguments: Place.allCases)
  func beforehand(_ place: Place) async throws {
    let tally = try await Tally(place)
    let isCancelled = Gate()
    let database = tally.database
    let works: [@Sendable () async throws -> Void] = [
      { _ = try await database.save(Entry(id: nil, worker: 0, value: 0)) },
      { try await database.transaction { _ = try $0.save(Entry(id: nil, worker: 0, value: 0)) } },
      { _ = try await database.count(Entry.self) },
      { for try await _ in database.stream(Entry.self) {} },
    ]
    let tasks = works.map { work in
      Task {
        await isCancelled.pass()
        try await work()
      }
    }
    for task in tasks { task.cancel() }
    isCancelled.open()
    for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
    #expect(try await database.count(Entry.self) == 0)
  }

  @Test("a task that waits for a reader stops waiting when it is cancelled")
  func waitingForReader() async throws {
    let tally = try await Tally(entries: 1)
    let release = Gate()
    let reading = Record<Int>()
    let count = max(4, ProcessInfo.processInfo.activeProcessorCount)
    let holders = (0..<count).map { number in
      Task {
        try await tally.database.read { _ in
          reading.append(number)
          return release.block(seconds: 60)
        }
      }
    }
    #expect(try await eventually { reading.all.count == count })
    let task = Task { try await tally.database.count(Entry.self) }
    try await Task.sleep(for: .milliseconds(50))
    task.cancel()
    let isStopped = try await isDone(within: 5) {
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    release.open()
    #expect(isStopped, "it went on waiting until a reader was free")
    for holder in holders { #expect(try await holder.value) }
    // No reader was lost.
    for _ in 0..<Tally.manyReaders { #expect(try await tally.database.count(Entry.self) == 1) }
  }
}

import Foundation
import SchemaKit
import Testing

@Suite("Database: many tasks at once")
struct DatabaseConcurrencyTests {
  typealias Entry = Tally.Entry
  typealias Counter = Tally.Counter

  @Test("writes of many tasks add up, and every read between them sees whole transactions", arguments: Place.allCases)
  func addingUp(_ place: Place) async throws {
    let tally = try await Tally(place)
    let database = tally.database
    #expect(try await tally.mode == ["wal": "wal", "rollbackJournal": "delete", "memory": "memory"]["\(place)"])
    try await database.save(Counter(name: "all", value: 0))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 1...12 {
        group.addTask {
          for value in 1...20 {
            try await database.transaction { session in
              let counter = try #require(try session.find(Counter.self, "all"))
              try session.save(Entry(id: nil, worker: worker, value: value))
              try session.save(Counter(name: "all", value: counter.value + 1))
            }
          }
        }
        group.addTask {
          for _ in 1...20 {
            let (entries, counter) = try await database.read { reader in
              (try reader.count(Entry.self), try reader.find(Counter.self, "all")?.value)
            }
            #expect(entries == counter)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await database.find(Counter.self, "all")?.value == 240)
    #expect(
      try await database.all(Entry.self).map(\.worker).reduce(into: [:]) { $0[$1, default: 0] += 1 }.values.sorted()
        == Array(repeating: 20, count: 12))
  }

  @Test("a read does not wait for a transaction that is under way, and sees nothing of it")
  func besideWriting() async throws {
    let tally = try await Tally(entries: 3)
    let (isWriting, hasRead) = (Gate(), Gate())
    async let wasReadMeanwhile = tally.database.transaction { session in
      try session.deleteAll(Entry.self)
      try session.save(Counter(name: "x", value: 1))
      isWriting.open()
      return hasRead.block()
    }
    await isWriting.pass()
    let entries = try await tally.database.count(Entry.self)
    let counters = try await tally.database.count(Counter.self)
    hasRead.open()
    #expect(try await wasReadMeanwhile, "the read waited for the end of the transaction")
    #expect(entries == 3 && counters == 0)
    #expect(try await tally.database.count(Entry.self) == 0)
  }

  @Test("a query that begins a transaction is refused, and leaves none open", arguments: Place.allCases)
  func beginning(_ place: Place) async throws {
    let tally = try await Tally(place)
    await #expect(throws: SQLiteError.self) { try await tally.database.query("BEGIN") }
    #expect(try await tally.database.count(Counter.self) == 0)
    try await tally.database.save(Counter(name: "x", value: 1))
    #expect(try await tally.database.find(Counter.self, "x")?.value == 1)
  }

  @Test("a read sees one state of the database, whatever is committed meanwhile")
  func snapshot() async throws {
    let tally = try await Tally(entries: 3)
    let (isReading, isWritten) = (Gate(), Gate())
    async let seen = tally.database.read { reader in
      let before = try reader.count(Entry.self)
      isReading.open()
      guard isWritten.block() else { return [-1] }
      return [before, try reader.count(Entry.self), try reader.all(Entry.self).count, try reader.count(Counter.self)]
    }
    await isReading.pass()
    try await tally.database.deleteAll(Entry.self)
    try await tally.database.save(Counter(name: "x", value: 1))
    isWritten.open()
    #expect(try await seen == [3, 3, 3, 0])
    #expect(try await tally.database.count(Entry.self) == 0)
  }

  @Test("reads run beside each other")
  func besideReading() async throws {
    let tally = try await Tally(entries: 1)
    let gates = (0..<4).map { _ in Gate() }
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in gates.indices {
        group.addTask {
          // Each waits for the next in the midst of its reading.
          try await tally.database.read { reader in
            _ = try reader.count(Entry.self)
            gates[number].open()
            return gates[(number + 1) % gates.count].block()
          }
        }
      }
      for try await met in group { #expect(met) }
    }
  }

  @Test("more reads than there are readers take their turns", arguments: Place.allCases)
  func manyReads(_ place: Place) async throws {
    let tally = try await Tally(place, entries: 500)
    let sums = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<Tally.manyReaders * 4 {
        group.addTask { try await tally.database.all(Entry.self).map(\.value).reduce(0, +) }
      }
      var sums: [Int] = []
      for try await sum in group { sums.append(sum) }
      return sums
    }
    #expect(sums == Array(repeating: 125_250, count: Tally.manyReaders * 4))
  }

  @Test("a reader cannot write, and is a reader afterwards")
  func readOnly() async throws {
    let tally = try await Tally(entries: 1)
    for _ in 0..<Tally.manyReaders {
      await #expect(throws: SQLiteError.self) { try await tally.database.query("DELETE FROM entries") }
    }
    #expect(try await tally.database.count(Entry.self) == 1)
  }

  @Test("a failed read leaves its reader without a transaction")
  func failedRead() async throws {
    let tally = try await Tally(entries: 1)
    for _ in 0..<Tally.manyReaders {
      await #expect(throws: Gallery.Regret.self) {
        try await tally.database.read { reader in
          _ = try reader.count(Entry.self)
          throw Gallery.Regret()
        }
      }
      try await tally.database.save(Entry(id: nil, worker: 0, value: 0))
    }
    // A reader with an old snapshot would count fewer.
    for _ in 0..<Tally.manyReaders {
      #expect(try await tally.database.count(Entry.self) == Tally.manyReaders + 1)
    }
  }

  @Test("writers that wait for another program's lock hold up nobody else's tasks")
  func pool() async throws {
    let file = try TemporaryDatabase()
    try FileManager.default.removeItem(atPath: file.path)
    var databases: [Database] = []
    for _ in 0..<8 {
      databases.append(try await Database(at: file.path, schema: Tally.schema) { $0.busyTimeout = 60 })
    }
    let other = try file.reopened()
    try other.exec("BEGIN IMMEDIATE")
    let (begun, written) = (Record<Int>(), Record<Int>())
    let all = databases
    let writers = Task {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<64 {
          group.addTask {
            try await all[number % 8].run { session in
              begun.append(number)
              _ = try session.save(Entry(id: nil, worker: number, value: 0))
            }
            written.append(number)
          }
        }
        try await group.waitForAll()
      }
    }
    // One of each database is waiting for the lock now, more than there are threads to share.
    #expect(try await eventually { begun.all.count == 8 })
    let isDone = try await isDone {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<100 {
          group.addTask { for _ in 0..<50 { await Task.yield() } }
        }
        // Reading goes on as well.
        for database in all { group.addTask { #expect((try? await database.count(Entry.self)) == 0) } }
      }
    }
    #expect(isDone && written.all.isEmpty)
    try other.exec("COMMIT")
    try await writers.value
    #expect(try file.value("SELECT count(DISTINCT worker) FROM entries") == .int(64))
  }
}

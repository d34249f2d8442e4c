import Foundation
import SchemaKit
import Testing

@Suite("Database: changes after commits")
struct DatabaseChangesTests {
  typealias Entry = Tally.Entry
  typealias Counter = Tally.Counter
  typealias Book = RecordModels.Book

  /// A change in short, such as `insert 5`.
  private func short<M: Model>(_ change: RecordChange<M>) -> String { "\(change.kind) \(change.key)" }

  /// The changes up to the one with a key that marks the end.
  private func told<M: Model>(_ changes: AsyncStream<RecordChange<M>>, until mark: String) async -> [String] {
    var list: [String] = []
    for await change in changes {
      if short(change) == mark { break }
      list.append(short(change))
    }
    return list
  }

  @Test("inserts, updates and deletes are told with their keys, in order", arguments: Place.allCases)
  func kinds(_ place: Place) async throws {
    let tally = try await Tally(place)
    let database = tally.database
    defer { withExtendedLifetime(tally) {} }
    let changes = try await database.changes(Entry.self)
    try await database.save((1...3).map { Entry(id: $0, worker: 0, value: 0) })
    try await database.save(Entry(id: 2, worker: 1, value: 1))
    try await database.save(Entry(id: 2, worker: 2, value: 2), .ignore)
    try await database.update(Entry.self, set: { [$0.value.increase(by: 1)] }, where: { $0.id > 1 })
    try await database.execute("UPDATE entries SET id = 30 WHERE id = 3")
    try await database.delete(Entry.self, key: 1)
    try await database.execute("INSERT INTO entries VALUES (4, 0, 0); DELETE FROM entries WHERE id = 4")
    try await database.deleteAll(Entry.self)
    try await database.save(Entry(id: 99, worker: 0, value: 0))
    #expect(
      await told(changes, until: "insert 99") == [
        "insert 1", "insert 2", "insert 3", "update 2", "update 2", "update 3", "delete 3", "insert 30", "delete 1",
        "insert 4", "delete 4", "delete 2", "delete 30",
      ])
  }

  @Test("what is rolled back is never told", arguments: Place.allCases)
  func rolledBack(_ place: Place) async throws {
    let tally = try await Tally(place)
    let database = tally.database
    defer { withExtendedLifetime(tally) {} }
    let changes = try await database.changes(Entry.self)
    await #expect(throws: Gallery.Regret.self) {
      try await database.transaction { session in
        try session.save(Entry(id: 1, worker: 0, value: 0))
        throw Gallery.Regret()
      }
    }
    try await database.transaction { session in
      try session.save(Entry(id: 2, worker: 0, value: 0))
      _ = try? session.savepoint {
        try session.save(Entry(id: 3, worker: 0, value: 0))
        try session.delete(Entry.self, key: 2)
        throw Gallery.Regret()
      }
    }
    await #expect(throws: RecordError.self) {
      try await database.save([Entry(id: 5, worker: 0, value: 0), Entry(id: 2, worker: 0, value: 0)], .insert)
    }
    try await database.save(Entry(id: 99, worker: 0, value: 0))
    #expect(await told(changes, until: "insert 99") == ["insert 2"])
  }

  @Test("keys of several columns and tables without rowids; rows that cascades delete")
  func keys() async throws {
    let database = try await Database(inMemory: RecordModels.schema)
    let books = try await database.changes(Book.self)
    let tags = try await database.changes(RecordModels.BookTag.self)
    let readings = try await database.changes(RecordModels.Reading.self)
    try await database.save(RecordModels.Author(id: 1, name: "Herbert", email: nil))
    try await database.save(RecordModels.book("Dune", author: 1))
    try await database.save(RecordModels.BookTag(tag: "it's", bookID: 1, weight: 1))
    try await database.delete(RecordModels.Author.self, key: 1)
    try await database.save(RecordModels.Reading(sensor: "a", value: 1, unit: nil, doubled: nil), .insert)
    try await database.save(RecordModels.Reading(sensor: "b", value: 1, unit: nil, doubled: nil), .insert)
    #expect(await told(books, until: "delete 1") == ["insert 1"])
    #expect(await told(tags, until: "delete 1, 'it''s'") == ["insert 1, 'it''s'"])
    #expect(await told(readings, until: "insert 2") == ["insert 1"])
  }

  @Test("changes that many tasks make are all told, to all subscribers, each once", arguments: Place.allCases)
  func complete(_ place: Place) async throws {
    let tally = try await Tally(place)
    let database = tally.database
    defer { withExtendedLifetime(tally) {} }
    var subscribers: [Task<[Int64], Never>] = []
    for _ in 0..<4 {
      let changes = try await database.changes(Entry.self)
      subscribers.append(
        Task {
          var keys: [Int64] = []
          for await change in changes {
            keys.append(change.key.integer ?? -1)
            if keys.count == 400 { break }
          }
          return keys
        })
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<8 {
        group.addTask {
          for value in 0..<50 { try await database.save(Entry(id: nil, worker: worker, value: value)) }
        }
      }
      try await group.waitForAll()
    }
    for subscriber in subscribers { #expect(await subscriber.value == (1...400).map { Int64($0) }) }
  }

  @Test("a change can be read by whoever is told of it")
  func readable() async throws {
    let tally = try await Tally()
    let changes = try await tally.database.changes(Entry.self)
    let writer = Task {
      for value in 1...100 { try await tally.database.save(Entry(id: Int64(value), worker: 0, value: value)) }
    }
    var count = 0
    for await change in changes {
      let key = try #require(change.key.integer)
      #expect(try await tally.database.find(Entry.self, key)?.value == Int(key))
      count += 1
      if count == 100 { break }
    }
    try await writer.value
  }

  @Test("nothing stays behind when the tasks that listened have ended", arguments: Place.allCases)
  func ending(_ place: Place) async throws {
    let tally = try await Tally(place)
    let database = tally.database
    defer { withExtendedLifetime(tally) {} }
    @Sendable func temporary() async throws -> Int {
      try await database.run { try $0.query("SELECT * FROM sqlite_temp_master").count }
    }
    #expect(try await temporary() == 0)
    var changes: AsyncStream<RecordChange<Entry>>? = try await database.changes(Entry.self)
    let isListening = Gate()
    let counters = try await database.changes(Counter.self)
    let listener = Task {
      for await _ in counters { isListening.open() }
    }
    try await database.save(Counter(name: "a", value: 0))
    await isListening.pass()
    #expect(try await temporary() > 0)
    listener.cancel()
    await listener.value
    do {
      let once = try await database.changes(Entry.self)
      try await database.save(Entry(id: nil, worker: 0, value: 0))
      for await _ in once { break }
    }
    _ = changes
    changes = nil
    #expect(try await eventually { try await temporary() == 0 })
    // Another one is told again.
    let anew = try await database.changes(Counter.self)
    try await database.save(Counter(name: "b", value: 0))
    #expect(await told(anew, until: "insert 'b'").isEmpty)
  }

  @Test("a listener that ends while rows are streamed leaves nothing behind the next commit", arguments: Place.allCases)
  func endingWhileStreaming(_ place: Place) async throws {
    let tally = try await Tally(place, entries: 600)
    let database = tally.database
    var changes: AsyncStream<RecordChange<Entry>>? = try await database.changes(Entry.self)
    _ = changes
    var iterator = database.stream(Entry.self).makeAsyncIterator()
    #expect(try await iterator.next() != nil)
    changes = nil
    try await database.save(Entry(id: nil, worker: 0, value: 0))
    while try await iterator.next() != nil {}
    #expect(
      try await eventually {
        try await database.save(Entry(id: nil, worker: 0, value: 0))
        return try await database.run { try $0.query("SELECT * FROM sqlite_temp_master").count } == 0
      })
  }

  @Test("the changes end when the database is gone", arguments: Place.allCases)
  func databaseGone(_ place: Place) async throws {
    let changes: AsyncStream<RecordChange<Entry>>
    let file: TemporaryDatabase
    do {
      let tally = try await Tally(place)
      file = tally.file
      changes = try await tally.database.changes(Entry.self)
      try await tally.database.save(Entry(id: 7, worker: 0, value: 0))
    }
    let seen = Record<String>()
    let isDone = try await isDone(within: 5) {
      for await change in changes { seen.append("\(change.kind) \(change.key)") }
    }
    #expect(isDone && seen.all == ["insert 7"])
    _ = file
  }
}

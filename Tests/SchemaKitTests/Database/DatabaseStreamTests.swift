import Foundation
import SchemaKit
import Testing

/// A value that notes how many of its kind were read, to see how far ahead a stream reads.
private struct Watched: ColumnValue {
  static let counter = Counter()

  final class Counter: @unchecked Sendable {
    // `lock` guards `count`.
    private let lock = NSLock()
    private var count = 0
    var value: Int { lock.withLock { count } }
    func add() { lock.withLock { count += 1 } }
  }

  static var columnType: ColumnType { .integer }
  let number: Int64

  init(_ number: Int64) { self.number = number }

  init(sqlValue: SQLValue) throws {
    guard let number = sqlValue.integer else {
      throw ColumnValueError(expected: "Watched", found: sqlValue.storageClass)
    }
    Self.counter.add()
    self.number = number
  }

  func sqlValue() throws -> SQLValue { .integer(number) }
}

private struct WatchedRow: Model {
  let id: Int64?
  let value: Watched

  static let table = ModelTable("watched", as: Self.init) {
    Column("id", \.id).primaryKey()
    Column("value", \.value)
  }
}

@Suite("Database: streams")
struct DatabaseStreamTests {
  typealias Entry = Tally.Entry

  private func values(_ stream: RowStream<Entry>) async throws -> [Int] {
    var values: [Int] = []
    for try await entry in stream { values.append(entry.value) }
    return values
  }

  @Test("a stream gives every row once and in order, however many there are", arguments: Place.allCases)
  func complete(_ place: Place) async throws {
    for count in [0, 1, 2, 255, 256, 257, 512, 1000] {
      let tally = try await Tally(place, entries: count)
      let stream = tally.database.stream(Entry.self, orderBy: { [$0.value.descending] })
      #expect(try await values(stream) == Array((0..<count).map { $0 + 1 }.reversed()), "\(count)")
      // A second run of the same stream begins anew.
      try await tally.database.save(Entry(id: nil, worker: 1, value: 5_000))
      #expect(try await values(stream).count == count + 1)
      #expect(try await values(tally.database.stream(Entry.self, where: { $0.worker == 1 })) == [5_000])
      var iterator = tally.database.stream(Entry.self, where: { $0.worker == 2 }).makeAsyncIterator()
      #expect(try await iterator.next() == nil)
      #expect(try await iterator.next() == nil)
    }
  }

  @Test("only some hundred rows are read ahead of whoever uses them")
  func backPressure() async throws {
    let file = try TemporaryDatabase()
    let database = try await Database(at: file.sibling("new.db"), schema: ModelSchema { WatchedRow.self })
    try await database.save((1...20_000).map { WatchedRow(id: $0, value: Watched($0)) })
    let before = Watched.counter.value
    var used = 0
    for try await _ in database.stream(WatchedRow.self) {
      used += 1
      let ahead = Watched.counter.value - before - used
      if ahead > 1_000 {
        Issue.record("\(ahead) rows were read ahead")
        break
      }
      if used % 5_000 == 0 { try await Task.sleep(for: .milliseconds(20)) }
    }
    #expect(used == 20_000)
  }

  @Test("streams that are left half-way give their readers back", arguments: Place.allCases)
  func abandoned(_ place: Place) async throws {
    let tally = try await Tally(place, entries: 600)
    let database = tally.database
    let isDone = try await isDone {
      for _ in 0..<Tally.manyReaders {
        for try await entry in database.stream(Entry.self) where entry.value == 300 { break }
        var iterator = database.stream(Entry.self).makeAsyncIterator()
        #expect(try await iterator.next() != nil)
      }
      #expect(try await database.count(Entry.self) == 600)
    }
    #expect(isDone)
    // Nobody reads an old state any more, so that the log can be emptied.
    if place == .wal {
      try await database.save(Entry(id: nil, worker: 0, value: 0))
      #expect(try await eventually { try tally.file.value("PRAGMA wal_checkpoint(TRUNCATE)") == .int(0) })
    }
  }

  @Test("tasks that read while they stream do not wait for each other's readers", arguments: Place.allCases)
  func readingWhileStreaming(_ place: Place) async throws {
    let tally = try await Tally(place, entries: 600)
    let database = tally.database
    let isDone = try await isDone {
      try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<Tally.manyReaders {
          group.addTask {
            var found = 0
            for try await entry in database.stream(Entry.self) where entry.value % 50 == 0 {
              found += try await database.find(Entry.self, entry.value)?.value == entry.value ? 1 : 0
            }
            return found
          }
        }
        for try await found in group { #expect(found == 12) }
      }
    }
    #expect(isDone)
  }

  @Test("streams inside streams, more than there are readers", arguments: Place.allCases)
  func nested(_ place: Place) async throws {
    let tally = try await Tally(place, entries: 3)
    let database = tally.database
    let isDone = try await isDone {
      func descend(_ depth: Int) async throws -> Int {
        var count = 1
        guard depth > 0 else { return count }
        for try await _ in database.stream(Entry.self, where: { $0.value == 1 }) {
          count += try await descend(depth - 1)
        }
        return count
      }
      let count = try await descend(Tally.manyReaders)
      #expect(count == Tally.manyReaders + 1)
    }
    #expect(isDone)
  }

  @Test("more streams at once than there are readers are all served", arguments: Place.allCases)
  func many(_ place: Place) async throws {
    let tally = try await Tally(place, entries: 700)
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<Tally.manyReaders * 2 {
        group.addTask { try await values(tally.database.stream(Entry.self)).count }
      }
      for try await count in group { #expect(count == 700) }
    }
  }

  @Test("a stream shows one state of the database, however long it takes")
  func snapshot() async throws {
    let tally = try await Tally(entries: 1_000)
    var seen: [Int] = []
    for try await entry in tally.database.stream(Entry.self, orderBy: { [$0.id.ascending] }) {
      if seen.isEmpty {
        try await tally.database.deleteAll(Entry.self)
        try await tally.database.save(Entry(id: 2_000, worker: 0, value: -1))
      }
      seen.append(entry.value)
    }
    #expect(seen == Array(1...1_000))
    #expect(try await tally.database.count(Entry.self) == 1)
  }

  @Test("an error in the midst ends the stream and gives its reader back", arguments: Place.allCases)
  func typeMismatch(_ place: Place) async throws {
    let tally = try await Tally(place, entries: 600)
    try await tally.database.execute("UPDATE entries SET value = 'x' WHERE id = 300")
    for _ in 0..<Tally.manyReaders {
      var seen = 0
      var iterator = tally.database.stream(Entry.self, orderBy: { [$0.id.ascending] }).makeAsyncIterator()
      let error = await #expect(throws: RecordError.self) {
        while try await iterator.next() != nil { seen += 1 }
      }
      #expect(seen == 299)
      guard case .value(let table, let column, let row, _, let found, _)? = error?.reason else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(table == "entries" && column == "value" && row == RecordKey([.integer(300)]) && found == "text")
      #expect(try await iterator.next() == nil)
    }
    #expect(try await tally.database.count(Entry.self) == 600)
  }

  @Test("a stream whose condition is wrong throws at its first row", arguments: Place.allCases)
  func wrongCondition(_ place: Place) async throws {
    let tally = try await Tally(place, entries: 1)
    for _ in 0..<Tally.manyReaders {
      await #expect(throws: SQLiteError.self) {
        for try await _ in tally.database.stream(Entry.self, where: { _ in .sql("no_such_column = 1") }) {}
      }
    }
    #expect(try await tally.database.count(Entry.self) == 1)
  }

  @Test("cancelled in the midst of a long search, a stream throws and its reader goes on", arguments: Place.allCases)
  func cancelled(_ place: Place) async throws {
    let tally = try await Tally(place, entries: 300)
    for _ in 0..<Tally.manyReaders {
      let isReading = Gate()
      let task = Task {
        // The first 256 rows are found at once, the next one never.
        let endless: SQL = """
          id < 257 OR (SELECT count(*) FROM (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + entries.id FROM n) \
          SELECT i FROM n))
          """
        for try await _ in tally.database.stream(Entry.self, where: { _ in .sql(endless) }) { isReading.open() }
      }
      await isReading.pass()
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    #expect(try await tally.database.count(Entry.self) == 300)
  }

  @Test("a database that its owner lets go of lives as long as its streams", arguments: Place.allCases)
  func outliving(_ place: Place) async throws {
    let file: TemporaryDatabase
    var iterator: RowStream<Entry>.Iterator
    do {
      let tally = try await Tally(place, entries: 1_000)
      file = tally.file
      iterator = tally.database.stream(Entry.self).makeAsyncIterator()
      #expect(try await iterator.next() != nil)
    }
    var count = 1
    while try await iterator.next() != nil { count += 1 }
    #expect(count == 1_000)
    _ = file
  }

  @Test("a stream that nobody asks for a row holds nothing")
  func unused() async throws {
    let tally = try await Tally(entries: 1)
    let streams = (0..<Tally.manyReaders).map { _ in tally.database.stream(Entry.self) }
    let iterators = streams.map { $0.makeAsyncIterator() }
    #expect(try await tally.database.count(Entry.self) == 1)
    #expect(iterators.count == Tally.manyReaders)
  }

  @Test("rows may be written while they are streamed", arguments: Place.allCases)
  func writing(_ place: Place) async throws {
    let tally = try await Tally(place, entries: 600)
    var count = 0
    for try await entry in tally.database.stream(Entry.self, where: { $0.worker == 0 }, orderBy: { [$0.id.ascending] })
    {
      count += 1
      if entry.value % 100 == 0 {
        try await tally.database.transaction { session in
          try session.update(Entry(id: entry.id, worker: 0, value: -entry.value))
        }
      }
    }
    #expect(count == 600)
    #expect(try await tally.database.count(Entry.self, where: { $0.value < 0 }) == 6)
  }
}

import Foundation
import Testing

@testable import SchemaKit

@Suite("Database: fresh values")
struct ValueStreamTests {
  typealias Entry = Tally.Entry
  typealias Counter = Tally.Counter

  private func entry(_ id: Int64, _ value: Int = 0) -> Entry { Entry(id: id, worker: 0, value: value) }

  /// Runs an observation that must end, so that one that hangs fails.
  private func check(_ body: @escaping @Sendable () async throws -> Void) async throws {
    let isDone = try await isDone(within: 60, body)
    #expect(isDone)
  }

  @Test("the value comes at once, then after each commit that changes it", arguments: Place.allCases)
  func fresh(_ place: Place) async throws {
    let tally = try await Tally(place)
    let database = tally.database
    try await check {
      var values = database.values { try $0.all(Entry.self).map(\.value) }.makeAsyncIterator()
      #expect(try await values.next() == [])
      try await database.save(entry(1, 5))
      #expect(try await values.next() == [5])
      try await database.transaction { session in
        try session.save(entry(2, 7))
        try session.save(entry(1, 6))
      }
      #expect(try await values.next() == [6, 7])
      try await database.deleteAll(Entry.self)
      #expect(try await values.next() == [])
    }
    withExtendedLifetime(tally) {}
  }

  @Test("commits that cannot change the value wake nobody", arguments: Place.allCases)
  func untouched(_ place: Place) async throws {
    let tally = try await Tally(place)
    let database = tally.database
    try await database.save(entry(1))
    let wakes = try await database.countingWakes { _ = try $0.query("SELECT value FROM entries", as: Int.self) }
    try await database.save(Counter(name: "other", value: 1))
    try await database.execute("UPDATE entries SET worker = 9")
    await #expect(throws: Gallery.Regret.self) {
      try await database.transaction { session in
        try session.save(Counter(name: "undone", value: 1))
        throw Gallery.Regret()
      }
    }
    #expect(wakes.all.isEmpty)
    try await database.save(entry(1, 2))
    #expect(wakes.all.count == 1)
    withExtendedLifetime(tally) {}
  }

  @Test("what is rolled back, and what is written as it was, gives no value", arguments: Place.allCases)
  func same(_ place: Place) async throws {
    let tally = try await Tally(place)
    let database = tally.database
    try await check {
      var values = database.values { try $0.count(Entry.self) }.makeAsyncIterator()
      #expect(try await values.next() == 0)
      await #expect(throws: Gallery.Regret.self) {
        try await database.transaction { session in
          try session.save(entry(1))
          throw Gallery.Regret()
        }
      }
      try await database.execute("INSERT INTO entries VALUES (7, 0, 0); DELETE FROM entries")
      try await database.save([entry(1), entry(2)])
      #expect(try await values.next() == 2)
    }
    withExtendedLifetime(tally) {}
  }

  @Test("a closure that reads another table than before is run for that one", arguments: Place.allCases)
  func otherTable(_ place: Place) async throws {
    let tally = try await Tally(place)
    let database = tally.database
    try await check {
      var values = database.values { reader in
        try reader.count(Entry.self) == 0 ? -1 : try reader.query("SELECT value FROM counters", as: Int.self).first ?? 0
      }.makeAsyncIterator()
      #expect(try await values.next() == -1)
      try await database.save(entry(1))
      #expect(try await values.next() == 0)
      try await database.save(Counter(name: "a", value: 3))
      #expect(try await values.next() == 3)
      try await database.execute("UPDATE counters SET value = 4")
      #expect(try await values.next() == 4)
    }
    withExtendedLifetime(tally) {}
  }

  @Test("a commit to a table that is being read for the first time is seen")
  func commitDuringRead() async throws {
    let tally = try await Tally(.wal)
    let database = tally.database
    let (reading, written) = (Gate(), Gate())
    try await check {
      var values = database.values { reader in
        guard try reader.count(Entry.self) > 0 else { return -1 }
        let count = try reader.count(Counter.self)
        reading.open()
        #expect(written.block())
        return count
      }.makeAsyncIterator()
      let first = try await values.next()
      #expect(first == -1)
      try await database.save(entry(1))
      async let writing: Void = {
        await reading.pass()
        try await database.save(Counter(name: "meanwhile", value: 1))
        written.open()
      }()
      #expect(try await values.next() == 0)
      #expect(try await values.next() == 1)
      try await writing
    }
    withExtendedLifetime(tally) {}
  }

  @Test("a closure that reads the catalog sees what has changed with the next row", arguments: Place.allCases)
  func catalog(_ place: Place) async throws {
    let tally = try await Tally(place)
    let database = tally.database
    try await check {
      var values = database.values { reader in
        try reader.query("SELECT name FROM sqlite_master WHERE name LIKE 'extra%'", as: String.self)
      }.makeAsyncIterator()
      #expect(try await values.next() == [])
      try await database.execute("CREATE TABLE extra (x)")
      try await database.save(entry(1))
      #expect(try await values.next() == ["extra"])
      try await database.execute("DROP TABLE extra")
      try await database.save(entry(2))
      #expect(try await values.next() == [])
    }
    withExtendedLifetime(tally) {}
  }

  @Test("the last of many commits is always seen", arguments: Place.allCases)
  func last(_ place: Place) async throws {
    let tally = try await Tally(place)
    let database = tally.database
    try await check {
      async let writing: Void = {
        for id in 1...300 { try await database.save(entry(Int64(id))) }
      }()
      var seen: [Int] = []
      for try await count in database.values({ try $0.count(Entry.self) }) {
        seen.append(count)
        if count == 300 { break }
      }
      #expect(seen == Array(Set(seen)).sorted())
      try await writing
    }
    withExtendedLifetime(tally) {}
  }

  @Test("commits of other connections are seen", arguments: [Place.wal, .rollbackJournal])
  func others(_ place: Place) async throws {
    let tally = try await Tally(place)
    let database = tally.database
    let path = tally.file.path
    try await check {
      var values = database.values { try $0.count(Entry.self) }.makeAsyncIterator()
      #expect(try await values.next() == 0)
      let other = try SQLiteConnection(path: path)
      try other.execute("INSERT INTO entries VALUES (1, 0, 0), (2, 0, 0)")
      try other.close()
      #expect(try await values.next() == 2)
    }
    withExtendedLifetime(tally) {}
  }

  @Test(
    "all that a query reads is followed", .needs(.fts5),
    arguments: [
      ("SELECT count(*) FROM seen", "INSERT INTO base VALUES (9, 9)"),
      ("SELECT sum(double) FROM base", "UPDATE base SET a = 5 WHERE id = 1"),
      ("SELECT sum(rowid) FROM plain", "UPDATE plain SET rowid = 50"),
      ("SELECT count(*) FROM search WHERE search MATCH 'wren'", "INSERT INTO search VALUES ('wren')"),
      ("SELECT sum(j.value) FROM plain, json_each(plain.x) AS j", "UPDATE plain SET x = '[7]'"),
      ("SELECT count(*) FROM keyed WHERE v = 2", "UPDATE keyed SET v = 2"),
      ("SELECT count(*) FROM child", "DELETE FROM base"),
      ("SELECT max(a) FROM base", "INSERT INTO base VALUES (1, 3) ON CONFLICT (id) DO UPDATE SET a = 12"),
      ("SELECT count(*) FROM uniq", "UPDATE OR REPLACE uniq SET u = 1 WHERE id = 2"),
      ("SELECT count(*) FROM uniq", "UPDATE OR REPLACE uniq SET id = 1 WHERE id = 2"),
      ("SELECT max(id) FROM uniq", "UPDATE uniq SET rowid = 10 WHERE id = 2"),
      ("SELECT count(*) FROM UNIQ", "INSERT INTO uniq VALUES (3, 3)"),
      ("SELECT count(*) FROM own", "INSERT INTO own VALUES (3)"),
      ("SELECT count(*) FROM plain", "DROP TABLE plain; CREATE TABLE plain (x); INSERT INTO plain VALUES (1), (2)"),
      ("SELECT count(*) FROM sqlite_schema", "CREATE TABLE late (x); INSERT INTO plain VALUES (1)"),
    ])
  func objects(query: String, change: String) async throws {
    let database = try await Database(inMemory: Tally.schema)
    try await database.execute(
      """
      CREATE TABLE base (id INTEGER PRIMARY KEY, a, double AS (a * 2)); INSERT INTO base VALUES (1, 1);
      CREATE VIEW seen AS SELECT a FROM base; CREATE TABLE plain (x); INSERT INTO plain VALUES ('[1]');
      CREATE TABLE keyed (k PRIMARY KEY, v) WITHOUT ROWID; INSERT INTO keyed VALUES (1, 1);
      CREATE TABLE child (b REFERENCES base ON DELETE CASCADE); INSERT INTO child VALUES (1);
      CREATE VIRTUAL TABLE search USING fts5(text); CREATE TEMP TABLE own (x);
      CREATE TABLE uniq (id INTEGER PRIMARY KEY, u UNIQUE); INSERT INTO uniq VALUES (1, 1), (2, 2);
      """)
    try await check {
      var values = database.values { try $0.query(SQL(raw: query), as: Int.self).first ?? -1 }.makeAsyncIterator()
      let before = try #require(try await values.next())
      try await database.execute(SQL(raw: change))
      #expect(try await values.next() != before)
    }
  }

  @Test("a view is followed to the tables of its new definition")
  func redefinedView() async throws {
    let database = try await Database(inMemory: Tally.schema)
    try await database.execute("CREATE TABLE a (x); CREATE TABLE b (x); CREATE VIEW v AS SELECT x FROM a")
    try await check {
      var values = database.values { try $0.query("SELECT count(*) FROM v", as: Int.self).first ?? -1 }
        .makeAsyncIterator()
      #expect(try await values.next() == 0)
      try await database.execute("DROP VIEW v; CREATE VIEW v AS SELECT x FROM b; INSERT INTO b VALUES (1)")
      #expect(try await values.next() == 1)
      try await database.execute("INSERT INTO b VALUES (2)")
      #expect(try await values.next() == 2)
    }
  }

  @Test("rows that a failed statement leaves are seen", arguments: Place.allCases)
  func failedStatement(_ place: Place) async throws {
    let tally = try await Tally(place)
    let database = tally.database
    try await check {
      var values = database.values { try $0.count(Entry.self) }.makeAsyncIterator()
      let before = try await values.next()
      #expect(before == 0)
      _ = try? await database.execute("INSERT OR FAIL INTO entries VALUES (1, 0, 0), (2, 0, 0), (1, 0, 0)")
      #expect(try await values.next() == 2)
    }
    withExtendedLifetime(tally) {}
  }

  @Test("a stream ends with its task, with the database and with an error", arguments: Place.allCases)
  func ends(_ place: Place) async throws {
    let tally = try await Tally(place)
    let database = tally.database
    try await check {
      let following = Task {
        var count = 0
        for try await _ in database.values({ try $0.count(Entry.self) }) { count += 1 }
        return count
      }
      #expect(try await eventually { try await database.run { $0.store.valueObservers?.isEmpty == false } })
      following.cancel()
      #expect(try await following.value <= 1)

      var failing = database.values { reader in
        if try reader.count(Entry.self) > 0 { throw Gallery.Regret() }
        return 0
      }.makeAsyncIterator()
      #expect(try await failing.next() == 0)
      try await database.save(entry(1))
      await #expect(throws: Gallery.Regret.self) { try await failing.next() }
      #expect(try await failing.next() == nil)

      // Nothing of it stays on the connection.
      let temporary: SQL = "SELECT count(*) FROM sqlite_temp_master"
      #expect(try await eventually { try await database.query(temporary, as: Int.self) == [0] })

      var values = database.values { try $0.count(Entry.self) }.makeAsyncIterator()
      #expect(try await values.next() == 1)
      try await database.close()
      #expect(try await values.next() == nil)
    }
    withExtendedLifetime(tally) {}
  }

  @Test("a file whose schema is not trusted is followed as well")
  func untrusted() async throws {
    let database = try await Database(inMemory: Tally.schema) { $0.trustsSchema = false }
    try await check {
      var values = database.values { try $0.count(Entry.self) }.makeAsyncIterator()
      #expect(try await values.next() == 0)
      try await database.save(entry(1))
      #expect(try await values.next() == 1)
    }
  }

  @Test("nil is equal to nil, and differs from a row")
  func optional() async throws {
    let database = try await Database(inMemory: Tally.schema)
    try await check {
      var values = database.values { try $0.find(Entry.self, 1) }.makeAsyncIterator()
      #expect(try await values.next() == .some(nil))
      try await database.save(entry(2))
      try await database.save(entry(1, 3))
      #expect(try await values.next() == entry(1, 3))
      try await database.save(entry(2, 5))
      try await database.delete(Entry.self, key: 1)
      #expect(try await values.next() == .some(nil))
    }
  }

  @Test("values without equality come after each commit that may change them")
  func incomparable() async throws {
    struct Total: Sendable { var count: Int }
    let database = try await Database(inMemory: Tally.schema)
    try await check {
      var values = database.values { Total(count: try $0.count(Entry.self)) }.makeAsyncIterator()
      #expect(try await values.next()?.count == 0)
      try await database.save(entry(1))
      #expect(try await values.next()?.count == 1)
      try await database.execute("INSERT INTO entries VALUES (7, 0, 0); DELETE FROM entries WHERE id = 7")
      #expect(try await values.next()?.count == 1)
    }
  }
}

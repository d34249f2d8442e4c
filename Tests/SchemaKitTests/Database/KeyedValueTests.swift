import Testing

@testable import SchemaKit

@Suite("Database: fresh values of rows that are found by their key")
struct KeyedValueTests {
  /// A table of a text key, with rowids beside it.
  struct Label: Model, Hashable {
    let name: String
    var value: Int

    static let table = ModelTable("labels", as: Self.init) {
      Column("name", \.name).primaryKey()
      Column("value", \.value)
    }
  }

  /// A table in which an insertion may replace a row of another key.
  struct Seat: Model, Hashable {
    let id: Int64?
    var guest: String

    static let table = ModelTable("seats", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("guest", \.guest).unique()
    }
  }

  /// A key that has several spellings.
  struct Word: Model, Hashable {
    let text: String
    var count: Int

    static let table = ModelTable("words", as: Self.init) {
      Column("text", \.text).primaryKey().collate(.nocase)
      Column("count", \.count)
    }
  }

  /// A key of two columns.
  struct Score: Model, Hashable {
    let game: String
    let round: Int
    var points: Int

    static let table = ModelTable("scores", as: Self.init) {
      Column("game", \.game)
      Column("round", \.round)
      Column("points", \.points)
    } constraints: {
      Constraint.primaryKey(\.game, \.round)
    }
    .withoutRowID()
  }

  typealias Entry = Tally.Entry

  private static let schema = ModelSchema {
    Entry.self
    Label.self
    Seat.self
    Word.self
    Score.self
  }

  private static let rows = """
    INSERT INTO entries VALUES (1, 0, 1), (2, 0, 2); INSERT INTO labels VALUES ('a', 1), ('b', 2);
    INSERT INTO seats VALUES (1, 'Ada'), (2, 'Bo'); INSERT INTO words VALUES ('a', 1), ('b', 2);
    INSERT INTO scores VALUES ('chess', 1, 5), ('chess', 2, 6), ('go', 1, 7);
    """

  private func check(_ body: @escaping @Sendable () async throws -> Void) async throws {
    let isDone = try await isDone(within: 60, body)
    #expect(isDone)
  }

  @Test(
    "a change of another row does not run the closure, and one of the row does",
    arguments: [
      ("entries", "UPDATE entries SET value = 9 WHERE id = 2", "UPDATE entries SET value = 9 WHERE id = 1"),
      ("entries", "DELETE FROM entries WHERE id = 2", "DELETE FROM entries WHERE id = 1"),
      ("entries", "UPDATE entries SET id = 3 WHERE id = 2", "UPDATE OR REPLACE entries SET id = 1 WHERE id = 3"),
      ("entries", "INSERT INTO entries VALUES (3, 3, 3)", "INSERT OR REPLACE INTO entries VALUES (1, 3, 3)"),
      ("entries", "UPDATE entries SET value = 9 WHERE id = 2", "UPDATE entries SET rowid = 7 WHERE id = 1"),
      ("labels", "UPDATE labels SET value = 9 WHERE name = 'b'", "UPDATE labels SET value = 9 WHERE name = 'a'"),
      ("labels", "DELETE FROM labels WHERE name = 'b'", "UPDATE labels SET name = 'c' WHERE name = 'a'"),
      (
        "labels", "INSERT INTO labels VALUES ('c', 1)",
        "INSERT OR REPLACE INTO labels (rowid, name, value) VALUES (1, 'd', 1)"
      ),
      ("labels", "INSERT INTO labels VALUES ('c', 1)", "UPDATE OR REPLACE labels SET rowid = 1 WHERE name = 'b'"),
      ("scores", "UPDATE scores SET points = 0 WHERE game = 'go'", "UPDATE scores SET points = 0 WHERE round = 1"),
      ("scores", "DELETE FROM scores WHERE round = 2", "DELETE FROM scores"),
    ])
  func watched(table: String, other: String, own: String) async throws {
    let database = try await Database(inMemory: Self.schema)
    try await database.execute(SQL(raw: Self.rows))
    let wakes = try await database.countingWakes { reader in
      switch table {
      case "entries": _ = try reader.find(Entry.self, 1)
      case "labels": _ = try reader.find(Label.self, "a")
      default: _ = try reader.find(Score.self, "chess", 1)
      }
    }
    try await database.execute(SQL(raw: other))
    #expect(wakes.all.isEmpty)
    try await database.execute(SQL(raw: own))
    #expect(wakes.all.count == 1)
  }

  @Test("a row that goes with one of another key is missed by nobody")
  func replaced() async throws {
    let database = try await Database(inMemory: Self.schema)
    try await database.execute(SQL(raw: Self.rows))
    try await check {
      var values = database.values { try $0.find(Seat.self, 1)?.guest }.makeAsyncIterator()
      #expect(try await values.next() == "Ada")
      try await database.execute("INSERT OR REPLACE INTO seats VALUES (3, 'Ada')")
      #expect(try await values.next() == .some(nil))
    }
  }

  @Test("a key that is found by another spelling is followed")
  func spelling() async throws {
    let database = try await Database(inMemory: Self.schema)
    try await database.execute(SQL(raw: Self.rows))
    try await check {
      var values = database.values { try $0.find(Word.self, "A")?.count }.makeAsyncIterator()
      #expect(try await values.next() == 1)
      try await database.execute("UPDATE words SET count = 5 WHERE text = 'a'")
      #expect(try await values.next() == 5)
    }
  }

  @Test("a closure that reads other rows than before, or all of them, is run for those")
  func otherRows() async throws {
    let database = try await Database(inMemory: Self.schema)
    try await database.execute(SQL(raw: Self.rows))
    try await check {
      // A row says which other one is read; above ten all rows are.
      var values = database.values { reader in
        let next = try reader.find(Entry.self, 1)?.value ?? 0
        return next > 10 ? try reader.count(Entry.self) : try reader.find(Entry.self, Int64(next))?.worker ?? -1
      }.makeAsyncIterator()
      #expect(try await values.next() == 0)
      try await database.execute(
        "UPDATE entries SET value = 2 WHERE id = 1; UPDATE entries SET worker = 4 WHERE id = 2")
      #expect(try await values.next() == 4)
      try await database.execute("UPDATE entries SET worker = 6 WHERE id = 2")
      #expect(try await values.next() == 6)
      try await database.execute("UPDATE entries SET value = 11 WHERE id = 1")
      #expect(try await values.next() == 2)
      try await database.execute("INSERT INTO entries VALUES (5, 5, 5)")
      #expect(try await values.next() == 3)
    }
  }

  @Test("one statement that writes very many rows is seen by all who read one of them")
  func manyRows() async throws {
    let database = try await Database(inMemory: Self.schema)
    try await check {
      var values = database.values { try $0.find(Entry.self, 2500)?.value }.makeAsyncIterator()
      #expect(try await values.next() == .some(nil))
      try await database.save((1...3000).map { Entry(id: Int64($0), worker: 0, value: $0) })
      #expect(try await values.next() == 2500)
    }
  }
}

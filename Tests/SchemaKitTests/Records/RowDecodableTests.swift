import SchemaKit
import Testing

@Suite("Models that read their rows by themselves")
struct RowDecodableTests {
  private struct Right: Model, RowEncodable, RowDecodable, Hashable {
    let id: Int64?
    var first: String
    var second: String
    var note: String?
    var tags: [String]

    static let table = ModelTable("right", as: Self.init) {
      Column("id", \Right.id).primaryKey()
      Column("first", \Right.first)
      Column("second", \Right.second)
      Column("note", \Right.note)
      Column("tags", \Right.tags)
    }

    func encode(into row: inout RowWriter) throws {
      try row.append(id)
      try row.append(first)
      try row.append(second)
      try row.append(note)
      try row.append(tags)
    }

    static func decode(from row: inout RowReader) throws -> Self {
      try Self(id: row.read(), first: row.read(), second: row.read(), note: row.read(), tags: row.read())
    }
  }

  private struct Swapped: Model, RowDecodable {
    let id: Int64?
    var first: String
    var second: String

    static let table = ModelTable("swapped", as: Self.init) {
      Column("id", \Swapped.id).primaryKey()
      Column("first", \Swapped.first)
      Column("second", \Swapped.second)
    }

    static func decode(from row: inout RowReader) throws -> Self {
      let (id, second, first) = try (row.read(Int64?.self), row.read(String.self), row.read(String.self))
      return Self(id: id, first: first, second: second)
    }
  }

  /// Reads its note only when the rank is not 0.
  private struct Sometimes: Model, RowDecodable {
    let id: Int64?
    var rank: Int
    var note: String?

    static let table = ModelTable("sometimes", as: Self.init) {
      Column("id", \Sometimes.id).primaryKey()
      Column("rank", \Sometimes.rank)
      Column("note", \Sometimes.note)
    }

    static func decode(from row: inout RowReader) throws -> Self {
      let (id, rank) = try (row.read(Int64?.self), row.read(Int.self))
      return Self(id: id, rank: rank, note: rank == 77 ? nil : try row.read())
    }
  }

  private let session: Session

  init() throws {
    session = try Session(
      inMemory: ModelSchema {
        Right.self
        Swapped.self
        Sometimes.self
      })
  }

  private let rows = [
    Right(id: 1, first: "a", second: "é", note: nil, tags: []),
    Right(id: 2, first: "", second: "b", note: "n", tags: ["x", "y"]),
  ]

  @Test("one that reads all columns in order is found, listed, sorted, streamed and returned by a save")
  func right() throws {
    try session.save(rows)
    #expect(try session.find(Right.self, 2) == rows[1])
    #expect(try session.all(Right.self, orderBy: { [$0.id.ascending] }) == rows)
    #expect(try session.first(Right.self, where: { $0.note != nil }) == rows[1])
    var streamed: [Right] = []
    try session.forEach(Right.self) { streamed.append($0) }
    #expect(streamed.sorted { $0.first > $1.first } == rows)
    #expect(try session.save(Right(id: nil, first: "c", second: "d", note: nil, tags: ["z"])).id == 3)
  }

  @Test("columns that are swapped are noticed at the first row, also when it has the same value in both")
  func swapped() throws {
    try session.save([
      Swapped(id: 1, first: "", second: ""), Swapped(id: 2, first: "given name", second: "surname"),
    ])
    #expect(throws: RecordReason.decoding) { try reasoned { try session.all(Swapped.self) } }
    #expect(throws: RecordReason.decoding) { try reasoned { try session.find(Swapped.self, 1) } }
  }

  @Test("a column that is passed over in a later row is noticed there")
  func sometimes() throws {
    try session.save([Sometimes(id: 1, rank: 1, note: "a"), Sometimes(id: 2, rank: 77, note: "b")])
    #expect(try session.find(Sometimes.self, 1)?.note == "a")
    #expect(throws: RecordReason.decoding) { try reasoned { try session.find(Sometimes.self, 2) } }
    #expect(throws: RecordReason.decoding) { try reasoned { try session.all(Sometimes.self) } }
  }

  @Test("a stored value that does not fit is named with its column and row, also in the first row")
  func typeMismatch() throws {
    try session.execute("INSERT INTO right (id, first, second, tags) VALUES (7, 'a', x'00', '[]')")
    for request in [{ try session.all(Right.self).first }, { try session.find(Right.self, 7) }] {
      let error = #expect(throws: RecordError.self) { try request() }
      guard case .value(let table, let column, let row, _, _, _) = error?.reason else {
        Issue.record("\(String(describing: error))")
        continue
      }
      #expect(table == "right")
      #expect(column == "second")
      #expect(row == RecordKey([.integer(7)]))
    }
  }
}

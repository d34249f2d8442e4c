import SchemaKit
import Testing

@Suite("Models that write their rows by themselves")
struct RowEncodableTests {
  /// What the models below append; each is wrong in another way.
  private struct Right: Model, RowEncodable, Hashable {
    let id: Int64?
    var first: String
    var second: String
    var note: String?

    static let table = ModelTable("right", as: Self.init) {
      Column("id", \Right.id).primaryKey()
      Column("first", \Right.first)
      Column("second", \Right.second)
      Column("note", \Right.note)
    }

    func encode(into row: inout RowWriter) throws {
      try row.append(id)
      try row.append(first)
      try row.append(second)
      try row.append(note)
    }
  }

  private struct Swapped: Model, RowEncodable, Hashable {
    let id: Int64?
    var first: String
    var second: String

    static let table = ModelTable("swapped", as: Self.init) {
      Column("id", \Swapped.id).primaryKey()
      Column("first", \Swapped.first)
      Column("second", \Swapped.second)
    }

    func encode(into row: inout RowWriter) throws {
      try row.append(id)
      try row.append(second)
      try row.append(first)
    }
  }

  private struct Missing: Model, RowEncodable {
    let id: Int64?
    var first: String
    var second: String

    static let table = ModelTable("missing", as: Self.init) {
      Column("id", \Missing.id).primaryKey()
      Column("first", \Missing.first)
      Column("second", \Missing.second)
    }

    func encode(into row: inout RowWriter) throws {
      try row.append(id)
      try row.append(first)
    }
  }

  /// Right as long as there is a note.
  private struct Sometimes: Model, RowEncodable {
    let id: Int64
    var note: String?

    static let table = ModelTable("sometimes", as: Self.init) {
      Column("id", \Sometimes.id).primaryKey()
      Column("note", \Sometimes.note)
    }

    func encode(into row: inout RowWriter) throws {
      try row.append(id)
      if let note { try row.append(note) }
    }
  }

  private let session: Session

  init() throws {
    session = try Session(
      inMemory: ModelSchema {
        Right.self
        Swapped.self
        Missing.self
        Sometimes.self
      })
  }

  @Test("one that writes all columns in order is saved, updated and deleted")
  func right() throws {
    var right = try session.save(Right(id: nil, first: "a", second: "b", note: nil))
    #expect(try session.find(Right.self, 1) == right)
    right.note = "n"
    try session.update(right)
    #expect(try session.find(Right.self, 1) == right)
    #expect(try session.save([right, Right(id: nil, first: "", second: "c", note: nil)]).integers == [1, 2])
    #expect(try session.all(Right.self, orderBy: { [$0.id.ascending] }).map(\.second) == ["b", "c"])
    #expect(try session.delete(right))
  }

  @Test("columns that are swapped or left out are noticed before anything is written")
  func wrong() throws {
    #expect(throws: RecordReason.encoding) {
      try reasoned { try session.save(Swapped(id: nil, first: "a", second: "b")) }
    }
    #expect(throws: RecordReason.encoding) {
      try reasoned { try session.save([Missing(id: nil, first: "a", second: "b")]) }
    }
    #expect(throws: RecordReason.encoding) {
      try reasoned { try session.update(Missing(id: 1, first: "a", second: "b")) }
    }
    #expect(try session.count(Swapped.self) == 0)
    #expect(try session.count(Missing.self) == 0)
  }

  @Test("swapped columns are noticed also when the first object has the same value in both")
  func swappedEqualValues() throws {
    #expect(throws: RecordReason.encoding) {
      try reasoned {
        try session.save([
          Swapped(id: nil, first: "", second: ""), Swapped(id: nil, first: "given name", second: "surname"),
        ])
      }
    }
    #expect(try session.count(Swapped.self) == 0)
  }

  @Test("a column that is left out of a later object is noticed, and takes no value of the object before")
  func sometimesMissing() throws {
    #expect(throws: RecordReason.encoding) {
      try reasoned { try session.save([Sometimes(id: 1, note: "secret"), Sometimes(id: 2, note: nil)]) }
    }
    #expect(try session.count(Sometimes.self) == 0)
  }
}

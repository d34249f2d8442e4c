import SchemaKit
import Testing

@Suite("Relations")
struct RelationTests {
  private struct Person: Model, Hashable {
    let id: Int64?
    var name: String
    var boss: Int64?

    static let table = ModelTable("people", as: Self.init) {
      Column("id", \Person.id).primaryKey()
      Column("name", \Person.name).unique()
      Column("boss", \Person.boss).references(Person.self)
    }
  }

  /// Two foreign keys to the same table.
  private struct Letter: Model, Hashable {
    let id: Int64?
    var sender: Int64
    var receiver: Int64?

    static let table = ModelTable("letters", as: Self.init) {
      Column("id", \Letter.id).primaryKey()
      Column("sender", \Letter.sender).references(Person.self)
      Column("receiver", \Letter.receiver).references(Person.self)
    }
  }

  private struct Room: Model, Hashable {
    let number: Int
    let house: String
    var name: String

    static let table = ModelTable("rooms", as: Self.init) {
      Column("number", \Room.number)
      Column("house", \Room.house).collate(.nocase)
      Column("name", \Room.name)
    } constraints: {
      Constraint.primaryKey(\.house, \.number)
    }
  }

  private struct Chair: Model, Hashable {
    let id: Int64?
    var number: Int?
    var house: String?
    var legs: Int

    static let table = ModelTable("chairs", as: Self.init) {
      Column("id", \Chair.id).primaryKey()
      Column("number", \Chair.number)
      Column("house", \Chair.house).collate(.nocase)
      Column("legs", \Chair.legs)
    } constraints: {
      Constraint.foreignKey(\.house, \.number, references: Room.self)
    }
  }

  private let session: Session

  init() throws {
    session = try Session(
      inMemory: ModelSchema {
        Person.self
        Letter.self
        Room.self
        Chair.self
      })
    // Names against the order of the keys, so that an index over names is walked in another order.
    try session.save([
      Person(id: 1, name: "z", boss: nil), Person(id: 2, name: "y", boss: 1), Person(id: 3, name: "x", boss: 1),
      Person(id: 4, name: "w", boss: 3),
    ])
    try session.save([
      Letter(id: 1, sender: 1, receiver: 2), Letter(id: 2, sender: 2, receiver: 1),
      Letter(id: 3, sender: 4, receiver: nil),
    ])
    try session.save(Room(number: 1, house: "A", name: "hall"), Room(number: 2, house: "A", name: "attic"))
    try session.save([
      Chair(id: 1, number: 1, house: "A", legs: 4), Chair(id: 2, number: 1, house: "A", legs: 3),
      Chair(id: 3, number: nil, house: "A", legs: 5), Chair(id: 4, number: 2, house: "A", legs: 6),
    ])
  }

  @Test("pairs along the foreign key of a table to itself")
  func selfJoin() throws {
    let pairs = try session.join(
      Person.self, Person.self, where: { person, boss in boss.name != "x" && person.id > 0 },
      orderBy: { person, _ in [person.id.ascending] })
    #expect(pairs.map { "\($0.name)<\($1.name)" } == ["y<z", "x<z"])
    let all = try session.leftJoin(
      Person.self, Person.self, orderBy: { person, boss in [boss.id.descending, person.id.ascending] })
    #expect(all.map { "\($0.name)<\($1?.name ?? "-")" } == ["w<x", "y<z", "x<z", "z<-"])
    let families = try session.all(Person.self, with: Person.self, orderBy: { [$0.id.ascending] })
    #expect(families.map { $0.1.count } == [2, 0, 1, 0])
  }

  @Test("of several foreign keys one must be named")
  func severalKeys() throws {
    #expect(throws: RecordReason.noRelation(2)) { try reasoned { try session.join(Letter.self, Person.self) } }
    #expect(throws: RecordReason.noRelation(2)) { try reasoned { try session.all(Person.self, with: Letter.self) } }
    #expect(throws: RecordReason.noRelation(2)) { try reasoned { try session.join(Person.self, Letter.self) } }
    #expect(throws: RecordReason.noRelation(0)) {
      try reasoned { try session.join(Letter.self, Person.self, via: \.id) }
    }
    let sent = try session.join(
      Letter.self, Person.self, via: \.sender, orderBy: { letter, _ in [letter.id.ascending] })
    #expect(sent.map { "\($0.id ?? 0)\($1.name)" } == ["1z", "2y", "3w"])
    let received = try session.leftJoin(
      Letter.self, Person.self, via: \.receiver, orderBy: { letter, _ in [letter.id.ascending] }, limit: 3)
    #expect(received.map { $0.1?.name } == ["y", "z", nil])
    let families = try session.all(Person.self, with: Letter.self, via: \.receiver, orderBy: { [$0.id.ascending] })
    #expect(families.map { $0.1.compactMap(\.id) } == [[2], [1], [], []])
  }

  @Test("a foreign key of two columns, one of them NULL")
  func compositeKeys() throws {
    let pairs = try session.join(Chair.self, Room.self, orderBy: { chair, _ in [chair.id.ascending] })
    #expect(pairs.map { "\($0.legs)\($1.name)" } == ["4hall", "3hall", "6attic"])
    let left = try session.leftJoin(Chair.self, Room.self, orderBy: { chair, _ in [chair.id.ascending] })
    #expect(left.map { $0.1?.name } == ["hall", "hall", nil, "attic"])
    let families = try session.all(
      Room.self, with: Chair.self, orderBy: { [$0.number.descending] }, childrenOrderBy: { [$0.legs.ascending] })
    #expect(families.map { $0.0.name } == ["attic", "hall"])
    #expect(families.map { $0.1.map(\.legs) } == [[6], [3, 4]])
    #expect(try session.all(Room.self, where: { $0.any(Chair.self) { $0.legs == 6 } }).map(\.name) == ["attic"])
    #expect(try session.all(Chair.self, where: { !$0.any(Room.self) }).map(\.legs) == [5])
  }

  @Test("children whose key is written in another case belong to their parent, as they do for SQLite")
  func keysWithoutCase() throws {
    try session.save(Chair(id: 5, number: 2, house: "a", legs: 7))
    let pairs = try session.join(Chair.self, Room.self, where: { _, room in room.number == 2 })
    #expect(pairs.map(\.0.legs).sorted() == [6, 7])
    let families = try session.all(Room.self, with: Chair.self, where: { $0.number == 2 })
    #expect(families.first?.1.map(\.legs).sorted() == [6, 7])
  }

  @Test("with a limit the children are those of the objects that are given, with and without an order")
  func limitedFamilies() throws {
    for limit in 1...4 {
      let families = try session.all(Person.self, with: Letter.self, via: \.sender, limit: limit)
      let expected: [Int64: [Int64]] = [1: [1], 2: [2], 4: [3]]
      for (person, letters) in families {
        #expect(letters.compactMap(\.id) == expected[person.id ?? 0] ?? [], "\(person.name) of \(limit)")
      }
      #expect(families.count == limit)
    }
    let tied = try session.all(
      Person.self, with: Letter.self, via: \.sender, orderBy: { [$0.name.descending] }, limit: 1, offset: 1)
    #expect(tied.map { $0.0.name } == ["y"] && tied.map { $0.1.compactMap(\.id) } == [[2]])
  }

  @Test("conditions and orders on the side that may be missing")
  func missingSide() throws {
    // A row without a partner has no name, and no name is another name than "z".
    let others = try session.leftJoin(
      Person.self, Person.self, where: { _, boss in boss.name != "z" }, orderBy: { person, _ in [person.id.ascending] })
    #expect(others.map(\.0.name) == ["z", "w"])
    let last = try session.leftJoin(
      Person.self, Person.self, orderBy: { person, boss in [boss.name.ascending.nullsLast, person.id.ascending] })
    #expect(last.map(\.0.name) == ["w", "y", "x", "z"])
    let none = try session.leftJoin(Person.self, Person.self, where: { _, boss in boss.id == nil })
    #expect(none.map(\.0.name) == ["z"])
    let negated = try session.leftJoin(Person.self, Person.self, where: { _, boss in !(boss.name == "z") })
    #expect(negated.count == 2)
  }

  @Test("conditions and orders in SQL of one's own mean the columns of their own table")
  func ownSQL() throws {
    let families = try session.all(
      Person.self, with: Letter.self, via: \.sender, where: { _ in .sql("id <= \(2)") },
      orderBy: { _ in [.sql("id", descending: true)] }, childrenOrderBy: { _ in [.sql("receiver")] })
    #expect(families.map { $0.1.compactMap(\.id) } == [[2], [1]])
    let first = try session.all(
      Person.self, with: Letter.self, via: \.sender, where: { _ in .sql("id > \(1)") },
      orderBy: { _ in [.sql("id")] }, limit: 1, childrenOrderBy: { _ in [.sql("receiver")] })
    #expect(first.map { $0.1.compactMap(\.id) } == [[2]])
  }

  @Test("any by one of several foreign keys, from either side")
  func anyOfSeveral() throws {
    let senders = try session.all(
      Person.self, where: { $0.any(Letter.self, via: \Letter.sender) }, orderBy: { [$0.id.ascending] })
    #expect(senders.compactMap(\.id) == [1, 2, 4])
    let receivers = try session.all(
      Person.self, where: { !$0.any(Letter.self, via: \Letter.receiver) }, orderBy: { [$0.id.ascending] })
    #expect(receivers.compactMap(\.id) == [3, 4])
    let letters = try session.all(
      Letter.self, where: { $0.any(Person.self, via: \Letter.receiver) { $0.name == "y" } })
    #expect(letters.compactMap(\.id) == [1])
    #expect(throws: RecordReason.noRelation(2)) {
      try reasoned { try session.all(Person.self, where: { $0.any(Letter.self) }) }
    }
    #expect(throws: RecordReason.noRelation(2)) {
      try reasoned { try session.all(Letter.self, where: { $0.any(Person.self) }) }
    }
  }

  @Test("many objects with children, by text keys that only differ in how their letters are put together")
  func manyTextKeys() throws {
    let session = try Session(
      inMemory: ModelSchema {
        Word.self
        Use.self
      })
    let texts = ["\u{E9}", "e\u{301}", "", "'", "\u{0}"] + (0..<700).map { "w\($0)" }
    try session.save(texts.map { Word(text: $0) })
    try session.save(texts.enumerated().map { Use(id: Int64($0), word: $1) })
    for limit in [nil, 705, 3] {
      let families = try session.all(
        Word.self, with: Use.self, orderBy: { [.sql("length(text) = 1", descending: true), $0.text.ascending] },
        limit: limit)
      #expect(families.count == limit ?? 705)
      for (word, uses) in families {
        #expect(uses.map { Array($0.word.utf8) } == [Array(word.text.utf8)])
      }
    }
  }

  private struct Word: Model, Hashable {
    let text: String

    static let table = ModelTable("words", as: Self.init) { Column("text", \Word.text).primaryKey() }.withoutRowID()
  }

  private struct Use: Model, Hashable {
    let id: Int64
    var word: String

    static let table = ModelTable("uses", as: Self.init) {
      Column("id", \Use.id).primaryKey()
      Column("word", \Use.word).references(Word.self)
    }
  }

  @Test("a parent without children, children without a parent, and conditions inside joins that ask for others")
  func emptySides() throws {
    #expect(try session.all(Person.self, with: Letter.self, via: \.sender, where: { $0.id == 3 }).map { $0.1 } == [[]])
    #expect(try session.all(Person.self, with: Letter.self, via: \.sender, where: { $0.id == 99 }).isEmpty)
    let pairs = try session.join(
      Person.self, Person.self, where: { person, _ in person.any(Person.self) })
    #expect(pairs.map(\.0.name) == ["x"])
  }
}

import SchemaKit
import Testing

@Suite("Changing and deleting rows")
struct RecordChangingTests {
  typealias Account = SavingModels.Account
  typealias Child = SavingModels.Child
  typealias Guest = SavingModels.Guest
  typealias Seat = SavingModels.Seat
  typealias Tag = SavingModels.Tag
  typealias Book = RecordModels.Book
  typealias BookTag = RecordModels.BookTag

  let session: Session

  init() throws { session = try Session(inMemory: SavingModels.schema) }

  @Test("update by object changes all columns of its row, or only those given")
  func updateObject() throws {
    try session.save([SavingModels.account("a"), SavingModels.account("b")])
    try session.update(Account(id: 1, owner: "c", level: "x", score: 5, initial: "-", balance: 2))
    #expect(
      try session.find(Account.self, 1)
        == Account(id: 1, owner: "c", level: "x", score: 5, initial: "c", balance: 2))
    try session.update(
      Account(id: 1, owner: "d", level: "y", score: nil, initial: nil, balance: 9), \.owner, \.score)
    #expect(
      try session.find(Account.self, 1)
        == Account(id: 1, owner: "d", level: "x", score: nil, initial: "d", balance: 2))
    #expect(try session.find(Account.self, 2)?.owner == "b")
  }

  @Test("update of a row that is not there, or whose object has no key, is an error and writes nothing")
  func updateNothing() throws {
    try session.save(SavingModels.account("a"))
    #expect(throws: RecordReason.notFound("accounts", [.integer(9)])) {
      try reasoned { try session.update(SavingModels.account("b", id: 9)) }
    }
    #expect(throws: RecordReason.notFound("accounts", [.integer(9)])) {
      try reasoned { try session.update(SavingModels.account("b", id: 9), \.owner) }
    }
    #expect(throws: RecordReason.noKey("accounts")) {
      try reasoned { try session.update(SavingModels.account("b")) }
    }
    #expect(throws: RecordReason.notFound("seats", [.text("H"), .integer(2), .integer(1)])) {
      try reasoned { try session.update(Seat(number: 1, guest: nil, row: 2, hall: "H")) }
    }
    #expect(throws: RecordReason.generatedColumn("initial")) {
      try reasoned { try session.update(SavingModels.account("a", id: 1), \.initial) }
    }
    #expect(try session.count(Account.self) == 1)
  }

  @Test("update finds a row that holds the values already, and one of nothing but a key")
  func updateToTheSame() throws {
    let account = try session.save(SavingModels.account("a"))
    try session.update(account)
    try session.save(SavingModels.OnlyKey(id: 4))
    try session.update(SavingModels.OnlyKey(id: 4))
    #expect(throws: RecordReason.notFound("only_keys", [.integer(5)])) {
      try reasoned { try session.update(SavingModels.OnlyKey(id: 5)) }
    }
  }

  @Test("update that a constraint refuses says so and changes nothing")
  func updateRefused() throws {
    try session.save([SavingModels.account("a"), SavingModels.account("b")])
    #expect(throws: RecordReason.violation(.unique, table: "accounts", columns: ["owner"])) {
      try reasoned { try session.update(SavingModels.account("a", id: 2)) }
    }
    #expect(throws: RecordReason.violation(.unique, table: "accounts", columns: ["owner"])) {
      try reasoned { try session.updateAll(Account.self, set: { [$0.owner.set("z")] }) }
    }
    #expect(try session.all(Account.self, orderBy: { [$0.id.ascending] }).map(\.owner) == ["a", "b"])
  }

  @Test("update by a condition sets values, fields, expressions and sums, of the rows as they were")
  func updateWhere() throws {
    try session.save((1...6).map { Tag(name: "t\($0)", weight: $0) })
    #expect(
      try session.update(Tag.self, set: { [$0.weight.increase(by: 100)] }, where: { $0.weight.isIn(2...3) }) == 2)
    #expect(try session.update(Tag.self, set: { [$0.weight.set(0)] }, where: { $0.name == "none" }) == 0)
    #expect(try session.update(Tag.self, set: { _ in [] }, where: { $0.weight > 0 }) == 0)
    #expect(
      try session.update(
        Tag.self, set: { [$0.weight.set(sql: "length(name) * \(10)")] }, where: { $0.name == "t1" }) == 1)
    #expect(try session.all(Tag.self, orderBy: { [$0.name.ascending] }).map(\.weight) == [20, 102, 103, 4, 5, 6])
    try session.save(Seat(number: 1, guest: "x", row: 2, hall: "h"))
    // Both sides see the row as it was: the numbers change places.
    #expect(try session.updateAll(Seat.self, set: { [$0.number.set($0.row), $0.row.set($0.number)] }) == 1)
    #expect(try session.find(Seat.self, "h", 1, 2)?.guest == "x")
  }

  @Test("what is NULL stays NULL when it is increased")
  func increaseNull() throws {
    try session.save([
      SavingModels.account("a"), Account(id: nil, owner: "b", level: nil, score: 2, initial: nil, balance: 0),
    ])
    try session.updateAll(Account.self, set: { [$0.score.increase(by: -5)] })
    let scores: [Int?] = try session.select(Account.self, { $0.score }, orderBy: { [$0.id.ascending] })
    #expect(scores == [nil, -3])
  }

  @Test("a number that would grow beyond 64 bits is an error, and the rows stay as they were")
  func increaseBeyond() throws {
    try session.save([Tag(name: "a", weight: 1), Tag(name: "b", weight: .max)])
    #expect(throws: (any Error).self) { try session.updateAll(Tag.self, set: { [$0.weight.increase(by: 1)] }) }
    #expect(try session.all(Tag.self, orderBy: { [$0.name.ascending] }).map(\.weight) == [1, .max])
  }

  @Test("a computed column and an expression cannot be given a value")
  func unassignable() throws {
    try session.save(SavingModels.account("a"))
    #expect(throws: RecordReason.generatedColumn("initial")) {
      try reasoned { try session.updateAll(Account.self, set: { [$0.initial.set("x")] }) }
    }
    #expect(throws: RecordError.self) {
      try session.updateAll(Account.self, set: { [$0.score.max.set(1)] })
    }
    #expect(throws: RecordError.self) {
      try session.updateAll(Account.self, set: { [$0.owner.collate(.nocase).set("x")] })
    }
    #expect(try session.find(Account.self, 1)?.owner == "a")
  }

  @Test("the key is changed by a condition, and rows that refer to it follow")
  func changingKeys() throws {
    let session = try Session(inMemory: RecordModels.schema)
    try session.save(RecordModels.book("Dune"))
    try session.save(BookTag(tag: "x", bookID: 1, weight: 1), BookTag(tag: "y", bookID: 1, weight: 2))
    #expect(try session.update(BookTag.self, set: { [$0.tag.set("z")] }, where: { $0.weight == 1 }) == 1)
    #expect(try session.find(BookTag.self, 1, "z")?.weight == 1)
    #expect(throws: RecordReason.violation(.primaryKey, table: "book_tags", columns: ["tag", "book_id"])) {
      try reasoned { try session.updateAll(BookTag.self, set: { [$0.tag.set("z")] }) }
    }
    #expect(throws: RecordError.self) { try session.update(Book.self, set: { [$0.id.set(9)] }, where: { $0.id == 1 }) }
    #expect(try session.all(BookTag.self, orderBy: { [$0.tag.ascending] }).map(\.tag) == ["y", "z"])
  }

  @Test("delete by object, key and condition, and of all")
  func deleting() throws {
    try session.save((1...9).map { SavingModels.account("o\($0)") })
    #expect(try session.delete(SavingModels.account("other values", id: 1)))
    #expect(try !session.delete(SavingModels.account("o1", id: 1)))
    #expect(throws: RecordReason.noKey("accounts")) { try reasoned { try session.delete(SavingModels.account("o2")) } }
    #expect(try session.delete(Account.self, key: 2))
    #expect(try !session.delete(Account.self, key: 2))
    #expect(throws: RecordReason.wrongKey) { try reasoned { try session.delete(Account.self, key: "3") } }
    #expect(throws: RecordReason.wrongKey) { try reasoned { try session.delete(Account.self, key: 3, 4) } }
    #expect(try session.delete(Account.self, where: { $0.owner == "o3" || $0.owner == "o4" }) == 2)
    #expect(try session.delete(Account.self, where: { $0.owner == "o3" }) == 0)
    #expect(try session.count(Account.self) == 5)
    #expect(try session.deleteAll(Account.self) == 5)
    #expect(try session.deleteAll(Account.self) == 0)
    #expect(try session.count(Account.self) == 0)
  }

  @Test("the counts are of the rows themselves, not of those that triggers and foreign keys changed")
  func counts() throws {
    try session.save((1...3).map { SavingModels.account("o\($0)") })
    try session.save((1...3).flatMap { [Child(id: nil, accountID: $0), Child(id: nil, accountID: $0)] })
    #expect(try session.delete(Account.self, where: { $0.owner != "o1" }) == 2)
    #expect(try session.count(Child.self) == 2)
    #expect(try session.deleteAll(Account.self) == 1)
    #expect(try session.count(Child.self) == 0)
    try session.save([Guest(id: nil, name: "a", badge: nil), Guest(id: nil, name: "b", badge: nil)])
    #expect(try session.update(Guest.self, set: { [$0.name.set("c")] }, where: { $0.name == "a" }) == 1)
    #expect(try session.delete(Guest.self, where: { $0.name == "none" }) == 0)
  }

  @Test("a condition that is wrong deletes and changes nothing")
  func wrongConditions() throws {
    try session.save(SavingModels.account("a"))
    #expect(throws: RecordError.self) { try session.delete(Account.self, where: { $0.balance == .nan }) }
    #expect(throws: RecordError.self) { try session.delete(Account.self, where: { !($0.balance == .nan) }) }
    #expect(throws: RecordError.self) { try session.delete(Account.self, where: { $0.balance.isIn([1, .nan]) }) }
    #expect(throws: SQLiteError.self) { try session.delete(Account.self, where: { _ in .sql("nothing = 1") }) }
    #expect(throws: (any Error).self) { try session.delete(Account.self, where: { _ in .sql("id = ?") }) }
    #expect(throws: RecordError.self) {
      try session.updateAll(Account.self, set: { [$0.balance.set(.infinity), $0.balance.increase(by: .nan)] })
    }
    #expect(try session.find(Account.self, 1)?.balance == 0)
  }
}

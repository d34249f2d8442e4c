import SchemaKit
import Testing

@Suite("Policies of saving, and saving many")
struct RecordPolicyTests {
  typealias Account = SavingModels.Account
  typealias Guest = SavingModels.Guest
  typealias Seat = SavingModels.Seat
  typealias Tag = SavingModels.Tag

  let session: Session

  init() throws { session = try Session(inMemory: SavingModels.schema) }

  @Test("insert refuses a key that is there, and leaves the row")
  func insertConflict() throws {
    try session.save(Tag(name: "t", weight: 1))
    #expect(throws: RecordReason.violation(.primaryKey, table: "tags", columns: ["name"])) {
      try reasoned { try session.save(Tag(name: "t", weight: 2), .insert) }
    }
    let account = try session.save(SavingModels.account("a"), .insert)
    #expect(throws: RecordReason.violation(.primaryKey, table: "accounts", columns: ["id"])) {
      try reasoned { try session.save(account, .insert) }
    }
    #expect(try session.all(Tag.self) == [Tag(name: "t", weight: 1)])
  }

  @Test("ignore returns the row that was in the way, or the object when another row is")
  func ignoreConflict() throws {
    try session.save(Tag(name: "t", weight: 1))
    #expect(try session.save(Tag(name: "t", weight: 2), .ignore) == Tag(name: "t", weight: 1))
    let first = try session.save(SavingModels.account("a"))
    let refused = SavingModels.account("a", id: 77)
    #expect(try session.save(refused, .ignore) == refused)
    #expect(try session.save(SavingModels.account("a"), .ignore).id == nil)
    #expect(try session.all(Account.self) == [first])
  }

  @Test("ignore never gives the key of another row, also when a trigger wrote before the row was left out")
  func ignoreWithTrigger() throws {
    try session.save(Guest(id: nil, name: "a", badge: nil))
    let second = try session.save(Guest(id: nil, name: "b", badge: nil))
    #expect(try session.save(Guest(id: nil, name: "a", badge: "x"), .ignore).id == nil)
    let keys = try session.save([Guest(id: nil, name: "a", badge: "x")], .ignore)
    #expect(keys.map(\.values) == [[.null]])
    #expect(try session.count(Guest.self) == 2)
    #expect(try session.find(Guest.self, 2) == second)
  }

  @Test("update of the key alone changes nothing, and returns the row as it is")
  func updateKeyColumn() throws {
    try session.save(Tag(name: "t", weight: 1))
    #expect(try session.save(Tag(name: "t", weight: 5), .update(\.name)) == Tag(name: "t", weight: 1))
    #expect(try session.all(Tag.self) == [Tag(name: "t", weight: 1)])
  }

  @Test("update of columns changes these and no others, and inserts all of them")
  func updateColumns() throws {
    let inserted = try session.save(
      Account(id: nil, owner: "a", level: "x", score: 1, initial: nil, balance: 5), .update(\.owner))
    #expect(inserted.level == "x" && inserted.balance == 5)
    let id = try #require(inserted.id)
    let saved = try session.save(
      Account(id: id, owner: "b", level: "y", score: 2, initial: nil, balance: 6), .update(\.owner, \.score))
    #expect(saved == Account(id: id, owner: "b", level: "x", score: 2, initial: "b", balance: 5))
    #expect(try session.find(Account.self, id) == saved)
    #expect(try session.save(SavingModels.account("c", id: id), .update()) == saved)
    #expect(throws: RecordReason.generatedColumn("initial")) {
      try reasoned { try session.save(saved, .update(\.initial)) }
    }
  }

  @Test("saving over a row with a nil for a default puts the default in its place")
  func nilBecomesDefault() throws {
    var account = try session.save(
      Account(id: nil, owner: "a", level: "gold", score: 1, initial: nil, balance: 0))
    account.level = nil
    #expect(try session.save(account).level == "basic")
    account.level = "gold"
    try session.update(account)
    account.level = nil
    try session.update(account, \.level)
    #expect(try session.find(Account.self, 1)?.level == "basic")
  }

  @Test("many come back with their keys in order, given and assigned ones mixed")
  func keysInOrder() throws {
    let accounts = [
      SavingModels.account("a"), SavingModels.account("b", id: 40), SavingModels.account("c"),
      SavingModels.account("d", id: 7), SavingModels.account("e"),
    ]
    let keys = try session.save(accounts)
    #expect(keys.integers == [1, 40, 41, 7, 42])
    let owners = try keys.integers.map { try session.find(Account.self, $0)?.owner }
    #expect(owners == ["a", "b", "c", "d", "e"])
    #expect(keys.count == 5 && keys[3].integer == 7)
  }

  @Test("of duplicates in one batch the last wins, is refused, or is left out")
  func duplicates() throws {
    let batch = [Tag(name: "t", weight: 1), Tag(name: "u", weight: 2), Tag(name: "t", weight: 3)]
    #expect(throws: RecordReason.violation(.primaryKey, table: "tags", columns: ["name"])) {
      try reasoned { try session.save(batch, .insert) }
    }
    #expect(try session.count(Tag.self) == 0)
    #expect(try session.save(batch, .ignore).map(\.text) == ["t", "u", "t"])
    #expect(try session.find(Tag.self, "t")?.weight == 1)
    #expect(try session.save(batch).map(\.text) == ["t", "u", "t"])
    #expect(try session.find(Tag.self, "t")?.weight == 3)
  }

  @Test("a row that ignore leaves out has NULL for its key when the object has none")
  func ignoredKeys() throws {
    let keys = try session.save(
      [SavingModels.account("a"), SavingModels.account("a"), SavingModels.account("b"), SavingModels.account("a")],
      .ignore)
    #expect(keys.map(\.values) == [[.integer(1)], [.null], [.integer(2)], [.null]])
    #expect(keys.integers == [1, 2])
  }

  @Test("all or none: a late failure takes the early rows back, and nothing else of the transaction")
  func allOrNone() throws {
    try session.transaction {
      try session.save(SavingModels.account("first"))
      let batch = (0..<500).map { SavingModels.account($0 == 499 ? "first" : "n\($0)") }
      #expect(throws: RecordReason.violation(.unique, table: "accounts", columns: ["owner"])) {
        try reasoned { try session.save(batch) }
      }
      try session.save(SavingModels.account("last"))
    }
    #expect(try session.all(Account.self, orderBy: { [$0.id.ascending] }).map(\.owner) == ["first", "last"])
    #expect(try session.save(SavingModels.account("next")).id == 3)
  }

  @Test("empty sequences, lazy ones, sets and variadic calls")
  func sequences() throws {
    #expect(try session.save([Tag]()).isEmpty)
    #expect(try session.save((0..<3).lazy.map { Tag(name: "l\($0)", weight: $0) }).map(\.text) == ["l0", "l1", "l2"])
    #expect(try session.save(Set([Tag(name: "s", weight: 1)])).map(\.text) == ["s"])
    #expect(
      try session.save(Tag(name: "x", weight: 1), Tag(name: "y", weight: 1), Tag(name: "z", weight: 1)).count == 3)
    #expect(try session.count(Tag.self) == 7)
  }

  @Test("objects may be made from what is read while they are saved")
  func savingWhileReading() throws {
    try session.save((1...300).map { Tag(name: "t\($0)", weight: $0) })
    try session.forEach(
      Tag.self, where: { $0.weight <= 10 },
      { tag in
        try session.save(Tag(name: tag.name, weight: -tag.weight))
        #expect(try session.find(Tag.self, tag.name ?? "")?.weight == -tag.weight)
      })
    #expect(try session.count(Tag.self, where: { $0.weight < 0 }) == 10)
    let halves = try session.all(Tag.self).lazy.map { [session] tag in
      _ = try? session.save(Tag(name: "inner", weight: 0))
      return Tag(name: tag.name, weight: tag.weight * 2)
    }
    #expect(try session.save(halves).count == 300)
    #expect(try session.find(Tag.self, "t300")?.weight == 600)
    #expect(try session.find(Tag.self, "inner")?.weight == 0)
  }

  @Test("a row too long for the first buffer is stored whole, among short ones")
  func longRows() throws {
    let texts = [0, 1, 5_000, 20_000, 3, 16_384, 16_385, 0, 70_000].map { String(repeating: "é", count: $0 / 2) }
    try session.save(texts.enumerated().map { Seat(number: $0, guest: $1, row: 1, hall: $1.prefix(9) + "h") })
    let stored = try session.all(Seat.self, orderBy: { [$0.number.ascending] })
    #expect(stored.map(\.guest) == texts)
    #expect(stored.map(\.hall) == texts.map { $0.prefix(9) + "h" })
  }

  @Test("a single save that cannot be read back writes nothing")
  func unreadableRow() throws {
    // TEXT '12' becomes 12 under the affinity of the declared type, which is no String.
    let session = try Session(inMemory: ModelSchema { Odd.self })
    #expect(throws: RecordError.self) { try session.save(Odd(id: nil, code: "0012")) }
    #expect(try session.query("SELECT * FROM odd").isEmpty)
    try session.deleteAll(Odd.self)
    #expect(try session.save(Odd(id: nil, code: "x12")).code == "x12")
  }

  private struct Odd: Model {
    let id: Int64?
    var code: String

    static let table = ModelTable("odd", as: Self.init) {
      Column("id", \Odd.id).primaryKey()
      Column("code", \Odd.code).type("INTEGER")
    }
  }
}

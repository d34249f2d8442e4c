import SchemaKit
import Testing

@Suite("Saving one object")
struct RecordSavingTests {
  typealias Account = SavingModels.Account
  typealias Country = SavingModels.Country
  typealias Event = SavingModels.Event
  typealias Guest = SavingModels.Guest
  typealias OnlyKey = SavingModels.OnlyKey
  typealias Seat = SavingModels.Seat
  typealias Tag = SavingModels.Tag
  typealias Ticket = SavingModels.Ticket
  typealias Token = SavingModels.Token

  let session: Session

  init() throws { session = try Session(inMemory: SavingModels.schema) }

  @Test("the returned object is the stored row: assigned key, default, computed and converted values")
  func returnsStoredRow() throws {
    let saved = try session.save(
      Account(id: nil, owner: "Ripley", level: nil, score: nil, initial: "?", balance: 3.0))
    #expect(saved == Account(id: 1, owner: "Ripley", level: "basic", score: nil, initial: "R", balance: 3))
    #expect(try session.find(Account.self, 1) == saved)
    #expect(try session.query("SELECT typeof(balance) AS t FROM accounts")[0]["t"] == .text("integer"))
  }

  @Test("a second save of the same key changes the row and no other")
  func upsertChanges() throws {
    let first = try session.save(SavingModels.account("a"))
    let other = try session.save(SavingModels.account("b"))
    var changed = first
    changed.owner = "c"
    changed.level = "gold"
    let saved = try session.save(changed)
    #expect(saved.initial == "c" && saved.level == "gold" && saved.id == first.id)
    #expect(try session.all(Account.self, orderBy: { [$0.id.ascending] }) == [saved, other])
  }

  @Test("a given rowid key is kept, negative and greatest ones as well")
  func givenKeys() throws {
    for key in [Int64.min, -1, 0, 5, Int64.max] {
      let saved = try session.save(SavingModels.account("k\(key)", id: key))
      #expect(saved.id == key)
      #expect(try session.find(Account.self, key) == saved)
    }
    #expect(try session.count(Account.self) == 5)
  }

  @Test("saving deletes no children, and keeps the rowid and columns that the model does not have")
  func upsertIsNoReplace() throws {
    let account = try session.save(SavingModels.account("a"))
    let id = try #require(account.id)
    try session.save(SavingModels.Child(id: nil, accountID: id))
    try session.execute("ALTER TABLE accounts ADD COLUMN extra TEXT; UPDATE accounts SET extra = 'kept'")
    try session.save(Tag(name: "t", weight: 1))
    let rowID = try session.query("SELECT rowid AS r FROM tags")[0]["r"]
    try session.save(account)
    try session.save([account, account])
    try session.save(Tag(name: "t", weight: 2))
    #expect(try session.count(SavingModels.Child.self) == 1)
    #expect(try session.query("SELECT extra FROM accounts")[0]["extra"] == .text("kept"))
    #expect(try session.query("SELECT rowid AS r, weight FROM tags")[0].values == [rowID, .integer(2)])
  }

  @Test("a text key is found again, and nil in it is refused before anything is written")
  func textKeys() throws {
    try session.save(Tag(name: "", weight: 1))
    try session.save(Tag(name: "a\u{0}b", weight: 2))
    #expect(try session.find(Tag.self, "")?.weight == 1)
    #expect(try session.find(Tag.self, "a\u{0}b")?.weight == 2)
    #expect(try session.find(Tag.self, "a") == nil)
    #expect(throws: RecordReason.noKey("tags")) { try reasoned { try session.save(Tag(name: nil, weight: 3)) } }
    #expect(throws: RecordReason.noKey("tags")) {
      try reasoned { try session.save([Tag(name: "x", weight: 4), Tag(name: nil, weight: 3)]) }
    }
    #expect(try session.count(Tag.self) == 2)
  }

  @Test("a key of several columns is found in the order of the key, not of the columns")
  func compositeKeys() throws {
    let seat = Seat(number: 3, guest: nil, row: 7, hall: "A")
    #expect(try session.save(seat) == seat)
    try session.save(Seat(number: 7, guest: "other", row: 3, hall: "A"))
    #expect(try session.find(Seat.self, "A", 7, 3) == seat)
    #expect(try session.find(Seat.self, "A", 3, 7)?.guest == "other")
    try session.save(Seat(number: 3, guest: "me", row: 7, hall: "A"))
    #expect(try session.count(Seat.self) == 2)
    #expect(try session.exists(Seat.self, key: "A", 7, 3))
    #expect(try session.delete(Seat.self, key: "A", 7, 3))
    #expect(try session.all(Seat.self).map(\.guest) == ["other"])
    let keys = try session.save([seat, Seat(number: 9, guest: nil, row: 8, hall: "B")])
    #expect(keys[0].values == [.text("A"), .integer(7), .integer(3)])
    #expect(keys[1].values == [.text("B"), .integer(8), .integer(9)])
  }

  @Test("a key that a default makes comes back with the object and with the keys")
  func defaultKeys() throws {
    let token = try session.save(Token(value: nil, note: "a"))
    let value = try #require(token.value)
    #expect(value.utf8.count == 16)
    #expect(try session.find(Token.self, value) == token)
    let keys = try session.save([Token(value: nil, note: "b"), Token(value: "own", note: "c")])
    let made = try #require(keys[0].text)
    #expect(try session.find(Token.self, made)?.note == "b")
    #expect(keys[1].text == "own")
  }

  @Test("a default fills in a part of a key, and a key beside triggers comes back as well")
  func partlyDefaultKeys() throws {
    let ticket = try session.save(Ticket(series: nil, number: 4, text: "a"))
    #expect(ticket == Ticket(series: "S", number: 4, text: "a!"))
    let keys = try session.save([Ticket(series: nil, number: 5, text: "b"), Ticket(series: "X", number: 5, text: "c")])
    #expect(keys.map(\.values) == [[.integer(5), .text("S")], [.integer(5), .text("X")]])
    #expect(try session.find(Ticket.self, 5, "S")?.text == "b!")
    #expect(throws: RecordReason.noKey("tickets")) {
      try reasoned { try session.save(Ticket(series: "X", number: nil, text: "d")) }
    }
    #expect(try session.count(Ticket.self) == 3)
  }

  @Test("what triggers make of the row comes back")
  func triggers() throws {
    var guest = try session.save(Guest(id: nil, name: "kane", badge: nil))
    #expect(guest == Guest(id: 1, name: "kane", badge: "KANE"))
    guest.name = "ash"
    #expect(try session.save(guest) == Guest(id: 1, name: "ash", badge: "was kane"))
    let keys = try session.save([Guest(id: nil, name: "x", badge: nil), Guest(id: 1, name: "y", badge: nil)])
    #expect(keys.integers == [2, 1])
    #expect(try session.find(Guest.self, 1)?.badge == "was ash")
  }

  @Test("a key without regard to case comes back as it is stored")
  func keysWithoutCase() throws {
    try session.save(Country(code: "DE", name: "a"))
    let saved = try session.save(Country(code: "de", name: "b"))
    #expect(try session.all(Country.self) == [Country(code: "DE", name: "b")])
    #expect(saved == Country(code: "DE", name: "b"))
  }

  @Test("a table of nothing but a key, and one without a key")
  func unusualTables() throws {
    #expect(try session.save(OnlyKey(id: nil)).id == 1)
    #expect(try session.save(OnlyKey(id: 1)).id == 1)
    #expect(try session.save([OnlyKey(id: nil), OnlyKey(id: 1), OnlyKey(id: 9)]).integers == [2, 1, 9])
    #expect(try session.count(OnlyKey.self) == 3)
    let event = Event(name: nil, size: 1)
    #expect(try session.save(event, .insert) == event)
    #expect(try session.save([event, event], .insert).integers == [2, 3])
    #expect(throws: RecordReason.noPrimaryKey("events")) { try reasoned { try session.save(event) } }
    #expect(throws: RecordReason.noPrimaryKey("events")) { try reasoned { try session.delete(event) } }
    #expect(throws: RecordReason.noPrimaryKey("events")) { try reasoned { try session.update(event) } }
    #expect(throws: RecordReason.noPrimaryKey("events")) { try reasoned { try session.find(Event.self, 1) } }
    #expect(try session.count(Event.self) == 3)
  }

  @Test("a model that the schema does not list is refused everywhere")
  func strangers() throws {
    let stranger = SavingModels.Stranger(id: 1)
    #expect(throws: RecordReason.notInSchema) { try reasoned { try session.save(stranger) } }
    #expect(throws: RecordReason.notInSchema) { try reasoned { try session.save([stranger]) } }
    #expect(throws: RecordReason.notInSchema) { try reasoned { try session.all(SavingModels.Stranger.self) } }
    #expect(throws: RecordReason.notInSchema) {
      try reasoned { try session.all(Account.self, where: { $0.any(SavingModels.Stranger.self) }) }
    }
  }

  @Test("a value that SQLite cannot store is refused and names the column")
  func unstorableValues() throws {
    var account = SavingModels.account("a")
    account.balance = .nan
    let error = #expect(throws: RecordError.self) { try session.save(account) }
    #expect(error?.description.contains("accounts.balance") == true)
    #expect(try session.count(Account.self) == 0)
  }
}

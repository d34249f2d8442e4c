import Foundation
import SchemaKit
import Testing

@Suite("Observed changes")
struct ObservationTests {
  typealias Account = SavingModels.Account
  typealias Book = RecordModels.Book
  typealias BookTag = RecordModels.BookTag
  typealias Child = SavingModels.Child
  typealias Event = SavingModels.Event
  typealias Guest = SavingModels.Guest
  typealias Tag = SavingModels.Tag

  private struct Failure: Error {}

  /// What an observer was told, one line for each commit.
  private final class Log {
    var lines: [String] = []

    func take() -> [String] {
      defer { lines = [] }
      return lines
    }

    func note<M: Model>(_ changes: [RecordChange<M>]) {
      lines.append(changes.map { "\($0.kind) \($0.key)" }.joined(separator: "; "))
    }
  }

  let session: Session
  private let log = Log()

  init() throws { session = try Session(inMemory: SavingModels.schema) }

  @Test("each commit is told once, in the order of the changes")
  func commits() throws {
    let observation = try session.observe(Account.self) { [log] in log.note($0) }
    let first = try session.save(SavingModels.account("a"))
    #expect(log.take() == ["insert 1"])
    try session.save(first)
    #expect(log.take() == ["update 1"])
    try session.transaction {
      try session.save(SavingModels.account("b"))
      try session.delete(first)
      try session.save(SavingModels.account("c", id: 9))
      #expect(log.lines.isEmpty)
    }
    #expect(log.take() == ["insert 2; delete 1; insert 9"])
    try session.save([SavingModels.account("d"), SavingModels.account("e")])
    #expect(log.take() == ["insert 10; insert 11"])
    #expect(try session.deleteAll(Account.self) == 4)
    #expect(log.take() == ["delete 2; delete 9; delete 10; delete 11"])
    try session.execute("INSERT INTO accounts (owner, balance) VALUES ('x', 1); UPDATE accounts SET id = id + 5")
    #expect(log.take() == ["insert 1", "delete 1; insert 6"])
    _ = try session.count(Account.self)
    try session.update(Account.self, set: { [$0.score.set(1)] }, where: { $0.id == 99 })
    try session.save(SavingModels.account("x"), .ignore)
    #expect(log.take() == [])
    observation.cancel()
  }

  @Test("what is rolled back is never told, by whatever way it was rolled back")
  func rollbacks() throws {
    let observation = try session.observe(Tag.self) { [log] in log.note($0) }
    try? session.transaction {
      try session.save(Tag(name: "a", weight: 1))
      throw Failure()
    }
    try session.execute("BEGIN")
    try session.save(Tag(name: "b", weight: 1))
    try session.execute("ROLLBACK")
    #expect(log.take() == [])
    try session.transaction {
      try session.save(Tag(name: "c", weight: 1))
      try? session.savepoint {
        try session.save(Tag(name: "d", weight: 1))
        throw Failure()
      }
      _ = try? session.save([Tag(name: "e", weight: 1), Tag(name: nil, weight: 1)])
      try session.save(Tag(name: "f", weight: 1))
    }
    #expect(log.take() == ["insert 'c'; insert 'f'"])
    #expect(throws: RecordError.self) { try session.save(Tag(name: "c", weight: 1), .insert) }
    #expect(log.take() == [])
    observation.cancel()
  }

  @Test("changes through foreign keys, triggers and UPSERT are told")
  func indirect() throws {
    let account = try session.save(SavingModels.account("a"))
    try session.save(Child(id: nil, accountID: 1), Child(id: nil, accountID: 1))
    let observation = try session.observe(Child.self) { [log] in log.note($0) }
    try session.delete(account)
    #expect(log.take() == ["delete 1; delete 2"])
    let guests = try session.observe(Guest.self) { [log] in log.note($0) }
    try session.save(Guest(id: nil, name: "x", badge: nil))
    #expect(Set(log.take().joined().components(separatedBy: "; ")) == ["insert 1", "update 1"])
    observation.cancel()
    guests.cancel()
  }

  @Test("keys of several columns without a rowid, changed keys, and rowids of tables without a key")
  func keys() throws {
    let session = try Session(inMemory: RecordModels.schema)
    try session.save(RecordModels.book("b"))
    let observation = try session.observe(BookTag.self) { [log] in log.note($0) }
    try session.save(BookTag(tag: "x", bookID: 1, weight: 1))
    try session.save(BookTag(tag: "x", bookID: 1, weight: 2))
    try session.update(BookTag.self, set: { [$0.tag.set("y")] }, where: { $0.tag == "x" })
    try session.delete(Book.self, key: 1)
    #expect(log.take() == ["insert 1, 'x'", "update 1, 'x'", "delete 1, 'x'; insert 1, 'y'", "delete 1, 'y'"])
    let events = try self.session.observe(Event.self) { [log] in log.note($0) }
    try self.session.save([Event(name: nil, size: 1), Event(name: nil, size: 2)], .insert)
    try self.session.delete(Event.self, where: { $0.size == 1 })
    #expect(log.take() == ["insert 1; insert 2", "delete 1"])
    observation.cancel()
    events.cancel()
  }

  @Test("several observers hear the same, until each is cancelled or let go")
  func severalObservers() throws {
    let other = Log()
    let first = try session.observe(Tag.self) { [log] in log.note($0) }
    var second: ChangeObservation? = try session.observe(Tag.self) { other.note($0) }
    try session.save(Tag(name: "a", weight: 1))
    #expect(log.take() == ["insert 'a'"] && other.take() == ["insert 'a'"])
    first.cancel()
    first.cancel()
    try session.save(Tag(name: "b", weight: 1))
    #expect(log.take() == [] && other.take() == ["insert 'b'"])
    _ = second
    second = nil
    try session.save(Tag(name: "c", weight: 1))
    #expect(other.take() == [])
    #expect(try session.query("SELECT name FROM temp.sqlite_master").isEmpty)
    let again = try session.observe(Tag.self) { [log] in log.note($0) }
    try session.save(Tag(name: "d", weight: 1))
    #expect(log.take() == ["insert 'd'"])
    again.cancel()
  }

  @Test("an observer that writes is told of that too, and one that cancels itself is told no more")
  func writingObservers() throws {
    var observation: ChangeObservation?
    observation = try session.observe(Tag.self) { [session, log] changes in
      log.note(changes)
      if changes.contains(where: { $0.key.text == "a" }) { _ = try? session.save(Tag(name: "b", weight: 2)) }
    }
    try session.save(Tag(name: "a", weight: 1))
    #expect(log.take() == ["insert 'a'", "insert 'b'"])
    observation?.cancel()
    observation = try session.observe(Tag.self) { [log] changes in
      log.note(changes)
      observation?.cancel()
    }
    try session.save(Tag(name: "c", weight: 1))
    try session.save(Tag(name: "d", weight: 1))
    #expect(log.take() == ["insert 'c'"])
  }

  @Test("none can be added inside a transaction, which might take its triggers back; those there are go on")
  func addedInTransaction() throws {
    let tags = try session.observe(Tag.self) { [log] in log.note($0) }
    #expect(throws: RecordError.self) {
      try session.transaction { _ = try session.observe(Event.self) { [log] in log.note($0) } }
    }
    try session.save(Event(name: nil, size: 1), .insert)
    try session.save(Tag(name: "a", weight: 1))
    #expect(log.take() == ["insert 'a'"])
    let events = try session.observe(Event.self) { [log] in log.note($0) }
    try session.save(Event(name: nil, size: 1), .insert)
    #expect(log.take() == ["insert 2"])
    tags.cancel()
    events.cancel()
  }

  @Test("one that is cancelled in a transaction which is rolled back hears no more, and others do")
  func cancelledInRollback() throws {
    let tags = try session.observe(Tag.self) { [log] in log.note($0) }
    let events = try session.observe(Event.self) { [log] in log.note($0) }
    try? session.transaction {
      tags.cancel()
      throw Failure()
    }
    try session.save(Tag(name: "a", weight: 1))
    try session.save(Event(name: nil, size: 1), .insert)
    #expect(log.take() == ["insert 1"])
    let again = try session.observe(Tag.self) { [log] in log.note($0) }
    try session.save(Tag(name: "b", weight: 1))
    #expect(log.take() == ["insert 'b'"])
    again.cancel()
    events.cancel()
  }

  @Test("a change while rows are being read is told when it is written")
  func whileReading() throws {
    try session.save((0..<5).map { Tag(name: "t\($0)", weight: $0) })
    let observation = try session.observe(Tag.self) { [log] in log.note($0) }
    try session.forEach(
      Tag.self, where: { $0.weight == 3 },
      { _ in
        try session.update(Tag.self, set: { [$0.weight.set(9)] }, where: { $0.name == "t3" })
      })
    #expect(log.take() == ["update 't3'"])
    observation.cancel()
  }

  @Test("counts and ids are those of the statement, whatever observers do when they are told of it")
  func countsWithObservers() throws {
    try session.save([SavingModels.account("a"), SavingModels.account("b")])
    let observation = try session.observe(Account.self) { [session, log] changes in
      log.note(changes)
      _ = try? session.save((0..<7).map { SavingModels.LogEntry(id: nil, text: "told \($0)") })
    }
    let moved = try session.updateAll(Account.self, set: { [$0.id.increase(by: 100)] })
    #expect(moved == 2)
    let inserted = try session.execute("INSERT INTO accounts (owner, balance) VALUES ('c', 0)")
    #expect(inserted.changes == 1 && inserted.lastInsertedID == 103)
    let saved = try session.save(SavingModels.account("d"))
    #expect(saved.id == 104)
    let keys = try session.save([SavingModels.account("e"), SavingModels.account("f", id: 9)])
    #expect(keys.integers == [105, 9])
    let changed = try session.update(Account.self, set: { [$0.id.set(1)] }, where: { $0.id == 9 })
    #expect(changed == 1)
    #expect(try session.delete(Account.self, key: 1))
    #expect(try session.delete(Account.self, where: { $0.id > 103 }) == 2)
    #expect(try session.count(SavingModels.LogEntry.self) == 49)
    observation.cancel()
  }

  @Test("saving with an observer returns what it returns without one")
  func results() throws {
    let observation = try session.observe(Account.self) { [log] in log.note($0) }
    let saved = try session.save(SavingModels.account("a"))
    #expect(saved.id == 1 && saved.level == "basic")
    #expect(try session.save([SavingModels.account("b"), SavingModels.account("c")]).integers == [2, 3])
    #expect(try session.updateAll(Account.self, set: { [$0.score.set(1)] }) == 3)
    #expect(try session.execute("INSERT INTO accounts (owner, balance) VALUES ('d', 0)").lastInsertedID == 4)
    #expect(try session.delete(Account.self, where: { $0.id > 1 }) == 3)
    #expect(try session.delete(saved))
    observation.cancel()
  }
}

import Foundation
import SchemaKit
import Testing

/// A user told apart by a key of SQLite, by an address, and by a number within a team.
private struct User: Model, Hashable {
  let id: Int64?
  var email: String
  var team: String?
  var number: Int?
  var name: String
  var score: Int
  var initial: String?

  static let table = ModelTable("users", as: Self.init) {
    Column("id", \.id).primaryKey()
    Column("email", \.email).unique()
    Column("team", \.team)
    Column("number", \.number)
    Column("name", \.name)
    Column("score", \.score)
    Column("initial", \.initial).generated("substr(name, 1, 1)")
  } constraints: {
    Constraint.unique(\.number, \.team)
  } indexes: {
    Index("users_by_name", on: \.name)
    Index("users_named", on: \.team, \.name).unique().where("score > 0")
  }
}

/// A code that is unique regardless of case, changed by a trigger, with rows that refer to it.
private struct Code: Model, Hashable {
  let id: Int64?
  var code: String
  var text: String

  static let table = ModelTable("codes", as: Self.init) {
    Column("id", \.id).primaryKey()
    Column("code", \.code)
    Column("text", \.text)
  } indexes: {
    Index("codes_by_code", on: .column(\.code, collate: .nocase)).unique()
  } triggers: {
    Trigger(
      "codes_changed", .after, .update(of: "text"), body: "UPDATE codes SET text = new.text || '!' WHERE id = new.id")
  }
}

private struct Use: Model, Hashable {
  let id: Int64?
  var code: Int64

  static let table = ModelTable("uses", as: Self.init) {
    Column("id", \.id).primaryKey()
    Column("code", \.code).references(Code.self, onDelete: .cascade)
  }
}

/// An address that triggers change after it is written.
private struct Mail: Model, Hashable {
  let id: Int64?
  var address: String
  var count: Int

  static let table = ModelTable("mails", as: Self.init) {
    Column("id", \.id).primaryKey()
    Column("address", \.address).unique()
    Column("count", \.count)
  } triggers: {
    Trigger("mails_lower", .after, .insert, body: "UPDATE mails SET address = lower(address) WHERE id = new.id")
    Trigger(
      "mails_moved", .after, .update(of: "count"),
      body: "UPDATE mails SET address = 'moved' WHERE id = new.id AND new.count > 9")
  }
}

/// A row without a primary key.
private struct Line: Model, Hashable {
  var key: String
  var text: String

  static let table = ModelTable("lines", as: Self.init) {
    Column("key", \.key).unique()
    Column("text", \.text)
  }
}

@Suite("Saving over a row with the same unique columns")
struct UniqueSavingTests {
  private let schema = ModelSchema {
    User.self
    Code.self
    Use.self
    Mail.self
    Line.self
  }
  private let file: TemporaryDatabase
  private let session: Session

  init() throws {
    file = try TemporaryDatabase()
    session = try Session(at: file.path, schema: schema)
  }

  private func user(
    _ email: String, id: Int64? = nil, team: String? = nil, number: Int? = nil, name: String = "n", score: Int = 0
  ) -> User {
    User(id: id, email: email, team: team, number: number, name: name, score: score, initial: nil)
  }

  @Test("the row keeps its key, takes the other values, and comes back as stored")
  func keepsKey() throws {
    let first = try session.save(user("a@x", name: "Ada", score: 1), .upsert(on: \.email))
    #expect(first.id == 1 && first.initial == "A")
    try session.save(user("b@x", name: "Bob"))
    let second = try session.save(user("a@x", name: "Eve", score: 2), .upsert(on: \.email))
    #expect(second == User(id: 1, email: "a@x", team: nil, number: nil, name: "Eve", score: 2, initial: "E"))
    // A fetched object is saved over its own row, and one with another key over the row that is there.
    #expect(try session.save(second, .upsert(on: \.email)) == second)
    #expect(try session.save(user("a@x", id: 99, name: "Zoe"), .upsert(on: \.email)).id == 1)
    let again = try Session(at: file.path, schema: schema)
    #expect(
      try again.all(User.self, orderBy: { [$0.id.ascending] }).map { "\($0.id ?? 0) \($0.name)" } == ["1 Zoe", "2 Bob"])
  }

  @Test("several columns in any order, and only some columns changed")
  func severalColumns() throws {
    try session.save(user("a@x", team: "t", number: 1, name: "Ada", score: 1))
    let changed = try session.save(
      user("new@x", team: "t", number: 1, name: "Eve", score: 9), .upsert(on: \.team, \.number, updating: [\.score]))
    #expect(changed == User(id: 1, email: "a@x", team: "t", number: 1, name: "Ada", score: 9, initial: "A"))
    let kept = try session.save(
      user("new@x", team: "t", number: 1, name: "Eve"), .upsert(on: \.number, \.team, updating: []))
    #expect(kept == changed)
    // NULL equals nothing.
    #expect(try session.save(user("c@x", team: "t"), .upsert(on: \.team, \.number)).id == 2)
    #expect(try session.save(user("d@x", team: "t"), .upsert(on: \.team, \.number)).id == 3)
    #expect(try session.count(User.self) == 3)
  }

  @Test("many are saved, and give the keys of their rows")
  func many() throws {
    try session.save(user("a@x"), user("b@x"))
    let keys = try session.save(
      [user("b@x", name: "B"), user("c@x", name: "C"), user("a@x", name: "A"), user("c@x", name: "D")],
      .upsert(on: \.email))
    #expect(keys.integers == [2, keys.integers[1], 1, keys.integers[1]])
    #expect(try session.find(User.self, keys.integers[1])?.name == "D")
    #expect(try session.count(User.self) == 3)
    let lines = try session.save(
      [Line(key: "x", text: "1"), Line(key: "y", text: "2"), Line(key: "x", text: "3")], .upsert(on: \.key))
    #expect(lines.integers == [1, 2, 1])
    #expect(try session.save(Line(key: "y", text: "4"), .upsert(on: \.key)) == Line(key: "y", text: "4"))
    #expect(try session.query("SELECT text FROM lines ORDER BY rowid").map { $0[0] } == [.text("3"), .text("4")])
  }

  @Test("the collation of the index decides, triggers are seen, and rows that refer to it stay")
  func collation() throws {
    let first = try session.save(Code(id: nil, code: "a", text: "1"), .upsert(on: \.code))
    try session.save(Code(id: nil, code: "b", text: "1"))
    try session.save(Use(id: nil, code: 1))
    let second = try session.save(Code(id: nil, code: "A", text: "2"), .upsert(on: \.code))
    #expect(first.id == 1 && second == Code(id: 1, code: "a", text: "2!"))
    #expect(try session.save([Code(id: nil, code: "A", text: "3")], .upsert(on: \.code)).integers == [1])
    #expect(try session.count(Use.self) == 1)
  }

  @Test("a row whose unique columns a trigger changes is found where it was inserted, and otherwise not saved")
  func changedByTrigger() throws {
    try session.save(Mail(id: nil, address: "first", count: 0))
    let mail = try session.save(Mail(id: nil, address: "ADA", count: 1), .upsert(on: \.address))
    #expect(mail == Mail(id: 2, address: "ada", count: 1))
    #expect(try session.save([Mail(id: nil, address: "BOB", count: 1)], .upsert(on: \.address)).integers == [3])
    #expect(try session.save(Mail(id: nil, address: "ada", count: 2), .upsert(on: \.address)).id == 2)
    let before = try session.rows(Mail.self)
    #expect(throws: RecordReason.notFound("mails", [.text("ada")])) {
      try reasoned { try session.save(Mail(id: nil, address: "ada", count: 10), .upsert(on: \.address)) }
    }
    #expect(throws: RecordReason.notFound("mails", [.text("ada")])) {
      try reasoned { try session.save([Mail(id: nil, address: "ada", count: 10)], .upsert(on: \.address)) }
    }
    #expect(try session.rows(Mail.self) == before)
  }

  @Test("a conflict with other unique columns is an error, with nothing written")
  func otherConflict() throws {
    try session.save(user("a@x", team: "t", number: 1), user("b@x", team: "t", number: 2))
    let before = try session.rows(User.self)
    #expect(throws: RecordReason.violation(.unique, table: "users", columns: ["team", "number"])) {
      try reasoned { try session.save(user("a@x", team: "t", number: 2), .upsert(on: \.email)) }
    }
    #expect(throws: RecordReason.violation(.primaryKey, table: "users", columns: ["id"])) {
      try reasoned { try session.save(user("new@x", id: 2), .upsert(on: \.email)) }
    }
    #expect(throws: RecordReason.violation(.unique, table: "users", columns: ["email"])) {
      try reasoned {
        try session.save(
          [user("c@x", team: "u", number: 1), user("a@x", team: "u", number: 2)], .upsert(on: \.team, \.number))
      }
    }
    #expect(try Session(at: file.path, schema: schema).rows(User.self) == before)
  }

  @Test("columns that are not unique together are refused by name, and so is an index with a condition")
  func notUnique() throws {
    #expect(
      recordReason { try session.save(user("a@x"), .upsert(on: \.name)) }
        == .notUnique(table: "users", columns: ["name"], partial: nil))
    #expect(
      recordReason { try session.save(user("a@x"), .upsert(on: \.email, \.name)) }
        == .notUnique(table: "users", columns: ["email", "name"], partial: nil))
    #expect(
      recordReason { try session.save([user("a@x")], .upsert(on: \.number)) }
        == .notUnique(table: "users", columns: ["number"], partial: nil))
    #expect(
      recordReason { try session.save(user("a@x"), .upsert(on: \.name, \.team)) }
        == .notUnique(table: "users", columns: ["team", "name"], partial: "users_named"))
    #expect(
      recordReason { try session.save(user("a@x"), .upsert(on: \.initial)) }
        == .generatedColumn(table: "users", column: "initial"))
    #expect(
      recordSentence { try session.save(user("a@x"), .upsert(on: \.name)) }
        == "No row of users can be told by name alone. Declare the columns together as unique, with .unique(), "
        + "Constraint.unique or Index(…).unique(): no more columns and no fewer.")
    #expect(
      recordSentence { try session.save(user("a@x"), .upsert(on: \.name, \.team)) }
        == "The index users_named makes team, name of users unique only in the rows that its condition selects, so it "
        + "cannot say which row is meant. Declare a unique index without a condition, or write the INSERT in SQL.")
    #expect(try session.count(User.self) == 0)
    #expect(try session.save(user("a@x", id: 7, name: "x"), .upsert(on: \.id)).id == 7)
    #expect(
      try session.save(user("a@x", id: 7, name: "y", score: 3), .upsert(on: \.id, updating: [\.score])).name == "x")
  }
}

import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Conversions of models that have been done")
struct AppliedModelConversionTests {
  private struct First: Model {
    let id: Int
    var active: String
    static let table = ModelTable("people", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("active", \.active)
    }
  }

  private struct Second: Model {
    let id: Int
    var active: Bool
    static let table = ModelTable("people", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("active", \.active).converting(sql: "active = 'yes'")
    }
  }

  private struct Third: Model, Equatable {
    let id: Int
    var active: Double
    static let table = ModelTable("people", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("active", \.active).converting(sql: "active = 'yes'")
    }
  }

  private struct Renamed: Model {
    let id: Int
    var state: Double
    static let table = ModelTable("members", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("state", \.state).renamed(from: "active").converting(sql: "active = 'yes'")
    }
    .renamed(from: "people")
  }

  private static let third = [Third(id: 1, active: 1), Third(id: 2, active: 0)]

  private func open<T: Model>(_ file: TemporaryDatabase, _ model: T.Type) throws -> Session {
    var policy = PlanPolicy.lossless
    // Some of the models are like those before them.
    policy.allowsDowngrade = true
    return try Session(at: file.path, schema: ModelSchema { model.self }) { $0.migration = .automatic(policy) }
  }

  private func first() throws -> TemporaryDatabase {
    let file = try TemporaryDatabase()
    try open(file, First.self).save([First(id: 1, active: "yes"), First(id: 2, active: "no")])
    return file
  }

  private func all(_ file: TemporaryDatabase) throws -> [Third] {
    try open(file, Third.self).all(Third.self, orderBy: { [$0.id.ascending] })
  }

  @Test("one that stays in the declaration does not convert its own results when the type changes again")
  func staysBehind() throws {
    let file = try first()
    _ = try open(file, Second.self)
    #expect(try all(file) == Self.third)
  }

  @Test("a file that missed the release between is converted")
  func skipped() throws {
    #expect(try all(first()) == Self.third)
  }

  @Test("rows of a file that was new when the conversion was declared are not converted")
  func newFile() throws {
    let file = try TemporaryDatabase()
    try open(file, Second.self).save([Second(id: 1, active: true), Second(id: 2, active: false)])
    #expect(try all(file) == Self.third)
  }

  @Test("rows of a file that somebody else brought to the schema are not converted")
  func adopted() throws {
    let file = try TemporaryDatabase(
      """
      CREATE TABLE people (id INTEGER PRIMARY KEY, active INTEGER NOT NULL);
      INSERT INTO people VALUES (1, 1), (2, 0);
      """)
    _ = try open(file, Second.self)
    #expect(try all(file) == Self.third)
  }

  @Test("it is known when table and column have other names")
  func renamed() throws {
    let file = try first()
    _ = try open(file, Second.self)
    _ = try open(file, Renamed.self)
    #expect(try file.query("SELECT state FROM members ORDER BY id") == [[.real(1)], [.real(0)]])
  }

  private struct InSwift: Model {
    let id: Int
    var active: Bool
    static let table = ModelTable("people", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("active", \.active).converting(from: "active") { (old: String) in old == "yes" }
    }
  }

  private struct StillInSwift: Model {
    let id: Int
    var active: String
    static let table = ModelTable("people", as: Self.init) {
      // The number of functions before it must not matter.
      Column("id", \.id).primaryKey()
      Column("active", \.active).converting(from: "active") { (old: Bool) in old ? "on" : "off" }
    }
  }

  private struct AgainInSwift: Model {
    let id: Int
    var active: Int
    static let table = ModelTable("people", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("active", \.active).converting(from: "active", version: 2) { (old: String) in old == "yes" ? 1 : 0 }
    }
  }

  private struct BackInSwift: Model {
    let id: Int
    var active: String
    static let table = ModelTable("people", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("active", \.active).converting(from: "active", version: 2) { (old: Bool) in old ? "yes" : "no" }
    }
  }

  private func values(_ file: TemporaryDatabase) throws -> [RawValue] {
    try file.query("SELECT active FROM people ORDER BY id").map { $0[0] }
  }

  private struct Cents: Model {
    let id: Int
    var price: Int
    static let table = ModelTable("items", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("price", \.price).converting(from: "price") { (euros: Double) in .init((euros * 100).rounded()) }
    }
  }

  private struct RealCents: Model {
    let id: Int
    var price: Double
    static let table = ModelTable("items", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("price", \.price).converting(from: "price") { (euros: Double) in .init((euros * 100).rounded()) }
    }
  }

  @Test("a function that stays while the property gets another type is not called again")
  func sameFunction() throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE items (id INTEGER PRIMARY KEY, price REAL NOT NULL); INSERT INTO items VALUES (1, 12.5);")
    _ = try open(file, Cents.self)
    #expect(try file.value("SELECT price FROM items") == .int(1250))
    _ = try open(file, RealCents.self)
    #expect(try file.value("SELECT price FROM items") == .real(1250))
  }

  @Test("functions in Swift are told apart by their types and their version")
  func functions() throws {
    let file = try first()
    _ = try open(file, InSwift.self)
    #expect(try values(file) == [.int(1), .int(0)])
    _ = try open(file, StillInSwift.self)
    #expect(try values(file) == [.text("on"), .text("off")])
    _ = try open(file, Second.self)
    #expect(try values(file) == [.int(0), .int(0)], "the SQL conversion is another one, and none of these says yes")
    try file.exec("UPDATE people SET active = id = 1")
    _ = try open(file, StillInSwift.self)
    #expect(try values(file) == [.text("1"), .text("0")], "the same function is not done again")
    try file.exec("UPDATE people SET active = CASE id WHEN 1 THEN 'yes' ELSE 'no' END")
    _ = try open(file, AgainInSwift.self)
    #expect(try values(file) == [.int(1), .int(0)])
    _ = try open(file, BackInSwift.self)
    #expect(try values(file) == [.text("yes"), .text("no")], "another version is another function")
  }
}

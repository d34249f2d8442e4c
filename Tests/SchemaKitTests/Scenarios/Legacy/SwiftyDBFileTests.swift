import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("A file of SwiftyDB 1.x")
struct SwiftyDBFileTests {
  /// Tables are named by types, optional properties are nullable, an NSNumber key is NUMERIC and thus not the rowid,
  /// dates are seconds since 1970, and an array is an archive.
  private func file() throws -> TemporaryDatabase {
    let file = try TemporaryDatabase(
      """
      CREATE TABLE Dog (id NUMERIC, name TEXT, isGood INTEGER NOT NULL, weight REAL NOT NULL, age INTEGER NOT NULL,
        birth REAL, photo BLOB, tricks BLOB, owner TEXT, PRIMARY KEY (id));
      CREATE TABLE Cat (name TEXT);
      INSERT INTO Cat VALUES ('Tom');
      """)
    let raw = try file.reopened()
    defer { raw.close() }
    let tricks = LegacyArchive.data(of: ["sit", "roll over"])
    try raw.run(
      "INSERT INTO Dog VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
      binding: [
        [
          .int(7), .text("Rex"), .int(1), .real(12.5), .int(3), .real(1_457_000_000.25), .blob([1, 2]),
          .blob([UInt8](tricks)), .text("Ann"),
        ],
        [.int(9), .text("Ada"), .int(0), .real(4), .int(1), .null, .null, .null, .null],
      ])
    return file
  }

  private let schema = ModelSchema { Dog.self }

  private let dogs = [
    Dog(
      id: 7, name: "Rex", isGood: true, weight: 12.5, age: 3, birth: Date(timeIntervalSince1970: 1_457_000_000.25),
      photo: Data([1, 2]), tricks: ["sit", "roll over"], owner: "Ann"),
    Dog(
      id: 9, name: "Ada", isGood: false, weight: 4, age: 1, birth: nil, photo: nil, tricks: nil, owner: nil),
  ]

  @Test("its plan is one copy that makes the key the rowid and a name required, and leaves other tables alone")
  func plan() throws {
    let plan = try file().plan(to: schema)
    #expect(plan.outline == ["rebuild table Dog"])
    #expect(
      plan.steps.first?.changes == [
        "column id: NUMERIC → INTEGER", "column name: NOT NULL", "primary key (id) is the rowid",
      ])
    #expect(plan.refusals(under: .lossless) == [])
    #expect(plan.unmanaged == ["Cat"])
  }

  @Test("every value loads, dates, booleans and archives included, and other tables stay")
  func loads() throws {
    let file = try file()
    let session = try Session(at: file.path, schema: schema)
    #expect(try session.all(Dog.self, orderBy: { [$0.id.ascending] }) == dogs)
    #expect(try session.find(Dog.self, 7) == dogs[0])
    #expect(try file.query("SELECT rowid FROM Dog ORDER BY 1") == [[.int(7)], [.int(9)]])
    #expect(try file.query("SELECT * FROM Cat") == [[.text("Tom")]])
  }

  @Test("new rows get keys of their own, and saving an old one keeps what refers to it")
  func goesOn() throws {
    let file = try file()
    let session = try Session(at: file.path, schema: schema)
    var dog = dogs[1]
    dog.tricks = ["bark"]
    #expect(try session.save(dog) == dog)
    dog.id = nil
    #expect(try session.save(dog).id == 10)
    #expect(try file.value("SELECT count(*) FROM Dog") == .int(3))
    let stored = try #require(try session.rows(Dog.self, where: { $0.id == 9 }).first)
    #expect(try LegacyArchive.texts(in: stored.get("tricks")) == ["bark"])
  }

  @Test("a key that is NULL, which a NUMERIC key allows, is named and stops the plan until it has a value")
  func nullKey() throws {
    let file = try file()
    try file.exec("INSERT INTO Dog SELECT NULL, 'Stray', 1, 1, 1, NULL, NULL, NULL, NULL FROM Cat")
    let before = try file.bytes
    let hazards = try file.refusal(of: schema, allowing: .everything)
    #expect(hazards.map(\.code) == [.nullsUnderNotNull])
    #expect(hazards.first?.object == "Dog.id" && hazards.first?.samples == ["rowid 3"])
    #expect(try file.bytes == before)
    try file.exec("UPDATE Dog SET id = 8 WHERE id IS NULL")
    let session = try Session(at: file.path, schema: schema)
    #expect(try session.all(Dog.self, orderBy: { [$0.id.ascending] }).map(\.id) == [7, 8, 9])
  }
}

private struct Dog: Model, Hashable {
  var id: Int64?
  var name: String
  var isGood: Bool
  var weight: Double
  var age: Int
  var birth: Date?
  var photo: Data?
  var tricks: [String]?
  var owner: String?

  static let table = ModelTable("Dog", as: Self.init) {
    Column("id", \.id).primaryKey()
    Column("name", \.name)
    Column("isGood", \.isGood)
    Column("weight", \.weight)
    Column("age", \.age)
    Column("birth", \.birth)
    Column("photo", \.photo)
    Column("tricks", \.tricks, storing: .archivedTexts)
    Column("owner", \.owner)
  }
}

extension ColumnCoding where Value == [String] {
  /// The archive that the older library made of an array.
  fileprivate static var archivedTexts: Self {
    ColumnCoding(
      type: .blob, encode: { .blob([UInt8](LegacyArchive.data(of: $0))) },
      decode: { stored in
        guard let texts = try? LegacyArchive.texts(in: Data(sqlValue: stored)) else {
          throw ColumnValueError(expected: "an archive of texts", found: "blob", problem: "holds none")
        }
        return texts
      })
  }
}

import Foundation
import Testing

@testable import SchemaKit

/// Embedding a fragment that may be nil: the table, its mistakes, and the way there and back.
@Suite("Optional fragments in a table")
struct OptionalFragmentTests {
  private typealias Person = Households.Person
  private typealias Settled = Households.Settled

  private func error(_ schema: ModelSchema) -> DeclarationError? {
    do {
      _ = try schema.declaration()
      return nil
    } catch {
      return error
    }
  }

  @Test("all columns take NULL and have no default, in both forms")
  func table() throws {
    let expected = """
      CREATE TABLE "people" (
        "id" INTEGER PRIMARY KEY,
        "address_street" TEXT,
        "address_city" TEXT,
        "address_since" TEXT,
        "address_home" INTEGER,
        "address_spot_latitude" REAL,
        "address_spot_note" TEXT,
        "name" TEXT NOT NULL,
        CONSTRAINT "people_name_address_city_key" UNIQUE ("name", "address_city")
      )
      """
    let index = #"CREATE INDEX "people_by_city" ON "people" ("address_city", "address_spot_latitude")"#
    let declaration = try ModelSchema { Person.self }.declaration()
    #expect(declaration.statements.map(\.sql) == [expected, index])
    #expect(try ModelSchema { Households.ByFunctions.self }.declaration() == declaration)
    #expect(declaration.hints.tables["people"]?.columns["address_city"] == ColumnHints(renamedFrom: ["address_town"]))
  }

  private struct Remark: Fragment {
    var text: String?
    var length: Int

    static let columns = ColumnGroup(as: Self.init) {
      Column("text", \.text)
      Column("length", \.length).generated("coalesce(length(text), 0)")
    }
  }

  private struct Remarked: Model {
    var remark: Remark?

    static let table = ModelTable("remarked", as: Self.init) {
      Column(embedding: \.remark)
    }
  }

  @Test("a fragment that could be nil in each column that is written is refused, with the way out")
  func optionalThroughout() {
    let error = error(ModelSchema { Remarked.self })
    #expect(error?.reason == .optionalFragmentOfOptionals(#"\Remarked.remark"#, fragment: "Remark"))
    #expect(
      error?.description == #"""
        Model Remarked (table remarked) embeds \Remarked.remark, but all properties of Remark are optional: a nil \#
        could not be told from a Remark in which each of them is nil. Make one of them not optional, or the embedded \#
        property.
        """#)
  }

  private struct Key: Fragment {
    var code: String
    var part: Int

    static let columns = ColumnGroup(as: Self.init) {
      Column("code", \.code).primaryKey()
      Column("part", \.part)
    }
  }

  private struct Keyed: Model {
    var key: Key?

    static let table = ModelTable("keyed", as: Self.init) {
      Column(embedding: \.key)
    }
  }

  private struct KeyedByTwo: Model {
    var spot: Households.Spot?
    var name: String

    static let table = ModelTable("keyed", as: Self.init) {
      Column(embedding: \.spot)
      Column("name", \.name)
    } constraints: {
      Constraint.primaryKey(\.name, \.spot!.latitude)
    }
  }

  @Test("a primary key in one is refused")
  func keys() {
    #expect(error(ModelSchema { Keyed.self })?.reason == .optionalFragmentInPrimaryKey("code"))
    #expect(error(ModelSchema { KeyedByTwo.self })?.reason == .optionalFragmentInPrimaryKey("latitude"))
  }

  private struct Chained: Model {
    var spot: Households.Spot?

    static let table = ModelTable("chained", as: Self.init) {
      Column(embedding: \.spot)
    } indexes: {
      Index("by_latitude", on: \.spot?.latitude)
    }
  }

  @Test("a path with ? is refused with the one that is meant")
  func chained() {
    let text = error(ModelSchema { Chained.self })?.description
    #expect(text?.hasSuffix(#"of an optional fragment is written with !, as in \Chained.spot!.latitude."#) == true)
  }

  /// Reads every row as if it had no address.
  private struct Forgetful: Model {
    var spot: Households.Spot?
    var other: Double

    static let table = ModelTable<Forgetful>(
      "forgetful",
      columns: { columns in
        columns.add(Column(embedding: \.spot))
        columns.add(Column("other", \.other))
      },
      decode: { row in
        let spot = try row.read(Households.Spot?.self)
        return Forgetful(spot: nil, other: try row.read(Double.self) + (spot == nil ? 1 : 0))
      },
      encode: { model, row in
        try row.append(model.spot)
        try row.append(model.other)
      })
  }

  @Test("functions that lose the fragment do not stop the check of the declaration")
  func forgetful() {
    #expect(error(ModelSchema { Forgetful.self }) == nil)
  }

  @Test("one that is added to a table is nil in its rows, whatever the fragment's defaults and backfills")
  func adding() throws {
    let file = try TemporaryDatabase()
    try Session(at: file.path, schema: ModelSchema { Households.Named.self }).save(
      Households.Named(id: 1, name: "A"))
    _ = try Session(at: file.path, schema: ModelSchema { Person.self })
    let session = try Session(at: file.path, schema: ModelSchema { Person.self })
    #expect(try session.all(Person.self) == [Households.people[0]])
  }

  @Test("one that becomes optional keeps its rows")
  func becomingOptional() throws {
    let file = try TemporaryDatabase()
    let address = try #require(Households.people[1].address)
    try Session(at: file.path, schema: ModelSchema { Settled.self }).save(
      Settled(id: 2, address: address, name: "B"))
    _ = try Session(at: file.path, schema: ModelSchema { Person.self }).save(Households.people[0])
    let session = try Session(at: file.path, schema: ModelSchema { Person.self })
    #expect(try session.all(Person.self, orderBy: { [$0.id.ascending] }) == Array(Households.people.prefix(2)))
  }

  @Test("making it required counts the rows that lack it, and keeps the others")
  func becomingRequired() throws {
    let file = try TemporaryDatabase()
    try Session(at: file.path, schema: ModelSchema { Person.self }).save(Households.people)
    let before = try file.bytes
    let schema = ModelSchema { Settled.self }
    let error = #expect(throws: PlanError.self) { try Session(at: file.path, schema: schema) }
    guard case .refused(_, let hazards) = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    // The city has a backfill, which counts again.
    #expect(hazards.map(\.code) == [.nullsUnderNotNull, .nullsUnderNotNull])
    #expect(hazards.map(\.object) == ["people.address_since", "people.address_home"])
    #expect(hazards.map(\.count) == [1, 1])
    #expect(hazards.map(\.samples) == [["1"], ["1"]])
    #expect(try file.bytes == before)
    try file.exec("DELETE FROM people WHERE id = 1")
    _ = try Session(at: file.path, schema: schema)
    let session = try Session(at: file.path, schema: schema)
    #expect(
      try session.all(Settled.self, orderBy: { [$0.id.ascending] }).map(\.address)
        == Households.people.compactMap(\.address))
  }
}

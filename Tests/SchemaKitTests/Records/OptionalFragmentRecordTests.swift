import Foundation
import Testing

@testable import SchemaKit

/// Reading, writing and finding rows whose fragment may be nil.
@Suite("Optional fragments in rows")
struct OptionalFragmentRecordTests {
  private typealias Person = Households.Person
  private typealias ByFunctions = Households.ByFunctions
  private let file: TemporaryDatabase
  private let session: Session

  init() throws {
    file = try TemporaryDatabase()
    try Session(at: file.path, schema: ModelSchema { Person.self }).save(Households.people)
    session = try Session(at: file.path, schema: ModelSchema { Person.self })
  }

  private func ids(_ condition: (Fields<Person>) -> Filter) throws -> [Int64?] {
    try session.all(Person.self, where: condition, orderBy: { [$0.id.ascending] }).map(\.id)
  }

  @Test("nil is NULL in all columns, and is read as nil, in both forms")
  func roundTrip() throws {
    #expect(try session.all(Person.self, orderBy: { [$0.id.ascending] }) == Households.people)
    #expect(try session.find(Person.self, 1) == Households.people[0])
    #expect(try session.query(Person.self, "SELECT * FROM people WHERE id = 3") == [Households.people[2]])
    #expect(
      try file.query("SELECT * FROM people ORDER BY id") == [
        [.int(1), .null, .null, .null, .null, .null, .null, .text("A")],
        [
          .int(2), .text("High"), .text("Bath"), .text("2023-11-14T22:13:20.000Z"), .int(1), .real(51), .null,
          .text("B"),
        ],
        [.int(3), .null, .text("Ulm"), .text("2023-11-14T22:14:20.000Z"), .int(0), .null, .null, .text("C")],
      ])
    let second = try TemporaryDatabase()
    let schema = ModelSchema { ByFunctions.self }
    let people = Households.people.map { ByFunctions(id: $0.id, address: $0.address, name: $0.name) }
    try Session(at: second.path, schema: schema).save(people)
    #expect(try second.query("SELECT * FROM people ORDER BY id") == file.query("SELECT * FROM people ORDER BY id"))
    #expect(
      try Session(at: second.path, schema: schema).all(ByFunctions.self, orderBy: { [$0.id.ascending] }) == people)
  }

  @Test(
    "a row with a part of a fragment throws an error that names table, column and row",
    arguments: [
      ("address_city = NULL", 2, "address_city"), ("address_home = NULL", 2, "address_home"),
      ("address_city = NULL, address_home = NULL", 3, "address_city"), ("address_street = 'x'", 1, "address_city"),
      ("address_spot_note = 'x'", 1, "address_city"), ("address_spot_note = 'x'", 3, "address_spot_latitude"),
      ("address_spot_latitude = NULL, address_spot_note = 'x'", 2, "address_spot_latitude"),
    ])
  func parts(change: String, row: Int, column: String) throws {
    try file.exec("UPDATE people SET \(change) WHERE id = \(row)")
    let type = column.hasPrefix("address_spot") ? "Spot" : "Address"
    let text = """
      Column people.\(column) should hold a value, like the other columns of \(type), but has NULL in the row \(row).
      """
    for read in [
      { try session.all(Person.self) }, { try [session.find(Person.self, row)].compactMap { $0 } },
    ] {
      let error = #expect(throws: RecordError.self) { try read() }
      #expect(error?.description == text)
    }
  }

  @Test("filters, orders and selections over the columns, without a sign for the optional")
  func fields() throws {
    #expect(try ids { $0.address.city == "Bath" } == [2])
    #expect(try ids { $0.address.city != "Bath" } == [1, 3])
    #expect(try ids { $0.address.city == nil } == [1])
    #expect(try ids { $0.address.isNil } == [1])
    #expect(try ids { !$0.address.isNil && $0.address.spot.isNil } == [3])
    #expect(try ids { $0.address.isHome } == [2])
    #expect(try ids { !$0.address.isHome } == [1, 3])
    #expect(try ids { $0.address.street == "High" && $0.address.spot.latitude > 50 } == [2])
    #expect(try ids { $0.address.spot.note == nil } == [1, 2, 3])
    #expect(try ids { $0.address.since == Households.moved } == [2])
    #expect(try ids { $0.address.since.isIn([nil, Households.moved + 60]) } == [1, 3])
    let found = try session.select(
      Person.self, { ($0.address.city, $0.address.since, $0.address.street) }, orderBy: { [$0.address.city.ascending] })
    #expect(found.map(\.0) == [nil, "Bath", "Ulm"])
    #expect(found.map(\.1) == [nil, Households.moved, Households.moved + 60])
    #expect(found.map(\.2) == [nil, "High", nil])
    #expect(try session.value(Person.self, { $0.address.since.max }) == Households.moved + 60)
  }

  @Test("an update of the whole fragment, of one of its columns, and of several rows")
  func updates() throws {
    var person = Households.people[1]
    person.address = nil
    person.name = "not written"
    try session.update(person, \.address)
    #expect(try session.find(Person.self, 2) == Person(id: 2, address: nil, name: "B"))
    person.address = Households.people[2].address
    try session.update(person, \.address)
    #expect(try session.find(Person.self, 2)?.address == person.address)
    person.address?.city = "Kiel"
    person.address?.isHome = true
    try session.update(person, \.address!.city)
    let stored = try session.find(Person.self, 2)?.address
    #expect(stored?.city == "Kiel" && stored?.isHome == false)
    #expect(
      try session.update(Person.self, set: { [$0.address.city.set("Bonn")] }, where: { $0.address.city == "Kiel" }) == 1
    )
    #expect(try session.find(Person.self, 2)?.address?.city == "Bonn")
  }

  private struct Sized: Fragment, Hashable {
    var text: String
    var size: Int

    static let columns = ColumnGroup(as: Self.init) {
      Column("text", \.text)
      Column("size", \.size).generated("coalesce(length(text), 0)", .stored)
    }
  }

  private struct Note: Model, Hashable {
    let id: Int64
    var body: Sized?

    static let table = ModelTable("notes", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column(embedding: \.body)
    }
  }

  @Test("what SQLite computes does not make a value of nil")
  func generated() throws {
    let notes = [Note(id: 1, body: nil), Note(id: 2, body: Sized(text: "abc", size: 3))]
    let file = try TemporaryDatabase()
    for note in notes {
      #expect(try Session(at: file.path, schema: ModelSchema { Note.self }).save(note) == note)
    }
    let session = try Session(at: file.path, schema: ModelSchema { Note.self })
    #expect(try session.all(Note.self, orderBy: { [$0.id.ascending] }) == notes)
    #expect(try session.all(Note.self, where: { $0.body.isNil }) == [notes[0]])
    #expect(try file.query("SELECT size FROM notes ORDER BY id") == [[.int(0)], [.int(3)]])
  }

  private struct Scan: Fragment, Hashable {
    var page: FileAttachment
    var back: FileAttachment?

    static let columns = ColumnGroup(as: Self.init) {
      Column("page", \.page)
      Column("back", \.back)
    }
  }

  private struct Letter: Model, Hashable {
    let id: Int64
    var scan: Scan?

    static let table = ModelTable("letters", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column(embedding: \.scan, prefix: "scan_")
    }
  }

  @Test("the attachments of a fragment go when it becomes nil")
  func attachments() throws {
    let file = try TemporaryDatabase()
    let session = try Session(at: file.path, schema: ModelSchema { Letter.self })
    let page = try session.attachments.store(Data([1]), as: "page")
    try session.save(Letter(id: 1, scan: Scan(page: page, back: nil)), Letter(id: 2, scan: nil))
    try session.save(Letter(id: 1, scan: nil))
    #expect(try session.all(Letter.self).allSatisfy { $0.scan == nil })
    #expect(try FileManager.default.contentsOfDirectory(atPath: file.path + ".attachments").isEmpty)
  }
}

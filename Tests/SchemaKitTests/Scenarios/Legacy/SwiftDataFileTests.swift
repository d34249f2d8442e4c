import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("A file of SwiftData, the library of 2015")
struct SwiftDataFileTests {
  private static let photo = "0B8C5F0E-6A7B-4B4C-9B5B-1F1E2D3C4B5A"
  private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// One table from the library's `createTable`, one from a statement of the app's own; images lie in a folder beside
  /// the database under the ids that rows name.
  private func file() throws -> TemporaryDatabase {
    let file = try TemporaryDatabase(
      """
      CREATE TABLE Cities (ID INTEGER PRIMARY KEY AUTOINCREMENT, "Name" TEXT, "Population" INTEGER,
        "IsWarm" BOOLEAN, "FoundedIn" DATE, "Area" DOUBLE, "Flag" BLOB, "Photo" TEXT);
      CREATE TABLE people (name VARCHAR(50) NOT NULL, born DATETIME, city INT);
      CREATE INDEX peopleByCity ON people (city);
      INSERT INTO Cities VALUES (1, 'Toronto', 2615060, 0, '1793-08-27 04:00:00', 630.21, X'0A0B', '\(Self.photo)');
      INSERT INTO Cities VALUES (5, 'O''Neil', 3000000000, 1, NULL, 1, NULL, NULL);
      INSERT INTO people VALUES ('Ann', '1990-02-28 23:59:59', 1);
      """, name: "SwiftData.sqlite")
    let folder = file.folder.appendingPathComponent("SwiftDataImages")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(Self.png).write(to: folder.appendingPathComponent(Self.photo))
    return file
  }

  private let cities = [
    City(
      id: 1, name: "Toronto", population: 2_615_060, isWarm: false,
      founded: Date(timeIntervalSince1970: -5_564_923_200), area: 630.21, flag: Data([10, 11]),
      photo: FileAttachment(id: Self.photo)),
    City(
      id: 5, name: "O'Neil", population: 3_000_000_000, isWarm: true, founded: nil, area: 1, flag: nil, photo: nil),
  ]

  @Test("declared with the types that the file has, it needs no change, and every value loads")
  func adoptsAsItIs() throws {
    let file = try file()
    let schema = ModelSchema {
      City.self
      Person.self
    }
    #expect(try file.plan(to: schema).isEmpty)
    let session = try Session(at: file.path, schema: schema)
    #expect(session.outcome == .baselined)
    #expect(try session.all(City.self, orderBy: { [$0.id.ascending] }) == cities)
    #expect(
      try session.all(Person.self) == [
        Person(name: "Ann", born: Date(timeIntervalSince1970: 636_249_599), city: 1)
      ])
  }

  @Test("declared with types of today and required names, it is copied once and nothing is lost")
  func tightens() throws {
    let file = try file()
    let schema = ModelSchema { ModernCity.self }
    let plan = try file.plan(to: schema)
    #expect(plan.outline == ["rebuild table Cities"])
    #expect(
      plan.steps.first?.changes == [
        "column Name: NOT NULL", "column IsWarm: BOOLEAN → INTEGER, NOT NULL", "column FoundedIn: DATE → TEXT",
      ])
    #expect(plan.refusals(under: .lossless) == [])
    #expect(plan.unmanaged == ["people", "peopleByCity"])
    let session = try Session(at: file.path, schema: schema)
    let loaded = try session.all(ModernCity.self, orderBy: { [$0.id.ascending] })
    #expect(loaded.map(\.founded) == cities.map(\.founded))
    #expect(loaded.map(\.population) == [2_615_060, 3_000_000_000])
    #expect(try session.save(ModernCity(name: "Rome")).id == 6)
    #expect(try file.query("SELECT * FROM people") == [[.text("Ann"), .text("1990-02-28 23:59:59"), .int(1)]])
  }

  @Test("its images become attachments when their folder is moved, and go with their rows")
  func adoptsImages() throws {
    let file = try file()
    let removed = Gathered<[FileAttachment]>()
    try FileManager.default.moveItem(atPath: file.sibling("SwiftDataImages"), toPath: file.path + ".attachments")
    let session = try Session(at: file.path, schema: ModelSchema { City.self }) {
      $0.onAttachmentsRemoved = { removed.append($0) }
    }
    let photo = try #require(try session.find(City.self, 1)?.photo)
    #expect(try session.attachments.data(of: photo) == Data(Self.png))
    #expect(try session.attachments.report() == AttachmentReport(orphans: [], missing: []))
    try session.delete(City.self, key: 1)
    #expect(removed.all == [[photo]])
    #expect(try FileManager.default.contentsOfDirectory(atPath: file.path + ".attachments") == [])
  }
}

private struct City: Model, Hashable {
  let id: Int64?
  var name: String?
  var population: Int?
  var isWarm: Bool?
  var founded: Date?
  var area: Double?
  var flag: Data?
  var photo: FileAttachment?

  static let table = ModelTable("Cities", as: Self.init) {
    Column("ID", \.id).primaryKey(autoincrement: true)
    Column("Name", \.name)
    Column("Population", \.population)
    Column("IsWarm", \.isWarm).type("BOOLEAN")
    Column("FoundedIn", \.founded, storing: .iso8601).type("DATE")
    Column("Area", \.area)
    Column("Flag", \.flag)
    Column("Photo", \.photo)
  }
}

private struct ModernCity: Model, Hashable {
  var id: Int64?
  var name: String
  var population: Int?
  var isWarm = false
  var founded: Date?
  var area: Double?
  var flag: Data?
  var photo: FileAttachment?

  static let table = ModelTable("Cities", as: Self.init(id:name:population:isWarm:founded:area:flag:photo:)) {
    Column("ID", \.id).primaryKey(autoincrement: true)
    Column("Name", \.name)
    Column("Population", \.population)
    Column("IsWarm", \.isWarm)
    Column("FoundedIn", \.founded, storing: .iso8601)
    Column("Area", \.area)
    Column("Flag", \.flag)
    Column("Photo", \.photo)
  }
}

private struct Person: Model, Hashable {
  var name: String
  var born: Date?
  var city: Int?

  static let table = ModelTable("people", as: Self.init) {
    Column("name", \.name)
    Column("born", \.born, storing: .iso8601).type("DATETIME")
    Column("city", \.city)
  } indexes: {
    Index("peopleByCity", on: \.city)
  }
}

import SchemaKit
import Testing

/// What `.replacing` must not take along.
@Suite("Replacing the children of an object")
struct FamilyReplacingTests {
  private static let schema = ModelSchema {
    GaugeOwner.self
    GaugePlace.self
    Gauge.self
    Reading.self
    NestedFolder.self
  }

  @Test("a grandchild that moves to another child keeps its row and what refers to it")
  func moves() throws {
    let file = try TemporaryDatabase()
    do {
      let session = try Session(at: file.path, schema: Self.schema)
      try session.save(GaugeOwner(id: 1))
      try session.save(GaugePlace(id: 1, owner: 1), GaugePlace(id: 2, owner: 1))
      try session.save(Gauge(id: 3, place: 1))
      try session.save(Reading(id: 4, gauge: 3))
      try session.save(
        GaugeOwner(id: 1),
        with: [(GaugePlace(id: 1, owner: 1), []), (GaugePlace(id: 2, owner: 1), [Gauge(id: 3, place: 1)])],
        .replacing)
    }
    #expect(try file.query("SELECT id, place FROM gauges") == [[.int(3), .int(2)]])
    #expect(try file.value("SELECT count(*) FROM readings") == .int(1))
  }

  @Test("where its former owner goes, nothing is changed and the row is named")
  func goesWithOwner() throws {
    let file = try TemporaryDatabase()
    do {
      let session = try Session(at: file.path, schema: Self.schema)
      try session.save(GaugeOwner(id: 1))
      try session.save(GaugePlace(id: 1, owner: 1), GaugePlace(id: 2, owner: 1))
      try session.save(Gauge(id: 3, place: 1))
      try session.save(Reading(id: 4, gauge: 3))
      #expect {
        try session.save(
          GaugeOwner(id: 1), with: [(GaugePlace(id: 2, owner: 1), [Gauge(id: 3, place: 1)])], .replacing)
      } throws: { error in
        (error as? RecordError)?.reason == .deletedWithOthers(table: "gauges", key: RecordKey([.integer(3)]))
          && "\(error)".contains("gauges")
      }
    }
    #expect(try file.query("SELECT id, place FROM gauges") == [[.int(3), .int(1)]])
    #expect(try file.value("SELECT count(*) FROM readings") == .int(1))
    #expect(try file.value("SELECT count(*) FROM places") == .int(2))
  }

  @Test("an object that refers to itself is not among those that go")
  func selfReference() throws {
    let file = try TemporaryDatabase()
    do {
      let session = try Session(at: file.path, schema: Self.schema)
      try session.save(NestedFolder(id: 1, parent: 1))
      try session.save(NestedFolder(id: 2, parent: 1))
      try session.save(NestedFolder(id: 1, parent: 1), with: [NestedFolder](), .replacing)
    }
    #expect(try file.query("SELECT id FROM folders") == [[.int(1)]])
  }
}

private struct GaugeOwner: Model {
  let id: Int64

  static let table = ModelTable("owners", as: Self.init) { Column("id", \GaugeOwner.id).primaryKey() }
}

private struct GaugePlace: Model {
  let id: Int64
  var owner: Int64

  static let table = ModelTable("places", as: Self.init) {
    Column("id", \GaugePlace.id).primaryKey()
    Column("owner", \GaugePlace.owner).references(GaugeOwner.self, onDelete: .cascade)
  }
}

private struct Gauge: Model {
  let id: Int64
  var place: Int64

  static let table = ModelTable("gauges", as: Self.init) {
    Column("id", \Gauge.id).primaryKey()
    Column("place", \Gauge.place).references(GaugePlace.self, onDelete: .cascade)
  }
}

private struct Reading: Model {
  let id: Int64
  var gauge: Int64

  static let table = ModelTable("readings", as: Self.init) {
    Column("id", \Reading.id).primaryKey()
    Column("gauge", \Reading.gauge).references(Gauge.self, onDelete: .cascade)
  }
}

private struct NestedFolder: Model {
  let id: Int64
  var parent: Int64

  static let table = ModelTable("folders", as: Self.init) {
    Column("id", \NestedFolder.id).primaryKey()
    Column("parent", \NestedFolder.parent).references(NestedFolder.self, onDelete: .cascade)
  }
}

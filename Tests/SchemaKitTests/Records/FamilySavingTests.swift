import SchemaKit
import Testing

private struct Customer: Model, Hashable {
  let id: Int64?
  var name: String

  static let table = ModelTable("customers", as: Self.init) {
    Column("id", \Customer.id).primaryKey()
    Column("name", \Customer.name).unique()
  }
}

private struct Site: Model, Hashable {
  let id: Int64?
  var customerID: Int64
  var place: Int
  var town: String

  static let table = ModelTable("sites", as: Self.init) {
    Column("id", \Site.id).primaryKey()
    Column("customer_id", \Site.customerID).references(Customer.self, onDelete: .cascade)
    Column("place", \Site.place)
    Column("town", \Site.town)
  } constraints: {
    Constraint.unique(\.customerID, \.place)
  }

  init(id: Int64? = nil, customerID: Int64 = 0, place: Int, town: String) {
    (self.id, self.customerID, self.place, self.town) = (id, customerID, place, town)
  }
}

/// Its own key contains the foreign key, in letters that are compared without regard to case.
private struct Meter: Model, Hashable {
  var siteID: Int64
  var code: String
  var reading: Double

  static let table = ModelTable("meters", as: Self.init) {
    Column("site_id", \Meter.siteID).references(Site.self, onDelete: .cascade)
    Column("code", \Meter.code).collate(.nocase)
    Column("reading", \Meter.reading)
  } constraints: {
    Constraint.primaryKey(\.siteID, \.code)
  }

  init(siteID: Int64 = 0, code: String, reading: Double) {
    (self.siteID, self.code, self.reading) = (siteID, code, reading)
  }
}

/// Two foreign keys to the same table.
private struct Invoice: Model, Hashable {
  let id: Int64?
  var payer: Int64?
  var receiver: Int64?

  static let table = ModelTable("invoices", as: Self.init) {
    Column("id", \Invoice.id).primaryKey()
    Column("payer", \Invoice.payer).references(Customer.self)
    Column("receiver", \Invoice.receiver).references(Customer.self)
  }
}

/// A key that nobody assigns, and a child that refers to a column which may be nil.
private struct HolderBadge: Model, Hashable {
  let id: Int64?
  var number: String?

  static let table = ModelTable("badges", as: Self.init) {
    Column("id", \HolderBadge.id).primaryKey()
    Column("number", \HolderBadge.number).unique()
  }
}

private struct Scan: Model, Hashable {
  let id: Int64?
  var badge: String?

  static let table = ModelTable("scans", as: Self.init) {
    Column("id", \Scan.id).primaryKey()
    Column("badge", \Scan.badge).references(HolderBadge.self, column: \HolderBadge.number)
  }
}

@Suite("Saving an object with its children")
struct FamilySavingTests {
  private let file: TemporaryDatabase
  private let session: Session
  private static let schema = ModelSchema {
    Customer.self
    Site.self
    Meter.self
    Invoice.self
    HolderBadge.self
    Scan.self
  }

  init() throws {
    file = try TemporaryDatabase()
    session = try Session(at: file.path, schema: Self.schema)
  }

  @Test("children get the key that the object got, and come back as stored")
  func saves() throws {
    let sites = [Site(place: 1, town: "Bonn"), Site(place: 2, town: "Kiel")]
    let (customer, saved) = try session.save(Customer(id: nil, name: "Ada"), with: sites)
    #expect(customer.id == 1)
    #expect(saved.map(\.customerID) == [1, 1])
    #expect(saved.compactMap(\.id) == [1, 2])
    #expect(
      try file.query("SELECT customer_id, town FROM sites ORDER BY id") == [
        [.int(1), .text("Bonn")], [.int(1), .text("Kiel")],
      ])
    let read = try session.all(Customer.self, with: Site.self)
    #expect(read.map(\.0) == [customer] && read.map(\.1) == [saved])
  }

  @Test("children that are not in the list stay, unless they are to be replaced")
  func replaces() throws {
    let (customer, sites) = try session.save(
      Customer(id: nil, name: "Ada"), with: [Site(place: 1, town: "Bonn"), Site(place: 2, town: "Kiel")])
    _ = try session.save(Customer(id: nil, name: "Bob"), with: [Site(place: 1, town: "Ulm")])
    var bonn = sites[0]
    bonn.town = "Mainz"
    try session.save(customer, with: [bonn])
    #expect(try session.all(Site.self).map(\.town) == ["Mainz", "Kiel", "Ulm"])
    // The new one takes the place of the one that goes.
    let (_, replaced) = try session.save(customer, with: [bonn, Site(place: 2, town: "Jena")], .replacing)
    #expect(replaced.map(\.town) == ["Mainz", "Jena"])
    #expect(
      try file.query("SELECT town FROM sites ORDER BY town") == [[.text("Jena")], [.text("Mainz")], [.text("Ulm")]])
    try session.save(customer, with: [Site](), .replacing)
    #expect(try file.query("SELECT town FROM sites") == [[.text("Ulm")]])
  }

  @Test("three levels are saved and replaced in one call")
  func levels() throws {
    let meters = [Meter(code: "A", reading: 1), Meter(code: "B", reading: 2)]
    let (customer, sites) = try session.save(
      Customer(id: nil, name: "Ada"),
      with: [(Site(place: 1, town: "Bonn"), meters), (Site(place: 2, town: "Kiel"), [])])
    #expect(sites.map(\.1) == [meters.map { Meter(siteID: 1, code: $0.code, reading: $0.reading) }, []])
    // The key compares without regard to case: `a` is the row A, which is not deleted and made anew.
    try session.save(customer, with: [(sites[0].0, [Meter(code: "a", reading: 5)])], .replacing)
    #expect(try file.query("SELECT site_id, code, reading FROM meters") == [[.int(1), .text("A"), .real(5)]])
    #expect(try file.query("SELECT town FROM sites") == [[.text("Bonn")]])
  }

  @Test("what fails below takes back what was saved above")
  func atomic() throws {
    try session.save(Customer(id: 7, name: "Ada"), with: [Site(place: 1, town: "Bonn")])
    let twice = [Site(place: 2, town: "Kiel"), Site(place: 2, town: "Jena")]
    #expect(throws: RecordReason.violation(.unique, table: "sites", columns: ["customer_id", "place"])) {
      try reasoned { try session.save(Customer(id: 7, name: "Eve"), with: twice, .replacing) }
    }
    #expect(try file.query("SELECT name FROM customers") == [[.text("Ada")]])
    #expect(try file.query("SELECT town FROM sites") == [[.text("Bonn")]])
    try? session.transaction {
      try session.save(Customer(id: 8, name: "Bob"), with: [Site(place: 1, town: "Ulm")])
      throw RecordReason.encoding
    }
    #expect(try file.value("SELECT count(*) FROM customers") == .int(1))
  }

  @Test("the foreign key is named where several fit or none does")
  func relations() throws {
    let ada = Customer(id: 1, name: "Ada")
    let error = #expect(throws: RecordError.self) {
      try session.save(ada, with: [Invoice(id: nil, payer: nil, receiver: nil)])
    }
    #expect(error?.description.contains("Invoice declares 2 foreign keys to Customer, on payer, receiver.") == true)
    #expect(throws: RecordReason.noRelation(0)) {
      try reasoned { try session.save(ada, with: [Meter(code: "A", reading: 1)]) }
    }
    #expect(try session.count(Customer.self) == 0)
    let (_, invoices) = try session.save(ada, with: [Invoice(id: nil, payer: nil, receiver: nil)], via: \.receiver)
    #expect(invoices == [Invoice(id: 1, payer: nil, receiver: 1)])
  }

  @Test("an object without the value that its children refer to is refused")
  func noKey() throws {
    let error = #expect(throws: RecordError.self) {
      try session.save(HolderBadge(id: nil, number: nil), with: [Scan(id: nil, badge: "x")])
    }
    #expect(error?.reason == .noParentKey(model: "HolderBadge", column: "number"))
    #expect(try session.count(HolderBadge.self) == 0)
    let (_, scans) = try session.save(HolderBadge(id: nil, number: "7"), with: [Scan(id: nil, badge: nil)])
    #expect(scans.map(\.badge) == ["7"])
  }

  @Test("thousands of children are replaced, by keys of one column and of two")
  func many() throws {
    let sites = (0..<1_500).map { Site(place: $0, town: "t\($0)") }
    let (customer, saved) = try session.save(Customer(id: nil, name: "Ada"), with: sites)
    try session.save(customer, with: saved.dropFirst(), .replacing)
    #expect(try session.count(Site.self) == 1_499)
    let meters = (0..<1_500).map { Meter(code: "m\($0)", reading: 0) }
    let (site, read) = try session.save(saved[1], with: meters)
    try session.save(site, with: read.dropLast(3), .replacing)
    #expect(try session.count(Meter.self) == 1_497)
  }

  @Test("the actor saves families too")
  func database() async throws {
    let database = try await Database(at: file.path, schema: Self.schema)
    let (customer, sites) = try await database.save(
      Customer(id: nil, name: "Ada"), with: [(Site(place: 1, town: "Bonn"), [Meter(code: "A", reading: 1)])])
    #expect(sites.map(\.1.first?.siteID) == [1])
    _ = try await database.save(customer, with: sites.map(\.0), via: \Site.customerID, .replacing)
    #expect(try await database.all(Meter.self).count == 1)
  }
}

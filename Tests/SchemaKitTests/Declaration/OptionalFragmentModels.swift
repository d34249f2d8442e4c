import Foundation
import SchemaKit

/// Models that embed a fragment which may be nil, in each of the two forms, and the same with a fragment that may not.
enum Households {
  static let moved = Date(timeIntervalSince1970: 1_700_000_000)

  struct Spot: Fragment, Hashable {
    var latitude: Double
    var note: String?

    static let columns = ColumnGroup(as: Self.init) {
      Column("latitude", \.latitude)
      Column("note", \.note)
    }
  }

  struct Address: Fragment, Hashable {
    var street: String?
    var city: String
    var since: Date
    var isHome: Bool
    var spot: Spot?

    static let columns = ColumnGroup(as: Self.init) {
      Column("street", \.street)
      Column("city", \.city).default("?").backfill(sql: "'?'").renamed(from: "town")
      Column("since", \.since, storing: .iso8601)
      Column("home", \.isHome).notNull(onConflict: .fail)
      Column(embedding: \.spot, prefix: "spot_")
    }
  }

  struct Person: Model, Hashable {
    let id: Int64?
    var address: Address?
    var name: String

    static let table = ModelTable("people", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column(embedding: \.address, prefix: "address_")
      Column("name", \.name)
    } constraints: {
      Constraint.unique(\.name, \.address!.city)
    } indexes: {
      Index("people_by_city", on: \.address!.city, \.address!.spot!.latitude)
    }
  }

  /// The same table, with functions that read and write it.
  struct ByFunctions: Model, Hashable {
    let id: Int64?
    var address: Address?
    var name: String

    static let table = ModelTable<ByFunctions>(
      "people",
      columns: { columns in
        columns.add(Column("id", \.id).primaryKey())
        columns.add(Column(embedding: \.address, prefix: "address_"))
        columns.add(Column("name", \.name))
      },
      decode: { row in ByFunctions(id: try row.read(), address: try row.read(), name: try row.read()) },
      encode: { person, row in
        try row.append(person.id)
        try row.append(person.address)
        try row.append(person.name)
      },
      constraints: [Constraint.unique(\.name, \.address!.city)],
      indexes: [Index("people_by_city", on: \.address!.city, \.address!.spot!.latitude)])
  }

  /// The same table, in which the address is required.
  struct Settled: Model, Hashable {
    let id: Int64?
    var address: Address
    var name: String

    static let table = ModelTable("people", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column(embedding: \.address, prefix: "address_")
      Column("name", \.name)
    } constraints: {
      Constraint.unique(\.name, \.address.city)
    } indexes: {
      Index("people_by_city", on: \.address.city, \.address.spot!.latitude)
    }
  }

  /// The table before it had addresses.
  struct Named: Model {
    let id: Int64?
    var name: String

    static let table = ModelTable("people", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("name", \.name)
    }
  }

  static let people = [
    Person(id: 1, address: nil, name: "A"),
    Person(
      id: 2,
      address: Address(street: "High", city: "Bath", since: moved, isHome: true, spot: Spot(latitude: 51, note: nil)),
      name: "B"),
    Person(
      id: 3, address: Address(street: nil, city: "Ulm", since: moved + 60, isHome: false, spot: nil), name: "C"),
  ]
}

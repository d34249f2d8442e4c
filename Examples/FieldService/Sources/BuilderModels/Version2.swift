public import FieldServiceTypes
public import Foundation
public import SchemaKit

/// The second release: photos, a level of service, a state of visits, and the telephone by its full name.
public enum Version2 {
  public struct Customer: Model {
    public let id: Int64?
    public var name: String
    public var telephone: String?
    public var level: ServiceLevel

    public static let table = Table("customers", as: Self.init) {
      Column("id", \.id).primaryKey(autoincrement: true)
      Column("name", \.name).check("length(name) > 0")
      Column("telephone", \.telephone).renamed(from: "phone")
      Column("level", \.level).default(.basic)
    }
  }

  public struct Site: Model {
    public let id: Int64?
    public var customerID: Int64
    public var name: String
    public var address: Address
    public var city: String?

    public static let table = Table("sites", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("customer_id", \.customerID).references(Customer.self, onDelete: .cascade)
      Column("name", \.name)
      Column("address", \.address).backfill(sql: "json_object('street', '', 'city', coalesce(city, ''))")
      Column("city", \.city)
    } indexes: {
      Index("sites_by_customer", on: \.customerID)
    }
  }

  public struct Visit: Model {
    public let id: Int64?
    public var siteID: Int64
    public var planned: Date
    public var state: VisitState
    public var notes: String
    public var fee: Decimal

    public static let table = Table("visits", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("site_id", \.siteID).references(Site.self)
      Column("planned", \.planned, storing: .iso8601)
      Column("state", \.state).default(.planned)
      Column("notes", \.notes).default("")
      Column("fee", \.fee)
    }
  }

  public struct Photo: Model {
    public let id: UUID
    public var visitID: Int64?
    public var tags: [String]
    public var image: Data

    public static let table = Table("photos", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("visit_id", \.visitID).references(Visit.self, onDelete: .setNull)
      Column("tags", \.tags).default([])
      Column("image", \.image)
    }
  }

  public static let schema = ModelSchema {
    Customer.self
    Site.self
    Visit.self
    Photo.self
  }
}

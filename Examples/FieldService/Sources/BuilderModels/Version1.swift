public import Foundation
public import SchemaKit

/// The first release: customers, their sites, and visits there.
public enum Version1 {
  public struct Customer: Model {
    public let id: Int64?
    public var name: String
    public var phone: String?

    public static let table = Table("customers", as: Self.init) {
      Column("id", \.id).primaryKey(autoincrement: true)
      Column("name", \.name).check("length(name) > 0")
      Column("phone", \.phone)
    }
  }

  public struct Site: Model {
    public let id: Int64?
    public var customerID: Int64
    public var name: String
    public var city: String?

    public static let table = Table("sites", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("customer_id", \.customerID).references(Customer.self, onDelete: .cascade)
      Column("name", \.name)
      Column("city", \.city)
    } indexes: {
      Index("sites_by_customer", on: \.customerID)
    }
  }

  public struct Visit: Model {
    public let id: Int64?
    public var siteID: Int64
    public var planned: Date
    public var notes: String
    public var fee: Decimal

    public static let table = Table("visits", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("site_id", \.siteID).references(Site.self)
      Column("planned", \.planned, storing: .iso8601)
      Column("notes", \.notes).default("")
      Column("fee", \.fee)
    }
  }

  public static let schema = ModelSchema {
    Customer.self
    Site.self
    Visit.self
  }
}

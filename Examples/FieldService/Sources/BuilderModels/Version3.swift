public import FieldServiceTypes
public import Foundation
public import SchemaKit

/// The third release: invoices, fees in cents, and no city beside the address.
public enum Version3 {
  public struct Customer: Model {
    public let id: Int64?
    public var name: String
    public var telephone: String?
    public var email: String?
    public var level: ServiceLevel
    public var isSelected = false

    init(id: Int64?, name: String, telephone: String?, email: String?, level: ServiceLevel) {
      self.id = id
      self.name = name
      self.telephone = telephone
      self.email = email
      self.level = level
    }

    public static let table = Table("customers", as: Self.init) {
      Column("id", \.id).primaryKey(autoincrement: true)
      Column("name", \.name).check("length(name) > 0")
      Column("telephone", \.telephone).renamed(from: "phone")
      Column("email", \.email).unique()
      Column("level", \.level).default(.basic)
    }
  }

  public struct Site: Model {
    public let id: Int64?
    public var customerID: Int64
    public var name: String
    public var address: Address

    public static let table = Table("sites", as: Self.init, removed: ["city"]) {
      Column("id", \.id).primaryKey()
      Column("customer_id", \.customerID).references(Customer.self, onDelete: .cascade)
      Column("name", \.name)
      Column("address", \.address).backfill(sql: "json_object('street', '', 'city', coalesce(city, ''))")
    } constraints: {
      Constraint.unique(\.customerID, \.name)
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
      Column("fee", \.fee, storing: .scaled(digits: 2)).converting(sql: "CAST(round(fee * 100) AS INTEGER)")
    } indexes: {
      Index("visits_by_date", on: \.planned, .descending)
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

  public struct Invoice: Model {
    public let number: String
    public var customerID: Int64
    public var visitID: Int64?
    public var total: Decimal
    public var lines: [InvoiceLine]
    public var paid: Date?

    public static let table = Table("invoices", as: Self.init) {
      Column("number", \.number).primaryKey()
      Column("customer_id", \.customerID).references(Customer.self)
      Column("visit_id", \.visitID).references(Visit.self)
      Column("total", \.total, storing: .scaled(digits: 2)).check("total >= 0")
      Column("lines", \.lines)
      Column("paid", \.paid, storing: .iso8601)
    }.withoutRowID()
  }

  public static let schema = ModelSchema {
    Customer.self
    Site.self
    Visit.self
    Photo.self
    Invoice.self
  }
}

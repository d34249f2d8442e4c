import Foundation
import SchemaKit

/// The third release: invoices, fees in cents, and no city beside the address.
extension Builder {
  enum Version3 {
    struct Customer: Model {
      let id: Int64?
      var name: String
      var telephone: String?
      var email: String?
      var level: ServiceLevel
      var isSelected = false

      init(id: Int64?, name: String, telephone: String?, email: String?, level: ServiceLevel) {
        self.id = id
        self.name = name
        self.telephone = telephone
        self.email = email
        self.level = level
      }

      static let table = ModelTable("customers", as: Self.init) {
        Column("id", \.id).primaryKey(autoincrement: true)
        Column("name", \.name).check("length(name) > 0")
        Column("telephone", \.telephone).renamed(from: "phone")
        Column("email", \.email).unique()
        Column("level", \.level).default(.basic)
      }
    }

    struct Site: Model {
      let id: Int64?
      var customerID: Int64
      var name: String
      var address: Address

      static let table = ModelTable("sites", as: Self.init, removed: ["city"]) {
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

    struct Visit: Model {
      let id: Int64?
      var siteID: Int64
      var planned: Date
      var state: VisitState
      var notes: String
      var fee: Decimal

      static let table = ModelTable("visits", as: Self.init) {
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

    struct Photo: Model {
      let id: UUID
      var visitID: Int64?
      var tags: [String]
      var image: Data

      static let table = ModelTable("photos", as: Self.init) {
        Column("id", \.id).primaryKey()
        Column("visit_id", \.visitID).references(Visit.self, onDelete: .setNull)
        Column("tags", \.tags).default([])
        Column("image", \.image)
      }
    }

    struct Invoice: Model {
      let number: String
      var customerID: Int64
      var visitID: Int64?
      var total: Decimal
      var lines: [InvoiceLine]
      var paid: Date?

      static let table = ModelTable("invoices", as: Self.init) {
        Column("number", \.number).primaryKey()
        Column("customer_id", \.customerID).references(Customer.self)
        Column("visit_id", \.visitID).references(Visit.self)
        Column("total", \.total, storing: .scaled(digits: 2)).check("total >= 0")
        Column("lines", \.lines)
        Column("paid", \.paid, storing: .iso8601)
      }.withoutRowID()
    }

    static let schema = ModelSchema {
      Customer.self
      Site.self
      Visit.self
      Photo.self
      Invoice.self
    }
  }
}

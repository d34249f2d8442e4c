import Foundation
import SchemaKit

/// The first release: customers, their sites, and visits there.
extension Builder {
  enum Version1 {
    struct Customer: Model {
      let id: Int64?
      var name: String
      var phone: String?

      static let table = ModelTable("customers", as: Self.init) {
        Column("id", \.id).primaryKey(autoincrement: true)
        Column("name", \.name).check("length(name) > 0")
        Column("phone", \.phone)
      }
    }

    struct Site: Model {
      let id: Int64?
      var customerID: Int64
      var name: String
      var city: String?

      static let table = ModelTable("sites", as: Self.init) {
        Column("id", \.id).primaryKey()
        Column("customer_id", \.customerID).references(Customer.self, onDelete: .cascade)
        Column("name", \.name)
        Column("city", \.city)
      } indexes: {
        Index("sites_by_customer", on: \.customerID)
      }
    }

    struct Visit: Model {
      let id: Int64?
      var siteID: Int64
      var planned: Date
      var notes: String
      var fee: Decimal

      static let table = ModelTable("visits", as: Self.init) {
        Column("id", \.id).primaryKey()
        Column("site_id", \.siteID).references(Site.self)
        Column("planned", \.planned, storing: .iso8601)
        Column("notes", \.notes).default("")
        Column("fee", \.fee)
      }
    }

    static let schema = ModelSchema {
      Customer.self
      Site.self
      Visit.self
    }
  }
}

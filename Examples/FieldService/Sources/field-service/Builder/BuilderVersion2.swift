import Foundation
import SchemaKit

/// The second release: photos, a level of service, a state of visits, and the telephone by its full name.
extension Builder {
  enum Version2 {
    struct Customer: Model {
      let id: Int64?
      var name: String
      var telephone: String?
      var level: ServiceLevel

      static let table = ModelTable("customers", as: Self.init) {
        Column("id", \.id).primaryKey(autoincrement: true)
        Column("name", \.name).check("length(name) > 0")
        Column("telephone", \.telephone).renamed(from: "phone")
        Column("level", \.level).default(.basic)
      }
    }

    struct Site: Model {
      let id: Int64?
      var customerID: Int64
      var name: String
      var address: Address
      var city: String?

      static let table = ModelTable("sites", as: Self.init) {
        Column("id", \.id).primaryKey()
        Column("customer_id", \.customerID).references(Customer.self, onDelete: .cascade)
        Column("name", \.name)
        Column("address", \.address).backfill(sql: "json_object('street', '', 'city', coalesce(city, ''))")
        Column("city", \.city)
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
        Column("fee", \.fee)
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

    static let schema = ModelSchema {
      Customer.self
      Site.self
      Visit.self
      Photo.self
    }
  }
}

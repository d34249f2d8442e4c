import Foundation
import SchemaKit

/// The second release: photos, a level of service, a state of visits, and the telephone by its full name.
extension Macro {
  enum Version2 {
    @Model("customers") struct Customer {
      @PrimaryKey(autoincrement: true) let id: Int64?
      @Check("length(name) > 0") var name: String
      @Renamed(from: "phone") var telephone: String?
      @Default var level: ServiceLevel = .basic
    }

    @Model("sites") struct Site {
      @PrimaryKey let id: Int64?
      @Column("customer_id") @References(Customer.self, onDelete: .cascade) var customerID: Int64
      var name: String
      @Backfill(sql: "json_object('street', '', 'city', coalesce(city, ''))") var address: Address
      var city: String?

      static let indexes = [Index<Site>("sites_by_customer", on: \.customerID)]
    }

    @Model("visits") struct Visit {
      @PrimaryKey let id: Int64?
      @Column("site_id") @References(Site.self) var siteID: Int64
      @Column(storing: .iso8601) var planned: Date
      @Default var state: VisitState = .planned
      @Default var notes: String = ""
      var fee: Decimal
    }

    @Model("photos") struct Photo {
      @PrimaryKey let id: UUID
      @Column("visit_id") @References(Visit.self, onDelete: .setNull) var visitID: Int64?
      @Default var tags: [String] = []
      var image: Data
    }

    static let schema = ModelSchema {
      Customer.self
      Site.self
      Visit.self
      Photo.self
    }
  }
}

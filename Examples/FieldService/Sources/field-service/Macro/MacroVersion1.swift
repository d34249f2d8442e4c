import Foundation
import SchemaKit

/// The first release: customers, their sites, and visits there.
extension Macro {
  enum Version1 {
    @Model("customers") struct Customer {
      @PrimaryKey(autoincrement: true) let id: Int64?
      @Check("length(name) > 0") var name: String
      var phone: String?
    }

    @Model("sites") struct Site {
      @PrimaryKey let id: Int64?
      @Column("customer_id") @References(Customer.self, onDelete: .cascade) var customerID: Int64
      var name: String
      var city: String?

      static let indexes = [Index<Site>("sites_by_customer", on: \.customerID)]
    }

    @Model("visits") struct Visit {
      @PrimaryKey let id: Int64?
      @Column("site_id") @References(Site.self) var siteID: Int64
      @Column(storing: .iso8601) var planned: Date
      @Default var notes: String = ""
      var fee: Decimal
    }

    static let schema = ModelSchema {
      Customer.self
      Site.self
      Visit.self
    }
  }
}

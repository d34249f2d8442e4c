import Foundation
import SchemaKit

/// The third release: invoices, fees in cents, and no city beside the address.
extension Macro {
  enum Version3 {
    @Model("customers") struct Customer {
      @PrimaryKey(autoincrement: true) let id: Int64?
      @Check("length(name) > 0") var name: String
      @Renamed(from: "phone") var telephone: String?
      @Unique var email: String?
      @Default var level: ServiceLevel = .basic
      @Transient var isSelected = false
    }

    @Removed("city")
    @Model("sites") struct Site {
      @PrimaryKey let id: Int64?
      @Column("customer_id") @References(Customer.self, onDelete: .cascade) var customerID: Int64
      var name: String
      @Backfill(sql: "json_object('street', '', 'city', coalesce(city, ''))") var address: Address

      static let constraints = [Constraint<Site>.unique(\.customerID, \.name)]
      static let indexes = [Index<Site>("sites_by_customer", on: \.customerID)]
    }

    @Model("visits") struct Visit {
      @PrimaryKey let id: Int64?
      @Column("site_id") @References(Site.self) var siteID: Int64
      @Column(storing: .iso8601) var planned: Date
      @Default var state: VisitState = .planned
      @Default var notes: String = ""
      @Column(storing: .scaled(digits: 2)) @Converting(sql: "CAST(round(fee * 100) AS INTEGER)") var fee: Decimal

      static let indexes = [Index<Visit>("visits_by_date", on: \.planned, .descending)]
    }

    @Model("photos") struct Photo {
      @PrimaryKey let id: UUID
      @Column("visit_id") @References(Visit.self, onDelete: .setNull) var visitID: Int64?
      @Default var tags: [String] = []
      var image: Data
    }

    @WithoutRowID
    @Model("invoices") struct Invoice {
      @PrimaryKey let number: String
      @Column("customer_id") @References(Customer.self) var customerID: Int64
      @Column("visit_id") @References(Visit.self) var visitID: Int64?
      @Column(storing: .scaled(digits: 2)) @Check("total >= 0") var total: Decimal
      var lines: [InvoiceLine]
      @Column(storing: .iso8601) var paid: Date?
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

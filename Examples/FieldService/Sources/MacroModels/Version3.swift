public import FieldServiceTypes
public import Foundation
public import SchemaKit

/// The third release: invoices, fees in cents, and no city beside the address.
public enum Version3 {
  @Model("customers") public struct Customer {
    @PrimaryKey(autoincrement: true) public let id: Int64?
    @Check("length(name) > 0") public var name: String
    @Renamed(from: "phone") public var telephone: String?
    @Unique public var email: String?
    @Default public var level: ServiceLevel = .basic
    @Transient public var isSelected = false
  }

  @Removed("city")
  @Model("sites") public struct Site {
    @PrimaryKey public let id: Int64?
    @Column("customer_id") @References(Customer.self, onDelete: .cascade) public var customerID: Int64
    public var name: String
    @Backfill(sql: "json_object('street', '', 'city', coalesce(city, ''))") public var address: Address

    static let constraints = [Constraint<Site>.unique(\.customerID, \.name)]
    static let indexes = [Index<Site>("sites_by_customer", on: \.customerID)]
  }

  @Model("visits") public struct Visit {
    @PrimaryKey public let id: Int64?
    @Column("site_id") @References(Site.self) public var siteID: Int64
    @Column(storing: .iso8601) public var planned: Date
    @Default public var state: VisitState = .planned
    @Default public var notes: String = ""
    @Column(storing: .scaled(digits: 2)) @Converting(sql: "CAST(round(fee * 100) AS INTEGER)") public var fee: Decimal

    static let indexes = [Index<Visit>("visits_by_date", on: \.planned, .descending)]
  }

  @Model("photos") public struct Photo {
    @PrimaryKey public let id: UUID
    @Column("visit_id") @References(Visit.self, onDelete: .setNull) public var visitID: Int64?
    @Default public var tags: [String] = []
    public var image: Data
  }

  @WithoutRowID
  @Model("invoices") public struct Invoice {
    @PrimaryKey public let number: String
    @Column("customer_id") @References(Customer.self) public var customerID: Int64
    @Column("visit_id") @References(Visit.self) public var visitID: Int64?
    @Column(storing: .scaled(digits: 2)) @Check("total >= 0") public var total: Decimal
    public var lines: [InvoiceLine]
    @Column(storing: .iso8601) public var paid: Date?
  }

  public static let schema = ModelSchema {
    Customer.self
    Site.self
    Visit.self
    Photo.self
    Invoice.self
  }
}

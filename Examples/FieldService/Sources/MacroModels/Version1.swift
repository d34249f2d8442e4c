public import Foundation
public import SchemaKit

/// The first release: customers, their sites, and visits there.
public enum Version1 {
  @Model("customers") public struct Customer {
    @PrimaryKey(autoincrement: true) public let id: Int64?
    @Check("length(name) > 0") public var name: String
    public var phone: String?
  }

  @Model("sites") public struct Site {
    @PrimaryKey public let id: Int64?
    @Column("customer_id") @References(Customer.self, onDelete: .cascade) public var customerID: Int64
    public var name: String
    public var city: String?

    static let indexes = [Index<Site>("sites_by_customer", on: \.customerID)]
  }

  @Model("visits") public struct Visit {
    @PrimaryKey public let id: Int64?
    @Column("site_id") @References(Site.self) public var siteID: Int64
    @Column(storing: .iso8601) public var planned: Date
    @Default public var notes: String = ""
    public var fee: Decimal
  }

  public static let schema = ModelSchema {
    Customer.self
    Site.self
    Visit.self
  }
}

public import FieldServiceTypes
public import Foundation
public import SchemaKit

/// The second release: photos, a level of service, a state of visits, and the telephone by its full name.
public enum Version2 {
  @Model("customers") public struct Customer {
    @PrimaryKey(autoincrement: true) public let id: Int64?
    @Check("length(name) > 0") public var name: String
    @Renamed(from: "phone") public var telephone: String?
    @Default public var level: ServiceLevel = .basic
  }

  @Model("sites") public struct Site {
    @PrimaryKey public let id: Int64?
    @Column("customer_id") @References(Customer.self, onDelete: .cascade) public var customerID: Int64
    public var name: String
    @Backfill(sql: "json_object('street', '', 'city', coalesce(city, ''))") public var address: Address
    public var city: String?

    static let indexes = [Index<Site>("sites_by_customer", on: \.customerID)]
  }

  @Model("visits") public struct Visit {
    @PrimaryKey public let id: Int64?
    @Column("site_id") @References(Site.self) public var siteID: Int64
    @Column(storing: .iso8601) public var planned: Date
    @Default public var state: VisitState = .planned
    @Default public var notes: String = ""
    public var fee: Decimal
  }

  @Model("photos") public struct Photo {
    @PrimaryKey public let id: UUID
    @Column("visit_id") @References(Visit.self, onDelete: .setNull) public var visitID: Int64?
    @Default public var tags: [String] = []
    public var image: Data
  }

  public static let schema = ModelSchema {
    Customer.self
    Site.self
    Visit.self
    Photo.self
  }
}

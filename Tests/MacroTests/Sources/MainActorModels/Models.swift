public import Foundation
public import SchemaKit

@Model("settings") public struct Setting {
  @PrimaryKey public var name: String
  public var value: Int
  @Column(storing: .iso8601) public var changed: Date

  public init(name: String, value: Int, changed: Date) {
    self.name = name
    self.value = value
    self.changed = changed
  }
}

@Model("choices") struct Choice {
  @PrimaryKey var name: String
  @Embedded var place: Spot
}

@Fragment struct Spot {
  var x: Double
  var y: Double?
}

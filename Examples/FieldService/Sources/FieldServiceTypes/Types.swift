public import Foundation
public import SchemaKit

/// What a customer has paid for.
public enum ServiceLevel: String, ColumnValue, CaseIterable, Sendable {
  case basic
  case premium
}

/// How far a visit is.
public enum VisitState: Int, ColumnValue, CaseIterable, Sendable {
  case planned
  case done
  case cancelled
}

/// Stored as JSON.
public struct Address: JSONColumnValue, Hashable, Sendable {
  public var street: String
  public var city: String

  public init(street: String, city: String) {
    self.street = street
    self.city = city
  }
}

/// A line of an invoice; an invoice stores its lines as JSON.
public struct InvoiceLine: Codable, Hashable, Sendable {
  public var text: String
  public var cents: Int

  public init(text: String, cents: Int) {
    self.text = text
    self.cents = cents
  }
}

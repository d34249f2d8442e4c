import Foundation
import SchemaKit

/// What a customer has paid for.
enum ServiceLevel: String, ColumnValue, CaseIterable, Sendable {
  case basic
  case premium
}

/// How far a visit is.
enum VisitState: Int, ColumnValue, CaseIterable, Sendable {
  case planned
  case done
  case cancelled
}

/// Stored as JSON.
struct Address: JSONColumnValue, Hashable, Sendable {
  var street: String
  var city: String
}

/// A line of an invoice; an invoice stores its lines as JSON.
struct InvoiceLine: Codable, Hashable, Sendable {
  var text: String
  var cents: Int
}

/// The models written by hand.
enum Builder {}

/// The models written with `@Model`.
enum Macro {}

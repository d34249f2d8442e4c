/// One value as SQLite stores it: a storage class and its content.
///
/// See [Datatypes in SQLite](https://sqlite.org/datatype3.html).
public enum SQLValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}

extension SQLValue {
  /// True if two values are the same to SQLite: text byte by byte, and never values of two storage classes.
  public static func == (left: SQLValue, right: SQLValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left == right
    case (.text(let left), .text(let right)): ExactText(left) == ExactText(right)
    case (.blob(let left), .blob(let right)): left == right
    default: false
    }
  }

  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .integer(let value): hasher.combine(value)
    case .real(let value): hasher.combine(value)
    case .text(let value): ExactText(value).hash(into: &hasher)
    case .blob(let value): hasher.combine(value)
    }
  }
}

extension SQLValue {
  /// The name that SQLite's `typeof()` gives to this value's storage class.
  public var storageClass: String {
    switch self {
    case .null: "null"
    case .integer: "integer"
    case .real: "real"
    case .text: "text"
    case .blob: "blob"
    }
  }

  /// The integer, or nil for another storage class.
  public var integer: Int64? { if case .integer(let value) = self { value } else { nil } }

  /// The text, or nil for another storage class.
  public var text: String? { if case .text(let value) = self { value } else { nil } }

  /// True if SQLite sorts this value before another of its storage class, without a collation.
  func isBefore(_ other: SQLValue) -> Bool {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): left < right
    case (.real(let left), .real(let right)): left < right
    case (.text(let left), .text(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
    case (.blob(let left), .blob(let right)): left.lexicographicallyPrecedes(right)
    default: false
    }
  }

  /// True if this is NULL.
  public var isNull: Bool { self == .null }
}

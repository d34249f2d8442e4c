/// One value as SQLite stores it: a storage class and its content.
///
/// See [Datatypes in SQLite](https://sqlite.org/datatype3.html).
public enum SQLValue: Sendable, Hashable, Codable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
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

  /// Whether this is NULL.
  public var isNull: Bool { self == .null }
}

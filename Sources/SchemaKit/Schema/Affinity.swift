/// The kind of value that a column prefers to store.
///
/// See [Determination of column affinity](https://sqlite.org/datatype3.html#determination_of_column_affinity).
package enum Affinity: String, Sendable, Hashable {
  case integer = "INTEGER"
  case text = "TEXT"
  case blob = "BLOB"
  case real = "REAL"
  case numeric = "NUMERIC"

  /// The affinity that SQLite derives from a declared type.
  init(declaredType: String?, isStrict: Bool) {
    guard let type = declaredType?.uppercased(), !type.isEmpty else {
      self = .blob
      return
    }
    if isStrict, type == "ANY" {
      self = .blob
    } else if type.contains("INT") {
      self = .integer
    } else if type.contains("CHAR") || type.contains("CLOB") || type.contains("TEXT") {
      self = .text
    } else if type.contains("BLOB") {
      self = .blob
    } else if type.contains("REAL") || type.contains("FLOA") || type.contains("DOUB") {
      self = .real
    } else {
      self = .numeric
    }
  }
}

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
  package init(declaredType: String?, isStrict: Bool) {
    guard let type = declaredType.map({ Array(SQLName.fold($0).utf8) }), !type.isEmpty else {
      self = .blob
      return
    }
    func contains(_ word: StaticString) -> Bool {
      let count = word.utf8CodeUnitCount
      guard type.count >= count else { return false }
      return (0...(type.count - count)).contains { start in
        (0..<count).allSatisfy { type[start + $0] == word.utf8Start[$0] }
      }
    }
    if isStrict, type.elementsEqual("any".utf8) {
      self = .blob
    } else if contains("int") {
      self = .integer
    } else if contains("char") || contains("clob") || contains("text") {
      self = .text
    } else if contains("blob") {
      self = .blob
    } else if contains("real") || contains("floa") || contains("doub") {
      self = .real
    } else {
      self = .numeric
    }
  }
}

extension Affinity {
  /// A declared type of this affinity that never makes a column another name of the rowid.
  package var typeName: String { self == .integer ? "INT" : rawValue }
}

/// The function that tells whether any rows can be equal in a key, for which SQLite would sort them all.
///
/// It remembers a number for each key that it was called with, and is true if one comes again: then the rows are compared by
/// SQL. It knows the collations that [SQLite has](https://sqlite.org/datatype3.html#collation).
package enum RepeatedKeys {
  /// The name of the function: one letter for each value, the values.
  package static let function = "\"_schemakit_repeats\""

  /// The number of keys that it remembers. Of a larger table SQLite sorts the keys.
  package static let mostKeys = 1 << 22

  private static let letters: [SQLName: String] = ["BINARY": "b", "NOCASE": "n", "RTRIM": "r"]

  /// The call for the values of a row; nil if a collation is another.
  package static func call(_ terms: [(value: String, collation: SQLName)]) -> String? {
    let letters = terms.compactMap { Self.letters[$0.collation] }
    // A function takes 127 arguments, and some builds fewer: https://sqlite.org/limits.html#max_function_arg
    guard letters.count == terms.count, terms.count <= 90 else { return nil }
    let values = terms.map { "+\($0.value)" }.joined(separator: ", ")
    return "\(function)(\(SQLQuoting.literal(letters.joined())), \(values))"
  }
}

/// The values that a column stores as they are, as its declaration has it; others are standing faults.
///
/// The questions of ``StandingChecks`` say the same in SQL, which servers take too. A file is asked by one function of all
/// columns instead, which takes a quarter of the time.
package struct StoredClasses: Sendable, Hashable {
  /// A rule for values. The raw value is the letter by which the function is told.
  package enum Kind: Character, Sendable {
    case any = "a"
    /// No numbers.
    case text = "t"
    /// No text that looks like a number, and no real that is a whole number.
    case number = "n"
    /// No text that looks like a number, no negative zero, and no number beyond 2^53.
    case real = "r"
    case strictInteger = "I"
    /// No number beyond 2^53.
    case strictReal = "R"
    case strictText = "T"
    case strictBlob = "B"
  }

  package var kind: Kind
  package var takesNull: Bool

  package init(of column: ColumnSchema, in table: TableSchema) {
    takesNull = !column.isNotNull
    if table.isStrict {
      kind =
        switch column.strictClass {
        case .integer: .strictInteger
        case .real: .strictReal
        case .text: .strictText
        case .blob: .strictBlob
        case nil: .any
        }
      return
    }
    kind =
      switch column.affinity {
      case .text: column.isStoredOtherwise ? .any : .text
      case .integer, .numeric: .number
      case .real: .real
      case .blob: .any
      }
  }

  /// The name of the function that is true for a row with a value that its column does not store as it is: two letters for
  /// each value, the values.
  package static let function = "\"_schemakit_breaks\""

  /// The two letters.
  package var letters: String { "\(kind.rawValue)\(takesNull ? "?" : "!")" }
}

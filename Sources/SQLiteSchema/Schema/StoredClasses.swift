/// The values that a column stores as they are, as its declaration has it; others are standing faults.
///
/// The questions of ``StandingChecks`` say the same in SQL, which servers take too. A file is asked by one function of all
/// columns instead, which takes a quarter of the time.
package struct StoredClasses: Sendable, Hashable {
  /// A rule for values. The raw value is the letter by which the function is told.
  package enum Kind: Character, CaseIterable, Sendable {
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
    /// No integer beyond 2^53.
    case exactInteger = "w"
    case strictText = "T"
    case strictBlob = "B"
  }

  package var kind: Kind
  package var takesNull: Bool

  package init(_ kind: Kind, takesNull: Bool = true) {
    self.kind = kind
    self.takesNull = takesNull
  }

  /// The values that a STRICT table takes in a column of a class; nil for ANY.
  package init(strict storageClass: StandingFault.StorageClass?) {
    let kind: Kind =
      switch storageClass {
      case .integer: .strictInteger
      case .real: .strictReal
      case .text: .strictText
      case .blob: .strictBlob
      case nil: .any
      }
    self.init(kind)
  }

  package init(of column: ColumnSchema, in table: TableSchema) {
    if table.isStrict {
      self.init(strict: column.strictClass)
      takesNull = !column.isNotNull
      return
    }
    let kind: Kind =
      switch column.affinity {
      case .text: column.isStoredOtherwise ? .any : .text
      case .integer, .numeric: .number
      case .real: .real
      case .blob: .any
      }
    self.init(kind, takesNull: !column.isNotNull)
  }

  /// True if values that fulfil this fulfil the other as well.
  package func implies(_ other: StoredClasses) -> Bool {
    guard other.takesNull || !takesNull else { return false }
    if kind == other.kind || other.kind == .any { return true }
    switch kind {
    case .strictInteger: return other.kind == .number
    case .exactInteger: return [.number, .real, .strictInteger].contains(other.kind)
    case .strictText: return other.kind == .text
    case .strictBlob: return [.text, .number, .real].contains(other.kind)
    case .any, .text, .number, .real, .strictReal: return false
    }
  }

  /// The name of the function that is true for a row with a value that its column does not store as it is: two letters for
  /// each value, the values.
  package static let function = "\"_schemakit_breaks\""

  /// The two letters.
  package var letters: String { "\(kind.rawValue)\(takesNull ? "?" : "!")" }
}

/// A value of a row, and the values that are expected there.
package struct ClassedValue: Sendable, Hashable {
  package var value: String
  package var stores: StoredClasses

  package init(value: String, stores: StoredClasses) {
    self.value = value
    self.stores = stores
  }
}

extension Sequence<ClassedValue> {
  /// Calls of the function that are true for a row with another value than expected.
  package var breaks: [String] {
    // A function takes 127 arguments, and some builds fewer: https://sqlite.org/limits.html#max_function_arg
    let (all, most) = (Array(self), 90)
    return stride(from: 0, to: all.count, by: most).map { start in
      let some = all[start..<Swift.min(start + most, all.count)]
      let letters = SQLQuoting.literal(some.map(\.stores.letters).joined())
      return "\(StoredClasses.function)(\(([letters] + some.map(\.value)).joined(separator: ", ")))"
    }
  }
}
